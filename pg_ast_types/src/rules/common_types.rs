//! The type that several values have in common: of the arms of `UNION` and `CASE`, of the elements of an `ARRAY`.

use crate::rules::coercion::Coercion;
use crate::type_table::{TypeId, TypeTable};

impl TypeTable<'_> {
    /// Returns the type that values of these types become, as `select_common_type` of `parse_coerce.c` does; the index of the first
    /// that is of another category if there is none.
    ///
    /// It does not say that all of them can be coerced to it: that is [`verify_common_type`](Self::verify_common_type).
    pub(crate) fn common_type(&self, types: &[TypeId]) -> Result<TypeId, usize> {
        let first = types.first().copied().unwrap_or(TypeId::UNKNOWN);
        // Only so, a domain is the result.
        if first != TypeId::UNKNOWN && types.iter().all(|it| *it == first) {
            return Ok(first);
        }
        let mut common = self.base(first);
        let mut info = self.info(common);
        for (index, of) in types.iter().enumerate().skip(1) {
            let next = self.base(*of);
            if next == TypeId::UNKNOWN || next == common {
                continue;
            }
            let next_info = self.info(next);
            let is_better = if common == TypeId::UNKNOWN {
                true
            } else if next_info.category != info.category {
                return Err(index);
            } else {
                !info.is_preferred
                    && self.can_coerce(common, next, Coercion::Implicit)
                    && !self.can_coerce(next, common, Coercion::Implicit)
            };
            if is_better {
                (common, info) = (next, next_info);
            }
        }
        Ok(if common == TypeId::UNKNOWN { TypeId::TEXT } else { common })
    }

    /// Returns whether all types can be coerced to one, as `verify_common_type` does; the index of the first that cannot.
    pub(crate) fn verify_common_type(&self, common: TypeId, types: &[TypeId]) -> Result<(), usize> {
        let cannot = |of: &TypeId| !self.can_coerce(*of, common, Coercion::Implicit);
        types.iter().position(cannot).map_or(Ok(()), Err)
    }

    /// Returns the common type of values that can all be coerced to it; the index of the first that cannot.
    pub(crate) fn verified_common_type(&self, types: &[TypeId]) -> Result<TypeId, usize> {
        let common = self.common_type(types)?;
        self.verify_common_type(common, types).map(|()| common)
    }

    /// Returns the length or precision that values have in common, as `select_common_typmod` does.
    pub(crate) fn common_modifier(values: &[(TypeId, i32)], common: TypeId) -> i32 {
        let first = values.first().map_or(-1, |(_, modifier)| *modifier);
        let is_same = values.iter().all(|(of, modifier)| *of == common && *modifier == first);
        if is_same { first } else { -1 }
    }
}
