//! `Nodes`: what names every node type, written beside the sum of all of them.
//!
//! `NodeRef` and `NodeMut` borrow any node. Their names are fixed, so that a module can hold one
//! such sum. What is not a `match` over all types is written by hand, in `pg_ast/version/`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{DeriveInput, GenericArgument, Ident, Path, PathArguments, Type};

use crate::expand::visit;
use crate::expand::walk::walk_module;
use crate::model::{Direction, Model, NodeVariant, Shape};

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let parts = walk_module(input).and_then(|walk| {
        let model = Model::new(input, Direction::IntoRaw)?;
        match &model.shape {
            Shape::Nodes(variants) => Ok(expand(input, &model, &walk, variants)),
            _ => Err(darling::Error::custom("`Nodes` is for sums of nodes").with_span(input)),
        }
    });
    parts.unwrap_or_else(darling::Error::write_errors)
}

/// A variant, and what is written of it.
pub(crate) struct Node<'a> {
    pub(crate) variant: &'a Ident,
    /// The type of the message, without the box around it.
    pub(crate) message: &'a Type,
    boxed: bool,
    raw: &'a Path,
    /// What C calls it.
    name: String,
    /// As prost writes the name of a field.
    pub(crate) snake_case: String,
}

impl<'a> Node<'a> {
    fn new(variant: &'a NodeVariant) -> Self {
        let message = unboxed(&variant.ty);
        Self {
            variant: &variant.ident,
            message: message.unwrap_or(&variant.ty),
            boxed: message.is_some(),
            raw: &variant.raw,
            name: variant.tag.to_string().trim_start_matches("T_").to_owned(),
            snake_case: snake_case(&variant.ident.unraw().to_string()),
        }
    }

    /// What the variant holds, made of an owned message.
    fn held(&self, message: &TokenStream) -> TokenStream {
        if self.boxed { quote!(::std::boxed::Box::new(#message)) } else { message.clone() }
    }
}

/// `T` of `Box<T>`.
fn unboxed(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Box")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// `a_expr` for `AExpr`: a word begins before a capital that stands behind a small letter, or before
/// one. That is prost-build's rule.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let after_small = index > 0 && !letters[index - 1].is_uppercase();
        let before_small = letters.get(index + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && index > 0 && (after_small || before_small) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

fn expand(
    input: &DeriveInput,
    model: &Model,
    walk: &Path,
    variants: &[NodeVariant],
) -> TokenStream {
    let nodes: Vec<_> = variants.iter().map(Node::new).collect();
    let borrows = borrows(input, model, walk, &nodes);
    let visit = visit::expand(&input.vis, walk, &nodes);
    let conversions = conversions(model, walk, &nodes);
    quote! {
        #borrows
        #visit
        const _: () = { #conversions };
    }
}

/// `NodeRef` and `NodeMut`, with what is a `match` over all of their variants.
fn borrows(input: &DeriveInput, model: &Model, walk: &Path, nodes: &[Node<'_>]) -> TokenStream {
    let Model { ident, krate, raw, .. } = model;
    let vis = &input.vis;
    let variants: Vec<_> = nodes.iter().map(|node| node.variant).collect();
    let messages: Vec<_> = nodes.iter().map(|node| node.message).collect();
    let names = nodes.iter().map(|node| &node.name);
    let raws = nodes.iter().map(|node| node.raw);
    let owned = nodes.iter().map(|node| node.held(&quote!(::core::clone::Clone::clone(node))));
    let taken = nodes.iter().map(|node| node.held(&quote!(::core::mem::take(node))));
    quote! {
        /// A node of any type, borrowed: one variant for each type that a node can have.
        ///
        /// It is as small as a reference and a tag, and can be copied. A reference to a node of a
        /// given type becomes one by `From`.
        ///
        /// ```
        /// use pg_ast::{NodeEnum, NodeRef};
        ///
        /// let tree = pg_ast::parse("SELECT a FROM t")?;
        /// let tables: Vec<_> = tree
        ///     .nodes()
        ///     .filter_map(|(node, _)| match node {
        ///         NodeRef::RangeVar(table) => Some(table.relname.as_str()),
        ///         _ => None,
        ///     })
        ///     .collect();
        /// assert_eq!(tables, ["t"]);
        ///
        /// let stmt = tree.protobuf.stmts[0].stmt.as_ref().unwrap();
        /// let Some(NodeEnum::SelectStmt(select)) = &stmt.node else { panic!() };
        /// assert_eq!(Some(NodeRef::from(&**select)), stmt.to_ref());
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq)]
        #vis enum NodeRef<'a> {
            #(#[allow(missing_docs)] #variants(&'a #messages),)*
        }

        /// A node of any type, borrowed to be changed: one variant for each type that a node can
        /// have.
        ///
        /// What it cannot do is to put a node of another type in the place; that is done through the
        /// [`Node`](super::Node) around it, by `Node::transform` or `VisitMut::visit_node`.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// use pg_ast::NodeMut;
        ///
        /// let mut tree = pg_ast::parse("SELECT a FROM t JOIN u USING (id)")?;
        /// let _ = tree.walk_mut(|node| {
        ///     if let NodeMut::RangeVar(table) = node {
        ///         table.schemaname = "s".to_owned();
        ///     }
        ///     ControlFlow::<()>::Continue(())
        /// });
        /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT a FROM s.t JOIN s.u USING (id)");
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #vis enum NodeMut<'a> {
            #(#[allow(missing_docs)] #variants(&'a mut #messages),)*
        }

        impl #ident {
            /// The node, borrowed.
            #[must_use]
            #vis fn to_ref(&self) -> NodeRef<'_> {
                match self { #(Self::#variants(node) => NodeRef::#variants(node),)* }
            }

            /// The node, borrowed to be changed.
            #[must_use]
            #vis fn to_mut(&mut self) -> NodeMut<'_> {
                match self { #(Self::#variants(node) => NodeMut::#variants(node),)* }
            }
        }

        impl<'a> NodeRef<'a> {
            /// What PostgreSQL calls the type of the node: the name of the C struct.
            ///
            /// ```
            /// let tree = pg_ast::parse("CREATE LANGUAGE l HANDLER h; SELECT 1")?;
            /// let names: Vec<_> = tree.nodes().map(|(node, _)| node.name()).collect();
            /// assert_eq!(names[..2], ["RawStmt", "CreatePLangStmt"]);
            /// assert_eq!(names[3..], ["RawStmt", "SelectStmt", "ResTarget", "A_Const", "Integer"]);
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            #[must_use]
            #vis fn name(self) -> &'static str {
                match self { #(Self::#variants(_) => #names,)* }
            }

            /// A copy of the node, and of all that is below it.
            #[must_use]
            #vis fn to_enum(self) -> #ident {
                match self { #(Self::#variants(node) => #ident::#variants(#owned),)* }
            }

            /// What has the fields.
            pub(crate) fn message(self) -> &'a dyn #walk::Children {
                match self { #(Self::#variants(node) => node,)* }
            }
        }

        impl<'a> NodeMut<'a> {
            /// The same node, to be read.
            #[must_use]
            #vis fn to_ref(&self) -> NodeRef<'_> {
                match self { #(Self::#variants(node) => NodeRef::#variants(node),)* }
            }

            /// The same node for a shorter time, so that this borrow can be used again.
            #[must_use]
            #vis fn reborrow(&mut self) -> NodeMut<'_> {
                match self { #(Self::#variants(node) => NodeMut::#variants(node),)* }
            }

            /// What has the fields.
            pub(crate) fn message(self) -> &'a mut dyn #walk::Children {
                match self { #(Self::#variants(node) => node,)* }
            }

            /// The node, with an empty one of its type left in its place.
            pub(crate) fn take(self) -> #ident {
                match self { #(Self::#variants(node) => #ident::#variants(#taken),)* }
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for NodeMut<'_> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.to_ref(), f)
            }
        }

        #[automatically_derived]
        impl #krate::IntoRaw<*mut #raw> for NodeRef<'_> {
            fn into_raw(self, cx: &mut #krate::IntoRawContext<'_>) -> *mut #raw {
                match self {
                    #(Self::#variants(node) => {
                        <&#messages as #krate::IntoRaw<*mut #raws>>::into_raw(node, cx).cast::<#raw>()
                    })*
                }
            }
        }
    }
}

/// From a message of each type, and what it is as the value of a field: a node.
fn conversions(model: &Model, walk: &Path, nodes: &[Node<'_>]) -> TokenStream {
    let ident = &model.ident;
    let each = nodes.iter().map(|node| {
        let Node { variant, message, .. } = node;
        let held = node.held(&quote!(node));
        quote! {
            #[automatically_derived]
            impl<'a> ::core::convert::From<&'a #message> for NodeRef<'a> {
                fn from(node: &'a #message) -> Self {
                    Self::#variant(node)
                }
            }

            #[automatically_derived]
            impl<'a> ::core::convert::From<&'a mut #message> for NodeMut<'a> {
                fn from(node: &'a mut #message) -> Self {
                    Self::#variant(node)
                }
            }

            #[automatically_derived]
            impl ::core::convert::From<#message> for #ident {
                fn from(node: #message) -> Self {
                    Self::#variant(#held)
                }
            }

            #[automatically_derived]
            impl #walk::Field for #message {
                fn walk<'a>(
                    &'a self,
                    f: &mut #walk::Sink<'_, 'a>,
                ) -> ::core::ops::ControlFlow<()> {
                    f(NodeRef::#variant(self))
                }

                fn walk_mut<'a>(
                    &'a mut self,
                    f: &mut #walk::SinkMut<'_, 'a>,
                ) -> ::core::ops::ControlFlow<()> {
                    f(#walk::Slot::Message(NodeMut::#variant(self)))
                }
            }
        }
    });
    quote!(#(#each)*)
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn snake_case_is_that_of_prost() {
        for (name, expected) in [
            ("Alias", "alias"),
            ("SelectStmt", "select_stmt"),
            ("AExpr", "a_expr"),
            ("AArrayExpr", "a_array_expr"),
            ("AIndirection", "a_indirection"),
            ("SqlvalueFunction", "sqlvalue_function"),
            ("CoerceViaIo", "coerce_via_io"),
        ] {
            assert_eq!(snake_case(name), expected);
        }
    }
}
