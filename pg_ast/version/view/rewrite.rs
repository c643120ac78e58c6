//! Prints a view with some nodes changed, without copying the rest.

// The places of fields are counted in bytes; each is aligned, as its struct is.
#![allow(clippy::cast_ptr_alignment)]

use core::alloc::Layout;
use core::borrow::Borrow;
use core::ptr;
use std::collections::HashMap;

use super::ffi;
use super::names::raw;
use super::names::raw::NodeTag;
use super::names::{NodeEnum, protobuf};
use super::node::structure_of;
use super::{Node, Tree, ViewStmt};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::{Kind, Struct};
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
                self.changes.insert(ptr::from_ref(raw), by);
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
            let stmts = self.copies(arena)?;
            // SAFETY: the parser's tree is a whole one; so is each copy, whose pointers are those of the
            // original except where they point to another copy, or to a node that can stand there.
            unsafe { ffi::deparse(&stmts, options, arena) }
        })
    }

    /// Returns the statements, with copies of the nodes that contain a change.
    fn copies(&self, arena: &Bump) -> Result<Vec<*mut raw::RawStmt>, Error> {
        let mut copies = NodeCopies { arena, nodes: self.changed(arena)? };
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
            let stmt = ptr::from_ref(stmt.0.get()).cast_mut();
            Ok(copies.of(stmt.cast(), Some(NodeTag::T_RawStmt))?.map_or(stmt, <*mut _>::cast))
        });
        stmts.collect()
    }

    /// Writes the new nodes in C; returns them by the addresses of those that they replace.
    fn changed(&self, arena: &Bump) -> Result<HashMap<*const raw::Node, *mut raw::Node>, Error> {
        let mut cx = IntoRawContext::printing(arena);
        let new = |(&old, new): (&_, &protobuf::Node)| (old, new.into_raw(&mut cx));
        let nodes = self.changes.iter().map(new).collect();
        cx.finish(nodes)
    }

    /// Returns an error if a node that is to be changed is not in the tree, or is in it only as a copy of another
    /// one; it may be below a changed node.
    fn check_places(&self) -> Result<(), Error> {
        let nodes = self.tree.nodes().filter_map(Node::as_raw).map(ptr::from_ref);
        let found = nodes.filter(|raw| self.changes.contains_key(raw)).count();
        if found == self.changes.len() {
            return Ok(());
        }
        let message = "a node that is to be replaced is not among the nodes of the tree";
        Err(Error::new(ErrorKind::Deparse, message))
    }

    /// Returns the ancestors of the changed nodes.
    fn above(&self) -> Result<Vec<Node<'a>>, Error> {
        /// A node in a walk.
        struct Met<'a> {
            node: Node<'a>,
            parent: Option<usize>,
            noted: bool,
        }
        let mut visits: Vec<Met<'a>> = Vec::new();
        // The places in `visits` of the last node and of its ancestors.
        let mut path: Vec<usize> = Vec::new();
        let mut above = Vec::new();
        let mut found = 0;
        let mut nodes = self.tree.nodes().with_depth();
        while let Some((node, depth)) = nodes.next() {
            path.truncate(depth);
            let mut next = path.last().copied();
            path.push(visits.len());
            visits.push(Met { node, parent: next, noted: false });
            if !node.as_raw().is_some_and(|raw| self.changes.contains_key(&ptr::from_ref(raw))) {
                continue;
            }
            if next.is_some_and(|parent| matches!(visits[parent].node, Node::AConst(_))) {
                return Err(is_a_part(node.name()));
            }
            found += 1;
            nodes.skip_children();
            // If a node is noted, so are all of its ancestors.
            while let Some(visit) = next.map(|index| &mut visits[index])
                && !visit.noted
            {
                visit.noted = true;
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

/// C nodes that replace others.
struct NodeCopies<'m> {
    arena: &'m Bump,
    /// By the addresses of the replaced nodes.
    nodes: HashMap<*const raw::Node, *mut raw::Node>,
}

impl NodeCopies<'_> {
    /// NodeCopies the struct of a node. A part of another node is copied with that node.
    fn add(&mut self, node: Node<'_>) {
        let Some(raw) = node.as_raw() else { return };
        let copy = match (node.structure(), node) {
            // SAFETY: the table has the size of the struct, which the view guarantees.
            (Some((structure, at)), _) => unsafe { self.copy(at, structure.size.into()) }.cast(),
            // SAFETY: the node is a list.
            (None, _) => unsafe { self.copy_list(ptr::from_ref(raw).cast()) }.cast(),
        };
        self.nodes.insert(ptr::from_ref(raw), copy);
    }

    /// Copies `size` bytes.
    ///
    /// # Safety
    ///
    /// There are `size` initialised bytes at `at`.
    unsafe fn copy(&self, at: *const u8, size: usize) -> *mut u8 {
        let Ok(layout) = Layout::from_size_align(size, align_of::<u64>()) else {
            unreachable!("what is copied fits into memory")
        };
        let copy = self.arena.alloc_layout(layout).as_ptr();
        // SAFETY: the caller guarantees the bytes; the place is fresh, and just as large.
        unsafe { copy.copy_from_nonoverlapping(at, size) };
        copy
    }

    /// Copies a list with its cells.
    ///
    /// # Safety
    ///
    /// It is a list of a tree.
    unsafe fn copy_list(&self, list: *const raw::List) -> *mut raw::List {
        // SAFETY: a list has as many cells as it says.
        unsafe {
            let copy = self.copy(list.cast(), size_of::<raw::List>()).cast::<raw::List>();
            let cells = usize::try_from((*list).length).unwrap_or(0) * size_of::<raw::ListCell>();
            (*copy).elements = self.copy((*list).elements.cast_const().cast(), cells).cast();
            copy
        }
    }

    /// Returns the replacement of a node that a pointer points to; `None` if it stays. `tag` is the type that
    /// the place requires.
    fn of(
        &self,
        node: *const raw::Node,
        tag: Option<NodeTag>,
    ) -> Result<Option<*mut raw::Node>, Error> {
        let Some(&new) = self.nodes.get(&node) else { return Ok(None) };
        // SAFETY: it is null, or a whole node.
        let found = unsafe { new.as_ref() }.map(|node| node.type_);
        if tag.is_none() || found == tag {
            return Ok(Some(new));
        }
        let message = "a node is replaced by one of a type that is not allowed there";
        Err(Error::new(ErrorKind::Deparse, message))
    }

    /// Makes the copy of a node point to the copies of its children.
    fn relink(&self, node: Node<'_>) -> Result<(), Error> {
        let Some(raw) = node.as_raw() else { return Ok(()) };
        let Some(&copy) = self.nodes.get(&ptr::from_ref(raw)) else { return Ok(()) };
        match node.structure() {
            // SAFETY: the copy is one of the whole struct.
            Some((structure, _)) => unsafe { self.relink_struct(structure, copy.cast()) },
            // SAFETY: the copy is one of a list.
            None => unsafe { self.relink_cells(copy.cast()) },
        }
    }

    /// Gives the copy of a recursive view the columns of the `WITH` in its query, which have been changed, perhaps: they
    /// are the same list, or a list like that.
    fn renew_columns(&self, node: Node<'_>) {
        let Node::ViewStmt(view) = node else { return };
        let copy = node.as_raw().and_then(|raw| self.nodes.get(&ptr::from_ref(raw)));
        let Some(copy) = copy.filter(|_| view.has_columns_twice()) else { return };
        let copy = copy.cast::<raw::ViewStmt>();
        // SAFETY: the copy is a whole struct, with pointers to whole nodes; it is in the arena, and written only when the
        // view of it is not used any more.
        unsafe {
            let columns = ViewStmt(InC::new(copy)).recursive().map(|cte| cte.0.get().aliascolnames);
            if let Some(columns) = columns {
                (*copy).aliases = columns;
            }
        }
    }

    /// # Safety
    ///
    /// There is such a struct at `copy`, and nobody else reads it.
    unsafe fn relink_struct(&self, structure: &Struct, copy: *mut u8) -> Result<(), Error> {
        for link in structure.links {
            // SAFETY: the caller guarantees the struct, which has a field of that kind there; the node that
            // is put there has a type that is allowed there.
            unsafe {
                let place = copy.byte_add(usize::from(link.offset));
                match link.kind {
                    Kind::Node | Kind::SharedNode | Kind::Child(_) => {
                        let place = place.cast::<*mut raw::Node>();
                        let tag = match link.kind {
                            Kind::Child(tag) => Some(NodeTag(tag)),
                            _ => None,
                        };
                        if let Some(new) = self.of(*place, tag)? {
                            place.write(new);
                        }
                    }
                    Kind::List | Kind::SharedList => {
                        let place = place.cast::<*mut raw::List>();
                        if cells(*place).any(|cell| self.nodes.contains_key(&cell.cast_const())) {
                            let list = self.copy_list(*place);
                            place.write(list);
                            self.relink_cells(list)?;
                        }
                    }
                    Kind::Embedded(tag) => {
                        if let Some(structure) = structure_of(NodeTag(tag)) {
                            self.relink_struct(structure, place)?;
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// # Safety
    ///
    /// It is a list, and nobody else reads its cells.
    unsafe fn relink_cells(&self, list: *mut raw::List) -> Result<(), Error> {
        // SAFETY: the caller guarantees the list.
        for (index, cell) in unsafe { cells(list) }.enumerate() {
            if let Some(new) = self.of(cell, None)? {
                // SAFETY: there is a cell at each index.
                unsafe { (*(*list).elements.add(index)).ptr_value = new.cast() };
            }
        }
        Ok(())
    }
}

/// Returns the nodes of a list; none for a list of numbers.
///
/// # Safety
///
/// The list is null, or part of a tree.
unsafe fn cells(list: *const raw::List) -> impl Iterator<Item = *mut raw::Node> {
    // SAFETY: the caller guarantees the list, which has as many cells as it says; by its tag, they are pointers.
    unsafe {
        let (length, elements) = match list.as_ref() {
            Some(list) if list.type_ == NodeTag::T_List => (list.length, list.elements),
            _ => (0, ptr::null_mut()),
        };
        (0..usize::try_from(length).unwrap_or(0)).map(move |i| (*elements.add(i)).ptr_value.cast())
    }
}
