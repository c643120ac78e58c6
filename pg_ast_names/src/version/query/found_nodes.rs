//! What was found at a node, for walks that come after the one that finds.

use std::collections::HashMap;

use super::pg::seam::address;
use super::pg::view::Node;
use super::resolver::{FoundList, NameResolver};

/// The places of columns, sources and functions in the lists of the resolution, by the addresses of their nodes.
pub(crate) struct FoundAt {
    columns: HashMap<*const u8, Vec<usize>>,
    sources: HashMap<*const u8, Vec<usize>>,
    functions: HashMap<*const u8, usize>,
}

impl NameResolver<'_> {
    pub(crate) fn found_at(&self) -> FoundAt {
        let (mut columns, mut sources) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        let mut functions = HashMap::new();
        for (address, list, index) in &self.nodes {
            match list {
                FoundList::Column => columns.entry(*address).or_default().push(*index),
                FoundList::Source => sources.entry(*address).or_default().push(*index),
                FoundList::Function => drop(functions.insert(*address, *index)),
                _ => {}
            }
        }
        FoundAt { columns, sources, functions }
    }
}

impl FoundAt {
    pub(crate) fn columns(&self, node: Node<'_>) -> &[usize] {
        self.columns.get(&address(node)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn sources(&self, node: Node<'_>) -> &[usize] {
        self.sources.get(&address(node)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn function(&self, node: Node<'_>) -> Option<usize> {
        self.functions.get(&address(node)).copied()
    }
}
