//! The part of `Nodes` that has a method for each node type: `Visit` and `VisitMut`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Path, Visibility};

use crate::expand::nodes::Node;

pub(crate) fn expand(vis: &Visibility, walk: &Path, nodes: &[Node<'_>]) -> TokenStream {
    let variants: Vec<_> = nodes.iter().map(|node| node.variant).collect();
    let messages: Vec<_> = nodes.iter().map(|node| node.message).collect();
    let methods: Vec<_> =
        nodes.iter().map(|node| format_ident!("visit_{}", node.snake_case)).collect();
    let docs: Vec<_> = variants
        .iter()
        .map(|variant| format!(" Visits a node of the type `{variant}`: by default, its children."))
        .collect();
    quote! {
        /// A walk over a tree, with a method for each node type.
        ///
        /// Each method visits the children of its node, unless it is overridden. One that is
        /// overridden does so by [`visit_children`](Self::visit_children); or it does not, and the walk
        /// leaves out what is below the node. A method that breaks ends the walk.
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
        #vis trait Visit<'a> {
            /// What a walk gives that ends early.
            type Break;

            /// Called for each node, before the method of its type.
            fn enter(&mut self, node: NodeRef<'a>) -> ::core::ops::ControlFlow<Self::Break> {
                let _ = node;
                ::core::ops::ControlFlow::Continue(())
            }

            /// Called for each node, after the method of its type; not if the walk ends there.
            fn leave(&mut self, node: NodeRef<'a>) -> ::core::ops::ControlFlow<Self::Break> {
                let _ = node;
                ::core::ops::ControlFlow::Continue(())
            }

            /// Visits the children of a node, in the order of its fields.
            fn visit_children(
                &mut self,
                node: NodeRef<'a>,
            ) -> ::core::ops::ControlFlow<Self::Break> {
                node.try_children(|child| child.visit(self))
            }

            #(
                #[doc = #docs]
                fn #methods(
                    &mut self,
                    node: &'a #messages,
                ) -> ::core::ops::ControlFlow<Self::Break> {
                    self.visit_children(NodeRef::#variants(node))
                }
            )*
        }

        impl<'a> NodeRef<'a> {
            /// Calls the method of the node's type.
            pub(crate) fn accept<V: Visit<'a> + ?::core::marker::Sized>(
                self,
                visitor: &mut V,
            ) -> ::core::ops::ControlFlow<V::Break> {
                match self { #(Self::#variants(node) => visitor.#methods(node),)* }
            }
        }

        /// A walk over a tree that can change it, with a method for each node type.
        ///
        /// As [`Visit`]; and [`visit_node`](Self::visit_node) is called for each place where any node
        /// can stand, so that it can put another one there. The children of a node are those that it
        /// has after [`enter`](Self::enter) has changed it.
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
        #vis trait VisitMut {
            /// What a walk gives that ends early.
            type Break;

            /// Called for each node, before the method of its type.
            fn enter(&mut self, node: NodeMut<'_>) -> ::core::ops::ControlFlow<Self::Break> {
                let _ = node;
                ::core::ops::ControlFlow::Continue(())
            }

            /// Called for each node, after the method of its type; not if the walk ends there.
            fn leave(&mut self, node: NodeMut<'_>) -> ::core::ops::ControlFlow<Self::Break> {
                let _ = node;
                ::core::ops::ControlFlow::Continue(())
            }

            /// Visits a place where any node can stand, or none: by default, the node that is there.
            fn visit_node(
                &mut self,
                slot: &mut super::Node,
            ) -> ::core::ops::ControlFlow<Self::Break> {
                self.visit_slot(slot)
            }

            /// Visits the node that stands in a place, if there is one: what
            /// [`visit_node`](Self::visit_node) does by default.
            fn visit_slot(
                &mut self,
                slot: &mut super::Node,
            ) -> ::core::ops::ControlFlow<Self::Break> {
                match slot.to_mut() {
                    ::core::option::Option::Some(node) => node.visit_mut(self),
                    ::core::option::Option::None => ::core::ops::ControlFlow::Continue(()),
                }
            }

            /// Visits the children of a node, in the order of its fields.
            fn visit_children(
                &mut self,
                node: NodeMut<'_>,
            ) -> ::core::ops::ControlFlow<Self::Break> {
                #walk::visit_children_mut(node, self)
            }

            #(
                #[doc = #docs]
                fn #methods(
                    &mut self,
                    node: &mut #messages,
                ) -> ::core::ops::ControlFlow<Self::Break> {
                    self.visit_children(NodeMut::#variants(node))
                }
            )*
        }

        impl NodeMut<'_> {
            /// Calls the method of the node's type.
            pub(crate) fn accept<V: VisitMut + ?::core::marker::Sized>(
                self,
                visitor: &mut V,
            ) -> ::core::ops::ControlFlow<V::Break> {
                match self { #(Self::#variants(node) => visitor.#methods(node),)* }
            }
        }
    }
}
