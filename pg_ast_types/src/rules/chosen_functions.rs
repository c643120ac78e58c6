//! Which function a call means.

use std::collections::HashMap;

use pg_ast_catalog::{FunctionKind, TypeKind};
use pg_ast_names::CatalogTypeKind;

use crate::rules::candidates::{Certainty, NotChosen, SearchedSchema, places};
use crate::rules::coercion::{Coercion, Pathway};
pub(crate) use crate::rules::parameters::CallArguments;
use crate::rules::parameters::{CallSignature, Candidate, MeantFunction};
use crate::rules::polymorphic::{Mismatch, Resolved};
use crate::type_table::{TypeId, TypeTable};

/// The most arguments that a call can have: `FUNC_MAX_ARGS` of `pg_config_manual.h`.
const MAX_ARGUMENTS: usize = 100;

/// The function that a call means, or the type that it casts to.
#[derive(Clone, Debug)]
pub(crate) struct ChosenFunction<'c> {
    /// What each argument becomes, in the order of the call. One for `any` stays what it is.
    pub(crate) arguments: Vec<TypeId>,
    /// The type of its result.
    pub(crate) result: TypeId,
    /// Whether it is a cast that is written as a call: `int4('1')`.
    pub(crate) is_cast: bool,
    /// Its outputs by name, which are the columns of a `record`; the type is `None` if it is not known.
    pub(crate) outputs: Vec<(String, Option<TypeId>)>,
    /// The function itself; `None` of a cast.
    pub(crate) row: Option<MeantFunction<'c>>,
}

impl<'c> TypeTable<'c> {
    /// Returns the function that a call means, as `ParseFuncOrColumn` and `func_get_detail` of `parse_func.c` do. It does not say that
    /// the kind of function can stand there, and knows nothing of columns that are written as functions.
    pub(crate) fn function(
        &self,
        schema: Option<&str>,
        name: &str,
        call: &CallArguments<'_>,
    ) -> Result<ChosenFunction<'c>, NotChosen> {
        if call.types.len() > MAX_ARGUMENTS {
            return Err(NotChosen::TooMany);
        }
        let places = places(self.catalog, schema);
        let mut certainty = Certainty::of(&places);
        let candidates = self.functions_named(&places, name, call, &mut certainty);
        let count = call.types.len();
        if let Some(exact) = candidates.iter().find(|it| it.types[..count] == *call.types) {
            let is_unique = exact.is_unique() && places[exact.place].schema == "pg_catalog";
            if !certainty.is_certain(exact.place, is_unique) {
                return Err(NotChosen::Unknown);
            }
            return self.called(exact, call);
        }
        if !certainty.is_complete() {
            return Err(NotChosen::Unknown);
        }
        if let Some(cast) = self.cast_call(&places, name, call)? {
            return Ok(cast);
        }
        let types: Vec<&[TypeId]> = candidates.iter().map(|it| it.types.as_slice()).collect();
        let index = self.choose(call.types, &types)?;
        self.called(&candidates[index], call)
    }

    /// Returns how the functions of a name can be called with the arguments, as `FuncnameGetCandidates` of `namespace.c` does: no two
    /// with the same types.
    fn functions_named(
        &self,
        places: &[SearchedSchema<'_>],
        name: &str,
        call: &CallArguments<'_>,
        certainty: &mut Certainty,
    ) -> Vec<Candidate<'c>> {
        let count = call.types.len();
        let mut candidates: Vec<Candidate<'c>> = Vec::new();
        let mut by_types: HashMap<Vec<TypeId>, usize> = HashMap::new();
        for (place, SearchedSchema { schema, .. }) in places.iter().enumerate() {
            let (signatures, objects) = (&self.builtin.signatures, self.builtin.objects);
            let builtin = signatures.functions(objects, schema, name);
            let builtin = builtin.map(|it| CallSignature::builtin(&it));
            let routines = self.catalog.routines(schema, name).iter();
            let routines = routines.map(|it| CallSignature::of_catalog(self, it));
            for signature in builtin.chain(routines) {
                let candidate = match signature.candidate(self, place, call) {
                    Ok(Some(candidate)) => candidate,
                    Ok(None) => continue,
                    Err(_) => {
                        certainty.lose(place);
                        continue;
                    }
                };
                match by_types.get(&candidate.types[..count]) {
                    Some(index) => candidates[*index].or_better(candidate),
                    None => {
                        by_types.insert(candidate.types[..count].to_vec(), candidates.len());
                        candidates.push(candidate);
                    }
                }
            }
        }
        candidates
    }

    /// Returns the type that a call casts to, if it is one: `FUNCDETAIL_COERCION`. Where a function does the cast, this is found by
    /// its name.
    fn cast_call(
        &self,
        places: &[SearchedSchema<'_>],
        name: &str,
        call: &CallArguments<'_>,
    ) -> Result<Option<ChosenFunction<'c>>, NotChosen> {
        let [source] = *call.types else { return Ok(None) };
        if !call.names.is_empty() {
            return Ok(None);
        }
        let Some(target) = self.type_of_call(places, name)? else { return Ok(None) };
        if self.info(target).kind == TypeKind::Composite {
            return Ok(None);
        }
        let is_constant = source == TypeId::UNKNOWN && !call.is_parameter;
        let is_cast = is_constant
            || match self.pathway(source, target, Coercion::Explicit) {
                Some(Pathway::Relabel) => true,
                Some(Pathway::ViaIo) => {
                    let is_row = source == TypeId::RECORD || self.is_row(source);
                    !(is_row && self.info(target).category == 'S')
                }
                _ => false,
            };
        // A value stays what it is where any one of a kind is wanted.
        let result = match target {
            TypeId::ANY
            | TypeId::ANYELEMENT
            | TypeId::ANYNONARRAY
            | TypeId::ANYCOMPATIBLE
            | TypeId::ANYCOMPATIBLENONARRAY => source,
            _ if target.is_polymorphic() && source != TypeId::UNKNOWN => self.base(source),
            _ => target,
        };
        Ok(is_cast.then(|| ChosenFunction {
            arguments: vec![target],
            result,
            is_cast: true,
            outputs: Vec::new(),
            row: None,
        }))
    }

    /// Returns the type of a name, as `FuncNameAsType` does; an array by the name of its own.
    fn type_of_call(
        &self,
        places: &[SearchedSchema<'_>],
        name: &str,
    ) -> Result<Option<TypeId>, NotChosen> {
        for SearchedSchema { schema, .. } in places {
            let array = || self.array_of(self.in_schema(schema, name.strip_prefix('_')?)?);
            let found = self.in_schema(schema, name).or_else(array);
            if found.is_some() {
                return Ok(found);
            }
            match self.catalog.user_type(schema, name).map(|it| &it.kind) {
                // Nothing can use it.
                Some(CatalogTypeKind::Shell) => return Ok(None),
                Some(_) => return Err(NotChosen::Unknown),
                None if self.catalog.has_type(schema, name) == Some(true) => {
                    return Err(NotChosen::Unknown);
                }
                None => {}
            }
        }
        Ok(None)
    }

    /// Resolves the types of a call.
    fn called(
        &self,
        candidate: &Candidate<'c>,
        call: &CallArguments<'_>,
    ) -> Result<ChosenFunction<'c>, NotChosen> {
        if candidate.is_ambiguous {
            return Err(NotChosen::Ambiguous);
        }
        let count = call.types.len();
        let last = candidate.order.as_ref().and_then(|order| order.get(count.checked_sub(1)?));
        if call.is_variadic && last.is_some_and(|last| *last != count - 1) {
            return Err(NotChosen::Missing);
        }
        self.check_within_group(candidate, call)?;
        let declared = &candidate.types;
        let mut actual = call.types.to_vec();
        self.unify_hypothetical(candidate, call, &mut actual)?;
        for of in &declared[count..] {
            // The type of a default is that of its parameter, unless this is polymorphic.
            if of.is_polymorphic() {
                return Err(NotChosen::Unknown);
            }
            actual.push(*of);
        }
        let result = candidate.signature.result.ok_or(NotChosen::Unknown)?;
        let resolved = self
            .resolve_polymorphic(&actual, declared, result)
            .map_err(|Mismatch| NotChosen::Mismatch)?;
        let is_resolved = declared.iter().any(|of| of.is_polymorphic());
        // Without polymorphic arguments, the result stays what it is: that of array_in.
        let of = |of| if is_resolved { resolved.of(of) } else { Some(of) };
        let arguments = actual.iter().zip(declared).take(count).map(|(actual, declared)| {
            if *declared == TypeId::ANY { Some(*actual) } else { of(*declared) }
        });
        let row = candidate.signature.row;
        Ok(ChosenFunction {
            arguments: arguments.collect::<Option<_>>().ok_or(NotChosen::Mismatch)?,
            result: of(result).ok_or(NotChosen::Mismatch)?,
            is_cast: false,
            outputs: outputs(&candidate.signature, &resolved),
            row: Some(row),
        })
    }

    /// Refuses another number of arguments before `WITHIN GROUP` than an ordered-set aggregate has, and arrays of `VARIADIC "any"`
    /// that are none.
    fn check_within_group(
        &self,
        candidate: &Candidate<'c>,
        call: &CallArguments<'_>,
    ) -> Result<(), NotChosen> {
        let variadic = candidate.variadic_type(self);
        let count = call.types.len();
        if let (Some(TypeId::ANY), true, Some(last)) =
            (variadic, call.is_variadic, call.types.last())
            && self.element(self.base(*last)).is_none()
        {
            return Err(NotChosen::Mismatch);
        }
        let Some(given) = call.within_group else { return Ok(()) };
        let (direct, is_hypothetical) = match candidate.signature.row.kind() {
            Some(FunctionKind::OrderedSet(direct)) => (direct, false),
            Some(FunctionKind::HypotheticalSet(direct)) => (direct, true),
            _ => return Ok(()),
        };
        let ordered = count.saturating_sub(given);
        let parameters = count + 1 - candidate.variadic_count.max(1);
        let fits = if variadic.is_none() || direct < parameters {
            given == direct
        } else if is_hypothetical {
            candidate.variadic_count == 2 * ordered
        } else {
            candidate.variadic_count > ordered
        };
        if fits { Ok(()) } else { Err(NotChosen::Missing) }
    }

    /// Gives each hypothetical argument and the one that it is compared with one type, as `unify_hypothetical_args` does.
    fn unify_hypothetical(
        &self,
        candidate: &Candidate<'c>,
        call: &CallArguments<'_>,
        actual: &mut [TypeId],
    ) -> Result<(), NotChosen> {
        let Some(FunctionKind::HypotheticalSet(_)) = candidate.signature.row.kind() else {
            return Ok(());
        };
        let Some(direct) = call.within_group else { return Ok(()) };
        let ordered = actual.len().saturating_sub(direct);
        let plain = direct.checked_sub(ordered).ok_or(NotChosen::Missing)?;
        for position in plain..direct {
            let other = position + ordered;
            if candidate.types[position] != TypeId::ANY {
                continue;
            }
            let both = [actual[other], actual[position]];
            let common = self.common_type(&both).map_err(|_| NotChosen::Mismatch)?;
            self.verify_common_type(common, &both).map_err(|_| NotChosen::Mismatch)?;
            (actual[position], actual[other]) = (common, common);
        }
        Ok(())
    }
}

impl Candidate<'_> {
    /// Takes the place of another function with the same types, if it comes before it; both are ambiguous if none does.
    fn or_better(&mut self, other: Self)
    where
        Self: Sized,
    {
        if other.place != self.place {
            return;
        }
        match (self.variadic_count, other.variadic_count) {
            (0, 1..) => {}
            (1.., 0) => *self = other,
            _ => self.is_ambiguous = true,
        }
    }
}

/// Returns the outputs, as `build_function_result_tupdesc_t` of `funcapi.c` names them.
fn outputs(signature: &CallSignature<'_>, resolved: &Resolved) -> Vec<(String, Option<TypeId>)> {
    let outputs = signature.parameters.iter().filter(|it| it.is_output()).enumerate();
    outputs
        .map(|(index, it)| {
            let name = it.name.map_or_else(|| format!("column{}", index + 1), str::to_owned);
            (name, it.of.and_then(|of| resolved.of(of)))
        })
        .collect()
}
