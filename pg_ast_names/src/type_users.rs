//! What is made of types and calls functions, so that renaming or dropping one of these costs only its own.

use std::collections::BTreeSet;

use pg_ast::QualifiedName;

use crate::builtin_names::is_builtin_schema;
use crate::catalog_operators::{CatalogCast, CatalogOperator};
use crate::catalog_routines::{Routine, are_same_types};
use crate::catalog_types::{CatalogType, CatalogTypeKind};
use crate::ddl_catalog::{DdlCatalog, SchemaContents};
use crate::persistent_map::PersistentMap;
use crate::relation_parts::ColumnType;

/// What is made of a type, or calls a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ObjectUser {
    /// Functions of this name.
    Routine(QualifiedName),
    /// A type.
    Type(QualifiedName),
    /// Operators of this name.
    Operator(QualifiedName),
    /// Casts from this type.
    Cast(QualifiedName),
}

/// The users of each type, or of each function. One that is no user any more can be among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectUsers(PersistentMap<QualifiedName, BTreeSet<ObjectUser>>);

impl ObjectUsers {
    /// PostgreSQL's own are not noted: nobody renames and drops them.
    fn add<'a>(&mut self, used: impl IntoIterator<Item = &'a mut QualifiedName>, by: &ObjectUser) {
        for name in used {
            if name.schema.as_deref().is_some_and(|schema| !is_builtin_schema(schema)) {
                self.0.or_default(name.clone()).insert(by.clone());
            }
        }
    }

    fn take(&mut self, name: &QualifiedName) -> BTreeSet<ObjectUser> {
        self.0.remove(name).unwrap_or_default()
    }
}

impl Routine {
    fn types(&mut self) -> impl Iterator<Item = &mut QualifiedName> {
        let parameters = self.parameters.iter_mut().filter_map(|it| it.column_type.as_mut());
        // The rows of a relation that it needs have a type as well.
        parameters.chain(&mut self.result).map(|of| &mut of.name).chain(&mut self.needs)
    }
}

impl CatalogType {
    fn types(&mut self) -> impl Iterator<Item = &mut QualifiedName> {
        let [one, other] = match &mut self.kind {
            CatalogTypeKind::Domain { base, .. } => [Some(&mut base.name), None],
            CatalogTypeKind::Range { subtype, multirange } => {
                [Some(&mut subtype.name), Some(multirange)]
            }
            CatalogTypeKind::Multirange { range } => [Some(range), None],
            CatalogTypeKind::Base { element: Some(element), .. } => [Some(&mut element.name), None],
            _ => [None, None],
        };
        one.into_iter().chain(other)
    }
}

impl CatalogOperator {
    fn types(&mut self) -> impl Iterator<Item = &mut QualifiedName> {
        let own = self.left.iter_mut().chain([&mut self.right]).chain(&mut self.result);
        own.map(|of| &mut of.name)
    }

    /// Returns whether a function of the name that it calls is the one.
    fn is_by(&self, routine: &Routine) -> bool {
        let own = self.left.iter().chain([&self.right]).map(Some);
        self.function == routine.name && are_same_types(own, routine.input_types())
    }
}

impl CatalogCast {
    fn is_by(&self, routine: &Routine) -> bool {
        // One of both can be another type with the same values.
        let first = routine.input_types().next().flatten();
        let is = |of: Option<&ColumnType>, own| of.is_some_and(|of| of.is_same_type(own));
        self.function.as_ref() == Some(&routine.name)
            && (is(first, &self.source) || is(routine.result.as_ref(), &self.target))
    }
}

/// Puts the new name of something in the place of its old one.
fn rename<'a>(
    names: impl IntoIterator<Item = &'a mut QualifiedName>,
    old: &QualifiedName,
    new: &QualifiedName,
) {
    for name in names.into_iter().filter(|name| *name == old) {
        name.clone_from(new);
    }
}

impl DdlCatalog {
    /// Returns what is in the schema of a name: `public` without one.
    fn contents_of(&mut self, name: &QualifiedName) -> &mut SchemaContents {
        let schema = name.schema.as_deref().unwrap_or("public");
        self.schemas.or_default(schema.to_owned())
    }

    fn contents_mut(&mut self, name: &QualifiedName) -> Option<&mut SchemaContents> {
        self.schemas.get_mut(name.schema.as_deref()?)
    }

    /// Returns the domains over a type, or over its arrays.
    pub(crate) fn domains_over(&self, name: &QualifiedName) -> impl Iterator<Item = QualifiedName> {
        let users = self.type_users.0.get(name).into_iter().flatten();
        users.filter_map(move |user| {
            let ObjectUser::Type(user) = user else { return None };
            let contents = self.schemas.get(user.schema.as_deref()?)?;
            match &contents.types.get(&user.name)?.kind {
                CatalogTypeKind::Domain { base, .. } if base.name == *name => Some(user.clone()),
                _ => None,
            }
        })
    }

    /// Adds a function, or replaces that of the same name whose inputs have the same types.
    pub fn add_routine(&mut self, mut routine: Routine) {
        let user = ObjectUser::Routine(routine.name.clone());
        self.type_users.add(routine.types(), &user);
        self.function_users.add(&mut routine.needs, &user);
        let contents = self.contents_of(&routine.name);
        let of_name = contents.routines.or_default(routine.name.name.clone());
        of_name.retain(|other| !other.has_inputs_of(&routine));
        of_name.push(routine);
    }

    /// Adds a type that is no relation, or replaces that of the same name.
    ///
    /// ```
    /// use pg_ast_names::{Catalog as _, CatalogType, CatalogTypeKind, DdlCatalog};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// let labels = Some(vec!["sad".to_owned(), "ok".to_owned()]);
    /// catalog.add_type(CatalogType::new("app", "mood", CatalogTypeKind::Enum { labels }));
    /// assert_eq!(catalog.has_type("app", "mood"), Some(true));
    /// ```
    pub fn add_type(&mut self, mut of: CatalogType) {
        let user = ObjectUser::Type(of.name.clone());
        self.type_users.add(of.types(), &user);
        self.contents_of(&of.name).types.insert(of.name.name.clone(), of);
    }

    /// Adds an operator, or replaces that of the same name for the same types.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_names::{Catalog as _, CatalogOperator, ColumnType, DdlCatalog};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// let of = ColumnType::new(QualifiedName::new("public", "point3"));
    /// let length = QualifiedName::new("public", "length3");
    /// catalog.add_operator(CatalogOperator::new("public", "@-@", None, of, length));
    /// assert_eq!(catalog.operators("public", "@-@").len(), 1);
    /// ```
    pub fn add_operator(&mut self, mut operator: CatalogOperator) {
        let user = ObjectUser::Operator(operator.name.clone());
        self.type_users.add(operator.types(), &user);
        self.function_users.add([&mut operator.function], &user);
        let contents = self.contents_of(&operator.name);
        let of_name = contents.operators.or_default(operator.name.name.clone());
        of_name.retain(|other| !other.is_for(operator.left.as_ref(), &operator.right));
        of_name.push(operator);
    }

    /// Adds a cast, or replaces that of the same types.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_catalog::CastContext;
    /// use pg_ast_names::{Catalog as _, CatalogCast, ColumnType, DdlCatalog};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// let of = |name| ColumnType::new(QualifiedName::new("public", name));
    /// catalog.add_cast(CatalogCast::new(of("a"), of("b"), CastContext::Implicit));
    /// assert!(catalog.cast(&of("a"), &of("b")).is_some() && catalog.cast(&of("b"), &of("a")).is_none());
    /// ```
    pub fn add_cast(&mut self, mut cast: CatalogCast) {
        let user = ObjectUser::Cast(cast.source.name.clone());
        self.type_users.add([&mut cast.source.name, &mut cast.target.name], &user);
        self.function_users.add(&mut cast.function, &user);
        self.drop_cast(&cast.source, &cast.target);
        self.casts.or_default(cast.source.name.clone()).push(cast);
    }

    /// Takes out an operator.
    pub(crate) fn take_operator(
        &mut self,
        name: &QualifiedName,
        left: Option<&ColumnType>,
        right: &ColumnType,
    ) -> Option<CatalogOperator> {
        let of_name = self.contents_mut(name)?.operators.get_mut(&name.name)?;
        let place = of_name.iter().position(|it| it.is_for(left, right))?;
        Some(of_name.remove(place))
    }

    fn operator_mut(
        &mut self,
        name: &QualifiedName,
        left: Option<&ColumnType>,
        right: &ColumnType,
    ) -> Option<&mut CatalogOperator> {
        let of_name = self.contents_mut(name)?.operators.get_mut(&name.name)?;
        of_name.iter_mut().find(|it| it.is_for(left, right))
    }

    /// Drops operators of a name.
    fn drop_operators(
        &mut self,
        name: &QualifiedName,
        is_meant: impl FnMut(&mut CatalogOperator) -> bool,
    ) {
        let contents = self.contents_mut(name);
        let Some(of_name) = contents.and_then(|it| it.operators.get_mut(&name.name)) else {
            return;
        };
        for operator in of_name.extract_if(.., is_meant).collect::<Vec<_>>() {
            self.each_other(&operator, |own| *own = None);
        }
    }

    /// Calls `f` for what the commutator and the negator of an operator have in its place.
    pub(crate) fn each_other(
        &mut self,
        operator: &CatalogOperator,
        mut f: impl FnMut(&mut Option<QualifiedName>),
    ) {
        let CatalogOperator { left, right, commutator, negator, .. } = operator;
        if let (Some(name), Some(left)) = (commutator, left)
            && let Some(other) = self.operator_mut(name, Some(right), left)
        {
            f(&mut other.commutator);
        }
        if let Some(name) = negator
            && let Some(other) = self.operator_mut(name, left.as_ref(), right)
        {
            f(&mut other.negator);
        }
    }

    /// Removes a cast.
    pub(crate) fn drop_cast(&mut self, source: &ColumnType, target: &ColumnType) {
        if let Some(casts) = self.casts.get_mut(&source.name) {
            casts.retain(|it| !(it.source.is_same_type(source) && it.target.is_same_type(target)));
        }
    }

    /// Gives a type another name in what is made of it.
    pub(crate) fn rename_in_users(&mut self, old: &QualifiedName, new: &QualifiedName) {
        let mut users = self.type_users.take(old);
        for user in &users {
            match user {
                ObjectUser::Routine(name) => {
                    let contents = self.contents_mut(name);
                    let routines = contents.and_then(|it| it.routines.get_mut(&name.name));
                    let routines = routines.into_iter().flatten();
                    rename(routines.flat_map(Routine::types), old, new);
                }
                ObjectUser::Type(name) => {
                    let contents = self.contents_mut(name);
                    let of = contents.and_then(|it| it.types.get_mut(&name.name));
                    rename(of.into_iter().flat_map(CatalogType::types), old, new);
                }
                ObjectUser::Operator(name) => {
                    let contents = self.contents_mut(name);
                    let operators = contents.and_then(|it| it.operators.get_mut(&name.name));
                    let operators = operators.into_iter().flatten();
                    rename(operators.flat_map(CatalogOperator::types), old, new);
                }
                ObjectUser::Cast(name) => {
                    let casts = self.casts.get_mut(name).into_iter().flatten();
                    let types = casts.flat_map(|it| [&mut it.source.name, &mut it.target.name]);
                    rename(types, old, new);
                }
            }
        }
        if let Some(mut casts) = self.casts.remove(old) {
            let user = ObjectUser::Cast(new.clone());
            self.type_users.add(casts.iter_mut().map(|it| &mut it.target.name), &user);
            self.function_users.add(casts.iter_mut().filter_map(|it| it.function.as_mut()), &user);
            self.casts.or_default(new.clone()).extend(casts);
            users.insert(user);
        }
        self.type_users.0.or_default(new.clone()).extend(users);
    }

    /// Gives a function another name in the operators and casts that call it; `old` is the function before.
    pub(crate) fn rename_function_in_users(&mut self, old: &Routine, new: &QualifiedName) {
        let users = self.function_users.0.get(&old.name).cloned().unwrap_or_default();
        let is_last = self.is_last(&old.name);
        for user in &users {
            match user {
                ObjectUser::Routine(name) => {
                    let contents = self.contents_mut(name).filter(|_| is_last);
                    let routines = contents.and_then(|it| it.routines.get_mut(&name.name));
                    let routines = routines.into_iter().flatten();
                    rename(routines.flat_map(|it| &mut it.needs), &old.name, new);
                }
                ObjectUser::Operator(name) => {
                    let contents = self.contents_mut(name);
                    let operators = contents.and_then(|it| it.operators.get_mut(&name.name));
                    for operator in operators.into_iter().flatten().filter(|it| it.is_by(old)) {
                        operator.function.clone_from(new);
                    }
                }
                ObjectUser::Cast(source) => {
                    let casts = self.casts.get_mut(source).into_iter().flatten();
                    for cast in casts.filter(|it| it.is_by(old)) {
                        cast.function = Some(new.clone());
                    }
                }
                ObjectUser::Type(_) => {}
            }
            self.function_users.add([&mut new.clone()], user);
        }
    }

    /// Returns whether there is no function of a name, any more or yet.
    fn is_last(&mut self, name: &QualifiedName) -> bool {
        let of_name = self.contents_mut(name).and_then(|it| it.routines.get(&name.name));
        of_name.is_none_or(Vec::is_empty)
    }

    /// Drops the operators, casts and functions that call a function, which is dropped; returns these functions. Of several of a name,
    /// it is not known which one another function calls.
    pub(crate) fn drop_function_users(&mut self, routine: &Routine) -> Vec<Routine> {
        let mut dropped = Vec::new();
        let mut open = vec![routine.clone()];
        while let Some(routine) = open.pop() {
            let users = self.function_users.0.get(&routine.name).cloned().unwrap_or_default();
            let is_last = self.is_last(&routine.name);
            for user in users {
                match user {
                    ObjectUser::Operator(name) => {
                        self.drop_operators(&name, |it| it.is_by(&routine));
                    }
                    ObjectUser::Cast(source) => {
                        if let Some(casts) = self.casts.get_mut(&source) {
                            casts.retain(|it| !it.is_by(&routine));
                        }
                    }
                    ObjectUser::Routine(name) if is_last => {
                        let contents = self.contents_mut(&name);
                        let of_name = contents.and_then(|it| it.routines.get_mut(&name.name));
                        let Some(of_name) = of_name else { continue };
                        let needs_it = |it: &mut Routine| it.needs.contains(&routine.name);
                        let more: Vec<_> = of_name.extract_if(.., needs_it).collect();
                        open.extend(more.iter().cloned());
                        dropped.extend(more);
                    }
                    ObjectUser::Routine(_) | ObjectUser::Type(_) => {}
                }
            }
        }
        dropped
    }

    /// Takes out what is made of a type that is dropped; returns the other types and the functions among that.
    pub(crate) fn drop_type_users(
        &mut self,
        dropped: &QualifiedName,
    ) -> (Vec<QualifiedName>, Vec<Routine>) {
        let (mut types, mut routines) = (Vec::new(), Vec::new());
        let mut open = vec![dropped.clone()];
        while let Some(dropped) = open.pop() {
            self.casts.remove(&dropped);
            for user in self.type_users.take(&dropped) {
                match user {
                    ObjectUser::Routine(name) => {
                        let contents = self.contents_mut(&name);
                        let of_name = contents.and_then(|it| it.routines.get_mut(&name.name));
                        let Some(of_name) = of_name else { continue };
                        let uses = |it: &mut Routine| it.types().any(|of| *of == dropped);
                        routines.extend(of_name.extract_if(.., uses));
                    }
                    ObjectUser::Type(name) => {
                        let Some(contents) = self.contents_mut(&name) else { continue };
                        let of = contents.types.get_mut(&name.name);
                        if of.is_some_and(|of| of.types().any(|of| *of == dropped)) {
                            contents.types.remove(&name.name);
                            open.push(name.clone());
                            types.push(name);
                        }
                    }
                    ObjectUser::Operator(name) => {
                        self.drop_operators(&name, |it| it.types().any(|of| *of == dropped));
                    }
                    ObjectUser::Cast(source) => {
                        if let Some(casts) = self.casts.get_mut(&source) {
                            casts.retain(|it| {
                                it.source.name != dropped && it.target.name != dropped
                            });
                        }
                    }
                }
            }
        }
        let more: Vec<_> = routines.iter().flat_map(|it| self.drop_function_users(it)).collect();
        routines.extend(more);
        (types, routines)
    }
}
