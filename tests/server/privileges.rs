//! Statements with the privileges that are told, and with all of them but one.
//!
//! The role that runs them has nothing but `USAGE` of the schema `public`, and what PUBLIC has of the objects that PostgreSQL itself
//! defines. It gets what is told: with all of it, the server may not refuse the statement, and without any one of them it has to.

use std::collections::BTreeMap;

use pg_ast_effects::{Effects, Privilege, PrivilegeKind, TransactionBlock, Which};

use super::common::{scripts::root, split};
use super::connection::{Server, Session};
use super::effects::told_on;

/// SQLSTATE of what one may not do.
const REFUSED: &str = "42501";

/// That of a sequence with another owner than the table of its column has, which is a matter of privileges as well.
const OTHER_OWNER: &str = "55000";

/// The major versions, whose servers read the same statements.
const SERVERS: [u32; 4] = [15, 16, 17, 18];

/// Statements that run SQL of the database, which has privileges that their text does not tell.
const OF_BODIES: [&str; 1] = ["CALL procedure()"];

/// What the server says to a statement.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Runs,
    /// The message says why.
    Refused(String),
    /// Something else is wrong with it.
    Fails(String),
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

fn text(name: &str) -> String {
    let path = root().join("tests/effects").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compared(server: &mut Server, major: u32) -> Vec<String> {
    for sql in
        ["setup.sql", "privileges_setup.sql"].iter().flat_map(|name| split::split(&text(name)))
    {
        if let Err(error) = server.query(&sql) {
            panic!("{sql}: {}", error.get(b'M'));
        }
    }
    let cases = text("cases.sql") + &text("privileges.sql");
    let cases = cases.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    let mut mistakes = Vec::new();
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let (mut statements, mut enough, mut trials) = (0, 0, 0);
    for sql in cases {
        if OF_BODIES.contains(&sql) {
            *skipped.entry("it runs SQL of the database".to_owned()).or_default() += 1;
            continue;
        }
        let effects = told_on(sql, major);
        let mut asked = |granted: &str, role: &str| ask(server, sql, &effects, granted, role);
        if let Outcome::Refused(why) | Outcome::Fails(why) = asked("", "tester") {
            *skipped.entry(why).or_default() += 1;
            continue;
        }
        statements += 1;
        let privileges = &effects.privileges;
        match asked(&grants(privileges, None), "needy") {
            Outcome::Runs => enough += 1,
            outcome => {
                mistakes.push(format!("{major}: {sql}: with {}: {outcome:?}", short(&effects)));
            }
        }
        for (place, privilege) in privileges.iter().enumerate() {
            let outcome = ask(server, sql, &effects, &grants(privileges, Some(place)), "needy");
            trials += 1;
            let is_refused = matches!(outcome, Outcome::Refused(_));
            // There may be nothing that is related.
            if !is_refused && (privilege.which == Which::Itself || has_related(server, privilege)) {
                mistakes
                    .push(format!("{major}: {sql}: without {}: {outcome:?}", shortly(privilege)));
            }
        }
    }
    println!(
        "PostgreSQL {major}: what is told is enough for {enough} of {statements} statements, which ran {trials} times without one \
         privilege; skipped: {skipped:?}"
    );
    mistakes
}

fn shortly(privilege: &Privilege) -> String {
    let name = privilege.name.as_ref().map(ToString::to_string).unwrap_or_default();
    let (kind, on) = (privilege.kind, privilege.on);
    let which = if privilege.which == Which::Itself {
        String::new()
    } else {
        format!(" ({:?})", privilege.which)
    };
    let role = privilege.role.as_ref().map(|role| format!(" of {role}")).unwrap_or_default();
    format!("{kind:?} {on} {name}{}{which}{role}", privilege.columns.join(","))
}

fn short(effects: &Effects) -> String {
    effects.privileges.iter().map(shortly).collect::<Vec<_>>().join("; ")
}

/// Runs a statement with what is granted, and leaves everything as it was.
fn ask(server: &mut Server, sql: &str, effects: &Effects, granted: &str, role: &str) -> Outcome {
    let is_outside =
        matches!(effects.block, TransactionBlock::Outside | TransactionBlock::MaybeOutside);
    if is_outside {
        return ask_in_copy(server, sql, granted, role);
    }
    if let Err(error) = server.query(&format!("BEGIN; {granted}; SET LOCAL ROLE {role}")) {
        server.query("ROLLBACK").expect("it ends");
        return Outcome::Fails(format!("{granted}: {}", error.get(b'M')));
    }
    let outcome = outcome(server, sql);
    server.query("ROLLBACK").expect("it ends");
    server.query("DISCARD ALL").expect("nothing is left");
    outcome
}

/// What cannot be in a transaction block is run in a copy of the database.
fn ask_in_copy(server: &mut Server, sql: &str, granted: &str, role: &str) -> Outcome {
    server.query("CREATE DATABASE copy TEMPLATE postgres").expect("a copy");
    server.query("REVOKE TEMPORARY ON DATABASE copy FROM public").expect("a copy");
    let sql = sql.replace("postgres", "copy");
    let granted = granted.replace("postgres", "copy");
    let mut session = server.in_database("copy");
    let result = match session.query(&format!("{granted}; SET ROLE {role}")) {
        Ok(_) => outcome(&mut session, &sql),
        Err(error) => Outcome::Fails(format!("{granted}: {}", error.get(b'M'))),
    };
    drop(session);
    for sql in [
        "DROP DATABASE copy WITH (FORCE)",
        "ALTER ROLE needy NOSUPERUSER NOCREATEDB NOCREATEROLE",
        "REVOKE other FROM needy",
    ] {
        server.query(sql).expect("all is as it was");
    }
    result
}

fn outcome(session: &mut Session, sql: &str) -> Outcome {
    let result = session.query(sql);
    let is_warned = |text: &str| {
        // Nobody but a superuser maintains PostgreSQL's own tables.
        !text.contains("\"pg_")
            && ["permission denied", "only table or", "only superuser", "no privileges were"]
                .iter()
                .any(|it| text.contains(it))
    };
    match result {
        Err(error) if error.get(b'C') == REFUSED => Outcome::Refused(error.get(b'M').to_owned()),
        Err(error) if error.get(b'C') == OTHER_OWNER && error.get(b'M').contains("same owner") => {
            Outcome::Refused(error.get(b'M').to_owned())
        }
        Err(error) => Outcome::Fails(format!("{} {}", error.get(b'C'), error.get(b'M'))),
        Ok(_) => match session.warnings().iter().find(|warning| is_warned(warning.get(b'M'))) {
            Some(warning) => Outcome::Refused(warning.get(b'M').to_owned()),
            None => Outcome::Runs,
        },
    }
}

/// Returns whether there are objects for a privilege on related ones.
fn has_related(server: &mut Server, privilege: &Privilege) -> bool {
    let rows =
        server.query(&format!("SELECT FROM {}", related(privilege))).expect("they can be told");
    !rows.is_empty()
}

/// Returns the relations that a privilege is about, to select from.
fn related(privilege: &Privilege) -> String {
    let name = privilege.name.as_ref().map_or("NULL".to_owned(), |name| format!("'{name}'"));
    format!("give.related('{:?}', to_regclass({name})) r", privilege.which)
}

/// Returns the SQL that grants privileges, without the one at a place.
fn grants(privileges: &[Privilege], without: Option<usize>) -> String {
    let is_owner = |privilege: &Privilege| privilege.kind == PrivilegeKind::Owner;
    let given = || {
        privileges.iter().enumerate().filter(|(place, _)| Some(*place) != without).map(|(_, it)| it)
    };
    let owners = given().filter(|it| is_owner(it)).map(grant);
    // What an owner has by itself is not told.
    let of_tables = privileges
        .iter()
        .filter(|it| it.on == "TABLE" && !is_owner(it) && it.which == Which::Itself);
    let revoked = of_tables.map(|it| {
        let name = it.name.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("REVOKE {} ON {name} FROM needy; ", word(it.kind))
    });
    let others = given().filter(|it| !is_owner(it)).map(grant);
    owners.chain(revoked).chain(others).collect()
}

/// Returns the SQL that grants a privilege.
fn grant(privilege: &Privilege) -> String {
    let role = privilege.role.as_deref().unwrap_or("needy");
    let name = privilege.name.as_ref().map(ToString::to_string);
    let on = privilege.on;
    if privilege.which != Which::Itself {
        let one = match privilege.kind {
            PrivilegeKind::Owner => "SELECT give.relation(%L)".replace('\'', "''"),
            kind => format!("GRANT {} ON %s TO {role}", word(kind)),
        };
        return format!("SELECT give.execute('{one}', r) FROM {}; ", related(privilege));
    }
    let literal = format!("'{}'", name.clone().unwrap_or_default().replace('\'', "''"));
    let of_database = || name.clone().unwrap_or_else(|| "postgres".to_owned());
    let of_schema = || name.clone().unwrap_or_else(|| "public".to_owned());
    match (privilege.kind, on) {
        (PrivilegeKind::Superuser, _) if name.is_none() => format!("ALTER ROLE {role} SUPERUSER; "),
        (PrivilegeKind::CreateDb, _) => format!("ALTER ROLE {role} CREATEDB; "),
        (PrivilegeKind::CreateRole, _) => format!("ALTER ROLE {role} CREATEROLE; "),
        (PrivilegeKind::Member | PrivilegeKind::Superuser, _) => {
            format!("GRANT {} TO {role}; ", name.unwrap_or_default())
        }
        (PrivilegeKind::GrantOption, "ROLE") => {
            format!("GRANT {} TO {role} WITH ADMIN OPTION; ", name.unwrap_or_default())
        }
        (PrivilegeKind::Owner, _) => owner(on, &name.unwrap_or_default()),
        (PrivilegeKind::Execute, _) => format!("SELECT give.routine('EXECUTE', {literal}); "),
        (PrivilegeKind::GrantOption, _) => {
            format!("GRANT ALL ON {on} {} TO {role} WITH GRANT OPTION; ", name.unwrap_or_default())
        }
        (kind, "DATABASE") => {
            format!("GRANT {} ON DATABASE {} TO {role}; ", word(kind), of_database())
        }
        (kind, "SCHEMA") => format!("GRANT {} ON SCHEMA {} TO {role}; ", word(kind), of_schema()),
        (kind, _) => {
            let columns = privilege.columns.join(", ");
            let columns = if columns.is_empty() { columns } else { format!(" ({columns})") };
            let on = on
                .replace("DOMAIN", "TYPE")
                .replace("SERVER", "FOREIGN SERVER")
                .replace("MATERIALIZED VIEW", "TABLE")
                .replace("VIEW", "TABLE");
            format!(
                "GRANT {}{columns} ON {on} {} TO {role}; ",
                word(kind),
                name.unwrap_or_default()
            )
        }
    }
}

/// Returns the name of a privilege in SQL.
fn word(kind: PrivilegeKind) -> String {
    match kind {
        PrivilegeKind::AlterSystem => "ALTER SYSTEM".to_owned(),
        kind => format!("{kind:?}").to_uppercase(),
    }
}

/// Returns the SQL that makes the role the owner of an object, with no privilege that the owner has by itself.
fn owner(on: &str, name: &str) -> String {
    let literal = format!("'{name}'");
    let catalog = match on {
        "TABLE" | "INDEX" | "SEQUENCE" | "VIEW" | "MATERIALIZED VIEW" | "FOREIGN TABLE" => {
            return format!("SELECT give.relation({literal}); ");
        }
        "FUNCTION" | "PROCEDURE" | "AGGREGATE" | "ROUTINE" => {
            return format!("SELECT give.routine('OWNER', {literal}); ");
        }
        "TYPE" | "DOMAIN" => {
            return format!(
                "ALTER TYPE {name} OWNER TO needy; REVOKE ALL ON TYPE {name} FROM needy; "
            );
        }
        "SCHEMA" | "LANGUAGE" | "TABLESPACE" => {
            return format!(
                "ALTER {on} {name} OWNER TO needy; REVOKE ALL ON {on} {name} FROM needy; "
            );
        }
        "DATABASE" => {
            let name = if name.is_empty() { "postgres" } else { name };
            return format!(
                "ALTER DATABASE {name} OWNER TO needy; REVOKE ALL ON DATABASE {name} FROM needy; "
            );
        }
        "COLLATION" => "pg_collation",
        "CONVERSION" => "pg_conversion",
        "OPERATOR" => "pg_operator",
        "OPERATOR CLASS" => "pg_opclass",
        "OPERATOR FAMILY" => "pg_opfamily",
        "STATISTICS" => "pg_statistic_ext",
        "TEXT SEARCH CONFIGURATION" => "pg_ts_config",
        "TEXT SEARCH DICTIONARY" => "pg_ts_dict",
        "PUBLICATION" => "pg_publication",
        "SERVER" => "pg_foreign_server",
        "FOREIGN DATA WRAPPER" => "pg_foreign_data_wrapper",
        "EVENT TRIGGER" => "pg_event_trigger",
        "EXTENSION" => "pg_extension",
        _ => return format!("SELECT 'nobody owns {on}'::regclass; "),
    };
    format!("SELECT give.row('{catalog}', {literal}); ")
}
