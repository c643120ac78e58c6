//! Prints declarations; see `print_body`.

use super::pg::NodeEnum;
use super::pg::plpgsql::{DataType, Datum, Decl, DeclType, Expr, Var};
use super::print_body::BodyPrinter;
use super::print_stmts::{CURSOR_OPT_NO_SCROLL, CURSOR_OPT_SCROLL};

impl<'a> BodyPrinter<'a> {
    /// Prints a declaration, without its semicolon.
    pub(crate) fn decl(&mut self, decl: &'a Decl) {
        let Some(datum) = self.function.datum(decl.dno) else {
            return self.incomplete("PLpgSQL_decl", "dno");
        };
        self.name(&decl.name);
        if decl.kind != DeclType::Alias && decl.name != datum.name() {
            self.refuse(&format!("the variable {} is declared as {}", datum.name(), decl.name));
        }
        match (decl.kind, datum) {
            (DeclType::Alias, _) => {
                self.put(" ALIAS FOR ");
                self.variable(decl.dno);
            }
            (DeclType::Cursor, Datum::Var(var)) => self.cursor(var),
            (DeclType::Variable, Datum::Var(var)) if var.cursor_explicit_expr.is_none() => {
                let rest = (var.notnull, var.default_val.as_ref());
                self.declared(var.isconst, Some(&var.datatype), rest);
            }
            (DeclType::Variable, Datum::Rec(rec)) => {
                let rest = (rec.notnull, rec.default_val.as_ref());
                self.declared(rec.isconst, rec.datatype.as_ref(), rest);
            }
            _ => self.incomplete("PLpgSQL_decl", "a variable of its kind"),
        }
        self.names.declare(decl.dno, &decl.name);
    }

    fn declared(
        &mut self,
        is_const: bool,
        datatype: Option<&'a DataType>,
        (not_null, default): (bool, Option<&'a Expr>),
    ) {
        if is_const {
            self.put(" CONSTANT");
        }
        self.put(" ");
        match datatype {
            Some(datatype) if !datatype.text.is_empty() => {
                self.type_text(&datatype.text, [datatype.location, datatype.end]);
                for (index, node) in datatype.collation_name.iter().enumerate() {
                    self.put(if index == 0 { " COLLATE " } else { "." });
                    if let Some(NodeEnum::String(name)) = &node.node {
                        self.name(&name.sval);
                    }
                }
            }
            _ => self.incomplete("PLpgSQL_type", "text"),
        }
        if not_null {
            self.put(" NOT NULL");
        }
        if let Some(default) = default {
            self.put(" := ");
            self.expr(default, &[]);
        }
    }

    fn cursor(&mut self, var: &'a Var) {
        let has_more = var.isconst || var.notnull || var.default_val.is_some();
        self.excess(has_more, "PLpgSQL_var", "a query and a value");
        if var.cursor_options & CURSOR_OPT_NO_SCROLL != 0 {
            self.put(" NO SCROLL");
        } else if var.cursor_options & CURSOR_OPT_SCROLL != 0 {
            self.put(" SCROLL");
        }
        self.put(" CURSOR");
        if let Some(Datum::Row(row)) =
            var.cursor_explicit_argrow.and_then(|dno| self.function.datum(dno))
        {
            self.put(" (");
            for (index, dno) in row.varnos.iter().enumerate() {
                if index > 0 {
                    self.put(", ");
                }
                let datum = self.function.datum(*dno);
                let datatype = match datum {
                    Some(Datum::Var(var)) => Some(&var.datatype),
                    Some(Datum::Rec(rec)) => rec.datatype.as_ref(),
                    _ => None,
                };
                self.name(datum.map_or("", Datum::name));
                self.declared(false, datatype, (false, None));
            }
            self.put(")");
        }
        self.put(" FOR ");
        match &var.cursor_explicit_expr {
            Some(query) => self.expr(query, &[]),
            None => self.incomplete("PLpgSQL_var", "cursor_explicit_expr"),
        }
    }
}
