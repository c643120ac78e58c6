//! Nodes that hold more than their place has, or that are put where others belong: the smallest tree of each kind.

use super::super::pg::{self, NodeEnum, NodeMut, ParseResult, make, protobuf};

/// Calls `change` with each node of the SQL, and returns the tree.
fn changed(sql: &str, change: &dyn Fn(NodeMut<'_>)) -> ParseResult {
    let mut tree = pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut nodes = tree.nodes_mut();
    while let Some(node) = nodes.next() {
        change(node);
    }
    drop(nodes);
    tree
}

/// What the printer says of changed statements.
#[track_caller]
fn refused(message: &str, change: &dyn Fn(NodeMut<'_>), statements: &[&str]) {
    for sql in statements {
        let printed = changed(sql, change).deparse();
        let message = format!("deparse: {message} has no SQL");
        assert_eq!(printed.map_err(|error| error.message().to_owned()), Err(message), "{sql}");
    }
}

/// The changed statements are printed, and so are not refused for where they are.
#[track_caller]
fn printed(change: &dyn Fn(NodeMut<'_>), statements: &[(&str, &str)]) {
    for (sql, expected) in statements {
        assert_eq!(changed(sql, change).deparse().as_deref(), Ok(*expected), "{sql}");
    }
}

fn alias(columns: &[&str]) -> protobuf::Alias {
    let colnames = columns.iter().map(|name| make::string(*name).into()).collect();
    protobuf::Alias { aliasname: "x".to_owned(), colnames }
}

#[test]
fn tables_that_take_no_alias() {
    let with_alias = |node: NodeMut<'_>| {
        if let NodeMut::RangeVar(table) = node {
            table.alias = Some(alias(&[]));
        }
    };
    let statements = [
        "TRUNCATE t",
        "LOCK t",
        "ALTER TABLE t ADD b int",
        "ALTER TABLE t RENAME TO u",
        "ALTER VIEW t SET SCHEMA s",
        "CREATE INDEX ON t (a)",
        "CREATE TABLE t (a int)",
        "CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f()",
        "CREATE VIEW t AS SELECT 1",
        "COPY t FROM STDIN",
        "VACUUM t",
        "REFRESH MATERIALIZED VIEW t",
        "SELECT 1 INTO t",
    ];
    refused("an alias of a table that takes none", &with_alias, &statements);
    printed(
        &with_alias,
        &[
            ("SELECT 1 FROM t", "SELECT 1 FROM t x"),
            ("INSERT INTO t DEFAULT VALUES", "INSERT INTO t AS x DEFAULT VALUES"),
            ("UPDATE t SET a = 1", "UPDATE t x SET a = 1"),
            ("DELETE FROM t", "DELETE FROM t x"),
        ],
    );
    let with_columns = |node: NodeMut<'_>| {
        if let NodeMut::RangeVar(table) = node {
            table.alias = Some(alias(&["a"]));
        }
    };
    let written = ["INSERT INTO t DEFAULT VALUES", "UPDATE t SET a = 1", "DELETE FROM t"];
    refused("an alias with columns of a table that is written to", &with_columns, &written);
}

#[test]
fn tables_that_take_no_only() {
    let only = |node: NodeMut<'_>| {
        if let NodeMut::RangeVar(table) = node {
            table.inh = false;
        }
    };
    let statements = [
        "INSERT INTO t DEFAULT VALUES",
        "CREATE TABLE t (a int)",
        "ALTER VIEW t RENAME TO u",
        "ALTER INDEX t RENAME TO u",
        "ALTER SEQUENCE t SET SCHEMA s",
        "COPY t FROM STDIN",
        "SELECT 1 INTO t",
    ];
    refused("ONLY before a table that takes none", &only, &statements);
    printed(
        &only,
        &[
            ("SELECT 1 FROM t", "SELECT 1 FROM ONLY t"),
            ("TRUNCATE t", "TRUNCATE ONLY t"),
            ("ALTER TABLE t RENAME TO u", "ALTER TABLE ONLY t RENAME TO u"),
            ("ALTER TABLE t RENAME a TO b", "ALTER TABLE ONLY t RENAME COLUMN a TO b"),
            ("CREATE INDEX ON t (a)", "CREATE INDEX ON ONLY t USING btree (a)"),
            ("ALTER TABLE t SET SCHEMA s", "ALTER TABLE ONLY t SET SCHEMA s"),
        ],
    );
    refused(
        "a RangeVar with catalogname, not schemaname,",
        &|node| {
            if let NodeMut::RangeVar(table) = node {
                table.catalogname = "d".to_owned();
            }
        },
        &["SELECT 1 FROM t", "TRUNCATE t", "UPDATE t SET a = 1"],
    );
}

#[test]
fn targets_and_calls() {
    let with_indirection = |node: NodeMut<'_>| {
        if let NodeMut::ResTarget(target) = node {
            target.indirection = vec![make::string("f").into()];
        }
    };
    refused(
        "a target with indirection",
        &with_indirection,
        &["SELECT a", "DELETE FROM t RETURNING a"],
    );
    let named = |node: NodeMut<'_>| {
        if let NodeMut::ResTarget(target) = node {
            target.name = "n".to_owned();
        }
    };
    refused("a star with a name", &named, &["SELECT *"]);
    let with_value = |node: NodeMut<'_>| {
        if let NodeMut::ResTarget(target) = node {
            target.val = Some(Box::new(make::int_const(1).into()));
        }
    };
    refused("a column of INSERT with val", &with_value, &["INSERT INTO t (a) VALUES (1)"]);
    let with_name = |node: NodeMut<'_>| {
        if let NodeMut::WindowDef(window) = node {
            window.name = "w".to_owned();
        }
    };
    refused(
        "OVER with a name and a definition",
        &with_name,
        &[
            "SELECT f() OVER (ORDER BY a)",
            "SELECT f() OVER (PARTITION BY a)",
            "SELECT f() OVER (v)",
        ],
    );
    let with_window = |node: NodeMut<'_>| {
        if let NodeMut::FuncCall(call) = node {
            call.over =
                Some(Box::new(protobuf::WindowDef { name: "w".to_owned(), ..Default::default() }));
        }
    };
    refused(
        "a function with OVER or FILTER in this place",
        &with_window,
        &["SELECT 1 FROM f()", "CALL f()", "SELECT 1 FROM ROWS FROM (f())"],
    );
    let query = |node: NodeMut<'_>| {
        if let NodeMut::AExpr(expr) = node {
            let query = pg::parse_expr("(SELECT 1)").expect("an expression");
            expr.rexpr = Some(Box::new(query));
        }
    };
    refused("an array that is a query", &query, &["SELECT a = ANY (b)", "SELECT a = ALL (b)"]);
}

#[test]
fn parts_of_queries() {
    refused(
        "limitCount without limitOption",
        &|node| {
            if let NodeMut::SelectStmt(select) = node {
                select.limit_count = Some(Box::new(make::int_const(1).into()));
            }
        },
        &["SELECT a FROM t"],
    );
    let two = |node: NodeMut<'_>| {
        if let NodeMut::SelectStmt(select) = node {
            select.target_list = vec![make::res_target(None, make::int_const(1)).into()];
        }
    };
    refused("a SelectStmt that is two queries", &two, &["VALUES (1)"]);
    refused(
        "SELECT INTO with more than a table",
        &|node| {
            if let NodeMut::IntoClause(into) = node {
                into.col_names = vec![make::string("a").into()];
            }
        },
        &["SELECT 1 INTO t"],
    );
    refused(
        "JoinExpr with such a join_using_alias",
        &|node| {
            if let NodeMut::JoinExpr(join) = node {
                join.join_using_alias = Some(alias(&["a"]));
            }
        },
        &["SELECT 1 FROM t JOIN u USING (a)"],
    );
    refused(
        "a RangeFunction with coldeflist and other names of columns",
        &|node| {
            if let NodeMut::RangeFunction(function) = node {
                function.alias = Some(alias(&["a"]));
            }
        },
        &["SELECT 1 FROM f() AS (a int)"],
    );
}

#[test]
fn types_and_columns() {
    let of_column = |node: NodeMut<'_>| {
        if let NodeMut::TypeName(name) = node {
            name.names = vec![make::string("t").into(), make::string("c").into()];
            name.pct_type = true;
        }
    };
    refused("a cast to %TYPE", &of_column, &["SELECT a::b"]);
    refused("a column of %TYPE", &of_column, &["CREATE TABLE t (a b)", "ALTER TABLE t ADD a b"]);
    let array = |node: NodeMut<'_>| {
        if let NodeMut::TypeName(name) = node {
            name.array_bounds = vec![NodeEnum::from(protobuf::Integer { ival: -2 }).into()];
        }
    };
    refused("a negative bound of an array", &array, &["SELECT a::b"]);
    refused(
        "a type where its name has to be",
        &array,
        &["CREATE TABLE t OF b", "ALTER TABLE t OF b"],
    );
    let checked = |node: NodeMut<'_>| {
        if let NodeMut::ColumnDef(column) = node {
            let check = pg::parse("CREATE TABLE t (a int NOT NULL)").expect("parses");
            let found = check.nodes().find_map(|node| node.as_constraint().cloned());
            column.constraints = vec![NodeEnum::from(found.expect("a constraint")).into()];
        }
    };
    refused(
        "a column of a function or a type with more than a type",
        &checked,
        &["CREATE TYPE t AS (a int)", "SELECT 1 FROM f() AS (a int)"],
    );
    refused("TYPE with constraints", &checked, &["ALTER TABLE t ALTER a TYPE int"]);
    refused("ColumnDef with raw_default", &checked, &["ALTER TYPE t ADD ATTRIBUTE a int"]);
}

#[test]
fn commands_and_arguments() {
    let unnamed = |node: NodeMut<'_>| {
        if let NodeMut::AlterTableCmd(cmd) = node {
            cmd.name.clear();
        }
    };
    let named = [
        "ALTER TABLE t DROP a",
        "ALTER TABLE t ALTER a DROP DEFAULT",
        "ALTER TABLE t CLUSTER ON i",
    ];
    refused("an AlterTableCmd without name", &unnamed, &named);
    let type_of = |node: NodeMut<'_>| {
        if let NodeMut::AlterTableStmt(stmt) = node {
            stmt.objtype = protobuf::ObjectType::ObjectType.into();
        }
    };
    refused("such a command of ALTER TYPE", &type_of, &["ALTER TABLE t SET LOGGED"]);
    let with_default = |node: NodeMut<'_>| {
        if let NodeMut::FunctionParameter(parameter) = node {
            parameter.defexpr = Some(Box::new(make::int_const(1).into()));
        }
    };
    refused(
        "a parameter with a default, of a function that there is,",
        &with_default,
        &[
            "DROP FUNCTION f(a int)",
            "ALTER FUNCTION f(a int) STRICT",
            "COMMENT ON FUNCTION f(a int) IS 'x'",
        ],
    );
    let renamed = |node: NodeMut<'_>| {
        if let NodeMut::DefElem(option) = node {
            option.defname = "x".to_owned();
        }
    };
    refused("such an option of DO", &renamed, &["DO 'BEGIN END'"]);
    let bound = |node: NodeMut<'_>| {
        if let NodeMut::PartitionCmd(cmd) = node {
            cmd.bound = Some(protobuf::PartitionBoundSpec {
                strategy: "l".to_owned(),
                is_default: true,
                ..Default::default()
            });
        }
    };
    refused("DETACH PARTITION with bound", &bound, &["ALTER TABLE t DETACH PARTITION p"]);
}

#[test]
fn nodes_without_a_type() {
    let nothing = || Some(Box::new(pg::Node::default()));
    let emptied = |node: NodeMut<'_>| match node {
        NodeMut::AIndices(indices) => indices.uidx = nothing(),
        NodeMut::PartitionElem(elem) => elem.expr = nothing(),
        NodeMut::CopyStmt(copy) => copy.query = nothing(),
        NodeMut::CommentStmt(comment) => comment.object = nothing(),
        NodeMut::StatsElem(elem) => elem.expr = nothing(),
        NodeMut::SelectStmt(select) => select.where_clause = nothing(),
        _ => (),
    };
    refused(
        "Node without a type",
        &emptied,
        &[
            "UPDATE t SET a[1] = b",
            "CREATE TABLE t (a int) PARTITION BY LIST (a)",
            "COPY t FROM STDIN",
            "COMMENT ON TABLE t IS 'x'",
            "CREATE STATISTICS s ON a, b FROM t",
            "SELECT a",
        ],
    );
}
