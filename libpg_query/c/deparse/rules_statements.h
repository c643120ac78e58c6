/*
 * The rules for statements about functions, rows and tables; see rules.h.
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

/* ----- INSERT, UPDATE and MERGE ----- */

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

/* ----- Tables ----- */

/* The constraint of an ALTER CONSTRAINT that is being printed. */
static __thread const Constraint *rule_altered;

#if PG_VERSION_NUM < 180000
/* It is a foreign key without a table; 18 has another node for it. */
static inline Constraint *
rule_altered_constraint(AlterTableType subtype, Constraint *constraint)
{
	if (subtype == AT_AlterConstraint)
	{
		RULE(constraint->contype == CONSTR_FOREIGN && constraint->conname != NULL &&
			 constraint->pktable == NULL, "ALTER CONSTRAINT of what is no name of one");
		rule_altered = constraint;
	}
	return constraint;
}
#endif

#if PG_VERSION_NUM >= 170000
/* NOT NULL of a domain is that of its value. */
static inline Constraint *
rule_domain_constraint(Constraint *constraint)
{
	RULE(constraint->contype != CONSTR_NOTNULL || list_length(constraint->keys) == 1,
		 "NOT NULL of a domain without its value");
	return constraint;
}
#endif

static inline void
rule_constraint(Constraint *constraint)
{
	switch (constraint->contype)
	{
		case CONSTR_FOREIGN:
			RULE(constraint->pktable != NULL || constraint == rule_altered,
				 "a foreign key without pktable");
#if PG_VERSION_NUM >= 180000
			RULE(!constraint->fk_with_period || list_length(constraint->fk_attrs) >= 2,
				 "PERIOD without another column");
			RULE(!constraint->pk_with_period || list_length(constraint->pk_attrs) >= 2,
				 "PERIOD without another column");
#endif
			break;
		case CONSTR_EXCLUSION:
			RULE(constraint->exclusions != NIL, "Constraint without exclusions");
			break;
		default:
			break;
	}
}

/* A constraint of a table, which names its columns. */
static inline void
rule_table_constraint(const Constraint *constraint)
{
	switch (constraint->contype)
	{
		case CONSTR_FOREIGN:
			RULE(constraint->fk_attrs != NIL, "a foreign key without fk_attrs");
			break;
		case CONSTR_PRIMARY:
		case CONSTR_UNIQUE:
			RULE((constraint->keys != NIL) != (constraint->indexname != NULL),
				 "Constraint without keys");
			break;
#if PG_VERSION_NUM >= 180000
		case CONSTR_NOTNULL:
			RULE(list_length(constraint->keys) == 1, "NOT NULL without a column");
			break;
#endif
		default:
			break;
	}
}

/* A constraint of a column, which names none. */
static inline Constraint *
rule_column_constraint(Constraint *constraint)
{
	RULE(constraint->keys == NIL && constraint->fk_attrs == NIL,
		 "a constraint of a column with other columns");
	RULE(constraint->contype != CONSTR_EXCLUSION, "a constraint of a column with exclusions");
	return constraint;
}

/* The columns have types, unless these are those of a type or of a table. */
static inline void
rule_create_table(CreateStmt *stmt)
{
	bool		has_types = stmt->ofTypename == NULL && stmt->partbound == NULL;
	ListCell   *cell;

	RULE(stmt->partbound == NULL || list_length(stmt->inhRelations) == 1,
		 "a partition of several tables");
	RULE(stmt->ofTypename == NULL || stmt->inhRelations == NIL, "OF with inhRelations");
	foreach(cell, stmt->tableElts)
	{
		const Node *element = lfirst(cell);

		if (IsA(element, ColumnDef))
		{
			RULE(((ColumnDef *) element)->colname != NULL, "ColumnDef without colname");
			RULE((((ColumnDef *) element)->typeName != NULL) == has_types,
				 has_types ? "ColumnDef without typeName" : "ColumnDef with typeName");
		}
		else if (IsA(element, Constraint))
			rule_table_constraint((Constraint *) element);
		else
			RULE(has_types, "LIKE in a table OF a type");
	}
}

static inline CompositeTypeStmt *
rule_composite_type(CompositeTypeStmt *stmt)
{
	rule_typed_columns(stmt->coldeflist);
	return stmt;
}
#define deparseCompositeTypeStmt(state, stmt) \
	deparseCompositeTypeStmt(state, BY_RULE(state, rule_composite_type, stmt))

static inline AlterTableStmt *
rule_alter_table(AlterTableStmt *stmt)
{
	ListCell   *cell;

	RULE(stmt->cmds != NIL, "AlterTableStmt without cmds");
	foreach(cell, stmt->cmds)
	{
		const AlterTableCmd *cmd = castNode(AlterTableCmd, lfirst(cell));

		switch (cmd->subtype)
		{
			case AT_AddColumn:
				{
					const ColumnDef *column = castNode(ColumnDef, cmd->def);

					RULE(column->colname != NULL && column->typeName != NULL,
						 "ColumnDef without typeName");
				}
				break;
			case AT_AddConstraint:
				rule_table_constraint(castNode(Constraint, cmd->def));
				break;
			case AT_AttachPartition:
				RULE(list_length(stmt->cmds) == 1, "ATTACH PARTITION with another command");
				RULE(castNode(PartitionCmd, cmd->def)->bound != NULL ||
					 stmt->objtype == OBJECT_INDEX, "PartitionCmd without bound");
				break;
			case AT_DetachPartition:
			case AT_DetachPartitionFinalize:
				RULE(list_length(stmt->cmds) == 1, "DETACH PARTITION with another command");
				break;
			default:
				break;
		}
	}
	return stmt;
}
#define deparseAlterTableStmt(state, stmt) \
	deparseAlterTableStmt(state, BY_RULE(state, rule_alter_table, stmt))

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
