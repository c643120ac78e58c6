//! Walks over the nodes of a tree that is edited.

use super::super::memory::changes::{At, Fit, PlacesToVisit, Visited};
use super::super::names::raw;
use super::list_mut::STMT;
use super::node_type::NodeType;
use super::{New, Slot, StmtsMut};

/// A walk over the places of all nodes, from the top down: a node comes before its children, which are in the order of its
/// fields.
///
/// A place is lent until the next one is requested, so this is not an `Iterator`. The children are those of the node that is
/// in the place by then: what has been put there is visited too, unless [`skip_children`](Self::skip_children) says otherwise.
/// The state is on the heap, so the depth of a tree does not matter.
///
/// The nodes are those of [`view::Tree::nodes`](super::super::Tree::nodes), except for the numbers in lists of numbers, which have
/// no place of a node. A node that is a part of another one, such as the value of a constant, can be changed, and not replaced.
///
/// ```
/// use pg_ast::view::{self, edit::NodeMut};
///
/// let mut tree = view::parse("SELECT a FROM t JOIN u USING (id) WHERE b = 1")?;
/// tree.edit(|mut stmts, arena| {
///     let mut nodes = stmts.nodes_mut();
///     while let Some(mut slot) = nodes.next() {
///         match slot.get_mut() {
///             Some(NodeMut::RangeVar(mut table)) => table.set_schemaname("s"),
///             Some(NodeMut::AConst(_)) => slot.set(arena.own(&pg_ast::make::param_ref(1))?),
///             _ => {}
///         }
///     }
///     Ok::<(), pg_ast::Error>(())
/// })?;
/// assert_eq!(tree.deparse()?, "SELECT a FROM s.t JOIN s.u USING (id) WHERE b = $1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub struct NodesMut<'m, 't> {
    places: PlacesToVisit<'m, 't>,
    /// The place whose children come next.
    last: Option<Visited>,
}

impl<'m, 't> NodesMut<'m, 't> {
    fn of(place: At<'m, 't, *mut raw::Node>, fit: Fit) -> Self {
        let mut places = PlacesToVisit::new(place.edit());
        if !place.read().get().is_null() {
            places.push(place, fit);
        }
        Self { places, last: None }
    }

    /// Returns the next place. Its node is there.
    // It lends.
    #[allow(clippy::should_implement_trait)]
    #[inline]
    pub fn next(&mut self) -> Option<Slot<'_, 't>> {
        if let Some(last) = self.last.take() {
            self.places.push_children(last);
        }
        let (visited, fit, place) = self.places.next()?;
        self.last = Some(visited);
        // SAFETY: the place holds nodes that fit.
        Some(unsafe { Slot::wrap(place, fit) })
    }

    /// Skips the nodes below the last one.
    #[inline]
    pub fn skip_children(&mut self) {
        self.last = None;
    }
}

/// Calls `f` for each place for any node, after its children.
fn from_the_bottom<'t>(mut places: PlacesToVisit<'_, 't>, mut f: impl FnMut(Slot<'_, 't>)) {
    // The places whose children are being visited, each with the number of places that are left below it.
    let mut open: Vec<(Visited, Fit, usize)> = Vec::new();
    loop {
        while let Some(&(visited, fit, left)) = open.last()
            && places.len() == left
        {
            open.pop();
            if fit == Fit::Any {
                // SAFETY: only children of the place have been visited since, so that its parent is as it was; and any node
                // fits there.
                f(unsafe { Slot::wrap(places.again(visited), fit) });
            }
        }
        let Some((visited, fit, _)) = places.next() else { return };
        open.push((visited, fit, places.len()));
        places.push_children(visited);
    }
}

impl<'t> StmtsMut<'_, 't> {
    fn places(&mut self) -> PlacesToVisit<'_, 't> {
        let stmts = self.place();
        let mut places = PlacesToVisit::new(stmts.edit());
        places.push_cells(stmts, STMT);
        places
    }

    /// Walks over all nodes, beginning with the first statement, a `RawStmt`; see [`NodesMut`].
    pub fn nodes_mut(&mut self) -> NodesMut<'_, 't> {
        NodesMut { places: self.places(), last: None }
    }

    /// Replaces each node by the result of `f`, from the bottom up: a node that is passed to `f` already has the children that
    /// `f` returned.
    ///
    /// `f` is called for each node in a place for any node. A node in a place for one type only (the `RangeVar` of an `INSERT`,
    /// the sides of a `UNION`) is not passed: the nodes below it are. This is the rule of
    /// [`ParseResult::transform`](crate::ParseResult::transform).
    ///
    /// ```
    /// use pg_ast::view;
    ///
    /// let mut tree = view::parse("SELECT a + 1 FROM t LIMIT 2")?;
    /// let parameter = pg_ast::make::param_ref(1);
    /// tree.edit(|mut stmts, arena| {
    ///     stmts.transform(|node| match node.view() {
    ///         view::Node::AConst(_) => arena.own(&parameter).map_or(node, Into::into),
    ///         _ => node,
    ///     });
    /// });
    /// assert_eq!(tree.deparse()?, "SELECT a + $1 FROM t LIMIT $1");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn transform(&mut self, f: impl FnMut(New<'t>) -> New<'t>) {
        transform(self.places(), f);
    }
}

fn transform<'t>(places: PlacesToVisit<'_, 't>, mut f: impl FnMut(New<'t>) -> New<'t>) {
    from_the_bottom(places, |mut slot| slot.update(&mut f));
}

impl<'t, N: NodeType> Slot<'_, 't, N> {
    /// Walks over the node in this place and all nodes below it; see [`NodesMut`].
    pub fn nodes_mut(&mut self) -> NodesMut<'_, 't> {
        let (place, fit) = self.parts();
        NodesMut::of(place, fit)
    }
}

impl<'t, N: NodeType> New<'t, N> {
    /// Walks over the node and all nodes below it; see [`NodesMut`].
    pub fn nodes_mut(&mut self) -> NodesMut<'_, 't> {
        let (place, fit) = self.parts();
        NodesMut::of(place, fit)
    }
}
