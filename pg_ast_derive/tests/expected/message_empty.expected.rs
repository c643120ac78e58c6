// @generated from message_empty.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Message
#[automatically_derived]
unsafe impl crate::pg18::message::Message for Nothing {
    fn table(&self) -> &'static crate::pg18::message::MessageTable {
        const {
            let whole = ::core::mem::MaybeUninit::<Nothing>::uninit();
            let message = whole.as_ptr();
            let parts = unsafe { [] };
            &crate::pg18::message::MessageTable::new::<Nothing>("Nothing", [], [], parts)
        }
    }
}
#[automatically_derived]
impl crate::pg18::message::OwnedMessage for Nothing {
    type Message = Self;
}
#[automatically_derived]
unsafe impl crate::pg18::message::Detach for Nothing {
    unsafe fn detach(place: *mut u8) {
        unsafe {
            let place = place.cast::<Self>();
            let Self {} = *place;
        }
    }
}
#[automatically_derived]
impl Clone for Nothing {
    #[inline]
    fn clone(&self) -> Self {
        crate::pg18::message::cloned(self)
    }
}
#[automatically_derived]
impl PartialEq for Nothing {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        crate::pg18::message::equals(self, other)
    }
}
#[automatically_derived]
impl ::core::fmt::Debug for Nothing {
    #[inline]
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        crate::pg18::message::debug(self, f)
    }
}
#[automatically_derived]
impl crate::pg18::message::HeapSize for Nothing {
    #[inline]
    fn heap_size(&self) -> usize {
        crate::pg18::message::heap_size(self)
    }
}
#[automatically_derived]
impl Default for Nothing {
    #[inline]
    fn default() -> Self {
        Self {}
    }
}
#[automatically_derived]
impl crate::pg18::message::ProstMessage for Nothing {
    fn encode_raw(&self, buf: &mut impl crate::pg18::message::BufMut) {
        crate::pg18::message::encode_into(self, buf);
    }
    fn merge_field(
        &mut self,
        number: u32,
        wire_type: crate::pg18::message::WireType,
        buf: &mut impl crate::pg18::message::Buf,
        _: crate::pg18::message::DecodeContext,
    ) -> Result<(), crate::pg18::message::DecodeError> {
        crate::pg18::message::merge_from(self, number, wire_type, buf)
    }
    #[inline]
    fn encoded_len(&self) -> usize {
        crate::pg18::message::encoded_len(self)
    }
    #[inline]
    fn encode_to_vec(&self) -> Vec<u8> {
        crate::pg18::message::encode(self)
    }
    #[inline]
    fn clear(&mut self) {
        crate::pg18::message::clear(self);
    }
}
