//! Conversions between a node of any type and a message: `From` and the methods that are named after types.
//!
//! Code for each of 270 types, for each way to hold a node, would be 2,700 functions. Instead, the enums of nodes have
//! a defined layout, and one function for each way casts by it.

use core::borrow::{Borrow as _, BorrowMut};
use core::mem::ManuallyDrop;
use core::ptr;

use super::names::{NodeEnum, NodeMut, NodeRef, protobuf};

/// A message that is a node: a variant of [`NodeEnum`], [`NodeRef`] and [`NodeMut`] holds it, and `From` makes
/// these of it.
///
/// It allows functions over all types of nodes:
///
/// ```
/// use pg_ast::protobuf::{DeleteStmt, SelectStmt};
/// use pg_ast::{NodeMessage, NodeRef};
///
/// fn count_nodes<M: NodeMessage>(message: &M) -> usize {
///     NodeRef::from(message).nodes().count()
/// }
///
/// assert_eq!(count_nodes(&SelectStmt::default()), 1);
/// assert_eq!(count_nodes(&DeleteStmt::default()), 1);
/// ```
///
/// # Safety
///
/// - `VARIANT` is the number of variants before the one that holds the message, in all three enums.
/// - That variant of `NodeEnum` holds a `Held`.
///
/// This crate implements it for all nodes; there is nothing to implement elsewhere.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the message of a node",
    label = "no node holds this type",
    note = "the variants of `NodeEnum` name all types that a node can have"
)]
pub unsafe trait NodeMessage: Sized {
    /// The number of variants before the one that holds the message, in each of the enums.
    #[doc(hidden)]
    const VARIANT: u16;

    /// What the variant of [`NodeEnum`] holds: the message, or a box if that is large.
    #[doc(hidden)]
    type Held: BorrowMut<Self> + From<Self>;
}

macro_rules! held {
    (in_place $message:ty) => { $message };
    (boxed $message:ty) => { Box<$message> };
}

macro_rules! messages {
    ($($index:literal $variant:ident $message:ident $held:ident $raw:ident $name:ident $($_method:ident)*;)*) => {$(
        // SAFETY: `each_node!` and the enums are made of the same oneof of the schema, in its order; it decides what is
        // boxed, too.
        unsafe impl NodeMessage for protobuf::$message {
            const VARIANT: u16 = $index;
            type Held = held!($held protobuf::$message);
        }
    )*};
}
protobuf::each_node!(messages);

/// The layout of an enum's variant: that of a `#[repr(u16)]` enum, as the reference defines it.
#[repr(C)]
struct VariantWith<T> {
    variant: u16,
    held: ManuallyDrop<T>,
}

impl<T> VariantWith<T> {
    /// Returns the enum that has this variant.
    ///
    /// # Safety
    ///
    /// `E` is `#[repr(u16)]`, and its variant of this number holds a `T`.
    #[inline]
    unsafe fn into_enum<E>(variant: u16, held: T) -> E {
        let mut node = core::mem::MaybeUninit::<E>::uninit();
        const { assert!(size_of::<Self>() <= size_of::<E>() && align_of::<Self>() <= align_of::<E>()) };
        // SAFETY: the variant fits into the enum, and is one by the caller's guarantee.
        unsafe {
            node.as_mut_ptr().cast::<Self>().write(Self { variant, held: ManuallyDrop::new(held) });
            node.assume_init()
        }
    }

    /// Returns what an enum holds if it has this variant, and null if it has another one.
    ///
    /// # Safety
    ///
    /// `E` is `#[repr(u16)]`, and its variant of this number holds a `T`. `node` points to an `E`.
    #[inline]
    unsafe fn held<E>(variant: u16, node: *mut E) -> *mut T {
        let node = node.cast::<Self>();
        // SAFETY: such an enum begins with the number of its variant, and the rest is that variant.
        unsafe {
            if (*node).variant == variant {
                (&raw mut (*node).held).cast()
            } else {
                ptr::null_mut()
            }
        }
    }
}

/// Returns how many variants precede that of a node in `NodeEnum`, `NodeRef` and `NodeMut`: for the tests.
pub(super) fn variants(node: &mut NodeEnum) -> [u16; 3] {
    /// # Safety
    ///
    /// `E` is `#[repr(u16)]`.
    unsafe fn variant<E>(node: &E) -> u16 {
        // SAFETY: such an enum begins with the number of its variant.
        unsafe { *ptr::from_ref(node).cast() }
    }
    // SAFETY: all three are `#[repr(u16)]`.
    unsafe { [variant(node), variant(&node.to_ref()), variant(&node.to_mut())] }
}

impl<'a, M: NodeMessage> From<&'a M> for NodeRef<'a> {
    #[inline]
    fn from(message: &'a M) -> Self {
        // SAFETY: the enum is `#[repr(u16)]`; the implementation of the trait guarantees the variant.
        unsafe { VariantWith::into_enum(M::VARIANT, message) }
    }
}

impl<'a, M: NodeMessage> From<&'a mut M> for NodeMut<'a> {
    #[inline]
    fn from(message: &'a mut M) -> Self {
        // SAFETY: as above.
        unsafe { VariantWith::into_enum(M::VARIANT, message) }
    }
}

impl<M: NodeMessage> From<M> for NodeEnum {
    #[inline]
    fn from(message: M) -> Self {
        // SAFETY: as above; the trait guarantees what the variant holds, too.
        unsafe { VariantWith::into_enum(M::VARIANT, M::Held::from(message)) }
    }
}

impl NodeEnum {
    #[inline]
    pub(super) fn get<M: NodeMessage>(&self) -> Option<&M> {
        let node = ptr::from_ref(self).cast_mut();
        // SAFETY: as above. What the node holds is borrowed like the node.
        let held = unsafe { VariantWith::<M::Held>::held(M::VARIANT, node).as_ref() };
        Some(held?.borrow())
    }

    #[inline]
    pub(super) fn get_mut<M: NodeMessage>(&mut self) -> Option<&mut M> {
        // SAFETY: as above.
        let held = unsafe { VariantWith::<M::Held>::held(M::VARIANT, self).as_mut() };
        Some(held?.borrow_mut())
    }
}

impl super::names::Node {
    #[inline]
    pub(super) fn get<M: NodeMessage>(&self) -> Option<&M> {
        self.node.as_ref()?.get()
    }

    #[inline]
    pub(super) fn get_mut<M: NodeMessage>(&mut self) -> Option<&mut M> {
        self.node.as_mut()?.get_mut()
    }
}

impl<'a> NodeRef<'a> {
    #[inline]
    pub(super) fn get<M: NodeMessage>(mut self) -> Option<&'a M> {
        // SAFETY: as above.
        let held = unsafe { VariantWith::<&M>::held(M::VARIANT, &raw mut self).as_ref() };
        held.copied()
    }
}

impl<'a> NodeMut<'a> {
    #[inline]
    pub(super) fn get<M: NodeMessage>(&self) -> Option<&M> {
        let node = ptr::from_ref(self).cast_mut();
        // SAFETY: as above.
        let held = unsafe { VariantWith::<&mut M>::held(M::VARIANT, node).as_ref() };
        Some(held?)
    }

    #[inline]
    pub(super) fn into_message<M: NodeMessage>(mut self) -> Option<&'a mut M> {
        // SAFETY: as above. The reference is moved out, and nothing else remains of the node.
        unsafe {
            let held = VariantWith::<&'a mut M>::held(M::VARIANT, &raw mut self);
            if held.is_null() { None } else { Some(held.read()) }
        }
    }
}
