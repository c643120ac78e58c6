//! Files of SQL, whose statements run one after the other: before each, the role that has nothing runs it with what is told.
//!
//! The environment variable `PRIVILEGES_CORPUS` names a folder with them. Nothing there is a mistake of the test: what a statement
//! needs by what is in the database is not told.

use std::collections::BTreeMap;
use std::path::Path;

use pg_ast_effects::{FindEffects as _, TransactionBlock};

use super::common::{scripts, split};
use super::connection::Server;
use super::effects::SERVERS;
use super::grants::grants;
use super::privileges::{Outcome, outcome, shortly, text};

/// What unqualified names are looked up in; objects of the file are nobody's but their owner's.
const BEFORE: &str = "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON ROUTINES FROM public;
    ALTER DEFAULT PRIVILEGES REVOKE USAGE ON TYPES FROM public";

/// The SQLSTATEs of what is not there: a relation, a schema, a function, another object.
const ABSENT: [&str; 4] = ["42P01", "3F000", "42883", "42704"];

/// Prints for how many statements of the files in a folder the privileges are enough.
pub fn print(folder: &Path) {
    for major in SERVERS {
        for path in scripts::sql_files(folder) {
            let sql = std::fs::read_to_string(&path).expect("a file");
            match Server::of(major) {
                Ok(mut server) => {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    println!("PostgreSQL {major}: {name}: {}", in_order(&mut server, &sql));
                }
                Err(why) => eprintln!("\nNOT TESTED: privileges on PostgreSQL {major}: {why}\n"),
            }
        }
    }
}

fn in_order(server: &mut Server, script: &str) -> String {
    for sql in split::split(&text("give.sql")).iter().map(String::as_str).chain([BEFORE]) {
        server.query(sql).unwrap_or_else(|error| panic!("{sql}: {}", error.get(b'M')));
    }
    let (mut statements, mut enough, mut by_defaults, mut absent) = (0, 0, 0, 0);
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for sql in split::split(script) {
        let Ok(tree) = pg_ast::view::parse(&sql) else { continue };
        let [effects] = &tree.effects_on(server.major()).expect("a version")[..] else { continue };
        let Some(stmt) = tree.stmts().next().and_then(pg_ast::view::RawStmt::stmt) else {
            continue;
        };
        if effects.block == TransactionBlock::Outside || stmt.as_transaction_stmt().is_some() {
            continue;
        }
        let granted = grants(&effects.privileges, None);
        let begin = format!(
            "BEGIN; SELECT give.on_schemas('USAGE', 'needy'); {granted}; SET LOCAL SESSION AUTHORIZATION needy"
        );
        let with_all = match server.query(&begin) {
            Ok(_) => outcome(server, &sql),
            Err(error) => Outcome::Fails(
                error.get(b'C').to_owned(),
                format!("{granted}: {}", error.get(b'M')),
            ),
        };
        server.query("ROLLBACK").expect("it ends");
        // It is run in any case, for the next one.
        if server.query(&sql).is_err() {
            continue;
        }
        match &with_all {
            // Nobody owns what `IF EXISTS` or `OR REPLACE` does not find.
            Outcome::Fails(state, _) if ABSENT.contains(&state.as_str()) => {
                absent += 1;
                continue;
            }
            Outcome::Refused(message)
                if stmt.as_insert_stmt().is_some() && message.contains("for sequence") =>
            {
                by_defaults += 1;
                continue;
            }
            _ => {}
        }
        statements += 1;
        *types.entry(stmt.name()).or_default() += 1;
        if with_all == Outcome::Runs {
            enough += 1;
        } else {
            let all: Vec<_> = effects.privileges.iter().map(shortly).collect();
            let line: Vec<_> = sql.split_whitespace().take(30).collect();
            println!("    {}: with {}: {with_all:?}", line.join(" "), all.join("; "));
        }
    }
    format!(
        "enough for {enough} of {statements} statements of {} types; beside them, {by_defaults} use the sequences of defaults, and \
         {absent} are about what is not there",
        types.len()
    )
}
