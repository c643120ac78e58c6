//! Relations that a definition looks up without reading them: what the body of a function in SQL names, and what stored expressions
//! refer to by a constant.

use pg_ast::{LockMode, QualifiedName};

use super::finder::EffectsFinder;
use super::function_calls::first_text;
use super::pg::seam::name_in_string;
use super::pg::view::{
    CreateFunctionStmt, DefElem, FuncCall, Node, TypeCast, VariableSetStmt, parse,
};
use super::{StmtContext, effects_of};
use crate::{Answer, TableEffect, Which};

/// The functions whose first argument is a `regclass`.
const OF_SEQUENCES: [&str; 3] = ["nextval", "currval", "setval"];

impl<'a> EffectsFinder<'a> {
    /// Locks what the body of a function in SQL names: the server reads it, unless `check_function_bodies` is off.
    pub(super) fn checked_body(&mut self, create: CreateFunctionStmt<'a>) {
        let Some(body) = Node::from(create).routine_body() else { return };
        let Some(source) = body.source.filter(|_| body.language == Some("sql")) else { return };
        let Ok(tree) = parse(source) else { return };
        let path = search_path(create);
        let setting = StmtContext { depth: self.setting.depth + 1, ..self.setting }.by_text();
        for (stmt, is_utility) in tree.stmts().zip(tree.is_utility_stmt()) {
            if is_utility {
                continue;
            }
            let tables = effects_of(Node::from(stmt), setting).tables;
            for mut table in tables.into_iter().filter(|table| table.which == Which::Itself) {
                table.locked = Answer::Maybe;
                if let Some(path) = &path {
                    self.name_in_path(&mut table.name, path);
                }
                self.read_by_view(&table.name);
                self.effects.tables.push(table);
                // The same one may be named several times.
                self.has_bodies = true;
            }
        }
    }

    #[cfg(feature = "catalog")]
    fn name_in_path(&self, name: &mut QualifiedName, path: &[String]) {
        use super::called_routines::WithPath;
        use crate::known_relations::{KnownRelations, NameClass};

        let Some(known) = self.setting.known else { return };
        let catalog = WithPath { catalog: known.catalog, path };
        let relations = KnownRelations { catalog: &catalog, server: self.server };
        if let Some(full) = relations.full_name(name, NameClass::Relation) {
            *name = full;
        }
    }

    /// Adds what a view reads.
    #[cfg(feature = "catalog")]
    fn read_by_view(&mut self, view: &QualifiedName) {
        use super::with_catalog::reached;
        use crate::known_relations::NameClass;

        let Some(known) = self.setting.known else { return };
        let relations = known.relations(self.server);
        let Some(view) = relations.full_name(view, NameClass::Relation) else { return };
        if relations.is_view(&view) {
            let lock = LockMode::AccessShareLock;
            let read = relations.read_by(&view).into_iter();
            let read = read.map(|(it, of)| reached(it, Which::Read, &of, lock, Answer::Maybe));
            self.inner.tables.extend(read);
        }
    }

    #[cfg(not(feature = "catalog"))]
    #[allow(clippy::unused_self, reason = "as with the feature")]
    fn read_by_view(&mut self, _: &QualifiedName) {}

    #[cfg(not(feature = "catalog"))]
    #[allow(clippy::unused_self, reason = "as with the feature")]
    fn name_in_path(&self, _: &mut QualifiedName, _: &[String]) {}

    /// Locks the composite types of the columns of a relation that is made or written anew: releases since August 2026 do so.
    #[cfg(feature = "catalog")]
    pub(super) fn composite_types(
        &mut self,
        stmt: Node<'a>,
        relations: crate::known_relations::KnownRelations<'a>,
    ) {
        use crate::known_relations::NameClass;

        let makes = match stmt {
            Node::SelectStmt(select) => select.into_clause().is_some(),
            Node::CreateStmt(_)
            | Node::CreateForeignTableStmt(_)
            | Node::CreateTableAsStmt(_)
            | Node::ViewStmt(_)
            | Node::AlterTableStmt(_)
            | Node::RefreshMatViewStmt(_)
            | Node::ClusterStmt(_) => true,
            _ => false,
        };
        if !makes {
            return;
        }
        let named = stmt.nodes().filter_map(Node::as_type_name);
        let mut types: Vec<_> = named.map(|it| it.names().qualified_name()).collect();
        for table in self.effects.tables.iter().filter(|it| it.which == Which::Itself) {
            let columns = relations.relation(&table.name).map_or(&[][..], |it| &it.columns);
            let of_columns = columns.iter().filter_map(|it| it.column_type.as_ref());
            types.extend(of_columns.map(|it| it.name.clone()));
        }
        types.sort_by(|one, other| (&one.schema, &one.name).cmp(&(&other.schema, &other.name)));
        types.dedup();
        for name in types {
            let Some(name) = relations.full_name(&name, NameClass::Type) else { continue };
            let is_there = self.effects.tables.iter().any(|it| it.name == name);
            if !is_there && relations.relation(&name).is_some() {
                self.effects.tables.push(looked_up(name));
            }
        }
    }

    /// Locks the relation that a constant in a stored expression is: releases since August 2026 do so.
    pub(super) fn stored_constant(&mut self, node: Node<'a>) {
        let name = match node {
            Node::FuncCall(call) => sequence_of(call),
            Node::TypeCast(cast) => relation_of(cast),
            _ => None,
        };
        let Some(name) = name.and_then(name_in_string) else { return };
        self.effects.tables.push(looked_up(name));
        self.has_bodies = true;
    }
}

/// Makes the entry of a relation that releases of one version lock, and others do not.
fn looked_up(name: QualifiedName) -> TableEffect {
    TableEffect {
        name,
        which: Which::Itself,
        of: None,
        lock: LockMode::AccessShareLock,
        locked: Answer::Maybe,
        rewrites: Answer::No,
        scans: Answer::No,
    }
}

/// Returns the relation of `'t'::regclass`.
fn relation_of(cast: TypeCast<'_>) -> Option<&str> {
    let of = cast.type_name().filter(|of| of.array_bounds().is_empty())?;
    match cast.arg()?.literal() {
        Some(pg_ast::Literal::String(text)) if of.names().strs().last() == Some("regclass") => {
            Some(text)
        }
        _ => None,
    }
}

/// Returns the sequence of `nextval('s')`.
fn sequence_of(call: FuncCall<'_>) -> Option<&str> {
    let name = call.funcname().strs().last()?;
    first_text(call).filter(|_| OF_SEQUENCES.contains(&name))
}

/// Returns the path that a function sets for itself.
fn search_path(create: CreateFunctionStmt<'_>) -> Option<Vec<String>> {
    let options = create.options().iter().filter_map(Node::as_def_elem);
    let set = options.filter(|option| option.defname() == "set").filter_map(DefElem::arg);
    let mut set = set.filter_map(Node::as_variable_set_stmt);
    let path: VariableSetStmt<'_> = set.find(|set| set.name() == "search_path")?;
    let names = path.args().iter().filter_map(|it| match it.literal() {
        Some(pg_ast::Literal::String(name)) => Some(name.to_owned()),
        _ => None,
    });
    Some(names.collect())
}
