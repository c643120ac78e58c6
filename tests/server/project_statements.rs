//! The statements of projects, which run one after the other; what is told of each before it runs is compared with what the server does:
//! its effects, with and without the catalog of the statements before it, the privileges that it needs, the values of columns in
//! the rows that it uses, and the names of its misspelt copies.
//!
//! Our own projects are the files of `tests/projects`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use pg_ast::view::{self, Node, RawStmt, Tree};
use pg_ast_effects::{FindEffects as _, TransactionBlock};
use pg_ast_names::{DdlCatalog, define};

use super::common::scripts::{self, root};
use super::common::split;
use super::connection::Server;
use super::effects::ACTIVE_TRANSACTION;
use super::project_effects::{self, State};
use super::projects::Project;
use super::{number, project_names, project_privileges, project_values};

/// How many statements of the same shape are compared.
const SAME: usize = 4;

/// About how many statements of a project are compared, unless `STATEMENTS` says it.
const MOST: usize = 400;

/// How often something is right, wrong, or not known.
#[derive(Default, Clone, Copy)]
struct Count {
    right: usize,
    wrong: usize,
    unknown: usize,
}

/// What has been compared.
#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<&'static str, Count>,
    reasons: BTreeMap<String, usize>,
    pub mistakes: Vec<String>,
}

impl Tally {
    pub fn right(&mut self, part: &'static str) {
        self.counts.entry(part).or_default().right += 1;
    }

    pub fn unknown(&mut self, part: &'static str, reason: impl AsRef<str>) {
        self.counts.entry(part).or_default().unknown += 1;
        *self.reasons.entry(format!("{part}: {}", reason.as_ref())).or_default() += 1;
    }

    pub fn wrong(&mut self, part: &'static str, text: impl AsRef<str>) {
        self.counts.entry(part).or_default().wrong += 1;
        self.mistakes.push(format!("{part}: {}", text.as_ref()));
    }

    /// Counts an answer: it is wrong for a reason, or unknown for one, or right.
    pub fn answer(&mut self, part: &'static str, wrong: Option<String>, unknown: Option<&str>) {
        match (wrong, unknown) {
            (Some(text), _) => self.wrong(part, text),
            (None, Some(reason)) => self.unknown(part, reason),
            (None, None) => self.right(part),
        }
    }

    fn print(&self) {
        for (part, count) in &self.counts {
            let Count { right, wrong, unknown } = count;
            println!(
                "  {part}: {} answers, {wrong} wrong, {unknown} unknown",
                right + wrong + unknown
            );
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| core::cmp::Reverse(**count));
        for (reason, count) in reasons.into_iter().take(40) {
            println!("      {count:>5} {reason}");
        }
    }
}

/// One statement, before it runs.
pub struct Statement<'a> {
    pub sql: &'a str,
    pub tree: &'a Tree,
    pub node: Node<'a>,
}

impl Statement<'_> {
    /// Returns the beginning of its text.
    pub fn shortly(&self) -> String {
        let words: Vec<_> = self.sql.split_whitespace().take(60).collect();
        words.join(" ")
    }
}

/// Compares the statements of a project.
pub fn compare(server: &mut Server, major: u32, project: Option<&Project>) -> Vec<String> {
    let own;
    let all = match project {
        Some(project) => &project.scripts,
        None => {
            own = scripts::read_all(scripts::sql_files(&root().join("tests/projects")));
            &own
        }
    };
    project_privileges::prepare(server);
    server.query("SET check_function_bodies = on").expect("a setting");
    let mut tally = Tally::default();
    let mut catalog = DdlCatalog::new();
    // The database is empty, but for what is given to the role.
    catalog.set_all_schemas();
    let mut state = State::of(server);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut done = 0;
    let scripts: Vec<_> = all.iter().map(|(path, sql)| (path, split::split(sql))).collect();
    let count: usize = scripts.iter().map(|(_, stmts)| stmts.len()).sum();
    let step = count.div_ceil(number("STATEMENTS", MOST)).max(1);
    for (path, stmts) in scripts {
        for sql in stmts {
            let Ok(tree) = view::parse(&sql) else { continue };
            let stmts: Vec<_> = tree.stmts().filter_map(RawStmt::stmt).collect();
            let [node] = stmts[..] else { continue };
            if is_left_out(node, &sql) {
                continue;
            }
            let statement = Statement { sql: &sql, tree: &tree, node };
            let count = seen.entry(tree.fingerprint().to_string()).or_default();
            *count += 1;
            let before = tally.mistakes.len();
            let is_compared = *count <= SAME && hash(&sql).is_multiple_of(step as u64);
            let has_run =
                one(server, major, &statement, &mut catalog, &mut state, is_compared, &mut tally);
            done += usize::from(has_run && is_compared);
            let file = name(path);
            for mistake in &mut tally.mistakes[before..] {
                *mistake = format!("{file}: {mistake}: {}", statement.shortly());
            }
        }
        // As in a new session.
        for sql in ["RESET SESSION AUTHORIZATION", "DISCARD ALL", "SET statement_timeout = '10s'"] {
            let _ = server.query(sql);
        }
        catalog.set_search_path(["public".to_owned()]);
        catalog.clear_schema("pg_temp");
        state = State::of(server);
    }
    println!("PostgreSQL {major}: {done} statements that ran are compared");
    tally.print();
    if project.is_none() && done < 100 {
        tally.mistakes.push(format!("only {done} statements are compared"));
    }
    tally.mistakes
}

/// Returns a number by the text of a statement: the same ones are compared on each server.
pub fn hash(sql: &str) -> u64 {
    let hash = sql.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 20
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether a statement is about transactions, other databases or data that the client sends.
fn is_left_out(node: Node<'_>, sql: &str) -> bool {
    sql.contains('\0')
        || sql.len() > 200_000
        || matches!(
            node,
            Node::TransactionStmt(_)
                | Node::CreatedbStmt(_)
                | Node::DropdbStmt(_)
                | Node::AlterSystemStmt(_)
                | Node::CheckPointStmt(_)
                | Node::CreateSubscriptionStmt(_)
                | Node::FetchStmt(_)
                | Node::ClosePortalStmt(_)
        )
        || matches!(node, Node::CopyStmt(copy) if copy.filename().is_empty())
}

/// Compares one statement and runs it; returns whether the server accepts it.
fn one(
    server: &mut Server,
    major: u32,
    statement: &Statement<'_>,
    catalog: &mut DdlCatalog,
    state: &mut State,
    is_compared: bool,
    tally: &mut Tally,
) -> bool {
    let Statement { sql, tree, node } = *statement;
    if !is_compared {
        let is_accepted = server.query(sql).is_ok();
        if is_accepted {
            define(tree, catalog);
        }
        state.is_old = true;
        return is_accepted;
    }
    if state.is_old {
        state.renew(server);
    }
    let by_text = tree.effects_on(major).expect("a version").remove(0);
    let told = tree.effects_in_on(&*catalog, major).expect("a version").remove(0);
    let is_outside = told.block == TransactionBlock::Outside;
    if !is_outside && !runs(server, sql) {
        // It fails, or cannot be in a transaction block.
        let error = server.query(sql).err();
        let is_accepted = error.is_none();
        if is_accepted {
            tally.wrong("transaction block", format!("{:?}, and it has to be outside", told.block));
            define(tree, catalog);
            state.renew(server);
        }
        return is_accepted;
    }
    if !is_outside {
        tally.right("transaction block");
        project_effects::read_only(server, sql, &told, tally);
        project_privileges::compare(server, statement, &by_text, &told, tally);
        project_values::compare(server, statement, catalog, tally);
        project_names::compare(server, statement, catalog, tally);
    } else if matches!(node, Node::IndexStmt(_) | Node::VacuumStmt(_)) {
        let result = server.query(&format!("BEGIN; {sql}"));
        let is_refused = result.is_err_and(|error| error.get(b'C') == ACTIVE_TRANSACTION);
        server.query("ROLLBACK").expect("it ends");
        let wrong = (!is_refused).then(|| "it can be in a block".to_owned());
        tally.answer("transaction block", wrong, None);
    }
    let Some(found) = project_effects::run(server, sql, is_outside, state) else { return false };
    if !is_outside {
        project_effects::compare((&by_text, &told), &found, catalog, sql, tally);
    }
    define(tree, catalog);
    if told.repeatable.is_yes() && !is_outside {
        let again = server.query(&format!("BEGIN; {sql}")).err();
        server.query("ROLLBACK").expect("it ends");
        let wrong = again.map(|error| format!("a second time: {}", error.get(b'M')));
        tally.answer("repeatable", wrong, None);
    } else if told.repeatable.is_no() {
        tally.right("repeatable");
    } else {
        tally.unknown("repeatable", node.name());
    }
    state.is_old = true;
    true
}

/// Returns whether a statement runs in a transaction block, and undoes it.
fn runs(server: &mut Server, sql: &str) -> bool {
    server.query("BEGIN").expect("a transaction begins");
    let is_accepted = server.query(sql).is_ok();
    server.query("ROLLBACK").expect("it ends");
    is_accepted
}
