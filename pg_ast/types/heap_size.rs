//! The memory that a tree takes.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use crate::foundation::stack::with_stack_dyn;
use crate::types::error::{SourceLocation, Warning};
use crate::types::options::ParseMode;

/// A value whose size on the heap can be measured, not counting the value itself.
///
/// The size counts the memory requested from the allocator: boxes, and the whole capacity of vectors and strings.
/// It does not count the allocator's overhead.
///
/// A tree and each of its parts implement it: `ParseResult` with its warnings, `Node`, `NodeEnum` and every
/// message.
///
/// ```
/// use pg_ast::HeapSize as _;
///
/// let small = pg_ast::parse("SELECT 1")?;
/// let large = pg_ast::parse("SELECT 1, 2, 3")?;
/// assert!(small.heap_size() > 0);
/// assert!(large.heap_size() > small.heap_size());
///
/// let text = String::with_capacity(100);
/// assert_eq!(text.heap_size(), 100);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `HeapSize`",
    label = "this type has no `HeapSize` impl",
    note = "the types of the tree implement it, and numbers, `String`, `Box`, `Option` and `Vec`"
)]
pub trait HeapSize {
    /// Returns the number of bytes on the heap.
    fn heap_size(&self) -> usize;
}

/// Types that have nothing on the heap.
macro_rules! nothing {
    ($($type:ty),*) => {$(
        impl HeapSize for $type {
            #[inline(always)]
            fn heap_size(&self) -> usize {
                0
            }
        }
    )*};
}
nothing!((), bool, i32, i64, u32, u64, usize, f64, &str, ParseMode);

impl HeapSize for String {
    fn heap_size(&self) -> usize {
        self.capacity()
    }
}

// A type that holds values of its own type does so through a `Box` or a `Vec`: since both check the
// stack, no tree is too deep.

impl<T: HeapSize> HeapSize for Box<T> {
    fn heap_size(&self) -> usize {
        size_of::<T>() + with_stack_dyn(&mut || (**self).heap_size())
    }
}

impl<T: HeapSize> HeapSize for Vec<T> {
    fn heap_size(&self) -> usize {
        let mut items = || self.iter().map(HeapSize::heap_size).sum::<usize>();
        self.capacity() * size_of::<T>() + with_stack_dyn(&mut items)
    }
}

impl<S: BuildHasher> HeapSize for HashMap<String, String, S> {
    /// Does not count the table's own overhead per entry, which only the table knows.
    fn heap_size(&self) -> usize {
        let texts = self.iter().map(|(key, value)| key.heap_size() + value.heap_size());
        self.capacity() * size_of::<(String, String)>() + texts.sum::<usize>()
    }
}

impl<V: HeapSize> HeapSize for BTreeMap<String, V> {
    /// Does not count the map's own overhead.
    fn heap_size(&self) -> usize {
        let item = |(key, value): (&String, &V)| key.heap_size() + value.heap_size();
        self.len() * size_of::<(String, V)>() + self.iter().map(item).sum::<usize>()
    }
}

impl<T: HeapSize> HeapSize for Option<T> {
    fn heap_size(&self) -> usize {
        self.as_ref().map_or(0, HeapSize::heap_size)
    }
}

impl HeapSize for Warning {
    fn heap_size(&self) -> usize {
        let Self { severity: _, message, detail, hint, cursor, source_location } = self;
        message.heap_size()
            + detail.heap_size()
            + hint.heap_size()
            + cursor.heap_size()
            + source_location.heap_size()
    }
}

impl HeapSize for SourceLocation {
    fn heap_size(&self) -> usize {
        let Self { file, line, function } = self;
        file.heap_size() + line.heap_size() + function.heap_size()
    }
}
