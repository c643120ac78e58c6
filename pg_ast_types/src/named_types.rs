//! The types of the catalog, which get their numbers when they are asked for.

use std::collections::HashSet;

use pg_ast::QualifiedName;
use pg_ast_catalog::TypeKind;
use pg_ast_names::{CatalogType, CatalogTypeKind, ColumnType};

use crate::rules::modifiers::modifier_of;
use crate::type_table::{TypeId, TypeInfo, TypeName, TypeTable};

impl TypeTable<'_> {
    /// Returns a type of the catalog, or a row of one of its relations.
    ///
    /// What a type is made of gets its number first. Domains over domains can be thousands, so this is no recursion.
    pub(crate) fn of_catalog(&self, schema: &str, name: &str) -> Option<TypeId> {
        let wanted = QualifiedName::new(schema, name);
        if self.is_numbered(&wanted) {
            return self.number(&wanted);
        }
        let mut begun: HashSet<QualifiedName> = HashSet::new();
        let mut open = vec![wanted.clone()];
        while let Some(name) = open.last() {
            let part = if !self.is_numbered(name) && begun.insert(name.clone()) {
                self.part_of(name).filter(|it| !self.is_numbered(it)).cloned()
            } else {
                None
            };
            match part {
                Some(part) if !begun.contains(&part) => open.push(part),
                _ => {
                    if !self.is_numbered(name) {
                        self.define(name);
                    }
                    open.pop();
                }
            }
        }
        self.number(&wanted)
    }

    /// Returns whether somebody has asked for a name.
    fn is_numbered(&self, name: &QualifiedName) -> bool {
        let key = TypeName { name: name.clone(), is_array: false };
        self.builtin_number(name).is_some() || self.named.borrow().by_name.contains_key(&key)
    }

    fn builtin_number(&self, name: &QualifiedName) -> Option<TypeId> {
        let schema = name.schema.as_deref().unwrap_or_default();
        self.builtin.by_name.get(&(schema, name.name.as_str())).copied()
    }

    /// Returns the number of a type that somebody has asked for.
    fn number(&self, name: &QualifiedName) -> Option<TypeId> {
        let key = || TypeName { name: name.clone(), is_array: false };
        let named = || self.named.borrow().by_name.get(&key()).copied().flatten();
        self.builtin_number(name).or_else(named)
    }

    fn type_of_catalog(&self, name: &QualifiedName) -> Option<&CatalogType> {
        self.catalog.user_type(name.schema.as_deref()?, &name.name)
    }

    /// Returns the type that a type is made of.
    fn part_of(&self, name: &QualifiedName) -> Option<&QualifiedName> {
        match &self.type_of_catalog(name)?.kind {
            CatalogTypeKind::Domain { base, .. } => Some(&base.name),
            CatalogTypeKind::Range { subtype, .. } => Some(&subtype.name),
            CatalogTypeKind::Multirange { range } => Some(range),
            CatalogTypeKind::Base { element, .. } => Some(&element.as_ref()?.name),
            _ => None,
        }
    }

    /// Gives a type its number, whose part has one.
    fn define(&self, name: &QualifiedName) {
        let key = TypeName { name: name.clone(), is_array: false };
        let info = match self.type_of_catalog(name) {
            Some(of) => self.info_of(of),
            None => self.is_relation(name).then(|| TypeInfo::new(TypeKind::Composite, 'C')),
        };
        let Some(info) = info else {
            self.named.borrow_mut().by_name.insert(key, None);
            return;
        };
        self.add(key, info);
    }

    /// Returns the multirange of a range, as `get_range_multirange` of `lsyscache.c` does.
    pub(crate) fn multirange_of(&self, range: TypeId) -> Option<TypeId> {
        let builtin = self.info(range).multirange;
        builtin.or_else(|| match &self.type_of_catalog(&self.name(range).name)?.kind {
            CatalogTypeKind::Range { multirange, .. } => {
                self.in_schema(multirange.schema.as_deref()?, &multirange.name)
            }
            _ => None,
        })
    }

    fn is_relation(&self, name: &QualifiedName) -> bool {
        let schema = name.schema.as_deref().unwrap_or_default();
        self.catalog.relation(schema, &name.name).is_some()
            || self.builtin.objects.relation(schema, &name.name).is_some()
    }

    fn info_of(&self, of: &CatalogType) -> Option<TypeInfo> {
        Some(match &of.kind {
            CatalogTypeKind::Domain { base, is_not_null, .. } => {
                let below = self.of_known(base)?;
                let info = self.info(below);
                let modifier = Self::modifier_of_column(base);
                TypeInfo {
                    is_collatable: info.is_collatable,
                    is_not_null: *is_not_null || info.is_not_null,
                    of: Some(below),
                    base: Some(info.base.unwrap_or(below)),
                    // What is over another domain has no own one.
                    modifier: if info.kind == TypeKind::Domain { info.modifier } else { modifier },
                    ..TypeInfo::new(TypeKind::Domain, info.category)
                }
            }
            CatalogTypeKind::Enum { .. } => TypeInfo::new(TypeKind::Enum, 'E'),
            CatalogTypeKind::Range { subtype, .. } => TypeInfo {
                of: Some(self.of_known(subtype)?),
                ..TypeInfo::new(TypeKind::Range, 'R')
            },
            CatalogTypeKind::Multirange { range } => TypeInfo {
                of: Some(self.number(range)?),
                ..TypeInfo::new(TypeKind::Multirange, 'R')
            },
            CatalogTypeKind::Base { category, is_preferred, element, is_collatable } => TypeInfo {
                is_preferred: *is_preferred,
                is_collatable: *is_collatable,
                of: element.as_ref().and_then(|of| self.of_known(of)),
                ..TypeInfo::new(TypeKind::Base, *category)
            },
            _ => return None,
        })
    }

    /// Returns a type whose elements have a number.
    fn of_known(&self, of: &ColumnType) -> Option<TypeId> {
        let element = self.number(&of.name)?;
        if of.is_array { self.array_of(element) } else { Some(element) }
    }

    /// Returns the modifier of a type of PostgreSQL's own: nobody knows those of others.
    pub(crate) fn modifier_of_column(of: &ColumnType) -> i32 {
        let modifiers: Vec<&str> = of.modifiers.iter().map(String::as_str).collect();
        let is_own = of.name.schema.as_deref() == Some("pg_catalog");
        modifier_of(&of.name.name, &modifiers).filter(|_| is_own).unwrap_or(-1)
    }
}
