//! The types of parameters and columns, compared with the server, which prepares statements and describes them.
//!
//! The server runs the definitions of each script; what it accepts is also applied to the catalog. Each other statement is described,
//! and the query of each view, once as it is, and then with parameters in the place of its literals: not with `TYPES_PLAIN`, which
//! takes a quarter of the time. `TYPES_PAIRS` compares all pairs of types, not a seventh of them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pg_ast_types::Types;

use super::names::name_scopes::{Kind, kind};
use super::names::replay::Replay;
use super::pg::view::{self, Node};
use super::pg_types::{define, types};
use super::stmt_variants;
use super::type_corpora::{Project, projects};
use super::type_pairs;
use super::type_differences::{Difference, counted, differences};
use crate::common::split::split;
use crate::connection::{Fields, Server, Session};
use crate::described::{Described, TypeNames};

/// So many differences are printed, and so many of the commonest kinds.
const PRINTED: usize = 30;

/// What has been compared.
#[derive(Default)]
struct Compared {
    equal: usize,
    unknown: usize,
    wrong: usize,
    /// Statements that the server refuses, by the SQLSTATE.
    refused: BTreeMap<String, usize>,
    skipped: BTreeMap<&'static str, usize>,
    differences: Vec<(String, Difference)>,
}

impl Compared {
    fn statements(&self) -> usize {
        self.equal + self.unknown + self.wrong
    }

    /// Whether so much is compared, and told, that a part which is lost is seen.
    fn is_enough(&self) -> bool {
        self.statements() > 12_000 && self.equal * 1_000 > self.statements() * 985
    }

    fn summary(&self) -> String {
        let all = self.statements();
        let permille = self.equal * 10_000 / all.max(1);
        format!(
            "{all} statements: {} equal ({}.{:02} %), {} unknown, {} wrong; {} refused",
            self.equal,
            permille / 100,
            permille % 100,
            self.unknown,
            self.wrong,
            self.refused.values().sum::<usize>()
        )
    }

    fn of(&mut self, place: &str, sql: &str, found: Vec<Difference>) {
        if found.is_empty() {
            self.equal += 1;
        } else if found.iter().all(|it| it.is_unknown) {
            self.unknown += 1;
        } else {
            self.wrong += 1;
        }
        let text = format!("{place}: {sql}");
        self.differences.extend(found.into_iter().map(|it| (text.clone(), it)));
    }

    fn print(&self) {
        for (reason, count) in &self.skipped {
            println!("  {count:>6} skipped: {reason}");
        }
        let refused = self.refused.iter().map(|(state, count)| format!("{state}: {count}"));
        println!("  refused: {}", refused.collect::<Vec<_>>().join(", "));
        for is_unknown in [false, true] {
            let of = self.differences.iter().filter(|(_, it)| it.is_unknown == is_unknown);
            let kinds = of.clone().map(|(_, it)| {
                if it.is_unknown {
                    format!("unknown {} of {}", it.part, it.node)
                } else {
                    format!("WRONG {} of {}: {}, not {}", it.part, it.node, it.ours, it.theirs)
                }
            });
            for (count, kind) in counted(kinds).into_iter().take(PRINTED) {
                println!("  {count:>6} {kind}");
            }
        }
    }

    /// Returns the differences, the wrong ones first.
    fn lines(&self) -> Vec<String> {
        let mut all: Vec<_> = self.differences.iter().collect();
        all.sort_by_key(|(_, it)| it.is_unknown);
        let line = |(text, it): &&(String, Difference)| {
            let what = if it.is_unknown { "unknown" } else { "WRONG" };
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{what} {} of {}: {}, not {}: {text}", it.part, it.node, it.ours, it.theirs)
        };
        all.iter().map(line).collect()
    }
}

/// Compares all statements.
pub fn compare(server: &mut Server, major: u32) -> Vec<String> {
    let mut compared = Compared::default();
    let (is_corpus, mut count) = (std::env::var_os("TYPES_CORPUS").is_some(), 0);
    for project in projects() {
        let before = compared.statements();
        if is_corpus {
            count += 1;
            // They go with the server: to drop one takes as long as all of the rest.
            let name = format!("project_{count}");
            server.run(&[&format!("CREATE DATABASE {name}")]);
            let mut session = server.in_database(&name);
            of_project(&mut session, &project, &mut compared, is_corpus);
            println!("{major} {}: {}", project.name, compared.statements() - before);
        } else {
            of_project(server, &project, &mut compared, is_corpus);
        }
    }
    println!("{major} types: {}", compared.summary());
    compared.print();
    let mut lines = compared.lines();
    if !is_corpus {
        let pairs = of_pairs(server);
        println!("{major} types of operators and functions: {}", pairs.summary());
        pairs.print();
        lines.extend(pairs.lines());
    }
    if let Some(path) = std::env::var_os("TYPES_REPORT") {
        let path = format!("{}.{major}", path.display());
        std::fs::write(path, lines.join("\n")).expect("the report can be written");
    }
    let mut mistakes: Vec<_> = lines.into_iter().filter(|it| it.starts_with("WRONG")).collect();
    mistakes.truncate(PRINTED);
    if !is_corpus && !compared.is_enough() {
        mistakes.push(format!("{major} types: {}", compared.summary()));
    }
    mistakes
}

/// Compares expressions of each operator and function.
fn of_pairs(server: &mut Server) -> Compared {
    server.run(&["CREATE DATABASE pairs"]);
    let mut session = server.in_database("pairs");
    let (mut compared, mut names) = (Compared::default(), TypeNames::default());
    let mut replay = Replay::new(&mut session);
    for sql in type_pairs::DEFINITIONS {
        assert!(replay.run(sql).is_none(), "{sql}");
        define(&view::parse(sql).expect("SQL"), &mut replay.catalog);
    }
    let mut texts = type_pairs::statements(replay.session);
    if std::env::var_os("TYPES_PAIRS").is_none() {
        // A seventh, which has all operators and all types.
        texts = texts.into_iter().step_by(7).collect();
    }
    for texts in texts.chunks(1_000) {
        let described = names.describe_all(replay.session, texts);
        for (text, described) in texts.iter().zip(described) {
            of_text(&mut replay, "pairs", text, &described, &mut compared);
        }
    }
    compared
}

fn of_project(session: &mut Session, project: &Project, compared: &mut Compared, is_corpus: bool) {
    let mut names = TypeNames::default();
    let mut replay = Replay::new(session);
    for (path, script) in &project.scripts {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let place = if is_corpus { format!("{}/{file}", project.name) } else { file.into_owned() };
        for sql in split(script) {
            of_sql(&mut replay, &mut names, &place, &sql, compared, is_corpus);
        }
        if !is_corpus {
            replay.end_script();
        }
    }
}

/// Compares a statement, and then runs it if it is a definition.
fn of_sql(
    replay: &mut Replay<'_>,
    names: &mut TypeNames,
    place: &str,
    sql: &str,
    compared: &mut Compared,
    is_corpus: bool,
) {
    if sql.contains('\0') {
        return;
    }
    let sql = match stmt_variants::without_macros(sql) {
        Ok(sql) => sql,
        Err(why) => return *compared.skipped.entry(why).or_default() += 1,
    };
    let Ok(tree) = view::parse(&sql) else { return };
    let stmts: Vec<_> = tree.stmts().filter_map(view::RawStmt::stmt).collect();
    let [stmt] = stmts[..] else { return };
    if let Node::TransactionStmt(transaction) = stmt {
        // A definition that fails would take the others of a file with it.
        if !is_corpus {
            replay.run_transaction(&sql, transaction);
        }
        return;
    }
    if replay.session.transaction() == b'E' {
        return;
    }
    let texts = stmt_variants::of(&sql, std::env::var_os("TYPES_PLAIN").is_none());
    let described = names.describe_all(replay.session, &texts);
    for (text, described) in texts.iter().zip(described) {
        of_text(replay, place, text, &described, compared);
    }
    if matches!(kind(stmt), Kind::Definition) && replay.run(&sql).is_none() {
        define(&tree, &mut replay.catalog);
    }
}

/// Compares the types of a text of a statement with what the server says of it.
fn of_text(
    replay: &mut Replay<'_>,
    place: &str,
    sql: &str,
    described: &Result<Described, Fields>,
    compared: &mut Compared,
) {
    let Ok(tree) = view::parse(sql) else { return };
    let ours = catch_unwind(AssertUnwindSafe(|| types(&tree, &replay.catalog)));
    let found = match (ours, described) {
        (Err(_), _) => {
            let (ours, theirs) = ("a panic".to_owned(), "none".to_owned());
            let node = "statement".to_owned();
            vec![Difference { part: "result", is_unknown: false, ours, theirs, node }]
        }
        (Ok(_), Err(error)) => {
            return *compared.refused.entry(error.get(b'C').to_owned()).or_default() += 1;
        }
        (Ok(ours), Ok(theirs)) => {
            // There is nothing that could be wrong of an `INSERT` without a parameter.
            if theirs.parameters.is_empty() && theirs.columns.is_none() && ours_is_empty(&ours) {
                return;
            }
            let ours = ours.stmts.first().cloned().unwrap_or_default();
            differences(replay.session, &tree, &ours, theirs)
        }
    };
    compared.of(place, sql, found);
}

fn ours_is_empty(ours: &Types) -> bool {
    ours.stmts.iter().all(|it| it.parameters.is_empty() && it.columns.is_none())
}
