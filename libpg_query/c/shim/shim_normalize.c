/*-------------------------------------------------------------------------
 *
 * shim_normalize.c
 *	  Replaces constants in SQL by parameters; see shim.h.
 *
 * The choice of constants and of their numbers is libpg_query's
 * own code, which this file includes, and normalize_all.h continues.
 *
 *-------------------------------------------------------------------------
 */

#include "shim_internal.h"
#include "stack_check.h"
#include "entry_points.h"

static PgQueryNormalizeResult unused_normalize(const char *sql);
static PgQueryNormalizeResult unused_normalize_ext(const char *sql, bool utility_only);
static PgQueryNormalizeResult unused_normalize_utility(const char *sql);
static void unused_free_normalize(PgQueryNormalizeResult result);

#undef pg_query_normalize
#define pg_query_normalize unused_normalize
#undef pg_query_normalize_ext
#define pg_query_normalize_ext unused_normalize_ext
#undef pg_query_normalize_utility
#define pg_query_normalize_utility unused_normalize_utility
#undef pg_query_free_normalize_result
#define pg_query_free_normalize_result unused_free_normalize

#include "pg_query_fingerprint.h"

/* All headers that the included file includes: the macros below would change them. */
#include "mb/pg_wchar.h"
#include "port/pg_bitutils.h"
#include "nodes/nodeFuncs.h"
#include "parser/parser.h"
#include "parser/scanner.h"
#include "parser/scansup.h"
#include "pg_query_outfuncs.h"

/*
 * GROUP BY gets the parameters of the equal expression in the
 * target list, found by its hash.  libpg_query searches the list
 * for each item, and removes the target that it finds; it continues
 * the search after the last one was removed and the list was freed.
 * Here, by means of a patch, the targets are sorted by hash.
 */
typedef struct Target
{
	uint64		hash;
	int			index;			/* targets with the same hash are in list order */
	int			taken;			/* the number removed with this hash; in the first of them */
	void	   *found;
} Target;

typedef struct Targets
{
	Target	   *sorted;			/* NULL until the first search */
	int			count;
} Targets;

static int
compare_targets(const void *a, const void *b)
{
	const Target *left = a;
	const Target *right = b;

	if (left->hash != right->hash)
		return left->hash < right->hash ? -1 : 1;
	return left->index - right->index;
}

/* Removes and returns the first target with this hash, or returns NULL. */
static void *
take_target(Targets *targets, const List *list, Size hash_offset, uint64 hash)
{
	int			low = 0;
	int			high = list_length(list);
	Target	   *first;

	if (targets->sorted == NULL)
	{
		targets->count = high;
		targets->sorted = palloc0(sizeof(Target) * high);
		for (int i = 0; i < high; i++)
		{
			Target	   *target = &targets->sorted[i];

			target->found = list_nth(list, i);
			target->hash = *(const uint64 *) ((const char *) target->found + hash_offset);
			target->index = i;
		}
		/* libc's, since the worst case of PostgreSQL's is quadratic */
		(qsort) (targets->sorted, high, sizeof(Target), compare_targets);
	}
	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (targets->sorted[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	first = &targets->sorted[low];
	if (low >= targets->count || first->taken >= targets->count - low ||
		first[first->taken].hash != hash)
		return NULL;
	return first[first->taken++].found;
}

#define TAKE_TARGET(targets, list, hash) \
	take_target(targets, list, offsetof(FpAndParamRefs, fp), hash)

/*
 * If nothing is grouped, the parameters of a target are not needed,
 * nor are those recorded for a target of a SELECT around this one:
 * it ends their list.  These are names of local variables.
 */
#define WALK_UNGROUPED_TARGETS() \
	do { \
		foreach(lc, stmt->targetList) \
		{ \
			jstate->param_refs = NULL; \
			jstate->param_refs_buf_size = 0; \
			jstate->param_refs_count = 0; \
			if (const_record_walker(lfirst(lc), jstate)) \
				return true; \
		} \
	} while (0)

/*
 * The code below makes the included file safe.  Only 18 does all of it itself.
 *
 * 1. Overlapping constants, which are possible before 17, would
 * cause a copy of negative length; one of the Asserts checks for them.
 */
static void
constants_overlap(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("PostgreSQL %d cannot normalize a text whose constants overlap",
					PG_VERSION_NUM / 10000)));
}

#undef Assert
#define Assert(condition) \
	do { \
		if (strcmp(#condition, "len_to_wrt >= 0") == 0 && !(condition)) \
			constants_overlap(); \
	} while (0)

/*
 * 2. Before 17, a parameter's number may overflow, and with its sign
 * be a byte longer than its room.  Every constant has ten bytes of room.
 */
static void *
roomy_palloc(Size size)
{
	return palloc(size + size / 8);
}

#undef palloc
#define palloc(size) roomy_palloc(size)

/*
 * 3. The walk checks the stack, which before 18 it did not for
 * nested SELECTs; and it counts its steps, since it visits the common
 * source of several assigned columns for each of them.  Every step
 * begins with this macro; 18's own stack check would be a second one.
 */
static __thread size_t max_nodes;
static __thread size_t steps_left;

static pg_noinline void
too_many_nodes(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("the tree has more than %zu nodes", max_nodes)));
}

static inline void
count_step(void)
{
	if (unlikely(steps_left == 0))
		too_many_nodes();
	steps_left--;
}

#undef nodeTag
#define nodeTag(node) (check_stack_floor(), count_step(), ((const Node *) (node))->type)
#undef check_stack_depth
#define check_stack_depth() ((void) 0)

/*
 * 4. libpg_query's walk catches the error for nodes that
 * raw_expression_tree_walker does not know, at each of its steps,
 * and continues.  By a patch, no error is raised for them here.  Any
 * other error is an exceeded limit: then nodes were skipped, and it
 * must not be caught.  This also leaves no handler that versions
 * before 18 could leave installed by returning out of PG_TRY.
 */
#pragma push_macro("PG_TRY")
#pragma push_macro("PG_CATCH")
#pragma push_macro("PG_END_TRY")
#undef PG_TRY
#undef PG_CATCH
#undef PG_END_TRY
#define PG_TRY(...) do { if (true) {
#define PG_CATCH(...) } else {
#define PG_END_TRY(...) } } while (0)

/*
 * GROUP BY gets the parameters of the equal expression in the target
 * list, found by its fingerprint.  libpg_query computes that of each
 * target even if nothing is grouped, and this costs the most by far.
 */
static __thread ShimHashNode current_hash_node;

/*
 * A node is hashed for each SELECT around it that
 * groups something, so the hashes have their own count.
 */
#define HASHES_PER_NODE 2
static __thread size_t hashes_left;

static uint64
hash_node(const Node *node)
{
	uint64		hash = current_hash_node(node, &hashes_left);

	if (unlikely(hashes_left == 0))
		too_many_nodes();
	return hash;
}

#undef pg_query_fingerprint_node
#define pg_query_fingerprint_node(node) \
	(stmt->groupClause == NIL ? 0 : hash_node((const Node *) (node)))

/*
 * libpg_query scans the SQL again for the lengths of the constants.  The
 * parser's scan has recorded the token places, which its code receives here
 * as if it scanned.  It asks for the next token at or after the constant
 * "loc"; a token's length extends to the NUL that flex puts at its end.
 */
static __thread const TokenPlaces *places;
static __thread int places_length;	/* of the SQL */
static __thread int token_start;	/* the last token, or -1 */

/* Returns the first set bit at or after "place", or -1; the bits are "starts" or "ends". */
static inline int
next_place(int place, bool ends)
{
	while (place <= places_length)
	{
		const TokenPlaces *word = &places[place / 64];
		uint64		bits = (ends ? word->ends : word->starts) >> (place % 64);

		if (bits != 0)
			return place + pg_rightmost_one_pos64(bits);
		place = (place / 64 + 1) * 64;
	}
	return -1;
}

/* Like core_yylex, but the only meaningful kind of a token is 0, for the end of the input. */
static inline int
token_from(int place, YYLTYPE *location)
{
	int			start = next_place(Max(place, token_start + 1), false);

	if (start < 0)
		return 0;
	*location = token_start = start;
	return 1;
}

static inline core_yyscan_t
start_tokens(const char *query, core_yy_extra_type *extra)
{
	extra->scanbuf = unconstify(char *, query);
	token_start = -1;
	return NULL;
}

/* Writes "$1"; the number may be negative after an overflow.  Returns the length. */
static int
put_parameter(char *text, int64 number)
{
	char		digits[20];
	int			count = 0;
	uint64		rest = number < 0 ? -(uint64) number : (uint64) number;
	char	   *end = text;

	do
		digits[count++] = '0' + rest % 10;
	while ((rest /= 10) != 0);

	*end++ = '$';
	if (number < 0)
		*end++ = '-';
	while (count > 0)
		*end++ = digits[--count];
	return (int) (end - text);
}

#undef sprintf
#define sprintf(text, format, number) put_parameter(text, number)
#undef scanner_init
#undef core_yylex
#undef scanner_finish
#define scanner_init(query, extra, keywords, tokens) start_tokens(query, extra)
#define core_yylex(value, location, scanner) token_from(loc, location)
#define scanner_finish(scanner) ((void) 0)
/* Called by a patch; the SQL begins at "loc". */
#define constant_length(text) (next_place(token_start + 1, true) - loc)

/*
 * 5. The walk continues where libpg_query's ends; see normalize_all.h.
 */
struct pgssConstLocations;
static bool const_record_walker(Node *node, struct pgssConstLocations *jstate);
static NodeTag walk_node(Node *node, struct pgssConstLocations *jstate);
static bool walk_expression(Node *node, struct pgssConstLocations *jstate);

/* Set by a patch when raw_expression_tree_walker has met a node that it does not know. */
__thread bool walk_was_incomplete;

static inline bool
raw_walk(Node *node, bool (*walker) (Node *, struct pgssConstLocations *), void *context)
{
	return raw_expression_tree_walker(node, walker, context);
}

#undef raw_expression_tree_walker
#define raw_expression_tree_walker(node, walker, context) walk_expression(node, context)

#include "pg_query_normalize.c"
#include "normalize_all.h"

#pragma pop_macro("PG_TRY")
#pragma pop_macro("PG_CATCH")
#pragma pop_macro("PG_END_TRY")

void
shim_normalize(const char *sql, const ShimParse *parse,
			   const ShimParseOptions *options,
			   bool utility_only, ShimHashNode hash, ShimChildren children,
			   size_t nodes, size_t stack_bytes, ShimNormalize *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		pgssConstLocations locations = {0};
		const List *tree;
		int			length = (int) strlen(sql);

		places_length = length;
		if (parse == NULL)
		{
			TokenPlaces *found = palloc0(TOKEN_PLACES(length) * sizeof(TokenPlaces));

			tree = parse_bytes(sql, (size_t) length, shim_use_options(options), found, NULL);
			places = found;
		}
		else
		{
			/* the walk only reads the tree */
			tree = parse->stmts;
			places = parse->token_places;
			if (places == NULL)
				elog(ERROR, "parsed without the places of the tokens");
		}

		locations.clocations_buf_size = 32;
		locations.clocations = palloc(sizeof(pgssLocationLen) * locations.clocations_buf_size);
		locations.highest_normalize_param_id = 1;
		locations.query = sql;
		locations.query_len = length;
		child_nodes = children;
		only_utility = utility_only;
		without_parameters = false;
		strings_count = 0;
		strings_room = 0;
		strings = NULL;
		more_strings = NULL;
		walk_was_incomplete = false;
		counted_parameters = NULL;
		if (children != NULL && memchr(sql, '$', length) != NULL)
			counted_parameters = palloc0((length / 64 + 1) * sizeof(uint64));
#if PG_VERSION_NUM >= 170000
		locations.normalize_utility_only = utility_only;
#else
		if (utility_only && children == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("PostgreSQL %d cannot normalize utility statements alone",
							PG_VERSION_NUM / 10000)));
#endif
		current_hash_node = hash;
		max_nodes = steps_left = nodes;
		hashes_left = nodes > SIZE_MAX / HASHES_PER_NODE ? SIZE_MAX : nodes * HASHES_PER_NODE;
		const_record_walker((Node *) tree, &locations);
		if (children != NULL)
			out->text = replace_constants(&locations, &out->length, &out->counts_all);
		else
		{
			out->text = generate_normalized_query(&locations, 0, &length, PG_UTF8);
			out->length = length;
		}
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_normalize_free, ShimNormalize)
