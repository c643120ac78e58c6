//! What `anyelement` and its like stand for in a call.

use pg_ast_catalog::TypeKind;

use crate::type_table::{TypeId, TypeTable};

impl TypeId {
    /// Returns whether it stands for another type in a call: `IsPolymorphicType` of `pg_type.h`.
    pub(crate) fn is_polymorphic(self) -> bool {
        self.is_of_first_family() || self.is_compatible()
    }

    /// Returns whether all of its kind are about one type: `IsPolymorphicTypeFamily1`.
    fn is_of_first_family(self) -> bool {
        self.is_element() || [Self::ANYARRAY, Self::ANYRANGE, Self::ANYMULTIRANGE].contains(&self)
    }

    fn is_element(self) -> bool {
        [Self::ANYELEMENT, Self::ANYNONARRAY, Self::ANYENUM].contains(&self)
    }

    /// Returns whether all of its kind are about the common type of several: `IsPolymorphicTypeFamily2`.
    fn is_compatible(self) -> bool {
        self.is_compatible_element()
            || [Self::ANYCOMPATIBLEARRAY, Self::ANYCOMPATIBLERANGE, Self::ANYCOMPATIBLEMULTIRANGE]
                .contains(&self)
    }

    fn is_compatible_element(self) -> bool {
        [Self::ANYCOMPATIBLE, Self::ANYCOMPATIBLENONARRAY].contains(&self)
    }
}

/// That arguments do not fit together, or that nothing tells what a type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch;

/// What the polymorphic types of a call stand for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Resolved {
    element: Option<TypeId>,
    array: Option<TypeId>,
    range: Option<TypeId>,
    multirange: Option<TypeId>,
    compatible: Option<TypeId>,
    compatible_array: Option<TypeId>,
    compatible_range: Option<TypeId>,
    compatible_multirange: Option<TypeId>,
}

/// What the arguments of a call say of its polymorphic types.
#[derive(Default)]
struct GivenTypes {
    types: Resolved,
    /// The types that are to become a common one.
    compatible: Vec<TypeId>,
    /// The types that the function declares.
    declared: Vec<TypeId>,
    /// How many of its parameters are of the first family.
    of_first_family: usize,
}

impl GivenTypes {
    fn has(&self, of: TypeId) -> bool {
        self.declared.contains(&of)
    }
}

/// Writes down a type that has to be the same each time.
fn agree(known: &mut Option<TypeId>, of: TypeId) -> Result<(), Mismatch> {
    match known.replace(of) {
        Some(other) if other != of => Err(Mismatch),
        _ => Ok(()),
    }
}

impl TypeTable<'_> {
    /// Returns the type of the bounds of a range: `get_range_subtype` of `lsyscache.c`.
    fn bounds(&self, of: TypeId) -> Option<TypeId> {
        let info = self.info(of);
        info.of.filter(|_| info.kind == TypeKind::Range)
    }

    /// Returns the ranges of a multirange: `get_multirange_range`.
    fn range_of(&self, of: TypeId) -> Option<TypeId> {
        let info = self.info(of);
        info.of.filter(|_| info.kind == TypeKind::Multirange)
    }

    /// Returns whether a type is an array or a domain over one: `type_is_array_domain`.
    fn is_array_or_domain(&self, of: TypeId) -> bool {
        self.element(self.base(of)).is_some()
    }

    /// Returns whether arguments can be those of polymorphic parameters, as `check_generic_type_consistency` of `parse_coerce.c`
    /// does.
    pub(crate) fn is_consistent(&self, actual: &[TypeId], declared: &[TypeId]) -> bool {
        self.check_consistency(actual, declared).is_ok()
    }

    fn check_consistency(&self, actual: &[TypeId], declared: &[TypeId]) -> Result<(), Mismatch> {
        let mut given = self.given(actual, declared)?;
        if given.types.array != Some(TypeId::ANYARRAY) {
            self.element_of_array(&mut given)?;
        }
        self.element_of_range(&mut given)?;
        let element = given.types.element;
        self.check_element(&given, element)?;
        if given.has(TypeId::ANYENUM) && element.is_none() {
            return Err(Mismatch);
        }
        self.range_of_compatible(&mut given)?;
        if given.compatible.is_empty() { Ok(()) } else { self.check_compatible(&given).map(|_| ()) }
    }

    /// Collects what the arguments say, and refuses those that are not alike.
    fn given(&self, actual: &[TypeId], declared: &[TypeId]) -> Result<GivenTypes, Mismatch> {
        let mut given = GivenTypes { declared: declared.to_vec(), ..GivenTypes::default() };
        for (actual, declared) in actual.iter().zip(declared) {
            given.of_first_family += usize::from(declared.is_of_first_family());
            if *actual == TypeId::UNKNOWN || !declared.is_polymorphic() {
                continue;
            }
            let base = self.base(*actual);
            let types = &mut given.types;
            match *declared {
                TypeId::ANYARRAY => agree(&mut types.array, base)?,
                TypeId::ANYRANGE => agree(&mut types.range, base)?,
                TypeId::ANYMULTIRANGE => agree(&mut types.multirange, base)?,
                TypeId::ANYCOMPATIBLEARRAY => {
                    given.compatible.push(self.element(base).ok_or(Mismatch)?);
                }
                TypeId::ANYCOMPATIBLERANGE => {
                    if types.compatible_range.is_none() {
                        given.compatible.push(self.bounds(base).ok_or(Mismatch)?);
                    }
                    agree(&mut types.compatible_range, base)?;
                }
                TypeId::ANYCOMPATIBLEMULTIRANGE => {
                    self.range_of(base).ok_or(Mismatch)?;
                    agree(&mut types.compatible_multirange, base)?;
                }
                declared if declared.is_element() => agree(&mut types.element, *actual)?,
                _ => given.compatible.push(*actual),
            }
        }
        Ok(given)
    }

    fn element_of_array(&self, given: &mut GivenTypes) -> Result<(), Mismatch> {
        let Some(array) = given.types.array else { return Ok(()) };
        agree(&mut given.types.element, self.element(array).ok_or(Mismatch)?)
    }

    /// Deduces a range from several, and the element from the range.
    fn element_of_range(&self, given: &mut GivenTypes) -> Result<(), Mismatch> {
        if let Some(multirange) = given.types.multirange {
            agree(&mut given.types.range, self.range_of(multirange).ok_or(Mismatch)?)?;
        }
        let Some(range) = given.types.range else { return Ok(()) };
        agree(&mut given.types.element, self.bounds(range).ok_or(Mismatch)?)
    }

    /// Refuses what `anynonarray` and `anyenum` do not stand for.
    fn check_element(&self, given: &GivenTypes, element: Option<TypeId>) -> Result<(), Mismatch> {
        let Some(element) = element else { return Ok(()) };
        let is_wrong = (given.has(TypeId::ANYNONARRAY) && self.is_array_or_domain(element))
            || (given.has(TypeId::ANYENUM) && self.info(element).kind != TypeKind::Enum);
        if is_wrong { Err(Mismatch) } else { Ok(()) }
    }

    fn range_of_compatible(&self, given: &mut GivenTypes) -> Result<(), Mismatch> {
        let Some(multirange) = given.types.compatible_multirange else { return Ok(()) };
        let range = self.range_of(multirange).ok_or(Mismatch)?;
        if given.types.compatible_range.is_none() {
            given.compatible.push(self.bounds(range).ok_or(Mismatch)?);
        }
        agree(&mut given.types.compatible_range, range)
    }

    /// Returns the common type of the second family, which has to be the bounds of its range.
    fn check_compatible(&self, given: &GivenTypes) -> Result<TypeId, Mismatch> {
        let common = self.common_type(&given.compatible).map_err(|_| Mismatch)?;
        self.verify_common_type(common, &given.compatible).map_err(|_| Mismatch)?;
        let bounds = given.types.compatible_range.and_then(|range| self.bounds(range));
        let is_wrong = (given.has(TypeId::ANYCOMPATIBLENONARRAY)
            && self.is_array_or_domain(common))
            || bounds.is_some_and(|bounds| bounds != common);
        if is_wrong { Err(Mismatch) } else { Ok(common) }
    }

    /// Returns what the polymorphic types of a call stand for, as `enforce_generic_type_consistency` does; nothing if no parameter
    /// has one. `result` and other outputs are among what is to be resolved.
    pub(crate) fn resolve_polymorphic(
        &self,
        actual: &[TypeId],
        declared: &[TypeId],
        result: TypeId,
    ) -> Result<Resolved, Mismatch> {
        let mut given = self.given(actual, declared)?;
        let has_compatible = declared.iter().any(|of| of.is_compatible());
        given.declared.push(result);
        if given.of_first_family > 0 {
            self.resolve_first_family(&mut given, result)?;
        }
        if has_compatible {
            self.resolve_compatible(&mut given)?;
        }
        Ok(given.types)
    }

    fn resolve_first_family(&self, given: &mut GivenTypes, result: TypeId) -> Result<(), Mismatch> {
        if given.types.array == Some(TypeId::ANYARRAY) {
            // Columns of pg_statistic are of this type: nothing tells what their elements are.
            let needs_element = result != TypeId::ANYARRAY && result.is_of_first_family();
            if given.of_first_family != 1 || needs_element {
                return Err(Mismatch);
            }
            given.types.element = Some(TypeId::ANYELEMENT);
            return Ok(());
        }
        self.element_of_array(given)?;
        self.element_of_range(given)?;
        if let (None, Some(range)) = (given.types.multirange, given.types.range) {
            given.types.multirange = self.multirange_of(range);
        }
        let element = given.types.element.ok_or(Mismatch)?;
        self.check_element(given, Some(element))?;
        if given.types.array.is_none() {
            given.types.array = self.array_of(element);
        }
        Ok(())
    }

    fn resolve_compatible(&self, given: &mut GivenTypes) -> Result<(), Mismatch> {
        self.range_of_compatible(given)?;
        if let (None, Some(range)) =
            (given.types.compatible_multirange, given.types.compatible_range)
        {
            given.types.compatible_multirange = self.multirange_of(range);
        }
        let needs_range = given.has(TypeId::ANYCOMPATIBLERANGE);
        let needs_multirange = given.has(TypeId::ANYCOMPATIBLEMULTIRANGE);
        if (needs_range && given.types.compatible_range.is_none())
            || (needs_multirange && given.types.compatible_multirange.is_none())
        {
            return Err(Mismatch);
        }
        // Strings alone are texts, as in UNION.
        let common =
            if given.compatible.is_empty() { TypeId::TEXT } else { self.check_compatible(given)? };
        given.types.compatible = Some(common);
        given.types.compatible_array = self.array_of(common);
        if given.has(TypeId::ANYCOMPATIBLEARRAY) && given.types.compatible_array.is_none() {
            return Err(Mismatch);
        }
        Ok(())
    }
}

impl Resolved {
    /// Returns what a type of the function is in the call: one that is not polymorphic is itself. `None` if nothing tells.
    pub(crate) fn of(&self, declared: TypeId) -> Option<TypeId> {
        match declared {
            TypeId::ANYARRAY => self.array,
            TypeId::ANYRANGE => self.range,
            TypeId::ANYMULTIRANGE => self.multirange,
            TypeId::ANYCOMPATIBLEARRAY => self.compatible_array,
            TypeId::ANYCOMPATIBLERANGE => self.compatible_range,
            TypeId::ANYCOMPATIBLEMULTIRANGE => self.compatible_multirange,
            _ if declared.is_element() => self.element,
            _ if declared.is_compatible_element() => self.compatible,
            _ => Some(declared),
        }
    }
}
