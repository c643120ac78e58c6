//! The parts of the generated handles that are macros. They expand in `views::changes`.

/// A field of the struct that a handle refers to, as a place.
macro_rules! place {
    ($self:ident.$field:ident) => {{
        let whole = $self.0.reborrow();
        // SAFETY: the creator of the whole guarantees a struct, and so its field; this forms no reference.
        unsafe {
            let field = &raw mut (*whole.as_ptr()).$field;
            whole.part(field)
        }
    }};
}
pub(crate) use place;

/// Sets a value without pointers to nodes.
macro_rules! set {
    ($self:ident.$field:ident, $value:ident: $type:ty) => {
        place!($self.$field).convert::<$type>(&$value)
    };
}
pub(crate) use set;

/// Sets a field that counts when the SQL of its node is looked for: see `codegen/required.rs`.
macro_rules! set_needed {
    ($self:ident.$field:ident, $value:ident: $type:ty) => {{
        $self.0.edit().note_lack();
        place!($self.$field).convert::<$type>(&$value)
    }};
}
pub(crate) use set_needed;

/// The handle of a node type.
macro_rules! handle {
    ($type:ident $handle:ident $raw:ident $tag:ident $($number:ident)?) => {
        #[doc = concat!("A [`", stringify!($type), "`] that is changed in its place.")]
        #[repr(transparent)]
        pub struct $handle<'m, 't>(pub(crate) At<'m, 't, raw::$raw>);

        impl<'t> $handle<'_, 't> {
            /// Returns a view of the node.
            #[inline]
            #[must_use]
            pub fn view(&self) -> $type<'_> {
                let node = self.0.read();
                $type(viewed!(node $(. $number)?))
            }

            /// Returns the same handle for a shorter time.
            #[inline]
            #[must_use]
            pub fn reborrow(&mut self) -> $handle<'_, 't> {
                $handle(self.0.reborrow())
            }
        }

        impl NodeType for protobuf::$type {
            type View<'a> = $type<'a>;
            type Mut<'m, 't> = $handle<'m, 't>;
        }

        impl OfOneType for protobuf::$type {}

        impl<'a> ViewOfNode<'a> for $type<'a> {
            type Type = protobuf::$type;
        }

        // SAFETY: a node with that tag is a whole struct (`Tagged`), and the handle is a place for one.
        unsafe impl OfType for protobuf::$type {
            const TAG: NodeTag = <raw::$raw as Tagged<{ NodeTag::$tag.0 }>>::TAG;

            #[inline]
            unsafe fn view<'a>(node: *const raw::Node, _: Fit) -> $type<'a> {
                // SAFETY: the caller guarantees a whole node of the type.
                let node = unsafe { InC::<raw::$raw>::new(node.cast()) };
                $type(viewed!(node $(. $number)?))
            }

            #[inline]
            unsafe fn in_place<'m, 't>(
                place: At<'m, 't, *mut raw::Node>,
                _: Fit,
            ) -> $handle<'m, 't> {
                // SAFETY: the caller guarantees a whole node of the type.
                $handle(unsafe { place.whole() })
            }

            #[inline]
            fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
                IntoRaw::<*mut raw::$raw>::into_raw(self, cx).cast()
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
    ($($variant:ident $type:ident $tag:ident $into:ident;)*) => {
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

            $(
                #[doc = concat!("The node as a `", stringify!($variant), "`, if it is one.")]
                #[inline]
                #[must_use]
                pub fn $into(self) -> Option<$type<'m, 't>> {
                    if let Self::$variant(node) = self { Some(node) } else { None }
                }
            )*

            /// Returns the same handle for a shorter time.
            #[must_use]
            pub fn reborrow(&mut self) -> NodeMut<'_, 't> {
                match self {
                    $(Self::$variant(node) => NodeMut::$variant(node.reborrow()),)*
                    Self::Unknown(node) => NodeMut::Unknown(*node),
                    Self::Null => NodeMut::Null,
                }
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
        NodeMut::$variant($type(unsafe { $place.whole() }))
    };
}
pub(crate) use in_place;
