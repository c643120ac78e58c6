//! Walks over names: what statements name, in owned trees and in views.

use std::collections::{BTreeSet, HashSet};

use pg_ast::{NameKind, NameUse, ObjectName, ParserOptions};

use super::pg;
use super::pg::view;
use crate::common::corpus;

/// A name with its kind and its use.
type Met = (NameKind, String, NameUse);

fn met(name: &ObjectName<'_>, used: NameUse) -> Met {
    (name.kind(), name.to_string(), used)
}

fn names(sql: &str) -> Vec<Met> {
    let tree = view::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut names = Vec::new();
    tree.walk_names(|name, used| names.push(met(name, used)));
    names
}

/// `expected` has a kind, a name and a use for each name.
#[track_caller]
fn has(sql: &str, expected: &str) {
    let found: Vec<_> = names(sql)
        .into_iter()
        .map(|(kind, name, used)| format!("{kind:?} {name} {used:?}"))
        .collect();
    assert_eq!(found.join(", "), expected, "{sql}");
}

#[test]
fn names_of_queries() {
    has(
        "SELECT DISTINCT ON (a) b AS x, count(*) FILTER (WHERE c) OVER w FROM s.t AS y (d) JOIN u USING (e) \
         WHERE f = g.h GROUP BY i HAVING j > 1 WINDOW w AS (PARTITION BY k ORDER BY l) ORDER BY m",
        "Column a Group, Alias x Definition, Column b Read, Function count Call, Column c Filter, Window w Read, \
         Column e Using, Table s.t Read, Alias y Definition, Alias d Definition, Table u Read, \
         Operator = Call, Column f Filter, Column g.h Filter, Column i Group, Operator > Call, Column j Filter, \
         Window w Definition, Column k Window, Column l Window, Column m Order",
    );
    has(
        "WITH c (n) AS (SELECT a FROM b) SELECT c.*, (x).y::s.u FROM c LEFT JOIN d ON e WHERE f IN (SELECT g FROM h)",
        "Column c.* Read, Column y Read, Column x Read, Type s.u Read, Cte c Read, Table d Read, Column e Join, \
         Column f Filter, Column g Read, Table h Read, Cte c Definition, Alias n Definition, \
         Column a Read, Table b Read",
    );
}

#[test]
fn names_of_changes() {
    has(
        "INSERT INTO t (a, b) SELECT c FROM u ON CONFLICT (d) WHERE e DO UPDATE SET f = excluded.g WHERE h RETURNING i",
        "Table t InsertTarget, Column a InsertTarget, Column b InsertTarget, Column c Read, Table u Read, \
         Column d ConflictTarget, Column e Filter, Column f UpdateTarget, Column excluded.g Read, Column h Filter, \
         Column i Returning",
    );
    has(
        "INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING",
        "Table t InsertTarget, Constraint k ConflictTarget",
    );
    has(
        "UPDATE t SET a = b, (c, d) = (SELECT e FROM u) FROM v WHERE f RETURNING g AS h",
        "Table t UpdateTarget, Column a UpdateTarget, Column b Read, Column c UpdateTarget, Column e Read, \
         Table u Read, Column d UpdateTarget, Column f Filter, Table v Read, Alias h Definition, Column g Returning",
    );
    has(
        "DELETE FROM t USING u WHERE t.a = u.b",
        "Table t DeleteTarget, Table u Read, Operator = Call, Column t.a Filter, Column u.b Filter",
    );
    has(
        "MERGE INTO t USING u ON a = b WHEN MATCHED AND c THEN UPDATE SET d = e WHEN NOT MATCHED THEN INSERT (f) VALUES (g)",
        "Table t MergeTarget, Table u Read, Operator = Call, Column a Join, Column b Join, Column c Filter, \
         Column d MergeTarget, Column e Read, Column f MergeTarget, Column g Read",
    );
    has(
        "COPY t (a) FROM STDIN WITH (FORCE_NULL (b)) WHERE c",
        "Column a Copy, Table t Read, Column b Read, Column c Filter",
    );
}

#[test]
fn names_of_definitions() {
    has(
        "CREATE TABLE s.t (a int CONSTRAINT k PRIMARY KEY, b s.u COLLATE c CHECK (b > a), \
         FOREIGN KEY (a) REFERENCES v (d), EXCLUDE USING gist (e WITH =)) PARTITION BY RANGE (f) TABLESPACE g",
        "Tablespace g Read, Table s.t Definition, Column a Definition, Type pg_catalog.int4 Read, Constraint k Definition, \
         Column b Definition, Type s.u Read, Collation c Read, Operator > Call, Column b Constraint, \
         Column a Constraint, Column a Key, Column d Key, Table v Read, AccessMethod gist Read, Column e Index, \
         Column f Partition",
    );
    has(
        "CREATE UNIQUE INDEX i ON t USING btree (a, lower(b) COLLATE c d) INCLUDE (e) WHERE f",
        "Index i Definition, AccessMethod btree Read, Table t Read, Column a Index, Collation c Read, \
         OperatorClass d Read, Function lower Call, Column b Index, Column e Index, Column f Filter",
    );
    has(
        "CREATE TRIGGER g BEFORE UPDATE OF a ON t FOR EACH ROW WHEN (new.b) EXECUTE FUNCTION s.f()",
        "Trigger g Definition, Function s.f Read, Column a UpdateOf, Table t Read, Column new.b Filter",
    );
    has(
        "CREATE VIEW v (a) AS SELECT b FROM t",
        "Column a Definition, Table v Definition, Column b Read, Table t Read",
    );
    has(
        "CREATE POLICY p ON t TO r USING (a) WITH CHECK (b)",
        "Policy p Definition, Table t Read, Role r Read, Column a Filter, Column b Constraint",
    );
    has(
        "CREATE FUNCTION s.f(a int, b t.c%TYPE) RETURNS setof u LANGUAGE sql SUPPORT g",
        "Function s.f Definition, Parameter a Definition, Type pg_catalog.int4 Read, Parameter b Definition, \
         Column t.c Read, Type u Read, Language sql Read, Function g Read",
    );
    has(
        "CREATE FUNCTION f() RETURNS TABLE (a s.u) LANGUAGE sql",
        "Function f Definition, Parameter a Definition, Type s.u Read, Language sql Read",
    );
    has(
        "CREATE FUNCTION f() RETURNS TABLE (a s.u, b v) LANGUAGE sql",
        "Function f Definition, Parameter a Definition, Type s.u Read, Parameter b Definition, Type v Read, Language sql Read",
    );
    has("CREATE SEQUENCE s OWNED BY t.a", "Sequence s Definition, Column t.a Read");
    has("CREATE SEQUENCE s OWNED BY NONE", "Sequence s Definition");
    has("CREATE EXTENSION e SCHEMA s", "Extension e Definition, Schema s Read");
}

#[test]
fn names_of_alterations() {
    has(
        "ALTER TABLE t DROP COLUMN a, ALTER b TYPE int, DROP CONSTRAINT c, ENABLE TRIGGER d, OWNER TO r, SET TABLESPACE e",
        "Table t Alter, Column a Drop, Column b Alter, Type pg_catalog.int4 Read, Constraint c Drop, Trigger d Alter, \
         Role r Read, Tablespace e Alter",
    );
    has("ALTER TABLE t RENAME COLUMN a TO b", "Column a Alter, Column b Definition, Table t Alter");
    has("ALTER INDEX s.i RENAME TO j", "Index j Definition, Index s.i Alter");
    has("ALTER ROLE a RENAME TO b", "Role a Alter, Role b Definition");
    has(
        "ALTER FUNCTION s.f(int) SET SCHEMA u",
        "Schema u Read, Function s.f Alter, Type pg_catalog.int4 Read",
    );
    has(
        "ALTER DOMAIN d RENAME CONSTRAINT a TO b",
        "Type d Alter, Constraint a Alter, Constraint b Definition",
    );
    has("DROP TABLE s.t, u", "Table s.t Drop, Table u Drop");
    has("DROP TRIGGER a ON s.t", "Trigger a Drop, Table s.t Read");
    has("DROP POLICY a ON t", "Policy a Drop, Table t Read");
    has("COMMENT ON CONSTRAINT a ON d.s.t IS 'b'", "Constraint a Comment, Table d.s.t Read");
    has("DROP OPERATOR CLASS s.c USING gin", "OperatorClass s.c Drop");
    has("DROP SCHEMA s, t", "Schema s Drop, Schema t Drop");
    has("DROP FUNCTION s.f(u)", "Function s.f Drop, Type u Read");
    has("COMMENT ON COLUMN s.t.a IS 'b'", "Column a Comment, Table s.t Read");
    has("COMMENT ON CONSTRAINT a ON DOMAIN s.d IS 'b'", "Constraint a Comment, Type s.d Read");
    has("GRANT SELECT (a), UPDATE ON t TO r", "Table t Grant, Column a Grant, Role r Grant");
    has("GRANT USAGE ON ALL TABLES IN SCHEMA s TO r", "Schema s Grant, Role r Grant");
    has("GRANT a TO b", "Role a Grant, Role b Grant");
    has("ANALYZE t (a)", "Column a Read, Table t Read");
    has("SET search_path = a", "Setting search_path Read");
    has("SET TRANSACTION READ WRITE", "");
    has("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "");
    has("SHOW ALL", "");
    has("SHOW search_path", "Setting search_path Read");
    has("EXECUTE p(1)", "Prepared p Call");
}

#[test]
fn views_and_owned_trees_have_the_same_names() {
    let mut count = 0;
    let mut kinds = BTreeSet::new();
    let regression = corpus::statements().into_iter().step_by(10);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let (Ok(mut tree), Ok(view)) = (pg::parse(&sql), view::parse(&sql)) else { continue };
        let (mut of_view, mut of_tree, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        view.walk_names(|name, used| of_view.push((name.clone(), used)));
        tree.walk_names(|name, used| of_tree.push(met(name, used)));
        let viewed: Vec<_> = of_view.iter().map(|(name, used)| met(name, *used)).collect();
        assert_eq!(viewed, of_tree, "{sql}");
        view.walk_columns(|name, used| columns.push((name.clone(), used)));
        of_view.retain(|(name, _)| name.kind() == NameKind::Column);
        assert_eq!(columns, of_view, "{sql}");
        count += of_tree.len();
        kinds.extend(of_tree.iter().map(|(kind, ..)| *kind));

        let (mut in_place, mut edited) = (Vec::new(), view.clone());
        edited.edit(|mut stmts, _| {
            stmts.walk_names_mut(|name, used| in_place.push(met(name, used)));
        });
        assert_eq!(in_place, of_tree, "{sql}");
        assert_eq!(edited, view, "{sql}");

        let (before, mut again) = (tree.clone(), Vec::new());
        tree.walk_names_mut(|name, used| again.push(met(name, used)));
        assert_eq!(again, of_tree, "{sql}");
        assert!(tree == before, "{sql}");

        // What is changed is found again.
        tree.walk_names_mut(|name, _| name.set_name(format!("{}_x", name.name())));
        edited.edit(|mut stmts, _| {
            stmts.walk_names_mut(|name, _| name.set_name(format!("{}_x", name.name())));
        });
        assert_eq!(edited.to_owned_tree().expect("an owned tree"), tree, "{sql}");
        let mut changed = Vec::new();
        tree.walk_names(|name, used| changed.push(met(name, used)));
        let expected = of_tree.iter().zip(&changed).map(|((kind, name, used), (other, _, _))| {
            let is_star = name.ends_with('*') && *kind == NameKind::Column;
            let end = if is_star { "" } else { "_x" };
            // Only the definition of a WITH tells that a name is one.
            let kind = if *kind == NameKind::Cte { *other } else { *kind };
            (kind, format!("{name}{end}"), *used)
        });
        assert_eq!(changed, expected.collect::<Vec<_>>(), "{sql}");
    }
    assert!(count > 5_000 && kinds.len() > 30, "{count}, {kinds:?}");
}

/// The other calls that list names find the same.
#[test]
fn names_are_those_of_the_other_lists() {
    let regression = corpus::statements().into_iter().step_by(10);
    for sql in corpus::own_statements().into_iter().chain(regression) {
        let Ok(view) = view::parse(&sql) else { continue };
        let (mut tables, mut ctes, mut filters) = (Vec::new(), Vec::new(), BTreeSet::new());
        view.walk_names(|name, used| match name.kind() {
            NameKind::Table => tables.push(name.to_string()),
            NameKind::Cte => ctes.push(name.name().to_owned()),
            NameKind::Column if used == NameUse::Filter => {
                filters.insert(name.name().to_owned());
            }
            _ => {}
        });
        let mut expected = Vec::new();
        view.walk_tables(|table, _| {
            let parts = [table.catalogname(), table.schemaname(), table.relname()];
            let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            expected.push(parts.join("."));
        });
        // Those that are named by strings have no node.
        let mut rest = tables.iter();
        assert!(
            expected.iter().all(|table| rest.any(|other| other == table)),
            "{sql}: {tables:?}, {expected:?}"
        );
        let known = view.cte_names();
        assert!(ctes.iter().all(|cte| known.contains(cte)), "{sql}: {ctes:?}");
        for (_, column) in view.filter_columns() {
            assert!(filters.contains(&column), "{sql}: {column}");
        }
    }
}

/// Every name is one that the SQL has: no place of the SQL is that of two names, but for what the grammar puts for words, and the
/// query of `WITH` that it makes of a recursive view, which has the names of the view.
#[test]
fn each_name_is_in_the_sql_once() {
    let (mut count, mut twice) = (0, Vec::new());
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Ok(view) = view::parse_with_ranges(&sql, ParserOptions::default()) else { continue };
        let mut seen = HashSet::new();
        view.walk_names(|name, _| {
            if let Some(range) = view.name_range(name) {
                count += 1;
                let is_put = name.qualifier().eq(["pg_catalog"]) || sql.contains("RECURSIVE VIEW");
                if !seen.insert((range.start, range.end)) && !is_put {
                    twice.push(format!("{:?} {name}: {sql}", name.kind()));
                }
            }
        });
    }
    assert!(count > 50_000, "{count}");
    assert!(twice.is_empty(), "{}: {:#?}", twice.len(), &twice[..twice.len().min(40)]);
}

/// A table that `walk_tables_mut` renames is renamed by its name as well, in owned trees and in edits.
#[test]
fn tables_are_renamed_by_their_names() {
    let mut count = 0;
    let rename = |parts: &[&str]| format!("{}_x", parts.last().unwrap_or(&""));
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let Ok(view) = view::parse(&sql) else { continue };
        let tree = view.to_owned_tree().expect("an owned tree");
        let renames = view.nodes().any(|node| node.as_rename_stmt().is_some());
        let mut tables = BTreeSet::new();
        tree.walk_tables(|table, _| {
            tables
                .insert([&table.catalogname, &table.schemaname, &table.relname].map(Clone::clone));
        });
        for table in tables {
            let parts: Vec<_> = table.iter().map(|it| &**it).filter(|it| !it.is_empty()).collect();
            let (mut expected, mut expected_in_place) = (tree.clone(), view.clone());
            expected.walk_tables_mut(|it, _| {
                if [&it.catalogname, &it.schemaname, &it.relname] == table.each_ref() {
                    it.relname = rename(&parts);
                    it.schemaname = "s_x".into();
                }
            });
            expected_in_place.edit(|mut stmts, _| {
                stmts.walk_tables_mut(|it, _| {
                    let of = it.view();
                    if [of.catalogname(), of.schemaname(), of.relname()]
                        == table.each_ref().map(|it| &**it)
                    {
                        it.set_relname(&rename(&parts));
                        it.set_schemaname("s_x");
                    }
                });
            });
            let change = |name: &mut ObjectName<'_>, used| {
                let is_new = used == NameUse::Definition && renames;
                if name.kind() == NameKind::Table
                    && name.parts().eq(parts.iter().copied())
                    && !is_new
                {
                    let catalog = Some(&*table[0]).filter(|catalog| !catalog.is_empty());
                    name.set_qualifier(catalog.into_iter().chain(["s_x"]));
                    name.set_name(rename(&parts));
                }
            };
            let mut changed = tree.clone();
            changed.walk_names_mut(change);
            assert_eq!(changed.deparse(), expected.deparse(), "{parts:?}: {sql}");
            let mut edited = view.clone();
            edited.edit(|mut stmts, _| stmts.walk_names_mut(change));
            assert_eq!(edited.deparse(), expected_in_place.deparse(), "{parts:?}: {sql}");
            count += 1;
        }
    }
    assert!(count > 10_000, "{count}");
}

/// What is in a table is changed together with the table, whatever number of parts both get.
#[test]
fn what_is_in_a_table_is_changed_with_it() {
    let changed = |sql: &str, of_table: &[&str], of_other: &[&str]| {
        let mut tree = view::parse(sql).expect("parses");
        let mut owned = tree.to_owned_tree().expect("a tree");
        let change = |name: &mut ObjectName<'_>, _| {
            let is_table = name.kind() == NameKind::Table;
            let parts = if is_table { of_table } else { of_other };
            let (last, qualifier) = parts.split_last().expect("a name");
            name.set_qualifier(qualifier.iter().copied());
            name.set_name(*last);
        };
        tree.edit(|mut stmts, _| stmts.walk_names_mut(change));
        owned.walk_names_mut(change);
        assert_eq!(tree.deparse(), owned.deparse(), "{sql}");
        tree.deparse().expect("SQL")
    };
    assert_eq!(changed("DROP RULE a ON t", &["s", "u"], &["b"]), "DROP RULE b ON s.u");
    assert_eq!(changed("DROP TRIGGER a ON d.s.t", &["u"], &["b"]), "DROP TRIGGER b ON u");
    let comment = "COMMENT ON COLUMN s.t.a IS 'x'";
    assert_eq!(changed(comment, &["u"], &["b"]), "COMMENT ON COLUMN u.b IS 'x'");
    assert_eq!(changed(comment, &["d", "u", "v"], &["b"]), "COMMENT ON COLUMN d.u.v.b IS 'x'");
}

/// No column reference is left out.
#[test]
fn each_column_reference_is_a_column() {
    let mut count = 0;
    for sql in corpus::statements().into_iter().step_by(7) {
        let Ok(view) = view::parse(&sql) else { continue };
        let references = view.nodes().filter_map(view::Node::as_column_ref);
        let mut expected: Vec<_> =
            references.map(|column| column.names().collect::<Vec<_>>().join(".")).collect();
        count += expected.len();
        view.walk_columns(|column, _| {
            if let Some(at) = expected.iter().position(|name| *name == column.to_string()) {
                expected.remove(at);
            }
        });
        assert!(expected.is_empty(), "{sql}: {expected:?}");
    }
    assert!(count > 1_000);
}

#[test]
fn a_deep_tree_takes_no_stack() {
    let sql = format!("SELECT a FROM t WHERE {}b{}", "(".repeat(900), " + c)".repeat(900));
    let walked = std::thread::Builder::new().stack_size(256 * 1024).spawn(move || {
        let mut tree = pg::parse(&sql).expect("parses");
        let mut count = 0;
        tree.walk_columns_mut(|column, _| {
            count += 1;
            column.set_name("d");
        });
        tree.walk_names(|_, _| count += 1);
        count
    });
    assert_eq!(walked.expect("a thread").join().expect("no panic"), 902 + 902 + 900 + 1);
}
