//! The bodies of functions in PL/pgSQL: what is at a place in one, and its parts.

use core::ops::Range;

use pg_ast::NodeRef;
use pg_ast::plpgsql::{self, Datum, Decl, DeclType, Dno, Function, Part};
use pg_ast::view::Node;

use crate::catalog::Catalog;
use crate::document::{Stmt, one_line};

/// A compiled function, or `DO`, of a document.
pub(crate) struct Body {
    function: Function,
    /// Where its statement begins in the document: the places of its parts count from there.
    start: usize,
}

impl Body {
    /// Returns the function that a statement creates or runs, if it is a valid one in PL/pgSQL.
    pub(crate) fn of(text: &str, stmt: &Stmt) -> Option<Self> {
        let node = stmt.tree.as_ref()?.stmts().next()?.stmt()?;
        if !matches!(node, Node::CreateFunctionStmt(_) | Node::DoStmt(_)) {
            return None;
        }
        let sql = text.get(stmt.range.clone())?;
        let parsed = plpgsql::parse(sql).ok()?;
        let function = parsed.functions.into_iter().next()?.function.ok()?;
        Some(Self { function, start: stmt.range.start })
    }

    /// Returns the range of a part in the document.
    fn place(&self, range: Option<Range<usize>>) -> Option<Range<usize>> {
        range.map(|range| self.start + range.start..self.start + range.end)
    }

    /// Returns the ranges of blocks, statements, declarations, handlers and expressions, the outer ones first.
    pub(crate) fn regions(&self) -> impl Iterator<Item = Range<usize>> {
        self.function.parts().filter_map(|part| self.place(part.range()))
    }

    /// Returns the ranges of the statements.
    pub(crate) fn stmts(&self) -> impl Iterator<Item = Range<usize>> {
        let stmts = self.function.parts().filter(|part| part.is_stmt());
        stmts.filter_map(|part| self.place(part.range()))
    }

    /// Returns parameters, and what the blocks declare: each with its name, its type, and its place.
    pub(crate) fn names(&self) -> Vec<Named> {
        let params = self.function.params.iter().filter_map(|param| {
            let place = self.place(span(param.location, param.end))?;
            let name = param.name.clone()?;
            Some(Named { name, kind: "parameter", of_type: param.datatype.text.clone(), place })
        });
        let decls = self.function.parts().filter_map(|part| match part {
            Part::Decl(decl) => Some(Named {
                name: decl.name.clone(),
                kind: kind(decl),
                of_type: self.type_of(decl.dno),
                place: self.place(decl.range())?,
            }),
            _ => None,
        });
        params.chain(decls).collect()
    }

    /// Explains what is at a place of the document: returns Markdown, and the range that it is about.
    pub(crate) fn explain(
        &self,
        text: &str,
        catalog: &Catalog,
        offset: usize,
    ) -> Option<(String, Range<usize>)> {
        let at = offset.checked_sub(self.start)?;
        let innermost = self.innermost(at)?;
        let word = word_at(text, offset);
        let name = text.get(word.clone()).unwrap_or_default();
        if let Some(dno) = self.variable(name, word.start.checked_sub(self.start)?, innermost) {
            let shown = format!("**variable** `{name}` {}", one_line(&self.type_of(dno), 80));
            return Some((shown.trim_end().to_owned(), word));
        }
        let table = self.function.nodes().find_map(|node| match node {
            NodeRef::RangeVar(table) => {
                let is_here = usize::try_from(table.location).is_ok_and(|place| {
                    let end = place + table.schemaname.len() + table.relname.len() + 1;
                    (place..=end).contains(&at)
                });
                (is_here && table.relname == name.to_lowercase()).then_some(table)
            }
            _ => None,
        });
        if let Some(table) = table {
            let table = catalog.table(&table.schemaname, &table.relname)?;
            return Some((format!("**table** `{}`\n\n{}", table.name, table.list()), word));
        }
        let shown = match crate::node_docs::of(innermost.name()) {
            Some(docs) => format!("**{}**: {docs}", innermost.name()),
            None => format!("**{}**", innermost.name()),
        };
        Some((shown, self.place(innermost.range())?))
    }

    /// Returns the innermost statement or declaration at a place of the statement.
    fn innermost(&self, at: usize) -> Option<Part<'_>> {
        let mut parts = self.function.parts();
        let mut found = None;
        while let Some(part) = parts.next() {
            let is_here = part.range().is_some_and(|range| (range.start..=range.end).contains(&at));
            match part {
                Part::Expr(_) | Part::DataType(_) | Part::Node(_) => parts.skip_children(),
                Part::Decl(_) if is_here => found = Some(part),
                _ if is_here && part.is_stmt() => found = Some(part),
                _ => {}
            }
        }
        found
    }

    /// Returns the variable that a name means in a statement or declaration.
    fn variable(&self, name: &str, at: usize, part: Part<'_>) -> Option<Dno> {
        let folded = match name.strip_prefix('"') {
            Some(quoted) => quoted.trim_end_matches('"').replace("\"\"", "\""),
            None => name.to_lowercase(),
        };
        let variables = self.function.variables();
        let named = || variables.iter().filter(|variable| variable.name == folded);
        let declared = named().find(|variable| {
            matches!(part, Part::Decl(decl) if decl.dno == variable.dno && decl.name == folded)
        });
        // A read has the place of its name; an assignment, that of its statement.
        let read = || named().find(|variable| variable.reads.iter().any(|it| it.location == at));
        let range = part.range()?;
        let used = || {
            named().find(|variable| {
                let mut uses = variable.writes.iter().chain(&variable.reads);
                uses.any(|it| range.contains(&it.location))
            })
        };
        declared.or_else(read).or_else(used).map(|variable| variable.dno)
    }

    fn type_of(&self, dno: Dno) -> String {
        type_of(&self.function, dno)
    }
}

/// What a function declares.
pub(crate) struct Named {
    pub(crate) name: String,
    /// A word for people.
    pub(crate) kind: &'static str,
    /// As written; empty for a cursor.
    pub(crate) of_type: String,
    /// Of the declaration; empty if it is not in the document.
    pub(crate) place: Range<usize>,
}

/// Returns the names that are visible in the innermost block of a function whose blocks are in each other, the inner
/// ones first.
pub(crate) fn visible(function: &Function) -> Vec<Named> {
    let declared = |name: &str, kind, dno| Named {
        name: name.to_owned(),
        kind,
        of_type: type_of(function, dno),
        place: 0..0,
    };
    let mut names = Vec::new();
    for param in &function.params {
        if let (Some(name), Some(dno)) = (&param.name, param.dno) {
            names.push(declared(name, "parameter", dno));
        }
    }
    for dno in [function.found_varno, function.new_varno, function.old_varno].into_iter().flatten()
    {
        names.push(declared(function.variable_name(dno).unwrap_or_default(), "variable", dno));
    }
    for datum in &function.datums {
        if let Datum::Promise(var) = datum {
            names.push(declared(&var.refname, "variable", var.dno));
        }
    }
    for part in function.parts() {
        match part {
            Part::Decl(decl) => names.push(declared(&decl.name, kind(decl), decl.dno)),
            Part::Fori(stmt) => {
                let name = function.variable_name(stmt.var).unwrap_or_default();
                names.push(declared(name, "variable", stmt.var));
            }
            Part::Forc(stmt) => {
                for dno in stmt.var.dnos() {
                    let name = function.variable_name(*dno).unwrap_or_default();
                    names.push(declared(name, "variable", *dno));
                }
            }
            _ => {}
        }
    }
    names.reverse();
    names
}

fn kind(decl: &Decl) -> &'static str {
    match decl.kind {
        DeclType::Variable => "variable",
        DeclType::Cursor => "cursor",
        DeclType::Alias => "alias",
    }
}

/// Returns the type of a variable as it was written.
fn type_of(function: &Function, dno: Dno) -> String {
    let written = match function.datum(dno) {
        Some(Datum::Var(var) | Datum::Promise(var)) => Some(&var.datatype),
        Some(Datum::Rec(rec)) => rec.datatype.as_ref(),
        _ => None,
    };
    written
        .map(|ty| if ty.text.is_empty() { ty.typname.clone() } else { ty.text.clone() })
        .unwrap_or_default()
}

fn span(start: i32, end: i32) -> Option<Range<usize>> {
    Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// Returns the range of the name at a place, with its quotes.
fn word_at(text: &str, offset: usize) -> Range<usize> {
    let is_in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"');
    let before = text.get(..offset).unwrap_or_default();
    let start = before.trim_end_matches(is_in_word).len();
    let behind = text.get(offset..).unwrap_or_default();
    start..text.len() - behind.trim_start_matches(is_in_word).len()
}
