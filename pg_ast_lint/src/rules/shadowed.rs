//! Declarations in PL/pgSQL that hide other names.

use std::collections::HashMap;

use pg_ast::plpgsql::{Datum, Dno, Function, Part};

use super::name_at;
use crate::{Finding, Rule};

/// Checks declarations that hide a name.
pub(super) fn check(text: &str, function: &Function, found: &mut Vec<Finding>) {
    let mut names = Names::default();
    names.enter(0);
    for dno in function.params.iter().filter_map(|param| param.dno) {
        names.declare(function.variable_name(dno), dno, "a parameter");
    }
    let own = [function.found_varno, function.new_varno, function.old_varno].into_iter().flatten();
    for dno in own {
        names.declare(function.variable_name(dno), dno, "a variable of PL/pgSQL");
    }
    for datum in &function.datums {
        if let Datum::Promise(var) = datum {
            names.declare(Some(&var.refname), var.dno, "a variable of PL/pgSQL");
        }
    }
    let mut parts = function.parts();
    while let Some(part) = parts.next() {
        let depth = parts.ancestors().len() + 1;
        match part {
            Part::Block(_) => names.enter(depth),
            Part::Fori(stmt) => {
                names.enter(depth);
                names.declare(function.variable_name(stmt.var), stmt.var, "a loop variable");
            }
            Part::Decl(decl) => {
                names.leave(depth);
                if let Some((dno, kind)) = names.outer(&decl.name)
                    && dno != decl.dno
                    && let Some(range) = decl.range()
                {
                    let message = format!("the variable hides {kind} of the same name");
                    let place = name_at(text, range.start);
                    let finding = Finding::new(Rule::ShadowedName, place, message);
                    found.push(finding.help("use another name"));
                }
                names.declare(Some(&decl.name), decl.dno, "a variable of an outer block");
            }
            Part::Expr(_) | Part::DataType(_) => parts.skip_children(),
            _ => {}
        }
    }
}

/// The names that are visible at a place.
#[derive(Default)]
struct Names<'a> {
    /// What each name means, the inner ones last, with the number of the scope.
    meanings: HashMap<&'a str, Vec<(usize, Dno, &'static str)>>,
    /// The scopes: their depths, and the names in them.
    scopes: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Names<'a> {
    /// Leaves the scopes that are not around a part of a depth.
    fn leave(&mut self, depth: usize) {
        while let Some((_, names)) = self.scopes.pop_if(|(scope, _)| *scope >= depth) {
            for name in names {
                self.meanings.get_mut(name).map(Vec::pop);
            }
        }
    }

    fn enter(&mut self, depth: usize) {
        self.leave(depth);
        self.scopes.push((depth, Vec::new()));
    }

    fn declare(&mut self, name: Option<&'a str>, dno: Dno, kind: &'static str) {
        let (Some(name), count) = (name, self.scopes.len()) else { return };
        if let Some((_, names)) = self.scopes.last_mut() {
            names.push(name);
            self.meanings.entry(name).or_default().push((count, dno, kind));
        }
    }

    /// Returns what a name means outside of the innermost scope.
    fn outer(&self, name: &str) -> Option<(Dno, &'static str)> {
        let (scope, dno, kind) = self.meanings.get(name)?.last()?;
        (*scope < self.scopes.len()).then_some((*dno, *kind))
    }
}
