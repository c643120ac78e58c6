//! Completes SQL at a place in it.

use std::collections::HashSet;

use super::ffi::expect::{Expect, Symbol, symbol_name};
use super::read::expect::{Terminal, expected_of, is_in_word, symbol_named, symbols, terminals};
use super::view;
use super::view::Node;
use crate::types::expected::{Completion, Expected, NameKind, TableInScope};
use crate::types::options::ParserOptions;

/// Completes SQL at a place, for editors.
///
/// The place is a byte offset. If a word is being typed there, the result lists what can replace it.
///
/// The SQL may be unfinished and wrong, before the place and after it: open brackets and `CASE` end where the statement
/// continues, and tokens that fit nowhere are skipped.
///
/// The keywords are exactly those that PostgreSQL's grammar accepts there. The kinds of objects that a name can refer to
/// follow from the grammar rules that are active there.
///
/// ```
/// use pg_ast::{Expected, NameKind};
///
/// let sql = "SELECT u. FROM app.users AS u WHE";
/// let at_the_end = pg_ast::complete(sql, sql.len());
/// assert_eq!(at_the_end.word, 30..33);
/// assert!(at_the_end.expected.contains(&Expected::Keyword("WHERE")));
///
/// let at_the_dot = pg_ast::complete(sql, 9);
/// assert!(at_the_dot.names.contains(&NameKind::Column));
/// let table = &at_the_dot.tables[0];
/// assert_eq!((table.name.to_string(), table.alias.as_deref()), ("app.users".into(), Some("u")));
///
/// // Nothing needs to be closed yet.
/// let in_brackets = pg_ast::complete("SELECT count(CASE WHEN u. FROM users u", 25);
/// assert_eq!(in_brackets.tables[0].name, "users");
///
/// // Within a string there is nothing to complete.
/// assert!(pg_ast::complete("SELECT 'a b", 9).expected.is_empty());
/// ```
#[must_use]
pub fn complete(sql: &str, offset: usize) -> Completion {
    try_complete(sql, offset).unwrap_or_default()
}

fn try_complete(sql: &str, offset: usize) -> Option<Completion> {
    let options = ParserOptions::default();
    let offset = (0..=offset.min(sql.len())).rev().find(|offset| sql.is_char_boundary(*offset))?;
    let begun = sql[..offset].trim_end_matches(is_in_word).len();
    let digits = sql[begun..].starts_with(|c: char| c.is_ascii_digit() || c == '$');
    let mut word = if digits { offset..offset } else { begun..offset };

    let (mut all, mut mistake) = terminals(&sql[..word.start], options).ok()?;
    if let Some(quote) = mistake.filter(|place| sql[*place..].starts_with('"')) {
        // An unfinished name in quotes.
        word.start = quote;
        (all, mistake) = terminals(&sql[..quote], options).ok()?;
    }
    if mistake.is_some() {
        return Some(Completion { word: offset..offset, ..Completion::default() });
    }

    // The statement goes on after a name at the place.
    let place = all.len();
    all.push(Terminal { symbol: symbol_named("IDENT")?, start: Some(word.start), end: word.end });
    let end = offset + sql[offset..].find(|c| !is_in_word(c)).unwrap_or(sql.len() - offset);
    let mut text = sql;
    if let Ok((behind, _)) = terminals(&sql[end..], options) {
        for terminal in behind {
            let start = terminal.start.map(|start| start + end);
            if is(&terminal, "';'") {
                text = &sql[..start.unwrap_or(sql.len())];
                break;
            }
            all.push(Terminal { start, end: terminal.end + end, ..terminal });
        }
    }
    let typed = Typed { sql: text, terminals: &all, place };

    let mut found = typed.expect(&symbols(&all))?;
    let mut expected = expected_of(&found);
    let mut names = typed.names(&found);
    // For some words, the next one decides which terminal they are.
    let last = place.checked_sub(1);
    if let Some(other) = last.and_then(|last| with_look_ahead(all[last].symbol)) {
        let mut others = symbols(&all);
        others[place - 1] = other;
        let other = typed.expect(&others)?;
        if other.taken() > found.taken() {
            expected.clear();
            names.clear();
        }
        if other.taken() >= found.taken() {
            expected.extend(expected_of(&other));
            names.extend(typed.names(&other));
            found = other;
        }
    }
    expected.sort_unstable();
    expected.dedup();
    names.sort_unstable();
    names.dedup();
    if sql[word.start..].starts_with('"') {
        expected.retain(|expected| *expected == Expected::Identifier);
    }
    let tables = typed.tables(&found);
    Some(Completion { word, expected, names, tables })
}

/// SQL in which somebody is typing, up to the end of the statement.
struct Typed<'a> {
    sql: &'a str,
    /// With an identifier at the place.
    terminals: &'a [Terminal],
    place: usize,
}

impl Typed<'_> {
    fn expect(&self, symbols: &[u16]) -> Option<Expect> {
        let mut all = symbols.to_vec();
        // The end.
        all.push(0);
        Expect::complete(&all, self.place).ok()
    }

    /// Returns the text from one terminal to before another.
    fn text(&self, from: usize, to: usize) -> Option<&str> {
        let start = self.terminals.get(from)?.start?;
        let end = self.terminals.get(to).and_then(|terminal| terminal.start);
        self.sql.get(start..end.unwrap_or(self.sql.len()))
    }

    /// Returns the kinds of objects that a name at the place can refer to.
    fn names(&self, found: &Expect) -> Vec<NameKind> {
        let becomes: Vec<_> = found.becomes().collect();
        let mut names: Vec<_> = becomes.iter().filter_map(|symbol| NameKind::of(symbol)).collect();
        let under = found.under();
        if is_column(&under, &becomes) {
            names.push(NameKind::Column);
        }
        if self.is_table(before_name(&under), &becomes) {
            names.push(NameKind::Table);
        }
        names
    }

    /// Returns whether a name is that of a table, where its symbols are those of other objects, too.
    fn is_table(&self, before: &[Symbol], becomes: &[&str]) -> bool {
        let is_first = |first: usize, words: &[&str]| {
            self.terminals.get(first).is_some_and(|first| words.iter().any(|word| is(first, word)))
        };
        match before {
            // `DROP TABLE t`, `COMMENT ON VIEW v`.
            [.., ("object_type_any_name", first, _)] => {
                is_first(*first, &["TABLE", "VIEW", "MATERIALIZED", "FOREIGN"])
            }
            // `DROP TRIGGER g ON t`.
            [.., ("name", ..), ("ON", ..)] => becomes.contains(&"any_name"),
            _ => is_with_table(before, becomes),
        }
    }

    /// Returns the tables that the statement at the place names.
    fn tables(&self, found: &Expect) -> Vec<TableInScope> {
        let place = self.place;
        let ends = |terminal: &Terminal| is(terminal, "';'");
        let stmt = self.terminals[..place].iter().rposition(ends).map_or(0, |index| index + 1);
        let made = || found.made().filter(|(_, from, _)| *from >= stmt);
        // Names of one terminal, by where they are: an alias comes one after its table.
        let names: HashSet<_> = made()
            .filter(|(symbol, from, to)| *symbol == "ColId" && *to == from + 1 && *from != place)
            .map(|(_, from, _)| from)
            .collect();
        let mut seen = HashSet::new();
        let mut tables = Vec::new();
        let mut add = |table: TableInScope| {
            if seen.insert(table.clone()) {
                tables.push(table);
            }
        };
        for (symbol, from, to) in made() {
            let table = match symbol {
                "qualified_name" if !(from..to).contains(&place) => self.text(from, to),
                "common_table_expr" => self.text(from, from + 1),
                _ => None,
            };
            let Some(mut table) = table.and_then(name) else { continue };
            if symbol == "qualified_name" {
                let has_as = self.terminals.get(to).is_some_and(|terminal| is(terminal, "AS"));
                let at = to + usize::from(has_as);
                let alias = names.contains(&at).then(|| self.text(at, at + 1)).flatten();
                table.alias = alias.and_then(name).map(|alias| alias.name.name);
            }
            add(table);
        }
        // A column's name with the table in it.
        let (under, becomes) = (found.under(), found.becomes().collect::<Vec<_>>());
        let before = before_name(&under);
        if let Some((_, first, _)) = under.get(before.len())
            && is_with_table(before, &becomes)
        {
            self.text(*first, place - 1).and_then(name).into_iter().for_each(add);
        }
        tables
    }
}

fn is(terminal: &Terminal, name: &str) -> bool {
    symbol_name(terminal.symbol) == Some(name)
}

/// Returns the symbols before a name without those that are part of it or of the same list: qualifiers, other names,
/// `IF EXISTS`.
fn before_name(mut under: &[Symbol]) -> &[Symbol] {
    if let [rest @ .., ("'.'", ..)] = under {
        under = rest;
        while let [rest @ .., ("ColId" | "attrs", ..)] = under {
            under = rest;
        }
    }
    if let [rest @ .., ("name_list" | "any_name_list", ..), ("','", ..)] = under {
        under = rest;
    }
    match under {
        [rest @ .., ("IF_P", ..), ("EXISTS", ..)] => rest,
        _ => under,
    }
}

/// Returns whether a name is that of a column, where its symbols are those of other names, too.
fn is_column(under: &[Symbol], becomes: &[&str]) -> bool {
    let is_element = |symbol: &&str| matches!(*symbol, "index_elem" | "part_elem" | "stats_param");
    match (under, before_name(under)) {
        // `CREATE INDEX ON t (c`, `ON CONFLICT (c`; but not the operator class behind it.
        ([.., ("'('" | "','" | "ON", ..)], _) if becomes.iter().any(is_element) => true,
        // `ANALYZE t (c`.
        (_, [.., ("relation_expr" | "qualified_name", ..), ("'('", ..)]) => {
            becomes.contains(&"name_list")
        }
        // `ALTER COLUMN c`; `JOIN u USING (c`; `ADD CONSTRAINT k NOT NULL c`.
        (
            _,
            [.., ("ALTER" | "DROP" | "RENAME", ..), ("opt_column" | "ATTRIBUTE", ..)]
            | [.., ("USING", ..), ("'('", ..)]
            | [.., ("NOT", ..), ("NULL_P", ..)],
        ) => true,
        (_, before) => is_with_table(before, becomes),
    }
}

/// Returns whether a name is that of a column with its table before it: `COMMENT ON COLUMN t.c`, `OWNED BY t.c`.
fn is_with_table(before: &[Symbol], becomes: &[&str]) -> bool {
    let ends = matches!(before, [.., ("ON", ..), ("COLUMN", ..)] | [.., ("OWNED", ..), ("BY", ..)]);
    ends && becomes.contains(&"any_name")
}

/// Returns the terminal that a word becomes before certain others: `NOT` before `IN`.
///
/// Mirrors `base_yylex` of PostgreSQL's `parser.c`.
fn with_look_ahead(symbol: u16) -> Option<u16> {
    let name = symbol_name(symbol)?;
    symbol_named(&format!("{}_LA", name.strip_suffix("_P").unwrap_or(name)))
}

/// Splits the name of a table into its parts.
fn name(text: &str) -> Option<TableInScope> {
    let tree = view::parse(&format!("TABLE {text}")).ok()?;
    let table = tree.nodes().find_map(|node| match node {
        Node::RangeVar(table) => Some(table),
        _ => None,
    })?;
    let name = table.qualified_name();
    Some(TableInScope { name, alias: None })
}
