//! Sorting, compiled once: the standard library's sorts are about 2,000 lines of LLVM for each type.

/// Sorts by a key of two numbers. Items with equal keys keep their order.
pub(crate) fn sort_by_key<T>(items: &mut Vec<T>, key: impl Fn(&T) -> (u64, usize)) {
    let keys = items.iter().enumerate().map(|(index, item)| {
        let (first, second) = key(item);
        (first, second, index)
    });
    let mut order: Vec<_> = keys.collect();
    if order.is_sorted() {
        return;
    }
    sort(&mut order);
    let mut places: Vec<_> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|(.., index)| places.get_mut(index)?.take()));
}

/// Sorts like the standard library.
#[inline(never)]
pub(crate) fn sort(keys: &mut [(u64, usize, usize)]) {
    keys.sort_unstable();
}
