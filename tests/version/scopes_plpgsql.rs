//! What names mean in bodies of functions in PL/pgSQL.

use super::NAME;
use super::pg;
use super::scopes::{catalog, meaning};

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
    let found = function.resolve(&catalog);
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
        "k.n=variable k",
        "found_one.a=variable found_one",
        "outside.a=variable outside",
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
