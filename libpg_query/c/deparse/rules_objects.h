/*
 * The rules for statements about other objects than tables and functions,
 * settings and roles; see rules.h.
 */
#ifndef RULES_OBJECTS_H
#define RULES_OBJECTS_H

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

/* Returns whether a name ends in an operator, which is no name of anything else without quotes. */
static inline bool
rule_is_operator_name(const List *names)
{
	const Node *last = names == NIL ? NULL : list_nth(names, list_length(names) - 1);

	return last != NULL && IsA(last, String) && strVal(last)[0] != '\0' &&
		strspn(strVal(last), "~!@#^&|`?+-*/%<>=") == strlen(strVal(last));
}

static inline DefineStmt *
rule_define(DefineStmt *stmt)
{
	RULE(stmt->definition != NIL || stmt->kind == OBJECT_TYPE, "DefineStmt without definition");
	if (stmt->oldstyle)
		rule_options(stmt->definition);
	/* FROM is printed as that only if it is alone; beside others, an operator may have that name */
	if (stmt->kind == OBJECT_COLLATION && list_length(stmt->definition) > 1)
		RULE_EACH(DefElem, option, stmt->definition,
				  option->arg == NULL || !IsA(option->arg, List) || strcmp(option->defname, "from") != 0 ||
				  rule_is_operator_name((List *) option->arg),
				  "a collation FROM two others");
	return stmt;
}
#define deparseDefineStmt(state, stmt) deparseDefineStmt(state, BY_RULE(state, rule_define, stmt))

/* Items of an operator class are added with a name, and dropped with types. */
static inline void
rule_class_items(const List *items, bool is_drop)
{
	if (is_drop)
		RULE_EACH(CreateOpClassItem, item, items, item->itemtype == OPCLASS_ITEM_STORAGETYPE ||
				  (item->name == NULL && item->class_args != NIL),
				  "CreateOpClassItem without class_args");
	else
		RULE_EACH(CreateOpClassItem, item, items, item->itemtype == OPCLASS_ITEM_STORAGETYPE ||
				  item->name != NULL, "CreateOpClassItem without name");
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
	bool		is_time_zone;

	if (stmt->kind == VAR_SET_MULTI)
	{
		RULE(stmt->args != NIL, "VariableSetStmt without args");
		RULE(strcmp(stmt->name, "TRANSACTION SNAPSHOT") != 0 || list_length(stmt->args) == 1,
			 "SET TRANSACTION SNAPSHOT with other values");
	}
	if (stmt->kind != VAR_SET_VALUE || stmt->name == NULL)
		return stmt;
	is_time_zone = strcmp(stmt->name, "timezone") == 0;
#if PG_VERSION_NUM < 180000
	/* With several values, it is SET timezone = ... */
	is_time_zone = is_time_zone && list_length(stmt->args) == 1;
#endif
	if (!is_time_zone)
	{
		ListCell   *cell;

		foreach(cell, stmt->args)
			RULE(!IsA(lfirst(cell), TypeCast), "SET with a value that has a type");
	}
#if PG_VERSION_NUM >= 180000
	if (!stmt->jumble_args)
		return stmt;
#endif
	if (is_time_zone)
	{
		RULE(list_length(stmt->args) == 1, "SET TIME ZONE with other values");
		value = list_nth(stmt->args, 0);
		if (IsA(value, TypeCast))
			RULE(rule_is_system_type(((TypeCast *) value)->typeName->names, "interval"),
				 "SET TIME ZONE with such a type");
	}
#if PG_VERSION_NUM >= 180000
	else if (strcmp(stmt->name, "xmloption") == 0)
	{
		value = list_length(stmt->args) == 1 ? list_nth(stmt->args, 0) : NULL;
		RULE(rule_is_const(value, T_String) &&
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

/* DROP USER is alone; ADD USER can be one of several options. */
static inline AlterRoleStmt *
rule_alter_role(AlterRoleStmt *stmt)
{
	if (stmt->action == -1)
	{
		RULE(list_length(stmt->options) == 1, "DROP USER with other options");
		RULE_EACH(DefElem, option, stmt->options, strcmp(option->defname, "rolemembers") == 0,
				  "DROP USER with another option");
	}
	return stmt;
}
#define deparseAlterRoleStmt(state, stmt) \
	deparseAlterRoleStmt(state, BY_RULE(state, rule_alter_role, stmt))

/* ALL is alone. */
static inline GrantStmt *
rule_grant(GrantStmt *stmt)
{
	if (list_length(stmt->privileges) > 1)
		RULE_EACH(AccessPriv, privilege, stmt->privileges, privilege->priv_name != NULL,
				  "ALL with other privileges");
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

#endif							/* RULES_OBJECTS_H */
