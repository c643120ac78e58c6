//! Texts of our own for types and fields that PostgreSQL's headers say nothing about.

use std::error::Error;

use super::schema::Schema;

/// What `OURS` calls the enum of a oneof.
pub(crate) const ANY: &str = "of any type";

/// The text for a field that the headers have no comment on, by its name alone.
const BY_NAME: [(&str, &str); 2] = [
    ("location", "Token location, or -1 if unknown."),
    ("tablespacename", "The name of the tablespace."),
];

/// Types, and their fields, that the headers say nothing about, or that are libpg_query's, or else in C.
const OURS: &[(&str, &str, &str)] = &[
    ("A_Const", "of any type", "The value of a constant, by its type."),
    ("A_Const", "val", "The value; none where `isnull` is true."),
    ("A_Expr", "kind", "The kind of expression, which says how to read `name` and the operands."),
    (
        "AlterCollationStmt",
        "collname",
        "The name of the collation, with its schema if that was given.",
    ),
    ("AlterDatabaseRefreshCollStmt", "dbname", "The name of the database."),
    ("AlterExtensionStmt", "extname", "The name of the extension."),
    (
        "AlterFunctionStmt",
        "objtype",
        "Whether it is a function, a procedure, or a routine of any kind.",
    ),
    ("AlterSeqStmt", "for_identity", "Whether the sequence belongs to an identity column."),
    ("AlterSeqStmt", "options", "The options to change, such as `INCREMENT BY` or `OWNED BY`."),
    ("AlterTableCmd", "newowner", "The new owner, for `OWNER TO`."),
    ("AlterTableMoveAllStmt", "orig_tablespacename", "The tablespace to move objects from."),
    ("AlterTableMoveAllStmt", "new_tablespacename", "The tablespace to move objects to."),
    ("AlterTableMoveAllStmt", "nowait", "Whether `NOWAIT` was written."),
    ("AlterTableSpaceOptionsStmt", "is_reset", "Whether it is `RESET`, not `SET`."),
    ("AlterTableSpaceOptionsStmt", "options", "The options to set or reset."),
    ("ATAlterConstraint", "noinherit", "Whether the constraint is `NO INHERIT`."),
    ("BitString", "bsval", "The digits, after `b` for a binary and `x` for a hexadecimal literal."),
    ("BoolExpr", "boolop", "The operator: `AND`, `OR` or `NOT`."),
    ("Boolean", "boolval", "The value."),
    (
        "CTECycleClause",
        "cycle_col_list",
        "The names of the columns that are compared to find a cycle.",
    ),
    ("CTECycleClause", "cycle_mark_column", "The name of the column that marks a cycle."),
    ("CTECycleClause", "cycle_mark_value", "The value of the mark column where a cycle is found."),
    ("CTECycleClause", "cycle_mark_default", "The value of the mark column everywhere else."),
    ("CTECycleClause", "cycle_path_column", "The name of the column that records the path."),
    (
        "CTECycleClause",
        "cycle_mark_typmod",
        "The type modifier of the mark column. Parse analysis sets it.",
    ),
    (
        "CTECycleClause",
        "cycle_mark_collation",
        "The collation of the mark column. Parse analysis sets it.",
    ),
    ("CTESearchClause", "search_col_list", "The names of the columns that rows are ordered by."),
    (
        "CTESearchClause",
        "search_breadth_first",
        "Whether it is `BREADTH FIRST`, not `DEPTH FIRST`.",
    ),
    (
        "CTESearchClause",
        "search_seq_column",
        "The name of the column that the result can be sorted by.",
    ),
    (
        "CallContext",
        "atomic",
        "Whether the call runs in an atomic context, which cannot commit or roll back.",
    ),
    ("CommonTableExpr", "search_clause", "The `SEARCH` clause, if there is one."),
    ("CommonTableExpr", "cycle_clause", "The `CYCLE` clause, if there is one."),
    ("Constraint", "contype", "The kind of constraint, which says what the other fields hold."),
    ("ConstraintsSetStmt", "deferred", "Whether it is `DEFERRED`, not `IMMEDIATE`."),
    ("CreateCastStmt", "sourcetype", "The type that is cast."),
    ("CreateCastStmt", "targettype", "The type that it is cast to."),
    (
        "CreateCastStmt",
        "func",
        "The function that casts; none for `WITHOUT FUNCTION` and `WITH INOUT`.",
    ),
    (
        "CreateCastStmt",
        "context",
        "Where the cast is applied: `AS IMPLICIT`, `AS ASSIGNMENT`, or only where written.",
    ),
    ("CreateCastStmt", "inout", "Whether it is `WITH INOUT`."),
    ("CreateExtensionStmt", "extname", "The name of the extension."),
    ("CreateForeignTableStmt", "base_stmt", "The table: its name, columns and constraints."),
    ("CreateForeignTableStmt", "servername", "The name of the foreign server."),
    ("CreateForeignTableStmt", "options", "The options after `OPTIONS`."),
    (
        "CreateFunctionStmt",
        "sql_body",
        "The body, if it is SQL and not a string: `RETURN`, or `BEGIN ATOMIC`.",
    ),
    ("CreateSeqStmt", "for_identity", "Whether the sequence belongs to an identity column."),
    ("CreateSeqStmt", "options", "The options, such as `START WITH` or `OWNED BY`."),
    ("CreateTableSpaceStmt", "owner", "The owner, if one was given."),
    ("CreateTableSpaceStmt", "location", "The directory of the tablespace."),
    ("CreateTableSpaceStmt", "options", "The options after `WITH`."),
    ("CreateTransformStmt", "replace", "Whether `OR REPLACE` was written."),
    ("CreateTransformStmt", "type_name", "The type that is transformed."),
    ("CreateTransformStmt", "lang", "The name of the procedural language."),
    ("CreateTransformStmt", "fromsql", "The function after `FROM SQL`, if there is one."),
    ("CreateTransformStmt", "tosql", "The function after `TO SQL`, if there is one."),
    ("DefElem", "defname", "The name of the option, in lower case if it was not quoted."),
    ("DiscardStmt", "target", "The kind of state to discard."),
    ("DropOwnedStmt", "roles", "The roles whose objects are dropped."),
    ("DropOwnedStmt", "behavior", "`CASCADE` or `RESTRICT`."),
    ("FetchStmt", "direction", "The direction to move the cursor in."),
    ("Float", "fval", "The digits of the number, as they were written."),
    ("GrantStmt", "grantor", "The role after `GRANTED BY`, if there is one."),
    ("GroupingSet", "kind", "The kind of grouping set."),
    ("GroupingSet", "content", "The expressions or grouping sets in it."),
    ("IntList", "", "A list of integers."),
    ("IntList", "items", "Integers, in order."),
    ("Integer", "ival", "The value."),
    ("JsonBehavior", "btype", "The kind of behavior."),
    ("JsonBehavior", "expr", "The expression after `DEFAULT`, if there is one."),
    ("JsonBehavior", "coerce", "Whether the expression has to be coerced. Parse analysis sets it."),
    ("JsonConstructorExpr", "args", "The arguments of the constructor."),
    ("JsonExpr", "op", "The function: `JSON_EXISTS`, `JSON_QUERY`, `JSON_VALUE` or `JSON_TABLE`."),
    ("JsonTablePath", "name", "The name of the path."),
    ("JsonTablePathSpec", "string", "The path, as a string constant."),
    ("JsonTablePathSpec", "name", "The name of the path, if one was given."),
    ("JsonTablePathSpec", "name_location", "Location of the name, or -1 if unknown."),
    ("JsonTableSiblingJoin", "lplan", "The plan on the left."),
    ("JsonTableSiblingJoin", "rplan", "The plan on the right."),
    ("KeywordKind", "", "What keywords may be used for."),
    ("List", "", "A list of nodes."),
    ("List", "items", "The items, in order. `NULL` is a [`Node`] without a node."),
    (
        "LockingClause",
        "strength",
        "The strength of the lock, from `FOR KEY SHARE` to `FOR UPDATE`.",
    ),
    ("NextValueExpr", "seqid", "The OID of the sequence."),
    ("NextValueExpr", "type_id", "The OID of the value's type."),
    ("Node", "", "Any node: an item of a list, or what a `Node *` of C points to."),
    ("Node", "of any type", "A node, by its type."),
    ("Node", "node", "The node; none for `NULL`, which only few lists have."),
    ("OidList", "", "A list of OIDs."),
    ("OidList", "items", "OIDs, in order."),
    ("ParseResult", "", "The tree of SQL text: its statements, in order."),
    ("ParseResult", "version", "The version of PostgreSQL, such as 180006 for 18.6."),
    ("ParseResult", "stmts", "The statements."),
    ("PartitionCmd", "concurrent", "Whether `CONCURRENTLY` was written."),
    ("PartitionRangeDatum", "kind", "Whether the bound is a value, `MINVALUE` or `MAXVALUE`."),
    ("PartitionSpec", "strategy", "The strategy: list, range or hash."),
    ("PublicationObjSpec", "name", "The name of the schema, for `TABLES IN SCHEMA`."),
    ("PublicationObjSpec", "pubtable", "The table, if it is one."),
    (
        "RangeTblEntry",
        "perminfoindex",
        "The index of its permissions, counted from 1; 0 if it has none.",
    ),
    ("RangeTblEntry", "rtekind", "The kind of entry, which says what the other fields hold."),
    ("RangeTblRef", "rtindex", "The index in the range table, counted from 1."),
    ("ReassignOwnedStmt", "roles", "The roles whose objects get another owner."),
    ("ReassignOwnedStmt", "newrole", "The new owner."),
    (
        "ReplicaIdentityStmt",
        "identity_type",
        "`n` for `NOTHING`, `f` for `FULL`, `d` for `DEFAULT`, `i` for an index.",
    ),
    ("ReplicaIdentityStmt", "name", "The name of the index, after `USING INDEX`."),
    ("ReturnStmt", "returnval", "The expression after `RETURN`."),
    (
        "RowMarkClause",
        "strength",
        "The strength of the lock, from `FOR KEY SHARE` to `FOR UPDATE`.",
    ),
    ("SQLValueFunction", "typmod", "The type modifier of the result, or -1."),
    ("ScanResult", "", "The tokens of SQL text. Here, [`ScanResult`](super::ScanResult) has them."),
    ("ScanResult", "version", "The version of PostgreSQL, such as 180006 for 18.6."),
    ("ScanResult", "tokens", "The tokens, in order."),
    ("ScanToken", "", "A token of SQL text."),
    ("ScanToken", "start", "The byte offset of its first character."),
    ("ScanToken", "end", "The byte offset after its last character."),
    ("ScanToken", "token", "The kind of token."),
    ("ScanToken", "keyword_kind", "The kind of keyword, if it is one."),
    ("String", "sval", "The string: a value without its quotes, or a name."),
    ("SubLink", "sub_link_type", "The kind of sublink, such as `EXISTS` or `ANY`."),
    ("SubPlan", "sub_link_type", "The kind of sublink that it was made of."),
    ("SummaryResult", "", "libpg_query's summary. Here, [`Summary`](crate::Summary) is."),
    ("SummaryResult", "tables", "The tables that statements name."),
    ("SummaryResult", "aliases", "The names of tables by their aliases."),
    ("SummaryResult", "cte_names", "The names that `WITH` defines."),
    ("SummaryResult", "functions", "The functions that statements call."),
    ("SummaryResult", "filter_columns", "The columns that conditions compare."),
    ("SummaryResult", "statement_types", "The types of the statements, as node names."),
    ("SummaryResult", "truncated_query", "The SQL, cut to a length."),
    ("TableLikeClause", "relation", "The table after `LIKE`."),
    ("Token", "", "The kinds of tokens of PostgreSQL's scanner."),
    ("TransactionStmt", "kind", "The kind of statement, such as `BEGIN` or `COMMIT`."),
    ("TriggerTransition", "name", "The name of the transition table."),
    ("TriggerTransition", "is_new", "Whether it is `NEW`, not `OLD`."),
    ("TriggerTransition", "is_table", "Whether it is `TABLE`, not `ROW`."),
    ("VariableSetStmt", "kind", "The kind of statement, such as `SET` or `RESET`."),
    ("VariableShowStmt", "name", "The name of the setting, or `all`."),
    ("XmlExpr", "typmod", "The type modifier of the result, or -1."),
    ("XmlSerialize", "expr", "The value to serialize."),
    ("XmlSerialize", "type_name", "The type of the result."),
];

/// Holds the table against the schema. Older versions lack some of what it is about, so that it is the newest ones that have
/// it all.
///
/// # Errors
///
/// A text is about what the version does not have.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    if schema.major < 18 {
        return Ok(());
    }
    let known = schema.known("OURS");
    for (name, of, _) in OURS {
        if of.is_empty() && schema.constants(name).next().is_some() {
            continue;
        }
        let message = known.message(name)?;
        let is_there = match *of {
            "" => true,
            ANY => !message.oneof_decl.is_empty(),
            of => {
                message.field.iter().any(|field| field.name() == of)
                    || message.oneof_decl.iter().any(|oneof| oneof.name() == of)
            }
        };
        if !is_there {
            return Err(known.missing(&format!("field {of} in {name}")));
        }
    }
    Ok(())
}

/// The text for a type, for one of its fields, or for its oneof (`of any type`).
pub(crate) fn ours(ty: &str, field: &str) -> Option<String> {
    let entry = OURS.iter().find(|(name, of, _)| *name == ty && *of == field);
    entry.map(|(_, _, text)| (*text).to_owned())
}

/// The text for a field without a comment, of whatever type.
pub(crate) fn by_name(field: &str) -> Option<String> {
    let entry = BY_NAME.iter().find(|(name, _)| *name == field);
    entry.map(|(_, text)| (*text).to_owned())
}
