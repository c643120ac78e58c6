/*
 * The rules for statements about functions, rows, indexes and sequences; see
 * rules.h.
 */
#ifndef RULES_STATEMENTS_H
#define RULES_STATEMENTS_H

/* ----- Functions ----- */

static inline bool
rule_is_output(const FunctionParameter *parameter)
{
	return parameter->mode == FUNC_PARAM_OUT || parameter->mode == FUNC_PARAM_TABLE;
}

/*
 * The arguments are there twice: the parameters, which are printed, and the
 * types of those that are inputs.
 */
static inline ObjectWithArgs *
rule_object_args(ObjectWithArgs *object)
{
	ListCell   *cell;
	int			inputs = 0;

	foreach(cell, object->objfuncargs)
	{
		FunctionParameter *parameter = castNode(FunctionParameter, lfirst(cell));

		RULE(parameter->defexpr == NULL, "a parameter with a default, of a function that there is,");
		if (rule_is_output(parameter))
			continue;
		RULE(inputs < list_length(object->objargs) &&
			 equal(parameter->argType, list_nth(object->objargs, inputs)),
			 "ObjectWithArgs with objargs that are not the types of its objfuncargs");
		inputs++;
	}
	RULE(inputs == list_length(object->objargs),
		 "ObjectWithArgs with objargs that are not the types of its objfuncargs");
	return object;
}
#define deparseFunctionWithArgtypes(state, object) \
	deparseFunctionWithArgtypes(state, BY_RULE(state, rule_object_args, object))
#define deparseAggregateWithArgtypes(state, object) \
	deparseAggregateWithArgtypes(state, BY_RULE(state, rule_object_args, object))

/* An operator has no parameters. */
static inline ObjectWithArgs *
rule_operator_args(ObjectWithArgs *object)
{
	RULE(list_length(object->objargs) == 2 &&
		 (list_nth(object->objargs, 0) != NULL || list_nth(object->objargs, 1) != NULL),
		 "an operator without objargs");
	RULE(object->objfuncargs == NIL, "an operator with objfuncargs");
	return object;
}
#define deparseOperatorWithArgtypes(state, object) \
	deparseOperatorWithArgtypes(state, BY_RULE(state, rule_operator_args, object))

/* Each option has a value, also those that are one word. */
static inline void
rule_options(const List *options)
{
	RULE_EACH(DefElem, option, options, option->arg != NULL, "DefElem without arg");
}

/* WINDOW and CASCADE are true. */
static inline void
rule_true(const List *options, const char *name)
{
	RULE_EACH(DefElem, option, options, strcmp(option->defname, name) != 0 ||
			  (IsA(option->arg, Boolean) && ((Boolean *) option->arg)->boolval),
			  "DefElem with such an arg");
}

/* Columns are the last parameters, and the type of the result is theirs. */
static inline CreateFunctionStmt *
rule_create_function(CreateFunctionStmt *stmt)
{
	const FunctionParameter *column = NULL;
	int			columns = 0;
	ListCell   *cell;

	foreach(cell, stmt->parameters)
	{
		const FunctionParameter *parameter = castNode(FunctionParameter, lfirst(cell));

		RULE(parameter->mode == FUNC_PARAM_TABLE || columns == 0,
			 "a parameter behind the columns of RETURNS TABLE");
		if (parameter->mode == FUNC_PARAM_TABLE)
		{
			column = parameter;
			columns++;
		}
	}
	if (columns > 0)
	{
		TypeName	type;

		RULE(stmt->returnType != NULL && stmt->returnType->setof,
			 "RETURNS TABLE without returnType");
		type = *stmt->returnType;
		if (columns == 1)
		{
			type.setof = column->argType->setof;
			RULE(equal(&type, column->argType), "RETURNS TABLE with another returnType");
		}
		else
			RULE(rule_is_system_type(type.names, "record"), "RETURNS TABLE with another returnType");
	}
	rule_options(stmt->options);
	rule_true(stmt->options, "window");
	/* BEGIN ATOMIC is a list in a list */
	RULE(stmt->sql_body == NULL || !IsA(stmt->sql_body, List) ||
		 list_length((List *) stmt->sql_body) == 1, "a body of several");
	return stmt;
}
#define deparseCreateFunctionStmt(state, stmt) \
	deparseCreateFunctionStmt(state, BY_RULE(state, rule_create_function, stmt))

static inline AlterFunctionStmt *
rule_alter_function(AlterFunctionStmt *stmt)
{
	RULE(stmt->actions != NIL, "AlterFunctionStmt without actions");
	rule_options(stmt->actions);
	return stmt;
}
#define deparseAlterFunctionStmt(state, stmt) \
	deparseAlterFunctionStmt(state, BY_RULE(state, rule_alter_function, stmt))

/*
 * ORDER BY is at a place among the arguments.  That behind the last one
 * repeats it, which is VARIADIC.  An aggregate (*) has none.
 */
static inline List *
rule_aggregate_args(List *pair)
{
	const List *args;
	int			count;
	int			place;

	RULE(list_length(pair) == 2, "an aggregate without args");
	args = castNode(List, list_nth(pair, 0));
	count = list_length(args);
	place = castNode(Integer, list_nth(pair, 1))->ival;
	RULE(place >= -1 && (count > 0 ? place <= count : place == -1), "an aggregate without args");
	if (place > 0)
	{
		const FunctionParameter *before = castNode(FunctionParameter, list_nth(args, place - 1));

		RULE((before->mode == FUNC_PARAM_VARIADIC) == (place == count),
			 "an aggregate without ordered args");
	}
	return pair;
}
#define deparseAggrArgs(state, args) deparseAggrArgs(state, BY_RULE(state, rule_aggregate_args, args))

/* CALL and DO. */
static inline CallStmt *
rule_call(CallStmt *stmt)
{
	rule_windowless((Node *) stmt->funccall);
	return stmt;
}
#define deparseCallStmt(state, stmt) deparseCallStmt(state, BY_RULE(state, rule_call, stmt))

static inline DoStmt *
rule_do(DoStmt *stmt)
{
	RULE_EACH(DefElem, option, stmt->args,
			  strcmp(option->defname, "as") == 0 || strcmp(option->defname, "language") == 0,
			  "such an option of DO");
	RULE(stmt->args != NIL, "DO without args");
	return stmt;
}
#define deparseDoStmt(state, stmt) deparseDoStmt(state, BY_RULE(state, rule_do, stmt))

/* ----- INSERT, UPDATE and MERGE ----- */

/* Columns have no values, which are elsewhere. */
static inline List *
rule_insert_columns(List *columns)
{
	RULE(columns != NIL, "a list without items");
	RULE_EACH(ResTarget, column, columns, column->val == NULL, "a column of INSERT with val");
	return columns;
}
#define deparseInsertColumnList(state, l) \
	deparseInsertColumnList(state, BY_RULE(state, rule_insert_columns, l))

static inline InsertStmt *
rule_insert(InsertStmt *stmt)
{
	RULE(stmt->selectStmt != NULL ||
		 (stmt->cols == NIL && stmt->override == OVERRIDING_NOT_SET),
		 "InsertStmt without selectStmt");
	return stmt;
}
#define deparseInsertStmt(state, stmt) deparseInsertStmt(state, BY_RULE(state, rule_insert, stmt))

static inline UpdateStmt *
rule_update(UpdateStmt *stmt)
{
	RULE(stmt->targetList != NIL, "UpdateStmt without targetList");
	return stmt;
}
#define deparseUpdateStmt(state, stmt) deparseUpdateStmt(state, BY_RULE(state, rule_update, stmt))

static inline OnConflictClause *
rule_on_conflict(OnConflictClause *clause)
{
	const InferClause *infer = clause->infer;

	if (infer != NULL)
	{
		RULE((infer->indexElems != NIL) != (infer->conname != NULL),
			 "InferClause without indexElems");
		RULE(infer->indexElems != NIL || infer->whereClause == NULL,
			 "InferClause with whereClause, not indexElems,");
	}
	if (clause->action == ONCONFLICT_UPDATE)
		RULE(clause->targetList != NIL, "DO UPDATE without targetList");
	else
		RULE(clause->targetList == NIL && clause->whereClause == NULL,
			 "DO NOTHING with targetList");
	return clause;
}
#define deparseOnConflictClause(state, clause) \
	deparseOnConflictClause(state, BY_RULE(state, rule_on_conflict, clause))

static inline MergeStmt *
rule_merge(MergeStmt *stmt)
{
	ListCell   *cell;

	RULE(stmt->mergeWhenClauses != NIL, "MergeStmt without mergeWhenClauses");
	foreach(cell, stmt->mergeWhenClauses)
	{
		const MergeWhenClause *clause = castNode(MergeWhenClause, lfirst(cell));

		switch (clause->commandType)
		{
			case CMD_INSERT:
				RULE(clause->values != NIL ||
					 (clause->targetList == NIL && clause->override == OVERRIDING_NOT_SET),
					 "a MergeWhenClause without values");
				break;
			case CMD_UPDATE:
				RULE(clause->targetList != NIL, "a MergeWhenClause without targetList");
				RULE(clause->values == NIL, "a MergeWhenClause with values, not INSERT,");
				break;
			default:
				RULE(clause->targetList == NIL && clause->values == NIL,
					 "a MergeWhenClause with targetList, not UPDATE,");
		}
	}
	return stmt;
}
#define deparseMergeStmt(state, stmt) deparseMergeStmt(state, BY_RULE(state, rule_merge, stmt))

#if PG_VERSION_NUM < 160000
/* The grammar of 16 and later versions does without an alias. */
static inline RangeSubselect *
rule_subselect(RangeSubselect *query)
{
	RULE(query->alias != NULL, "a query in FROM without an alias");
	return query;
}
#define deparseRangeSubselect(state, query) \
	deparseRangeSubselect(state, BY_RULE(state, rule_subselect, query))
#endif

/* ----- Indexes and sequences ----- */

static inline IndexStmt *
rule_index(IndexStmt *stmt)
{
	RULE(stmt->indexParams != NIL, "IndexStmt without indexParams");
	return stmt;
}
#define deparseIndexStmt(state, stmt) deparseIndexStmt(state, BY_RULE(state, rule_index, stmt))

static inline AlterSeqStmt *
rule_alter_sequence(AlterSeqStmt *stmt)
{
	RULE(stmt->options != NIL, "AlterSeqStmt without options");
	return stmt;
}
#define deparseAlterSeqStmt(state, stmt) \
	deparseAlterSeqStmt(state, BY_RULE(state, rule_alter_sequence, stmt))

#endif							/* RULES_STATEMENTS_H */
