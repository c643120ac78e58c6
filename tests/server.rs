//! Holds PL/pgSQL to a PostgreSQL server: whether it accepts a function, and if not, its message and its place.
//!
//! The functions are our own (`tests/plpgsql/`), those of the regression SQL, those of the SQL files in a folder that
//! the environment variable `PLPGSQL_CORPUS` names, and mutants of all of these. The server creates each, which compiles
//! it and runs nothing. Where it lacks a type or a table, a stub is created first. Without a server of the right version,
//! a message says so, and nothing is tested.
//!
//! What the grammar accepts is compared (`server/grammar.rs`), for each version that has a server.
//!
//! What names mean is compared as well, over the regression SQL, on a server of each version (`server/names/`).
//!
//! So are the types of parameters and columns (`server/types/`), of its statements, and of these with parameters for their literals.
//!
//! Functions of control flow alone are run as well, on all paths: whether the end is reached, and which statements are not.
//!
//! Random statements run on the shards that their values name (`server/shards.rs`), and with the data changed that their columns
//! come from (`server/lineage_data.rs`); what pg_ast_catalog has is compared with each server (`server/catalog.rs`), and what a
//! standby refuses with a standby (`server/standby_calls.rs`): on all versions that there are.
//!
//! What definitions make of tables (`server/relation_facts.rs`) is compared after each of the regression SQL's, on all versions.
//! So is what they make of types, functions, operators and casts (`server/object_facts.rs`), and what extensions bring.
//! So is what random transactions leave of them (`server/transaction_facts.rs`): `TRANSACTIONS_ONLY=1` compares nothing else.
//! The catalogs of databases (`server/user_catalogs.rs`) run in empty ones, on all versions that there are: `USERCAT_ONLY=1` compares
//! nothing else.
//!
//! Random statements run on data with NULL, which a column that cannot be NULL never is (`server/null_data.rs`).
//!
//! The order of shuffled statements (`server/order.rs`) runs: those of dumps of databases, and our own.
//!
//! What statements do (`server/effects.rs`), and which privileges they need (`server/privileges.rs`), is compared on servers of
//! all versions that there are as well: `EFFECTS_ONLY=1` and `PRIVILEGES_ONLY=1` compare nothing else. So is what they do with a
//! catalog (`server/effects_in.rs`): `EFFECTS_IN_ONLY=1`.
//!
//! What is told of each statement of a project before it runs is compared as well (`server/project_statements.rs`): those of our own
//! (`tests/projects/`), and those of public ones. `PROJECTS` names a folder with a folder of SQL files for each of these. It is read in
//! place of the committed statements by `STATEMENTS_ONLY`, `NAMES_ONLY`, `TABLES_ONLY`, `ORDER_ONLY` and `EFFECTS_IN_ONLY`.
//!
//! ```text
//! cargo test --test server
//! PLPGSQL_CORPUS=/folder PLPGSQL_MUTANTS=20000 PLPGSQL_SEED=2 cargo test ..   # more of both
//! PLPGSQL_FLOWS=4000 PLPGSQL_SEED=2 cargo test ..                            # more functions of control flow
//! PLPGSQL_REPORT=/file cargo test ..                                         # writes each difference there
//! STATEMENTS_ONLY=1 STATEMENTS=1000 PROJECTS=/folder cargo test ..           # all that is told of the statements of projects
//! NAMES_ONLY=1 cargo test ..                                                 # only what names mean
//! SHARDS_ONLY=1 SHARDS=100000 SHARDS_SEED=2 cargo test ..                    # more statements on shards, and nothing else
//! TABLES_ONLY=1 PROJECTS=/folder cargo test ..                               # what projects make of tables, and nothing else
//! TYPE_RULES_ONLY=1 TYPE_RULES=1000000 TYPE_RULES_SEED=2 cargo test ..       # more operators, calls and casts, and nothing else
//! TYPES_ONLY=1 TYPES_CORPUS=/folder TYPES_REPORT=/file cargo test ..         # types in the SQL of projects, and nothing else
//! NULLS_ONLY=1 NULLS=50000 NULLS_SEED=2 cargo test ..                       # more statements with NULL, and nothing else
//! OBJECTS_ONLY=1 OBJECTS_CORPUS=/folder cargo test ..                        # the same of types, functions, operators and casts
//! BLESS_CATALOG=1 CATALOG_ONLY=1 cargo test ..                               # writes the data of pg_ast_catalog
//! LINEAGE_ONLY=1 LINEAGE=20000 LINEAGE_SEED=2 cargo test ..                  # more statements with changed data, and nothing else
//! ORDER_ONLY=1 ORDER_SEEDS=5 PROJECTS=/folder cargo test ..                  # the order of more statements, and nothing else
//! BLESS=1 cargo test ..               # writes what is expected of the wrong functions of `tests/plpgsql/`
//! ```

#![allow(unreachable_pub)]
#![allow(clippy::duplicate_mod, reason = "a module for each version")]

#[path = "server/catalog.rs"]
mod catalog;
#[path = "common/mod.rs"]
mod common;
#[path = "server/compare.rs"]
mod compare;
#[path = "server/connection.rs"]
mod connection;
#[path = "server/described.rs"]
mod described;
#[path = "server/effects.rs"]
mod effects;
#[path = "server/effects_in.rs"]
mod effects_in;
#[path = "server/effects_of_files.rs"]
mod effects_of_files;
#[path = "server/flow.rs"]
mod flow;
#[path = "server/functions.rs"]
mod functions;
#[path = "server/grammar.rs"]
mod grammar;
#[path = "server/grants.rs"]
mod grants;
#[path = "server/lineage_data.rs"]
mod lineage_data;
#[path = "server/lineage_queries.rs"]
mod lineage_queries;
#[path = "server/null_data.rs"]
mod null_data;
#[path = "server/object_facts.rs"]
mod object_facts;
#[path = "server/order.rs"]
mod order;
#[path = "server/outside_blocks.rs"]
mod outside_blocks;
#[path = "server/privileges.rs"]
mod privileges;
#[path = "server/project_effects.rs"]
mod project_effects;
#[path = "server/project_names.rs"]
mod project_names;
#[path = "server/project_privileges.rs"]
mod project_privileges;
#[path = "server/project_statements.rs"]
mod project_statements;
#[path = "server/project_values.rs"]
mod project_values;
#[path = "server/projects.rs"]
mod projects;
#[path = "server/protocol.rs"]
mod protocol;
#[path = "server/read_only.rs"]
mod read_only;
#[path = "server/relation_facts.rs"]
mod relation_facts;
#[path = "server/shard_statements.rs"]
mod shard_statements;
#[path = "server/shards.rs"]
mod shards;
#[path = "server/standby_calls.rs"]
mod standby_calls;
#[path = "../fuzz/src/targets/tokens.rs"]
mod tokens;
#[path = "server/transaction_facts.rs"]
mod transaction_facts;
#[path = "server/user_catalogs.rs"]
mod user_catalogs;
#[path = "server/verdict.rs"]
mod verdict;

/// Compares names and types for each version.
macro_rules! names_of_versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        $(
            pg_ast::$module! {
                #[path = "server"]
                mod $module {
                    use pg_ast::$module as pg;
                    use pg_ast_names::$module as pg_names;
                    use pg_ast_types::$module as pg_types;

                    #[path = "names/mod.rs"]
                    pub mod names;
                    #[path = "types/mod.rs"]
                    pub mod types;
                }
            }
        )*

        fn names_of(server: &mut Server, major: u32, project: Option<&Project>) -> Vec<String> {
            $(
                pg_ast::$module! {
                    if major == $major {
                        return $module::names::name_scopes::compare(server, project);
                    }
                }
            )*
            panic!("no version {major}");
        }

        fn types_of(server: &mut Server, major: u32) -> Vec<String> {
            $(
                pg_ast::$module! {
                    if major == $major {
                        return $module::types::types_of_stmts::compare(server, major);
                    }
                }
            )*
            panic!("no version {major}");
        }

        fn rules_of(server: &mut Server, major: u32) -> Vec<String> {
            $(
                pg_ast::$module! {
                    if major == $major {
                        return $module::types::type_rules::compare(server, major);
                    }
                }
            )*
            panic!("no version {major}");
        }
    };
}
libpg_query::for_each_version! { [names_of_versions!] }

/// The newest version.
macro_rules! newest_names {
    ($module:ident) => {
        use $module::names::name_scopes;
    };
}
pg_ast::newest_version! { newest_names }

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::time::Instant;
use std::{env, fs};

use common::plpgsql::{self, Case};
use common::{corpus, scripts, split};
use compare::{Tally, enabled};
use connection::Server;
use functions::Function;
use projects::Project;
use verdict::{Judged, Mistake, Stub, Verdict, judge};

/// For the library's use of a thread's memory.
#[global_allocator]
static ALLOCATOR: common::peak::Counting = common::peak::Counting;

fn number(name: &str, default: usize) -> usize {
    let value = env::var(name).ok();
    value.map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Compares something; returns what differs.
type Compare = fn() -> Vec<String>;

/// What is compared on servers of its own, each with the variable that leaves out the others.
const PARTS: &[(&str, Compare)] = &[
    ("EFFECTS_ONLY", effects::compare),
    ("EFFECTS_IN_ONLY", effects_in::compare),
    ("PRIVILEGES_ONLY", privileges::compare),
    ("SHARDS_ONLY", || of_versions(shards::compare)),
    ("LINEAGE_ONLY", || of_versions(lineage_data::compare)),
    ("CATALOG_ONLY", catalog::compare),
    ("STANDBY_ONLY", standby_calls::compare),
    ("NAMES_ONLY", || projects::compare(names_of)),
    ("ORDER_ONLY", order::compare),
    ("TABLES_ONLY", || projects::compare(relation_facts::compare)),
    ("STATEMENTS_ONLY", || projects::compare(project_statements::compare)),
    ("NULLS_ONLY", || of_versions(null_data::compare)),
    ("TYPES_ONLY", || of_versions(types_of)),
    ("TYPE_RULES_ONLY", || of_versions(rules_of)),
    ("OBJECTS_ONLY", || of_versions(object_facts::compare)),
    ("TRANSACTIONS_ONLY", || of_versions(transaction_facts::compare)),
    ("USERCAT_ONLY", user_catalogs::compare),
];

fn main() {
    let start = Instant::now();
    if env::var_os("GRAMMAR_ONLY").is_some() {
        return end(start, &grammar::main());
    }
    let is_set = |name: &str| env::var_os(name).is_some();
    if let Some((_, compare)) = PARTS.iter().find(|(only, _)| is_set(only)) {
        return end(start, &compare());
    }
    let mut mistakes: Vec<_> = PARTS.iter().flat_map(|(_, compare)| compare()).collect();
    let mut server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            eprintln!("\nNOT TESTED: PL/pgSQL against a server: {why}\n");
            return end(start, &mistakes);
        }
    };
    mistakes.extend(grammar::main());
    mistakes.extend(recorded(&mut server));
    mistakes.extend(flow::compare(&mut server));
    let functions = all_functions();
    let judged: Vec<_> =
        functions.iter().map(|function| judge(&mut server, function, &[])).collect();
    summary("functions", &judged);
    let mut report = String::new();
    let both: Vec<_> = functions.iter().zip(&judged).collect();
    mistakes.extend(tallies("functions", &both, &mut report));

    let mutants = mutants(&both);
    let judged: Vec<_> =
        mutants.iter().map(|(mutant, stubs)| judge(&mut server, mutant, stubs)).collect();
    summary("mutants", &judged);
    let both: Vec<_> = mutants.iter().map(|(mutant, _)| mutant).zip(&judged).collect();
    mistakes.extend(tallies("mutants", &both, &mut report));

    drop(server);
    if let Some(path) = env::var_os("PLPGSQL_REPORT") {
        fs::write(path, report).expect("the report can be written");
    }
    end(start, &mistakes);
}

/// Compares something on a server of each version that there is.
fn of_versions(compare: fn(&mut Server, u32) -> Vec<String>) -> Vec<String> {
    let mut mistakes = Vec::new();
    for version in enabled() {
        match Server::of(version.major()) {
            Ok(mut server) => mistakes.extend(compare(&mut server, version.major())),
            Err(why) => eprintln!("\nNOT TESTED: PostgreSQL {}: {why}\n", version.major()),
        }
    }
    mistakes
}

fn end(start: Instant, mistakes: &[String]) {
    println!("{} s, {} mistakes", start.elapsed().as_secs(), mistakes.len());
    if !mistakes.is_empty() {
        eprintln!("{}", mistakes.join("\n"));
        exit(1);
    }
}

/// Compares what is recorded of our wrong functions with the server, or records it.
fn recorded(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (path, mut cases) in plpgsql::wrong() {
        for case in &mut cases {
            let function = Function::new("", &case.sql);
            let function = function.unwrap_or_else(|| panic!("no function in {}", case.sql));
            let expected = match judge(server, &function, &[]).verdict {
                Verdict::Wrong(mistake) => of(&mistake),
                other => {
                    mistakes.push(format!("{}: {other:?}: {}", path.display(), case.sql));
                    continue;
                }
            };
            if expected != case.expected && env::var_os("BLESS").is_none() {
                mistakes.push(format!(
                    "{}: {} is recorded, the server says {expected}: {}",
                    path.display(),
                    case.expected,
                    case.sql
                ));
            }
            case.expected = expected;
        }
        if env::var_os("BLESS").is_some() {
            fs::write(&path, plpgsql::write(&cases)).expect("the cases can be written");
        }
    }
    mistakes
}

fn of(mistake: &Mistake) -> String {
    Case::expected(&mistake.message, mistake.place, mistake.line)
}

/// Returns the functions of all sources, each text once.
fn all_functions() -> Vec<Function> {
    let mut texts = Vec::new();
    for (path, sql) in plpgsql::valid() {
        texts.push((path.display().to_string(), split::split(&sql)));
    }
    texts.push(("regression".to_owned(), corpus::statements()));
    for path in files() {
        let bytes = fs::read(&path).expect("a file of the corpus");
        // What extensions have in their scripts.
        let script = String::from_utf8_lossy(&bytes).replace("@extschema@", "extschema");
        texts.push((path.display().to_string(), split::split(&script)));
    }
    let mut seen = HashSet::new();
    let mut functions = Vec::new();
    for (source, statements) in texts {
        for sql in statements {
            if !sql.contains('\0') && seen.insert(sql.clone()) {
                functions.extend(Function::new(&source, &sql));
            }
        }
    }
    functions
}

/// Returns the SQL files of the folder that the user names.
fn files() -> Vec<PathBuf> {
    let Some(folder) = env::var_os("PLPGSQL_CORPUS") else { return Vec::new() };
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        files.extend(scripts::sql_files(&folder));
        let entries = fs::read_dir(&folder).expect("the folder can be read");
        folders.extend(entries.map(|entry| entry.expect("an entry").path()).filter(is_folder));
    }
    files.sort();
    files
}

#[allow(clippy::ptr_arg, reason = "the filter of an iterator over paths")]
fn is_folder(path: &PathBuf) -> bool {
    Path::is_dir(path)
}

/// Returns mutants of valid functions, each with the stubs of its function.
fn mutants(functions: &[(&Function, &Judged)]) -> Vec<(Function, Vec<Stub>)> {
    let count = number("PLPGSQL_MUTANTS", 6_000);
    // From Marsaglia's xorshift generator.
    let mut state = number("PLPGSQL_SEED", 1) as u64 | 1 << 32;
    let mut random = move |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from((state >> 16) % end as u64).expect("below a usize")
    };
    let valid = functions.iter().filter(|(_, judged)| matches!(judged.verdict, Verdict::Valid));
    let valid: Vec<_> = valid.collect();
    let mut mutants = Vec::new();
    let mut seen = HashSet::new();
    let mut tries = 0;
    while mutants.len() < count && tries < 20 * count {
        tries += 1;
        let (function, judged) = valid[random(valid.len())];
        let mutant = function.with_body(|body| tokens::mutate(body, &mut random));
        if let Some(mutant) = mutant.filter(|mutant| seen.insert(mutant.sql.clone())) {
            mutants.push((mutant, judged.stubs.clone()));
        }
    }
    mutants
}

/// Prints what the server has said, with what is not compared.
fn summary(what: &str, judged: &[Judged]) {
    let mut counts = BTreeMap::<_, usize>::new();
    let mut reasons = BTreeMap::<_, usize>::new();
    for judged in judged {
        let (kind, reason) = match &judged.verdict {
            Verdict::Valid => ("valid", None),
            Verdict::Wrong(_) => ("wrong", None),
            Verdict::Header(reason) => ("not compared, wrong before the body", Some(reason)),
            Verdict::Unknown(reason) => ("not compared, for a database", Some(reason)),
        };
        *counts.entry(kind).or_default() += 1;
        if let Some(reason) = reason {
            *reasons.entry(format!("{kind}: {}", without_names(reason))).or_default() += 1;
        }
    }
    println!("{} {what}: {counts:?}", judged.len());
    for (reason, count) in reasons {
        println!("  {count:>5} {reason}");
    }
}

/// Returns a message without what it quotes.
fn without_names(message: &str) -> String {
    message.split('"').step_by(2).collect::<Vec<_>>().join("\"..\"")
}

/// Compares each enabled version; returns what may not be.
fn tallies(what: &str, both: &[(&Function, &Judged)], report: &mut String) -> Vec<String> {
    let mut mistakes = Vec::new();
    for version in enabled() {
        let tally = Tally::new(version, both);
        println!("{what}, {version}: {}", tally.summary());
        *report += &tally.report(&format!("{what}, {version}"));
        mistakes.extend(tally.mistakes(what));
    }
    mistakes
}
