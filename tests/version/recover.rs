//! The effect of wrong statements in scripts.

use std::ops::Range;

use super::NAME;
use super::lossy::with_mistake;
use super::pg::{ScriptStmt, parse, parse_script, scan};
use crate::common::{corpus, on_thread};

/// Returns the statements of a script, wrong ones with a leading `!`.
fn texts(script: &str) -> Vec<String> {
    let text = |stmt: &ScriptStmt| {
        let mark = if stmt.result.is_err() { "!" } else { "" };
        format!("{mark}{}", stmt.text(script))
    };
    parse_script(script).iter().map(text).collect()
}

#[test]
fn a_wrong_statement_costs_one() {
    for (script, expected) in [
        ("SELECT (1;\nSELECT 2;", &["!SELECT (1", "SELECT 2"][..]),
        ("SELECT (1; SELECT 2; SELECT 3", &["!SELECT (1", "SELECT 2", "SELECT 3"]),
        ("SELECT (;\nSELECT 2", &["!SELECT (", "SELECT 2"]),
        ("SELECT f(a, (b FROM t;\nSELECT 2", &["!SELECT f(a, (b FROM t", "SELECT 2"]),
        ("CREATE TABLE t (a int;\nSELECT 2", &["!CREATE TABLE t (a int", "SELECT 2"]),
        // Quotes.
        ("SELECT 'a;\nSELECT 2;\nSELECT 3", &["!SELECT 'a;", "SELECT 2", "SELECT 3"]),
        (
            "SELECT 'a;\nSELECT 'x y', \"b\";\nSELECT 'z'",
            &["!SELECT 'a;", "SELECT 'x y', \"b\"", "SELECT 'z'"],
        ),
        ("SELECT \"a;\n\nSELECT 'b' AS \"b\"", &["!SELECT \"a;", "SELECT 'b' AS \"b\""]),
        (
            "SELECT $x$ a;\n  SELECT 1;\nSELECT $x$ b $x$",
            &["!SELECT $x$ a;", "SELECT 1", "SELECT $x$ b $x$"],
        ),
        // One of the quotes is in a comment, so their number is even.
        (
            "SELECT 'a;\nSELECT 'x';\n-- don't\nSELECT 2;\nSELECT 3",
            &["!SELECT 'a;", "SELECT 'x'", "SELECT 2", "SELECT 3"],
        ),
        ("SELECT 1 /* a;\nSELECT 2", &["!SELECT 1 /* a;", "SELECT 2"]),
        ("SELECT 1;\n/* a;\nSELECT 2;", &["SELECT 1", "!/* a;", "SELECT 2"]),
        // No semicolon: the first is known to be wrong, because PostgreSQL reports both.
        ("SELECT 1\nSELECT 2;\nSELECT 3", &["!SELECT 1", "SELECT 2", "SELECT 3"]),
        ("SELECT a FROM\nUPDATE t SET a = 1", &["!SELECT a FROM", "UPDATE t SET a = 1"]),
        ("SELECT a FROM -- b\nSELECT 1", &["!SELECT a FROM", "SELECT 1"]),
        ("SELECT (a,\nSELECT 1", &["!SELECT (a,", "SELECT 1"]),
        // On its own lines a wrong statement is one statement.
        (
            "SELECT a FROM FROM (\n  SELECT 1\n) x;\nSELECT 2",
            &["!SELECT a FROM FROM (\n  SELECT 1\n) x", "SELECT 2"],
        ),
        ("CREATE VIEW v v AS\nSELECT 1;\nSELECT 2", &["!CREATE VIEW v v AS\nSELECT 1", "SELECT 2"]),
        ("INSERT INTO INTO t\nSELECT 1;", &["!INSERT INTO INTO t\nSELECT 1"]),
        // It is indented by itself, not like the line before it.
        (
            "CREATE VIEW v AS\n  SELECT 1;\nCREATE VIEW AS\n  SELECT 2;",
            &["CREATE VIEW v AS\n  SELECT 1", "!CREATE VIEW AS\n  SELECT 2"],
        ),
        (
            "CREATE FUNCTION f() RETURNS int AS '\nSELECT 1;\nSELECT 2;\n' LANGUAGE LANGUAGE sql;\nSELECT 'a'",
            &[
                "!CREATE FUNCTION f() RETURNS int AS '\nSELECT 1;\nSELECT 2;\n' LANGUAGE LANGUAGE sql",
                "SELECT 'a'",
            ],
        ),
        (
            "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT FROM FROM t; SELECT 3);\nSELECT 4",
            &[
                "!CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT FROM FROM t; SELECT 3)",
                "SELECT 4",
            ],
        ),
        (
            "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 3;\nSELECT 4;\nSELECT 5",
            &["!CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 3", "SELECT 4", "SELECT 5"],
        ),
        (
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC\n  SELECT 1;\nSELECT 2;\nSELECT 3",
            &["!CREATE FUNCTION f() RETURNS int BEGIN ATOMIC\n  SELECT 1", "SELECT 2", "SELECT 3"],
        ),
        // No statement begins there.
        ("SELECT (a,\nSELECT FROM FROM", &["!SELECT (a,\nSELECT FROM FROM"]),
        ("SELECT 'a\nb", &["!SELECT 'a\nb"]),
        ("SELECT 'a\nSELECT a FROM", &["!SELECT 'a\nSELECT a FROM"]),
        // The grammar does not know the end of a name either.
        ("DROP TABLE s.\nSELECT 1;\nSELECT 2", &["!DROP TABLE s.", "SELECT 1", "SELECT 2"]),
        ("COPY (\nSELECT 1;\nSELECT 2", &["!COPY (", "SELECT 1", "SELECT 2"]),
    ] {
        assert_eq!(texts(script), expected, "{script}");
    }
}

#[test]
fn a_closed_dollar_quote_is_one_token() {
    let wrong = "create function :s.a() returns trigger as $$\nbegin\n  return new;\nend;\n$$ language plpgsql";
    let other = "create function b() returns :s.t as $$\nselect 1\n$$ language sql";
    let last = "create function b() returns t as $x$\nselect 1;\n$x$ language sql";
    for (script, expected) in [
        // Neither of the two is correct where the first quote is closed.
        (format!("{wrong};\n{other};"), vec![format!("!{wrong}"), format!("!{other}")]),
        (
            format!("{wrong};\n{other};\n{last};\n{wrong};\nSELECT 1"),
            vec![
                format!("!{wrong}"),
                format!("!{other}"),
                last.to_owned(),
                format!("!{wrong}"),
                "SELECT 1".to_owned(),
            ],
        ),
        // Nor in another quote, or comment, that has no end.
        (
            format!("SELECT 'a\n{wrong};\n{last};"),
            vec!["!SELECT 'a\n".to_owned() + wrong + ";", last.to_owned()],
        ),
        (
            format!("SELECT 1 /* a\n{wrong};\n{last};"),
            vec!["!SELECT 1 /* a\n".to_owned() + wrong + ";", last.to_owned()],
        ),
        // It is open if what begins in it goes on after it, and is correct.
        (
            format!("CREATE FUNCTION f() AS $$\nSELECT 1;\n{};", last.replace("$x$", "$$")),
            vec![
                "!CREATE FUNCTION f() AS $$".to_owned(),
                "SELECT 1".to_owned(),
                last.replace("$x$", "$$"),
            ],
        ),
    ] {
        assert_eq!(texts(&script), expected, "{script}");
    }
}

/// The dollar quotes of several lines in SQL that the scanner accepts.
fn dollar_quotes(sql: &str) -> Vec<Range<usize>> {
    let tokens = scan(sql).map(|scan| scan.tokens).unwrap_or_default();
    let ranges = tokens.iter().filter(|token| !token.is_comment()).map(|token| token.range());
    ranges
        .filter(|range| sql[range.clone()].starts_with('$') && sql[range.clone()].contains('\n'))
        .collect()
}

/// Wrong statements with bodies, whatever is wrong around these.
#[test]
fn no_statement_ends_in_a_closed_dollar_quote() {
    let statements = corpus::statements();
    let bodies: Vec<_> = statements
        .iter()
        .filter(|sql| sql.len() < 3_000 && !sql.contains('\\') && !dollar_quotes(sql).is_empty())
        .collect();
    let wrongs = bodies.iter().cycle().take(bodies.len().max(1) * 4).enumerate().filter_map(
        |(number, sql)| {
            let wrong = with_mistake(sql, number)?;
            (parse(&wrong).is_err() && !dollar_quotes(&wrong).is_empty()).then_some(wrong)
        },
    );
    let wrongs: Vec<_> = wrongs.take(3_000).collect();
    let (mut cut, mut false_errors) = (Vec::new(), 0);
    for wrongs in wrongs.chunks(2).chain(wrongs.chunks(7)) {
        let mut script = String::new();
        let mut quotes = Vec::new();
        for wrong in wrongs {
            let start = script.len();
            quotes.extend(
                dollar_quotes(wrong).into_iter().map(|it| it.start + start..it.end + start),
            );
            script += wrong;
            script += ";\n";
        }
        for stmt in parse_script(&script) {
            let is_in = |at: usize| quotes.iter().any(|quote| quote.start < at && at < quote.end);
            if is_in(stmt.range.start) || is_in(stmt.range.end) {
                cut.push(stmt.text(&script).to_owned());
            }
            let message = stmt.result.as_ref().map_err(|error| error.message().to_owned());
            false_errors +=
                usize::from(message.is_err_and(|it| it.starts_with("unterminated dollar")));
        }
    }
    println!("{NAME}: {} wrong statements with bodies, {} cut", wrongs.len(), cut.len());
    assert!(wrongs.len() > 100, "{}", wrongs.len());
    assert!(cut.is_empty(), "{}", cut.join("\n--\n"));
    assert_eq!(false_errors, 0);
}

/// Wherever the grammar finds a mistake, it is in the statement.
#[test]
fn errors_are_in_their_statements() {
    let script = "SELECT 1;\n\nCREATE PUBLICATION p FOR T*;\nSELECT E'\\xff'";
    let errors: Vec<_> =
        parse_script(script).into_iter().filter_map(|stmt| stmt.result.err()).collect();
    let places: Vec<_> = errors.iter().map(pg_ast::Error::cursor).collect();
    // For PostgreSQL, the first is at the beginning of the text, and the second nowhere.
    assert_eq!(places, [script.find("CREATE"), script.find("SELECT E")]);

    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    statements.retain(|sql| sql.len() < 1_000);
    let mut count = 0;
    for (number, sql) in statements.iter().enumerate() {
        let wrongs =
            [with_mistake(sql, number), left_open(sql, number), with_mistake(sql, number + 1)];
        for wrong in wrongs.into_iter().flatten() {
            let script = format!("SELECT 1;\n\n{wrong};\n;\nSELECT 2");
            let stmts = parse_script(&script);
            for (stmt, next) in stmts.iter().zip(stmts.iter().skip(1).map(Some).chain([None])) {
                let Err(error) = &stmt.result else { continue };
                count += 1;
                // If only the semicolon is missing, it is in the next one.
                let end = match next {
                    Some(next) if parse(stmt.text(&script)).is_ok() => next.range.end,
                    _ => stmt.range.end,
                };
                let is_in = error.cursor().is_some_and(|at| (stmt.range.start..=end).contains(&at));
                assert!(is_in, "{error:#}: {:?} in {script}", stmt.range);
            }
        }
    }
    println!("{NAME}: {count} errors");
    assert!(count > 10_000, "{count}");
}

#[test]
fn commands_and_data_stay_what_they_are() {
    for (script, expected) in [
        ("SELECT (1;\n\\d t\nSELECT 2 \\g\nSELECT 3", &["!SELECT (1", "SELECT 2", "SELECT 3"][..]),
        (
            "SELECT 'a;\n\\echo '\\\\'\nCOPY t FROM stdin;\n1'2\n\\.\nSELECT 3",
            &["!SELECT 'a;\n\\echo '", "COPY t FROM stdin", "SELECT 3"],
        ),
        (
            "COPY t FROM stdin; SELECT (1;\n'\n\\.\nSELECT 2;\nSELECT 3",
            &["COPY t FROM stdin", "!SELECT (1", "SELECT 2", "SELECT 3"],
        ),
        (
            "SET standard_conforming_strings = off;\nSELECT (1;\nSELECT 'a\\';b';\nSELECT 'c\\';\nSELECT 2",
            &[
                "SET standard_conforming_strings = off",
                "!SELECT (1",
                "SELECT 'a\\';b'",
                "!SELECT 'c\\';",
                "SELECT 2",
            ],
        ),
        (
            "SELECT (1 \\; SELECT 2;\nSELECT 3\\:\\:int",
            &["!SELECT (1 \\; SELECT 2", "SELECT 3\\:\\:int"],
        ),
    ] {
        assert_eq!(texts(script), expected, "{script}");
    }
}

#[test]
fn errors_are_those_of_the_statement_alone() {
    let script =
        "SELECT 'é';\nSELECT 'ü, (a;\nSELECT 'x';\nSELECT 1 FROM\nSELECT 'b';\nSELECT 3\nSELECT 4";
    let stmts = parse_script(script);
    let errors: Vec<_> = stmts.iter().filter_map(|stmt| stmt.result.as_ref().err()).collect();
    let found: Vec<_> =
        errors.iter().map(|error| (error.message(), &script[error.cursor().unwrap()..])).collect();
    assert_eq!(found[0].0, "unterminated quoted string at or near \"'ü, (a;\"");
    assert!(found[0].1.starts_with("'ü"));
    assert_eq!(
        found[1],
        ("syntax error at end of input", &script[script.find("\nSELECT 'b'").unwrap()..])
    );
    // Only its semicolon is missing; a SELECT there is an alias.
    assert_eq!(found[2], ("syntax error at or near \"4\"", "4"));
    assert_eq!(stmts.len(), 7);
    let tree = stmts[6].result.as_ref().expect("parses");
    assert_eq!(tree.protobuf.stmts[0].stmt_location, i32::try_from(script.len() - 8).unwrap());
}

/// Returns a statement without its last quote or parenthesis.
fn left_open(sql: &str, number: usize) -> Option<String> {
    let closes: &[char] = if number.is_multiple_of(2) { &['\'', '"', '$'] } else { &[')'] };
    let tokens = scan(sql).ok()?.tokens;
    let token = tokens.iter().rev().map(|token| token.range()).find(|token| {
        sql[token.clone()].ends_with(closes) && (number % 2 == 1 || token.len() > 1)
    })?;
    Some(format!("{}{}", &sql[..token.end - 1], &sql[token.end..]))
}

struct Script {
    text: String,
    neighbours: Vec<Range<usize>>,
}

impl Script {
    fn of(parts: &[(&str, bool)], ends: &[&str]) -> Self {
        let mut script = Self { text: String::new(), neighbours: Vec::new() };
        for ((part, is_neighbour), end) in parts.iter().zip(ends) {
            let start = script.text.len();
            script.text += part;
            if *is_neighbour {
                script.neighbours.push(start..script.text.len());
            }
            script.text += end;
        }
        script
    }

    /// The neighbours without a tree of their own.
    fn lost(&self) -> Vec<&str> {
        let stmts = parse_script(&self.text);
        let is_found = |range: &Range<usize>| {
            stmts.iter().any(|stmt| stmt.range == *range && stmt.result.is_ok())
        };
        let lost = self.neighbours.iter().filter(|range| !is_found(range));
        lost.map(|range| &self.text[range.clone()]).collect()
    }
}

/// The effect of errors on the surrounding statements: one at a time, and many in one script.
#[test]
fn neighbours_are_not_lost() {
    let mut statements = corpus::statements();
    statements.retain(|sql| (30..400).contains(&sql.len()));
    let neighbours: Vec<_> = statements
        .iter()
        .filter(|sql| {
            let lower = sql.to_lowercase();
            !lower.contains("standard_conforming_strings") && !lower.contains("stdin") && !sql.contains('\\')
        })
        .filter(|sql| matches!(&*parse_script(sql), [only] if only.result.is_ok() && only.range == (0..sql.len())))
        .step_by(5)
        .collect();
    let (mut mistakes, mut lost, mut many) = (0, Vec::new(), Vec::new());
    let mut wrongs = Vec::new();
    for (number, sql) in statements.iter().step_by(statements.len() / 6_000).enumerate() {
        if mistakes == 2_000 || sql.contains('\\') || parse(sql).is_err() {
            continue;
        }
        let wrong = match number % 6 {
            4 | 5 => left_open(sql, number),
            _ => with_mistake(sql, number / 6 * 4 + number % 6),
        };
        let Some(wrong) = wrong.filter(|wrong| parse(wrong).is_err()) else { continue };
        let near: [&str; 3] =
            std::array::from_fn(|at| neighbours[(3 * mistakes + at) % neighbours.len()].as_str());
        // Truncated SQL also lacks its semicolon.
        let is_cut = number % 6 == 3 && number % 12 < 6;
        let end = if is_cut { "\n" } else { ";\n" };
        if is_cut && parse(&format!("{wrong}\n{}", near[1])).is_ok() {
            // It continues into the next one.
            continue;
        }
        mistakes += 1;
        let script = Script::of(
            &[(near[0], true), (&wrong, false), (near[1], true), (near[2], true)],
            &[";\n", end, ";\n", ";\n"],
        );
        lost.extend(script.lost().into_iter().map(|sql| format!("{sql}\n  behind: {wrong}")));
        wrongs.push((wrong, near[0]));
    }
    for wrongs in wrongs.chunks(50) {
        let parts =
            wrongs.iter().flat_map(|(wrong, near)| [(*near, true), (wrong.as_str(), false)]);
        let script = Script::of(&parts.collect::<Vec<_>>(), &[";\n"; 100]);
        many.extend(script.lost().into_iter().map(str::to_owned));
    }
    println!(
        "{NAME}: {mistakes} mistakes, {} of {} neighbours lost; {} of {} in scripts of 50 mistakes",
        lost.len(),
        3 * mistakes,
        many.len(),
        mistakes
    );
    assert_eq!(mistakes, 2_000);
    assert!(lost.is_empty(), "{}", lost.join("\n--\n"));
    assert!(many.len() * 100 <= mistakes * 6, "{}", many.join("\n--\n"));
}

#[test]
fn mistakes_of_any_number_take_little() {
    on_thread(256 * 1024, || {
        for piece in [
            "SELECT (1;\n",
            "SELECT (\n",
            "SELECT 'a;\nSELECT 'b';\n",
            "SELECT\n",
            "$a$\nSELECT 1;\n",
            "/*\nSELECT 1;\n",
        ] {
            let script = piece.repeat(400);
            let mut end = 0;
            for stmt in parse_script(&script) {
                assert!(end <= stmt.range.start && stmt.range.start < stmt.range.end, "{piece}");
                end = stmt.range.end;
            }
        }
    });
    let script = "SELECT (1;\n".repeat(400);
    assert_eq!(parse_script(&script).len(), 400);
}
