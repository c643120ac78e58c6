//! What splits and checks scripts.

use snapbox::str;

use super::{folder, pgast};

/// Two wrong statements, each with a body.
const BODIES: &str = "create function :s.a() returns trigger as $$
begin
  return new;
end;
$$ language plpgsql;
create function b() returns :s.t as $$
select 1
$$ language sql;
";

#[test]
fn a_closed_dollar_quote_is_not_cut() {
    let here = folder(&[("a.sql", BODIES)]);
    pgast(here.path()).args(["split", "a.sql"]).assert().success().stdout_eq(BODIES);
    pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:1:17: error: syntax error at or near ":"
a.sql:6:29: error: syntax error at or near ":"

"#]],
    );
}

#[test]
fn errors_are_on_the_lines_of_their_statements() {
    let here =
        folder(&[("a.sql", "SELECT 1;\n\nCREATE PUBLICATION p FOR T*;\nSELECT E'\\xff';\n")]);
    pgast(here.path()).args(["check", "--output", "short", "a.sql"]).assert().code(1).stdout_eq(
        str![[r#"
a.sql:3:1: error: invalid publication object list
a.sql:4:1: error: invalid byte sequence for encoding "UTF8": 0xff

"#]],
    );
}

#[test]
fn statements_may_be_deep() {
    let chain = |count: usize| format!("SELECT 1{};\n", " UNION ALL SELECT 1".repeat(count));
    let here = folder(&[("a.sql", &chain(6_000)), ("b.sql", &chain(10_000))]);
    pgast(here.path()).args(["check", "a.sql"]).assert().success();
    pgast(here.path()).args(["check", "--output", "short", "b.sql"]).assert().code(1).stdout_eq(
        str![[r#"
b.sql:1:1: error: the statement is nested more than 6500 levels deep

"#]],
    );
    let more = ["--max-depth", "20000", "b.sql"];
    pgast(here.path()).arg("check").args(more).assert().success();
    pgast(here.path()).arg("split").args(more).assert().success().stdout_eq(chain(10_000));
    pgast(here.path()).arg("tables").args(more).assert().success().stdout_eq("");
}
