// @generated from message.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Message
const _: () = {
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
    static FIELDS: [crate::pg18::message::MessageField; 3usize] = {
        let whole = ::core::mem::MaybeUninit::<SelectStmt>::uninit();
        let __message = whole.as_ptr();
        unsafe {
            [
                crate::pg18::message::MessageField::new(
                        (0, 11),
                        (1, 1),
                        crate::pg18::message::FieldType::<
                            ::prost::alloc::vec::Vec<Node>,
                        >::NODES,
                        __message,
                        &raw const (*__message).target_list,
                    )
                    .in_json((11, 10), crate::pg18::message::Form::UnlessDefault),
                crate::pg18::message::MessageField::new(
                    (21, 5),
                    (2, 2),
                    crate::pg18::message::FieldType::<
                        ::core::option::Option<::prost::alloc::boxed::Box<Node>>,
                    >::NODE,
                    __message,
                    &raw const (*__message).r#where,
                ),
                crate::pg18::message::MessageField::new(
                        (26, 2),
                        (3, 3),
                        crate::pg18::message::FieldType::<
                            i32,
                        >::constant(
                            <SetOperation as crate::pg18::message::Named>::CONSTANTS,
                        ),
                        __message,
                        &raw const (*__message).op,
                    )
                    .in_json((26, 2), crate::pg18::message::Form::Always),
            ]
        }
    };
    static TABLE: crate::pg18::message::MessageTable = crate::pg18::message::MessageTable::new::<
        SelectStmt,
    >("SelectStmt", "target_listtargetListwhereop", &FIELDS);
    #[automatically_derived]
    unsafe impl crate::pg18::message::Message for SelectStmt {
        fn table(&self) -> &'static crate::pg18::message::MessageTable {
            &TABLE
        }
    }
    #[automatically_derived]
    impl crate::pg18::message::Held for SelectStmt {
        type Message = Self;
    }
    #[automatically_derived]
    unsafe impl crate::pg18::message::Detach for SelectStmt {
        unsafe fn detach(place: *mut u8) {
            unsafe {
                let place = place.cast::<Self>();
                crate::pg18::message::detach(&raw mut (*place).target_list);
                crate::pg18::message::detach(&raw mut (*place).r#where);
                crate::pg18::message::detach(&raw mut (*place).op);
                let Self { target_list: _, r#where: _, op: _ } = *place;
            }
        }
    }
    #[automatically_derived]
    impl ::core::clone::Clone for SelectStmt {
        #[inline]
        fn clone(&self) -> Self {
            crate::pg18::message::cloned(self)
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for SelectStmt {
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
    impl ::core::default::Default for SelectStmt {
        #[inline]
        fn default() -> Self {
            Self {
                target_list: ::core::default::Default::default(),
                r#where: ::core::default::Default::default(),
                op: ::core::default::Default::default(),
            }
        }
    }
    #[automatically_derived]
    impl crate::pg18::message::prost::Message for SelectStmt {
        fn encode_raw(&self, buf: &mut impl crate::pg18::message::prost::bytes::BufMut) {
            buf.put_slice(&crate::pg18::message::encode(self));
        }
        fn merge_field(
            &mut self,
            number: u32,
            wire_type: crate::pg18::message::prost::encoding::WireType,
            buf: &mut impl crate::pg18::message::prost::bytes::Buf,
            _: crate::pg18::message::prost::encoding::DecodeContext,
        ) -> ::core::result::Result<(), crate::pg18::message::prost::DecodeError> {
            crate::pg18::message::merge_from(self, number, wire_type, buf)
        }
        #[inline]
        fn encoded_len(&self) -> usize {
            crate::pg18::message::encoded_len(self)
        }
        #[inline]
        fn encode_to_vec(&self) -> ::std::vec::Vec<u8> {
            crate::pg18::message::encode(self)
        }
        #[inline]
        fn clear(&mut self) {
            crate::pg18::message::clear(self);
        }
    }
    #[automatically_derived]
    impl crate::pg18::message::serde::Serialize for SelectStmt {
        fn serialize<S: crate::pg18::message::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::core::result::Result<S::Ok, S::Error> {
            crate::pg18::message::serialize(self, serializer)
        }
    }
    #[automatically_derived]
    impl<'de> crate::pg18::message::serde::Deserialize<'de> for SelectStmt {
        fn deserialize<D: crate::pg18::message::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::core::result::Result<Self, D::Error> {
            crate::pg18::message::deserialize(deserializer)
        }
    }
};
