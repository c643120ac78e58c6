//! Trees of SQL with errors.

use std::collections::BTreeSet;

use pg_ast::QualifiedName;

use super::NAME;
use super::pg::{parse, parse_lossy, scan};
use crate::common::corpus;

#[test]
fn while_somebody_types() {
    for (sql, expected) in [
        ("SELECT", "SELECT"),
        ("SELECT 1", "SELECT 1"),
        ("SELECT * FROM", "SELECT * FROM _"),
        ("SELECT u. FROM app.users AS u", "SELECT u. _ FROM app.users AS u"),
        ("SELECT a, FROM t", "SELECT a, _ FROM t"),
        ("SELECT * FROM t WHERE", "SELECT * FROM t WHERE _"),
        ("SELECT * FROM t WHERE a =", "SELECT * FROM t WHERE a = _"),
        ("SELECT f(a, (b", "SELECT f(a, (b ) )"),
        ("SELECT a b c FROM t", "SELECT a b , c FROM t"),
        ("UPDATE t SET", "UPDATE t SET _ = _"),
        ("SELECT CASE WHEN a", "SELECT CASE WHEN a THEN _ END"),
        ("SELECT * FROM t WHERE a = 'x", "SELECT * FROM t WHERE a = 'x'"),
        ("SELECT E'a", "SELECT E'a'"),
        ("SELECT \"a", "SELECT \"a\""),
        ("SELECT U&\"a", "SELECT U&\"a\""),
        ("SELECT $x$ a", "SELECT $x$ a$x$"),
        ("SELECT $$a", "SELECT $$a$$"),
        ("SELECT 1 /* a", "SELECT 1 /* a*/"),
        ("SELECT a FORM t", "SELECT a FROM t"),
        ("SELEC a FORM t WERE b", "SELECT a FROM t WHERE b"),
        ("SELECT ) 1", "SELECT 1"),
        // A token that goes ends before a comment, and is not cut at what is none.
        ("SELECT ] -- b\n 1", "SELECT -- b 1"),
        ("SELECT a FROM t 'b -- c'", "SELECT a FROM t _"),
        ("SELECT 1; SELECT FROM FROM t; SELECT 3", "SELECT 1; SELECT FROM _ FROM t; SELECT 3"),
    ] {
        let lossy = parse_lossy(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let words = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ");
        if sql.contains("FROM FROM") {
            assert_eq!(lossy.tree.protobuf.stmts.len(), 3, "{}", lossy.sql);
            continue;
        }
        assert_eq!(words(&lossy.sql), expected, "{sql}");
        assert_eq!(lossy.tree, parse(&lossy.sql).expect("parses"));
        assert_eq!(lossy.changes.is_empty(), parse(sql).is_ok(), "{sql}");
    }
}

#[test]
fn changes_are_those_of_the_text() {
    for sql in ["SELEC a FORM t WERE (b", "SELECT a b c , 'é", "SELECT ] 1 ] ; ) FROM t"] {
        let lossy = parse_lossy(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let mut text = sql.to_owned();
        for change in lossy.changes.iter().rev() {
            text.replace_range(change.range.clone(), &change.text);
        }
        assert_eq!(text, lossy.sql);
    }
    assert!(parse_lossy("SELECT '\0'").is_err());
}

/// Returns a statement with one error, whose kind depends on the number.
pub fn with_mistake(sql: &str, number: usize) -> Option<String> {
    let tokens = scan(sql).ok()?.tokens;
    let ranges: Vec<_> =
        tokens.iter().filter(|token| !token.is_comment()).map(|t| t.range()).collect();
    if ranges.len() < 4 {
        return None;
    }
    let place = 1 + number / 4 * 7 % (ranges.len() - 2);
    let (this, next) = (ranges[place].clone(), ranges[place + 1].clone());
    Some(match number % 4 {
        // Removed, doubled, swapped with the next one, cut off.
        0 => format!("{}{}", &sql[..this.start], &sql[this.end..]),
        1 => format!("{} {}", &sql[..this.end], &sql[this.start..]),
        2 => {
            let (a, b) = (&sql[this.clone()], &sql[next.clone()]);
            format!(
                "{}{b}{}{a}{}",
                &sql[..this.start],
                &sql[this.end..next.start],
                &sql[next.end..]
            )
        }
        _ => sql[..this.end].to_owned(),
    })
}

/// The cost of one error.
#[test]
fn one_mistake() {
    let mut statements = corpus::statements();
    statements.retain(|sql| (30..400).contains(&sql.len()));
    let step = statements.len() / 4_500;
    let (mut mistakes, mut trees, mut same_tables, mut same_but_cut, mut not_cut) = (0, 0, 0, 0, 0);
    for (number, sql) in statements.iter().step_by(step).enumerate() {
        let Ok(tree) = parse(sql) else { continue };
        let Some(wrong) = with_mistake(sql, number) else { continue };
        if parse(&wrong).is_ok() || mistakes == 2_000 {
            continue;
        }
        mistakes += 1;
        let is_cut = number % 4 == 3;
        not_cut += usize::from(!is_cut);
        let Ok(lossy) = parse_lossy(&wrong) else { continue };
        trees += 1;
        let tables = |tables: Vec<QualifiedName>| tables.into_iter().collect::<BTreeSet<_>>();
        let same = tables(lossy.tree.tables()) == tables(tree.tables());
        same_tables += usize::from(same);
        same_but_cut += usize::from(same && !is_cut);
    }
    println!(
        "{NAME}: {mistakes} mistakes, {trees} trees, {same_tables} with the same tables; \
         {same_but_cut} of {not_cut} that are not cut off"
    );
    assert_eq!(mistakes, 2_000);
    assert!(trees * 100 >= mistakes * 95, "{trees}");
    assert!(same_but_cut * 100 >= not_cut * 79, "{same_but_cut} of {not_cut}");
}

/// Every prefix of SQL, and every part of a statement, is harmless.
#[test]
fn any_text() {
    for sql in corpus::own_statements().iter().step_by(33).filter(|sql| sql.len() < 200) {
        for end in (0..sql.len()).filter(|end| sql.is_char_boundary(*end)) {
            let _ = parse_lossy(&sql[..end]);
        }
    }
    for sql in ["", ";", "é", "'", "$", "/*", "\"", "E'\\", "U&'\\", "x'", "1a", "a.b.*.c", "\u{1}"]
    {
        let _ = parse_lossy(sql);
    }
}
