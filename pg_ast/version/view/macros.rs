//! The parts of the generated code that are macros. They expand in `views`, next to `view`.

/// A field of a struct that is an [`InC`](crate::convert::c_tree::in_c::InC).
macro_rules! field {
    ($whole:ident.$field:ident) => {
        // SAFETY: the creator of the whole guarantees a struct, and so its field; this forms no reference.
        unsafe { $whole.part(&raw const (*$whole.as_ptr()).$field) }
    };
}
pub(crate) use field;

/// The value of a field of the struct that `$self` refers to.
macro_rules! part {
    ($self:ident.$field:ident) => {{
        let whole = $self.0;
        value(field!(whole.$field))
    }};
}
pub(crate) use part;

/// The entry of a struct in the table, with the texts that have the names and the numbers of its fields.
macro_rules! structure {
    (
        $name:ident $tag:ident $counts:ident$(($rule:ident))? $before:literal $links:literal $counted:literal $is_stmt:literal;
        $($field:ident [$($place:ident)*])* $names:literal $numbers:expr;
        $($unmapped:ident)*
    ) => {{
        const FIELDS: &[Field] = {
            let whole = ::core::mem::MaybeUninit::<raw::$name>::uninit();
            #[allow(unused_variables)] // by a struct without fields
            let raw = whole.as_ptr();
            // SAFETY: `raw` points to memory of the struct, and so to its fields. Nothing is read.
            #[allow(unused_unsafe)]
            let parts = unsafe { [$(part(raw, &raw const (*raw).$field)$(.and(HashPlace::$place))*,)*] };
            &fields(parts, $names, $numbers)
        };
        // A constant of its own: all of the table in one expression takes long to check.
        const STRUCT: Struct = Struct::new::<raw::$name>(
            (stringify!($name), raw::NodeTag::$tag.0),
            Counts::$counts$((Rule::$rule))?,
            $before,
            FIELDS,
            &links::<$links>(stringify!($name), FIELDS),
            &[$(span::<raw::$name, _>(
                ::core::mem::offset_of!(raw::$name, $unmapped),
                |raw| &raw.$unmapped,
            ),)*],
            ($counted, $is_stmt),
        );
        STRUCT
    }};
}
pub(crate) use structure;

/// The items that every node type has, apart from those that depend on its fields.
macro_rules! node {
    ($type:ident $name:ident) => {
        impl $type<'_> {
            /// Prints the node as SQL, if it can be printed by itself; see [`Node::deparse`].
            ///
            /// # Errors
            ///
            /// The errors of that call.
            #[inline]
            pub fn deparse(self) -> ::core::result::Result<::std::string::String, $crate::Error> {
                Node::from(self).deparse()
            }

            /// Copies the node and all nodes below it into the types of the owned tree.
            ///
            /// # Errors
            ///
            /// The node has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)).
            #[inline]
            pub fn to_owned_tree(self) -> ::core::result::Result<protobuf::$type, $crate::Error> {
                to_owned(self.0)
            }
        }

        /// Without a copy.
        // SAFETY: the trait's own `write_raw`.
        #[automatically_derived]
        unsafe impl<'t> FromRaw<'t, raw::$name> for $type<'t> {
            #[inline]
            unsafe fn from_raw(raw: *const raw::$name, _: &mut FromRawContext) -> Self {
                // SAFETY: the caller guarantees the node for as long as `'t`.
                Self(unsafe { InC::new(raw) })
            }
        }

        // A derive has more code, and another impl.
        #[automatically_derived]
        impl Clone for $type<'_> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        #[automatically_derived]
        impl Copy for $type<'_> {}

        /// Prints like the owned node.
        impl ::core::fmt::Debug for $type<'_> {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                debug::<protobuf::$type, _>(self.0, f)
            }
        }

        /// Compares like owned nodes: with locations, and all nodes below.
        impl ::core::cmp::PartialEq for $type<'_> {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                Node::from(*self) == Node::from(*other)
            }
        }

        impl ::core::cmp::Eq for $type<'_> {}

        impl ::core::hash::Hash for $type<'_> {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                Node::from(*self).hash(state);
            }
        }
    };
}
pub(crate) use node;

/// `Node` and `Visit`, which list all node types.
macro_rules! nodes {
    ($($variant:ident $type:ident $tag:ident $json:literal $number:literal $visit:ident $as:ident;)*) => {
        /// A node of any type: one variant for each type that a node can have.
        ///
        /// It has the size of a pointer and a tag, and is `Copy`. `From` converts a node of a given
        /// type.
        ///
        /// ```
        /// use pg_ast::view::{self, Node};
        ///
        /// let tree = view::parse("SELECT a FROM t")?;
        /// let tables: Vec<_> = tree
        ///     .nodes()
        ///     .filter_map(|node| match node {
        ///         Node::RangeVar(table) => Some(table.relname()),
        ///         _ => None,
        ///     })
        ///     .collect();
        /// assert_eq!(tables, ["t"]);
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[derive(Clone, Copy)]
        // With the tags of C as discriminants, a node is made without a branch for each type; see
        // `Node::from_raw`.
        #[repr(u32)]
        #[allow(missing_docs)]
        pub enum Node<'a> {
            $($variant($type<'a>) = raw::NodeTag::$tag.0,)*
            /// A node of a type that the schema does not have. Parsed trees do not contain one.
            Unknown(super::view::Unknown<'a>) = u32::MAX - 1,
            /// No node: an empty cell of a list, such as that of `SELECT DISTINCT`.
            Null = u32::MAX,
        }

        /// The tags of the variants, each with its number and its name in Protobuf and JSON.
        pub(crate) const VARIANTS: &[(u32, u32, &str)] =
            &[$((raw::NodeTag::$tag.0, $number, $json),)*];

        /// A walk over a tree, with a method for each node type: [`Visit`](super::Visit) of the owned
        /// tree, for views.
        ///
        /// Each method visits the children of its node, unless it is overridden. An overriding method calls
        /// [`visit_children`](Self::visit_children) for that; if it does not, the walk skips the nodes below it. A
        /// method that breaks ends the walk.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// use pg_ast::view::{self, RangeVar, SubLink, Visit};
        ///
        /// /// The tables of a query, but not those of its subselects.
        /// #[derive(Default)]
        /// struct Tables<'a>(Vec<&'a str>);
        ///
        /// impl<'a> Visit<'a> for Tables<'a> {
        ///     type Break = ();
        ///
        ///     fn visit_range_var(&mut self, node: RangeVar<'a>) -> ControlFlow<()> {
        ///         self.0.push(node.relname());
        ///         self.visit_children(node.into())
        ///     }
        ///
        ///     fn visit_sub_link(&mut self, _: SubLink<'a>) -> ControlFlow<()> {
        ///         ControlFlow::Continue(())
        ///     }
        /// }
        ///
        /// let tree = view::parse("SELECT * FROM a JOIN b USING (id) WHERE x IN (SELECT y FROM c)")?;
        /// let mut tables = Tables::default();
        /// assert!(tree.visit(&mut tables).is_continue());
        /// assert_eq!(tables.0, ["a", "b"]);
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        pub trait Visit<'a> {
            /// The value returned by a walk that stops early.
            type Break;

            /// Called for each node, before the method of its type.
            fn enter(&mut self, node: Node<'a>) -> ::core::ops::ControlFlow<Self::Break> {
                let _ = node;
                ::core::ops::ControlFlow::Continue(())
            }

            /// Called for each node, after the method of its type; not if the walk ends there.
            fn leave(&mut self, node: Node<'a>) -> ::core::ops::ControlFlow<Self::Break> {
                let _ = node;
                ::core::ops::ControlFlow::Continue(())
            }

            /// Visits the children of a node, in the order of its fields.
            fn visit_children(&mut self, node: Node<'a>) -> ::core::ops::ControlFlow<Self::Break> {
                node.try_children(|child| child.visit(self))
            }

            $(
                #[doc = concat!(
                    " Visits a node of the type `", stringify!($variant), "`: by default, its children."
                )]
                fn $visit(&mut self, node: $type<'a>) -> ::core::ops::ControlFlow<Self::Break> {
                    self.visit_children(Node::$variant(node))
                }
            )*
        }

        impl<'a> Node<'a> {
            /// Calls the method of the node's type.
            pub(crate) fn accept<V: Visit<'a> + ?::core::marker::Sized>(
                self,
                visitor: &mut V,
            ) -> ::core::ops::ControlFlow<V::Break> {
                match self {
                    $(Self::$variant(node) => visitor.$visit(node),)*
                    Self::Unknown(_) | Self::Null => ::core::ops::ControlFlow::Continue(()),
                }
            }
        }

        /// Conversions to a given node type.
        impl<'a> Node<'a> {
            $(
                #[doc = concat!("The node as a `", stringify!($variant), "`, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $as(self) -> Option<$type<'a>> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }
            )*
        }

        $(from_node! { $variant $type })*
    };
}
pub(crate) use nodes;

/// Conversions from each node type; all lists have the same type.
macro_rules! from_node {
    ($variant:ident List) => {};
    ($variant:ident $type:ident) => {
        impl<'a> ::core::convert::From<$type<'a>> for Node<'a> {
            #[inline]
            fn from(node: $type<'a>) -> Self {
                Self::$variant(node)
            }
        }
    };
}
pub(crate) use from_node;

/// Pointers to nodes of a fixed type.
macro_rules! children {
    ($($name:ident $type:ident $tag:ident;)*) => {$(
        impl $crate::convert::c_tree::field_type::FieldType for *mut raw::$name {
            const KIND: Kind = Kind::Child(raw::NodeTag::$tag.0);
            type View<'a> = Option<$type<'a>>;

            #[inline]
            fn view(field: InC<'_, Self>) -> Option<$type<'_>> {
                field.target().map($type)
            }
        }

        // SAFETY: a struct has the tag's name (`Tagged`).
        unsafe impl super::view::edit::node_type::Points for raw::$name {
            type Of = protobuf::$type;
        }
    )*};
}
pub(crate) use children;

/// The C enums, by their twins in the schema.
macro_rules! enumerations {
    ($($index:literal $name:ident $type:ident;)*) => {
        pub(crate) static ENUMERATIONS: &[$crate::convert::c_tree::table::Enumeration] = &[$({
            // A function and no combinators, since each closure would be one more function.
            fn number(bits: u32) -> i32 {
                match protobuf::$type::from_constant(raw::$name(bits as _)) {
                    Some(constant) => constant as i32,
                    None => protobuf::$type::default() as i32,
                }
            }
            $crate::convert::c_tree::table::Enumeration {
                number,
                constants: <protobuf::$type as $crate::convert::enumeration::NamedEnum>::CONSTANTS,
            }
        }),*];

        $(
        impl $crate::convert::c_tree::field_type::FieldType for raw::$name {
            const KIND: Kind = Kind::Enumeration($index);
            type View<'a> = protobuf::$type;

            /// A value that is not a constant of the enum becomes the constant that the schema has for 0.
            #[inline]
            fn view(field: InC<'_, Self>) -> protobuf::$type {
                protobuf::$type::from_constant(field.get()).unwrap_or_default()
            }
        }
        )*
    };
}
pub(crate) use enumerations;
