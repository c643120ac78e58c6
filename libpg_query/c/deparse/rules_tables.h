/*
 * The rules for tables, their columns and constraints, and ALTER TABLE; see
 * rules.h.
 */
#ifndef RULES_TABLES_H
#define RULES_TABLES_H

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

/* Each kind of constraint has fields of its own. */
static inline void
rule_kind_of_constraint(const Constraint *constraint)
{
	ConstrType	type = constraint->contype;
	bool		has_index = type == CONSTR_PRIMARY || type == CONSTR_UNIQUE || type == CONSTR_EXCLUSION;

	RULE(constraint->raw_expr == NULL || type == CONSTR_CHECK || type == CONSTR_DEFAULT ||
		 type == CONSTR_GENERATED, "a constraint with raw_expr");
	RULE(type == CONSTR_FOREIGN ||
		 (constraint->pktable == NULL && constraint->pk_attrs == NIL && constraint->fk_attrs == NIL &&
		  constraint->fk_del_set_cols == NIL), "a constraint with the fields of a foreign key");
	RULE(has_index || (constraint->indexname == NULL && constraint->indexspace == NULL &&
					   constraint->including == NIL),
		 "a constraint with the fields of an index");
	RULE(has_index || constraint->options == NIL || type == CONSTR_IDENTITY, "a constraint with options");
	RULE(type == CONSTR_EXCLUSION ||
		 (constraint->exclusions == NIL && constraint->where_clause == NULL),
		 "a constraint with exclusions");
}

static inline void
rule_constraint(Constraint *constraint)
{
	rule_kind_of_constraint(constraint);
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
		case CONSTR_CHECK:
		case CONSTR_EXCLUSION:
			break;
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
			rule_failed("such a constraint of a table", __LINE__);
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

/* A column has a collation of its own, and a type that is known. */
static inline ColumnDef *
rule_column(ColumnDef *column)
{
	RULE(column->collClause == NULL || column->collClause->arg == NULL, "COLLATE of a column with arg");
	RULE(column->typeName == NULL || !column->typeName->pct_type, "a column of %TYPE");
	return column;
}
#define deparseColumnDef(state, column) deparseColumnDef(state, BY_RULE(state, rule_column, column))

static inline CreateDomainStmt *
rule_create_domain(CreateDomainStmt *stmt)
{
	ListCell   *cell;

	RULE(stmt->collClause == NULL || stmt->collClause->arg == NULL, "COLLATE of a domain with arg");
	foreach(cell, stmt->constraints)
		rule_column_constraint(castNode(Constraint, lfirst(cell)));
	return stmt;
}
#define deparseCreateDomainStmt(state, stmt) \
	deparseCreateDomainStmt(state, BY_RULE(state, rule_create_domain, stmt))

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
			const ColumnDef *column = (const ColumnDef *) element;

			RULE(column->colname != NULL, "ColumnDef without colname");
			RULE((column->typeName != NULL) == has_types,
				 has_types ? "ColumnDef without typeName" : "ColumnDef with typeName");
			RULE(column->raw_default == NULL, "ColumnDef with raw_default");
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

/* Do the commands with this name say which column, constraint, trigger or rule they are about? */
static inline bool
rule_takes_name(AlterTableType subtype)
{
	switch (subtype)
	{
		case AT_ColumnDefault:
		case AT_DropNotNull:
		case AT_SetNotNull:
		case AT_DropExpression:
		case AT_SetOptions:
		case AT_ResetOptions:
		case AT_SetStorage:
		case AT_SetCompression:
		case AT_DropColumn:
		case AT_ValidateConstraint:
		case AT_DropConstraint:
		case AT_AlterColumnType:
		case AT_AlterColumnGenericOptions:
		case AT_ClusterOn:
		case AT_SetTableSpace:
		case AT_EnableTrig:
		case AT_EnableAlwaysTrig:
		case AT_EnableReplicaTrig:
		case AT_DisableTrig:
		case AT_EnableRule:
		case AT_EnableAlwaysRule:
		case AT_EnableReplicaRule:
		case AT_DisableRule:
		case AT_AddIdentity:
		case AT_SetIdentity:
		case AT_DropIdentity:
#if PG_VERSION_NUM >= 170000
		case AT_SetExpression:
#endif
			return true;
		default:
			return false;
	}
}

/* Names, numbers, roles and CASCADE stand where the grammar has them. */
static inline void
rule_table_command(const AlterTableCmd *cmd, ObjectType type)
{
	bool		is_attribute = type == OBJECT_TYPE;
	bool		is_dropped = cmd->subtype == AT_DropColumn || cmd->subtype == AT_DropConstraint;

	if (cmd->subtype == AT_SetStatistics)
		RULE((cmd->name != NULL) != (cmd->num > 0), "SET STATISTICS without a column");
	else
	{
		RULE(cmd->num == 0, "an AlterTableCmd with num");
		RULE((cmd->name != NULL) == rule_takes_name(cmd->subtype) || cmd->subtype == AT_SetAccessMethod,
			 cmd->name == NULL ? "an AlterTableCmd without name" : "such an AlterTableCmd with name");
	}
	RULE(cmd->newowner == NULL || cmd->subtype == AT_ChangeOwner, "such an AlterTableCmd with newowner");
	RULE(cmd->behavior == DROP_RESTRICT || is_dropped || is_attribute, "such an AlterTableCmd with CASCADE");
	RULE(!cmd->missing_ok || is_dropped || (cmd->subtype == AT_AddColumn && !is_attribute) ||
		 cmd->subtype == AT_DropExpression || cmd->subtype == AT_DropIdentity,
		 "such an AlterTableCmd with IF EXISTS");
	RULE(!is_attribute || cmd->subtype == AT_AddColumn || cmd->subtype == AT_DropColumn ||
		 cmd->subtype == AT_AlterColumnType, "such a command of ALTER TYPE");
}

static inline AlterTableStmt *
rule_alter_table(AlterTableStmt *stmt)
{
	ListCell   *cell;

	RULE(stmt->cmds != NIL, "AlterTableStmt without cmds");
	foreach(cell, stmt->cmds)
	{
		const AlterTableCmd *cmd = castNode(AlterTableCmd, lfirst(cell));

		rule_table_command(cmd, stmt->objtype);
		switch (cmd->subtype)
		{
			case AT_AddColumn:
				{
					const ColumnDef *column = castNode(ColumnDef, cmd->def);

					RULE(column->colname != NULL && column->typeName != NULL,
						 "ColumnDef without typeName");
					RULE(stmt->objtype == OBJECT_TYPE ? rule_is_only_typed(column) :
						 column->raw_default == NULL, "ColumnDef with raw_default");
				}
				break;
			case AT_AlterColumnType:
				{
					ColumnDef	column = *castNode(ColumnDef, cmd->def);

					RULE(column.colname == NULL && column.typeName != NULL, "TYPE without typeName");
					if (stmt->objtype != OBJECT_TYPE)
						column.raw_default = NULL;
					RULE(rule_is_only_typed(&column), "TYPE with constraints");
				}
				break;
			case AT_AddIdentity:
				RULE(castNode(Constraint, cmd->def)->contype == CONSTR_IDENTITY,
					 "ADD of another constraint than GENERATED");
				break;
			case AT_AddConstraint:
				rule_table_constraint(castNode(Constraint, cmd->def));
				break;
			case AT_AttachPartition:
				RULE(list_length(stmt->cmds) == 1, "ATTACH PARTITION with another command");
				RULE((castNode(PartitionCmd, cmd->def)->bound != NULL) == (stmt->objtype != OBJECT_INDEX),
					 "ATTACH PARTITION with such a bound");
				RULE(!castNode(PartitionCmd, cmd->def)->concurrent, "ATTACH PARTITION with concurrent");
				break;
			case AT_DetachPartition:
			case AT_DetachPartitionFinalize:
				RULE(list_length(stmt->cmds) == 1, "DETACH PARTITION with another command");
				RULE(castNode(PartitionCmd, cmd->def)->bound == NULL, "DETACH PARTITION with bound");
				RULE(cmd->subtype == AT_DetachPartition || !castNode(PartitionCmd, cmd->def)->concurrent,
					 "FINALIZE with concurrent");
				break;
			default:
				break;
		}
	}
	return stmt;
}
#define deparseAlterTableStmt(state, stmt) \
	deparseAlterTableStmt(state, BY_RULE(state, rule_alter_table, stmt))

#endif							/* RULES_TABLES_H */
