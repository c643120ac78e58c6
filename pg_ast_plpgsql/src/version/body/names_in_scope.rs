//! What a name means at a place of a function, and how a variable is written there: by its name, or with a label before it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::pg::plpgsql::{Datum, Dno, Function};
use super::pg::quote_identifier;

/// The words that PL/pgSQL reserves, and SQL does not; see `pl_reserved_kwlist.h`.
const RESERVED: &[&str] =
    &["begin", "by", "declare", "execute", "foreach", "if", "loop", "strict", "while"];

/// A block, or what else has names of its own.
struct NameScope<'a> {
    label: Option<&'a str>,
    /// The names that are declared in it, in order.
    declared: Vec<(Cow<'a, str>, Dno)>,
}

/// The names that can be used at a place.
pub struct NamesInScope<'a> {
    function: &'a Function,
    /// The scopes that are open, innermost last.
    scopes: Vec<NameScope<'a>>,
    /// The indexes of those that have a label, by it.
    labelled: HashMap<&'a str, Vec<usize>>,
    /// The variables that have a name, by it, each after the index of its scope: innermost last.
    meanings: HashMap<Cow<'a, str>, Vec<(usize, Dno)>>,
    /// The names of a variable, by its number, each with the index of its scope.
    names: HashMap<Dno, Vec<(Cow<'a, str>, usize)>>,
}

impl<'a> NamesInScope<'a> {
    /// Begins with the names of a function's parameters, and those that PL/pgSQL declares itself.
    pub(crate) fn new(function: &'a Function) -> Self {
        let mut names = Self {
            function,
            scopes: Vec::new(),
            labelled: HashMap::new(),
            meanings: HashMap::new(),
            names: HashMap::new(),
        };
        names.open(function.name.as_deref());
        for (index, param) in function.params.iter().enumerate() {
            let Some(dno) = param.dno else { continue };
            if let Some(name) = &param.name {
                names.declare(dno, name);
            }
            names.declare(dno, format!("${}", index + 1));
        }
        // PL/pgSQL declares its own variables before the body, FOUND as the last one.
        let own = function.found_varno.map_or(0, |found| found.index() + 1);
        for datum in function.datums.iter().take(own) {
            if !matches!(datum, Datum::Row(_)) && !names.names.contains_key(&datum.dno()) {
                names.declare(datum.dno(), datum.name());
            }
        }
        names
    }

    /// Opens the scope of a block or a loop.
    pub(crate) fn open(&mut self, label: Option<&'a str>) {
        if let Some(label) = label {
            self.labelled.entry(label).or_default().push(self.scopes.len());
        }
        self.scopes.push(NameScope { label, declared: Vec::new() });
    }

    /// Closes the innermost scope, and forgets its names.
    pub(crate) fn close(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        if let Some(scopes) = scope.label.and_then(|label| self.labelled.get_mut(label)) {
            scopes.pop();
        }
        for (name, dno) in scope.declared.iter().rev() {
            if let Some(meanings) = self.meanings.get_mut(name) {
                meanings.pop();
            }
            if let Some(names) = self.names.get_mut(dno) {
                names.pop();
            }
        }
    }

    /// Declares a name in the innermost scope.
    pub(crate) fn declare(&mut self, dno: Dno, name: impl Into<Cow<'a, str>>) {
        let name = name.into();
        let index = self.scopes.len().saturating_sub(1);
        let Some(scope) = self.scopes.last_mut() else { return };
        self.meanings.entry(name.clone()).or_default().push((index, dno));
        self.names.entry(dno).or_default().push((name.clone(), index));
        scope.declared.push((name, dno));
    }

    /// Declares a variable in the innermost scope, by the name that it has.
    pub(crate) fn declare_by_its_name(&mut self, dno: Dno) {
        if let Some(datum) = self.function.datum(dno) {
            self.declare(dno, datum.name());
        }
    }

    /// Returns the variable that a name of up to three parts means, and how many of them are its name; those after them are
    /// for a field. It is `plpgsql_ns_lookup`.
    pub(crate) fn lookup(&self, parts: &[&str]) -> Option<(Dno, usize)> {
        let (first, rest) = parts.split_first()?;
        // What is before a field is a record.
        let may_be = |dno: Dno, is_all: bool| is_all || self.is_record(dno);
        let variable = self.meanings.get(*first).and_then(|meanings| {
            meanings.iter().rev().copied().find(|(_, dno)| may_be(*dno, rest.is_empty()))
        });
        let labelled = rest.split_first().and_then(|(name, rest)| {
            let meanings = self.meanings.get(*name)?;
            self.labelled.get(first)?.iter().rev().find_map(|scope| {
                let end = meanings.partition_point(|(of, _)| of <= scope);
                let of_scope = meanings[..end].iter().rev().take_while(|(of, _)| of == scope);
                of_scope.copied().find(|(_, dno)| may_be(*dno, rest.is_empty()))
            })
        });
        match (variable, labelled) {
            // In the same scope, names of variables come before its label.
            (Some((scope, dno)), labelled) if labelled.is_none_or(|(of, _)| scope >= of) => {
                Some((dno, 1))
            }
            (_, labelled) => labelled.map(|(_, dno)| (dno, 2)),
        }
    }

    /// Returns the variable that a name in SQL means, as `resolve_column_ref` does; `is_all` if a star is behind it.
    #[must_use]
    pub fn variable(&self, parts: &[&str], is_all: bool) -> Option<Dno> {
        // `a.b.c.d` is none.
        if parts.len() + usize::from(is_all) > 3 {
            return None;
        }
        let (dno, used) = self.lookup(parts)?;
        let is_whole = used == parts.len();
        let is_right = match self.function.datum(dno)? {
            Datum::Rec(_) => is_whole || used + 1 == parts.len() && !is_all,
            _ => is_whole && !is_all,
        };
        is_right.then_some(dno)
    }

    fn is_record(&self, dno: Dno) -> bool {
        matches!(self.function.datum(dno), Some(Datum::Rec(_)))
    }

    /// Appends what a variable is written as; `None` if it has no name here.
    pub(crate) fn write(&self, dno: Dno, out: &mut String) -> Option<()> {
        let (variable, field) = match self.function.datum(dno)? {
            Datum::Recfield(field) => (field.recparentno, Some(field.fieldname.as_str())),
            _ => (dno, None),
        };
        let names = self.names.get(&variable)?;
        // Its own name is before its aliases, and the number of a parameter is the last.
        let ways = [(false, false), (false, true), (true, false), (true, true)];
        let mut ways = ways.into_iter().flat_map(|(is_number, is_labelled)| {
            let names = names.iter().filter(move |(name, _)| is_parameter(name) == is_number);
            names.filter_map(move |(name, scope)| {
                let label = self.scopes.get(*scope)?.label.filter(|_| is_labelled);
                (label.is_some() == is_labelled).then_some([label, Some(&**name), field])
            })
        });
        let parts = ways.find(|parts| {
            let before_field = parts[..2].iter().flatten().count();
            let mut given = parts.iter().flatten();
            let parts: [&str; 3] = core::array::from_fn(|_| *given.next().unwrap_or(&""));
            let count = before_field + usize::from(field.is_some());
            self.lookup(&parts[..count]) == Some((variable, before_field))
        })?;
        for (index, part) in parts.into_iter().flatten().enumerate() {
            if index == 0 {
                push_name(out, part);
            } else {
                out.push('.');
                push_part(out, part);
            }
        }
        Some(())
    }
}

/// Appends a name as PL/pgSQL reads it, in quotes if it has to be.
pub(crate) fn push_name(out: &mut String, name: &str) {
    if is_parameter(name) {
        out.push_str(name);
    } else {
        push_part(out, name);
    }
}

/// Appends what is after a dot, where `$1` is no name.
fn push_part(out: &mut String, name: &str) {
    if RESERVED.contains(&name) {
        out.extend(["\"", name, "\""]);
    } else {
        out.push_str(&quote_identifier(name));
    }
}

/// Returns whether a name is that of a parameter by its number.
fn is_parameter(name: &str) -> bool {
    name.strip_prefix('$').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
