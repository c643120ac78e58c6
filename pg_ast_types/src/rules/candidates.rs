//! Which of several functions or operators a call means.

use pg_ast_names::Catalog;

use crate::rules::coercion::Coercion;
use crate::type_table::{TypeId, TypeTable};

/// Why nothing is chosen for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotChosen {
    /// Nothing of the name takes these types: `ERRCODE_UNDEFINED_FUNCTION`.
    Missing,
    /// Several do, and none is the best: `ERRCODE_AMBIGUOUS_FUNCTION`.
    Ambiguous,
    /// Nothing tells what a polymorphic type stands for: `ERRCODE_DATATYPE_MISMATCH`.
    Mismatch,
    /// More than a hundred arguments: `ERRCODE_TOO_MANY_ARGUMENTS`.
    TooMany,
    /// Nobody knows all that the name can mean.
    Unknown,
}

/// A schema in which names of functions and operators are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchedSchema<'s> {
    pub(crate) schema: &'s str,
    /// Whether all that it has is known.
    pub(crate) is_known: bool,
}

/// Returns the schemas in which a function or an operator is looked up: `activeSearchPath` of `namespace.c`, without temporary
/// objects, which are found by their schema only.
pub(crate) fn places<'s>(
    catalog: &'s dyn Catalog,
    schema: Option<&'s str>,
) -> Vec<SearchedSchema<'s>> {
    let place = |schema| SearchedSchema { schema, is_known: catalog.is_known(schema) };
    if let Some(schema) = schema {
        return vec![place(schema)];
    }
    let path = catalog.search_path().iter().map(String::as_str).filter(|it| *it != "pg_temp");
    let is_listed = path.clone().any(|schema| schema == "pg_catalog");
    let first = (!is_listed).then_some("pg_catalog");
    first.into_iter().chain(path).map(place).collect()
}

/// From which of the places on something may be there that nobody knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Certainty {
    first_unknown: usize,
    count: usize,
}

impl Certainty {
    pub(crate) fn of(places: &[SearchedSchema<'_>]) -> Self {
        let unknown = places.iter().position(|place| !place.is_known);
        Self { first_unknown: unknown.unwrap_or(places.len()), count: places.len() }
    }

    /// Notes that something is there whose types are not known.
    pub(crate) fn lose(&mut self, place: usize) {
        self.first_unknown = self.first_unknown.min(place);
    }

    /// Returns whether all is known.
    pub(crate) const fn is_complete(self) -> bool {
        self.first_unknown >= self.count
    }

    /// Returns whether what has exactly the types of a call in a place is what it means: nothing that is not known comes before.
    /// `is_unique` is whether the place itself can have no other one.
    pub(crate) const fn is_certain(self, place: usize, is_unique: bool) -> bool {
        place < self.first_unknown || (is_unique && place == self.first_unknown)
    }
}

impl TypeTable<'_> {
    /// Returns the index of the candidate that a call with these types means, none of which has exactly these types:
    /// `func_match_argtypes` and `func_select_candidate` of `parse_func.c`. Candidates may have more types behind those of the call.
    pub(crate) fn choose(
        &self,
        types: &[TypeId],
        candidates: &[&[TypeId]],
    ) -> Result<usize, NotChosen> {
        let matching = (0..candidates.len())
            .filter(|index| self.can_coerce_all(types, candidates[*index], Coercion::Implicit));
        let matching: Vec<usize> = matching.collect();
        match *matching.as_slice() {
            [] => Err(NotChosen::Missing),
            [only] => Ok(only),
            _ => self.select(types, candidates, matching).ok_or(NotChosen::Ambiguous),
        }
    }

    /// Returns the best of several candidates that take the types.
    fn select(
        &self,
        types: &[TypeId],
        candidates: &[&[TypeId]],
        matching: Vec<usize>,
    ) -> Option<usize> {
        let bases: Vec<TypeId> = types.iter().map(|of| self.base(*of)).collect();
        let is_exact = |position: usize, of: TypeId| of == bases[position];
        let matching = best(matching, |index| known(&bases, candidates[index], is_exact));
        if let [only] = *matching.as_slice() {
            return Some(only);
        }
        let categories: Vec<char> = bases.iter().map(|of| self.info(*of).category).collect();
        let is_good = |position: usize, of: TypeId| {
            let info = self.info(of);
            of == bases[position] || (info.is_preferred && info.category == categories[position])
        };
        let matching = best(matching, |index| known(&bases, candidates[index], is_good));
        if let [only] = *matching.as_slice() {
            return Some(only);
        }
        let matching = match self.of_guessed_categories(&bases, candidates, &matching)? {
            kept if kept.is_empty() => matching,
            kept => kept,
        };
        if let [only] = *matching.as_slice() {
            return Some(only);
        }
        self.for_one_type(&bases, candidates, &matching)
    }

    /// Returns the candidates that take the likely categories of the types that are not known: strings, or what all of them take.
    /// None, if there are no likely ones; `None`, if all types are known.
    fn of_guessed_categories(
        &self,
        bases: &[TypeId],
        candidates: &[&[TypeId]],
        matching: &[usize],
    ) -> Option<Vec<usize>> {
        let unknown = (0..bases.len()).filter(|position| bases[*position] == TypeId::UNKNOWN);
        let unknown: Vec<usize> = unknown.collect();
        if unknown.is_empty() {
            return None;
        }
        let mut kept = matching.to_vec();
        for position in unknown {
            let infos = matching.iter().map(|index| self.info(candidates[*index][position]));
            let infos: Vec<_> = infos.collect();
            let first = infos.first().map_or('X', |info| info.category);
            let category = if infos.iter().any(|info| info.category == 'S') { 'S' } else { first };
            if category != 'S' && infos.iter().any(|info| info.category != category) {
                return Some(Vec::new());
            }
            let has_preferred =
                infos.iter().any(|info| info.category == category && info.is_preferred);
            kept.retain(|index| {
                let info = self.info(candidates[*index][position]);
                info.category == category && (info.is_preferred || !has_preferred)
            });
        }
        Some(kept)
    }

    /// Returns the only candidate that takes the one type that is known in all places.
    fn for_one_type(
        &self,
        bases: &[TypeId],
        candidates: &[&[TypeId]],
        matching: &[usize],
    ) -> Option<usize> {
        let mut known = bases.iter().copied().filter(|of| *of != TypeId::UNKNOWN);
        let of = known.next()?;
        if known.any(|other| other != of) {
            return None;
        }
        let all = vec![of; bases.len()];
        let mut taking = matching
            .iter()
            .filter(|index| self.can_coerce_all(&all, candidates[**index], Coercion::Implicit));
        let only = taking.next()?;
        taking.next().is_none().then_some(*only)
    }
}

/// Counts the known types that a candidate takes well.
fn known(bases: &[TypeId], candidate: &[TypeId], is_good: impl Fn(usize, TypeId) -> bool) -> usize {
    let positions = (0..bases.len()).filter(|position| bases[*position] != TypeId::UNKNOWN);
    positions.filter(|position| is_good(*position, candidate[*position])).count()
}

/// Returns the candidates with the highest score.
fn best(matching: Vec<usize>, score: impl Fn(usize) -> usize) -> Vec<usize> {
    let scores: Vec<usize> = matching.iter().map(|index| score(*index)).collect();
    let highest = scores.iter().max().copied().unwrap_or(0);
    matching
        .into_iter()
        .zip(scores)
        .filter(|(_, score)| *score == highest)
        .map(|(index, _)| index)
        .collect()
}
