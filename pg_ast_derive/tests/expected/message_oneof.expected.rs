// @generated from message_oneof.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Message
const _: () = {
    static VARIANTS: &[crate::pg18::message::Variant] = &[
        crate::pg18::message::Variant {
            name: "Ival",
            json: "ival",
            number: 1u32,
            boxed: 0,
        },
        crate::pg18::message::Variant {
            name: "Sval",
            json: "String",
            number: 4u32,
            boxed: ::core::mem::size_of::<super::String>(),
        },
    ];
    #[automatically_derived]
    impl crate::pg18::message::Oneof for Val {
        const VARIANTS: &'static [crate::pg18::message::Variant] = VARIANTS;
        const BY_JSON: &'static [usize] = &[1usize, 0usize];
        fn message(
            &self,
        ) -> (
            &'static crate::pg18::message::Variant,
            &crate::pg18::message::DynMessage,
        ) {
            let (index, message): (usize, &crate::pg18::message::DynMessage) = match self {
                Self::Ival(node) => (0usize, node),
                Self::Sval(node) => (1usize, &**node),
            };
            (&VARIANTS[index], message)
        }
        fn message_mut(&mut self) -> &mut crate::pg18::message::DynMessage {
            match self {
                Self::Ival(node) => node,
                Self::Sval(node) => &mut **node,
            }
        }
        fn content(&mut self) -> *mut u8 {
            match self {
                Self::Ival(node) => ::core::ptr::from_mut(node).cast(),
                Self::Sval(node) => ::core::ptr::from_mut(node).cast(),
            }
        }
        fn with_number(number: u32) -> ::core::option::Option<Self> {
            ::core::option::Option::Some(
                match number {
                    1u32 => Self::Ival(::core::default::Default::default()),
                    4u32 => Self::Sval(crate::pg18::message::empty_box()),
                    _ => return ::core::option::Option::None,
                },
            )
        }
    }
    #[automatically_derived]
    unsafe impl crate::pg18::message::Detach for Val {
        unsafe fn detach(place: *mut u8) {
            unsafe { crate::pg18::message::detach_oneof(place.cast::<Self>()) }
        }
    }
    #[automatically_derived]
    impl ::core::clone::Clone for Val {
        fn clone(&self) -> Self {
            crate::pg18::message::cloned(self)
        }
    }
};
