//! Prints a view with some nodes changed, without copying the rest.

use core::borrow::Borrow;
use std::collections::HashMap;

use super::ffi;
use super::macros::field;
use super::memory::ContentInC;
use super::memory::copies::{CellsCopy, Copies, CopyWriter as _, InCopy, ListCopy, StructCopy};
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::{NodeEnum, protobuf};
use super::{Node, Tree, ViewStmt};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{IntoRaw as _, IntoRawContext};
use crate::foundation::arena::{Bump, with_arena};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::DeparseOptions;

/// Changes to a [`Tree`] that are applied when it is printed; the tree itself stays as it is.
///
/// A node that PostgreSQL's grammar uses in several places comes once in [`nodes`](Tree::nodes), and is changed in all of
/// them. Only the changed nodes and their ancestors are copied. A program that changes one constant in a statement need not
/// copy the statement. [`walk_tables_mut`](Rewrite::walk_tables_mut) changes the names of tables.
///
/// ```
/// use pg_ast::protobuf::ParamRef;
/// use pg_ast::view::{self, Node};
///
/// let tree = view::parse("SELECT a, b FROM users WHERE id = 7")?;
/// let mut rewrite = tree.rewrite();
/// for node in tree.nodes() {
///     if let Node::AConst(_) = node {
///         rewrite.replace(node, ParamRef { number: 1, location: -1 });
///     }
/// }
/// assert_eq!(rewrite.deparse()?, "SELECT a, b FROM users WHERE id = $1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Debug)]
pub struct Rewrite<'a> {
    tree: &'a Tree,
    /// The replacements of nodes, by the nodes' addresses; in `Node`, to be written as C.
    changes: HashMap<*const raw::Node, protobuf::Node>,
    /// The name of a node that cannot be replaced.
    refused: Option<&'static str>,
}

impl Tree {
    /// Starts changing the tree; see [`Rewrite`].
    #[must_use]
    pub fn rewrite(&self) -> Rewrite<'_> {
        Rewrite { tree: self, changes: HashMap::new(), refused: None }
    }
}

impl<'a> Rewrite<'a> {
    /// The tree that is changed.
    pub(crate) fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Replaces a node of the tree by another one. This overrides an earlier replacement of the same node, and
    /// replacements of the nodes below it.
    ///
    /// The new node can have another type where any node is allowed. A part of another node cannot be replaced by
    /// itself: the value of a constant, a number in a list of numbers, the `CreateStmt` of a foreign table.
    pub fn replace(&mut self, node: impl Into<Node<'a>>, by: impl Into<NodeEnum>) -> &mut Self {
        let node = node.into();
        match node.as_raw() {
            Some(raw) => {
                let by = protobuf::Node { node: Some(by.into()) };
                self.changes.insert(raw.as_ptr(), by);
            }
            None => self.refused = Some(node.name()),
        }
        self
    }

    /// Prints the statements with the changes.
    ///
    /// # Errors
    ///
    /// Those of [`Tree::deparse`]; or a change puts a node where its type is not allowed, replaces a part of a node, or a
    /// node that is not among the [`nodes`](Tree::nodes) of the tree ([`Deparse`](crate::ErrorKind::Deparse)).
    pub fn deparse(&self) -> Result<String, Error> {
        self.print(&DeparseOptions::default())
    }

    /// Like [`deparse`](Self::deparse), with the given layout.
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](Self::deparse).
    pub fn deparse_with(&self, options: impl Borrow<DeparseOptions>) -> Result<String, Error> {
        self.print(options.borrow())
    }

    fn print(&self, options: &DeparseOptions) -> Result<String, Error> {
        if let Some(name) = self.refused {
            return Err(is_a_part(name));
        }
        with_arena(|arena| {
            let stmts = self.stmts(arena)?;
            // SAFETY: the parser's tree is a whole one; so is each copy, whose pointers are those of the
            // original except where they point to another copy, or to a node that can stand there.
            unsafe { ffi::deparse(&stmts, options, arena) }
        })
    }

    /// Returns the statements, with copies of the nodes that contain a change.
    pub(crate) fn stmts(&self, arena: &Bump) -> Result<Vec<*mut raw::RawStmt>, Error> {
        let mut copies = NodeCopies { copies: Copies::new(arena), nodes: self.changed(arena)? };
        let above = self.above()?;
        for &node in &above {
            copies.add(node);
        }
        for &node in &above {
            copies.relink(node)?;
        }
        for node in above {
            copies.renew_columns(node);
        }
        let stmts = self.tree.stmts().map(|stmt| {
            let new = match Node::from(stmt).as_raw() {
                Some(raw) => copies.of(raw, Some(NodeTag::T_RawStmt))?,
                None => None,
            };
            let new = new.and_then(NewNode::target);
            Ok(new.map_or(stmt.0.as_ptr(), |new| new.as_ptr().cast()).cast_mut())
        });
        stmts.collect()
    }

    /// Writes the new nodes in C; returns them by the addresses of those that they replace.
    fn changed<'m>(&self, arena: &'m Bump) -> Result<NewNodes<'a, 'm>, Error> {
        let mut cx = IntoRawContext::printing(arena);
        let new = |(&old, new): (&_, &protobuf::Node)| (old, new.into_raw(&mut cx));
        let nodes: Vec<(_, *mut raw::Node)> = self.changes.iter().map(new).collect();
        let new = |(old, new): (_, *mut raw::Node)| {
            // SAFETY: a conversion writes a whole tree, which is in the arena and is not written to any more.
            let new = unsafe { InC::new_or_null(new) };
            (old, NewNode::Written(new))
        };
        Ok(cx.finish(nodes)?.into_iter().map(new).collect())
    }

    /// Returns an error if a node that is to be changed is not in the tree, or is in it only as a copy of another
    /// one; it may be below a changed node.
    fn check_places(&self) -> Result<(), Error> {
        let nodes = self.tree.nodes().filter_map(Node::as_raw);
        let found = nodes.filter(|raw| self.changes.contains_key(&raw.as_ptr())).count();
        if found == self.changes.len() {
            return Ok(());
        }
        let message = "a node that is to be replaced is not among the nodes of the tree";
        Err(Error::new(ErrorKind::Deparse, message))
    }

    /// Returns the ancestors of the changed nodes.
    fn above(&self) -> Result<Vec<Node<'a>>, Error> {
        /// A node in a walk.
        struct Visited<'a> {
            node: Node<'a>,
            parent: Option<usize>,
            recorded: bool,
        }
        let mut visits: Vec<Visited<'a>> = Vec::new();
        // The places in `visits` of the last node and of its ancestors.
        let mut path: Vec<usize> = Vec::new();
        let mut above = Vec::new();
        let mut found = 0;
        let mut nodes = self.tree.nodes().with_depth();
        while let Some((node, depth)) = nodes.next() {
            path.truncate(depth);
            let mut next = path.last().copied();
            path.push(visits.len());
            visits.push(Visited { node, parent: next, recorded: false });
            if !node.as_raw().is_some_and(|raw| self.changes.contains_key(&raw.as_ptr())) {
                continue;
            }
            if next.is_some_and(|parent| matches!(visits[parent].node, Node::AConst(_))) {
                return Err(is_a_part(node.name()));
            }
            found += 1;
            nodes.skip_children();
            // If a node is recorded, so are all of its ancestors.
            while let Some(visit) = next.map(|index| &mut visits[index])
                && !visit.recorded
            {
                visit.recorded = true;
                above.push(visit.node);
                next = visit.parent;
            }
        }
        if found < self.changes.len() {
            self.check_places()?;
        }
        Ok(above)
    }
}

fn is_a_part(name: &str) -> Error {
    let message = format!("a part of another node cannot be replaced: {name}");
    Error::new(ErrorKind::Deparse, message)
}

/// A C node in place of another one.
#[derive(Clone, Copy)]
enum NewNode<'a, 'm> {
    /// One that the user has made; a null pointer for an empty list.
    Written(Option<InC<'m, raw::Node>>),
    /// A copy.
    Struct(StructCopy<'a, InCopy<'m>>),
    /// A copy of a list.
    List(ListCopy<'a, InCopy<'m>>),
}

impl<'m> NewNode<'_, 'm> {
    /// Returns the target of pointers to the node; `None` for a null pointer.
    fn target(self) -> Option<InCopy<'m>> {
        match self {
            Self::Written(new) => new.map(InCopy::of),
            Self::Struct(copy) => Some(copy.place()),
            Self::List(copy) => Some(copy.place()),
        }
    }
}

/// New nodes, by the addresses of those that they replace.
type NewNodes<'a, 'm> = HashMap<*const raw::Node, NewNode<'a, 'm>>;

/// The copies of the nodes that contain a change, and the new nodes.
struct NodeCopies<'a, 'm> {
    copies: Copies<'m, &'m Bump>,
    nodes: NewNodes<'a, 'm>,
}

impl<'a, 'm> NodeCopies<'a, 'm> {
    /// Copies a node. A part of another node is copied with that node.
    fn add(&mut self, node: Node<'a>) {
        let Some(raw) = node.as_raw() else { return };
        let copy = if let Some(structure) = raw.structure() {
            NewNode::Struct(self.copies.structure(structure))
        } else if let Some(list) = raw.as_list() {
            NewNode::List(self.copies.list(list.cells()))
        } else {
            return;
        };
        self.nodes.insert(raw.as_ptr(), copy);
    }

    /// Returns the replacement of a node; `None` if it stays. `tag` is the type that the place requires.
    fn of(
        &self,
        node: InC<'_, raw::Node>,
        tag: Option<NodeTag>,
    ) -> Result<Option<NewNode<'a, 'm>>, Error> {
        let Some(&new) = self.nodes.get(&node.as_ptr()) else { return Ok(None) };
        let found = match new {
            NewNode::Written(new) => new.map(InC::<raw::Node>::tag),
            // It has the tag of what it is a copy of.
            NewNode::Struct(_) | NewNode::List(_) => Some(node.tag()),
        };
        if tag.is_none() || found == tag {
            return Ok(Some(new));
        }
        let message = "a node is replaced by one of a type that is not allowed there";
        Err(Error::new(ErrorKind::Deparse, message))
    }

    /// Makes the copy of a node point to the copies of its children.
    fn relink(&mut self, node: Node<'_>) -> Result<(), Error> {
        let copy = node.as_raw().and_then(|raw| self.nodes.get(&raw.as_ptr()));
        match copy.copied() {
            Some(NewNode::Struct(copy)) => self.relink_struct(copy),
            Some(NewNode::List(copy)) => self.relink_cells(copy.cells()),
            Some(NewNode::Written(_)) | None => Ok(()),
        }
    }

    /// Gives the copy of a recursive view the columns of the `WITH` in its query, which have been changed, perhaps: they
    /// are the same list, or a list like that.
    fn renew_columns(&mut self, node: Node<'_>) {
        let copy = node.as_raw().and_then(|raw| self.nodes.get(&raw.as_ptr()));
        let (Node::ViewStmt(view), Some(&NewNode::Struct(copy))) = (node, copy) else { return };
        if !view.has_columns_twice() {
            return;
        }
        // SAFETY: the copy is a whole struct, with pointers to whole nodes; it is in the arena, and written only when the
        // view of it is not used any more.
        let view: ViewStmt<'m> = ViewStmt(unsafe { InC::new(copy.place().as_ptr().cast()) });
        let Some(cte) = view.recursive() else { return };
        let cte = cte.0;
        let columns = field!(cte.aliascolnames).target().map(InCopy::of);
        // The field for the columns is the only list that can have shared nodes.
        let slot = copy.links().find(|(content, _)| matches!(content, ContentInC::SharedList(_)));
        if let Some((_, slot)) = slot {
            self.copies.point(slot, columns);
        }
    }

    fn relink_struct(&mut self, copy: StructCopy<'a, InCopy<'m>>) -> Result<(), Error> {
        for (content, slot) in copy.links() {
            match content {
                ContentInC::Node(Some(node)) | ContentInC::SharedNode(Some(node)) => {
                    if let Some(new) = self.of(node, None)? {
                        self.copies.point(slot, new.target());
                    }
                }
                ContentInC::Child(tag, Some(node)) => {
                    if let Some(new) = self.of(node, Some(tag))? {
                        self.copies.point(slot, new.target());
                    }
                }
                ContentInC::List(Some(list)) | ContentInC::SharedList(Some(list)) => {
                    let mut nodes = list.cells().nodes().iter().flatten();
                    if nodes.any(|node| self.nodes.contains_key(&node.as_ptr())) {
                        let list = self.copies.list(list.cells());
                        self.copies.point(slot, Some(list.place()));
                        self.relink_cells(list.cells())?;
                    }
                }
                ContentInC::Embedded(part) => {
                    if let Some(part) = slot.part(part) {
                        self.relink_struct(part)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn relink_cells(&mut self, cells: CellsCopy<'a, InCopy<'m>>) -> Result<(), Error> {
        for (node, slot) in cells.iter() {
            if let Some(node) = node
                && let Some(new) = self.of(node, None)?
            {
                self.copies.point(slot, new.target());
            }
        }
        Ok(())
    }
}
