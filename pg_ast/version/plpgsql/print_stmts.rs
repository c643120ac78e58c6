//! Prints statements; see `print_body`.

use super::super::super::plpgsql_tree::{
    CursorArg, Exception, Expr, Stmt, StmtBlock, StmtCase, StmtExecsql, StmtFetch, StmtGetdiag,
    StmtIf, StmtOpen, StmtRaise,
};
use super::names::protobuf::FetchDirection;
use super::names_in_scope::push_name;
use super::print_body::{BodyPrinter, with_into};
use super::{Dno, Stmts};
use crate::foundation::stack::with_stack;

/// The bits of a cursor's options that have words, as of PostgreSQL's parsenodes.h.
pub(super) const CURSOR_OPT_SCROLL: i32 = 0x2;
pub(super) const CURSOR_OPT_NO_SCROLL: i32 = 0x4;

/// All rows, as of PostgreSQL's parsenodes.h: the largest `long`.
#[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "it has 32 bits on Windows")]
const FETCH_ALL: i64 = core::ffi::c_long::MAX as i64;

impl<'a> BodyPrinter<'a> {
    /// Prints a block and what ends it.
    pub(super) fn block(&mut self, block: &'a StmtBlock, end: &str) {
        self.names.open(block.label.as_deref());
        self.label(block.label.as_deref());
        if !block.decls.is_empty() {
            self.line("DECLARE");
            self.level += 1;
            for decl in &block.decls {
                self.comments_before(decl.location);
                self.start();
                self.decl(decl);
                self.put(";\n");
            }
            self.level -= 1;
        }
        self.line("BEGIN");
        self.stmts(&block.body);
        if let Some(exceptions) = &block.exceptions {
            if let Some(first) = exceptions.exc_list.first() {
                self.comments_before(first.location);
            }
            self.line("EXCEPTION");
            self.names.declare_by_its_name(exceptions.sqlstate_varno);
            self.names.declare_by_its_name(exceptions.sqlerrm_varno);
            self.level += 1;
            for handler in &exceptions.exc_list {
                self.comments_before(handler.location);
                self.handler(handler);
            }
            self.level -= 1;
        }
        self.last_comments(block.end);
        self.start();
        self.put("END");
        self.put(end);
        self.put("\n");
        self.names.close();
    }

    pub(super) fn label(&mut self, label: Option<&str>) {
        if let Some(label) = label {
            self.start();
            self.put("<<");
            self.name(label);
            self.put(">>\n");
        }
    }

    fn handler(&mut self, handler: &'a Exception) {
        self.start();
        self.put("WHEN ");
        // One name may be that of several conditions.
        let mut before = None;
        for condition in &handler.conditions {
            let name = condition.condname.as_str();
            if before != Some(name) {
                if before.is_some() {
                    self.put(" OR ");
                }
                self.condition(name);
            }
            before = Some(name);
        }
        if before.is_none() {
            self.incomplete("PLpgSQL_exception", "conditions");
        }
        self.put(" THEN\n");
        self.stmts(&handler.action);
    }

    /// Prints the name of a condition, or its code.
    fn condition(&mut self, name: &str) {
        if name.len() == 5
            && name.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        {
            self.put("SQLSTATE ");
            self.literal(name);
        } else {
            self.name(name);
        }
    }

    /// Prints statements, one level deeper.
    pub(super) fn stmts(&mut self, stmts: &'a Stmts) {
        self.level += 1;
        for stmt in stmts {
            self.comments_before(
                stmt.range().map_or(-1, |range| range.start.try_into().unwrap_or(i32::MAX)),
            );
            with_stack(|| self.stmt(stmt));
        }
        self.level -= 1;
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Block(block) => {
                let end = block.label.as_deref().map_or(String::new(), |label| {
                    let mut end = " ".to_owned();
                    push_name(&mut end, label);
                    end
                });
                return self.block(block, &(end + ";"));
            }
            Stmt::If(stmt) => return self.if_stmt(stmt),
            Stmt::Case(stmt) => return self.case_stmt(stmt),
            Stmt::Loop(_)
            | Stmt::While(_)
            | Stmt::Fori(_)
            | Stmt::Fors(_)
            | Stmt::Forc(_)
            | Stmt::Dynfors(_)
            | Stmt::ForeachA(_) => return self.a_loop(stmt),
            _ => {}
        }
        self.start();
        self.simple_stmt(stmt);
        self.put(";\n");
    }

    /// Prints a statement without others in it, up to its semicolon.
    fn simple_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(stmt) => self.expr(&stmt.expr),
            Stmt::Exit(stmt) => {
                self.put(if stmt.is_exit { "EXIT" } else { "CONTINUE" });
                if let Some(label) = &stmt.label {
                    self.put(" ");
                    self.name(label);
                }
                if let Some(cond) = &stmt.cond {
                    self.put(" WHEN ");
                    self.expr(cond);
                }
            }
            Stmt::Return(stmt) => self.returned("RETURN", stmt.expr.as_ref(), stmt.retvarno),
            Stmt::ReturnNext(stmt) => {
                self.returned("RETURN NEXT", stmt.expr.as_ref(), stmt.retvarno);
            }
            Stmt::ReturnQuery(stmt) => {
                self.put("RETURN QUERY ");
                match (&stmt.query, &stmt.dynquery) {
                    (Some(query), None) => self.expr(query),
                    (None, Some(query)) => {
                        self.put("EXECUTE ");
                        self.expr(query);
                        self.using(&stmt.params);
                    }
                    _ => self.incomplete("PLpgSQL_stmt_return_query", "one query"),
                }
            }
            Stmt::Raise(stmt) => self.raise(stmt),
            Stmt::Assert(stmt) => {
                self.put("ASSERT ");
                self.expr(&stmt.cond);
                if let Some(message) = &stmt.message {
                    self.put(", ");
                    self.expr(message);
                }
            }
            Stmt::Execsql(stmt) => self.execsql(stmt),
            Stmt::Dynexecute(stmt) => {
                self.put("EXECUTE ");
                self.expr(&stmt.query);
                if stmt.into
                    && let Some(target) = &stmt.target
                {
                    self.put(if stmt.strict { " INTO STRICT " } else { " INTO " });
                    self.target(target);
                }
                self.using(&stmt.params);
            }
            Stmt::Getdiag(stmt) => self.getdiag(stmt),
            Stmt::Open(stmt) => self.open(stmt),
            Stmt::Fetch(stmt) => self.fetch(stmt),
            Stmt::Close(stmt) => {
                self.put("CLOSE ");
                self.variable(stmt.curvar);
            }
            Stmt::Perform(stmt) => {
                let is_select = |query: &str| {
                    query.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"))
                };
                if !is_select(&stmt.expr.query) {
                    self.incomplete("PLpgSQL_stmt_perform", "a query that begins with SELECT");
                }
                self.expr_with(&stmt.expr, |query| {
                    format!("PERFORM{}", query.get(6..).unwrap_or_default())
                });
            }
            Stmt::Call(stmt) => self.expr(&stmt.expr),
            Stmt::Commit(stmt) => self.put(if stmt.chain { "COMMIT AND CHAIN" } else { "COMMIT" }),
            Stmt::Rollback(stmt) => {
                self.put(if stmt.chain { "ROLLBACK AND CHAIN" } else { "ROLLBACK" });
            }
            Stmt::Null(_) => self.put("NULL"),
            Stmt::Block(_)
            | Stmt::If(_)
            | Stmt::Case(_)
            | Stmt::Loop(_)
            | Stmt::While(_)
            | Stmt::Fori(_)
            | Stmt::Fors(_)
            | Stmt::Forc(_)
            | Stmt::Dynfors(_)
            | Stmt::ForeachA(_) => {}
        }
    }

    fn if_stmt(&mut self, stmt: &'a StmtIf) {
        self.start();
        self.put("IF ");
        self.expr(&stmt.cond);
        self.put(" THEN\n");
        self.stmts(&stmt.then_body);
        for arm in &stmt.elsif_list {
            self.comments_before(arm.location);
            self.start();
            self.put("ELSIF ");
            self.expr(&arm.cond);
            self.put(" THEN\n");
            self.stmts(&arm.stmts);
        }
        if !stmt.else_body.is_empty() {
            self.line("ELSE");
            self.stmts(&stmt.else_body);
        }
        self.last_comments(stmt.end);
        self.line("END IF;");
    }

    fn case_stmt(&mut self, stmt: &'a StmtCase) {
        self.start();
        self.put("CASE");
        if let Some(operand) = &stmt.t_expr {
            self.put(" ");
            self.expr(operand);
        }
        self.put("\n");
        self.level += 1;
        for arm in &stmt.case_when_list {
            self.comments_before(arm.location);
            self.start();
            self.put("WHEN ");
            self.expr(&arm.written);
            self.put(" THEN\n");
            self.stmts(&arm.stmts);
        }
        if stmt.have_else {
            self.line("ELSE");
            self.stmts(&stmt.else_stmts);
        }
        self.level -= 1;
        self.last_comments(stmt.end);
        self.line("END CASE;");
    }

    fn returned(&mut self, words: &str, expr: Option<&'a Expr>, variable: Option<Dno>) {
        self.put(words);
        if let Some(expr) = expr {
            self.put(" ");
            self.expr(expr);
        } else if let Some(variable) = variable
            && self.function.out_param_varno.is_none()
        {
            self.put(" ");
            self.variable(variable);
        }
    }

    fn raise(&mut self, stmt: &'a StmtRaise) {
        self.put("RAISE");
        if stmt.condname.is_none() && stmt.message.is_none() && stmt.options.is_empty() {
            return;
        }
        // The levels of PostgreSQL's elog.h.
        self.put(match stmt.elog_level {
            14 => " DEBUG",
            15 => " LOG",
            17 => " INFO",
            18 => " NOTICE",
            19 => " WARNING",
            _ => " EXCEPTION",
        });
        if let Some(name) = &stmt.condname {
            self.put(" ");
            self.condition(name);
        }
        if let Some(message) = &stmt.message {
            self.put(" ");
            self.literal(message);
        }
        if !stmt.params.is_empty() {
            self.put(", ");
            self.exprs(&stmt.params);
        }
        for (index, option) in stmt.options.iter().enumerate() {
            self.put(if index == 0 { " USING " } else { ", " });
            self.put(option.opt_type.name().trim_start_matches("PLPGSQL_RAISEOPTION_"));
            self.put(" = ");
            self.expr(&option.expr);
        }
    }

    fn execsql(&mut self, stmt: &'a StmtExecsql) {
        let Some(target) = stmt.target.as_ref().filter(|_| stmt.into) else {
            return self.expr(&stmt.sqlstmt);
        };
        let into = self.apart(|out| {
            out.put(if stmt.strict { "INTO STRICT " } else { "INTO " });
            out.target(target);
        });
        let indent = self.apart(|out| {
            out.level += 1;
            out.start();
            out.level -= 1;
        });
        let mut is_known = true;
        self.expr_with(&stmt.sqlstmt, |query| {
            let query = with_into(query, &into, &indent);
            is_known = query.is_some();
            query.unwrap_or_default()
        });
        if !is_known {
            self.incomplete("PLpgSQL_stmt_execsql", "a query in SQL");
        }
    }

    fn getdiag(&mut self, stmt: &'a StmtGetdiag) {
        self.put(if stmt.is_stacked { "GET STACKED DIAGNOSTICS " } else { "GET DIAGNOSTICS " });
        if stmt.diag_items.is_empty() {
            self.incomplete("PLpgSQL_stmt_getdiag", "diag_items");
        }
        for (index, item) in stmt.diag_items.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.variable(item.target);
            let name = item.kind.name().trim_start_matches("PLPGSQL_GETDIAG_");
            self.put(" = ");
            self.put(match name {
                "ROUTINE_OID" => "PG_ROUTINE_OID",
                "CONTEXT" => "PG_CONTEXT",
                "ERROR_CONTEXT" => "PG_EXCEPTION_CONTEXT",
                "ERROR_DETAIL" => "PG_EXCEPTION_DETAIL",
                "ERROR_HINT" => "PG_EXCEPTION_HINT",
                "DATATYPE_NAME" => "PG_DATATYPE_NAME",
                name => name,
            });
        }
    }

    fn open(&mut self, stmt: &'a StmtOpen) {
        self.put("OPEN ");
        self.variable(stmt.curvar);
        let scroll = if stmt.cursor_options & CURSOR_OPT_NO_SCROLL != 0 {
            " NO SCROLL"
        } else if stmt.cursor_options & CURSOR_OPT_SCROLL != 0 {
            " SCROLL"
        } else {
            ""
        };
        match (&stmt.query, &stmt.dynquery) {
            (Some(query), _) => {
                self.put(scroll);
                self.put(" FOR ");
                self.expr(query);
            }
            (None, Some(query)) => {
                self.put(scroll);
                self.put(" FOR EXECUTE ");
                self.expr(query);
                self.using(&stmt.params);
            }
            (None, None) => self.args(&stmt.args),
        }
    }

    pub(super) fn args(&mut self, args: &'a [CursorArg]) {
        if args.is_empty() {
            return;
        }
        self.put("(");
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            if let Some(name) = &arg.name {
                self.name(name);
                self.put(" := ");
            }
            self.expr(&arg.expr);
        }
        self.put(")");
    }

    fn fetch(&mut self, stmt: &'a StmtFetch) {
        self.put(if stmt.is_move { "MOVE " } else { "FETCH " });
        let is_all = stmt.how_many == FETCH_ALL;
        let word = match (stmt.direction, &stmt.expr, stmt.how_many) {
            (FetchDirection::FetchForward, Some(_), _) => "FORWARD ",
            (FetchDirection::FetchForward, None, _) if is_all => "FORWARD ALL",
            (FetchDirection::FetchForward, None, _) => "NEXT",
            (FetchDirection::FetchBackward, Some(_), _) => "BACKWARD ",
            (FetchDirection::FetchBackward, None, _) if is_all => "BACKWARD ALL",
            (FetchDirection::FetchBackward, None, _) => "PRIOR",
            (FetchDirection::FetchAbsolute, Some(_), _) => "ABSOLUTE ",
            (FetchDirection::FetchAbsolute, None, -1) => "LAST",
            (FetchDirection::FetchAbsolute, None, _) => "FIRST",
            (FetchDirection::FetchRelative, Some(_), _) => "RELATIVE ",
            _ => {
                self.incomplete("PLpgSQL_stmt_fetch", "direction");
                ""
            }
        };
        self.put(word);
        if let Some(expr) = &stmt.expr {
            self.expr(expr);
        }
        self.put(" FROM ");
        self.variable(stmt.curvar);
        if let Some(target) = stmt.target.as_ref().filter(|_| !stmt.is_move) {
            self.put(" INTO ");
            self.target(target);
        }
    }
}
