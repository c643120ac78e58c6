//! `pgast catalog`: what a database has, as SQL.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::{Result, bail};
use pg_ast::{ParserOptions, Version, with_version};
use pg_ast_catalog::{SCHEMA_QUERY, SCHEMA_TRANSACTION};
use pg_ast_ide::applied_sql;
use pg_ast_names::{Catalog as _, DdlCatalog};

use super::counted;
use super::list::each_stmt;
use crate::Outcome;
use crate::args::{Catalog as Args, Inputs};
use crate::known_objects::define;
use crate::write::write_or_create;

/// What works with any server.
const BY_PSQL: &str =
    "pgast catalog --query | psql -XAtqv ON_ERROR_STOP=1 -f - \"$URL\" > catalog.sql";

pub(super) fn run(args: &Args, version: Version, out: &mut dyn Write) -> Result<Outcome> {
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
    use postgres::{Client, NoTls, SimpleQueryMessage};

    let ask = || {
        let mut client = Client::connect(url, NoTls)?;
        client.batch_execute(SCHEMA_TRANSACTION)?;
        // Prepared statements would not get through every pool of connections.
        let rows = client.simple_query(SCHEMA_QUERY)?;
        client.batch_execute("COMMIT")?;
        let mut text = String::new();
        for row in &rows {
            if let SimpleQueryMessage::Row(row) = row {
                text += row.try_get(0)?.unwrap_or_default();
                text.push('\n');
            }
        }
        Ok(text)
    };
    ask().map_err(|error: postgres::Error| {
        let why = match error.as_db_error() {
            Some(error) => {
                let parts = [Some(error.message()), error.detail(), error.hint()];
                parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
            }
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
fn of_scripts(args: &Args, version: Version) -> Result<(String, Outcome)> {
    let inputs = Inputs { sql: None, files: args.schema.clone() };
    let mut written = Written::default();
    let mut count = 0;
    let outcome = inputs.each(|mut source| {
        source.text.truncate(applied_sql(&source.text).len());
        let read = each_stmt(&source, version, &args.limits, |sql| {
            count += 1;
            written.add(sql, version, args.limits.options())?;
            Ok(())
        });
        written.catalog.end_script();
        read
    })?;
    let text = written.text(version);
    let kept = written.stmts.iter().filter(|stmt| !stmt.is_path).count();
    let (kept, left) = (counted(kept, "statement"), counted(count - kept, "other"));
    anstream::eprintln!("{kept}; {left} left out, which define nothing");
    Ok((text, outcome))
}

/// The statements that define what there is after scripts: those that a transaction has taken back are not among them.
#[derive(Default)]
struct Written {
    catalog: DdlCatalog,
    stmts: Vec<WrittenStmt>,
}

struct WrittenStmt {
    text: String,
    /// Whether it is none of the scripts, but sets the schemas in which names are looked up.
    is_path: bool,
    /// The schemas in which names are looked up after it.
    path: Vec<String>,
}

impl Written {
    fn add(
        &mut self,
        sql: &str,
        version: Version,
        options: ParserOptions,
    ) -> Result<(), pg_ast::Error> {
        let before = self.catalog.search_path().to_vec();
        let is_kept = is_kept(sql, version, options)?;
        define(&mut self.catalog, version, options, sql)?;
        let path = self.catalog.search_path();
        // Nothing of `SET LOCAL` is left after the transaction.
        let is_local = *path != *before && {
            let mut after = self.catalog.clone();
            after.end_script();
            after.search_path() != path
        };
        if is_kept && !is_local {
            self.set_path(&before, version);
            self.push(sql.trim_end().to_owned(), false);
        }
        self.stmts.truncate(self.catalog.mark());
        Ok(())
    }

    /// Adds a statement that sets the path, where transactions have changed it: none of them is written.
    fn set_path(&mut self, path: &[String], version: Version) {
        let default = DdlCatalog::new();
        let last = self.stmts.last().map_or(default.search_path(), |last| &last.path);
        if last != path {
            let names = path.iter().map(|name| version.quote_identifier(name));
            let names = names.collect::<Vec<_>>().join(", ");
            let names = if names.is_empty() { "''".to_owned() } else { names };
            self.push(format!("SET search_path = {names}"), true);
            if let Some(last) = self.stmts.last_mut() {
                last.path = path.to_vec();
            }
        }
    }

    fn push(&mut self, text: String, is_path: bool) {
        self.stmts.push(WrittenStmt { text, is_path, path: self.catalog.search_path().to_vec() });
        self.catalog.set_mark(self.stmts.len());
    }

    fn text(&mut self, version: Version) -> String {
        let path = self.catalog.search_path().to_vec();
        self.set_path(&path, version);
        let mut text = String::new();
        for stmt in &self.stmts {
            let _ = writeln!(text, "{};", stmt.text);
        }
        text
    }
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
