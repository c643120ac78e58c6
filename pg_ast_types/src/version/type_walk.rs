//! The state of a walk over the statements.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pg_ast_names::ColumnOrigin;

use super::call_facts::CallFacts;
use super::pg::view::{Node, TypeName, WindowDef};
use super::pg_names::types_seam::{self, ResolvedNames};
use super::typed_values::{Columns, TypedValue};
use crate::rules::modifiers::modifier_of;
use crate::type_table::{TypeId, TypeTable};

/// A parameter, as it is known so far.
#[derive(Clone, Debug)]
pub(super) struct ParameterState {
    /// Its type; `None` if nobody knows.
    pub(super) id: Option<TypeId>,
    /// Whether places of it want different types.
    pub(super) is_inconsistent: bool,
    /// The column that it is written to.
    pub(super) column: Option<ColumnOrigin>,
}

impl Default for ParameterState {
    fn default() -> Self {
        Self { id: Some(TypeId::UNKNOWN), is_inconsistent: false, column: None }
    }
}

/// Walks over statements in the order in which PostgreSQL analyses them.
pub(super) struct TypeWalk<'w, 'a> {
    pub(super) names: &'w ResolvedNames<'a>,
    pub(super) table: &'w TypeTable<'w>,
    pub(super) parameters: Vec<ParameterState>,
    /// The columns of sources that are known.
    pub(super) sources: HashMap<usize, Rc<Columns>>,
    /// The columns of queries, by their addresses, and those that are being read.
    pub(super) queries: HashMap<*const u8, Rc<Columns>>,
    pub(super) begun: HashSet<*const u8>,
    /// The columns of joins that both arms have, by the column that stands for them.
    pub(super) merged: HashMap<(usize, usize), TypedValue>,
    /// The values of functions that return one.
    pub(super) function_rows: HashMap<usize, TypedValue>,
    /// The windows of calls in the query that is being read.
    pub(super) windows: Vec<WindowDef<'a>>,
    /// The recursive query whose first part is read next.
    pub(super) recursive: Option<*const u8>,
    /// What is known of calls, and of the operators of expressions, by their addresses.
    pub(super) calls: HashMap<*const u8, CallFacts>,
    /// The operators of the expression that is being read.
    pub(super) operators: Option<CallFacts>,
    /// Whether something in the statement cannot be.
    pub(super) has_mistake: bool,
}

impl<'w, 'a> TypeWalk<'w, 'a> {
    pub(super) fn new(names: &'w ResolvedNames<'a>, table: &'w TypeTable<'w>) -> Self {
        Self {
            names,
            table,
            parameters: Vec::new(),
            sources: HashMap::new(),
            queries: HashMap::new(),
            begun: HashSet::new(),
            merged: HashMap::new(),
            function_rows: HashMap::new(),
            windows: Vec::new(),
            recursive: None,
            calls: HashMap::new(),
            operators: None,
            has_mistake: false,
        }
    }

    /// Notes that the server refuses the statement.
    pub(super) fn mistake(&mut self) {
        self.has_mistake = true;
    }

    /// Returns a type as it is written, with its modifier.
    pub(super) fn type_named(&self, of: TypeName<'a>) -> (Option<TypeId>, i32) {
        if of.pct_type() {
            return (self.type_of_column(of), -1);
        }
        let Some(written) = types_seam::written_type(of) else { return (None, -1) };
        let schema = written.name.schema.as_deref();
        let Some(element) = self.table.named(schema, &written.name.name) else { return (None, -1) };
        let id = if written.is_array { self.table.array_of(element) } else { Some(element) };
        let modifiers: Vec<&str> = written.modifiers.iter().map(String::as_str).collect();
        let modifier = self.modifier(element, &modifiers);
        (id, modifier)
    }

    /// Returns the modifier of a type of PostgreSQL's own.
    pub(super) fn modifier(&self, element: TypeId, modifiers: &[&str]) -> i32 {
        let name = self.table.name(element).name;
        let is_own = name.schema.as_deref() == Some("pg_catalog");
        modifier_of(&name.name, modifiers).filter(|_| is_own).unwrap_or(-1)
    }

    /// `t.a%TYPE`
    fn type_of_column(&self, of: TypeName<'a>) -> Option<TypeId> {
        let names: Vec<&str> = of.names().strs().collect();
        let (column, table) = names.split_last()?;
        let relation = match table {
            [name] => {
                let path = self.table.catalog.search_path();
                path.iter().find_map(|schema| self.table.catalog.relation(schema, name))
            }
            [.., schema, name] => types_seam::relation(self.table.catalog, schema, name),
            [] => None,
        };
        let column = relation?.columns.iter().find(|it| it.name == **column)?;
        let id = self.table.of_column(column.column_type.as_ref()?)?;
        if of.array_bounds().is_empty() { Some(id) } else { self.table.array_of(id) }
    }

    /// Reads expressions for what they say of parameters.
    pub(super) fn all(&mut self, exprs: impl IntoIterator<Item = Node<'a>>) -> Vec<TypedValue> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }
}
