//! The measured SQL. Nothing here depends on a parser,
//! so programs without pg_ast can measure the same.

/// A group of statements measured together.
pub struct Group {
    pub name: &'static str,
    pub statements: Vec<String>,
    /// libpg_query's Protobuf route rejects SQL that is nested deeper than its limits.
    pub protobuf: bool,
}

impl Group {
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.statements.iter().map(|sql| sql.len() as u64).sum()
    }
}

/// Returns the statements of a file of `benches/sql`. Each statement ends at the end of a line.
fn file(text: &str) -> Vec<String> {
    let statements = text.split(";\n").map(|sql| sql.trim().trim_end_matches(';').to_owned());
    statements.filter(|sql| !sql.is_empty()).collect()
}

pub const NAMES: [&str; 8] =
    ["simple", "pgbench", "orm", "analytic", "insert1000", "ddl", "deep", "in1m"];

/// The statements of a proxy that rewrites them: another group, which only rewrites are measured with.
pub const REWRITES: &str = "rewrites";

pub fn groups() -> impl Iterator<Item = Group> {
    NAMES.into_iter().map(group)
}

/// Returns only one group, so that generating the others does not count.
///
/// # Panics
///
/// If no group has that name.
#[must_use]
pub fn group(name: &'static str) -> Group {
    let statements = match name {
        "simple" => file(include_str!("../sql/simple.sql")),
        "pgbench" => file(include_str!("../sql/pgbench.sql")),
        "orm" => file(include_str!("../sql/orm.sql")),
        "analytic" => file(include_str!("../sql/analytic.sql")),
        REWRITES => file(include_str!("../sql/rewrites.sql")),
        "ddl" => file(include_str!("../sql/ddl.sql")),
        "insert1000" => {
            let rows: Vec<_> =
                (0..1000).map(|n| format!("({n}, 'name {n}', {n}.5, true, NULL, now())")).collect();
            let columns = "id, name, price, sold, note, at";
            vec![format!("INSERT INTO t ({columns}) VALUES {}", rows.join(", "))]
        }
        "deep" => vec![
            format!("{}SELECT 1{}", "SELECT (".repeat(500), ")".repeat(500)),
            format!("SELECT {}true", "NOT ".repeat(500)),
            format!("SELECT 1{}", " + 1".repeat(1000)),
        ],
        "in1m" => {
            let ids: Vec<_> = (1..=1_000_000).map(|n| n.to_string()).collect();
            vec![format!("SELECT * FROM t WHERE id IN ({})", ids.join(", "))]
        }
        _ => panic!("no group {name}"),
    };
    Group { name, statements, protobuf: name != "deep" }
}
