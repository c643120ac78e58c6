//! Which privileges a statement of a project needs: before it runs, the role that has nothing runs it with what is told, and without each
//! of that.

use pg_ast_effects::{Effects, Privilege, PrivilegeKind, Which};

use pg_ast::view::Node;

use super::common::split;
use super::connection::Server;
use super::grants::{grants, related};
use super::privileges::{Outcome, outcome, shortly, text};
use super::project_statements::{Statement, Tally};

/// What unqualified names are looked up in; objects of a project are nobody's but their owner's.
const BEFORE: &str = "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON ROUTINES FROM public;
    ALTER DEFAULT PRIVILEGES REVOKE USAGE ON TYPES FROM public";

/// The SQLSTATEs of what is not there: a relation, a schema, a function, another object.
const ABSENT: [&str; 4] = ["42P01", "3F000", "42883", "42704"];

/// Makes the role and what gives it privileges.
pub fn prepare(server: &mut Server) {
    for sql in split::split(&text("give.sql")).iter().map(String::as_str).chain([BEFORE]) {
        server.query(sql).unwrap_or_else(|error| panic!("{sql}: {}", error.get(b'M')));
    }
}

/// Runs a statement with privileges, and undoes it; returns whether there was nothing to do for a part of it as well.
fn with(
    server: &mut Server,
    effects: &Effects,
    without: Option<usize>,
    sql: &str,
) -> (Outcome, bool) {
    let granted = grants(&effects.privileges, without);
    let begin = format!(
        "BEGIN; SELECT give.on_schemas('USAGE', 'needy'); {granted}; SET LOCAL client_min_messages = notice; \
         SET LOCAL SESSION AUTHORIZATION needy"
    );
    let outcome = match server.query(&begin) {
        Ok(_) => outcome(server, sql),
        Err(error) => {
            let message = format!("{granted}: {}", error.get(b'M'));
            Outcome::Fails(error.get(b'C').to_owned(), message)
        }
    };
    let warnings = server.warnings().to_vec();
    server.query("ROLLBACK").expect("it ends");
    (outcome, warnings.iter().any(|warning| warning.get(b'M').ends_with(", skipping")))
}

fn is_query(node: Node<'_>) -> bool {
    matches!(
        node,
        Node::SelectStmt(_)
            | Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_)
    )
}

fn is_guarded(node: Node<'_>) -> bool {
    match node {
        Node::CreateFunctionStmt(create) => create.replace(),
        Node::ViewStmt(create) => create.replace(),
        _ => false,
    }
}

/// Returns whether the role has a privilege in any case: of the schemas that are searched, and of PostgreSQL's own tables.
fn is_everybodys(server: &mut Server, privilege: &Privilege) -> bool {
    let Some(name) = &privilege.name else { return false };
    if privilege.kind == PrivilegeKind::Usage && privilege.on == "SCHEMA" {
        let path = server.query("SELECT unnest(current_schemas(false))").expect("the path");
        return name.name == "public" || path.iter().any(|row| row[0] == name.name);
    }
    matches!(name.schema.as_deref(), Some("pg_catalog" | "information_schema"))
}

/// Returns why nobody can tell, if that is so.
fn excuse(outcome: &Outcome, statement: &Statement<'_>, told: &Effects) -> Option<&'static str> {
    match outcome {
        // Nobody owns what `IF EXISTS` or `OR REPLACE` does not find.
        Outcome::Fails(state, _) if ABSENT.contains(&state.as_str()) => {
            Some("about what is not there")
        }
        Outcome::Refused(message)
            if statement.node.as_insert_stmt().is_some() && message.contains("for sequence") =>
        {
            Some("sequences of defaults")
        }
        Outcome::Refused(message) if message.contains("for type ") => {
            Some("types of columns and constants")
        }
        Outcome::Refused(message) if message.contains("for function ") => {
            Some("functions of views, defaults and operators")
        }
        Outcome::Refused(message)
            if statement.node.as_truncate_stmt().is_some() && message.contains("of sequence") =>
        {
            Some("sequences of referencing tables")
        }
        Outcome::Refused(message) if message.ends_with("is a system trigger") => {
            Some("triggers of foreign keys")
        }
        _ if !told.unknown.is_empty() => Some("functions and SQL that are not known"),
        _ => None,
    }
}

pub fn compare(
    server: &mut Server,
    statement: &Statement<'_>,
    by_text: &Effects,
    told: &Effects,
    tally: &mut Tally,
) {
    if by_text.privileges.iter().any(|it| it.kind == PrivilegeKind::Superuser && it.name.is_none())
    {
        tally.right("privileges, by text");
        tally.right("privileges");
        return;
    }
    for (part, effects) in [("privileges, by text", by_text), ("privileges", told)] {
        let (outcome, _) = with(server, effects, None, statement.sql);
        if outcome == Outcome::Runs {
            tally.right(part);
            continue;
        }
        let all: Vec<_> = effects.privileges.iter().map(shortly).collect();
        let text = format!("with {}: {outcome:?}", all.join("; "));
        match excuse(&outcome, statement, effects) {
            Some(reason) => tally.unknown(part, reason),
            None => tally.wrong(part, text),
        }
    }
    for place in 0..told.privileges.len() {
        let privilege = &told.privileges[place];
        let is_there = privilege.which == Which::Itself
            || server
                .query(&format!("SELECT FROM {}", related(privilege)))
                .is_ok_and(|rows| !rows.is_empty());
        if is_everybodys(server, privilege) {
            continue;
        }
        let (outcome, is_skipped) = with(server, told, Some(place), statement.sql);
        if is_skipped {
            tally.unknown("each privilege", "there is nothing to do");
            continue;
        }
        let of_sequences =
            |it: &Privilege| it.kind == PrivilegeKind::Owner && it.which == Which::OwnedSequences;
        let owns_sequences = told.privileges.iter().any(of_sequences);
        let is_of_function = matches!(statement.node, Node::CreateFunctionStmt(_));
        let unasked = match (privilege.kind, privilege.on) {
            _ if !is_there => Some("there is nothing related"),
            _ if !told.unknown.is_empty() => Some("SQL that is not known"),
            (PrivilegeKind::Execute, _) if !is_query(statement.node) => Some("there are no rows"),
            (PrivilegeKind::Truncate, _) if owns_sequences => {
                Some("the owner of a sequence owns it")
            }
            (PrivilegeKind::Select, _) if statement.node.as_alter_table_stmt().is_some() => {
                Some("no foreign key references it")
            }
            // Of a primary key, those whose columns are not NOT NULL yet.
            (PrivilegeKind::Owner, _) if privilege.which == Which::Descendants => {
                Some("descendants are as they have to be")
            }
            (PrivilegeKind::Owner, "INDEX") => Some("another index of the table"),
            (PrivilegeKind::Owner, _) if is_guarded(statement.node) => Some("nothing to replace"),
            (PrivilegeKind::Usage, "SCHEMA") if is_of_function => Some("bodies are not checked"),
            (PrivilegeKind::Usage, "TYPE") => Some("older releases ask for no types"),
            _ => None,
        };
        if outcome == Outcome::Runs
            && let Some(reason) = unasked
        {
            tally.unknown("each privilege", reason);
            continue;
        }
        let wrong = (outcome == Outcome::Runs && is_there)
            .then(|| format!("without {}: it runs", shortly(privilege)));
        tally.answer("each privilege", wrong, None);
    }
}
