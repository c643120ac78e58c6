//! The places of fields, by their numbers.

use core::ffi::c_char;
use core::ptr::NonNull;

use super::super::{Kind, structure_of};
use super::names::raw::{self, NodeTag};
use super::{At, Fit};

/// The place of a field.
pub(crate) enum FieldPlaceInC<'m, 't> {
    Text(At<'m, 't, *mut c_char>),
    List(At<'m, 't, *mut raw::List>),
    Node(At<'m, 't, *mut raw::Node>, Fit),
}

impl<'m, 't> At<'m, 't, *mut raw::Node> {
    /// Returns the place of the field with this number in Protobuf, of the node in this place; `None` if there is no such field,
    /// or if it has a number.
    ///
    /// # Safety
    ///
    /// The place has a whole node, or a part of one with the tag that `fit` says.
    pub(crate) unsafe fn field(self, fit: Fit, number: u16) -> Option<FieldPlaceInC<'m, 't>> {
        let node = NonNull::new(self.read().get())?;
        let tag = match fit {
            Fit::Part(tag) => tag,
            // SAFETY: a whole node begins with its tag.
            _ => unsafe { (&raw const (*node.as_ptr()).type_).read() },
        };
        let field = structure_of(tag)?.fields.iter().find(|field| field.number == number)?;
        let edit = self.edit();
        // SAFETY: the node is a struct with that tag, whose table has the field with its offset and its type. Whoever has this
        // place has the node.
        unsafe {
            let place = node.cast::<u8>().byte_add(field.offset.into());
            Some(match field.kind {
                Kind::Text => FieldPlaceInC::Text(At::new(place.cast(), edit)),
                Kind::List | Kind::SharedList => FieldPlaceInC::List(At::new(place.cast(), edit)),
                Kind::Node | Kind::SharedNode => {
                    FieldPlaceInC::Node(At::new(place.cast(), edit), Fit::Any)
                }
                Kind::Child(tag) | Kind::SharedChild(tag) => {
                    FieldPlaceInC::Node(At::new(place.cast(), edit), Fit::Only(NodeTag(tag)))
                }
                _ => return None,
            })
        }
    }
}
