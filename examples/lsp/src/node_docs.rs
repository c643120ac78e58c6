//! Descriptions of nodes, one line each.

/// Returns the description of a node type; `None` for types that are rarely under the cursor.
pub(crate) fn of(name: &str) -> Option<&'static str> {
    let place = DOCS.binary_search_by_key(&name, |(name, _)| name).ok()?;
    DOCS.get(place).map(|(_, docs)| *docs)
}

const DOCS: &[(&str, &str)] = &[
    ("A_ArrayExpr", "an array that is written by its elements"),
    ("A_Const", "a constant"),
    ("A_Expr", "an operator with its operands"),
    ("A_Indices", "a subscript, or a slice, of an array"),
    ("A_Indirection", "fields and subscripts of an expression"),
    ("A_Star", "all columns"),
    ("Alias", "another name for a table, and perhaps for its columns"),
    ("AlterTableCmd", "a part of ALTER TABLE"),
    ("AlterTableStmt", "changes a table"),
    ("BoolExpr", "AND, OR or NOT"),
    ("BooleanTest", "tests for TRUE, FALSE or UNKNOWN"),
    ("CaseExpr", "chooses a value by conditions"),
    ("CaseWhen", "a condition of CASE, and its result"),
    ("CoalesceExpr", "the first of its arguments that is not NULL"),
    ("CollateClause", "a collation for an expression"),
    ("ColumnDef", "a column of a table"),
    ("ColumnRef", "a column, by its name"),
    ("CommonTableExpr", "a query of WITH, and its name"),
    ("Constraint", "what the values of a column or a table have to fulfil"),
    ("CopyStmt", "moves data between a table and a file"),
    ("CreateExtensionStmt", "loads an extension into the database"),
    ("CreateFunctionStmt", "creates a function or a procedure"),
    ("CreateSchemaStmt", "creates a schema"),
    ("CreateStmt", "creates a table"),
    ("CreateTableAsStmt", "creates a table, or a materialized view, from the result of a query"),
    ("CreateTrigStmt", "creates a trigger"),
    ("DefElem", "an option and its value"),
    ("DeleteStmt", "deletes rows of a table"),
    ("DoStmt", "runs code of another language, once"),
    ("DropStmt", "drops objects"),
    ("ExplainStmt", "shows how a statement would be executed"),
    ("FuncCall", "a call of a function or an aggregate"),
    ("GrantStmt", "gives or takes rights"),
    ("IndexElem", "a column or an expression of an index"),
    ("IndexStmt", "creates an index"),
    ("InsertStmt", "adds rows to a table"),
    ("JoinExpr", "two tables, joined"),
    ("MergeStmt", "inserts, updates or deletes rows, by what another table has"),
    ("MinMaxExpr", "the greatest or the least of its arguments"),
    ("NullTest", "tests for NULL"),
    ("OnConflictClause", "what to do where a row is there already"),
    ("ParamRef", "a parameter"),
    ("PartitionSpec", "how a table is partitioned"),
    ("RangeFunction", "a function whose rows are read"),
    ("RangeSubselect", "a query that is read like a table"),
    ("RangeVar", "a table, a view or another relation, by its name"),
    ("RenameStmt", "renames an object"),
    ("ResTarget", "a column of a result, or one that is written"),
    ("RowExpr", "a row of values"),
    ("SQLValueFunction", "a function without parentheses, such as CURRENT_DATE"),
    ("SelectStmt", "a query: SELECT, VALUES, TABLE or a set operation"),
    ("SortBy", "an expression of ORDER BY, and its direction"),
    ("SubLink", "a subquery in an expression"),
    ("TransactionStmt", "begins or ends a transaction, or sets a savepoint"),
    ("TruncateStmt", "empties tables"),
    ("TypeCast", "converts a value to another type"),
    ("TypeName", "a type, by its name"),
    ("UpdateStmt", "changes rows of a table"),
    ("VacuumStmt", "cleans up or analyses tables"),
    ("VariableSetStmt", "sets a configuration parameter"),
    ("VariableShowStmt", "shows a configuration parameter"),
    ("ViewStmt", "creates a view"),
    ("WindowDef", "the window of a window function"),
    ("WithClause", "queries that have a name in this statement"),
];

#[cfg(test)]
mod tests {
    use super::{DOCS, of};

    #[test]
    fn docs_can_be_searched() {
        assert!(DOCS.is_sorted_by_key(|(name, _)| name));
        assert_eq!(of("RangeVar"), Some("a table, a view or another relation, by its name"));
        assert_eq!(of("Query"), None);
    }
}
