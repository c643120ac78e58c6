//! The layout of scripts, and what stays as it is.

use pg_ast::Version;
use pg_ast_fmt::{Formatted, Options};

fn format(script: &str) -> Formatted {
    pg_ast_fmt::format(Version::newest(), script, &Options::default())
}

/// Nothing is kept unless the test expects it, and formatting again changes nothing.
#[track_caller]
fn becomes(script: &str, expected: &str) -> Formatted {
    let formatted = format(script);
    assert_eq!(formatted.text, expected, "{script:?}");
    assert_eq!(formatted.refused, None, "{script:?}");
    assert_eq!(format(expected).text, expected, "{script:?} a second time");
    formatted
}

#[track_caller]
fn stays(script: &str) {
    becomes(script, script);
}

#[test]
fn a_semicolon_is_never_in_a_comment() {
    becomes(
        "delete from t where a = 1 -- x\n;\nupdate t set a = 2;",
        "DELETE FROM t WHERE a = 1 -- x\n;\nUPDATE t SET a = 2;\n",
    );
    becomes("select setval('s', 1) /* x */; commit;", "SELECT setval('s', 1) /* x */;\nCOMMIT;\n");
    let script = "create table t (id int -- k\n); select 1;";
    let formatted = format(script);
    assert_eq!(pg_ast::parse_script(&formatted.text).len(), 2, "{}", formatted.text);
    assert_eq!(formatted.text.matches("-- k").count(), 1, "{}", formatted.text);
    becomes("select 1 -- x", "SELECT 1 -- x\n");
    becomes("select 1 /* x */", "SELECT 1 /* x */\n");
    becomes(";;select 1;;", ";;\nSELECT 1;;\n");
}

#[test]
fn empty_lines_and_comments_stay_in_place() {
    becomes(
        "\n\nselect 1;\n\n\nselect 2;\n-- a\n\n-- b\nselect 3; -- c\n/* d */ select 4;\n\n\n",
        "SELECT 1;\n\n\nSELECT 2;\n-- a\n\n-- b\nSELECT 3; -- c\n/* d */ SELECT 4;\n",
    );
    becomes("select 1;    -- a   \n  -- b\t \nselect 2;", "SELECT 1;    -- a\n  -- b\nSELECT 2;\n");
    becomes("  /* a\n     b */\n  select 1;", "  /* a\n     b */\nSELECT 1;\n");
    becomes("select 1; /* a */ select 2;", "SELECT 1; /* a */\nSELECT 2;\n");
    becomes("-- a  \r-- b\r\rselect 1;", "-- a\n-- b\nSELECT 1;\n");
    becomes("/* only */", "/* only */\n");
    becomes(" \n ", "");
}

#[test]
fn line_breaks_are_those_of_the_file() {
    becomes(
        "-- a \r\nselect a,b\r\nfrom t;\r\n\r\nselect 'x\r\ny';\r\n",
        "-- a\r\nSELECT a, b FROM t;\r\n\r\nSELECT 'x\r\ny';\r\n",
    );
    // In a constant, a line break is part of it.
    becomes("select 'x\ny', a\r\nfrom t;\r\n", "SELECT 'x\ny', a FROM t;\r\n");
    becomes("select 'x\r\ny'\nfrom t;\n", "SELECT 'x\r\ny' FROM t;\n");
    becomes("\u{feff}select 1;\r\n", "\u{feff}SELECT 1;\r\n");
}

/// Escapes do not become characters that nobody sees, and a name is cut by PostgreSQL alone.
#[test]
fn what_cannot_be_seen_stays() {
    let name = format!("select  {};", "x".repeat(90));
    for sql in [
        r"select  E'a\rb';",
        r"select  U&'\202e';",
        &name,
        "select  'a\u{202e}';",
        "select  0xFF, 1_0;",
    ] {
        becomes(sql, &sql.replace("select  ", "SELECT ").replace(';', ";\n"));
    }
}

#[test]
fn text_for_psql_stays() {
    becomes(
        "\\set x 1\nselect  1 \\gset\n\\echo  :x\n",
        "\\set x 1\nSELECT 1 \\gset\n\\echo  :x\n",
    );
    becomes(
        "\\if :a\n  select  1;\n\\else\n  select 2\\g\n\\endif\n",
        "\\if :a\n  SELECT 1;\n\\else\n  SELECT 2\\g\n\\endif\n",
    );
    becomes("select 1\\; select 2;\n", "SELECT 1\\; SELECT 2;\n");
    // With a blank it is no variable.
    becomes("select a[1 : x];", "SELECT a[1 : x];\n");
    stays("\\copy t from stdin\nselect  1;\n");
    becomes(
        "\\copy t from stdin\n1;\n\\.\nselect  1;",
        "\\copy t from stdin\n1;\n\\.\nSELECT 1;\n",
    );
}

#[test]
fn data_of_a_copy_stays() {
    becomes(
        "copy  t from stdin;\n1\t \n\n;'\n\\.\nselect  1;",
        "COPY t FROM STDIN;\n1\t \n\n;'\n\\.\nSELECT 1;\n",
    );
    // It begins on the line after the COPY.
    becomes(
        "copy t from stdin; select  1;\n2\n\\.\nselect 3;",
        "COPY t FROM STDIN; select  1;\n2\n\\.\nSELECT 3;\n",
    );
    stays("COPY t FROM STDIN; select\n2\n\\.\n  3;\n");
    becomes(
        "copy t from stdin; -- c\n--\n\\.\nselect  1;",
        "COPY t FROM STDIN; -- c\n--\n\\.\nSELECT 1;\n",
    );
    // And up to the end of the file, if nothing ends it before.
    becomes(
        "select  1;\ncopy t from stdin;\nselect  1;\n\n",
        "SELECT 1;\nCOPY t FROM STDIN;\nselect  1;\n\n",
    );
    becomes(
        "select  1;\ncopy t from stdin; -- c\n;\n\n-- d  \n",
        "SELECT 1;\nCOPY t FROM STDIN; -- c\n;\n\n-- d  \n",
    );
    stays("COPY t FROM STDIN; select  1;\n\n-- d  \n;\n");
    stays("\\copy t from stdin\n\n-- d  \n;\n");
    // A wrong one has data if they end.
    let formatted = becomes(
        "select  1;\ncopy  t frm stdin;\n1  ;\n\n-- d  \n\\.\nselect  2;",
        "SELECT 1;\ncopy  t frm stdin;\n1  ;\n\n-- d  \n\\.\nSELECT 2;\n",
    );
    assert_eq!(formatted.errors.len(), 1);
    becomes(
        "copy  :t from stdin; select  1;\n2  ;\n\\.\n",
        "COPY :t FROM STDIN; select  1;\n2  ;\n\\.\n",
    );
    becomes("copy  t frm stdin;\nselect  1;", "copy  t frm stdin;\nSELECT 1;\n");
    // Others have none.
    becomes("copy t to stdout;select 1", "COPY t TO STDOUT;\nSELECT 1;\n");
    becomes("copy t from 'f' ;\n\nselect 1;", "COPY t FROM 'f';\n\nSELECT 1;\n");
    assert!(format("COPY v TO stdout\n\nselect  1;\n").text.ends_with("\n\nSELECT 1;\n"));
}

#[test]
fn strings_with_backslashes_keep_their_values() {
    let script = "SET standard_conforming_strings = off;\nSELECT 'a\\\\b';\n";
    let formatted = format(script);
    let value = |text: &str| {
        let tree = pg_ast::parse_script(text).pop().unwrap().result.unwrap();
        format!("{:?}", tree.protobuf.stmts).contains("\"a\\\\b\"")
    };
    assert!(value(script) && value(&formatted.text), "{}", formatted.text);
}

#[test]
fn wrong_statements_stay_with_what_is_around_them() {
    let formatted = becomes(
        "select 1;select 2; selec  3 ;  -- a \n  select 4;  select 5;",
        "SELECT 1;\nSELECT 2; selec  3 ;  -- a \n  SELECT 4;\nSELECT 5;\n",
    );
    assert_eq!(formatted.errors.len(), 1);
    becomes("select 1;create table t (a int,", "SELECT 1;create table t (a int,\n");
    // The line break would be in the quote.
    for script in ["select 'a\n ", "select \"a", "select $$a;\n", "/* a", "select 1; /* a", "\0"] {
        let formatted = format(script);
        assert!(
            formatted.text.ends_with(script.trim_start_matches("select 1")),
            "{script:?} {formatted:?}"
        );
    }
}

#[test]
fn nested_comments_strings_and_bodies() {
    becomes("/* a /* b */ c */ select 1;", "/* a /* b */ c */ SELECT 1;\n");
    becomes(
        "select E'a\\'b', U&'\\0041', $a$ ; -- $a$;",
        "SELECT E'a\\'b', U&'\\0041', $a$ ; -- $a$;\n",
    );
    let body = "create function f() returns int begin atomic select 1; select case when true then 2 end; end;";
    let formatted = format(&format!("{body} select  3;"));
    assert_eq!(pg_ast::parse_script(&formatted.text).len(), 2, "{}", formatted.text);
    assert!(formatted.text.ends_with(";\nSELECT 3;\n"), "{}", formatted.text);
}

#[test]
fn comments_switch_it_off() {
    becomes(
        "select  1;\n-- fmt: off\nselect  2;\nselect  3;\n-- fmt: on\nselect  4;\n",
        "SELECT 1;\n-- fmt: off\nselect  2;\nselect  3;\n-- fmt: on\nSELECT 4;\n",
    );
    becomes(
        "select  1; -- fmt: skip\nselect  2;\n/* fmt: skip */\nselect  3;\nselect  4;\n",
        "select  1; -- fmt: skip\nSELECT 2;\n/* fmt: skip */\nselect  3;\nSELECT 4;\n",
    );
    stays("select  1, -- fmt: skip\n 2;\n");
    // Other comments do not.
    becomes("-- fmt: offline\nselect  'fmt: off';\n", "-- fmt: offline\nSELECT 'fmt: off';\n");
}

#[test]
fn variables_of_psql_are_tokens() {
    let formatted = becomes(
        "select :x,:'y' from :\"z\" where a=:b; -- c\nalter role :\"owner\" set search_path=:path;\n",
        "SELECT :x, :'y' FROM :\"z\" WHERE a = :b; -- c\nALTER ROLE :\"owner\" SET search_path = :path;\n",
    );
    assert!(formatted.errors.is_empty() && formatted.kept.is_empty(), "{formatted:?}");
    // They do not hide mistakes.
    let formatted = becomes("select  :x from from;\n", "select  :x from from;\n");
    assert_eq!(formatted.errors.len(), 1);
    becomes("select a[1:b], a[1: b];", "SELECT a[1:b], a[1: b];\n");
}

/// The message about a statement without its semicolon names the keyword of the next one, in the case that this one has.
#[test]
fn a_statement_is_laid_out_behind_a_wrong_one() {
    becomes(
        "select set_config('a', 'b')\ngo\n\ncreate table t(a money, b int);\nselect  1;",
        "select set_config('a', 'b')\ngo\n\nCREATE TABLE t (\n  a money,\n  b int\n);\nSELECT 1;\n",
    );
    let formatted = format("select a b c\nselect  1;\nselect  2;");
    assert_eq!((formatted.kept, formatted.refused), (vec![], None));
    assert!(formatted.text.ends_with("SELECT 2;\n"), "{}", formatted.text);
}

/// What stands together for no other reason than that it did stays together, in lines that are too short as well: a line
/// that begins there would be a blank in the next run.
#[test]
fn no_line_begins_where_no_blank_was() {
    let deep = format!("select {}1{};", "f(".repeat(300), ",a)".repeat(300));
    for sql in ["select choose(@v,2,3);", "select - v,~v,- 1,a[b:c],a[1 :2];", &deep] {
        for width in 1..40 {
            let format = |sql: &str| {
                pg_ast_fmt::format(Version::newest(), sql, &Options::default().width(width))
            };
            let text = format(sql).text;
            assert_eq!(format(&text).text, text, "{sql} in {width} columns");
            for torn in ["@\n", "-\n", "~\n", "b\n", "b:\n"] {
                assert!(!text.contains(torn), "{text} in {width} columns");
            }
        }
    }
}

/// What is before the first statement of a range and behind its last one stays, also at the ends of a script.
#[test]
fn nothing_changes_outside_of_a_range() {
    let script = "\n -- a\n\nselect  1; -- b\n;\nselect  2 ;\n\n\n-- c \n\n";
    let format = |range| {
        pg_ast_fmt::format_range(Version::newest(), script, range, &Options::default()).text
    };
    let [first, second] = ["select  1", "select  2"].map(|stmt| script.find(stmt).unwrap());
    assert_eq!(format(first..first + 3), script.replace("select  1", "SELECT 1"));
    assert_eq!(format(second + 1..second + 2), script.replace("select  2", "SELECT 2"));
    let both = script.replace("select  1", "SELECT 1").replace("select  2", "SELECT 2");
    assert_eq!(format(first..second), both);
    assert_eq!(
        format(second..script.len()),
        script.replace("select  2 ;\n\n\n-- c \n\n", "SELECT 2;\n\n\n-- c\n")
    );
    assert_eq!(format(0..script.len()), " -- a\n\nSELECT 1; -- b\n;\nSELECT 2;\n\n\n-- c\n");
    let unfinished = "select  1;\nselect  2";
    let range =
        pg_ast_fmt::format_range(Version::newest(), unfinished, 12..13, &Options::default());
    assert_eq!(range.text, "select  1;\nSELECT 2");
}

/// The type of a cast is on the line of its `AS`, an alias without one on the line of what it names.
#[test]
fn types_and_aliases_stay_with_what_they_belong_to() {
    let script = "select cast(a_function_with_a_long_name(a_long_argument, another_argument) as character varying(100)), case when a_condition_is_true then 'a long constant' else 'another one' end alias from f(1) as (a int);";
    let expected = "SELECT
  CAST(
    a_function_with_a_long_name(a_long_argument, another_argument)
      AS character varying(100)
  ),
  CASE
    WHEN a_condition_is_true THEN 'a long constant'
    ELSE 'another one'
  END alias
FROM f(1) AS (a int);
";
    let options = Options::default().width(75);
    let formatted = pg_ast_fmt::format(Version::newest(), script, &options);
    assert_eq!(formatted.text, expected);
}
