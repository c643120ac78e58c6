/*
 * The rules for statements; see rules.h.
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
	ListCell   *cell;

	foreach(cell, options)
		RULE(castNode(DefElem, lfirst(cell))->arg != NULL, "DefElem without arg");
}

/* WINDOW and CASCADE are true. */
static inline void
rule_true(const List *options, const char *name)
{
	ListCell   *cell;

	foreach(cell, options)
	{
		const DefElem *option = castNode(DefElem, lfirst(cell));

		RULE(strcmp(option->defname, name) != 0 ||
			 (IsA(option->arg, Boolean) && ((Boolean *) option->arg)->boolval),
			 "DefElem with such an arg");
	}
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
			RULE(list_length(type.names) == 2 &&
				 strcmp(strVal(list_nth(type.names, 0)), "pg_catalog") == 0 &&
				 strcmp(strVal(list_nth(type.names, 1)), "record") == 0,
				 "RETURNS TABLE with another returnType");
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

/* ----- Tables ----- */

static inline void
rule_constraint(Constraint *constraint)
{
	switch (constraint->contype)
	{
		case CONSTR_FOREIGN:
			RULE(constraint->pktable != NULL, "a foreign key without pktable");
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
static inline ColumnDef *
rule_column(ColumnDef *column)
{
	ListCell   *cell;

	foreach(cell, column->constraints)
	{
		const Constraint *constraint = castNode(Constraint, lfirst(cell));

		RULE(constraint->keys == NIL && constraint->fk_attrs == NIL,
			 "a constraint of a column with other columns");
		RULE(constraint->contype != CONSTR_EXCLUSION, "a constraint of a column with exclusions");
	}
	return column;
}
#define deparseColumnDef(state, column) \
	deparseColumnDef(state, BY_RULE(state, rule_column, column))

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

/* ----- Other objects ----- */

/* Some are dropped one by one; their names have a certain number of parts. */
static inline DropStmt *
rule_drop(DropStmt *stmt)
{
	bool		alone = true;
	int			least = 0;
	int			most = 0;

	switch (stmt->removeType)
	{
		case OBJECT_POLICY:
		case OBJECT_RULE:
		case OBJECT_TRIGGER:
		case OBJECT_OPFAMILY:
		case OBJECT_OPCLASS:
			least = 2;
			most = PG_INT32_MAX;
			break;
		case OBJECT_CAST:
		case OBJECT_TRANSFORM:
			least = most = 2;
			break;
		default:
			alone = false;
	}
	RULE(stmt->objects != NIL, "DropStmt without objects");
	if (alone)
	{
		const List *name = list_nth(stmt->objects, 0);

		RULE(list_length(stmt->objects) == 1, "such a DropStmt with several objects");
		RULE(list_length(name) >= least && list_length(name) <= most,
			 "DropStmt with such a name");
	}
	return stmt;
}
#define deparseDropStmt(state, stmt) deparseDropStmt(state, BY_RULE(state, rule_drop, stmt))

static inline DefineStmt *
rule_define(DefineStmt *stmt)
{
	RULE(stmt->definition != NIL || stmt->kind == OBJECT_TYPE, "DefineStmt without definition");
	if (stmt->oldstyle)
		rule_options(stmt->definition);
	if (stmt->kind == OBJECT_COLLATION)
	{
		ListCell   *cell;

		/* FROM is printed as that only if it is alone */
		foreach(cell, stmt->definition)
		{
			const DefElem *option = castNode(DefElem, lfirst(cell));

			RULE(list_length(stmt->definition) == 1 || option->arg == NULL ||
				 !IsA(option->arg, List), "a collation FROM two others");
		}
	}
	return stmt;
}
#define deparseDefineStmt(state, stmt) deparseDefineStmt(state, BY_RULE(state, rule_define, stmt))

/* Items of an operator class are added with a name, and dropped with types. */
static inline void
rule_class_items(const List *items, bool is_drop)
{
	ListCell   *cell;

	foreach(cell, items)
	{
		const CreateOpClassItem *item = castNode(CreateOpClassItem, lfirst(cell));

		if (item->itemtype == OPCLASS_ITEM_STORAGETYPE)
			continue;
		if (is_drop)
			RULE(item->name == NULL && item->class_args != NIL,
				 "CreateOpClassItem without class_args");
		else
			RULE(item->name != NULL, "CreateOpClassItem without name");
	}
}

static inline CreateOpClassStmt *
rule_create_class(CreateOpClassStmt *stmt)
{
	rule_class_items(stmt->items, false);
	return stmt;
}
#define deparseCreateOpClassStmt(state, stmt) \
	deparseCreateOpClassStmt(state, BY_RULE(state, rule_create_class, stmt))

static inline AlterOpFamilyStmt *
rule_alter_family(AlterOpFamilyStmt *stmt)
{
	rule_class_items(stmt->items, stmt->isDrop);
	return stmt;
}
#define deparseAlterOpFamilyStmt(state, stmt) \
	deparseAlterOpFamilyStmt(state, BY_RULE(state, rule_alter_family, stmt))

static inline CreateTransformStmt *
rule_transform(CreateTransformStmt *stmt)
{
	RULE(stmt->fromsql != NULL || stmt->tosql != NULL,
		 "CreateTransformStmt without fromsql or tosql");
	return stmt;
}
#define deparseCreateTransformStmt(state, stmt) \
	deparseCreateTransformStmt(state, BY_RULE(state, rule_transform, stmt))

static inline AlterSubscriptionStmt *
rule_subscription(AlterSubscriptionStmt *stmt)
{
	if (stmt->kind == ALTER_SUBSCRIPTION_ENABLED)
	{
		RULE(list_length(stmt->options) == 1, "ENABLE with other options");
		RULE(castNode(DefElem, list_nth(stmt->options, 0))->arg != NULL, "ENABLE without arg");
	}
	return stmt;
}
#define deparseAlterSubscriptionStmt(state, stmt) \
	deparseAlterSubscriptionStmt(state, BY_RULE(state, rule_subscription, stmt))

static inline AlterTSConfigurationStmt *
rule_configuration(AlterTSConfigurationStmt *stmt)
{
	RULE(!stmt->replace || list_length(stmt->dicts) == 2, "REPLACE with other dicts");
	return stmt;
}
#define deparseAlterTSConfigurationStmt(state, stmt) \
	deparseAlterTSConfigurationStmt(state, BY_RULE(state, rule_configuration, stmt))

static inline CreateExtensionStmt *
rule_extension(CreateExtensionStmt *stmt)
{
	rule_options(stmt->options);
	rule_true(stmt->options, "cascade");
	return stmt;
}
#define deparseCreateExtensionStmt(state, stmt) \
	deparseCreateExtensionStmt(state, BY_RULE(state, rule_extension, stmt))

static inline CreateEventTrigStmt *
rule_event_trigger(CreateEventTrigStmt *stmt)
{
	rule_options(stmt->whenclause);
	return stmt;
}
#define deparseCreateEventTrigStmt(state, stmt) \
	deparseCreateEventTrigStmt(state, BY_RULE(state, rule_event_trigger, stmt))

/* The table of a trigger is not in its name. */
static inline AlterObjectDependsStmt *
rule_depends(AlterObjectDependsStmt *stmt)
{
	RULE(stmt->objectType != OBJECT_TRIGGER || list_length(castNode(List, stmt->object)) == 1,
		 "a trigger with such a name");
	return stmt;
}
#define deparseAlterObjectDependsStmt(state, stmt) \
	deparseAlterObjectDependsStmt(state, BY_RULE(state, rule_depends, stmt))

/* The two types of a cast, and the type and the language of a transform. */
static inline void
rule_pair(ObjectType type, Node *object)
{
	if (type == OBJECT_CAST || type == OBJECT_TRANSFORM || type == OBJECT_DOMCONSTRAINT)
		RULE(list_length(castNode(List, object)) == 2, "an object of two others");
}

static inline CommentStmt *
rule_comment(CommentStmt *stmt)
{
	rule_pair(stmt->objtype, stmt->object);
	return stmt;
}
#define deparseCommentStmt(state, stmt) deparseCommentStmt(state, BY_RULE(state, rule_comment, stmt))

static inline AlterExtensionContentsStmt *
rule_extension_contents(AlterExtensionContentsStmt *stmt)
{
	rule_pair(stmt->objtype, stmt->object);
	return stmt;
}
#define deparseAlterExtensionContentsStmt(state, stmt) \
	deparseAlterExtensionContentsStmt(state, BY_RULE(state, rule_extension_contents, stmt))

#if PG_VERSION_NUM >= 180000
/* NOT NULL of a domain is about its value. */
static inline AlterDomainStmt *
rule_alter_domain(AlterDomainStmt *stmt)
{
	const Constraint *constraint = (const Constraint *) stmt->def;

	if (constraint != NULL && IsA(constraint, Constraint) && constraint->contype == CONSTR_NOTNULL)
		RULE(list_length(constraint->keys) == 1 &&
			 strcmp(strVal(list_nth(constraint->keys, 0)), "value") == 0,
			 "NOT NULL of a domain with such keys");
	return stmt;
}
#define deparseAlterDomainStmt(state, stmt) \
	deparseAlterDomainStmt(state, BY_RULE(state, rule_alter_domain, stmt))
#endif

/* SET TIME ZONE and SET XML OPTION have one value. */
static inline VariableSetStmt *
rule_set(VariableSetStmt *stmt)
{
	const Node *value;

	if (stmt->kind == VAR_SET_MULTI)
	{
		RULE(stmt->args != NIL, "VariableSetStmt without args");
		RULE(strcmp(stmt->name, "TRANSACTION SNAPSHOT") != 0 || list_length(stmt->args) == 1,
			 "SET TRANSACTION SNAPSHOT with other values");
	}
	if (stmt->kind != VAR_SET_VALUE || stmt->name == NULL)
		return stmt;
#if PG_VERSION_NUM >= 180000
	if (!stmt->jumble_args)
		return stmt;
#endif
	if (strcmp(stmt->name, "timezone") == 0)
	{
		RULE(list_length(stmt->args) == 1, "SET TIME ZONE with other values");
		value = list_nth(stmt->args, 0);
		if (IsA(value, TypeCast))
		{
			const List *names = ((TypeCast *) value)->typeName->names;

			RULE(list_length(names) == 2 && strcmp(strVal(list_nth(names, 0)), "pg_catalog") == 0 &&
				 strcmp(strVal(list_nth(names, 1)), "interval") == 0,
				 "SET TIME ZONE with such a type");
		}
	}
#if PG_VERSION_NUM >= 180000
	else if (strcmp(stmt->name, "xmloption") == 0)
	{
		value = list_length(stmt->args) == 1 ? list_nth(stmt->args, 0) : NULL;
		RULE(value != NULL && IsA(value, A_Const) && !((A_Const *) value)->isnull &&
			 IsA(&((A_Const *) value)->val, String) &&
			 (strcmp(((A_Const *) value)->val.sval.sval, "DOCUMENT") == 0 ||
			  strcmp(((A_Const *) value)->val.sval.sval, "CONTENT") == 0),
			 "SET XML OPTION with such a value");
	}
#endif
	return stmt;
}
#define deparseVariableSetStmt(state, stmt) \
	deparseVariableSetStmt(state, BY_RULE(state, rule_set, stmt))

#if PG_VERSION_NUM >= 170000
static inline DeallocateStmt *
rule_deallocate(DeallocateStmt *stmt)
{
	RULE(stmt->isall == (stmt->name == NULL), "DeallocateStmt without name or isall");
	return stmt;
}
#define deparseDeallocateStmt(state, stmt) \
	deparseDeallocateStmt(state, BY_RULE(state, rule_deallocate, stmt))
#endif

/* ----- Roles ----- */

/* ADD USER and DROP USER are alone. */
static inline AlterRoleStmt *
rule_alter_role(AlterRoleStmt *stmt)
{
	ListCell   *cell;
	bool		is_group = false;

	foreach(cell, stmt->options)
		if (strcmp(castNode(DefElem, lfirst(cell))->defname, "rolemembers") == 0)
			is_group = true;
	if (is_group)
		RULE(list_length(stmt->options) == 1, "ADD USER with other options");
	else
		RULE(stmt->action != -1, "DROP USER without options");
	return stmt;
}
#define deparseAlterRoleStmt(state, stmt) \
	deparseAlterRoleStmt(state, BY_RULE(state, rule_alter_role, stmt))

/* ALL is alone. */
static inline GrantStmt *
rule_grant(GrantStmt *stmt)
{
	ListCell   *cell;

	foreach(cell, stmt->privileges)
		RULE(castNode(AccessPriv, lfirst(cell))->priv_name != NULL ||
			 list_length(stmt->privileges) == 1, "ALL with other privileges");
	return stmt;
}
#define deparseGrantStmt(state, stmt) deparseGrantStmt(state, BY_RULE(state, rule_grant, stmt))

#if PG_VERSION_NUM >= 160000
static inline GrantRoleStmt *
rule_grant_role(GrantRoleStmt *stmt)
{
	RULE(stmt->is_grant || list_length(stmt->opt) <= 1, "REVOKE of two options");
	return stmt;
}
#define deparseGrantRoleStmt(state, stmt) \
	deparseGrantRoleStmt(state, BY_RULE(state, rule_grant_role, stmt))
#endif

#endif							/* RULES_STATEMENTS_H */
