//! Prints loops; see `print_body`.

use super::pg::plpgsql::{Datum, Dno, Stmt, Stmts, Target};
use super::print_body::BodyPrinter;

impl<'a> BodyPrinter<'a> {
    /// Prints a statement that is a loop.
    pub(crate) fn a_loop(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Loop(stmt) => {
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |_| {});
            }
            Stmt::While(stmt) => {
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |out| {
                    out.put("WHILE ");
                    out.expr(&stmt.cond, &["loop"]);
                    out.put(" ");
                });
            }
            Stmt::Fori(stmt) => {
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |out| {
                    out.put("FOR ");
                    out.own_variable(stmt.var);
                    out.put(if stmt.reverse != 0 { " IN REVERSE " } else { " IN " });
                    out.expr(&stmt.lower, &["..", "loop"]);
                    out.put(" .. ");
                    out.expr(&stmt.upper, &["by", "loop"]);
                    if let Some(step) = &stmt.step {
                        out.put(" BY ");
                        out.expr(step, &["loop"]);
                    }
                    out.put(" ");
                });
            }
            Stmt::Fors(stmt) => {
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |out| {
                    out.put("FOR ");
                    out.target(&stmt.var);
                    out.put(" IN ");
                    out.expr(&stmt.query, &["..", "loop"]);
                    out.put(" ");
                });
            }
            Stmt::Forc(stmt) => {
                // Before the loop's own variable, which may have the same name.
                let cursor = self.apart(|out| {
                    out.variable(stmt.curvar);
                    out.args(&stmt.args);
                });
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |out| {
                    out.put("FOR ");
                    match &stmt.var {
                        Target::Record(dno) => out.own_variable(*dno),
                        Target::List(_) => out.incomplete("PLpgSQL_stmt_forc", "var"),
                    }
                    out.put(" IN ");
                    out.put(&cursor);
                    out.put(" ");
                });
            }
            Stmt::Dynfors(stmt) => {
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |out| {
                    out.put("FOR ");
                    out.target(&stmt.var);
                    out.put(" IN EXECUTE ");
                    out.expr(&stmt.query, &["loop", "using"]);
                    out.using(&stmt.params, &[",", "loop"]);
                    out.put(" ");
                });
            }
            Stmt::ForeachA(stmt) => {
                self.loop_stmt(stmt.label.as_deref(), &stmt.body, stmt.end, |out| {
                    out.put("FOREACH ");
                    match out.function.datum(stmt.varno) {
                        Some(Datum::Row(row)) => out.target(&Target::List(row.varnos.clone())),
                        _ => out.variable(stmt.varno),
                    }
                    if stmt.slice != 0 {
                        out.put(&format!(" SLICE {}", stmt.slice));
                    }
                    out.put(" IN ARRAY ");
                    out.expr(&stmt.expr, &["loop"]);
                    out.put(" ");
                });
            }
            _ => {}
        }
    }

    fn loop_stmt(
        &mut self,
        label: Option<&'a str>,
        body: &'a Stmts,
        end: i32,
        head: impl FnOnce(&mut Self),
    ) {
        self.names.open(label);
        self.label(label);
        self.start();
        head(self);
        self.put("LOOP\n");
        self.stmts(body);
        self.last_comments(end);
        self.start();
        self.put("END LOOP");
        if let Some(label) = label {
            self.put(" ");
            self.name(label);
        }
        self.put(";\n");
        self.names.close();
    }

    /// Prints the variable that a loop declares.
    fn own_variable(&mut self, dno: Dno) {
        self.names.declare_by_its_name(dno);
        self.name(self.function.variable_name(dno).unwrap_or_default());
    }
}
