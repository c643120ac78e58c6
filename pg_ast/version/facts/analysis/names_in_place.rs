//! Changes the names in a tree that is edited.

use std::borrow::Cow;

use super::names_found::{NamePlace, find_names, naming};
use super::view;
use super::view::edit::{Arena, FieldMut, ListMut, NodeMut, Slot, StmtsMut};
use crate::types::expected::NameKind;
use crate::types::object_name::{NameUse, ObjectName};

impl StmtsMut<'_, '_> {
    /// Calls `f` for each name in the statements, with its use there, to change it; see
    /// [`ParseResult::walk_names_mut`](super::super::super::ParseResult::walk_names_mut).
    ///
    /// ```
    /// use pg_ast::NameKind;
    ///
    /// let mut tree = pg_ast::view::parse("SELECT f(a) FROM t; DROP FUNCTION s.f(int)")?;
    /// tree.edit(|mut stmts, _| {
    ///     stmts.walk_names_mut(|name, _used| {
    ///         if name.kind() == NameKind::Function {
    ///             name.set_name("g");
    ///         }
    ///     });
    /// });
    /// assert_eq!(tree.deparse()?, "SELECT g(a) FROM t; DROP FUNCTION s.g(int)");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_names_mut(&mut self, mut f: impl FnMut(&mut ObjectName<'_>, NameUse)) {
        self.each_name(None, &mut f);
    }

    /// Calls `f` for each place where a column is named, with its use there, to change it; see
    /// [`ParseResult::walk_columns_mut`](super::super::super::ParseResult::walk_columns_mut).
    ///
    /// ```
    /// let mut tree = pg_ast::view::parse("UPDATE t SET a = 1 WHERE t.a > 2")?;
    /// tree.edit(|mut stmts, _| stmts.walk_columns_mut(|column, _used| column.set_name("b")));
    /// assert_eq!(tree.deparse()?, "UPDATE t SET b = 1 WHERE t.b > 2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_columns_mut(&mut self, mut f: impl FnMut(&mut ObjectName<'_>, NameUse)) {
        self.each_name(Some(NameKind::Column), &mut f);
    }

    fn each_name(
        &mut self,
        only: Option<NameKind>,
        f: &mut dyn FnMut(&mut ObjectName<'_>, NameUse),
    ) {
        let mut names = Vec::new();
        let roots: Vec<_> = self.iter().map(view::Node::from).collect();
        find_names(&roots, only, &mut |named, place, _| {
            let ObjectName { kind, parts, is_star, index } = named.name(place);
            let parts = parts.into_iter().map(|part| Cow::Owned(part.into_owned())).collect();
            names.push((place, ObjectName { kind, parts, is_star, index }));
        });
        let mut names = names.into_iter().peekable();
        let arena = self.arena();
        let mut nodes = self.nodes_mut();
        let mut number = 0;
        while let Some(mut slot) = nodes.next() {
            if names.peek().is_none() {
                return;
            }
            if slot.get().is_none_or(|node| naming(node.name()).is_none()) {
                continue;
            }
            while let Some((place, mut name)) = names.next_if(|(place, _)| place.node == number) {
                let before = name.parts.clone();
                f(&mut name, place.used);
                if name.parts != before {
                    put_back(&mut slot, place, &name, &arena);
                }
            }
            number += 1;
        }
    }
}

/// Puts a name back.
fn put_back<'t>(
    slot: &mut Slot<'_, 't>,
    place: NamePlace,
    name: &ObjectName<'_>,
    arena: &Arena<'t>,
) {
    if matches!(slot.get(), Some(view::Node::RangeVar(_))) {
        if let Some(NodeMut::RangeVar(mut table)) = slot.get_mut() {
            let mut parts = name.parts().rev();
            let mut part = || parts.next().unwrap_or_default();
            table.set_relname(part());
            table.set_schemaname(part());
            table.set_catalogname(part());
        }
        return;
    }
    match (slot.field(place.field), place.item) {
        (Some(FieldMut::Text(text)), _) => text.set(name.name()),
        (Some(FieldMut::List(mut list)), Some(item)) => {
            if let Some(item) = list.get_mut(item) {
                into_node(item, place, name, arena);
            }
        }
        (Some(FieldMut::List(list)), None) => into_words(list, place, name, arena),
        (Some(FieldMut::Node(mut node)), item) => match (node.get_mut(), item) {
            (Some(NodeMut::List(mut list)), Some(item)) => {
                if let Some(item) = list.get_mut(item) {
                    into_node(item, place, name, arena);
                }
            }
            (Some(node), None) => into_node(node, place, name, arena),
            _ => {}
        },
        (None, _) => {}
    }
}

fn into_node<'t>(
    node: NodeMut<'_, 't>,
    place: NamePlace,
    name: &ObjectName<'_>,
    arena: &Arena<'t>,
) {
    match node {
        NodeMut::String(mut word) => word.set_sval(name.name()),
        NodeMut::List(list) => into_words(list, place, name, arena),
        _ => {}
    }
}

/// Replaces the strings of a name, but a star behind them.
fn into_words<'t>(
    mut list: ListMut<'_, 't>,
    place: NamePlace,
    name: &ObjectName<'_>,
    arena: &Arena<'t>,
) {
    let words = name.strings();
    let end = place.end.unwrap_or(list.len()).min(list.len());
    let end = end - usize::from(name.is_star() && end > 0);
    for (index, word) in words.iter().enumerate() {
        let index = place.start + index;
        if index < end
            && let Some(NodeMut::String(mut old)) = list.get_mut(index)
        {
            old.set_sval(word);
        } else {
            list.insert(index, arena.string(word));
        }
    }
    for index in (place.start + words.len()..end).rev() {
        let _ = list.remove(index);
    }
}
