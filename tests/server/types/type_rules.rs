//! PostgreSQL's rules of types: random operators, calls, casts and common types, compared with what the server says of them.

use pg_ast_catalog::{
    BuiltinFunction, BuiltinObjects, FunctionKind, ParameterMode, TypeKind, builtin,
};
use pg_ast_names::DdlCatalog;

use super::pg::{parse, view};
use super::pg_names::define;
use super::pg_types::types;
use super::type_differences::{Difference, counted, differences};
use crate::connection::{Fields, Server, Session};
use crate::described::TypeNames;
use crate::{env, number};

/// Types, operators and functions of our own, which the server has as well.
const OWN: &str = "
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TYPE pair AS (a int, b text);
    CREATE TABLE parent (a int, b numeric(10, 2));
    CREATE TABLE child (c text) INHERITS (parent);
    CREATE DOMAIN whole AS int;
    CREATE DOMAIN positive AS whole CHECK (value > 0);
    CREATE DOMAIN word AS varchar(10);
    CREATE DOMAIN wholes AS int[];
    CREATE DOMAIN span AS int4range;
    CREATE DOMAIN feeling AS mood;
    CREATE DOMAIN couple AS pair;
    CREATE TYPE floats AS RANGE (subtype = float8);
    CREATE FUNCTION describe(int) RETURNS text LANGUAGE sql AS 'SELECT ''int''';
    CREATE FUNCTION describe(text) RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION describe(mood) RETURNS mood LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION describe(positive) RETURNS bool LANGUAGE sql AS 'SELECT true';
    CREATE FUNCTION describe(a int, b text = 'x', c numeric = 1) RETURNS numeric LANGUAGE sql AS 'SELECT c';
    CREATE FUNCTION describe(a text, VARIADIC b int[]) RETURNS int[] LANGUAGE sql AS 'SELECT b';
    CREATE FUNCTION describe(a parent) RETURNS parent LANGUAGE sql AS 'SELECT a';
    CREATE FUNCTION several(a anyelement, VARIADIC b anyarray) RETURNS anyarray LANGUAGE sql AS 'SELECT b';
    CREATE FUNCTION several(a anyrange, OUT b anyelement, OUT c anymultirange) LANGUAGE sql
        AS 'SELECT lower(a), multirange(a)';
    CREATE FUNCTION several(a anyenum, b anynonarray) RETURNS anynonarray LANGUAGE sql AS 'SELECT b';
    CREATE FUNCTION several(a anycompatible, b anycompatiblearray, c anycompatible = NULL) RETURNS anycompatiblearray
        LANGUAGE sql AS 'SELECT b';
    CREATE FUNCTION several(a anycompatiblerange, b anycompatible) RETURNS anycompatible LANGUAGE sql AS 'SELECT b';
    CREATE FUNCTION abs(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION lower(mood) RETURNS text LANGUAGE sql AS 'SELECT $1::text';
    CREATE FUNCTION mood_or(mood, mood) RETURNS mood LANGUAGE sql AS 'SELECT $1';
    CREATE OPERATOR || (FUNCTION = mood_or, LEFTARG = mood, RIGHTARG = mood);
    CREATE FUNCTION word_is(word, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
    CREATE OPERATOR === (FUNCTION = word_is, LEFTARG = word, RIGHTARG = text);
    CREATE FUNCTION mood_of(int) RETURNS mood LANGUAGE sql AS 'SELECT ''ok''::mood';
    CREATE CAST (int AS mood) WITH FUNCTION mood_of(int) AS ASSIGNMENT;
    CREATE CAST (varchar AS mood) WITH INOUT AS IMPLICIT;
";

/// The own types.
const OWN_TYPES: &[&str] = &[
    "mood",
    "pair",
    "parent",
    "child",
    "whole",
    "positive",
    "word",
    "wholes",
    "span",
    "feeling",
    "couple",
    "floats",
    "floatmultirange",
    "mood[]",
    "pair[]",
    "word[]",
    "positive[]",
    "floats[]",
];

/// What the server can say of types that do not fit: no function or operator, several, another type, no cast.
const REFUSALS: &[&str] = &["42883", "42725", "42804", "42846"];

/// So many statements are described at once.
const AT_ONCE: usize = 2_000;
/// So many differences are printed.
const PRINTED: usize = 40;

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 16) % end as u64).expect("below a usize")
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Writes statements.
struct Maker {
    random: Random,
    objects: &'static BuiltinObjects,
    /// Types as SQL, and those that are common in programs.
    types: Vec<String>,
    operators: Vec<&'static str>,
    functions: Vec<&'static BuiltinFunction>,
    parameters: usize,
}

impl Maker {
    fn new(seed: usize, objects: &'static BuiltinObjects) -> Self {
        let kinds = [TypeKind::Base, TypeKind::Range, TypeKind::Multirange];
        let of_catalog = objects.types().iter().filter(|it| it.schema == "pg_catalog");
        // A record that is no `ROW` becomes no other row.
        let types = of_catalog.filter(|it| kinds.contains(&it.kind));
        let types = types.map(|it| format!("pg_catalog.\"{}\"", it.name));
        let mut operators: Vec<_> = objects.all_operators().iter().map(|it| it.name).collect();
        operators.dedup();
        let functions = objects.all_functions().iter();
        Self {
            random: Random(seed as u64 | 1 << 32),
            objects,
            types: types.chain(OWN_TYPES.iter().map(|name| (*name).to_owned())).collect(),
            operators,
            // Servers differ in whether SQL finds functions that take a pointer of theirs.
            functions: functions
                .filter(|it| it.schema == "pg_catalog" && it.inputs().all(|it| it.type_name != "internal"))
                .collect(),
            parameters: 0,
        }
    }

    /// Returns a value of a type.
    fn typed(&mut self) -> String {
        let common = [
            "int",
            "bigint",
            "text",
            "numeric",
            "varchar(5)",
            "float8",
            "date",
            "int[]",
            "text[]",
            "jsonb",
        ];
        let of = match self.random.below(4) {
            0 => self.random.of(&common).to_owned(),
            _ => self.types[self.random.below(self.types.len())].clone(),
        };
        format!("NULL::{of}")
    }

    /// Returns a value: with a type, or a string or a parameter without one.
    fn value(&mut self) -> String {
        match self.random.below(8) {
            0 => "NULL".to_owned(),
            1 => {
                self.parameters += 1;
                format!("${}", self.parameters)
            }
            _ => self.typed(),
        }
    }

    fn values(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.value()).collect()
    }

    fn operator(&mut self) -> String {
        let operator = self.random.below(self.objects.all_operators().len());
        let operator = &self.objects.all_operators()[operator];
        // Each name as often as its operators, or all names as often.
        let own = ["||", "==="];
        let name = match self.random.below(8) {
            0 => self.random.of(&self.operators),
            1 => self.random.of(&own),
            _ => operator.name,
        };
        let mut side = |of: Option<&'static str>| match (of, self.random.below(3)) {
            (Some(of), 0) if is_plain(of) => format!("NULL::{}", written(of)),
            _ => self.value(),
        };
        let (left, right) = (side(operator.left), side(Some(operator.right)));
        if operator.left.is_none() {
            return format!("SELECT {name} {right}");
        }
        match self.random.below(12) {
            0 => format!("SELECT {left} OPERATOR(pg_catalog.{name}) {right}"),
            1 => format!("SELECT {left} {name} ANY ({right})"),
            _ => format!("SELECT {left} {name} {right}"),
        }
    }

    fn call(&mut self) -> String {
        let function = self.functions[self.random.below(self.functions.len())];
        let inputs: Vec<_> = function.inputs().collect();
        let mut arguments = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            if input.default.is_some() && self.random.below(3) == 0 {
                break;
            }
            let value = match self.random.below(3) {
                0 => self.value(),
                _ if is_plain(input.type_name) => format!("NULL::{}", written(input.type_name)),
                _ => self.value(),
            };
            let is_named = function.kind == FunctionKind::Function && self.random.below(12) == 0;
            match (input.mode, input.name) {
                (ParameterMode::Variadic, _) if self.random.below(2) == 0 => {
                    arguments.push(format!("VARIADIC {value}"));
                }
                (ParameterMode::Variadic, _) => {
                    let count = self.random.below(4);
                    arguments.extend(self.values(count));
                }
                (_, Some(name)) if is_named => {
                    arguments.push(format!("\"{name}\" => {value}"));
                    for rest in &inputs[index + 1..] {
                        let value = self.value();
                        arguments.extend(rest.name.map(|name| format!("\"{name}\" => {value}")));
                    }
                    break;
                }
                _ => arguments.push(value),
            }
        }
        match self.random.below(16) {
            0 => drop(arguments.pop()),
            1 => arguments.extend(self.values(1)),
            _ => {}
        }
        let direct = match function.kind {
            FunctionKind::OrderedSet(direct) => Some(direct),
            FunctionKind::HypotheticalSet(direct) if function.name.len() % 2 == direct % 2 => {
                Some(1)
            }
            FunctionKind::HypotheticalSet(_) => Some(self.random.below(3)),
            _ => None,
        };
        if let Some(direct) = direct {
            let direct = self.values(direct).join(", ");
            let count = self.random.below(2) + 1;
            let order = self.values(count).join(", ");
            return format!(
                "SELECT \"{}\"({direct}) WITHIN GROUP (ORDER BY {order})",
                function.name
            );
        }
        let over = if function.kind == FunctionKind::Window { " OVER ()" } else { "" };
        let star = matches!(function.kind, FunctionKind::Aggregate) && arguments.is_empty();
        let arguments = if star { "*".to_owned() } else { arguments.join(", ") };
        match self.random.below(4) {
            0 if over.is_empty() && !star => {
                format!("SELECT * FROM \"{}\"({arguments})", function.name)
            }
            _ => format!("SELECT \"{}\"({arguments}){over}", function.name),
        }
    }

    /// Returns a call of a function of our own, or of a type.
    fn own_call(&mut self) -> String {
        let names = [
            "describe", "several", "abs", "lower", "mood_or", "mood", "word", "pair", "whole",
            "upper", "length",
        ];
        let of_type = self.random.below(3) == 0;
        let name = if of_type {
            let types = self.objects.types().iter().filter(|it| it.kind != TypeKind::Pseudo);
            let types: Vec<_> = types.collect();
            format!("\"{}\"", self.random.of(&types).name)
        } else {
            self.random.of(&names).to_owned()
        };
        let count = if of_type { 1 } else { self.random.below(3) + 1 };
        let mut values = self.values(count);
        if self.random.below(8) == 0
            && let Some(last) = values.last_mut()
        {
            *last = format!("VARIADIC {last}");
        }
        format!("SELECT {name}({})", values.join(", "))
    }

    fn cast(&mut self) -> String {
        let of = self.types[self.random.below(self.types.len())].clone();
        format!("SELECT {}::{of}", self.value())
    }

    fn common(&mut self) -> String {
        let count = self.random.below(3) + 2;
        let values = self.values(count);
        let list = values.join(", ");
        match self.random.below(9) {
            0 => format!("SELECT {}", values.join(" UNION ALL SELECT ")),
            1 => format!("SELECT CASE WHEN true THEN {} ELSE {} END", values[0], values[1]),
            2 => format!("SELECT ARRAY[{list}]"),
            3 => format!("SELECT greatest({list})"),
            4 => format!("VALUES ({})", values.join("), (")),
            5 => format!("SELECT {} IN ({})", values[0], values[1..].join(", ")),
            6 => format!("SELECT nullif({}, {})", values[0], values[1]),
            7 => format!(
                "SELECT {} BETWEEN {} AND {}",
                values[0],
                values[1],
                values[values.len() - 1]
            ),
            _ => format!("SELECT coalesce({list})"),
        }
    }

    /// Returns a statement; the names of what is made say which kind.
    fn statement(&mut self) -> String {
        self.parameters = 0;
        match self.random.below(6) {
            0 | 1 => self.operator(),
            2 | 3 => self.call(),
            4 => self.own_call(),
            _ if self.random.below(2) == 0 => self.cast(),
            _ => self.common(),
        }
    }
}

/// Returns a type of the data as SQL.
fn written(name: &str) -> String {
    format!("pg_catalog.\"{name}\"")
}

/// Returns whether values can be of a type of the data.
fn is_plain(name: &str) -> bool {
    !name.contains('.') && !name.starts_with("any") && !["internal", "record"].contains(&name)
}

#[derive(Default)]
struct Compared {
    equal: usize,
    refused: usize,
    other: usize,
    unknown: Vec<String>,
    wrong: Vec<String>,
}

/// Compares statements.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let Some(objects) = builtin(major) else { return Vec::new() };
    let seed = number("TYPE_RULES_SEED", 1);
    let mut left = number("TYPE_RULES", 20_000);
    let mut catalog = DdlCatalog::new();
    let error = server.run(&[OWN]).into_iter().flatten().next();
    assert!(error.is_none(), "{error:?}");
    define(&parse(OWN).expect("SQL"), &mut catalog);
    let mut maker = Maker::new(seed, objects);
    let mut compared = Compared::default();
    let mut names = TypeNames::default();
    while left > 0 {
        let count = left.min(AT_ONCE);
        let texts: Vec<_> = (0..count).map(|_| maker.statement()).collect();
        of_texts(server, &mut names, &catalog, &texts, &mut compared);
        left -= count;
    }
    println!(
        "{major} type rules: {} equal, {} refused as expected, {} unknown, {} wrong; {} refused otherwise",
        compared.equal,
        compared.refused,
        compared.unknown.len(),
        compared.wrong.len(),
        compared.other
    );
    if let Some(path) = env::var_os("TYPE_RULES_REPORT") {
        let lines = [compared.wrong.join("\n"), compared.unknown.join("\n")].join("\n");
        std::fs::write(path, lines).expect("the report can be written");
    }
    let kinds =
        compared.unknown.iter().map(|it| it.split(' ').take(3).collect::<Vec<_>>().join(" "));
    for (count, kind) in counted(kinds).into_iter().take(10) {
        println!("  {count:>6} unknown: {kind}");
    }
    compared.wrong.truncate(PRINTED);
    compared.wrong
}

/// Returns whether an error says that types do not fit: what cannot be sorted is another question.
fn is_of_types(error: &Fields) -> bool {
    REFUSALS.contains(&error.get(b'C')) && !error.get(b'M').starts_with("could not identify")
}

fn of_texts(
    session: &mut Session,
    names: &mut TypeNames,
    catalog: &DdlCatalog,
    texts: &[String],
    compared: &mut Compared,
) {
    let described = names.describe_all(session, texts);
    for (sql, described) in texts.iter().zip(described) {
        let Ok(tree) = view::parse(sql) else {
            compared.other += 1;
            continue;
        };
        let ours = types(&tree, catalog).stmts.into_iter().next().unwrap_or_default();
        match described {
            Err(error) if is_of_types(&error) => {
                let columns = ours.columns.iter().flatten();
                let known: Vec<_> = columns.filter_map(pg_ast_types::TypedColumn::sql_type).collect();
                if known.is_empty() {
                    compared.refused += 1;
                } else {
                    let message = error.get(b'M');
                    compared.wrong.push(format!("{sql}: {}, not {message}", known.join(", ")));
                }
            }
            Err(_) => compared.other += 1,
            Ok(theirs) => {
                let found = differences(session, &tree, &ours, &theirs);
                let line =
                    |it: &Difference| format!("{sql}: {} {}, not {}", it.part, it.ours, it.theirs);
                if let Some(wrong) = found.iter().find(|it| !it.is_unknown) {
                    compared.wrong.push(line(wrong));
                } else if let Some(unknown) = found.first() {
                    compared.unknown.push(line(unknown));
                } else {
                    compared.equal += 1;
                }
            }
        }
    }
}
