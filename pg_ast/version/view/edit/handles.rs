//! The parts of the generated handles that are macros. They expand in `views::changes`.

/// A change of a field of the struct that a handle refers to.
macro_rules! change {
    ($how:expr, $self:ident.$raw:ident.$field:ident $(, $more:expr)*) => {
        // SAFETY: the handle is that of a whole struct of this type, and is borrowed. This forms no reference.
        unsafe {
            $how($self.0.edit, &raw mut (*($self.0.place as *mut raw::$raw)).$field $(, $more)*)
        }
    };
}
pub(crate) use change;

/// A change of a field that counts when the SQL of the node is looked for: see `codegen/required.rs`.
macro_rules! change_needed {
    ($how:expr, $self:ident.$raw:ident.$field:ident $(, $more:expr)*) => {{
        change!($how, $self.$raw.$field $(, $more)*);
        $self.0.edit.note_if_lacks($self.view().into());
    }};
}
pub(crate) use change_needed;

/// The handle of a node type.
macro_rules! handle {
    ($type:ident $handle:ident $raw:ident $tag:ident $($number:ident)?) => {
        #[doc = concat!("A [`", stringify!($type), "`] that is changed in its place.")]
        pub type $handle<'m, 't> = Mut<'m, 't, protobuf::$type>;

        // SAFETY: the view is turned into the variant of its own type.
        unsafe impl<'a> OfView<'a> for $type<'a> {
            type Of = protobuf::$type;
        }

        // SAFETY: a node with that tag is a whole struct (`Tagged`), and a conversion writes one.
        unsafe impl StructType for protobuf::$type {
            const TAG: NodeTag = <raw::$raw as Tagged<{ NodeTag::$tag.0 }>>::TAG;
            type Raw = raw::$raw;
            type View<'a> = $type<'a>;

            #[inline]
            unsafe fn view<'a>(node: *const raw::$raw) -> $type<'a> {
                // SAFETY: the caller guarantees a whole struct.
                let node = unsafe { InC::new(node) };
                $type(viewed!(node $(. $number)?))
            }

            #[inline]
            fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::$raw {
                self.into_raw(cx)
            }
        }
    };
}
pub(crate) use handle;

/// What a view refers to: the struct, or the number of an `Integer`.
macro_rules! viewed {
    ($node:ident) => {
        $node
    };
    ($node:ident . $number:ident) => {
        field!($node.$number)
    };
}
pub(crate) use viewed;

/// `NodeMut`, which lists all node types.
macro_rules! nodes_mut {
    ($($variant:ident $type:ident $tag:ident;)*) => {
        /// A node of any type, to be changed in its place: [`view::Node`](super::super::view::Node) for an edit.
        #[allow(missing_docs)]
        #[repr(u32)]
        pub enum NodeMut<'m, 't> {
            $($variant($type<'m, 't>) = NodeTag::$tag.0,)*
            /// A node of a type that the schema does not have. Parsed trees do not contain one.
            Unknown(super::super::view::Unknown<'m>) = u32::MAX - 1,
            /// No node.
            Null = u32::MAX,
        }

        impl<'m, 't> NodeMut<'m, 't> {
            /// Makes the handle of the node in a place.
            ///
            /// # Safety
            ///
            /// The place has a node, which is a whole one of the type with this tag.
            pub(crate) unsafe fn of(tag: NodeTag, place: At<'m, 't, *mut raw::Node>) -> Self {
                match tag {
                    $(NodeTag::$tag => in_place!($variant $type place),)*
                    _ => unknown(place),
                }
            }

            /// Returns a view of the node.
            #[must_use]
            pub fn view(&self) -> Node<'_> {
                match self {
                    $(Self::$variant(node) => Node::$variant(node.view()),)*
                    Self::Unknown(node) => Node::Unknown(*node),
                    Self::Null => Node::Null,
                }
            }

            /// Returns the edit; `None` without a node of a known type.
            pub(crate) fn edit(&self) -> Option<EditUnderWay<'t>> {
                match self {
                    $(Self::$variant(node) => Some(node.edit()),)*
                    Self::Unknown(_) | Self::Null => None,
                }
            }

            /// Returns the node as one of a given type; `None` if it is of another one.
            ///
            /// ```
            /// use pg_ast::{protobuf, view};
            ///
            /// let mut tree = view::parse("DROP TABLE t")?;
            /// tree.edit(|mut stmts, _| {
            ///     let mut drop = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::DropStmt>()).unwrap();
            ///     drop.set_missing_ok(true);
            /// });
            /// assert_eq!(tree.deparse()?, "DROP TABLE IF EXISTS t");
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            #[must_use]
            pub fn into_type<N: StructType>(self) -> Option<Mut<'m, 't, N>> {
                match self {
                    $(Self::$variant(node) => of_type!($type node $tag),)*
                    Self::Unknown(_) | Self::Null => None,
                }
            }

            /// Returns the node as a list; `None` if it is another node.
            #[must_use]
            pub fn into_list(self) -> Option<ListMut<'m, 't>> {
                match self {
                    Self::List(list) | Self::IntList(list) | Self::OidList(list) => Some(list),
                    _ => None,
                }
            }

            /// Returns the same handle for a shorter time.
            #[must_use]
            pub fn reborrow(&mut self) -> NodeMut<'_, 't> {
                let node: *mut NodeMut<'_, 't> = ::core::ptr::from_mut(self).cast();
                // SAFETY: only a lifetime differs. A handle frees nothing, and nobody uses `self` while it is borrowed.
                unsafe { node.read() }
            }
        }
    };
}
pub(crate) use nodes_mut;

/// A handle in the variant of its type; all lists have the same one, which is that of the place.
macro_rules! in_place {
    ($variant:ident ListMut $place:ident) => {
        // SAFETY: the tag says that it is a list.
        NodeMut::$variant(unsafe { ListMut::in_node($place) })
    };
    ($variant:ident $type:ident $place:ident) => {
        // SAFETY: the tag says which struct it is.
        NodeMut::$variant(unsafe { Mut::of($place.whole()) })
    };
}
pub(crate) use in_place;

/// A handle as that of another type, if that is its own.
macro_rules! of_type {
    (ListMut $node:ident $tag:ident) => {{
        let _ = $node;
        None
    }};
    ($type:ident $node:ident $tag:ident) => {
        $node.of_type(NodeTag::$tag)
    };
}
pub(crate) use of_type;
