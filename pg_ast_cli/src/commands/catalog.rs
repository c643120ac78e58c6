//! `pgast catalog`: what a database has, as SQL.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::{Result, bail};
use pg_ast::{ParserOptions, Version, with_version};
use pg_ast_catalog::{SCHEMA_QUERY, SCHEMA_TRANSACTION};
use pg_ast_names::DdlCatalog;

use super::counted;
use super::list::each_stmt;
use crate::Outcome;
use crate::args::{Catalog, Inputs};
use crate::known_objects::define;
use crate::write::write_or_create;

/// What works with any server.
const BY_PSQL: &str = "pgast catalog --query | psql -XAtq -f - \"$URL\" > catalog.sql";

pub(super) fn run(args: &Catalog, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    let (text, outcome) = if args.query {
        (format!("{SCHEMA_TRANSACTION}{SCHEMA_QUERY}COMMIT;\n"), Outcome::Fine)
    } else if let Some(url) = &args.server {
        (of_server(url)?, Outcome::Fine)
    } else {
        of_scripts(args, version)?
    };
    if outcome != Outcome::Fine {
        anstream::eprintln!("no catalog is written, since statements are wrong");
        return Ok(outcome);
    }
    if !args.query {
        check(&text, version, args.limits.options())?;
    }
    match &args.output {
        Some(path) => write_or_create(path, &text)?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(Outcome::Fine)
}

/// Reads a catalog as those do who are passed it.
fn check(text: &str, version: Version, options: ParserOptions) -> Result<()> {
    let mut catalog = DdlCatalog::new();
    for stmt in version.parse_script_with(text, options) {
        let sql = &text[stmt.range.clone()];
        let defined = match stmt.result {
            Ok(_) => define(&mut catalog, version, options, sql),
            Err(error) => Err(error),
        };
        if let Err(error) = defined {
            let line = text[..stmt.range.start].matches('\n').count() + 1;
            bail!(
                "no catalog is written: PostgreSQL {version} (see --pg) does not accept its line {line}: {}",
                error.message()
            );
        }
    }
    Ok(())
}

#[cfg(feature = "server")]
fn of_server(url: &str) -> Result<String> {
    use anyhow::anyhow;
    use postgres::{Client, NoTls};

    let ask = || {
        let mut client = Client::connect(url, NoTls)?;
        client.batch_execute(SCHEMA_TRANSACTION)?;
        let rows = client.query(SCHEMA_QUERY, &[])?;
        client.batch_execute("COMMIT")?;
        let lines = rows.iter().map(|row| row.try_get::<_, String>(0));
        let mut text = lines.collect::<Result<Vec<_>, _>>()?.join("\n");
        text.push('\n');
        Ok(text)
    };
    ask().map_err(|error: postgres::Error| {
        let why = match error.as_db_error() {
            Some(error) => error.message().to_owned(),
            None => {
                let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source());
                causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
            }
        };
        anyhow!("cannot ask the server: {why}\nwith TLS, a service or a password file, psql can ask it: {BY_PSQL}")
    })
}

#[cfg(not(feature = "server"))]
fn of_server(_: &str) -> Result<String> {
    bail!("this program is built without the feature `server`; psql can ask it: {BY_PSQL}")
}

/// Returns what scripts define, as they write it.
fn of_scripts(args: &Catalog, version: Version) -> Result<(String, Outcome)> {
    let inputs = Inputs { sql: None, files: args.schema.clone() };
    let (mut text, mut kept, mut left) = (String::new(), 0, 0);
    let outcome = inputs.each(|source| {
        each_stmt(&source, version, &args.limits, |sql| {
            if is_kept(sql, version, args.limits.options())? {
                kept += 1;
                let _ = writeln!(text, "{};", sql.trim_end());
            } else {
                left += 1;
            }
            Ok(())
        })
    })?;
    let (kept, left) = (counted(kept, "statement"), counted(left, "other"));
    anstream::eprintln!("{kept}; {left} left out, which define nothing");
    Ok((text, outcome))
}

/// Returns whether a statement defines, changes or drops something that has a name, or says where names are looked up.
fn is_kept(sql: &str, version: Version, options: ParserOptions) -> Result<bool, pg_ast::Error> {
    let is_kept = with_version!(version, pg => {
        use pg::view::Node;
        let tree = pg::view::parse_with(sql, options)?;
        tree.stmts().filter_map(pg::view::RawStmt::stmt).any(|stmt| match stmt {
            Node::SelectStmt(select) => select.into_clause().is_some() || sql.contains("search_path"),
            Node::VariableSetStmt(set) => set.name() == "search_path",
            Node::InsertStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) | Node::MergeStmt(_) | Node::CopyStmt(_)
            | Node::ExplainStmt(_) | Node::CallStmt(_) | Node::ExecuteStmt(_) | Node::PrepareStmt(_)
            | Node::DeallocateStmt(_) | Node::DeclareCursorStmt(_) | Node::FetchStmt(_) | Node::ClosePortalStmt(_)
            | Node::VacuumStmt(_) | Node::LoadStmt(_) | Node::CreatedbStmt(_) | Node::DropdbStmt(_)
            | Node::CreateTableSpaceStmt(_) | Node::AlterSystemStmt(_) | Node::ReindexStmt(_) | Node::ClusterStmt(_)
            | Node::NotifyStmt(_) | Node::ListenStmt(_) | Node::UnlistenStmt(_) | Node::CheckPointStmt(_)
            | Node::LockStmt(_) | Node::TransactionStmt(_) | Node::DiscardStmt(_) | Node::VariableShowStmt(_)
            | Node::RefreshMatViewStmt(_) | Node::TruncateStmt(_) | Node::ConstraintsSetStmt(_) => false,
            _ => true,
        })
    });
    Ok(is_kept)
}
