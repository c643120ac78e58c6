//! Functions as a call sees them: which arguments they take, and in which order.

use std::collections::HashMap;

use pg_ast_catalog::{BuiltinFunction, FunctionKind, ParameterMode};
use pg_ast_names::{ColumnType, Routine};

use crate::rules::signatures::TypedFunction;
use crate::type_table::{TypeId, TypeTable};

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallParameter<'c> {
    pub(crate) mode: ParameterMode,
    pub(crate) name: Option<&'c str>,
    /// Its type, if it is known.
    pub(crate) of: Option<TypeId>,
    has_default: bool,
}

impl CallParameter<'_> {
    const fn is_input(&self) -> bool {
        !matches!(self.mode, ParameterMode::Out | ParameterMode::Table)
    }

    pub(crate) const fn is_output(&self) -> bool {
        matches!(self.mode, ParameterMode::Out | ParameterMode::InOut | ParameterMode::Table)
    }
}

/// A function, built in or of the catalog.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MeantFunction<'c> {
    /// One that is built in.
    Builtin(&'static BuiltinFunction),
    /// One of the catalog.
    Catalog(&'c Routine),
}

impl MeantFunction<'_> {
    /// Returns what kind of function it is, if that is known.
    pub(crate) const fn kind(self) -> Option<FunctionKind> {
        match self {
            Self::Builtin(function) => Some(function.kind),
            Self::Catalog(routine) => routine.kind,
        }
    }
}

/// A function with its types.
#[derive(Clone)]
pub(crate) struct CallSignature<'c> {
    pub(crate) row: MeantFunction<'c>,
    pub(crate) parameters: Vec<CallParameter<'c>>,
    /// The type of its result, if it is known.
    pub(crate) result: Option<TypeId>,
}

/// The arguments of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallArguments<'a> {
    /// Their types; those of `ORDER BY` in `WITHIN GROUP` are the last ones.
    pub(crate) types: &'a [TypeId],
    /// The names of the last of them.
    pub(crate) names: &'a [&'a str],
    /// Whether the last one is `VARIADIC`.
    pub(crate) is_variadic: bool,
    /// With `WITHIN GROUP`, how many arguments come before it.
    pub(crate) within_group: Option<usize>,
    /// Whether it is the call of a `CALL`, whose outputs are arguments as well.
    pub(crate) is_procedure: bool,
    /// Whether the only argument is a parameter of the statement whose type is not known yet, and no constant.
    pub(crate) is_parameter: bool,
}

/// How a call can use a function: an entry of `FuncCandidateList`.
#[derive(Clone)]
pub(crate) struct Candidate<'c> {
    pub(crate) place: usize,
    pub(crate) signature: CallSignature<'c>,
    /// The types of the arguments, in their order in the call; those of defaults follow.
    pub(crate) types: Vec<TypeId>,
    /// How many of the arguments are those of a `VARIADIC` parameter.
    pub(crate) variadic_count: usize,
    /// Which parameter each argument is for, if they have names.
    pub(crate) order: Option<Vec<usize>>,
    /// How many types, at the end, are those of defaults.
    pub(crate) default_count: usize,
    /// Whether another function of the schema takes the same arguments.
    pub(crate) is_ambiguous: bool,
}

impl Candidate<'_> {
    /// Returns whether no other function of its schema can have the same types.
    pub(crate) const fn is_unique(&self) -> bool {
        self.variadic_count == 0 && self.default_count == 0 && self.order.is_none()
    }

    /// Returns the type of the `VARIADIC` parameter's elements, `any` included: `provariadic` of `pg_proc`.
    pub(crate) fn variadic_type(&self, table: &TypeTable<'_>) -> Option<TypeId> {
        self.signature.variadic_type(table)
    }
}

/// That a type of a parameter is not known.
pub(crate) struct UnknownParameter;

impl<'c> CallSignature<'c> {
    /// Reads a function that is built in.
    pub(crate) fn builtin(typed: &TypedFunction<'_>) -> Self {
        let parameters = typed.function.parameters.iter().zip(typed.parameters);
        let parameter =
            |(it, of): (&pg_ast_catalog::BuiltinParameter, &Option<TypeId>)| CallParameter {
                mode: it.mode,
                name: it.name,
                of: *of,
                has_default: it.default.is_some(),
            };
        Self {
            row: MeantFunction::Builtin(typed.function),
            parameters: parameters.map(parameter).collect(),
            result: typed.result,
        }
    }

    /// Reads one of the catalog.
    pub(crate) fn of_catalog(table: &TypeTable<'c>, routine: &'c Routine) -> Self {
        let of = |of: &Option<ColumnType>| of.as_ref().and_then(|of| table.of_column(of));
        let parameters = routine.parameters.iter().map(|it| CallParameter {
            mode: it.mode,
            name: it.name.as_deref(),
            of: of(&it.column_type),
            has_default: it.has_default,
        });
        Self {
            row: MeantFunction::Catalog(routine),
            parameters: parameters.collect(),
            result: of(&routine.result),
        }
    }

    fn variadic_type(&self, table: &TypeTable<'_>) -> Option<TypeId> {
        let variadic = self.parameters.iter().find(|it| it.mode == ParameterMode::Variadic)?;
        match variadic.of? {
            TypeId::ANYARRAY => Some(TypeId::ANYELEMENT),
            TypeId::ANYCOMPATIBLEARRAY => Some(TypeId::ANYCOMPATIBLE),
            TypeId::ANY => Some(TypeId::ANY),
            array => table.element(array),
        }
    }

    /// Returns how a call can use it, as `FuncnameGetCandidates` of `namespace.c` does for each function; `None` if it cannot.
    pub(crate) fn candidate(
        self,
        table: &TypeTable<'_>,
        place: usize,
        call: &CallArguments<'_>,
    ) -> Result<Option<Candidate<'c>>, UnknownParameter> {
        let count = call.types.len();
        let is_taken = |it: &&CallParameter<'_>| call.is_procedure || it.is_input();
        let taken: Vec<CallParameter<'c>> =
            self.parameters.iter().filter(is_taken).copied().collect();
        let defaults = self.parameters.iter().filter(|it| it.has_default).count();
        let has_variadic = taken.iter().any(|it| it.mode == ParameterMode::Variadic);
        let is_expanded = has_variadic && !call.is_variadic && taken.len() <= count;
        if taken.len() > count + defaults
            || (taken.len() < count && !is_expanded)
            || (has_variadic && !call.is_variadic && !call.names.is_empty())
        {
            return Ok(None);
        }
        let order = if call.names.is_empty() {
            None
        } else {
            match named_order(&taken, defaults, call) {
                None => return Ok(None),
                order => order,
            }
        };
        let of = |it: &CallParameter<'_>| it.of.ok_or(UnknownParameter);
        let types: Result<Vec<TypeId>, _> = match &order {
            Some(order) => order.iter().map(|index| of(&taken[*index])).collect(),
            None => taken.iter().map(of).collect(),
        };
        let mut types = types?;
        let mut variadic_count = 0;
        if is_expanded && call.names.is_empty() {
            let element = self.variadic_type(table).ok_or(UnknownParameter)?;
            types.pop();
            types.resize(count, element);
            variadic_count = count + 1 - taken.len();
        }
        let default_count = taken.len().saturating_sub(count);
        let signature = self;
        let is_ambiguous = false;
        Ok(Some(Candidate {
            place,
            signature,
            types,
            variadic_count,
            order,
            default_count,
            is_ambiguous,
        }))
    }
}

/// Returns which parameters the arguments are for, defaults last, as `MatchNamedCall` of `namespace.c` does; `None` if a name is of no
/// parameter, or if one without default has no argument.
fn named_order(
    taken: &[CallParameter<'_>],
    defaults: usize,
    call: &CallArguments<'_>,
) -> Option<Vec<usize>> {
    let positional = call.types.len().checked_sub(call.names.len())?;
    let mut is_given: Vec<bool> = (0..taken.len()).map(|index| index < positional).collect();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (index, parameter) in taken.iter().enumerate() {
        if let Some(name) = parameter.name {
            by_name.entry(name).or_insert(index);
        }
    }
    let mut order: Vec<usize> = (0..positional).collect();
    for name in call.names {
        let index = *by_name.get(name)?;
        if core::mem::replace(&mut is_given[index], true) {
            return None;
        }
        order.push(index);
    }
    let first_default = taken.len() - defaults.min(taken.len());
    let missing = (0..taken.len()).filter(|index| !is_given[*index]);
    let missing: Vec<usize> = missing.collect();
    if missing.iter().any(|index| *index < first_default) {
        return None;
    }
    order.extend(missing);
    Some(order)
}
