//! The types of a database by numbers: what PostgreSQL has built in, then those of the catalog that have been named.

use core::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use pg_ast::{QualifiedName, Version};
use pg_ast_catalog::{BuiltinObjects, BuiltinType, TypeKind, builtin};
use pg_ast_names::{Catalog, ColumnType};

use crate::rules::signatures::Signatures;

/// A type of a [`TypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TypeId(u32);

/// Gives types that the rules name their numbers.
macro_rules! well_known {
    ($($constant:ident $name:literal,)*) => {
        /// The names of the first types of each table.
        const WELL_KNOWN: &[&str] = &[$($name),*];

        #[allow(clippy::upper_case_acronyms, non_camel_case_types)]
        enum Number { $($constant),* }

        impl TypeId {
            $(pub(crate) const $constant: Self = Self(Number::$constant as u32);)*
        }
    };
}
well_known! {
    UNKNOWN "unknown", BOOL "bool", NAME "name", INT8 "int8", INT2 "int2", INT4 "int4", INT2VECTOR "int2vector",
    OIDVECTOR "oidvector", TEXT "text", OID "oid", TID "tid", XID "xid", CID "cid", JSON "json", JSONB "jsonb",
    XML "xml", FLOAT4 "float4", FLOAT8 "float8", DATE "date", TIME "time", TIMESTAMP "timestamp",
    TIMESTAMPTZ "timestamptz", INTERVAL "interval", TIMETZ "timetz", BIT "bit", NUMERIC "numeric", RECORD "record",
    RECORD_ARRAY "_record", ANY "any", ANYELEMENT "anyelement", ANYARRAY "anyarray", ANYNONARRAY "anynonarray",
    ANYENUM "anyenum", ANYRANGE "anyrange", ANYMULTIRANGE "anymultirange", ANYCOMPATIBLE "anycompatible",
    ANYCOMPATIBLEARRAY "anycompatiblearray", ANYCOMPATIBLENONARRAY "anycompatiblenonarray",
    ANYCOMPATIBLERANGE "anycompatiblerange", ANYCOMPATIBLEMULTIRANGE "anycompatiblemultirange",
}

/// What the rules need of a type; a row of `pg_type`.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are columns of pg_type")]
pub(crate) struct TypeInfo {
    pub(crate) kind: TypeKind,
    /// The letter of its category.
    pub(crate) category: char,
    /// Whether it is preferred in its category.
    pub(crate) is_preferred: bool,
    pub(crate) is_collatable: bool,
    /// Whether it is a domain that is not null.
    pub(crate) is_not_null: bool,
    /// Whether it is an array, of elements of the type `of`: `IsTrueArrayType` of `pg_type.h`.
    pub(crate) is_array: bool,
    /// What it is made of: the elements of an array, the base of a domain, the bounds of a range, the range of a multirange.
    pub(crate) of: Option<TypeId>,
    /// Its array.
    pub(crate) array: Option<TypeId>,
    /// The multirange of a range that is built in.
    pub(crate) multirange: Option<TypeId>,
    /// Of a domain, the type below it and all domains.
    pub(crate) base: Option<TypeId>,
    /// The length or precision that a domain, or one below it, gives its base; -1 without one.
    pub(crate) modifier: i32,
}

impl TypeInfo {
    /// Makes that of a type that has nothing special.
    pub(crate) const fn new(kind: TypeKind, category: char) -> Self {
        Self {
            kind,
            category,
            is_preferred: false,
            is_collatable: false,
            is_not_null: false,
            is_array: false,
            of: None,
            array: None,
            multirange: None,
            base: None,
            modifier: -1,
        }
    }
}

/// The name of a type, with its schema; of an array, that of its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeName {
    pub(crate) name: QualifiedName,
    pub(crate) is_array: bool,
}

/// The types that PostgreSQL has built in, those that the rules name first.
pub(crate) struct BuiltinTypes {
    infos: Vec<TypeInfo>,
    types: Vec<&'static BuiltinType>,
    pub(crate) by_name: HashMap<(&'static str, &'static str), TypeId>,
    pub(crate) objects: &'static BuiltinObjects,
    pub(crate) signatures: Signatures,
}

impl BuiltinTypes {
    /// Returns the types of a version, which are read the first time.
    pub(crate) fn of(version: Version) -> Option<&'static Self> {
        static VERSIONS: [OnceLock<Option<BuiltinTypes>>; Version::ALL.len()] =
            [const { OnceLock::new() }; Version::ALL.len()];
        let index = Version::ALL.iter().position(|of| *of == version)?;
        VERSIONS[index].get_or_init(|| Some(Self::read(builtin(version.major())?))).as_ref()
    }

    fn read(objects: &'static BuiltinObjects) -> Self {
        let is_first =
            |it: &&BuiltinType| it.schema == "pg_catalog" && WELL_KNOWN.contains(&it.name);
        let first = WELL_KNOWN.iter().filter_map(|name| objects.type_named("pg_catalog", name));
        let types: Vec<_> =
            first.chain(objects.types().iter().filter(|it| !is_first(it))).collect();
        let number = |index: usize| TypeId(u32::try_from(index).unwrap_or(u32::MAX));
        let numbered = types.iter().enumerate();
        let by_name: HashMap<_, _> =
            numbered.map(|(index, it)| ((it.schema, it.name), number(index))).collect();
        let named = |name: &'static str| {
            let key = name.split_once('.').unwrap_or(("pg_catalog", name));
            by_name.get(&key).copied()
        };
        let mut infos: Vec<_> = types
            .iter()
            .map(|it| TypeInfo {
                kind: it.kind,
                category: it.category,
                is_preferred: it.is_preferred,
                is_collatable: it.is_collatable,
                is_not_null: it.is_not_null,
                // Other types with elements, such as points, have another category, or are no base types.
                is_array: it.category == 'A' && it.kind == TypeKind::Base,
                of: it.of.and_then(named),
                array: None,
                multirange: None,
                // Those of PostgreSQL's own are over no other domains.
                base: it.of.filter(|_| it.kind == TypeKind::Domain).and_then(named),
                modifier: it.modifier.unwrap_or(-1),
            })
            .collect();
        for index in 0..infos.len() {
            let Some(of) = infos[index].of else { continue };
            let is_vector = [TypeId::INT2VECTOR, TypeId::OIDVECTOR].contains(&number(index));
            if (infos[index].is_array && !is_vector) || number(index) == TypeId::RECORD_ARRAY {
                infos[of.0 as usize].array = Some(number(index));
            }
            if infos[index].kind == TypeKind::Multirange {
                infos[of.0 as usize].multirange = Some(number(index));
            }
        }
        let signatures = Signatures::read(objects, named);
        Self { infos, types, by_name, objects, signatures }
    }

    /// Returns a type of the data, whose name is that of one of `pg_catalog` unless it has a schema.
    pub(crate) fn of_data(&self, name: &'static str) -> Option<TypeId> {
        let key = name.split_once('.').unwrap_or(("pg_catalog", name));
        self.by_name.get(&key).copied()
    }
}

/// The types of a database.
pub(crate) struct TypeTable<'c> {
    pub(crate) builtin: &'static BuiltinTypes,
    pub(crate) catalog: &'c dyn Catalog,
    pub(crate) named: RefCell<NamedTypes>,
    /// The pairs of types without a cast that have been looked up in the catalog.
    pub(crate) without_cast: RefCell<HashSet<(TypeId, TypeId)>>,
}

/// The types that are not built in, behind those that are.
#[derive(Default)]
pub(crate) struct NamedTypes {
    pub(crate) infos: Vec<TypeInfo>,
    names: Vec<TypeName>,
    /// Those that have been asked for; `None` for what is no type, or one of which nobody knows what it is.
    pub(crate) by_name: HashMap<TypeName, Option<TypeId>>,
}

impl<'c> TypeTable<'c> {
    /// Makes the table of a version; `None` without its data.
    pub(crate) fn new(version: Version, catalog: &'c dyn Catalog) -> Option<Self> {
        let builtin = BuiltinTypes::of(version)?;
        Some(Self { builtin, catalog, named: RefCell::default(), without_cast: RefCell::default() })
    }

    /// Returns what is known of a type.
    pub(crate) fn info(&self, of: TypeId) -> TypeInfo {
        match self.builtin.infos.get(of.0 as usize) {
            Some(info) => *info,
            None => self.named.borrow().infos[of.0 as usize - self.builtin.infos.len()],
        }
    }

    /// Returns the name of a type.
    pub(crate) fn name(&self, of: TypeId) -> TypeName {
        let Some(builtin) = self.builtin.types.get(of.0 as usize) else {
            return self.named.borrow().names[of.0 as usize - self.builtin.infos.len()].clone();
        };
        match builtin.name.strip_prefix('_') {
            Some(element) => {
                TypeName { name: QualifiedName::new(builtin.schema, element), is_array: true }
            }
            None => {
                TypeName { name: QualifiedName::new(builtin.schema, builtin.name), is_array: false }
            }
        }
    }

    /// Returns the array of a type, if it can have one.
    pub(crate) fn array_of(&self, of: TypeId) -> Option<TypeId> {
        let info = self.info(of);
        if info.array.is_some() || self.is_own(of) {
            // What is built in without an array, such as a pseudo-type or an array, has none.
            return info.array;
        }
        if info.is_array {
            return None;
        }
        let name = TypeName { name: self.name(of).name, is_array: true };
        let array = self.add(
            name,
            TypeInfo {
                is_collatable: info.is_collatable,
                is_array: true,
                of: Some(of),
                ..TypeInfo::new(TypeKind::Base, 'A')
            },
        );
        self.named.borrow_mut().infos[(of.0 - self.first_named()) as usize].array = Some(array);
        Some(array)
    }

    pub(crate) fn first_named(&self) -> u32 {
        u32::try_from(self.builtin.infos.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn add(&self, name: TypeName, info: TypeInfo) -> TypeId {
        let mut named = self.named.borrow_mut();
        let number = self.builtin.infos.len() + named.infos.len();
        let id = TypeId(u32::try_from(number).unwrap_or(u32::MAX));
        named.infos.push(info);
        named.names.push(name.clone());
        named.by_name.insert(name, Some(id));
        id
    }

    /// Returns a type of a schema by the name that `pg_type` has for it: the row of a table as well.
    pub(crate) fn in_schema(&self, schema: &str, name: &str) -> Option<TypeId> {
        let builtin = self.builtin.by_name.get(&(schema, name)).copied();
        builtin.or_else(|| self.of_catalog(schema, name))
    }

    /// Returns a type by its name: without a schema, that of the search path. `None` if there is none, or if nobody knows.
    pub(crate) fn named(&self, schema: Option<&str>, name: &str) -> Option<TypeId> {
        if let Some(schema) = schema {
            return self.in_schema(schema, name);
        }
        let path = self.catalog.search_path();
        let before = ["pg_temp", "pg_catalog"];
        let before =
            before.into_iter().filter(|schema| !path.iter().any(|listed| listed == schema));
        for schema in before.chain(path.iter().map(String::as_str)) {
            let found = self.in_schema(schema, name);
            if found.is_some() {
                return found;
            }
            let is_known = self.catalog.is_known(schema);
            let is_there = self.catalog.has_type(schema, name) == Some(true);
            if is_there || !(is_known || matches!(schema, "pg_temp" | "pg_catalog")) {
                return None;
            }
        }
        None
    }

    /// Whether it is one of PostgreSQL's own.
    pub(crate) fn is_own(&self, of: TypeId) -> bool {
        of.0 < self.first_named()
    }

    /// Returns the type of a column.
    pub(crate) fn of_column(&self, of: &ColumnType) -> Option<TypeId> {
        let element = self.in_schema(of.name.schema.as_deref()?, &of.name.name)?;
        if of.is_array { self.array_of(element) } else { Some(element) }
    }
}
