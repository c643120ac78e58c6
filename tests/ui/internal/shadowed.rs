#![forbid(unsafe_code)]

use pg_ast::{FromRaw, FromRawContext};

/// Methods that would be found before those of the context, and what the derives call `pg_ast`.
mod own {
    pub use pg_ast::{FromNode, FromRaw, FromRawContext};

    pub mod convert {
        pub mod internal {
            pub trait Internal {}
            impl<T> Internal for T {}
        }
    }
}

trait Shadow: Sized {
    fn internal<T>(self) {}
    fn field<Raw, T>(self, _: *const Raw, _: *mut T) {}
}

impl Shadow for &mut FromRawContext {}

#[derive(FromRaw)]
#[pg_ast(raw = pg_ast::raw::ValUnion, internal(untagged), partial, crate = own)]
struct Value {
    ival: Number,
}

struct Number;

fn main() {}
