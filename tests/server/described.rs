//! What a server says of prepared statements, with names: the types of parameters and columns, and where columns come from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use super::connection::{Description, Fields, Session};

/// The first number of an object that is not PostgreSQL's own, which may be renamed.
const FIRST_OWN: u32 = 16_384;
/// So many statements are sent before the answers are read.
const AT_ONCE: usize = 64;

/// What a server says of a prepared statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The types of its parameters.
    pub parameters: Vec<TypeOfServer>,
    /// The columns of its rows; `None` if it returns none.
    pub columns: Option<Vec<ColumnOfServer>>,
}

/// A type, as `pg_type` names it. [`Display`] writes it without its modifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeOfServer {
    pub schema: String,
    /// Its name; of an array, that of its elements.
    pub name: String,
    pub is_array: bool,
}

impl Display for TypeOfServer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let brackets = if self.is_array { "[]" } else { "" };
        write!(f, "{}.{}{brackets}", self.schema, self.name)
    }
}

/// A column that a prepared statement returns.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnOfServer {
    pub name: String,
    pub value_type: TypeOfServer,
    pub modifier: i32,
    /// The schema, the table and the column that it is.
    pub origin: Option<(String, String, String)>,
}

/// The names of the types that have been looked up in a database. Those that may be renamed are looked up again.
#[derive(Debug, Default)]
pub struct TypeNames(BTreeMap<u32, TypeOfServer>);

impl TypeNames {
    /// Prepares a statement, which does not run, and returns what it is, or its error.
    #[allow(dead_code, reason = "for a test of a single statement")]
    pub fn describe(&mut self, session: &mut Session, sql: &str) -> Result<Described, Fields> {
        self.describe_all(session, &[sql.to_owned()]).remove(0)
    }

    /// Prepares statements one after the other, which runs none of them, and returns what each is, or its error.
    ///
    /// If a transaction is open, it goes on after errors.
    pub fn describe_all(
        &mut self,
        session: &mut Session,
        texts: &[String],
    ) -> Vec<Result<Described, Fields>> {
        let found: Vec<_> =
            texts.chunks(AT_ONCE).flat_map(|texts| session.descriptions(texts)).collect();
        let valid = || found.iter().flatten();
        let columns = || valid().flat_map(|it| it.columns.iter().flatten());
        self.0.retain(|oid, _| *oid < FIRST_OWN);
        let types = valid().flat_map(|it| it.parameters.iter().copied());
        let types = types.chain(columns().map(|it| it.type_oid));
        let types: BTreeSet<_> = types.filter(|oid| !self.0.contains_key(oid)).collect();
        self.look_up(session, &types);
        let tables = columns().filter(|it| it.table != 0).map(|it| (it.table, it.attribute));
        let tables = attributes(session, &tables.collect());
        let named = |description: Description| {
            let columns = description.columns.map(|columns| {
                let column = columns.into_iter().map(|it| ColumnOfServer {
                    value_type: self.named(it.type_oid),
                    modifier: it.modifier,
                    origin: tables.get(&(it.table, it.attribute)).cloned(),
                    name: it.name,
                });
                column.collect()
            });
            let parameters = description.parameters.into_iter().map(|oid| self.named(oid));
            Described { parameters: parameters.collect(), columns }
        };
        found.into_iter().map(|it| it.map(named)).collect()
    }

    /// Returns what a server says of a column whose type is a domain: the type below it, and its modifier.
    pub fn below_domains(
        session: &mut Session,
        of: &TypeOfServer,
        modifier: i32,
    ) -> Option<(TypeOfServer, i32)> {
        let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let sql = format!(
            "SELECT b.typname, bn.nspname, coalesce(e.typname, ''), t.typtypmod
             FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
             JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
             LEFT JOIN pg_catalog.pg_type e ON e.oid = b.typelem AND b.typstorage <> 'p'
                 AND b.typsubscript = 'pg_catalog.array_subscript_handler'::pg_catalog.regproc
             JOIN pg_catalog.pg_namespace bn ON bn.oid = coalesce(e.typnamespace, b.typnamespace)
             WHERE t.typname = {} AND t.typtype = 'd'
                 AND CASE WHEN n.oid = pg_catalog.pg_my_temp_schema() THEN 'pg_temp' ELSE n.nspname END = {}",
            literal(&of.name),
            literal(&of.schema)
        );
        let row = rows(session, &sql).pop().filter(|_| !of.is_array)?;
        let [name, schema, element, own] = &row[..] else { panic!("four columns") };
        let is_array = !element.is_empty();
        let name = if is_array { element } else { name }.clone();
        let below = TypeOfServer { schema: schema.clone(), name, is_array };
        let modifier = if modifier < 0 { own.parse().expect("a number") } else { modifier };
        Some(Self::below_domains(session, &below, modifier).unwrap_or((below, modifier)))
    }

    fn named(&self, oid: u32) -> TypeOfServer {
        self.0.get(&oid).unwrap_or_else(|| panic!("the type {oid}")).clone()
    }

    fn look_up(&mut self, session: &mut Session, types: &BTreeSet<u32>) {
        if types.is_empty() {
            return;
        }
        let numbers: Vec<_> = types.iter().map(u32::to_string).collect();
        // What `format_type` writes with brackets is an array.
        let sql = format!(
            "SELECT t.oid, n.nspname, coalesce(e.typname, t.typname), (e.oid IS NOT NULL)::text
             FROM pg_catalog.pg_type t
             LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typstorage <> 'p'
                 AND t.typsubscript = 'pg_catalog.array_subscript_handler'::pg_catalog.regproc
             JOIN pg_catalog.pg_namespace n ON n.oid = coalesce(e.typnamespace, t.typnamespace)
             WHERE t.oid IN ({})",
            numbers.join(", ")
        );
        for row in rows(session, &sql) {
            let [oid, schema, name, is_array] = &row[..] else { panic!("four columns") };
            let (schema, name) = (without_number(schema), name.clone());
            let value_type = TypeOfServer { schema, name, is_array: is_array == "true" };
            self.0.insert(oid.parse().expect("a number"), value_type);
        }
    }
}

/// Returns the schema, the table and the column of each attribute.
fn attributes(
    session: &mut Session,
    wanted: &BTreeSet<(u32, i16)>,
) -> BTreeMap<(u32, i16), (String, String, String)> {
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let pairs: Vec<_> =
        wanted.iter().map(|(table, number)| format!("({table}, {number})")).collect();
    let sql = format!(
        "SELECT c.oid, a.attnum, n.nspname, c.relname, a.attname
         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
         JOIN (VALUES {}) v (t, a) ON c.oid = v.t::pg_catalog.oid AND a.attnum = v.a",
        pairs.join(", ")
    );
    let mut names = BTreeMap::new();
    for row in rows(session, &sql) {
        let [oid, number, schema, table, column] = &row[..] else { panic!("five columns") };
        let key = (oid.parse().expect("a number"), number.parse().expect("a number"));
        names.insert(key, (without_number(schema), table.clone(), column.clone()));
    }
    names
}

fn rows(session: &mut Session, sql: &str) -> Vec<Vec<String>> {
    session.query(sql).unwrap_or_else(|error| panic!("{}: {sql}", error.get(b'M')))
}

/// Returns the name of a schema, that of temporary tables without the number of its session.
fn without_number(schema: &str) -> String {
    if schema.starts_with("pg_temp_") { "pg_temp".to_owned() } else { schema.to_owned() }
}
