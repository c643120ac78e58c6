//! What the server says of a function, with types and tables made up where it knows none of that name.

use super::connection::{Fields, Server};
use super::functions::{Function, places};

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The message, with its detail and its hint.
    pub message: String,
    /// A place in the statement, in bytes.
    pub place: Option<usize>,
    /// From the context of an error without a place.
    pub line: Option<u32>,
}

#[derive(Debug, Clone)]
pub enum Verdict {
    Valid,
    /// The grammar of SQL, of PL/pgSQL, or PL/pgSQL's compiler.
    Wrong(Mistake),
    /// What stands before the body: parameters, attributes, defaults. Not the subject, unless PL/pgSQL says so.
    Header(String),
    /// It depends on a database, in a way that no stub helps.
    Unknown(String),
}

/// A verdict, and the stubs that it took.
#[derive(Debug, Clone)]
pub struct Judged {
    pub verdict: Verdict,
    pub stubs: Vec<Stub>,
}

/// What a function refers to, and the database lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stub {
    Schema(String),
    /// A scalar, or a composite.
    Type {
        name: String,
        composite: bool,
    },
    Table(String),
    Column {
        table: String,
        column: String,
    },
    Collation(String),
}

/// A function that needs more stubs than this is not judged.
const MAX_STUBS: usize = 40;
/// Beyond this many types, not all of their combinations are tried.
const MAX_COMBINED: u32 = 3;

/// Judges a function. `stubs` are those to begin with.
pub fn judge(server: &mut Server, function: &Function, stubs: &[Stub]) -> Judged {
    let first = with_more(server, function, stubs.to_vec());
    let types = types(&first.stubs);
    if !matches!(first.verdict, Verdict::Wrong(_) | Verdict::Header(_)) || types.is_empty() {
        return first;
    }
    // With a composite, another answer: neither is known to be the right one.
    let count = u32::try_from(types.len()).unwrap_or(u32::MAX);
    let all = u32::MAX.checked_shr(32 - count.min(32)).unwrap_or(0);
    let masks: Vec<u32> =
        if count <= MAX_COMBINED { (0..=all).rev().collect() } else { vec![all, 0] };
    for mask in masks {
        let mut stubs = first.stubs.clone();
        for (bit, at) in types.iter().enumerate() {
            if let Stub::Type { composite, .. } = &mut stubs[*at] {
                *composite = mask >> bit.min(31) & 1 == 1;
            }
        }
        let again = with_more(server, function, stubs);
        if matches!(again.verdict, Verdict::Valid) {
            return again;
        }
    }
    first
}

fn types(stubs: &[Stub]) -> Vec<usize> {
    let places = stubs.iter().enumerate();
    places.filter(|(_, stub)| matches!(stub, Stub::Type { .. })).map(|(at, _)| at).collect()
}

fn with_more(server: &mut Server, function: &Function, mut stubs: Vec<Stub>) -> Judged {
    let (sql, moved) = function.for_server();
    loop {
        let created: Vec<String> = stubs.iter().map(Stub::sql).collect();
        let replies = server.run(&["BEGIN", &created.join(";"), &sql, "ROLLBACK"]);
        let verdict = match &replies[1..3] {
            [Some(stub), _] => Verdict::Unknown(format!("a stub: {}", stub.get(b'M'))),
            [_, Some(error)] => match Stub::missing(error, &stubs) {
                Some(more) if stubs.len() < MAX_STUBS && Stub::add(&mut stubs, &more) => continue,
                // The table and the column are there, so the name is wrong.
                Some(more) if more.len() > 1 => wrong(function, &sql, moved, error, &stubs),
                Some(_) => Verdict::Unknown(error.get(b'M').to_owned()),
                None => wrong(function, &sql, moved, error, &stubs),
            },
            _ => Verdict::Valid,
        };
        return Judged { verdict, stubs };
    }
}

/// Routines of the server that look names up: whether a function is valid depends on a database.
const LOOKUPS: [&str; 11] = [
    "typenameType",
    "LookupTypeNameExtended",
    "LookupExplicitNamespace",
    "get_namespace_oid",
    "get_collation_oid",
    "RangeVarGetRelidExtended",
    "ParseFuncOrColumn",
    "errorMissingColumn",
    "errorMissingRTE",
    "plpgsql_parse_wordrowtype",
    "DeconstructQualifiedName",
];

fn wrong(function: &Function, sql: &str, moved: isize, error: &Fields, stubs: &[Stub]) -> Verdict {
    let place = error.number(b'P').map(|place| byte(sql, place));
    let back = |place: usize| place.saturating_add_signed(-moved);
    let inner = error.number(b'p').filter(|place| *place > 0 && !error.get(b'q').is_empty());
    // The server only finds plain literals again.
    let inner = inner.map(|place| {
        let literal = &function.sql[function.literal.clone()];
        let all = places(literal);
        function.literal.start + all.get(place - 1).copied().unwrap_or(literal.len())
    });
    let context = error.get(b'W');
    let line = context
        .lines()
        .find(|line| line.starts_with("compilation of PL/pgSQL function"))
        .and_then(|line| line.rsplit_once("near line ")?.1.parse().ok());
    let place = place.map(back).or(inner);
    let is_inside = place.is_some_and(|place| function.literal.contains(&place))
        || context.contains("compilation of PL/pgSQL function");
    let routine = error.get(b'R');
    let message = message(error.get(b'M'), error.get(b'D'), error.get(b'H'));
    // A stub takes no modifiers, unlike the type that is meant.
    let is_stub = |stub: &Stub| match stub {
        Stub::Type { name, .. } => message.contains(&format!("\"{name}\"")),
        _ => false,
    };
    let is_modifier = routine == "typenameTypeMod" && stubs.iter().any(is_stub);
    if is_modifier || LOOKUPS.contains(&routine) && error.get(b'C') != "42601" {
        return Verdict::Unknown(message);
    }
    let of_grammar = ["scanner_yyerror", "plpgsql_yyerror", "base_yyerror"];
    if is_inside || of_grammar.contains(&routine) || routine.starts_with("plpgsql_") {
        return Verdict::Wrong(Mistake { message, place, line });
    }
    Verdict::Header(format!("{routine}: {message}"))
}

/// A message with its detail and its hint.
pub fn message(message: &str, detail: &str, hint: &str) -> String {
    let mut whole = message.to_owned();
    for (label, more) in [("DETAIL", detail), ("HINT", hint)] {
        if !more.is_empty() {
            whole.extend([" / ", label, ": ", more]);
        }
    }
    whole
}

/// The byte of a character, both in a text, the character from 1.
fn byte(sql: &str, character: usize) -> usize {
    sql.char_indices().nth(character.saturating_sub(1)).map_or(sql.len(), |(at, _)| at)
}

impl Stub {
    /// Adds what is missing; false if all of it is there.
    fn add(stubs: &mut Vec<Self>, more: &[Self]) -> bool {
        let new: Vec<_> = more.iter().filter(|stub| !stubs.contains(stub)).cloned().collect();
        let is_more = !new.is_empty();
        for stub in new {
            // A table is a type as well.
            stubs.retain(|old| match (old, &stub) {
                (Self::Type { name, .. }, Self::Table(table)) => name != table,
                _ => true,
            });
            stubs.push(stub);
        }
        // A schema comes before what is in it, and a table before its columns.
        stubs.sort_by_key(|stub| match stub {
            Self::Schema(_) => 0,
            Self::Column { .. } => 2,
            _ => 1,
        });
        is_more
    }

    /// Returns what an error says to be missing.
    fn missing(error: &Fields, stubs: &[Self]) -> Option<Vec<Self>> {
        if let Some(column) = Self::column(error.get(b'W')) {
            return Some(column);
        }
        Self::named(error.get(b'M'), stubs).map(|stub| vec![stub])
    }

    /// Returns the column of a `%TYPE` that was read as the name of a type, since there is no such table.
    fn column(context: &str) -> Option<Vec<Self>> {
        let rest = context.strip_prefix("invalid type name \"")?;
        let (name, _) = rest[..rest.find("\"\n").unwrap_or(rest.len())].rsplit_once('%')?;
        let scanned = pg_ast::scan_lossy(name).scan;
        let words = scanned.tokens.iter().map(|token| &name[token.range()]);
        let words = words.filter(|word| *word != "." && !word.starts_with(['-', '/']));
        let names: Vec<String> = words
            .map(|word| match word.strip_prefix('"').and_then(|word| word.strip_suffix('"')) {
                Some(quoted) => quoted.replace("\"\"", "\""),
                None => word.to_lowercase(),
            })
            .collect();
        let (column, table) = names.split_last()?;
        let mut stubs = match table {
            [table] => vec![Self::Table(table.clone())],
            [schema, table] => {
                vec![Self::Table(format!("{schema}.{table}")), Self::Schema(schema.clone())]
            }
            _ => return None,
        };
        let Self::Table(table) = &stubs[0] else { return None };
        stubs.insert(0, Self::Column { table: table.clone(), column: column.clone() });
        Some(stubs)
    }

    fn named(message: &str, stubs: &[Self]) -> Option<Self> {
        let mut quoted = message.split('"').skip(1).step_by(2);
        // The header's message has no quotes.
        let bare = message.strip_prefix("type ").and_then(|it| it.strip_suffix(" does not exist"));
        if let Some(name) = bare.filter(|name| !name.starts_with('"')) {
            return Some(Self::Type {
                name: name.trim_end_matches("[]").to_owned(),
                composite: false,
            });
        }
        let first = quoted.next()?;
        let is = |start: &str, end: &str| message.starts_with(start) && message.ends_with(end);
        if is("schema ", " does not exist") {
            return Some(Self::Schema(first.to_owned()));
        }
        if is("collation ", "") && message.contains("does not exist") {
            return Some(Self::Collation(first.to_owned()));
        }
        if is("relation ", " does not exist") {
            return Some(Self::Table(first.to_owned()));
        }
        if is("column ", " does not exist") {
            let name = quoted.next()?;
            let is_named = |stub: &&Self| match stub {
                Self::Table(table) => table.rsplit('.').next() == Some(name),
                _ => false,
            };
            let Self::Table(table) = stubs.iter().find(is_named)? else { return None };
            return Some(Self::Column { table: table.clone(), column: first.to_owned() });
        }
        if is("type ", " does not exist") {
            let name = first.trim_end_matches("[]");
            return Some(Self::Type { name: name.to_owned(), composite: false });
        }
        None
    }

    fn sql(&self) -> String {
        let name = |text: &str| {
            let parts = text.split('.').map(|part| format!("\"{}\"", part.replace('"', "\"\"")));
            parts.collect::<Vec<_>>().join(".")
        };
        match self {
            Self::Schema(schema) => format!("CREATE SCHEMA {}", name(schema)),
            Self::Type { name: ty, composite: false } => {
                format!("CREATE DOMAIN {} AS pg_catalog.text", name(ty))
            }
            Self::Type { name: ty, composite: true } => {
                format!("CREATE TYPE {} AS (a pg_catalog.text)", name(ty))
            }
            Self::Table(table) => format!("CREATE TABLE {} ()", name(table)),
            Self::Column { table, column } => {
                format!("ALTER TABLE {} ADD {} pg_catalog.text", name(table), name(column))
            }
            Self::Collation(collation) => {
                format!("CREATE COLLATION {} FROM \"C\"", name(collation))
            }
        }
    }
}
