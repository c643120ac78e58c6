//! A script as a server runs it, with the catalog of what it defines so far.

use pg_ast_names::DdlCatalog;

use super::pg::protobuf::TransactionStmtKind as TransKind;
use super::pg::view::TransactionStmt;
use crate::connection::{Fields, Session};

/// A session, and the catalog of what has been defined in it.
pub struct Replay<'s> {
    pub session: &'s mut Session,
    pub catalog: DdlCatalog,
    /// What the catalog was before a transaction, and before each savepoint in it.
    before: Option<DdlCatalog>,
    savepoints: Vec<(String, DdlCatalog)>,
}

impl<'s> Replay<'s> {
    pub fn new(session: &'s mut Session) -> Self {
        let mut replay =
            Self { session, catalog: DdlCatalog::new(), before: None, savepoints: Vec::new() };
        replay.run("SET statement_timeout = '10s'");
        replay
    }

    /// Runs a statement, and returns its error.
    pub fn run(&mut self, sql: &str) -> Option<Fields> {
        self.session.run(&[sql]).pop().flatten()
    }

    /// Runs a statement of a transaction. The catalog becomes what it was before what is undone.
    pub fn run_transaction(&mut self, sql: &str, stmt: TransactionStmt<'_>) {
        let savepoint = stmt.savepoint_name().to_owned();
        let was = self.session.transaction();
        let failed = self.run(sql).is_some();
        let kind = stmt.kind();
        match self.session.transaction() {
            b'I' => {
                let is_undone = was == b'E'
                    || matches!(kind, TransKind::TransStmtRollback | TransKind::TransStmtPrepare);
                if let Some(before) = self.before.take().filter(|_| is_undone) {
                    self.catalog = before;
                }
                self.savepoints.clear();
            }
            _ if was == b'I' => self.before = Some(self.catalog.clone()),
            _ if failed => {}
            _ if kind == TransKind::TransStmtSavepoint => {
                self.savepoints.push((savepoint, self.catalog.clone()));
            }
            _ if kind == TransKind::TransStmtRollbackTo => {
                let mut saved = self.savepoints.iter().rev();
                if let Some((_, then)) = saved.find(|it| it.0 == savepoint) {
                    self.catalog = then.clone();
                }
            }
            _ => {}
        }
    }

    /// Ends a script: the next one begins as in a new session.
    pub fn end_script(&mut self) {
        for sql in ["ROLLBACK", "RESET SESSION AUTHORIZATION", "DISCARD ALL"] {
            self.run(sql);
        }
        self.run("SET statement_timeout = '10s'");
        // A transaction that the script left open.
        if let Some(before) = self.before.take() {
            self.catalog = before;
        }
        self.savepoints.clear();
        self.catalog.set_search_path(["public".to_owned()]);
        self.catalog.clear_schema("pg_temp");
    }
}
