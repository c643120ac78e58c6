//! What can become what.

use std::collections::HashMap;

use pg_ast_catalog::{BuiltinObjects, CastContext};
use pg_ast_names::ColumnType;

use crate::type_table::{TypeId, TypeName, TypeTable};

/// Where a coercion stands: `CoercionContext` of `primnodes.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coercion {
    /// In an expression.
    Implicit,
    /// In an assignment to a column.
    Assignment,
    /// In a cast that is written.
    Explicit,
}

/// How a value becomes one of another type: `CoercionPathType` of `parse_coerce.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pathway<'c> {
    /// It stays as it is.
    Relabel,
    /// A function makes it.
    Function {
        /// The schema of the function; `None` if nobody knows.
        schema: Option<&'c str>,
        /// Its name.
        name: &'c str,
    },
    /// It is written and read.
    ViaIo,
    /// Each element of the array becomes one.
    Array,
}

/// A cast, built in or of the catalog.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast<'c> {
    context: Coercion,
    pathway: Pathway<'c>,
}

impl From<CastContext> for Coercion {
    fn from(context: CastContext) -> Self {
        match context {
            CastContext::Implicit => Self::Implicit,
            CastContext::Assignment => Self::Assignment,
            CastContext::Explicit => Self::Explicit,
        }
    }
}

impl Cast<'static> {
    /// Reads the casts that are built in, with the number of each type.
    pub(crate) fn builtin(
        objects: &'static BuiltinObjects,
        number: impl Fn(&'static str) -> Option<TypeId>,
    ) -> HashMap<(TypeId, TypeId), Self> {
        let casts = objects.casts().iter();
        casts
            .filter_map(|it| {
                let key = (number(it.source)?, number(it.target)?);
                let pathway = match it.function {
                    Some(name) => Pathway::Function { schema: Some("pg_catalog"), name },
                    None if it.is_binary => Pathway::Relabel,
                    None => Pathway::ViaIo,
                };
                Some((key, Self { context: it.context.into(), pathway }))
            })
            .collect()
    }
}

impl<'c> TypeTable<'c> {
    /// Returns the type below all domains, as `getBaseType` of `lsyscache.c` does.
    pub(crate) fn base(&self, of: TypeId) -> TypeId {
        self.base_with_modifier(of, -1).0
    }

    /// Returns the type below all domains, with the length or precision that they give it, as `getBaseTypeAndTypmod` does.
    pub(crate) fn base_with_modifier(&self, of: TypeId, modifier: i32) -> (TypeId, i32) {
        let info = self.info(of);
        match info.base {
            Some(base) => (base, if modifier < 0 { info.modifier } else { modifier }),
            None => (of, modifier),
        }
    }

    /// Returns the elements of an array, as `get_element_type` of `lsyscache.c` does: no other type with subscripts has them.
    pub(crate) fn element(&self, of: TypeId) -> Option<TypeId> {
        if of == TypeId::RECORD_ARRAY {
            return Some(TypeId::RECORD);
        }
        let info = self.info(of);
        info.of.filter(|_| info.is_array)
    }

    /// Returns whether an array in an `ARRAY` is a part of it with one dimension less; vectors are elements.
    pub(crate) fn is_sub_array(&self, of: TypeId) -> bool {
        let is_vector = [TypeId::OIDVECTOR, TypeId::INT2VECTOR].contains(&of);
        !is_vector && self.element(of).is_some()
    }

    /// Returns whether a value can become one of another type, as `can_coerce_type` of `parse_coerce.c` says for one.
    pub(crate) fn can_coerce(&self, from: TypeId, to: TypeId, how: Coercion) -> bool {
        self.can_coerce_all(&[from], &[to], how)
    }

    /// Returns whether arguments can become those of a function, as `can_coerce_type` does.
    pub(crate) fn can_coerce_all(&self, from: &[TypeId], to: &[TypeId], how: Coercion) -> bool {
        let mut is_polymorphic = false;
        for (from, to) in from.iter().zip(to) {
            if to.is_polymorphic() && from != to {
                is_polymorphic = true;
            } else if !self.can_coerce_plain(*from, *to, how) {
                return false;
            }
        }
        !is_polymorphic || self.is_consistent(from, to)
    }

    fn can_coerce_plain(&self, from: TypeId, to: TypeId, how: Coercion) -> bool {
        from == to
            || to == TypeId::ANY
            || from == TypeId::UNKNOWN
            || self.pathway(from, to, how).is_some()
            || (from == TypeId::RECORD && self.is_row(to))
            || self.is_row_for_record(from, to)
            || self.inherits_from(from, to)
    }

    /// Returns whether it is a row that stays what it is where a `record` is wanted, or an array of them.
    pub(crate) fn is_row_for_record(&self, from: TypeId, to: TypeId) -> bool {
        match to {
            TypeId::RECORD => self.is_row(from),
            TypeId::RECORD_ARRAY => self.element(from).is_some_and(|element| self.is_row(element)),
            _ => false,
        }
    }

    /// Returns how a value becomes one of another type, as `find_coercion_pathway` does; `None` if it cannot, or if the types are
    /// rows.
    pub(crate) fn pathway(&self, from: TypeId, to: TypeId, how: Coercion) -> Option<Pathway<'c>> {
        let (mut source, mut target) = (self.base(from), self.base(to));
        let mut is_array = false;
        // Of arrays, what becomes of their elements tells, and these may be domains over arrays.
        loop {
            if source == target {
                break Some(Pathway::Relabel);
            }
            if let Some(cast) = self.cast(source, target) {
                break (how >= cast.context).then_some(cast.pathway);
            }
            let is_vector = [TypeId::OIDVECTOR, TypeId::INT2VECTOR].contains(&target);
            let elements = self.element(source).zip(self.element(target));
            match elements.filter(|_| !is_vector) {
                Some((of_source, of_target)) => {
                    is_array = true;
                    (source, target) = (self.base(of_source), self.base(of_target));
                }
                None => break self.io_pathway(source, target, how),
            }
        }
        .map(|pathway| if is_array { Pathway::Array } else { pathway })
    }

    /// Strings can be written and read without a cast.
    fn io_pathway(&self, source: TypeId, target: TypeId, how: Coercion) -> Option<Pathway<'c>> {
        let is_string = |of| self.info(of).category == 'S';
        let is_possible = (how >= Coercion::Assignment && is_string(target))
            || (how >= Coercion::Explicit && is_string(source));
        is_possible.then_some(Pathway::ViaIo)
    }

    /// Returns a cast of `pg_cast`.
    fn cast(&self, source: TypeId, target: TypeId) -> Option<Cast<'c>> {
        let builtin = self.builtin.signatures.casts.get(&(source, target));
        builtin.copied().or_else(|| {
            if self.without_cast.borrow().contains(&(source, target)) {
                return None;
            }
            let cast = self.cast_of_catalog(source, target);
            if cast.is_none() {
                self.without_cast.borrow_mut().insert((source, target));
            }
            cast
        })
    }

    fn cast_of_catalog(&self, source: TypeId, target: TypeId) -> Option<Cast<'c>> {
        let of = |id| {
            let TypeName { name, is_array } = self.name(id);
            if is_array { ColumnType::array(name) } else { ColumnType::new(name) }
        };
        let cast = self.catalog.cast(&of(source), &of(target))?;
        let pathway = match &cast.function {
            Some(function) => {
                Pathway::Function { schema: function.schema.as_deref(), name: &function.name }
            }
            None if cast.is_binary => Pathway::Relabel,
            None => Pathway::ViaIo,
        };
        Some(Cast { context: cast.context.into(), pathway })
    }
}
