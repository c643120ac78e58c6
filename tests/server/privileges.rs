//! Statements with the privileges that are told, and with all of them but one.
//!
//! The role that runs them has nothing but `USAGE` of the schema `public`, and what PUBLIC has of the objects that PostgreSQL itself
//! defines. It gets what is told: with all of it, the server may not refuse the statement, and without any one of them it has to.

use std::collections::BTreeMap;

use pg_ast_effects::{Effects, Privilege, PrivilegeKind, TransactionBlock, Which};

use super::common::{scripts::root, split};
use super::connection::{Server, Session};
use super::effects::{ACTIVE_TRANSACTION, SERVERS, told};
use super::grants::{grants, related};

/// SQLSTATE of what one may not do.
const REFUSED: &str = "42501";

/// That of a sequence with another owner than the table of its column has, which is a matter of privileges as well.
const OTHER_OWNER: &str = "55000";

/// Statements that run SQL of the database, which has privileges that their text does not tell.
const OF_BODIES: [&str; 1] = ["CALL procedure()"];

/// Privileges that these do not need here: there is nothing to do, or nothing but a warning.
const UNCHECKED: [(&str, PrivilegeKind); 8] = [
    // The new owner is one.
    ("ALTER EVENT TRIGGER event OWNER TO boss", PrivilegeKind::Superuser),
    ("ALTER TABLE parent ALTER COLUMN a DROP NOT NULL", PrivilegeKind::Owner),
    ("ALTER TABLE parent DROP CONSTRAINT IF EXISTS n", PrivilegeKind::Owner),
    // No foreign key references it.
    ("ALTER TABLE p DETACH PARTITION p1", PrivilegeKind::Select),
    ("ALTER TABLE listed DETACH PARTITION listed1 CONCURRENTLY", PrivilegeKind::Select),
    // The owner is the one who runs it.
    ("ALTER TABLE schema.s OWNER TO CURRENT_USER", PrivilegeKind::Create),
    // Before 17, partitions that one may not write are left out.
    ("CLUSTER p USING p_a", PrivilegeKind::Owner),
    // The session is that of a superuser.
    ("SET SESSION AUTHORIZATION other", PrivilegeKind::Superuser),
];

/// What leaves all that the copy does not have as it was.
const CLEANUP: [&str; 6] = [
    "DROP DATABASE copy WITH (FORCE)",
    "DROP DATABASE IF EXISTS n",
    "DROP TABLESPACE IF EXISTS n",
    "ALTER ROLE needy NOSUPERUSER NOCREATEDB NOCREATEROLE",
    "REVOKE other FROM needy",
    "REVOKE ALL ON PARAMETER work_mem FROM needy",
];

/// What the server says to a statement.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Runs,
    /// The message says why.
    Refused(String),
    /// Something else is wrong with it, by its SQLSTATE and the message.
    Fails(String, String),
}

/// Compares on each server that there is.
pub fn compare() -> Vec<String> {
    let mut mistakes = Vec::new();
    for major in SERVERS {
        match Server::of(major) {
            Ok(mut server) => mistakes.extend(compared(&mut server, major)),
            Err(why) => eprintln!("\nNOT TESTED: privileges on PostgreSQL {major}: {why}\n"),
        }
    }
    mistakes
}

pub fn text(name: &str) -> String {
    let path = root().join("tests/effects").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compared(server: &mut Server, major: u32) -> Vec<String> {
    for name in ["setup.sql", "give.sql", "privileges_setup.sql"] {
        for sql in split::split(&text(name)) {
            if let Err(error) = server.query(&sql) {
                panic!("{sql}: {}", error.get(b'M'));
            }
        }
    }
    let cases = text("cases.sql") + &text("privileges.sql");
    let cases = cases.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    // Of a security fix, of which all versions have releases.
    let query = "SELECT FROM pg_settings WHERE name = 'output_plugin_libraries'";
    let asks_for_types = !server.query(query).expect("a setting").is_empty();
    let mut mistakes = Vec::new();
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let (mut statements, mut enough, mut trials) = (0, 0, 0);
    for sql in cases {
        if OF_BODIES.contains(&sql) {
            *skipped.entry("it runs SQL of the database".to_owned()).or_default() += 1;
            continue;
        }
        let effects = told(sql, major);
        let privileges = &effects.privileges;
        if let Outcome::Refused(why) | Outcome::Fails(_, why) =
            ask(server, sql, &effects, "", "tester")
        {
            *skipped.entry(why).or_default() += 1;
            continue;
        }
        statements += 1;
        match ask(server, sql, &effects, &grants(privileges, None), "needy") {
            Outcome::Runs => enough += 1,
            outcome => {
                let all: Vec<_> = privileges.iter().map(shortly).collect();
                mistakes.push(format!("{major}: {sql}: with {}: {outcome:?}", all.join("; ")));
            }
        }
        for (place, privilege) in privileges.iter().enumerate() {
            let outcome = ask(server, sql, &effects, &grants(privileges, Some(place)), "needy");
            trials += 1;
            let is_refused = matches!(outcome, Outcome::Refused(_));
            // There may be nothing that is related.
            let is_asked = privilege.which == Which::Itself || has_related(server, privilege);
            let is_of_type = privilege.on == "TYPE" && privilege.kind == PrivilegeKind::Usage;
            let is_asked = is_asked && (asks_for_types || !is_of_type);
            if !is_refused && is_asked && !UNCHECKED.contains(&(sql, privilege.kind)) {
                mistakes
                    .push(format!("{major}: {sql}: without {}: {outcome:?}", shortly(privilege)));
            }
        }
    }
    mistakes.extend(settings(server, major));
    println!(
        "PostgreSQL {major}: what is told is enough for {enough} of {statements} statements, which ran {trials} times without one \
         privilege; skipped: {skipped:?}"
    );
    assert!(statements > 700 && trials > 1300, "too little is compared");
    mistakes
}

/// Compares which parameters need a privilege.
fn settings(server: &mut Server, major: u32) -> Vec<String> {
    // One is Debian's own.
    let query = "SELECT name, context FROM pg_settings
        WHERE context IN ('user', 'superuser') AND name NOT LIKE '%.%' AND name <> 'extension_destdir'";
    let rows = server.query(query).expect("the parameters");
    assert!(rows.len() > 150, "too few parameters: {}", rows.len());
    let is_wrong = |row: &&Vec<String>| {
        let privileges = told(&format!("SET {} TO DEFAULT", row[0]), major).privileges;
        let needs =
            privileges.iter().any(|it| it.kind == PrivilegeKind::Set && it.on == "PARAMETER");
        needs != (row[1] == "superuser")
    };
    rows.iter().filter(is_wrong).map(|row| format!("{major}: {}: {}", row[0], row[1])).collect()
}

pub fn shortly(privilege: &Privilege) -> String {
    let name = privilege.name.as_ref().map(ToString::to_string).unwrap_or_default();
    let (kind, on, which) = (privilege.kind, privilege.on, privilege.which);
    let role = privilege.role.as_ref().map(|role| format!(" of {role}")).unwrap_or_default();
    format!("{kind:?} {on} {name} {which:?}{role}")
}

/// Returns whether there are objects for a privilege on related ones.
fn has_related(server: &mut Server, privilege: &Privilege) -> bool {
    let rows = server.query(&format!("SELECT FROM {}", related(privilege)));
    !rows.expect("they can be told").is_empty()
}

/// Runs a statement with what is granted, and leaves everything as it was.
fn ask(server: &mut Server, sql: &str, effects: &Effects, granted: &str, role: &str) -> Outcome {
    if effects.block == TransactionBlock::Outside {
        return ask_in_copy(server, sql, granted, role);
    }
    let begin = format!("BEGIN; {granted}; SET LOCAL SESSION AUTHORIZATION {role}");
    let outcome = match server.query(&begin) {
        Ok(_) => outcome(server, sql),
        Err(error) => Outcome::Fails(error.get(b'C').to_owned(), begin + error.get(b'M')),
    };
    server.query("ROLLBACK").expect("it ends");
    server.query("DISCARD ALL").expect("nothing is left");
    match outcome {
        Outcome::Fails(state, _) if state == ACTIVE_TRANSACTION => {
            ask_in_copy(server, sql, granted, role)
        }
        outcome => outcome,
    }
}

/// Runs what cannot be in a transaction block in a copy of the database.
fn ask_in_copy(server: &mut Server, sql: &str, granted: &str, role: &str) -> Outcome {
    server.query("CREATE DATABASE copy TEMPLATE postgres").expect("a copy");
    server.query("REVOKE TEMPORARY ON DATABASE copy FROM public").expect("a copy");
    let sql = sql.replace("postgres", "copy");
    let granted = granted.replace("postgres", "copy");
    let mut session = server.in_database("copy");
    session.query("SET allow_in_place_tablespaces = on").expect("a setting");
    let result = match session.query(&format!("{granted}; SET SESSION AUTHORIZATION {role}")) {
        Ok(_) => outcome(&mut session, &sql),
        Err(error) => Outcome::Fails(error.get(b'C').to_owned(), granted + error.get(b'M')),
    };
    drop(session);
    for sql in CLEANUP {
        server.query(sql).expect("all is as it was");
    }
    for (sql, is_there) in [
        (
            "CREATE TABLESPACE space LOCATION ''",
            "SELECT FROM pg_tablespace WHERE spcname = 'space'",
        ),
        (
            "CREATE DATABASE other_database",
            "SELECT FROM pg_database WHERE datname = 'other_database'",
        ),
    ] {
        if server.query(is_there).expect("rows").is_empty() {
            server.query("SET allow_in_place_tablespaces = on").expect("a setting");
            server.query(sql).expect("it is made again");
        }
    }
    result
}

pub fn outcome(session: &mut Session, sql: &str) -> Outcome {
    match session.query(sql) {
        Err(error) => {
            let (state, message) = (error.get(b'C'), error.get(b'M').to_owned());
            let is_of_owners = state == OTHER_OWNER && message.contains("same owner");
            if state == REFUSED || is_of_owners {
                Outcome::Refused(message)
            } else {
                Outcome::Fails(state.to_owned(), message)
            }
        }
        Ok(_) => {
            let warnings = session.warnings().iter().map(|warning| warning.get(b'M'));
            let mut refusals = warnings.filter(|text| is_refusal(text));
            refusals.next().map_or(Outcome::Runs, |text| Outcome::Refused(text.to_owned()))
        }
    }
}

/// Returns whether a warning says that something is not done. Only superusers maintain PostgreSQL's own tables.
fn is_refusal(warning: &str) -> bool {
    let words = ["permission denied", "only table or", "only superuser", "no privileges were"];
    words.iter().any(|word| warning.contains(word)) && !warning.contains("\"pg_")
}
