//! Walks with a method for each node type, and the transformation of a tree.

use core::cell::Cell;
use core::mem;
use core::ops::ControlFlow;

use super::names::protobuf;
use super::names::protobuf::Node;
use super::names::{NodeMut, NodeRef, ParseResult};
use super::shared::has_copies;
use super::walk::NodeSlot;
use crate::foundation::limits::SHALLOW;
use crate::foundation::stack::{with_room, with_stack};

macro_rules! visitors {
    ($($variant:ident $message:ident $held:ident $raw:ident $name:ident $visit:ident $($_as:ident)*;)*) => {
        /// A walk over a tree, with a method for each node type.
        ///
        /// Each method visits the children of its node, unless it is overridden. An overriding method
        /// calls [`visit_children`](Self::visit_children) for that; if it does not, the walk
        /// skips the nodes below it. A method that breaks ends the walk.
        ///
        /// A node that PostgreSQL's grammar uses in several places is visited once; see [`Nodes`](super::super::Nodes).
        ///
        /// A walk begins with `visit` of a `ParseResult`, a `Node` or a [`NodeRef`]. It takes more stack
        /// from the heap when it needs it, so that the depth of a tree does not matter.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// use pg_ast::protobuf::{RangeVar, SubLink};
        /// use pg_ast::Visit;
        ///
        /// /// The tables of a query, but not those of its subselects.
        /// #[derive(Default)]
        /// struct Tables<'a>(Vec<&'a str>);
        ///
        /// impl<'a> Visit<'a> for Tables<'a> {
        ///     type Break = ();
        ///
        ///     fn visit_range_var(&mut self, node: &'a RangeVar) -> ControlFlow<()> {
        ///         self.0.push(&node.relname);
        ///         self.visit_children(node.into())
        ///     }
        ///
        ///     fn visit_sub_link(&mut self, _: &'a SubLink) -> ControlFlow<()> {
        ///         ControlFlow::Continue(())
        ///     }
        /// }
        ///
        /// let tree = pg_ast::parse("SELECT * FROM a JOIN b USING (id) WHERE x IN (SELECT y FROM c)")?;
        /// let mut tables = Tables::default();
        /// assert!(tree.visit(&mut tables).is_continue());
        /// assert_eq!(tables.0, ["a", "b"]);
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        pub trait Visit<'a> {
            /// The value returned by a walk that stops early.
            type Break;

            /// Called for each node, before the method of its type.
            fn enter(&mut self, node: NodeRef<'a>) -> ControlFlow<Self::Break> {
                let _ = node;
                ControlFlow::Continue(())
            }

            /// Called for each node, after the method of its type; not if the walk ends there.
            fn leave(&mut self, node: NodeRef<'a>) -> ControlFlow<Self::Break> {
                let _ = node;
                ControlFlow::Continue(())
            }

            /// Visits the children of a node, in the order of its fields.
            fn visit_children(&mut self, node: NodeRef<'a>) -> ControlFlow<Self::Break> {
                node.try_children(|child| child.visit(self))
            }

            $(
                #[doc = concat!(
                    " Visits a node of the type `", stringify!($variant), "`: by default, its children."
                )]
                fn $visit(&mut self, node: &'a protobuf::$message) -> ControlFlow<Self::Break> {
                    self.visit_children(NodeRef::$variant(node))
                }
            )*
        }

        impl<'a> NodeRef<'a> {
            /// Calls the method of the node's type.
            pub(crate) fn accept<V: Visit<'a> + ?Sized>(
                self,
                visitor: &mut V,
            ) -> ControlFlow<V::Break> {
                match self { $(Self::$variant(node) => visitor.$visit(node),)* }
            }
        }

        /// A walk over a tree that can change it, with a method for each node type.
        ///
        /// Like [`Visit`]; in addition, [`visit_node`](Self::visit_node) is called for each place that can hold any
        /// node, so that it can put another one there. The children of a node are those that it
        /// has after [`enter`](Self::enter) has changed it.
        ///
        /// A node that PostgreSQL's grammar uses in several places is visited once, as in [`Visit`]; its copies become
        /// equal to it after that.
        ///
        /// A walk begins with `visit_mut` of a `ParseResult`, a `Node` or a [`NodeMut`].
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// use pg_ast::protobuf::{ParamRef, RangeVar};
        /// use pg_ast::{Node, NodeEnum, VisitMut};
        ///
        /// /// Puts parameters in place of constants, and tables into a schema.
        /// #[derive(Default)]
        /// struct Rewrite(i32);
        ///
        /// impl VisitMut for Rewrite {
        ///     type Break = ();
        ///
        ///     fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<()> {
        ///         if let Some(NodeEnum::AConst(_)) = slot.node {
        ///             self.0 += 1;
        ///             *slot = Node::from(ParamRef { number: self.0, location: -1 });
        ///         }
        ///         self.visit_slot(slot)
        ///     }
        ///
        ///     fn visit_range_var(&mut self, node: &mut RangeVar) -> ControlFlow<()> {
        ///         node.schemaname = "app".to_owned();
        ///         self.visit_children(node.into())
        ///     }
        /// }
        ///
        /// let mut tree = pg_ast::parse("SELECT * FROM t WHERE a = 1 AND b = 'x'")?;
        /// assert!(tree.visit_mut(&mut Rewrite::default()).is_continue());
        /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT * FROM app.t WHERE a = $1 AND b = $2");
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        pub trait VisitMut {
            /// The value returned by a walk that stops early.
            type Break;

            /// Called for each node, before the method of its type.
            fn enter(&mut self, node: NodeMut<'_>) -> ControlFlow<Self::Break> {
                let _ = node;
                ControlFlow::Continue(())
            }

            /// Called for each node, after the method of its type; not if the walk ends there.
            fn leave(&mut self, node: NodeMut<'_>) -> ControlFlow<Self::Break> {
                let _ = node;
                ControlFlow::Continue(())
            }

            /// Visits a place that can hold any node, or none: by default, visits the node in it.
            fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<Self::Break> {
                self.visit_slot(slot)
            }

            /// Visits the node in a place, if there is one. This is what
            /// [`visit_node`](Self::visit_node) does by default.
            fn visit_slot(&mut self, slot: &mut Node) -> ControlFlow<Self::Break> {
                match slot.to_mut() {
                    Some(node) => node.visit_mut(self),
                    None => ControlFlow::Continue(()),
                }
            }

            /// Visits the children of a node, in the order of its fields.
            fn visit_children(&mut self, node: NodeMut<'_>) -> ControlFlow<Self::Break> {
                visit_children_mut(node, self)
            }

            $(
                #[doc = concat!(
                    " Visits a node of the type `", stringify!($variant), "`: by default, its children."
                )]
                fn $visit(&mut self, node: &mut protobuf::$message) -> ControlFlow<Self::Break> {
                    self.visit_children(NodeMut::$variant(node))
                }
            )*
        }

        impl NodeMut<'_> {
            /// Calls the method of the node's type.
            pub(crate) fn accept<V: VisitMut + ?Sized>(
                self,
                visitor: &mut V,
            ) -> ControlFlow<V::Break> {
                match self { $(Self::$variant(node) => visitor.$visit(node),)* }
            }
        }
    };
}
protobuf::each_node!(visitors);

impl<'a> NodeRef<'a> {
    /// Visits this node, and the nodes below it as far as the visitor descends; see [`Visit`].
    ///
    /// It calls `enter`, the method of the node's type, and `leave`.
    pub fn visit<V: Visit<'a> + ?Sized>(self, visitor: &mut V) -> ControlFlow<V::Break> {
        with_stack(|| {
            visitor.enter(self)?;
            self.accept(visitor)?;
            visitor.leave(self)
        })
    }
}

impl NodeMut<'_> {
    /// Visits this node, and the nodes below it as far as the visitor descends; see [`VisitMut`].
    ///
    /// It calls `enter`, the method of the node's type, and `leave`.
    pub fn visit_mut<V: VisitMut + ?Sized>(mut self, visitor: &mut V) -> ControlFlow<V::Break> {
        let _walk = WalkLevels::enter(|| self.to_ref().depth());
        with_room(WalkLevels::levels(), || {
            visitor.enter(self.reborrow())?;
            let renews = self.to_ref().message().table().copies && has_copies(self.to_ref());
            let result = self.reborrow().accept(visitor);
            if renews {
                self.reborrow().message().renew_copies();
            }
            result?;
            visitor.leave(self)
        })
    }
}

impl Node {
    /// Visits the node, unless this is empty, and the nodes below it; see [`Visit`].
    pub fn visit<'a, V: Visit<'a> + ?Sized>(&'a self, visitor: &mut V) -> ControlFlow<V::Break> {
        self.to_ref().map_or(ControlFlow::Continue(()), |node| node.visit(visitor))
    }

    /// Visits this place, and the nodes below it; see [`VisitMut`].
    ///
    /// It calls `visit_node`.
    pub fn visit_mut<V: VisitMut + ?Sized>(&mut self, visitor: &mut V) -> ControlFlow<V::Break> {
        let _walk = WalkLevels::enter(|| self.depth());
        visitor.visit_node(self)
    }
}

impl protobuf::ParseResult {
    /// Visits the statements, each a `RawStmt`, one after the other; see [`Visit`].
    pub fn visit<'a, V: Visit<'a> + ?Sized>(&'a self, visitor: &mut V) -> ControlFlow<V::Break> {
        self.stmts.iter().try_for_each(|stmt| NodeRef::from(stmt).visit(visitor))
    }

    /// Visits the statements, each a `RawStmt`, one after the other; see [`VisitMut`].
    pub fn visit_mut<V: VisitMut + ?Sized>(&mut self, visitor: &mut V) -> ControlFlow<V::Break> {
        self.visit_levels_mut(self.depth(), visitor)
    }

    fn visit_levels_mut<V: VisitMut + ?Sized>(
        &mut self,
        levels: usize,
        visitor: &mut V,
    ) -> ControlFlow<V::Break> {
        let _walk = WalkLevels::begin(levels);
        self.stmts.iter_mut().try_for_each(|stmt| NodeMut::from(stmt).visit_mut(visitor))
    }
}

impl ParseResult {
    /// Visits the statements, each a `RawStmt`, one after the other; see [`Visit`].
    pub fn visit<'a, V: Visit<'a> + ?Sized>(&'a self, visitor: &mut V) -> ControlFlow<V::Break> {
        self.protobuf.visit(visitor)
    }

    /// Visits the statements, each a `RawStmt`, one after the other; see [`VisitMut`].
    pub fn visit_mut<V: VisitMut + ?Sized>(&mut self, visitor: &mut V) -> ControlFlow<V::Break> {
        let levels = self.levels.get().unwrap_or_else(|| self.depth());
        self.change().visit_levels_mut(levels, visitor)
    }
}

thread_local! {
    /// The depth of the tree that this thread walks over; 0 outside of walks. It has no destructor, and so
    /// exists as long as the thread.
    static LEVELS: Cell<usize> = const { Cell::new(0) };
}

/// A walk that can change a tree. A visitor may replace a node, which drops
/// it with all nodes below it, so there has to be room for all levels of the tree.
///
/// A visitor calls the methods of a walk from within, with no way to pass a context, so the thread
/// has to know.
struct WalkLevels {
    /// The depth of the walk around this one.
    before: usize,
}

impl WalkLevels {
    /// Begins a walk over a tree of that depth.
    fn begin(depth: usize) -> Self {
        let before = Self::levels();
        // At least 1, the sign of a walk.
        LEVELS.set(depth.max(before).max(1));
        Self { before }
    }

    /// Begins a walk, unless this is a part of one.
    fn enter(depth: impl FnOnce() -> usize) -> Option<Self> {
        (Self::levels() == 0).then(|| Self::begin(depth()))
    }

    fn levels() -> usize {
        LEVELS.get()
    }
}

impl Drop for WalkLevels {
    fn drop(&mut self) {
        LEVELS.set(self.before);
    }
}

/// Implements `VisitMut::visit_children`.
fn visit_children_mut<V: VisitMut + ?Sized>(
    node: NodeMut<'_>,
    visitor: &mut V,
) -> ControlFlow<V::Break> {
    let mut broken = ControlFlow::Continue(());
    node.message().each_child_mut(&mut |slot| {
        broken = match slot {
            NodeSlot::Node(slot) => visitor.visit_node(slot),
            NodeSlot::Message(node) => node.visit_mut(visitor),
        };
        if broken.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    broken
}

/// A transformation by `f`, which may drop the node that it is passed, with all its levels.
struct Transform<'f> {
    f: &'f mut dyn FnMut(Node) -> Node,
    /// The depth of the node whose children are transformed.
    depth: usize,
    /// The levels of the tree, as far as is known: those below `SHALLOW` are measured when the first of them is reached.
    levels: usize,
}

impl<'f> Transform<'f> {
    fn new(f: &'f mut dyn FnMut(Node) -> Node) -> Self {
        Self { f, depth: 0, levels: SHALLOW }
    }

    /// Passes each node below this one to `f`, the lowest first.
    fn children(&mut self, node: NodeMut<'_>) {
        let table = node.to_ref().message().table();
        if table.holds == 0 {
            return;
        }
        self.depth += 1;
        // What is left out is dropped as well.
        if self.depth == SHALLOW || table.shares && node.to_ref().message().leaves_out() {
            self.levels = self.levels.max(self.depth.saturating_add(node.to_ref().depth()));
        }
        with_room(self.levels, || {
            let renews = table.copies && has_copies(node.to_ref());
            let message = node.message();
            let _ = message.children_mut(|slot| {
                match slot {
                    NodeSlot::Node(slot) => self.node(slot),
                    NodeSlot::Message(node) => self.children(node),
                }
                ControlFlow::Continue(())
            });
            if renews {
                message.renew_copies();
            }
        });
        self.depth -= 1;
    }

    fn node(&mut self, slot: &mut Node) {
        if let Some(node) = slot.to_mut() {
            self.children(node);
            if self.levels <= SHALLOW {
                // There is room, since there was for the node that this one is in.
                *slot = (self.f)(mem::take(slot));
            } else {
                with_room(self.levels, || *slot = (self.f)(mem::take(slot)));
            }
        }
    }
}

impl Node {
    /// Replaces each node by the result of `f`, from the bottom up: a node that is passed to `f`
    /// already has the children that `f` returned.
    ///
    /// `f` is called with every [`Node`] that is not empty, this one last. A node in a field for one
    /// type only (the `RangeVar` of an `INSERT`, the sides of a `UNION`) is not a [`Node`]: the nodes below it are
    /// transformed, but it can only be changed itself by [`walk_mut`](Self::walk_mut).
    ///
    /// If `f` returns an empty [`Node`], the node is removed.
    ///
    /// For a node that PostgreSQL's grammar uses in several places, `f` is called once; see
    /// [`Nodes`](super::super::Nodes). Its copies become equal to the result.
    ///
    /// ```
    /// use pg_ast::{Node, NodeEnum, make};
    ///
    /// let both = make::and_expr(make::column_ref(["a"]), make::int_const(7));
    /// let mut masked = Node::from(both);
    /// masked.transform(|node| match node.node {
    ///     Some(NodeEnum::AConst(_)) => make::param_ref(1).into(),
    ///     _ => node,
    /// });
    /// assert_eq!(masked, make::and_expr(make::column_ref(["a"]), make::param_ref(1)).into());
    /// ```
    pub fn transform(&mut self, mut f: impl FnMut(Self) -> Self) {
        with_stack(|| Transform::new(&mut f).node(self));
    }
}

impl protobuf::ParseResult {
    /// Replaces each node by the result of `f`, from the bottom up; see
    /// [`Node::transform`].
    pub fn transform(&mut self, mut f: impl FnMut(Node) -> Node) {
        for stmt in &mut self.stmts {
            Transform::new(&mut f).children(stmt.into());
        }
    }
}

impl ParseResult {
    /// Replaces each node by the result of `f`, from the bottom up; see
    /// [`Node::transform`].
    ///
    /// ```
    /// use pg_ast::protobuf::BoolExprType;
    /// use pg_ast::{Node, NodeEnum};
    ///
    /// // `NOT NOT x` is `x`.
    /// fn negated(node: &mut Node) -> Option<&mut Node> {
    ///     match &mut node.node {
    ///         Some(NodeEnum::BoolExpr(expr)) if expr.boolop() == BoolExprType::NotExpr => {
    ///             expr.args.first_mut()
    ///         }
    ///         _ => None,
    ///     }
    /// }
    ///
    /// let mut tree = pg_ast::parse("SELECT NOT NOT a, NOT NOT NOT b")?;
    /// tree.transform(|mut node| match negated(&mut node).and_then(negated) {
    ///     Some(inner) => std::mem::take(inner),
    ///     None => node,
    /// });
    /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT a, NOT b");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn transform(&mut self, f: impl FnMut(Node) -> Node) {
        self.change().transform(f);
    }
}
