//! Prints statements; see `print_body`.

use super::body::names_in_scope::push_name;
use super::pg::plpgsql::{
    Condition, CursorArg, Dno, Exception, Expr, Stmt, StmtBlock, StmtCase, StmtDynexecute,
    StmtFetch, StmtGetdiag, StmtIf, StmtOpen, StmtRaise, Stmts,
};
use super::pg::protobuf::FetchDirection;
use super::pg::seam::{diagnostics_item, with_stack};
use super::print_body::BodyPrinter;

/// The bits of a cursor's options that have words, as of PostgreSQL's parsenodes.h.
pub(crate) const CURSOR_OPT_SCROLL: i32 = 0x2;
pub(crate) const CURSOR_OPT_NO_SCROLL: i32 = 0x4;

/// All rows, as of PostgreSQL's parsenodes.h: the largest `long`.
#[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "it has 32 bits on Windows")]
const FETCH_ALL: i64 = core::ffi::c_long::MAX as i64;

/// Returns the place after statements.
fn end_of(stmts: &Stmts) -> i32 {
    let range = stmts.last().and_then(Stmt::range);
    range.and_then(|range| range.end.try_into().ok()).unwrap_or(-1)
}

impl<'a> BodyPrinter<'a> {
    /// Prints a block and what ends it.
    pub(crate) fn block(&mut self, block: &'a StmtBlock, end: &str) {
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
        self.word_after(block.decls.last().map_or(-1, |decl| decl.end), "BEGIN");
        self.stmts(&block.body);
        if let Some(exceptions) = &block.exceptions {
            match exceptions.exc_list.first() {
                Some(first) => self.comments_before(first.location),
                None => self.incomplete("PLpgSQL_exception_block", "exc_list"),
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

    pub(crate) fn label(&mut self, label: Option<&str>) {
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
        // One name may be that of several conditions, which follow each other then.
        let mut of_name: &[Condition] = &[];
        for (index, condition) in handler.conditions.iter().enumerate() {
            let is_other = |it: &Condition| {
                it.condname == condition.condname && it.sqlerrstate != condition.sqlerrstate
            };
            let start = index - of_name.len();
            if index == 0 || !of_name.iter().all(is_other) {
                if index > 0 {
                    self.put(" OR ");
                }
                self.condition(&condition.condname);
                of_name = &handler.conditions[index..=index];
            } else {
                of_name = &handler.conditions[start..=index];
            }
        }
        if handler.conditions.is_empty() {
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
    pub(crate) fn stmts(&mut self, stmts: &'a Stmts) {
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
        let comments = match stmt {
            Stmt::Execsql(stmt) => self.execsql(stmt),
            _ => Vec::new(),
        };
        self.simple_stmt(stmt);
        self.put(";\n");
        for comment in comments {
            self.comment_line(comment);
        }
    }

    /// Prints a statement without others in it, up to its semicolon.
    fn simple_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(stmt) => self.assign(stmt),
            Stmt::Exit(stmt) => {
                self.put(if stmt.is_exit { "EXIT" } else { "CONTINUE" });
                if let Some(label) = &stmt.label {
                    self.put(" ");
                    self.name(label);
                }
                if let Some(cond) = &stmt.cond {
                    self.put(" WHEN ");
                    self.expr(cond, &[]);
                }
            }
            Stmt::Return(stmt) => self.returned("RETURN", stmt.expr.as_ref(), stmt.retvarno),
            Stmt::ReturnNext(stmt) => {
                self.returned("RETURN NEXT", stmt.expr.as_ref(), stmt.retvarno);
            }
            Stmt::ReturnQuery(stmt) => {
                self.put("RETURN QUERY ");
                match (&stmt.query, &stmt.dynquery) {
                    (Some(query), None) if stmt.params.is_empty() => self.expr(query, &[]),
                    (None, Some(query)) => {
                        self.put("EXECUTE ");
                        self.expr(query, &["using"]);
                        self.using(&stmt.params, &[","]);
                    }
                    _ => self.incomplete("PLpgSQL_stmt_return_query", "one query"),
                }
            }
            Stmt::Raise(stmt) => self.raise(stmt),
            Stmt::Assert(stmt) => {
                self.put("ASSERT ");
                self.expr(&stmt.cond, &[","]);
                if let Some(message) = &stmt.message {
                    self.put(", ");
                    self.expr(message, &[]);
                }
            }
            Stmt::Dynexecute(stmt) => self.dynexecute(stmt),
            Stmt::Getdiag(stmt) => self.getdiag(stmt),
            Stmt::Open(stmt) => self.open(stmt),
            Stmt::Fetch(stmt) => self.fetch(stmt),
            Stmt::Close(stmt) => {
                self.put("CLOSE ");
                self.variable(stmt.curvar);
            }
            Stmt::Perform(stmt) => self.perform(&stmt.expr),
            Stmt::Call(stmt) => self.expr(&stmt.expr, &[]),
            Stmt::Commit(stmt) => self.put(if stmt.chain { "COMMIT AND CHAIN" } else { "COMMIT" }),
            Stmt::Rollback(stmt) => {
                self.put(if stmt.chain { "ROLLBACK AND CHAIN" } else { "ROLLBACK" });
            }
            Stmt::Null(_) => self.put("NULL"),
            Stmt::Execsql(_)
            | Stmt::Block(_)
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
        self.expr(&stmt.cond, &["then"]);
        self.put(" THEN\n");
        self.stmts(&stmt.then_body);
        for arm in &stmt.elsif_list {
            self.comments_before(arm.location);
            self.start();
            self.put("ELSIF ");
            self.expr(&arm.cond, &["then"]);
            self.put(" THEN\n");
            self.stmts(&arm.stmts);
        }
        if !stmt.else_body.is_empty() {
            let before = stmt.elsif_list.last().map_or(&stmt.then_body, |arm| &arm.stmts);
            self.word_after(end_of(before), "ELSE");
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
            self.expr(operand, &["when"]);
        }
        self.put("\n");
        self.level += 1;
        for arm in &stmt.case_when_list {
            self.comments_before(arm.location);
            self.start();
            self.put("WHEN ");
            self.expr(&arm.written, &["then"]);
            self.put(" THEN\n");
            self.stmts(&arm.stmts);
        }
        self.excess(
            !stmt.have_else && !stmt.else_stmts.is_empty(),
            "PLpgSQL_stmt_case",
            "else_stmts, not have_else,",
        );
        if stmt.have_else {
            self.word_after(
                stmt.case_when_list.last().map_or(-1, |arm| end_of(&arm.stmts)),
                "ELSE",
            );
            self.stmts(&stmt.else_stmts);
        }
        self.level -= 1;
        self.last_comments(stmt.end);
        self.line("END CASE;");
    }

    fn dynexecute(&mut self, stmt: &'a StmtDynexecute) {
        let kind = "PLpgSQL_stmt_dynexecute";
        self.put("EXECUTE ");
        self.expr(&stmt.query, &["into", "using"]);
        match &stmt.target {
            Some(target) if stmt.into => {
                self.put(if stmt.strict { " INTO STRICT " } else { " INTO " });
                self.target(target);
            }
            None if stmt.into => self.incomplete(kind, "target"),
            target => {
                self.excess(target.is_some() || stmt.strict, kind, "a target, not into,");
            }
        }
        self.using(&stmt.params, &[",", "into"]);
    }

    fn returned(&mut self, words: &str, expr: Option<&'a Expr>, variable: Option<Dno>) {
        self.put(words);
        let output = self.function.out_param_varno;
        self.excess(expr.is_some() && variable.is_some(), words, "an expression and a variable");
        if let Some(expr) = expr {
            self.put(" ");
            self.expr(expr, &[]);
        } else if output.is_none()
            && let Some(variable) = variable
        {
            self.put(" ");
            self.variable(variable);
        } else {
            self.excess(variable.is_some() && variable != output, words, "another OUT variable");
        }
    }

    fn raise(&mut self, stmt: &'a StmtRaise) {
        let kind = "PLpgSQL_stmt_raise";
        self.put("RAISE");
        self.excess(
            stmt.condname.is_some() && stmt.message.is_some(),
            kind,
            "condname and message",
        );
        self.excess(stmt.message.is_none() && !stmt.params.is_empty(), kind, "params, no message,");
        let is_bare = stmt.condname.is_none() && stmt.message.is_none() && stmt.options.is_empty();
        // The levels of PostgreSQL's elog.h.
        match stmt.elog_level {
            21 if is_bare => return,
            14 => self.put(" DEBUG"),
            15 => self.put(" LOG"),
            17 => self.put(" INFO"),
            18 => self.put(" NOTICE"),
            19 => self.put(" WARNING"),
            21 => self.put(" EXCEPTION"),
            level => self.excess(true, kind, &format!("elog_level {level}")),
        }
        if is_bare {
            self.incomplete(kind, "message");
        }
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
            self.exprs(&stmt.params, &[",", "using"]);
        }
        for (index, option) in stmt.options.iter().enumerate() {
            self.put(if index == 0 { " USING " } else { ", " });
            self.put(option.opt_type.name().trim_start_matches("PLPGSQL_RAISEOPTION_"));
            self.put(" = ");
            self.expr(&option.expr, &[","]);
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
            self.put(" = ");
            self.put(diagnostics_item(item.kind));
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
        let kind = "PLpgSQL_stmt_open";
        let is_bound = stmt.query.is_none() && stmt.dynquery.is_none();
        self.excess(is_bound && !scroll.is_empty(), kind, "cursor_options, no query,");
        self.excess(!is_bound && !stmt.args.is_empty(), kind, "args and a query");
        self.excess(
            stmt.dynquery.is_none() && !stmt.params.is_empty(),
            kind,
            "params, no dynquery,",
        );
        match (&stmt.query, &stmt.dynquery) {
            (Some(query), None) => {
                self.put(scroll);
                self.put(" FOR ");
                self.expr(query, &[]);
            }
            (None, Some(query)) => {
                self.put(scroll);
                self.put(" FOR EXECUTE ");
                self.expr(query, &["using"]);
                self.using(&stmt.params, &[","]);
            }
            (None, None) => self.args(&stmt.args),
            (Some(_), Some(_)) => self.excess(true, kind, "query and dynquery"),
        }
    }

    pub(crate) fn args(&mut self, args: &'a [CursorArg]) {
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
            self.expr(&arg.expr, &[","]);
        }
        self.put(")");
    }

    fn fetch(&mut self, stmt: &'a StmtFetch) {
        self.put(if stmt.is_move { "MOVE " } else { "FETCH " });
        let kind = "PLpgSQL_stmt_fetch";
        let word = match (stmt.direction, &stmt.expr, stmt.how_many) {
            (FetchDirection::FetchForward, Some(_), 1) => "FORWARD ",
            (FetchDirection::FetchForward, None, FETCH_ALL) => "FORWARD ALL",
            (FetchDirection::FetchForward, None, 1) => "NEXT",
            (FetchDirection::FetchBackward, Some(_), 1) => "BACKWARD ",
            (FetchDirection::FetchBackward, None, FETCH_ALL) => "BACKWARD ALL",
            (FetchDirection::FetchBackward, None, 1) => "PRIOR",
            (FetchDirection::FetchAbsolute, Some(_), 1) => "ABSOLUTE ",
            (FetchDirection::FetchAbsolute, None, -1) => "LAST",
            (FetchDirection::FetchAbsolute, None, 1) => "FIRST",
            (FetchDirection::FetchRelative, Some(_), 1) => "RELATIVE ",
            _ => {
                self.excess(true, kind, "this direction, expr and how_many");
                ""
            }
        };
        self.put(word);
        if let Some(expr) = &stmt.expr {
            self.expr(expr, &["from", "in"]);
        }
        self.put(" FROM ");
        self.variable(stmt.curvar);
        match &stmt.target {
            Some(target) if !stmt.is_move => {
                self.put(" INTO ");
                self.target(target);
            }
            None if !stmt.is_move => self.incomplete(kind, "target"),
            target => self.excess(target.is_some(), kind, "is_move and a target"),
        }
    }
}
