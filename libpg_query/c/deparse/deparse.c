/*-------------------------------------------------------------------------
 *
 * deparse.c
 *	  libpg_query's deparser, made safe for malformed trees.
 *
 * The deparser is written for trees from the parser.  Ours come from
 * Rust code that may build any tree: it may lack a child that the
 * grammar always sets, and a list may hold nodes of another type, or
 * nothing.  The deparser would then dereference NULL or confuse one
 * struct with another.  This file includes its source with guards around
 * it, which turn each of these cases into an error.  If the deparser can
 * print a tree, the result is the same as without the guards.
 *
 * The only assumption is that a node
 * has the type of its tag, see shim.h.
 *
 * The guards, in the order of the sections below:
 *
 *	1. Assert() is on, and raises an error.
 *	2. A dereference of NULL raises an error: the file is compiled with
 *	   -fsanitize=null.  (MSVC has none: there the checks are inserted into
 *	   the code before it is compiled, see build/null_checks.rs.)
 *	3. A NULL string given to a C function raises an error.
 *	4. A list that is iterated or indexed is a list of nodes.
 *	5. Where the deparser casts an element of a list without checking its
 *	   tag, the guard checks the tag.
 *	6. Every cycle of calls checks the stack depth.
 *	7. What has no SQL, or would be printed as that of another tree, is an
 *	   error: rules.h.
 *
 * "libpg_query_tools text" looks for casts, strings and cycles that
 * sections 3, 5 and 6 leave out, in the code that is compiled.
 *
 * They cost time, which the last section regains.
 *
 *-------------------------------------------------------------------------
 */

/*
 * Other names for the globals of the deparser: the same program
 * may contain libpg_query's own build of it, see oracle.c.
 */
#undef deparseRawStmt
#define deparseRawStmt guarded_deparse_default
#undef deparseRawStmtOpts
#define deparseRawStmtOpts guarded_deparse_with_options
#undef optBooleanValue
#define optBooleanValue guarded_optBooleanValue

/* Section 1 begins before all headers: inline functions have Asserts, too. */
#undef USE_ASSERT_CHECKING
#define USE_ASSERT_CHECKING 1
#undef ExceptionalCondition
#define ExceptionalCondition guard_assertion_failed

/* For PG_VERSION_NUM, which determines the signature. */
#include "pg_config.h"

#if PG_VERSION_NUM >= 160000
#define GUARD_ASSERTION const char *condition, const char *file, int line
#else
#define GUARD_ASSERTION const char *condition, const char *type, const char *file, int line
#endif

static void guard_assertion_failed(GUARD_ASSERTION);

#define ARENA_INLINE
#include "arena.h"

#include "common/keywords.h"
#include "common/kwlookup.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/nodes.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "utils/builtins.h"
#include "utils/xml.h"

#include "guarded_deparse.h"
#include "words.h"

/* The source file of the lines that the guards receive. */
#define DEPARSER_FILE "postgres_deparse.c"

/*
 * Raise the error of a guard, with its place in the deparser.
 */
static pg_noinline void
guard_failed(const char *what, const char *file, int line)
{
	if (errstart(ERROR, TEXTDOMAIN))
	{
		errmsg_internal("deparse: malformed tree: %s", what);
		errfinish(file, line, NULL);
	}
	pg_unreachable();
}

/* ----- 1. Assertions ----- */

static void rule_failed(const char *what, int line);

static void
guard_assertion_failed(GUARD_ASSERTION)
{
	guard_failed(condition, file, line);
}

/*
 * Also those about the length of a list: what is behind the items that are
 * printed would be lost.  patches/deparse_rules.patch has the wrong ones.
 */
#undef Assert
#define Assert(condition) \
	do { \
		if (unlikely(!(condition))) \
			guard_failed(#condition, DEPARSER_FILE, __LINE__); \
	} while (0)

/* ----- 2. NULL ----- */

#ifdef EXPLICIT_NULL_CHECKS

/* This call is inserted before each access. */
static inline void
guard_null(const void *pointer, const char *file, int line)
{
	if (unlikely(pointer == NULL))
		guard_failed("NULL where there must be a value", file, line);
}

#else

/*
 * The function that code compiled with -fsanitize=null calls before an access
 * to NULL.  Usually it is in a runtime library; since this one is static, the
 * calls in this file end here, and no runtime needs to be linked.
 *
 * The argument is the start of the struct in which both GCC and
 * Clang describe the place (see compiler-rt's ubsan_value.h).
 */
typedef struct GuardPlace
{
	const char *file;
	uint32		line;
	uint32		column;
} GuardPlace;

static void __attribute__((used, noinline, cold))
__ubsan_handle_type_mismatch_v1_abort(const GuardPlace *place, void *pointer)
{
	guard_failed("NULL where there must be a value", place->file, (int) place->line);
}

#endif							/* EXPLICIT_NULL_CHECKS */

/* ----- 3. Strings ----- */

#define GUARD_STRING(s) guard_string(s, __LINE__)

static inline const char *
guard_string(const char *string, int line)
{
	if (unlikely(string == NULL))
		guard_failed("NULL where there must be a string", DEPARSER_FILE, line);
	return string;
}

static void patch_note_keyword(const char *name);

/* Whether something is printed that the next word may make another token of; see patch_quote_merged. */
static __thread bool patch_has_merged;

/*
 * Some of these names may already be macros, from our renaming of
 * symbols, so the functions are captured before the names are redefined.
 */
static inline const char *
guard_quote_identifier(const char *s, int line)
{
	const char *end = guard_string(s, line);

	/* most names need no quotes, which is quickly determined */
	if ((*end >= 'a' && *end <= 'z') || *end == '_')
		do
			end++;
		while ((*end >= 'a' && *end <= 'z') || (*end >= '0' && *end <= '9') || *end == '_');
	if (*end == '\0')
	{
		/* the scanner cuts off what is longer */
		if (unlikely((size_t) (end - s) - 1 >= NAMEDATALEN - 1))
			rule_failed(end == s ? "an empty name" : "such a long name", line);
		if (may_be_keyword(s, end - s))
		{
			int			keyword = ScanKeywordLookup(s, &ScanKeywords);

			if (keyword >= 0)
				patch_note_keyword(s);
			if (keyword >= 0 && ScanKeywordCategories[keyword] != UNRESERVED_KEYWORD)
				return quote_identifier(s);
		}
		return s;
	}
	if (unlikely(strlen(s) >= NAMEDATALEN))
		rule_failed("such a long name", line);
	return quote_identifier(s);
}

/* The deparser mostly appends short strings; so do it inline if there is room. */
static inline void
guard_append_string(StringInfo str, const char *s, int line)
{
	size_t		length = strlen(guard_string(s, line));

	if (likely(length < (size_t) (str->maxlen - str->len)))
	{
		/* including the NUL */
		memcpy(str->data + str->len, s, length + 1);
		str->len += (int) length;
	}
	else
		appendStringInfoString(str, s);
}

static inline void
guard_append_char(StringInfo str, char c)
{
	if (likely(str->len + 1 < str->maxlen))
	{
		str->data[str->len++] = c;
		str->data[str->len] = '\0';
	}
	else
		appendStringInfoChar(str, c);
}

static inline int
guard_keyword_lookup(const char *s, const ScanKeywordList *keywords, int line)
{
	return ScanKeywordLookup(guard_string(s, line), keywords);
}

static inline char *
guard_strdup(const char *s, int line)
{
	return pstrdup(guard_string(s, line));
}

#if PG_VERSION_NUM >= 180000
/* headers of older versions may not declare it */
static inline size_t
guard_strlcpy(char *to, const char *s, size_t size, int line)
{
	return strlcpy(to, guard_string(s, line), size);
}
#endif

#undef quote_identifier
#define quote_identifier(s) guard_quote_identifier(s, __LINE__)
#undef appendStringInfoString
#define appendStringInfoString(str, s) guard_append_string(str, s, __LINE__)
#undef appendStringInfoChar
#define appendStringInfoChar(str, c) guard_append_char(str, c)
#undef ScanKeywordLookup
#define ScanKeywordLookup(s, keywords) guard_keyword_lookup(s, keywords, __LINE__)
#undef pstrdup
#define pstrdup(s) guard_strdup(s, __LINE__)
#undef strlcpy
#define strlcpy(to, s, size) guard_strlcpy(to, s, size, __LINE__)
#undef strcmp
#define strcmp(a, b) strcmp(GUARD_STRING(a), GUARD_STRING(b))
#undef strlen
#define strlen(s) strlen(GUARD_STRING(s))
#undef strchr
#define strchr(s, c) strchr(GUARD_STRING(s), c)
#undef strstr
#define strstr(s, t) strstr(GUARD_STRING(s), GUARD_STRING(t))
#undef strncpy
#define strncpy(to, s, size) strncpy(to, GUARD_STRING(s), size)
#undef atof
#define atof(s) atof(GUARD_STRING(s))

/* ----- 4. Lists ----- */

#define GUARD_LIST(l) guard_list(l, __LINE__)

/*
 * A list of integers is not accepted either: its cells are not pointers.
 */
static inline List *
guard_list(const List *list, int line)
{
	if (list != NIL && unlikely(!IsA(list, List)))
		guard_failed("another node where there must be a list of nodes", DEPARSER_FILE, line);
	return (List *) list;
}

#define list_length(l) list_length(GUARD_LIST(l))
#define list_nth_cell(l, n) list_nth_cell(GUARD_LIST(l), n)
#define list_last_cell(l) list_last_cell(GUARD_LIST(l))
#define for_each_from_setup(l, n) for_each_from_setup(GUARD_LIST(l), n)
#undef foreach
#define foreach(cell, l) for_each_from(cell, l, 0)

/* ----- 5. Elements of lists ----- */

/*
 * The macros of this section and the next precede functions of the
 * deparser.  They must affect calls, but not declarations.  The
 * first argument distinguishes the two: it is "state" in a call,
 * "DeparseState *state" in a declaration.  Pasted to a prefix, the
 * latter begins with a macro that contains a comma, so GUARD_FORM's
 * second argument differs.
 */
#define GUARD_FORM(...) GUARD_SECOND(__VA_ARGS__, CALL, ~)
#define GUARD_SECOND(first, second, ...) second
#define GUARD_FIRST_DeparseState ~, DECLARATION,
#define GUARD_PASTE(a, b) GUARD_PASTE_(a, b)
#define GUARD_PASTE_(a, b) a ## b

#define GUARD_NODE(form, type, arg) GUARD_PASTE(GUARD_NODE_, form)(type, arg)
#define GUARD_NODE_DECLARATION(type, arg) arg
#define GUARD_NODE_CALL(type, arg) ((type *) guard_node(T_##type, arg, #type, __LINE__))

#define GUARD_ELEMENTS(form, type, arg) GUARD_PASTE(GUARD_ELEMENTS_, form)(type, arg)
#define GUARD_ELEMENTS_DECLARATION(type, arg) arg
#define GUARD_ELEMENTS_CALL(type, arg) guard_elements(T_##type, arg, #type, __LINE__)

static inline void *
guard_node(NodeTag tag, const void *node, const char *type, int line)
{
	if (node != NULL && unlikely(nodeTag(node) != tag))
		guard_failed(psprintf("another node where there must be a %s", type),
					 DEPARSER_FILE, line);
	return (void *) node;
}

static inline List *
guard_elements(NodeTag tag, const List *list, const char *type, int line)
{
	ListCell   *cell;

	foreach(cell, list)
		guard_node(tag, lfirst(cell), type, line);
	return (List *) list;
}

/* ON CONFLICT (...) */
#define deparseIndexElem(state, elem) \
	deparseIndexElem(state, BY_RULE(state, rule_index_elem, \
		GUARD_NODE(GUARD_FORM(GUARD_FIRST_##state), IndexElem, elem)))

/* JSON_ARRAY(...) */
#define deparseJsonValueExpr(state, expr) \
	deparseJsonValueExpr(state, GUARD_NODE(GUARD_FORM(GUARD_FIRST_##state), JsonValueExpr, expr))

/* JSON_OBJECT(...) */
#define deparseJsonKeyValue(state, pair) \
	deparseJsonKeyValue(state, GUARD_NODE(GUARD_FORM(GUARD_FIRST_##state), JsonKeyValue, pair))

/* CREATE STATISTICS ... ON ... */
#define deparseStatsElem(state, elem) \
	deparseStatsElem(state, GUARD_NODE(GUARD_FORM(GUARD_FIRST_##state), StatsElem, elem))

/* COMMENT ON CONSTRAINT ... ON DOMAIN ... */
#define deparseTypeName(state, name) \
	deparseTypeName(state, GUARD_NODE(GUARD_FORM(GUARD_FIRST_##state), TypeName, name))
#define patch_type_by_name(state, name) \
	patch_type_by_name(state, GUARD_NODE(GUARD_FORM(GUARD_FIRST_##state), TypeName, name))

/* CREATE PUBLICATION ... FOR ... */
#define deparsePublicationObjectList(state, list) \
	deparsePublicationObjectList(state, \
		GUARD_ELEMENTS(GUARD_FORM(GUARD_FIRST_##state), PublicationObjSpec, list))

/* ----- 6. Depth ----- */

#define GUARD_DEPTH(form, function, ...) GUARD_PASTE(GUARD_DEPTH_, form)(function, __VA_ARGS__)
#define GUARD_DEPTH_DECLARATION(function, ...) function(__VA_ARGS__)
#define GUARD_DEPTH_CALL(function, ...) CHECK_STACK_FOR(function(__VA_ARGS__))

/*
 * No function of the deparser reaches itself without one of
 * these, or without one that itself checks the depth since
 * 18 (deparseExpr, deparseSelectStmt and deparseStmt).
 */
#define deparseFuncCall(state, ...) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseFuncCall, state, __VA_ARGS__)
#define deparseGroupingSet(state, set) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseGroupingSet, state, \
				BY_RULE(state, rule_grouping_set, set))
#define deparseJoinExpr(state, join) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseJoinExpr, state, \
				BY_RULE(state, rule_join, join))
#define deparseJsonTableColumns(state, columns) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseJsonTableColumns, state, \
				FILLED(state, columns))
#define deparseWithClause(state, ...) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseWithClause, state, __VA_ARGS__)
#if PG_VERSION_NUM < 180000
#define deparseExpr(state, ...) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseExpr, state, __VA_ARGS__)
#define deparseSelectStmt(state, ...) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseSelectStmt, state, __VA_ARGS__)
#define deparseStmt(state, ...) \
	GUARD_DEPTH(GUARD_FORM(GUARD_FIRST_##state), deparseStmt, state, __VA_ARGS__)
#endif

/* ----- 7. What the grammar always fills ----- */

#include "rules.h"
#include "rules_expressions.h"
#include "rules_relations.h"
#include "rules_statements.h"
#include "rules_tables.h"
#include "rules_objects.h"

/* ----- 8. Speed ----- */

/*
 * Each string is appended to the last part of the last group of
 * parts, see deparse_parts.h.  These lists are the deparser's
 * own, so they need no guards; but a list of parts may be empty.
 */
#define GUARD_OWN(form, call, declaration) GUARD_PASTE(GUARD_OWN_, form)(call, declaration)
#define GUARD_OWN_DECLARATION(call, declaration) declaration
#define GUARD_OWN_CALL(call, declaration) call

static inline void *
guard_last(const List *list, int line)
{
	if (unlikely(list == NIL))
		guard_failed("nothing to append to", DEPARSER_FILE, line);
	return list->elements[list->length - 1].ptr_value;
}

#define guard_part(part, line) ((DeparseStatePart *) guard_own(part, line))

static inline void *
guard_own(void *part, int line)
{
	if (unlikely(part == NULL))
		guard_failed("nothing to append to", DEPARSER_FILE, line);
	return part;
}

#define deparseGetCurrentPartGroup(state) \
	GUARD_OWN(GUARD_FORM(GUARD_FIRST_##state), \
			  (likely((state)->current->part_groups != NIL) ? \
			   (DeparseStatePartGroup *) guard_last((state)->current->part_groups, __LINE__) : \
			   deparseGetCurrentPartGroup(state)), \
			  deparseGetCurrentPartGroup(state))
#define deparseGetCurrentPart(state) \
	GUARD_OWN(GUARD_FORM(GUARD_FIRST_##state), \
			  guard_part(deparseGetCurrentPartGroup(state)->last, __LINE__), \
			  deparseGetCurrentPart(state))
#define deparseGetCurrentStringInfo(state) \
	GUARD_OWN(GUARD_FORM(GUARD_FIRST_##state), \
			  (deparseGetCurrentPart(state)->str), \
			  deparseGetCurrentStringInfo(state))

/*
 * A buffer for one of these parts, most of which hold a few words, or nothing
 * and are freed at once.  PostgreSQL's buffers begin with a kilobyte.
 */
#define GUARD_PART_SIZE 128

static inline StringInfo
guard_make_buffer(void)
{
	StringInfo	str = arena_palloc(sizeof(StringInfoData));

	str->data = arena_palloc(GUARD_PART_SIZE);
	str->data[0] = '\0';
	str->len = 0;
	str->maxlen = GUARD_PART_SIZE;
	str->cursor = 0;
	return str;
}

#undef makeStringInfo
#define makeStringInfo() guard_make_buffer()

/* ----- The deparser, patched (see patches/) ----- */

#include "patches.h"

#include "postgres_deparse.c"

#include "patches_names.c"
#include "patches_expressions.c"
#include "patches_precedence.c"
#include "patches_operands_15.c"
#include "patches_operands_17.c"
#include "patches_statements.c"

void
guarded_deparse(StringInfo str, const struct RawStmt *stmt, PostgresDeparseOpts *opts)
{
	int			start = str->len;

	/* an error may have left them set */
	patch_group_items = patch_has_merged = 0, rule_altered = NULL;
#if PG_VERSION_NUM >= 170000 && PG_VERSION_NUM < 180000
	patch_next = 0;
#endif
	/* the deparser only reads the tree */
#if PG_VERSION_NUM >= 180000
	deparseRawStmtOpts(str, (RawStmt *) stmt, opts);
#elif PG_VERSION_NUM >= 170000
	deparseRawStmtOpts(str, (RawStmt *) stmt, *opts);
#else
	deparseRawStmt(str, (RawStmt *) stmt);
#endif
	if (unlikely(patch_has_merged))
		patch_quote_merged(str, start);
}
