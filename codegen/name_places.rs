//! Puts the names of a table into one text, where the table has their places (`pg_ast/foundation/name_place.rs`).

use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct NamePlaces {
    /// The names, one after the other, each once.
    pub(crate) text: String,
    places: HashMap<String, (usize, usize)>,
}

impl NamePlaces {
    /// Returns the place of a name: its start and its length, in bytes.
    pub(crate) fn place(&mut self, name: &str) -> (usize, usize) {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = (self.text.len(), name.len());
        self.text.push_str(name);
        self.places.insert(name.to_owned(), place);
        place
    }
}
