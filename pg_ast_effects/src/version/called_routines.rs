//! What functions and triggers do whose bodies a catalog has.

use pg_ast::QualifiedName;
use pg_ast_names::{
    Catalog, CatalogCast, CatalogOperator, CatalogType, ColumnType, Lineage, Relation,
    Relationship, Routine,
};

use super::finder::EffectsFinder;
use super::pg::plpgsql::parse_body;
use super::pg::seam::with_stack;
use super::pg::view::{FuncCall, Node, TypeName, parse};
use super::run_bodies::of_plpgsql::MAX_DEPTH;
use super::with_catalog::KnownCatalog;
use super::{StmtContext, effects_of};
use crate::known_relations::NameClass;
use crate::{Answer, Effects, FunctionCalled, UnknownSql, Volatility};

/// A catalog in which names are looked up in other schemas.
pub(super) struct WithPath<'c> {
    pub(super) catalog: &'c dyn Catalog,
    pub(super) path: &'c [String],
}

impl Catalog for WithPath<'_> {
    fn search_path(&self) -> &[String] {
        self.path
    }

    fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
        self.catalog.relation(schema, name)
    }

    fn routines(&self, schema: &str, name: &str) -> &[Routine] {
        self.catalog.routines(schema, name)
    }

    fn is_known(&self, schema: &str) -> bool {
        self.catalog.is_known(schema)
    }

    fn user_type(&self, schema: &str, name: &str) -> Option<&CatalogType> {
        self.catalog.user_type(schema, name)
    }

    fn operators(&self, schema: &str, name: &str) -> &[CatalogOperator] {
        self.catalog.operators(schema, name)
    }

    fn cast(&self, source: &ColumnType, target: &ColumnType) -> Option<&CatalogCast> {
        self.catalog.cast(source, target)
    }

    fn has_schema(&self, schema: &str) -> Option<bool> {
        self.catalog.has_schema(schema)
    }

    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        self.catalog.has_type(schema, name)
    }

    fn is_domain(&self, schema: &str, name: &str) -> Option<bool> {
        self.catalog.is_domain(schema, name)
    }

    fn view_lineage(&self, schema: &str, name: &str) -> Option<&Lineage> {
        self.catalog.view_lineage(schema, name)
    }

    fn related(&self, name: &QualifiedName, how: Relationship) -> Option<Vec<QualifiedName>> {
        self.catalog.related(name, how)
    }

    fn view_calls(&self, schema: &str, name: &str) -> Option<&[(QualifiedName, Option<usize>)]> {
        self.catalog.view_calls(schema, name)
    }

    fn type_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        self.catalog.type_names(schema)
    }

    fn relation_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        self.catalog.relation_names(schema)
    }
}

impl<'a> EffectsFinder<'a> {
    /// Adds what the functions do that the query of a view calls, or the expressions of a table.
    pub(super) fn called_by_relation(&mut self, known: KnownCatalog<'a>, view: &QualifiedName) {
        let schema = view.schema.as_deref().unwrap_or_default();
        for (name, arguments) in known.catalog.view_calls(schema, &view.name).unwrap_or_default() {
            // PostgreSQL's own are those of its catalog.
            let is_builtin = name.schema.is_none()
                && crate::functions::functions_of_name(&name.name, self.server).is_some();
            if is_builtin {
                continue;
            }
            if !self.known_call(known, name, *arguments, false) {
                self.unknown_function(name.clone());
            }
        }
    }

    /// Finds what a call of a function does that is none of PostgreSQL's own; returns whether the catalog tells it.
    pub(super) fn known_function(&mut self, call: FuncCall<'a>, name: &QualifiedName) -> bool {
        let Some(known) = self.setting.known else { return false };
        let arguments = (!call.func_variadic()).then(|| call.args().len());
        // A procedure runs its body once; how often a function is called depends on rows.
        self.known_call(known, name, arguments, self.is_call)
    }

    fn known_call(
        &mut self,
        known: KnownCatalog<'a>,
        name: &QualifiedName,
        arguments: Option<usize>,
        certain: bool,
    ) -> bool {
        let Some(routines) = known.relations(self.server).called(name, arguments) else {
            return false;
        };
        let certain = certain && routines.len() == 1;
        let mut found = Effects::default();
        let mut is_known = true;
        for routine in &routines {
            match self.body_effects(known, routine, certain, false) {
                Some(effects) => found.add(effects),
                None => is_known = false,
            }
        }
        let writes = found.writes;
        self.inner.add(found);
        self.has_bodies = true;
        if !is_known {
            return false;
        }
        let is = |volatility| routines.iter().all(|it| it.volatility == Some(volatility));
        let volatility = [Volatility::Immutable, Volatility::Stable].into_iter().find(|it| is(*it));
        self.effects.functions.push(FunctionCalled {
            name: routines[0].name.clone(),
            volatility: volatility.unwrap_or(Volatility::Volatile),
            parallel_safe: Answer::No,
            is_strict: false,
            writes,
            is_builtin: false,
        });
        true
    }

    /// Returns whether a function that is none of PostgreSQL's own is volatile. One in SQL can be replaced by its body, which need not
    /// be.
    pub(super) fn is_volatile_call(&self, call: FuncCall<'a>) -> Answer {
        let arguments = (!call.func_variadic()).then(|| call.args().len());
        let name = call.funcname().qualified_name();
        let routines = self
            .setting
            .known
            .and_then(|known| known.relations(self.server).called(&name, arguments));
        let of = |routine: &&Routine| match routine.volatility {
            Some(Volatility::Immutable | Volatility::Stable) => Answer::No,
            Some(Volatility::Volatile)
                if routine.body.as_ref().is_some_and(|it| it.language != "sql") =>
            {
                Answer::Yes
            }
            _ => Answer::Maybe,
        };
        let mut answers = routines.unwrap_or_default().into_iter().map(|it| of(&it));
        let Some(first) = answers.next() else { return Answer::Maybe };
        if answers.all(|answer| answer == first) { first } else { Answer::Maybe }
    }

    /// Returns whether a type is certainly no domain.
    pub(super) fn is_no_domain(&self, of: TypeName<'a>) -> bool {
        let Some(known) = self.setting.known else { return false };
        let name = of.names().qualified_name();
        let name = known.relations(self.server).full_name(&name, NameClass::Type);
        let Some(QualifiedName { schema: Some(schema), name }) = name else { return false };
        known.catalog.is_domain(&schema, &name) == Some(false)
    }

    /// Adds what the function of a trigger does.
    pub(super) fn trigger_function(
        &mut self,
        known: KnownCatalog<'a>,
        name: &QualifiedName,
        certain: bool,
    ) {
        let relations = known.relations(self.server);
        // Those of PostgreSQL itself change nothing else than the row.
        let is_builtin = name.schema.as_deref().is_none_or(|schema| schema == "pg_catalog")
            && crate::functions::is_builtin_trigger(&name.name, self.server);
        let routines = relations.called(name, Some(0));
        let effects = match routines.as_deref() {
            Some([routine]) => self.body_effects(known, routine, certain, true),
            _ if is_builtin => return,
            _ => None,
        };
        match effects {
            Some(effects) => {
                self.effects.functions.push(FunctionCalled {
                    name: name.clone(),
                    volatility: Volatility::Volatile,
                    parallel_safe: Answer::No,
                    is_strict: false,
                    writes: effects.writes,
                    is_builtin: false,
                });
                self.inner.add(effects);
                self.has_bodies = true;
            }
            None => self.unknown(UnknownSql::Function(name.clone())),
        }
    }

    /// Returns what the body of a function does, or nothing if that is told already; `None` if it is not known.
    fn body_effects(
        &self,
        known: KnownCatalog<'a>,
        routine: &Routine,
        certain: bool,
        is_trigger: bool,
    ) -> Option<Effects> {
        let body = routine.body.as_ref()?;
        if self.setting.depth >= MAX_DEPTH || !["sql", "plpgsql"].contains(&body.language.as_str())
        {
            return None;
        }
        let key = (routine.name.clone(), routine.parameters.clone());
        // What it does is among the effects, or will be: it calls itself.
        if !known.done.borrow_mut().routines.insert(key.clone()) {
            return Some(Effects::default());
        }
        let other;
        let mut inside = known;
        if let Some(path) = &body.search_path {
            other = WithPath { catalog: known.catalog, path };
            inside.catalog = &other;
        }
        let setting = StmtContext {
            depth: self.setting.depth + 1,
            known: Some(inside),
            reads_only: routine.volatility.is_some_and(|it| it != Volatility::Volatile),
            ..self.setting
        };
        let header = match body.header.as_str() {
            "" if is_trigger => Some("CREATE FUNCTION f() RETURNS trigger"),
            "" => None,
            header => Some(header),
        };
        let found = with_stack(|| match body.language.as_str() {
            "sql" => of_sql(&body.source, setting),
            _ => {
                let function = parse_body(&body.source, header).ok()?;
                let mut finder = EffectsFinder::new(setting);
                finder.of_function(&function);
                Some(finder.finish())
            }
        });
        let Some(mut effects) = found else {
            // Another call says so as well.
            known.done.borrow_mut().routines.remove(&key);
            return None;
        };
        if !certain {
            effects.may_run();
        }
        // It may have those of its owner.
        effects.privileges.clear();
        Some(effects)
    }
}

/// Returns what the statements of a body in SQL do.
fn of_sql(source: &str, setting: StmtContext<'_>) -> Option<Effects> {
    let tree = parse(source).ok()?;
    let mut found = Effects::default();
    for stmt in tree.stmts().map(Node::from) {
        if !refused(stmt, setting) {
            found.add(effects_of(stmt, setting));
        }
    }
    Some(found)
}

/// Returns whether a function that is not volatile cannot run a statement: it writes.
pub(super) fn refused(stmt: Node<'_>, setting: StmtContext<'_>) -> bool {
    let stmt = match stmt {
        Node::RawStmt(raw) => raw.stmt().unwrap_or(Node::Null),
        _ => stmt,
    };
    setting.reads_only
        && matches!(
            stmt,
            Node::InsertStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) | Node::MergeStmt(_)
        )
}
