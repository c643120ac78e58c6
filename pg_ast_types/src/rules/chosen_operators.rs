//! Which operator is meant.

use pg_ast_catalog::BuiltinOperator;

pub(crate) use crate::rules::candidates::NotChosen;
use crate::rules::candidates::{Certainty, SearchedSchema, places};
use crate::rules::polymorphic::Mismatch;
use crate::type_table::{TypeId, TypeTable};

/// The operator that an expression means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenOperator {
    /// What the left side becomes; `None` of a prefix operator.
    pub(crate) left: Option<TypeId>,
    /// What the right side becomes.
    pub(crate) right: TypeId,
    /// The type of its result.
    pub(crate) result: TypeId,
    /// The operator itself.
    pub(crate) row: MeantOperator,
}

/// An operator, built in or of the catalog.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MeantOperator {
    /// One that is built in.
    Builtin(&'static BuiltinOperator),
    /// One of the catalog.
    Catalog,
}

/// An operator that the name can mean.
#[derive(Clone, Copy)]
struct OperatorCandidate {
    place: usize,
    left: Option<TypeId>,
    right: TypeId,
    /// The type of its result, if it is known.
    result: Option<TypeId>,
    row: MeantOperator,
}

impl OperatorCandidate {
    const fn sides(&self) -> Sides {
        (self.left, self.right)
    }
}

/// The types of the sides, of which a prefix operator has one.
type Sides = (Option<TypeId>, TypeId);

impl TypeTable<'_> {
    /// Returns the operator that is meant, as `oper` and `left_oper` of `parse_oper.c` do, and `make_op` with its types.
    ///
    /// [`TypeId::UNKNOWN`] is a string, or a parameter, whose type nothing has told.
    pub(crate) fn operator(
        &self,
        schema: Option<&str>,
        name: &str,
        left: Option<TypeId>,
        right: TypeId,
    ) -> Result<ChosenOperator, NotChosen> {
        let places = places(self.catalog, schema);
        let mut certainty = Certainty::of(&places);
        let candidates = self.operators_named(&places, name, left.is_some(), &mut certainty);
        for sides in self.exact_sides(left, right) {
            // Those of the schemas that come first are the first ones.
            match candidates.iter().find(|it| it.sides() == sides) {
                Some(exact) if certainty.is_certain(exact.place, true) => {
                    return self.chosen(exact, left, right);
                }
                None if certainty.is_complete() => {}
                _ => return Err(NotChosen::Unknown),
            }
        }
        if !certainty.is_complete() {
            return Err(NotChosen::Unknown);
        }
        let types: Vec<TypeId> = left.into_iter().chain([right]).collect();
        let sides = candidates.iter().map(|it| [it.left.unwrap_or(it.right), it.right]);
        let sides: Vec<[TypeId; 2]> = sides.collect();
        // A prefix operator has one.
        let sides: Vec<&[TypeId]> = sides.iter().map(|both| &both[2 - types.len()..]).collect();
        let index = self.choose(&types, &sides)?;
        self.chosen(&candidates[index], left, right)
    }

    /// Returns the operators of a name, as `OpernameGetCandidates` of `namespace.c` does: of those with the same types, the one whose
    /// schema comes first.
    fn operators_named(
        &self,
        places: &[SearchedSchema<'_>],
        name: &str,
        is_binary: bool,
        certainty: &mut Certainty,
    ) -> Vec<OperatorCandidate> {
        let mut candidates = Vec::new();
        let mut is_mixed = false;
        for (place, SearchedSchema { schema, .. }) in places.iter().enumerate() {
            if *schema == "pg_catalog" {
                let builtin = self.builtin.signatures.operators(self.builtin.objects, name);
                let builtin = builtin.filter(|(_, it)| it.left.is_some() == is_binary);
                candidates.extend(builtin.map(|(operator, types)| OperatorCandidate {
                    place,
                    left: types.left,
                    right: types.right,
                    result: Some(types.result),
                    row: MeantOperator::Builtin(operator),
                }));
            }
            for operator in self.catalog.operators(schema, name) {
                if operator.left.is_some() != is_binary {
                    continue;
                }
                let left = operator.left.as_ref().map(|of| self.of_column(of));
                let right = self.of_column(&operator.right);
                let (Some(right), false) = (right, left == Some(None)) else {
                    certainty.lose(place);
                    continue;
                };
                let result = operator.result.as_ref().and_then(|of| self.of_column(of));
                let (left, row) = (left.flatten(), MeantOperator::Catalog);
                candidates.push(OperatorCandidate { place, left, right, result, row });
                is_mixed = true;
            }
        }
        if is_mixed {
            // Sorting keeps those first that come first.
            candidates.sort_by_key(OperatorCandidate::sides);
            candidates.dedup_by_key(|it| it.sides());
        }
        candidates
    }

    /// Returns the types that fit exactly, the best first, as `binary_oper_exact` has them: an unknown side is like the other one,
    /// and then a domain is like its base type.
    fn exact_sides(&self, left: Option<TypeId>, right: TypeId) -> Vec<Sides> {
        let Some(left) = left else { return vec![(None, right)] };
        let ((TypeId::UNKNOWN, of) | (of, TypeId::UNKNOWN)) = (left, right) else {
            return vec![(Some(left), right)];
        };
        let base = self.base(of);
        let mut sides = vec![(Some(of), of)];
        if base != of {
            sides.push((Some(base), base));
        }
        sides
    }

    /// Resolves the polymorphic types of an operator.
    fn chosen(
        &self,
        candidate: &OperatorCandidate,
        left: Option<TypeId>,
        right: TypeId,
    ) -> Result<ChosenOperator, NotChosen> {
        let (declared_left, declared_right) = candidate.sides();
        let result = candidate.result.ok_or(NotChosen::Unknown)?;
        let actual: Vec<TypeId> = left.into_iter().chain([right]).collect();
        let declared: Vec<TypeId> = declared_left.into_iter().chain([declared_right]).collect();
        let resolve = || {
            let resolved = self.resolve_polymorphic(&actual, &declared, result)?;
            let of = |declared| resolved.of(declared).ok_or(Mismatch);
            Ok(ChosenOperator {
                left: declared_left.map(of).transpose()?,
                right: of(declared_right)?,
                result: of(result)?,
                row: candidate.row,
            })
        };
        resolve().map_err(|Mismatch| NotChosen::Mismatch)
    }
}
