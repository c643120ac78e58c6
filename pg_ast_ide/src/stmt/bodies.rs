//! The bodies of functions in PL/pgSQL: what is at a place in one, and its parts.

use core::ops::Range;

use pg_ast::plpgsql::{Datum, Decl, DeclType, Dno, Function, Part};

/// Returns the ranges of blocks, statements, declarations, handlers and expressions, the outer ones first.
pub(crate) fn regions(function: &Function) -> impl Iterator<Item = Range<usize>> {
    function.parts().filter_map(Part::range)
}

/// Returns the ranges of the statements.
pub(crate) fn stmts(function: &Function) -> impl Iterator<Item = Range<usize>> {
    function.parts().filter(|part| part.is_stmt()).filter_map(Part::range)
}

/// Returns parameters, and what the blocks declare: each with its name, its type, and its place.
pub(crate) fn names(function: &Function) -> Vec<DeclaredName> {
    let params = function.params.iter().filter_map(|param| {
        let place = span(param.location, param.end)?;
        let name = param.name.clone()?;
        Some(DeclaredName { name, kind: "parameter", of_type: param.datatype.text.clone(), place })
    });
    let decls = function.parts().filter_map(|part| match part {
        Part::Decl(decl) => Some(DeclaredName {
            name: decl.name.clone(),
            kind: kind(decl),
            of_type: type_of(function, decl.dno),
            place: decl.range()?,
        }),
        _ => None,
    });
    params.chain(decls).collect()
}

/// Returns the innermost statement or declaration at a place of the statement.
pub(crate) fn innermost(function: &Function, at: usize) -> Option<Part<'_>> {
    let mut parts = function.parts();
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

/// What a function declares.
pub(crate) struct DeclaredName {
    pub(crate) name: String,
    /// A word for people.
    pub(crate) kind: &'static str,
    /// As written; empty for a cursor.
    pub(crate) of_type: String,
    /// Of the declaration, in the statement; empty if it is not known.
    pub(crate) place: Range<usize>,
}

/// Returns the names that are visible in the innermost block of a function whose blocks are in each other, the inner
/// ones first.
pub(crate) fn visible(function: &Function) -> Vec<DeclaredName> {
    let declared = |name: &str, kind, dno| DeclaredName {
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
pub(crate) fn type_of(function: &Function, dno: Dno) -> String {
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
