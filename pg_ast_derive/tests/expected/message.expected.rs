// @generated from message.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Message
impl SelectStmt {
    ///The constant in `op`; the default one if there is none of that number.
    #[inline]
    pub fn op(&self) -> SetOperation {
        ::core::convert::TryFrom::try_from(self.op).unwrap_or_default()
    }
    ///Sets `op`.
    #[inline]
    pub fn set_op(&mut self, value: SetOperation) {
        self.op = value as i32;
    }
}
#[automatically_derived]
unsafe impl crate::pg18::message::Message for SelectStmt {
    fn table(&self) -> &'static crate::pg18::message::MessageTable {
        const {
            let whole = ::core::mem::MaybeUninit::<SelectStmt>::uninit();
            let message = whole.as_ptr();
            let parts = unsafe {
                [
                    crate::pg18::message::nodes(
                        message,
                        &raw const (*message).target_list,
                    ),
                    crate::pg18::message::node(message, &raw const (*message).r#where),
                    crate::pg18::message::constant::<
                        SetOperation,
                        _,
                    >(message, &raw const (*message).op),
                ]
            };
            &crate::pg18::message::MessageTable::new::<
                SelectStmt,
            >(
                "SelectStmt",
                [("target_list", "targetList"), ("where", "where"), ("op", "op")],
                [(1, 1, 0, 1), (2, 2, 0, 1), (3, 3, 0, 2)],
                parts,
            )
        }
    }
}
#[automatically_derived]
impl crate::pg18::message::OwnedMessage for SelectStmt {
    type Message = Self;
}
#[automatically_derived]
unsafe impl crate::pg18::message::Detach for SelectStmt {
    unsafe fn detach(place: *mut u8) {
        unsafe {
            let place = place.cast::<Self>();
            crate::pg18::message::detach(&raw mut (*place).target_list);
            crate::pg18::message::detach(&raw mut (*place).r#where);
            let Self { target_list: _, r#where: _, op: _ } = *place;
        }
    }
}
#[automatically_derived]
impl Clone for SelectStmt {
    #[inline]
    fn clone(&self) -> Self {
        crate::pg18::message::cloned(self)
    }
}
#[automatically_derived]
impl PartialEq for SelectStmt {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        crate::pg18::message::equals(self, other)
    }
}
#[automatically_derived]
impl ::core::fmt::Debug for SelectStmt {
    #[inline]
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        crate::pg18::message::debug(self, f)
    }
}
#[automatically_derived]
impl crate::pg18::message::HeapSize for SelectStmt {
    #[inline]
    fn heap_size(&self) -> usize {
        crate::pg18::message::heap_size(self)
    }
}
#[automatically_derived]
impl Default for SelectStmt {
    #[inline]
    fn default() -> Self {
        Self {
            target_list: crate::pg18::message::ConstDefault::DEFAULT,
            r#where: crate::pg18::message::ConstDefault::DEFAULT,
            op: crate::pg18::message::ConstDefault::DEFAULT,
        }
    }
}
#[automatically_derived]
impl crate::pg18::message::ProstMessage for SelectStmt {
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
#[automatically_derived]
impl crate::pg18::message::Serialize for SelectStmt {
    fn serialize<S: crate::pg18::message::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        crate::pg18::message::serialize(self, serializer)
    }
}
#[automatically_derived]
impl<'de> crate::pg18::message::Deserialize<'de> for SelectStmt {
    fn deserialize<D: crate::pg18::message::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        crate::pg18::message::deserialize(deserializer)
    }
}
