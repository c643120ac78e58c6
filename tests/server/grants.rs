//! The SQL that gives a role what is told to be needed, by the functions of `tests/effects/give.sql`.

use pg_ast::QualifiedName;
use pg_ast_effects::{Privilege, PrivilegeKind, Which};

/// Returns the relations that a privilege is about, to select from.
pub fn related(privilege: &Privilege) -> String {
    let name = privilege.name.as_ref().map_or("NULL".to_owned(), |name| format!("'{name}'"));
    // All of the database, or of a schema.
    if privilege.which == Which::All {
        return format!("give.related('All', NULL, to_regnamespace({name})) r");
    }
    format!("give.related('{:?}', to_regclass({name})) r", privilege.which)
}

/// Returns the SQL that grants privileges, without the one at a place.
pub fn grants(privileges: &[Privilege], without: Option<usize>) -> String {
    let is_owner = |privilege: &&Privilege| privilege.kind == PrivilegeKind::Owner;
    let given = || {
        let all = privileges.iter().enumerate();
        all.filter(|(place, _)| Some(*place) != without).map(|(_, privilege)| privilege)
    };
    let owners = given().filter(is_owner).map(grant);
    // What is told beside the owner's rights is taken away first.
    let of_tables = privileges.iter().filter(|it| {
        it.on == "TABLE"
            && it.which == Which::Itself
            && !matches!(it.kind, PrivilegeKind::Owner | PrivilegeKind::GrantOption)
    });
    let revoked =
        of_tables.map(|it| format!("REVOKE {} ON {} FROM needy; ", word(it.kind), name(it)));
    owners.chain(revoked).chain(given().filter(|it| !is_owner(it)).map(grant)).collect()
}

fn name(privilege: &Privilege) -> String {
    if let Some(name) = &privilege.name {
        return name.to_string();
    }
    // What the statement does not name.
    match privilege.on {
        "DATABASE" => "postgres",
        "FOREIGN DATA WRAPPER" => "wrapper",
        "TYPE" => "enumeration",
        _ => "",
    }
    .to_owned()
}

fn grant(privilege: &Privilege) -> String {
    let role = privilege.role.as_deref().unwrap_or("needy");
    let (kind, name) = (privilege.kind, name(privilege));
    if privilege.which != Which::Itself {
        let one = match kind {
            PrivilegeKind::Owner => "SELECT give.relation(''%s'')".to_owned(),
            PrivilegeKind::GrantOption => "GRANT ALL ON %s TO needy WITH GRANT OPTION".to_owned(),
            kind => format!("GRANT {} ON %s TO {role}", word(kind)),
        };
        return format!("SELECT give.execute('{one}', r) FROM {}; ", related(privilege));
    }
    let on = match privilege.on {
        "DOMAIN" => "TYPE",
        "SERVER" => "FOREIGN SERVER",
        "VIEW" | "MATERIALIZED VIEW" => "TABLE",
        on => on,
    };
    match (kind, on) {
        (PrivilegeKind::Superuser, _) if privilege.name.is_none() => {
            format!("ALTER ROLE {role} SUPERUSER; ")
        }
        (PrivilegeKind::CreateDb, _) => format!("ALTER ROLE {role} CREATEDB; "),
        (PrivilegeKind::CreateRole, _) => format!("ALTER ROLE {role} CREATEROLE; "),
        (PrivilegeKind::Member | PrivilegeKind::Superuser, _) => {
            format!("GRANT {name} TO {role}; ")
        }
        (PrivilegeKind::GrantOption, "ROLE") => {
            format!("GRANT {name} TO {role} WITH ADMIN OPTION; ")
        }
        (PrivilegeKind::GrantOption, _) => {
            format!("GRANT ALL ON {on} {name} TO {role} WITH GRANT OPTION; ")
        }
        (PrivilegeKind::Owner, _) => owner(privilege.on, &name),
        (PrivilegeKind::Execute, _) => format!("SELECT give.routine('EXECUTE', '{name}'); "),
        (kind, "SCHEMA") if privilege.name.is_none() => {
            format!("SELECT give.on_schemas('{}', '{role}'); ", word(kind))
        }
        (kind, _) => {
            let columns = privilege.columns.iter().map(QualifiedName::unqualified);
            let columns: Vec<_> = columns.map(|column| column.to_string()).collect();
            let columns = columns.join(", ");
            let columns = if columns.is_empty() { columns } else { format!(" ({columns})") };
            format!("GRANT {}{columns} ON {on} {name} TO {role}; ", word(kind))
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

/// Returns the SQL that makes the role the owner of an object.
fn owner(on: &str, name: &str) -> String {
    let changed = |on: &str| {
        format!("ALTER {on} {name} OWNER TO needy; REVOKE ALL ON {on} {name} FROM needy; ")
    };
    let catalog = match on {
        "TABLE" | "INDEX" | "SEQUENCE" | "VIEW" | "MATERIALIZED VIEW" | "FOREIGN TABLE" => {
            return format!("SELECT give.relation('{name}'); ");
        }
        "FUNCTION" | "PROCEDURE" | "AGGREGATE" | "ROUTINE" => {
            return format!("SELECT give.routine('OWNER', '{name}'); ");
        }
        "TYPE" | "DOMAIN" => return changed("TYPE"),
        "SCHEMA" | "LANGUAGE" | "TABLESPACE" | "DATABASE" => return changed(on),
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
    format!("SELECT give.row('{catalog}', '{name}'); ")
}
