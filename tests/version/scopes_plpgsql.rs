//! What names mean in bodies of functions in PL/pgSQL.

use pg_ast_names::{Catalog, NoCatalog};

use super::NAME;
use super::pg;
use super::pg_names::resolve_body;
use super::scopes::{catalog, meaning};

/// Returns what the names in a function mean, and its mistakes.
fn meanings(sql: &str, catalog: &dyn Catalog) -> Vec<String> {
    let parsed = pg::plpgsql::parse(sql).unwrap_or_else(|error| panic!("{NAME}: {sql}: {error}"));
    let function = parsed.functions[0].function.as_ref().expect("a function");
    let found = resolve_body(function, catalog);
    let all = found.iter().flat_map(|body| {
        let names = &body.names;
        let columns = names.columns.iter().map(|it| {
            let declared = body.variable(it).and_then(|dno| function.datum(dno)?.range());
            let place = declared.map_or(String::new(), |range| format!(" {:?}", &sql[range]));
            format!("{}={}{place}", it.names.join("."), meaning(names, &it.meaning))
        });
        let mistakes = names.mistakes.iter().map(|mistake| {
            let place = mistake.range(sql).map_or("?", |range| &sql[range]);
            format!("!{mistake} at {place}")
        });
        columns.chain(mistakes).collect::<Vec<_>>()
    });
    all.collect()
}

fn function(body: &str) -> Vec<String> {
    let sql =
        format!("CREATE FUNCTION k(n int, b text) RETURNS int LANGUAGE plpgsql AS $$ {body} $$");
    meanings(&sql, &catalog())
}

/// With the default of `#variable_conflict`, PostgreSQL refuses what can be both.
#[test]
fn a_column_that_is_also_a_variable_is_a_mistake() {
    assert_eq!(
        function("BEGIN RETURN (SELECT a FROM t WHERE b = n AND t.c = k.b); END"),
        [
            "a=public.t.a",
            "b=public.t.b",
            "n=variable n \"n int\"",
            "t.c=public.t.c",
            "k.b=variable b \"b text\"",
            "!column reference \"b\" is ambiguous at b",
        ],
    );
    // A row is one as well.
    assert_eq!(
        function("DECLARE t record; BEGIN PERFORM t.zz, t.a, t, t.* FROM t; END"),
        [
            "t.zz=variable t \"t record;\"",
            "t.a=public.t.a",
            "t=row of public.t",
            "t.*=[public.t.a public.t.b public.t.c]",
            "!column reference \"t.a\" is ambiguous at t",
            "!column reference \"t\" is ambiguous at t",
            "!column reference \"t.*\" is ambiguous at t",
        ],
    );
    // The columns that an INSERT writes are no expressions; those of a conflict are.
    assert_eq!(
        function(
            "BEGIN INSERT INTO t (a, b) VALUES (n, 1) ON CONFLICT (b) DO UPDATE SET b = excluded.b; END"
        ),
        [
            "b=public.t.b",
            "a=public.t.a",
            "b=public.t.b",
            "n=variable n \"n int\"",
            "b=public.t.b",
            "excluded.b=excluded of public.t.b",
            "!column reference \"b\" is ambiguous at ?",
        ],
    );
    // Names of output columns come first.
    assert_eq!(
        function("BEGIN PERFORM a AS n FROM t ORDER BY n; END"),
        ["a=public.t.a", "n=output 0"],
    );
}

#[test]
fn variable_conflict_decides() {
    let body = "BEGIN RETURN (SELECT b FROM t WHERE c = b AND t.a = zz); END";
    assert_eq!(
        function(&format!("#variable_conflict use_variable\n{body}")),
        [
            "b=variable b \"b text\"",
            "c=public.t.c",
            "b=variable b \"b text\"",
            "t.a=public.t.a",
            "zz=?",
            "!column \"zz\" does not exist at zz",
        ],
    );
    assert_eq!(
        function(&format!("#variable_conflict use_column\n{body}")),
        [
            "b=public.t.b",
            "c=public.t.c",
            "b=public.t.b",
            "t.a=public.t.a",
            "zz=?",
            "!column \"zz\" does not exist at zz",
        ],
    );
}

#[test]
fn variables_are_those_of_the_blocks_around() {
    assert_eq!(
        function(
            "<<one>> DECLARE x int := 1; BEGIN
                <<two>> DECLARE x text := x; y int; BEGIN PERFORM x, one.x, two.x, y; END;
                PERFORM x, y, two.x;
                FOR i IN 1..x LOOP PERFORM i, x; END LOOP;
                PERFORM i;
            END"
        ),
        [
            "x=variable x \"x int := 1;\"",
            "x=variable x \"x text := x;\"",
            "one.x=variable x \"x int := 1;\"",
            "two.x=variable x \"x text := x;\"",
            "y=variable y \"y int;\"",
            "x=variable x \"x int := 1;\"",
            "y=?",
            "two.x=?",
            "!column \"y\" does not exist at y",
            "!missing FROM-clause entry for table \"two\" at two",
            "x=variable x \"x int := 1;\"",
            "i=variable i \"i\"",
            "x=variable x \"x int := 1;\"",
            "i=?",
            "!column \"i\" does not exist at i",
        ],
    );
}

#[test]
fn records_of_loops_and_cursors() {
    assert_eq!(
        function(
            "DECLARE r record; q CURSOR (low int) FOR SELECT a FROM t WHERE a > low; BEGIN
                FOR r IN SELECT d FROM u LOOP PERFORM r.d, r.*, r; END LOOP;
                FOR s IN q (n) LOOP PERFORM s.a, low; END LOOP;
                PERFORM s.a;
            EXCEPTION WHEN others THEN PERFORM sqlerrm;
            END"
        ),
        [
            "a=public.t.a",
            "a=public.t.a",
            "low=variable low \"low int\"",
            "d=public.u.d",
            "r.d=variable r \"r record;\"",
            "r.*=variable r \"r record;\"",
            "r=variable r \"r record;\"",
            "n=variable n \"n int\"",
            "s.a=variable s",
            "low=?",
            "!column \"low\" does not exist at low",
            "s.a=?",
            "!missing FROM-clause entry for table \"s\" at s",
            "sqlerrm=variable sqlerrm",
        ],
    );
}

/// If it were also one of the table, the function would not work.
#[test]
fn a_variable_is_no_column_of_an_unknown_table() {
    let sql = "CREATE FUNCTION k(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        RETURN (SELECT other FROM o.unknown WHERE id = n AND unknown.n = 1); END $$";
    assert_eq!(
        meanings(sql, &NoCatalog),
        [
            "other=o.unknown.other",
            "id=o.unknown.id",
            "n=variable n \"n int\"",
            "unknown.n=o.unknown.n",
        ],
    );
}

#[test]
fn bodies_in_plpgsql() {
    let sql = "CREATE FUNCTION k(n int) RETURNS int LANGUAGE plpgsql AS $$
        <<outside>> DECLARE found_one t%ROWTYPE; a int;
        BEGIN
            SELECT * INTO found_one FROM t WHERE b = n AND t.c = k.n;
            a := found_one.a + outside.a + (SELECT d FROM u WHERE u.a = z);
            INSERT INTO u VALUES (a, n);
            RETURN (SELECT count(*) FROM uu);
        END $$";
    let parsed = pg::plpgsql::parse(sql).expect("parses");
    let function = parsed.functions[0].function.as_ref().expect("a function");
    let catalog = catalog();
    let found = resolve_body(function, &catalog);
    let all = found.iter().flat_map(|body| {
        let names = &body.names;
        let columns = names.columns.iter();
        let columns =
            columns.map(|it| format!("{}={}", it.names.join("."), meaning(names, &it.meaning)));
        let mistakes = names
            .mistakes
            .iter()
            .map(|mistake| format!("!{mistake} at {}", &sql[mistake.range(sql).expect("a place")]));
        columns.chain(mistakes).collect::<Vec<_>>()
    });
    let expected = [
        "*=[public.t.a public.t.b public.t.c]",
        "b=public.t.b",
        "n=variable n",
        "t.c=public.t.c",
        "k.n=variable n",
        "found_one.a=variable found_one",
        "outside.a=variable a",
        "d=public.u.d",
        "u.a=public.u.a",
        "z=?",
        "!column \"z\" does not exist at z",
        "a=variable a",
        "n=variable n",
        "!relation \"uu\" does not exist at uu",
    ];
    assert_eq!(all.collect::<Vec<_>>(), expected, "{NAME}");
}
