//! A map of which a copy costs nothing: copies share what none of them has changed.

use core::borrow::Borrow;
use core::fmt;
use core::mem;
use core::slice;
use std::sync::Arc;

/// With more entries, a page is split.
const MOST: usize = 16;

/// A map in the order of its keys. `clone` takes constant time, and a change of a copy copies the pages above the entry: a tree of pages,
/// in which a page that has few entries left stays, but an empty one does not.
pub(crate) struct PersistentMap<K, V> {
    root: Arc<Page<K, V>>,
}

enum Page<K, V> {
    Entries(Vec<(Arc<K>, Arc<V>)>),
    Pages(Vec<Below<K, V>>),
}

/// A page with a key: its own are not less, and those of the pages before it are. That of the first one does not count.
type Below<K, V> = (Arc<K>, Arc<Page<K, V>>);

impl<K, V> Clone for Page<K, V> {
    fn clone(&self) -> Self {
        match self {
            Self::Entries(entries) => Self::Entries(entries.clone()),
            Self::Pages(pages) => Self::Pages(pages.clone()),
        }
    }
}

impl<K, V> Default for Page<K, V> {
    fn default() -> Self {
        Self::Entries(Vec::new())
    }
}

impl<K, V> Clone for PersistentMap<K, V> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone() }
    }
}

impl<K, V> Default for PersistentMap<K, V> {
    fn default() -> Self {
        Self { root: Arc::default() }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for PersistentMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Returns the place of the page that has a key, if any has.
fn page_of<K: Borrow<Q>, Q: Ord + ?Sized, P>(pages: &[(Arc<K>, P)], key: &Q) -> usize {
    pages.partition_point(|(first, _)| (**first).borrow() <= key).saturating_sub(1)
}

fn entry_of<K: Borrow<Q>, Q: Ord + ?Sized, V>(
    entries: &[(Arc<K>, V)],
    key: &Q,
) -> Result<usize, usize> {
    entries.binary_search_by(|(other, _)| (**other).borrow().cmp(key))
}

/// Splits a list that is too long.
fn split<T>(list: &mut Vec<T>) -> Option<Vec<T>> {
    (list.len() > MOST).then(|| list.split_off(list.len() / 2))
}

impl<K: Ord, V> Page<K, V> {
    /// Returns the value before, and what has been split off.
    fn insert(&mut self, key: Arc<K>, value: Arc<V>) -> (Option<Arc<V>>, Option<Below<K, V>>) {
        match self {
            Self::Entries(entries) => match entry_of(entries, &*key) {
                Ok(at) => (Some(mem::replace(&mut entries[at].1, value)), None),
                Err(at) => {
                    entries.insert(at, (key, value));
                    let half = split(entries).map(|half| (half[0].0.clone(), Self::Entries(half)));
                    (None, half.map(|(key, page)| (key, Arc::new(page))))
                }
            },
            Self::Pages(pages) => {
                let at = page_of(pages, &*key);
                let (before, half) = Arc::make_mut(&mut pages[at].1).insert(key, value);
                if let Some(half) = half {
                    pages.insert(at + 1, half);
                }
                let half = split(pages).map(|half| (half[0].0.clone(), Self::Pages(half)));
                (before, half.map(|(key, page)| (key, Arc::new(page))))
            }
        }
    }

    fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        match self {
            Self::Entries(entries) => Some(entries.remove(entry_of(entries, key).ok()?).1),
            Self::Pages(pages) => {
                let at = page_of(pages, key);
                let page = Arc::make_mut(&mut pages.get_mut(at)?.1);
                let removed = page.remove(key);
                if page.is_empty() {
                    pages.remove(at);
                }
                removed
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Entries(entries) => entries.is_empty(),
            Self::Pages(pages) => pages.is_empty(),
        }
    }
}

impl<K: Ord, V> PersistentMap<K, V> {
    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut page = &*self.root;
        loop {
            match page {
                Page::Entries(entries) => {
                    return entry_of(entries, key).ok().map(|at| &*entries[at].1);
                }
                Page::Pages(pages) => page = &*pages.get(page_of(pages, key))?.1,
            }
        }
    }

    pub(crate) fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_empty()
    }

    fn insert_shared(&mut self, key: Arc<K>, value: Arc<V>) -> Option<Arc<V>> {
        let (before, half) = Arc::make_mut(&mut self.root).insert(key, value);
        if let Some(half) = half {
            // The key of the first page does not count.
            let pages = vec![(half.0.clone(), self.root.clone()), half];
            self.root = Arc::new(Page::Pages(pages));
        }
        before
    }
}

impl<K, V> PersistentMap<K, V> {
    pub(crate) fn iter(&self) -> Iter<'_, K, V> {
        self.into_iter()
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.into_iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V: Clone> PersistentMap<K, V> {
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.insert_shared(Arc::new(key), Arc::new(value)).map(Arc::unwrap_or_clone)
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        // Nothing is copied for what is not there.
        if !self.contains_key(key) {
            return None;
        }
        let removed = Arc::make_mut(&mut self.root).remove(key);
        let only = match &*self.root {
            Page::Pages(pages) if pages.len() == 1 => pages.first().map(|(_, page)| page.clone()),
            Page::Pages(pages) if pages.is_empty() => Some(Arc::default()),
            _ => None,
        };
        if let Some(only) = only {
            self.root = only;
        }
        removed.map(Arc::unwrap_or_clone)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        // Nothing is copied for what is not there.
        self.contains_key(key).then(|| self.slot(key))
    }

    /// Returns the value of a key that is there.
    fn slot<Q: Ord + ?Sized>(&mut self, key: &Q) -> &mut V
    where
        K: Borrow<Q>,
    {
        let mut page = Arc::make_mut(&mut self.root);
        loop {
            match page {
                Page::Entries(entries) => {
                    let (Ok(at) | Err(at)) = entry_of(entries, key);
                    return Arc::make_mut(&mut entries[at].1);
                }
                Page::Pages(pages) => {
                    let at = page_of(pages, key);
                    page = Arc::make_mut(&mut pages[at].1);
                }
            }
        }
    }

    /// Returns the value of a key: if there is none, the default one is added.
    pub(crate) fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        if self.contains_key(&key) {
            return self.slot(&key);
        }
        let key = Arc::new(key);
        self.insert_shared(key.clone(), Arc::default());
        self.slot(&*key)
    }

    pub(crate) fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        let mut all = ValuesMut { pages: Vec::new(), entries: [].iter_mut() };
        all.enter(Arc::make_mut(&mut self.root));
        all
    }

    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&K, &V) -> bool)
    where
        K: Clone,
    {
        let others = self.iter().filter(|(key, value)| !is_kept(key, value));
        let others: Vec<_> = others.map(|(key, _)| key.clone()).collect();
        for key in others {
            self.remove(&key);
        }
    }
}

/// The entries of a map, in the order of their keys.
pub(crate) struct Iter<'a, K, V> {
    pages: Vec<slice::Iter<'a, Below<K, V>>>,
    entries: slice::Iter<'a, (Arc<K>, Arc<V>)>,
}

impl<'a, K, V> Iter<'a, K, V> {
    fn enter(&mut self, page: &'a Page<K, V>) {
        match page {
            Page::Entries(entries) => self.entries = entries.iter(),
            Page::Pages(pages) => self.pages.push(pages.iter()),
        }
    }
}

impl<'a, K, V> IntoIterator for &'a PersistentMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        let mut all = Iter { pages: Vec::new(), entries: [].iter() };
        all.enter(&self.root);
        all
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.entries.next() {
                return Some((key, value));
            }
            match self.pages.last_mut()?.next() {
                Some((_, page)) => self.enter(page),
                None => drop(self.pages.pop()),
            }
        }
    }
}

/// The values of a map, which can be changed.
pub(crate) struct ValuesMut<'a, K, V> {
    pages: Vec<slice::IterMut<'a, Below<K, V>>>,
    entries: slice::IterMut<'a, (Arc<K>, Arc<V>)>,
}

impl<'a, K, V> ValuesMut<'a, K, V> {
    fn enter(&mut self, page: &'a mut Page<K, V>) {
        match page {
            Page::Entries(entries) => self.entries = entries.iter_mut(),
            Page::Pages(pages) => self.pages.push(pages.iter_mut()),
        }
    }
}

impl<'a, K, V: Clone> Iterator for ValuesMut<'a, K, V> {
    type Item = &'a mut V;

    fn next(&mut self) -> Option<&'a mut V> {
        loop {
            if let Some((_, value)) = self.entries.next() {
                return Some(Arc::make_mut(value));
            }
            match self.pages.last_mut()?.next() {
                Some((_, page)) => self.enter(Arc::make_mut(page)),
                None => drop(self.pages.pop()),
            }
        }
    }
}
