//! The types of what is built in, by their numbers: read once for each version.

use core::ops::Range;
use std::collections::HashMap;

use pg_ast_catalog::{BuiltinFunction, BuiltinObjects, BuiltinOperator};

use crate::rules::coercion::Cast;
use crate::type_table::TypeId;

/// The types of operators, functions and casts.
#[derive(Default)]
pub(crate) struct Signatures {
    /// Those of the operators, in their order.
    operators: Vec<OperatorTypes>,
    /// Where those of the parameters of a function begin, in the order of the functions, and where the last ones end.
    starts: Vec<u32>,
    /// The types of all parameters of all functions.
    parameters: Vec<Option<TypeId>>,
    /// The types of the results of the functions.
    results: Vec<Option<TypeId>>,
    /// The casts.
    pub(crate) casts: HashMap<(TypeId, TypeId), Cast<'static>>,
}

/// The types of an operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperatorTypes {
    pub(crate) left: Option<TypeId>,
    pub(crate) right: TypeId,
    pub(crate) result: TypeId,
}

/// A function with its types.
#[derive(Clone, Copy)]
pub(crate) struct TypedFunction<'s> {
    pub(crate) function: &'static BuiltinFunction,
    /// The types of its parameters.
    pub(crate) parameters: &'s [Option<TypeId>],
    pub(crate) result: Option<TypeId>,
}

impl Signatures {
    /// Reads them, with the number of each type.
    pub(crate) fn read(
        objects: &'static BuiltinObjects,
        number: impl Fn(&'static str) -> Option<TypeId>,
    ) -> Self {
        let mut signatures = Self { casts: Cast::builtin(objects, &number), ..Self::default() };
        let unknown = |of| number(of).unwrap_or(TypeId::UNKNOWN);
        signatures.operators.extend(objects.all_operators().iter().map(|it| OperatorTypes {
            left: it.left.map(unknown),
            right: unknown(it.right),
            result: unknown(it.result),
        }));
        for function in objects.all_functions() {
            signatures.start();
            signatures.parameters.extend(function.parameters.iter().map(|it| number(it.type_name)));
            signatures.results.push(number(function.result));
        }
        signatures.start();
        signatures
    }

    fn start(&mut self) {
        self.starts.push(u32::try_from(self.parameters.len()).unwrap_or(u32::MAX));
    }

    /// Returns the operators of a name with their types.
    pub(crate) fn operators(
        &self,
        objects: &'static BuiltinObjects,
        name: &str,
    ) -> impl Iterator<Item = (&'static BuiltinOperator, OperatorTypes)> {
        let all = objects.all_operators();
        let range = equal(all, |it| it.name.cmp(name));
        all[range.clone()].iter().zip(self.operators[range].iter().copied())
    }

    /// Returns the functions of a name with their types.
    pub(crate) fn functions(
        &self,
        objects: &'static BuiltinObjects,
        schema: &str,
        name: &str,
    ) -> impl Iterator<Item = TypedFunction<'_>> {
        let all = objects.all_functions();
        let range = equal(all, |it| (it.schema, it.name).cmp(&(schema, name)));
        range.map(move |index| TypedFunction {
            function: &all[index],
            parameters: &self.parameters
                [self.starts[index] as usize..self.starts[index + 1] as usize],
            result: self.results[index],
        })
    }
}

/// Returns where those stand that are equal, of sorted objects.
fn equal<T>(objects: &[T], compare: impl Fn(&T) -> core::cmp::Ordering) -> Range<usize> {
    let start = objects.partition_point(|it| compare(it).is_lt());
    let count = objects[start..].iter().take_while(|it| compare(it).is_eq()).count();
    start..start + count
}
