//! Visits the names in statements, where they are.

use core::any::Any;
use std::borrow::Cow;

use super::names::protobuf;
use super::names::{Node, NodeMut, NodeRef, ParseResult};
use super::names_found::{NamePlace, find_names, naming};
use super::tree::make;
use super::tree::messages::message::DynMessage;
use super::tree::nodes_mut::NodesMut;
use super::view;
use super::view::RawStmt;
use crate::types::expected::NameKind;
use crate::types::object_name::{NameUse, ObjectName};

/// Returns the places of the names in these nodes.
fn name_places(roots: &[view::Node<'_>], only: Option<NameKind>) -> Vec<NamePlace> {
    let mut places = Vec::new();
    find_names(roots, only, &mut |_, place, _| places.push(place));
    places
}

fn naming_nodes(roots: &[view::Node<'_>]) -> usize {
    let nodes = roots.iter().flat_map(|root| root.nodes());
    nodes.filter(|node| naming(node.name()).is_some()).count()
}

fn is_naming(node: NodeRef<'_>) -> bool {
    naming(node.name()).is_some()
}

/// Returns the parts of a name in an owned tree, and whether it ends in a star.
fn parts(node: NodeRef<'_>, place: NamePlace) -> (Vec<Cow<'_, str>>, bool) {
    if let NodeRef::RangeVar(table) = node {
        let parts = [&table.catalogname, &table.schemaname, &table.relname];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        return (parts.map(|part| part.as_str().into()).collect(), false);
    }
    let number = u32::from(place.field);
    let value = node.message().fields().find(|(field, _)| field.number() == number);
    let Some(value) = value.map(|(_, value)| value as &dyn Any) else { return (Vec::new(), false) };
    if let Some(text) = value.downcast_ref::<String>() {
        return (vec![text.as_str().into()], false);
    }
    if let Some(items) = value.downcast_ref::<Vec<Node>>() {
        return match place.item {
            Some(item) => items.get(item).map_or((Vec::new(), false), |item| of_node(item, place)),
            None => of_words(items, place),
        };
    }
    if let Some(node) = value.downcast_ref::<Option<Box<Node>>>() {
        return match (node.as_deref(), place.item) {
            (Some(node), Some(item)) => {
                let items = node.as_list().map_or(&[][..], |list| &list.items);
                items.get(item).map_or((Vec::new(), false), |item| of_node(item, place))
            }
            (Some(node), None) => of_node(node, place),
            (None, _) => (Vec::new(), false),
        };
    }
    let word = value.downcast_ref::<Option<protobuf::String>>().and_then(Option::as_ref);
    (word.map(|word| word.sval.as_str().into()).into_iter().collect(), false)
}

fn of_node(node: &Node, place: NamePlace) -> (Vec<Cow<'_, str>>, bool) {
    match (node.as_str(), node.as_list()) {
        (Some(text), _) => (vec![text.into()], false),
        (_, Some(list)) => of_words(&list.items, place),
        _ => (Vec::new(), false),
    }
}

fn of_words(items: &[Node], place: NamePlace) -> (Vec<Cow<'_, str>>, bool) {
    let is_star =
        place.end.is_none() && items.last().is_some_and(|last| last.as_a_star().is_some());
    let words = items.iter().take(place.end.unwrap_or(items.len())).skip(place.start);
    let words = words.filter_map(|word| word.as_str().or(word.as_a_star().map(|_| "*")));
    (words.map(Cow::from).collect(), is_star)
}

/// Puts a name back.
fn put_back(node: NodeMut<'_>, place: NamePlace, name: &ObjectName<'_>) {
    let node = match node {
        NodeMut::RangeVar(table) => {
            let mut parts = name.parts().rev().map(str::to_owned);
            table.relname = parts.next().unwrap_or_default();
            table.schemaname = parts.next().unwrap_or_default();
            table.catalogname = parts.next().unwrap_or_default();
            return;
        }
        node => node,
    };
    let message: &mut DynMessage = node.message();
    let number = u32::from(place.field);
    let value = message.fields_mut().find(|(field, _)| field.number() == number);
    let Some(value) = value.map(|(_, value)| value as &mut dyn Any) else { return };
    if let Some(text) = value.downcast_mut::<String>() {
        name.name().clone_into(text);
    } else if let Some(items) = value.downcast_mut::<Vec<Node>>() {
        match place.item {
            Some(item) => {
                if let Some(item) = items.get_mut(item) {
                    into_node(item, place, name);
                }
            }
            None => into_words(items, place, name),
        }
    } else if let Some(node) = value.downcast_mut::<Option<Box<Node>>>() {
        let Some(node) = node.as_deref_mut() else { return };
        let item = place.item.and_then(|item| node.as_list_mut()?.items.get_mut(item));
        match (item, place.item) {
            (Some(item), _) => into_node(item, place, name),
            (None, Some(_)) => {}
            (None, None) => into_node(node, place, name),
        }
    } else if let Some(Some(word)) = value.downcast_mut::<Option<protobuf::String>>() {
        name.name().clone_into(&mut word.sval);
    }
}

fn into_node(node: &mut Node, place: NamePlace, name: &ObjectName<'_>) {
    if let Some(word) = node.as_string_mut() {
        name.name().clone_into(&mut word.sval);
    } else if let Some(list) = node.as_list_mut() {
        into_words(&mut list.items, place, name);
    }
}

fn into_words(items: &mut Vec<Node>, place: NamePlace, name: &ObjectName<'_>) {
    let end = place.end.unwrap_or(items.len()).min(items.len());
    let end = end - usize::from(name.is_star && end > 0);
    let words = name.strings().iter().map(|part| make::string(&**part).into());
    items.splice(place.start.min(end)..end, words.collect::<Vec<_>>());
}

/// Calls `f` for each name in owned nodes.
fn each<'a>(
    nodes: impl Iterator<Item = NodeRef<'a>>,
    places: Vec<NamePlace>,
    f: &mut dyn FnMut(&ObjectName<'a>, NameUse),
) {
    let mut nodes = nodes.filter(|node| is_naming(*node)).enumerate();
    let mut current = nodes.next();
    for place in places {
        while current.is_some_and(|(number, _)| number < place.node) {
            current = nodes.next();
        }
        let Some((_, node)) = current else { return };
        let (parts, is_star) = parts(node, place);
        if !parts.is_empty() {
            let index = Some(place.index);
            f(&ObjectName { kind: place.kind, parts, is_star, index }, place.used);
        }
    }
}

/// Calls `f` for each name in owned nodes, and puts back those that it changes.
fn each_mut(
    mut nodes: NodesMut<'_>,
    places: Vec<NamePlace>,
    f: &mut dyn FnMut(&mut ObjectName<'_>, NameUse),
) {
    let mut places = places.into_iter().peekable();
    let mut number = 0;
    // To the end, since copies of nodes are renewed behind them.
    while let Some(mut node) = nodes.next() {
        if !is_naming(node.to_ref()) {
            continue;
        }
        while let Some(place) = places.next_if(|place| place.node == number) {
            let (parts, is_star) = parts(node.to_ref(), place);
            if parts.is_empty() {
                continue;
            }
            let own = parts.iter().map(|part| Cow::Owned(part.clone().into_owned())).collect();
            let (kind, index) = (place.kind, Some(place.index));
            let mut name = ObjectName { kind, parts: own, is_star, index };
            f(&mut name, place.used);
            if name.parts != parts {
                put_back(node.reborrow(), place, &name);
            }
        }
        number += 1;
    }
}

impl ParseResult {
    /// Calls `f` for each name in the statements, with its use there: of tables, columns, functions, types, roles and
    /// other objects, and of what a statement itself defines, such as aliases.
    ///
    /// A name is passed where it is written, in the order of [`nodes`](Self::nodes): nothing is said of what it refers to,
    /// except that a name in a `FROM` is that of a table, or of a query of `WITH`. A column of a list of columns has no
    /// qualifier, and neither has what is in a table (`COMMENT ON COLUMN t.a`, `DROP TRIGGER g ON t`): the table is the name behind
    /// it. Names in strings, such as the body of a function, are not looked at, and neither are those in options of foreign servers
    /// and the like. Operators, types, settings and some functions have the names that PostgreSQL's grammar puts for words: `~~` for
    /// `LIKE`, `pg_catalog.int4` for `int`, `timezone` for `TIME ZONE`. The query of `WITH` that it makes of a recursive view has
    /// the name of the view.
    ///
    /// What names what is a table over all fields of PostgreSQL's parse tree; a field that a new version adds fails the build
    /// until it has an entry.
    ///
    /// ```
    /// use pg_ast::{NameKind, NameUse};
    ///
    /// let tree = pg_ast::parse("GRANT SELECT (id) ON app.users TO reader; DROP TYPE mood; SELECT now() AS t")?;
    /// let mut found = Vec::new();
    /// tree.walk_names(|name, used| found.push((name.kind(), name.to_string(), used)));
    /// let expected = [
    ///     (NameKind::Table, "app.users", NameUse::Grant),
    ///     (NameKind::Column, "id", NameUse::Grant),
    ///     (NameKind::Role, "reader", NameUse::Grant),
    ///     (NameKind::Type, "mood", NameUse::Drop),
    ///     (NameKind::Alias, "t", NameUse::Definition),
    ///     (NameKind::Function, "now", NameUse::Call),
    /// ];
    /// assert!(found.iter().map(|(kind, name, used)| (*kind, name.as_str(), *used)).eq(expected));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Aborts
    ///
    /// As [`walk_tables_mut`](Self::walk_tables_mut).
    pub fn walk_names(&self, f: impl FnMut(&ObjectName<'_>, NameUse)) {
        self.protobuf.walk_names(f);
    }

    /// Like [`walk_names`](Self::walk_names), to change the names: what `f` makes of one is put back.
    ///
    /// ```
    /// use pg_ast::NameKind;
    ///
    /// let mut tree = pg_ast::parse("ALTER TABLE t OWNER TO old; GRANT old TO new")?;
    /// tree.walk_names_mut(|name, _| {
    ///     if name.kind() == NameKind::Role && name.name() == "old" {
    ///         name.set_name("owner");
    ///     }
    /// });
    /// assert_eq!(pg_ast::deparse(&tree)?, "ALTER TABLE t OWNER TO owner; GRANT owner TO new");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Aborts
    ///
    /// As [`walk_tables_mut`](Self::walk_tables_mut).
    pub fn walk_names_mut(&mut self, f: impl FnMut(&mut ObjectName<'_>, NameUse)) {
        self.change().walk_names_mut(f);
    }

    /// Calls `f` for each place where a column is named, with its use there. These are the
    /// [names](Self::walk_names) of the kind [`Column`](NameKind::Column).
    ///
    /// ```
    /// use pg_ast::NameUse;
    ///
    /// let tree = pg_ast::parse("UPDATE t SET a = t.b WHERE c > 1 RETURNING d")?;
    /// let mut columns = Vec::new();
    /// tree.walk_columns(|column, used| columns.push((column.to_string(), used)));
    /// let expected = [
    ///     ("a", NameUse::UpdateTarget),
    ///     ("t.b", NameUse::Read),
    ///     ("c", NameUse::Filter),
    ///     ("d", NameUse::Returning),
    /// ];
    /// assert!(columns.iter().map(|(name, used)| (name.as_str(), *used)).eq(expected));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Aborts
    ///
    /// As [`walk_tables_mut`](Self::walk_tables_mut).
    pub fn walk_columns(&self, f: impl FnMut(&ObjectName<'_>, NameUse)) {
        self.protobuf.walk_columns(f);
    }

    /// Like [`walk_columns`](Self::walk_columns), to change the names.
    ///
    /// ```
    /// let mut tree = pg_ast::parse("CREATE INDEX ON t (a, lower(b)); INSERT INTO t (a) VALUES (1)")?;
    /// tree.walk_columns_mut(|column, _| column.set_name(column.name().to_uppercase()));
    /// assert_eq!(
    ///     pg_ast::deparse(&tree)?,
    ///     r#"CREATE INDEX ON t USING btree ("A", lower("B")); INSERT INTO t ("A") VALUES (1)"#
    /// );
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Aborts
    ///
    /// As [`walk_tables_mut`](Self::walk_tables_mut).
    pub fn walk_columns_mut(&mut self, f: impl FnMut(&mut ObjectName<'_>, NameUse)) {
        self.change().walk_columns_mut(f);
    }
}

impl protobuf::ParseResult {
    /// The places of the names; `None` if they are not known, since C has no place for a node.
    fn name_places(&self, only: Option<NameKind>) -> Option<Vec<NamePlace>> {
        let of_view = |stmts: &[RawStmt<'_>]| {
            let roots: Vec<_> = stmts.iter().map(|stmt| view::Node::from(*stmt)).collect();
            (name_places(&roots, only), naming_nodes(&roots))
        };
        let ((places, count), is_whole) = self.read_whole(of_view);
        let is_same = || self.nodes().filter(|node| is_naming(*node)).count() == count;
        (is_whole || is_same()).then_some(places)
    }

    /// Calls `f` for each name; see [`ParseResult::walk_names`](super::super::super::ParseResult::walk_names).
    pub fn walk_names(&self, mut f: impl FnMut(&ObjectName<'_>, NameUse)) {
        let places = self.name_places(None).unwrap_or_default();
        each(self.nodes(), places, &mut |name, used| f(name, used));
    }

    /// Calls `f` for each name; see [`ParseResult::walk_names_mut`](super::super::super::ParseResult::walk_names_mut).
    pub fn walk_names_mut(&mut self, mut f: impl FnMut(&mut ObjectName<'_>, NameUse)) {
        let places = self.name_places(None).unwrap_or_default();
        each_mut(self.nodes_mut(), places, &mut f);
    }

    /// Calls `f` for each column; see [`ParseResult::walk_columns`](super::super::super::ParseResult::walk_columns).
    pub fn walk_columns(&self, mut f: impl FnMut(&ObjectName<'_>, NameUse)) {
        let places = self.name_places(Some(NameKind::Column)).unwrap_or_default();
        each(self.nodes(), places, &mut |name, used| f(name, used));
    }

    /// Calls `f` for each column; see
    /// [`ParseResult::walk_columns_mut`](super::super::super::ParseResult::walk_columns_mut).
    pub fn walk_columns_mut(&mut self, mut f: impl FnMut(&mut ObjectName<'_>, NameUse)) {
        let places = self.name_places(Some(NameKind::Column)).unwrap_or_default();
        each_mut(self.nodes_mut(), places, &mut f);
    }
}

impl view::Tree {
    /// Calls `f` for each name in the statements, with its use there; see
    /// [`ParseResult::walk_names`](super::super::super::ParseResult::walk_names).
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT count(*) FROM t JOIN u USING (id)")?;
    /// let mut names = Vec::new();
    /// tree.walk_names(|name, _used| names.push(name.to_string()));
    /// assert_eq!(names, ["count", "id", "t", "u"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_names<'a>(&'a self, mut f: impl FnMut(&ObjectName<'a>, NameUse)) {
        let roots: Vec<_> = self.stmts().map(view::Node::from).collect();
        find_names(&roots, None, &mut |named, place, _| f(&named.name(place), place.used));
    }

    /// Calls `f` for each place where a column is named, with its use there; see
    /// [`ParseResult::walk_columns`](super::super::super::ParseResult::walk_columns).
    ///
    /// ```
    /// use pg_ast::NameUse;
    ///
    /// let tree = pg_ast::view::parse("SELECT a FROM t JOIN u ON t.b = u.b ORDER BY c")?;
    /// let mut columns = Vec::new();
    /// tree.walk_columns(|column, used| columns.push((column.name().to_owned(), used)));
    /// let names = columns.iter().map(|(name, used)| (name.as_str(), *used));
    /// assert!(names.eq([("a", NameUse::Read), ("b", NameUse::Join), ("b", NameUse::Join), ("c", NameUse::Order)]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_columns<'a>(&'a self, mut f: impl FnMut(&ObjectName<'a>, NameUse)) {
        let roots: Vec<_> = self.stmts().map(view::Node::from).collect();
        let only = Some(NameKind::Column);
        find_names(&roots, only, &mut |named, place, _| f(&named.name(place), place.used));
    }
}

impl<'a> view::Node<'a> {
    /// Calls `f` for each name in this node and below it; see [`Tree::walk_names`](view::Tree::walk_names). What the nodes
    /// around it say is not known here.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a FROM t WHERE f(b)")?;
    /// let call = tree.nodes().find(|node| node.as_func_call().is_some()).unwrap();
    /// let mut names = Vec::new();
    /// call.walk_names(|name, _used| names.push(name.to_string()));
    /// assert_eq!(names, ["f", "b"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_names(self, mut f: impl FnMut(&ObjectName<'a>, NameUse)) {
        find_names(&[self], None, &mut |named, place, _| {
            f(&ObjectName { index: None, ..named.name(place) }, place.used);
        });
    }
}

impl NodeRef<'_> {
    /// Calls `f` for each name in this node and below it; see
    /// [`ParseResult::walk_names`](super::super::super::ParseResult::walk_names). What the nodes around it say is not known here.
    ///
    /// ```
    /// use pg_ast::NameKind;
    ///
    /// let expr = pg_ast::parse_expr("s.f(a.b)::text")?;
    /// let mut names = Vec::new();
    /// expr.to_ref().unwrap().walk_names(|name, _used| names.push((name.kind(), name.to_string())));
    /// let names: Vec<_> = names.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
    /// assert_eq!(
    ///     names,
    ///     [(NameKind::Function, "s.f"), (NameKind::Column, "a.b"), (NameKind::Type, "text")]
    /// );
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_names(self, mut f: impl FnMut(&ObjectName<'_>, NameUse)) {
        let (places, count) = self.read(|node| (name_places(&[node], None), naming_nodes(&[node])));
        if self.nodes().filter(|node| is_naming(*node)).count() == count {
            each(self.nodes(), places, &mut |name, used| {
                f(&ObjectName { index: None, ..name.clone() }, used);
            });
        }
    }
}
