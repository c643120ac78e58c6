//! What the offsets of a frame are: `RANGE BETWEEN $1 PRECEDING AND ..`.

use crate::rules::coercion::Coercion;
use crate::type_table::{TypeId, TypeTable};

/// The types that can be added to one: the functions of `in_range` of the B-trees, in `pg_amproc`.
const IN_RANGE: &[(TypeId, &[TypeId])] = &[
    (TypeId::INT2, &[TypeId::INT2, TypeId::INT4, TypeId::INT8]),
    (TypeId::INT4, &[TypeId::INT2, TypeId::INT4, TypeId::INT8]),
    (TypeId::INT8, &[TypeId::INT8]),
    (TypeId::FLOAT4, &[TypeId::FLOAT8]),
    (TypeId::FLOAT8, &[TypeId::FLOAT8]),
    (TypeId::NUMERIC, &[TypeId::NUMERIC]),
    (TypeId::DATE, &[TypeId::INTERVAL]),
    (TypeId::TIMESTAMP, &[TypeId::INTERVAL]),
    (TypeId::TIMESTAMPTZ, &[TypeId::INTERVAL]),
    (TypeId::TIME, &[TypeId::INTERVAL]),
    (TypeId::TIMETZ, &[TypeId::INTERVAL]),
    (TypeId::INTERVAL, &[TypeId::INTERVAL]),
];

impl TypeTable<'_> {
    /// Returns the type that an offset becomes in a frame of rows that are sorted by values of a type, as `transformFrameOffset` of
    /// `parse_clause.c` does; `None` if nothing can be added to them, or if nobody knows what.
    pub(crate) fn frame_offset(&self, sorted: TypeId, offset: TypeId) -> Option<TypeId> {
        let sorted = self.base(sorted);
        let (_, types) = IN_RANGE.iter().find(|(of, _)| *of == sorted)?;
        let preferred = if offset == TypeId::UNKNOWN { sorted } else { offset };
        let mut fitting =
            types.iter().filter(|to| self.can_coerce(offset, **to, Coercion::Implicit));
        if types.contains(&preferred) {
            return Some(preferred);
        }
        let only = fitting.next()?;
        fitting.next().is_none().then_some(*only)
    }
}
