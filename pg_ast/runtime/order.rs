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

#[cfg(test)]
mod tests {
    use super::sort_by_key;

    #[test]
    fn equal_keys_stay_in_their_order() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        sort_by_key(&mut items, |(key, _)| (*key, 0));
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
        sort_by_key(&mut items, |(key, name)| (u64::MAX - *key, usize::MAX - *name as usize));
        assert_eq!(items, [(2, 'c'), (2, 'a'), (1, 'e'), (1, 'b'), (0, 'd')]);
    }
}
