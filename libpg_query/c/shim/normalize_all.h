/*-------------------------------------------------------------------------
 *
 * normalize_all.h
 *	  Replaces every constant that a fingerprint ignores, and every secret;
 *	  a part of shim_normalize.c.
 *
 * libpg_query's walk finds the constants of queries, and numbers them.  Here
 * it continues into what it leaves out: utility statements, and the parts of
 * queries that raw_expression_tree_walker skips.  Where the grammar
 * has no parameter, the constant becomes '...'.
 *
 * The tree lacks the places of some strings, such as those of OPTIONS.
 * These are found among the tokens of their statement.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NORMALIZE_ALL_H
#define NORMALIZE_ALL_H

#include "normalize_tokens.h"
#include "normalize_parameters.h"

/* NULL if the result is to be libpg_query's. */
static __thread ShimChildren child_nodes;
/* Leave SELECT, INSERT, UPDATE, DELETE and MERGE as they are. */
static __thread bool only_utility;
/* The constants being walked are in a place without parameters. */
static __thread bool without_parameters;

/* The starts of the constants that become '...' */
static __thread int *strings;
static __thread int strings_count;
static __thread int strings_room;
/* The places of more of them in the statement being walked, as strings_of has them; or NULL. */
static __thread const char *more_strings;

/* The maximum number of fields of a struct that can hold nodes. */
#define MAX_CHILDREN 64

/* ----- The walk ----- */

static void
note_string(int location)
{
	if (location < 0)
		return;
	if (strings_count == strings_room)
	{
		strings_room = strings_room == 0 ? 8 : strings_room * 2;
		strings = strings == NULL ? palloc(strings_room * sizeof(int))
			: repalloc(strings, strings_room * sizeof(int));
	}
	strings[strings_count++] = location;
}

/*
 * The strings of a statement that have no place in the tree, and do
 * not count in its fingerprint or may be secrets.  They follow a keyword, are
 * anywhere, or are in OPTIONS (..).  A string that is
 * an expression may be among them: it becomes a parameter.
 */
static const char anywhere[] = "";
static const char in_options[] = "options";

static const char *
strings_of(NodeTag tag)
{
	switch (tag)
	{
		case T_CreateFunctionStmt:
		case T_CreateSchemaStmt:
		case T_CreateTrigStmt:
		case T_DoStmt:
		case T_NotifyStmt:
		case T_RuleStmt:
		case T_TransactionStmt:
			return anywhere;
		case T_AlterFdwStmt:
		case T_AlterForeignServerStmt:
		case T_AlterUserMappingStmt:
		case T_CreateFdwStmt:
		case T_CreateForeignServerStmt:
		case T_CreateForeignTableStmt:
		case T_CreateUserMappingStmt:
		case T_ImportForeignSchemaStmt:
			return in_options;
		case T_AlterSubscriptionStmt:
		case T_CreateSubscriptionStmt:
			return "connection";
		case T_CreateTableSpaceStmt:
			return "location";
		default:
			return NULL;
	}
}

/* Wants those of a part of the statement as well, which has no others; one that has is wanted whole. */
static void
want_strings(const char *before)
{
	if (more_strings == NULL)
		more_strings = before;
}

static void
note_strings(const char *sql, const RawStmt *stmt, const char *before)
{
	int			end = stmt->stmt_len > 0 ? stmt->stmt_location + stmt->stmt_len : places_length;
	Token		last = {-1, -1};
	bool		inside = before == anywhere;

	for (int start = next_place(Max(stmt->stmt_location, 0), false);
		 start >= 0 && start < end;
		 start = next_place(start + 1, false))
	{
		Token		token = {start, -1};

		if (is_comment_at(sql, start))
			continue;
		if (is_string(sql, token))
		{
			if (inside || (before != in_options && token_is(sql, ended(last), before)))
				note_string(start);
		}
		else if (before == in_options && sql[start] == '(')
			inside = inside || token_is(sql, ended(last), in_options);
		else if (before == in_options && sql[start] == ')')
			inside = false;
		last = token;
	}
}

/* The string after the name of a role's option: of PASSWORD 'x', VALID UNTIL 'x'. */
static int
string_of_option(const char *sql, int location)
{
	Token		token = token_at(sql, Max(location, 0));

	for (int i = 0; i < 3 && token.start >= 0; i++, token = token_at(sql, token.end))
		if (is_string(sql, token))
			return token.start;
	return -1;
}

static void
walk_role_options(List *options, pgssConstLocations *jstate)
{
	ListCell   *lc;

	foreach(lc, options)
	{
		DefElem    *option = lfirst_node(DefElem, lc);

		if (option->arg == NULL || !IsA(option->arg, String))
			const_record_walker(option->arg, jstate);
		else if (strcmp(option->defname, "password") == 0)
			RecordConstLocation(jstate, string_of_option(jstate->query, option->location));
		else if (strcmp(option->defname, "validUntil") == 0)
			note_string(string_of_option(jstate->query, option->location));
	}
}

static void
walk_without_parameters(Node *node, pgssConstLocations *jstate)
{
	bool		outside = without_parameters;

	without_parameters = true;
	const_record_walker(node, jstate);
	without_parameters = outside;
}

static void
walk_setting(VariableSetStmt *stmt, pgssConstLocations *jstate)
{
	ListCell   *lc;

	foreach(lc, stmt->args)
	{
		Node	   *arg = lfirst(lc);
		bool		is_constant = IsA(arg, A_Const);
		Token		token = {-1, -1};

		if (is_constant && castNode(A_Const, arg)->location >= 0)
			token = token_at(jstate->query, castNode(A_Const, arg)->location);
		if (stmt->kind == VAR_SET_MULTI)
		{
			/* of SET TRANSACTION, the snapshot; the modes are keywords */
			if (is_string(jstate->query, token))
				note_string(token.start);
		}
		else if (!is_constant)
			/* an interval of SET TIME ZONE */
			walk_without_parameters(arg, jstate);
		else if (strcmp(stmt->name, "client_encoding") == 0 && is_string(jstate->query, token))
			/* perhaps SET NAMES */
			note_string(token.start);
		else if (!token_is(jstate->query, token, "document") &&
				 !token_is(jstate->query, token, "content"))
			RecordConstLocation(jstate, token.start);
	}
}

/* Returns whether a part of a utility statement can be seen to have no constants: names and types. */
static inline bool
has_no_constants(const Node *node)
{
	if (node->type == T_List && ((const List *) node)->length > 0)
		node = linitial((const List *) node);
	if (node == NULL)
		return false;
	switch (node->type)
	{
		case T_Integer:
		case T_RangeVar:
		case T_RoleSpec:
		case T_String:
		case T_TypeName:
			return true;
		default:
			return false;
	}
}

static void
walk_children(const Node *node, pgssConstLocations *jstate)
{
	const Node *children[MAX_CHILDREN];
	size_t		count = child_nodes(node, children, MAX_CHILDREN);

	if (count > MAX_CHILDREN)
		elog(ERROR, "a node of type %d with %zu children", (int) nodeTag(node), count);
	for (size_t i = 0; i < count; i++)
		if (!has_no_constants(children[i]))
			const_record_walker(unconstify(Node *, children[i]), jstate);
}

/* Returns whether the constant is a keyword that nothing else can replace. */
static bool
is_normal_form(const char *sql, int location)
{
	Token		token;

	if (location < 0 || (sql[location] != 'n' && sql[location] != 'N'))
		return false;
	token = token_at(sql, location);
	return token_is(sql, token, "nfc") || token_is(sql, token, "nfd") ||
		token_is(sql, token, "nfkc") || token_is(sql, token, "nfkd");
}

/* Returns whether an expression is the +5 of FETCH FIRST +5 ROWS or OFFSET +5 ROWS: no +$1 can be there. */
static bool
is_signed_count(const char *sql, const A_Expr *expr)
{
	Token		word;

	if (expr->lexpr != NULL || expr->rexpr == NULL || !IsA(expr->rexpr, A_Const) ||
		expr->location < 0 || sql[expr->location] != '+')
		return false;
	word = token_before(sql, expr->location);
	return token_is(sql, word, "first") || token_is(sql, word, "next") ||
		token_is(sql, word, "offset");
}

/* The tag of a node that libpg_query's walk does not enter. */
#define T_Walked T_TypeName

/*
 * Walks a node, and returns T_Walked; or returns its
 * tag if libpg_query's own walk of it is right.
 */
static inline NodeTag
walk_node(Node *node, pgssConstLocations *jstate)
{
	NodeTag		tag = nodeTag(node);

	if (child_nodes == NULL)
		return tag;
	switch (tag)
	{
		case T_A_Const:
			{
				int			location = ((A_Const *) node)->location;

				if (likely(!without_parameters))
					return is_normal_form(jstate->query, location) ? T_Walked : tag;
				note_string(location);
				return T_Walked;
			}
		case T_ParamRef:
			count_parameter(((ParamRef *) node)->location);
			return tag;
		case T_InsertStmt:
		case T_UpdateStmt:
		case T_DeleteStmt:
		case T_MergeStmt:
		case T_SelectStmt:
			return only_utility ? T_Walked : tag;
		case T_A_Expr:
			if (likely(!is_signed_count(jstate->query, (A_Expr *) node)))
				return tag;
			RecordConstLocation(jstate, ((A_Expr *) node)->location);
			return T_Walked;
		case T_MultiAssignRef:
			/* the columns have the same source */
			return ((MultiAssignRef *) node)->colno > 1 ? T_Walked : tag;
		case T_RawStmt:
			more_strings = strings_of(((RawStmt *) node)->stmt->type);
			const_record_walker(((RawStmt *) node)->stmt, jstate);
			if (more_strings != NULL)
				note_strings(jstate->query, (RawStmt *) node, more_strings);
			return T_Walked;
		case T_AlterTableCmd:
			if (((AlterTableCmd *) node)->subtype == AT_GenericOptions ||
				((AlterTableCmd *) node)->subtype == AT_AlterColumnGenericOptions)
				want_strings(in_options);
			walk_children(node, jstate);
			return T_Walked;
		case T_DefElem:
			const_record_walker(((DefElem *) node)->arg, jstate);
			return T_Walked;
		case T_CreateRoleStmt:
			walk_role_options(((CreateRoleStmt *) node)->options, jstate);
			return T_Walked;
		case T_AlterRoleStmt:
			walk_role_options(((AlterRoleStmt *) node)->options, jstate);
			return T_Walked;
		case T_VariableSetStmt:
			walk_setting((VariableSetStmt *) node, jstate);
			return T_Walked;
		case T_AlterSubscriptionStmt:
		case T_AlterUserMappingStmt:
		case T_CreateSubscriptionStmt:
		case T_CreateUserMappingStmt:
		case T_DoStmt:
		case T_NotifyStmt:
		case T_TransactionStmt:
			/* their constants are in strings_of */
			return T_Walked;
		case T_ColumnDef:
			if (((ColumnDef *) node)->fdwoptions != NIL)
				want_strings(in_options);
			walk_children(node, jstate);
			return T_Walked;
		case T_CopyStmt:
			if (((CopyStmt *) node)->is_program)
				want_strings("program");
			walk_children(node, jstate);
			return T_Walked;
		case T_CallStmt:
		case T_CreateFunctionStmt:
		case T_DeclareCursorStmt:
			walk_children(node, jstate);
			return T_Walked;
		case T_CommonTableExpr:
			{
				CommonTableExpr *cte = (CommonTableExpr *) node;

				const_record_walker(cte->ctequery, jstate);
				if (cte->cycle_clause != NULL)
				{
					walk_without_parameters(cte->cycle_clause->cycle_mark_value, jstate);
					walk_without_parameters(cte->cycle_clause->cycle_mark_default, jstate);
				}
				return T_Walked;
			}
#if PG_VERSION_NUM >= 170000
		case T_JsonTablePathSpec:
			walk_without_parameters(((JsonTablePathSpec *) node)->string, jstate);
			return T_Walked;
		case T_JsonTableColumn:
			const_record_walker((Node *) ((JsonTableColumn *) node)->pathspec, jstate);
			return tag;
#endif
		default:
			return tag;
	}
}

/* For nodes without a rule of libpg_query's own. */
static inline bool
walk_expression(Node *node, pgssConstLocations *jstate)
{
	bool		stop = raw_walk(node, const_record_walker, jstate);

	if (unlikely(walk_was_incomplete))
	{
		walk_was_incomplete = false;
		if (child_nodes != NULL)
			walk_children(node, jstate);
	}
	return stop;
}

/* ----- The result ----- */

static int
compare_constants(const void *a, const void *b)
{
	const pgssLocationLen *left = a;
	const pgssLocationLen *right = b;

	if (left->location != right->location)
		return left->location < right->location ? -1 : 1;
	/* a string that is a parameter is one */
	return (left->param_id == 0) - (right->param_id == 0);
}

/*
 * Writes what replaces a constant: a parameter, or a string if its number is 0.
 * Returns its length.
 */
static size_t
put_constant(char *text, const char *sql, Token constant, int64 number, bool after_string)
{
	char	   *end = text;

	if (constant.start > 0 && is_in_word(sql[constant.start - 1]))
		*end++ = ' ';
	if (number > 0)
		end += put_parameter(end, number);
	else
	{
		/* on the next line, '..' would continue that string */
		if (after_string)
			*end++ = 'E';
		memcpy(end, "'...'", 5);
		end += 5;
	}
	if (is_in_word(sql[constant.end]))
		*end++ = ' ';
	return end - text;
}

/* The maximum length of that. */
#define MAX_CONSTANT 16

/* Returns whether the last token before "end" is a string; "is" if none is after "place". */
static bool
ends_in_string(const char *sql, int place, int end, bool is)
{
	for (Token token = token_at(sql, place);
		 token.start >= 0 && token.start < end;
		 token = token_at(sql, token.end))
		is = is_string(sql, token);
	return is;
}

/* Returns the SQL with the recorded constants replaced. */
static const char *
replace_constants(pgssConstLocations *found, size_t *length, bool *counts_all)
{
	const char *sql = found->query;
	pgssLocationLen *constants = found->clocations;
	int			count = found->clocations_count + strings_count;
	char	   *result = palloc((Size) found->query_len + (Size) count * MAX_CONSTANT + 1);
	char	   *end = result;
	int			copied = 0;
	int			highest = highest_parameter(found, counts_all);
	bool		sorted = true;
	bool		is_text = false;	/* what replaced the last constant */

	if (strings_count > 0)
		constants = repalloc(constants, (Size) count * sizeof(pgssLocationLen));
	for (int i = 0; i < strings_count; i++)
		constants[found->clocations_count + i] = (pgssLocationLen) {.location = strings[i]};
	for (int i = 1; i < count && sorted; i++)
		sorted = constants[i - 1].location <= constants[i].location;
	/* libc's, since the worst case of PostgreSQL's is quadratic */
	if (!sorted)
		(qsort) (constants, count, sizeof(pgssLocationLen), compare_constants);

	for (int i = 0; i < count; i++)
	{
		Token		constant = constant_at(sql, constants[i].location);
		int64		number = constants[i].param_id;

		if (constant.start < copied || constant.start < 0)
			continue;
		if (number < 0)
			number = highest - number;
		/* the scanner has no larger ones */
		if (number > PG_INT32_MAX)
			number = 0;
		is_text = number <= 0 && ends_in_string(sql, copied, constant.start, is_text);
		memcpy(end, sql + copied, constant.start - copied);
		end += constant.start - copied;
		end += put_constant(end, sql, constant, number, is_text);
		is_text = number <= 0;
		copied = constant.end;
	}
	memcpy(end, sql + copied, found->query_len - copied);
	end += found->query_len - copied;
	*end = '\0';
	*length = end - result;
	return result;
}

#endif							/* NORMALIZE_ALL_H */
