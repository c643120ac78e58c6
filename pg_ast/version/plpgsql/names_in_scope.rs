//! How a variable is written at a place of a function: by its name, or with a label before it.

use std::collections::HashMap;

use super::super::super::plpgsql_tree::{Datum, Function};
use super::Dno;
use super::facts::analysis::found::{push_in_quotes, push_quoted};

/// The words that PL/pgSQL reserves, and SQL does not; see `pl_reserved_kwlist.h`.
const RESERVED: &[&str] =
    &["begin", "by", "declare", "execute", "foreach", "if", "loop", "strict", "while"];

/// A name that a block, a loop or the function itself declares.
struct Declared<'a> {
    dno: Dno,
    /// The number of the scope.
    scope: usize,
    name: &'a str,
}

/// The names that can be used at a place, innermost last.
pub(super) struct NamesInScope<'a> {
    function: &'a Function,
    /// What a name means, by the name.
    meanings: HashMap<&'a str, Vec<(Dno, usize)>>,
    /// The names of a variable, by its number.
    names: HashMap<Dno, Vec<(&'a str, usize)>>,
    /// The labels of the scopes that are open.
    labels: Vec<Option<&'a str>>,
    /// The scopes that have a label, by it.
    labelled: HashMap<&'a str, Vec<usize>>,
    /// What has been declared, in order.
    declared: Vec<Declared<'a>>,
}

impl<'a> NamesInScope<'a> {
    /// Begins with the names of a function's parameters, and those that PL/pgSQL declares itself.
    pub(super) fn new(function: &'a Function) -> Self {
        let mut names = Self {
            function,
            meanings: HashMap::new(),
            names: HashMap::new(),
            labels: Vec::new(),
            labelled: HashMap::new(),
            declared: Vec::new(),
        };
        let label = function.name.as_deref().and_then(|name| name.rsplit('.').next());
        names.open(label);
        let implicit = [function.found_varno, function.new_varno, function.old_varno];
        for dno in function.params.iter().map(|param| param.dno).chain(implicit).flatten() {
            names.declare_by_its_name(dno);
        }
        for datum in &function.datums {
            if let Datum::Promise(var) = datum {
                names.declare(var.dno, &var.refname);
            }
        }
        names
    }

    /// Opens the scope of a block or a loop.
    pub(super) fn open(&mut self, label: Option<&'a str>) {
        if let Some(label) = label {
            self.labelled.entry(label).or_default().push(self.labels.len());
        }
        self.labels.push(label);
    }

    /// Closes the innermost scope, and forgets its names.
    pub(super) fn close(&mut self) {
        let Some(label) = self.labels.pop() else { return };
        if let Some(scopes) = label.and_then(|label| self.labelled.get_mut(label)) {
            scopes.pop();
        }
        let scope = self.labels.len();
        while let Some(last) = self.declared.pop_if(|last| last.scope == scope) {
            if let Some(meanings) = self.meanings.get_mut(last.name) {
                meanings.pop();
            }
            if let Some(names) = self.names.get_mut(&last.dno) {
                names.pop();
            }
        }
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, dno: Dno, name: &'a str) {
        let scope = self.labels.len() - 1;
        self.meanings.entry(name).or_default().push((dno, scope));
        self.names.entry(dno).or_default().push((name, scope));
        self.declared.push(Declared { dno, scope, name });
    }

    /// Declares a variable in the innermost scope, by the name that it has.
    pub(super) fn declare_by_its_name(&mut self, dno: Dno) {
        if let Some(datum) = self.function.datum(dno) {
            self.declare(dno, datum.name());
        }
    }

    /// Appends what a variable is written as; `None` if it has no name here.
    pub(super) fn write(&self, dno: Dno, out: &mut String) -> Option<()> {
        if let Datum::Recfield(field) = self.function.datum(dno)? {
            // A field of a field is none of a variable's.
            if let Datum::Recfield(_) = self.function.datum(field.recparentno)? {
                return None;
            }
            self.write(field.recparentno, out)?;
            out.push('.');
            push_name(out, &field.fieldname);
            return Some(());
        }
        let names = self.names.get(&dno)?;
        // The first one is its own, the others are aliases.
        if let Some((name, _)) = names.iter().find(|(name, _)| self.means(name) == Some(dno)) {
            push_name(out, name);
            return Some(());
        }
        let (label, name) = names.iter().find_map(|&(name, scope)| {
            let label = self.labels[scope]?;
            let is_innermost = self.labelled.get(label)?.last() == Some(&scope);
            // The label of a scope is less than the name of a variable.
            (is_innermost && self.means(label).is_none()).then_some((label, name))
        })?;
        push_name(out, label);
        out.push('.');
        push_name(out, name);
        Some(())
    }

    fn means(&self, name: &str) -> Option<Dno> {
        self.meanings.get(name)?.last().map(|(dno, _)| *dno)
    }
}

/// Appends a name as PL/pgSQL reads it, in quotes if it has to be.
pub(super) fn push_name(out: &mut String, name: &str) {
    let is_parameter = name.strip_prefix('$').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    if is_parameter {
        out.push_str(name);
    } else if RESERVED.contains(&name) {
        push_in_quotes(out, name);
    } else {
        push_quoted(out, name);
    }
}
