//! The places of nodes that a walk of an edit visits.

use core::marker::PhantomData;
use core::ptr::{self, NonNull};

use super::super::super::Node;
use super::super::{Kind, structure_of};
use super::names::raw::{self, NodeTag};
use super::{At, EditUnderWay};
use crate::convert::c_tree::in_c::InC;

/// What may be in a place for a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Any node, or none.
    Any,
    /// A node with this tag, or none.
    Only(NodeTag),
    /// A node with this tag.
    Always(NodeTag),
    /// The node that is there, of this type: it is a part of another one.
    Part(NodeTag),
}

/// Places of a tree that are still to be visited, the next one last.
///
/// A place is taken out before it is lent, and its children are added when nobody has it any more. So each place in here
/// is one that nobody else has.
pub(crate) struct PlacesToVisit<'m, 't> {
    stack: Vec<(Fit, NonNull<u8>)>,
    /// A pointer to the part that is lent.
    part: *mut raw::Node,
    edit: EditUnderWay<'t>,
    borrow: PhantomData<&'m mut raw::Node>,
}

/// A place that has been visited, whose children may be.
#[derive(Clone, Copy)]
pub(crate) struct Visited(Fit, NonNull<u8>);

impl<'m, 't> PlacesToVisit<'m, 't> {
    pub(crate) fn new(edit: EditUnderWay<'t>) -> Self {
        // Room for most statements.
        let stack = Vec::with_capacity(32);
        Self { stack, part: ptr::null_mut(), edit, borrow: PhantomData }
    }

    /// Adds a place.
    // A place is passed on.
    #[allow(clippy::needless_pass_by_value)]
    #[inline]
    pub(crate) fn push(&mut self, place: At<'m, 't, *mut raw::Node>, fit: Fit) {
        let at = match fit {
            // The place has a pointer to the part, which is what the walk is about.
            Fit::Part(_) => NonNull::new(place.read().get().cast()),
            _ => NonNull::new(place.as_ptr().cast()),
        };
        self.stack.extend(at.map(|at| (fit, at)));
    }

    /// Adds the nodes of a list, the first one on top.
    // As above.
    #[allow(clippy::needless_pass_by_value)]
    pub(crate) fn push_cells(&mut self, list: At<'m, 't, *mut raw::List>, fit: Fit) {
        let list = list.read().target();
        self.cells(list, fit);
    }

    fn cells(&mut self, list: Option<InC<'_, raw::List>>, fit: Fit) {
        let Some(list) = list else { return };
        let cells = list.cells();
        if cells.tag != NodeTag::T_List {
            return;
        }
        // The place of the cells is that in the list, and not the reference above: they are written to.
        let raw = list.as_ptr();
        // SAFETY: the list is there.
        let elements = unsafe { (&raw const (*raw).elements).read() }.cast::<*mut raw::Node>();
        self.stack.reserve(cells.cells.len());
        for index in (0..list.len()).rev() {
            // SAFETY: there are as many cells, each with a pointer to a node.
            unsafe {
                let cell = NonNull::new_unchecked(elements.add(index));
                if !cell.read().is_null() {
                    self.stack.push((fit, cell.cast()));
                }
            }
        }
    }

    /// Takes the next place. It is lent until the next call.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(Visited, Fit, At<'_, 't, *mut raw::Node>)> {
        let (fit, at) = self.stack.pop()?;
        let place = if matches!(fit, Fit::Part(_)) {
            self.part = at.as_ptr().cast();
            NonNull::from(&mut self.part)
        } else {
            at.cast()
        };
        // SAFETY: it is a place of the tree, as whoever added it guarantees, or the pointer to a part of it.
        Some((Visited(fit, at), fit, unsafe { At::new(place, self.edit) }))
    }

    /// Returns a place that was visited once more.
    ///
    /// # Safety
    ///
    /// The node around the place has not been changed since.
    pub(crate) unsafe fn again(&mut self, visited: Visited) -> At<'_, 't, *mut raw::Node> {
        // SAFETY: the place is there as it was, since its node is, which the caller guarantees.
        unsafe { At::new(visited.1.cast(), self.edit) }
    }

    pub(crate) fn len(&self) -> usize {
        self.stack.len()
    }

    /// Adds the children of the place that was lent last, as they are now.
    #[inline]
    pub(crate) fn push_children(&mut self, of: Visited) {
        let Visited(fit, at) = of;
        let (tag, node) = if let Fit::Part(tag) = fit {
            (tag, at.as_ptr())
        } else {
            // SAFETY: the place has a pointer, which is null or that of a whole node.
            unsafe {
                let node = at.cast::<*mut raw::Node>().read();
                if node.is_null() {
                    return;
                }
                ((&raw const (*node).type_).read(), node.cast::<u8>())
            }
        };
        let Some(structure) = structure_of(tag) else {
            if tag == NodeTag::T_List {
                // SAFETY: the node is a list, as its tag says.
                self.cells(unsafe { InC::new_or_null(node.cast()) }, Fit::Any);
            }
            return;
        };
        for link in structure.links.iter().rev() {
            // SAFETY: the links are those of the struct's table, which has their kinds from the types of its fields.
            unsafe {
                let field = NonNull::new_unchecked(node.add(link.offset.into()));
                // Most fields are empty, and told fastest by the pointer in them; the others have no pointer.
                let is_pointer = !matches!(link.kind, Kind::Embedded(_) | Kind::Constant);
                if is_pointer && field.cast::<*mut u8>().read().is_null() {
                    continue;
                }
                let fit = match link.kind {
                    Kind::Node | Kind::SharedNode => Fit::Any,
                    Kind::SharedChild(_) if Node::of(InC::new(node.cast())).holds_copies() => {
                        continue;
                    }
                    Kind::Child(tag) | Kind::SharedChild(tag) => Fit::Only(NodeTag(tag)),
                    Kind::List | Kind::SharedList => {
                        let list = field.cast::<*mut raw::List>().read();
                        self.cells(InC::new_or_null(list), Fit::Any);
                        continue;
                    }
                    Kind::Embedded(tag) => {
                        self.stack.push((Fit::Part(NodeTag(tag)), field));
                        continue;
                    }
                    Kind::Constant => {
                        // Each member of the union begins with its tag.
                        let tag = field.cast::<NodeTag>().read();
                        if tag != NodeTag::T_Invalid {
                            self.stack.push((Fit::Part(tag), field));
                        }
                        continue;
                    }
                    _ => continue,
                };
                self.stack.push((fit, field));
            }
        }
    }
}
