//! Statements that are no queries: the queries and expressions in them, and the tables that they are about.

use core::mem;
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::Context;

use super::ddl::apply_objects::{created_columns, defined};
use super::lookup::column_names::{NamedColumn, NamedColumns};
use super::pg::protobuf::{AlterTableType, CmdType, ConstrType, ObjectType};
use super::pg::seam::{list_field, node_field, with_stack};
use super::pg::view::{
    AlterTableStmt, Constraint, CreateStatsStmt, CreateStmt, CreateTableAsStmt, CreateTrigStmt,
    List, Node, RangeVar, RuleStmt,
};
use super::resolver::{NameResolver, SourceState};
use super::stmt_scopes::NamedIn;
use crate::resolution::{SourceKind, TableMeaning};

impl<'a> NameResolver<'a> {
    /// Resolves a statement, and returns the columns that it returns or defines.
    pub(crate) fn statement(&mut self, stmt: Node<'a>) -> Option<Rc<NamedColumns<'a>>> {
        match stmt {
            Node::SelectStmt(_)
            | Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => return Some(self.query(stmt)),
            Node::ExplainStmt(explain) => {
                with_stack(|| explain.query().and_then(|query| self.statement(query)));
            }
            Node::PrepareStmt(prepare) => return self.statement_in(prepare.query()),
            Node::DeclareCursorStmt(cursor) => return self.statement_in(cursor.query()),
            Node::CreateTableAsStmt(create) => return self.create_as(create),
            Node::ViewStmt(view) => {
                let columns = view.query().map(|query| self.query(query)).unwrap_or_default();
                if let Some(table) = view.view() {
                    self.defined_table(table);
                }
                let names: Vec<_> = view.aliases().strs().collect();
                return Some(self.with_names(stmt, -1, columns, &names));
            }
            Node::RuleStmt(rule) => self.rule(rule),
            Node::CreateTrigStmt(trigger) => self.trigger(trigger),
            Node::CreatePolicyStmt(policy) => {
                self.on_table(policy.table(), [policy.qual(), policy.with_check()]);
            }
            Node::AlterPolicyStmt(policy) => {
                self.on_table(policy.table(), [policy.qual(), policy.with_check()]);
            }
            Node::IndexStmt(index) => self.with_table(index.relation(), |this, source| {
                for element in index.index_params().iter().chain(index.index_including_params()) {
                    this.index_element(source, element, NamedIn::Expression);
                }
                this.optional(index.where_clause());
            }),
            Node::CopyStmt(copy) => {
                if let Some(query) = copy.query() {
                    return Some(self.query(query));
                }
                let context = if copy.is_from() { Context::Dml } else { Context::Select };
                self.with_table_as(copy.relation(), context, |this, source| {
                    this.column_names(source, copy.attlist(), NamedIn::Relation);
                    this.optional(copy.where_clause());
                });
            }
            Node::CreateStmt(create) => self.create_table(create),
            Node::CreateForeignTableStmt(create) => {
                if let Some(create) = create.base_stmt() {
                    self.create_table(create);
                }
            }
            Node::AlterTableStmt(alter) => self.alter_table(alter),
            Node::RenameStmt(rename) => {
                if self.other_object(stmt, rename.rename_type(), rename.object()) {
                    return None;
                }
                let before = self.is_lenient;
                let name = rename.relation().map(RangeVar::qualified_name);
                // An index can be renamed as if it were a table.
                let may_be_index = rename.rename_type() != ObjectType::ObjectColumn
                    && name.is_some_and(|name| self.may_be_index(&name));
                self.is_lenient |= rename.missing_ok() || may_be_index;
                self.with_table(rename.relation(), |this, source| {
                    let kinds = [ObjectType::ObjectColumn, ObjectType::ObjectAttribute];
                    if kinds.contains(&rename.rename_type()) {
                        let name = rename.subname();
                        this.named_column(source, stmt, -1, name, NamedIn::Expression);
                    }
                });
                self.is_lenient = before;
            }
            Node::DropStmt(drop) => self.drop_objects(drop),
            Node::CreateFunctionStmt(create) => self.create_function(create),
            Node::CreateDomainStmt(domain) => {
                self.misses_schema(stmt, -1, &domain.domainname().qualified_name());
                if let Some(of) = domain.type_name() {
                    self.type_use(of);
                }
                Rc::make_mut(&mut self.variables).insert(Arc::from("value"));
                self.expr_list(domain.constraints(), false);
                self.variables = Rc::default();
            }
            Node::CreateStatsStmt(stats) => self.statistics(stats),
            Node::CreateSchemaStmt(schema) => {
                // They can refer to each other.
                let before = mem::replace(&mut self.is_lenient, true);
                for element in schema.schema_elts() {
                    with_stack(|| self.statement(element));
                }
                self.is_lenient = before;
            }
            // An assignment of PL/pgSQL.
            _ if stmt.name() == "PLAssignStmt" => {
                self.expr_list(list_field(stmt, "indirection").unwrap_or_default(), false);
                return self.statement_in(node_field(stmt, "val"));
            }
            stmt => self.naming(stmt),
        }
        None
    }

    /// Resolves what `CREATE STATISTICS` names.
    fn statistics(&mut self, stats: CreateStatsStmt<'a>) {
        self.open();
        let before = self.found.tables.len();
        let from = self.items_of_from(stats.relations());
        // The statement is about what the FROM names: it reads nothing.
        for table in &mut self.found.tables[before..] {
            table.context = Context::Ddl;
        }
        self.show_all();
        for element in stats.exprs() {
            let Node::StatsElem(named) = element else { continue };
            match self.sources.len().checked_sub(1).filter(|_| !from.is_empty()) {
                Some(source) if !named.name().is_empty() => {
                    let name = named.name();
                    self.named_column(source, element, -1, name, NamedIn::Expression);
                }
                _ => self.optional(named.expr()),
            }
        }
        self.close();
    }

    fn statement_in(&mut self, query: Option<Node<'a>>) -> Option<Rc<NamedColumns<'a>>> {
        query.and_then(|query| with_stack(|| self.statement(query)))
    }

    /// Resolves what is in a statement of which nothing else is known.
    pub(crate) fn other(&mut self, stmt: Node<'a>) {
        let before = mem::replace(&mut self.is_lenient, true);
        let mut stack = Vec::new();
        stmt.children(|child| stack.push(child));
        stack.reverse();
        self.open();
        while let Some(node) = stack.pop() {
            match node {
                Node::RangeVar(table) => self.object(table),
                Node::ColumnRef(_) | Node::SubLink(_) | Node::FuncCall(_) | Node::SelectStmt(_) => {
                    self.expr(node);
                }
                node => {
                    let first = stack.len();
                    node.children(|child| stack.push(child));
                    stack[first..].reverse();
                }
            }
        }
        self.close();
        self.is_lenient = before;
    }

    /// Adds a table that the statement defines.
    pub(crate) fn defined_table(&mut self, table: RangeVar<'a>) {
        let (name, node) = (table.qualified_name(), Node::RangeVar(table));
        let meaning = TableMeaning::New;
        self.misses_schema(node, -1, &name);
        self.add_table_use(node, table.location(), name, meaning, Context::Ddl);
    }

    /// Adds a table that the statement is about.
    pub(crate) fn object(&mut self, table: RangeVar<'a>) {
        self.range_var(table, Context::Ddl);
    }

    fn create_as(&mut self, create: CreateTableAsStmt<'a>) -> Option<Rc<NamedColumns<'a>>> {
        let columns = self.statement_in(create.query());
        let into = create.into()?;
        if let Some(table) = into.rel() {
            self.defined_table(table);
        }
        let names: Vec<_> = into.col_names().strs().collect();
        let columns = columns.unwrap_or_else(|| Rc::new(NamedColumns::unknown()));
        let node = Node::CreateTableAsStmt(create);
        Some(self.with_names(node, -1, columns, &names))
    }

    /// Resolves something in whose expressions the columns of a table are visible.
    pub(crate) fn with_table(
        &mut self,
        table: Option<RangeVar<'a>>,
        f: impl FnOnce(&mut Self, usize),
    ) {
        self.with_table_as(table, Context::Ddl, f);
    }

    fn with_table_as(
        &mut self,
        table: Option<RangeVar<'a>>,
        context: Context,
        f: impl FnOnce(&mut Self, usize),
    ) {
        let Some(table) = table else { return };
        self.open();
        let source = self.range_var(table, context);
        self.add_item(source, true);
        self.show_all();
        f(self, source);
        self.close();
    }

    fn on_table(&mut self, table: Option<RangeVar<'a>>, exprs: [Option<Node<'a>>; 2]) {
        self.with_table(table, |this, _| {
            for expr in exprs {
                this.optional(expr);
            }
        });
    }

    /// Resolves names of columns alone.
    pub(crate) fn column_names(&mut self, source: usize, names: List<'a>, named_in: NamedIn) {
        for name in names {
            if let Some(text) = name.as_str() {
                self.named_column(source, name, -1, text, named_in);
            }
        }
    }

    /// Opens a query in which `old` and `new` are rows of a table.
    fn with_old_and_new(
        &mut self,
        node: Node<'a>,
        source: usize,
        shows_columns: [bool; 2],
        f: impl FnOnce(&mut Self),
    ) {
        self.open();
        for (name, shows_columns) in ["old", "new"].into_iter().zip(shows_columns) {
            let row = self.other_row(source, name, node, true);
            self.add_item(row, shows_columns);
        }
        self.show_all();
        f(self);
        self.close();
    }

    fn rule(&mut self, rule: RuleStmt<'a>) {
        let Some(table) = rule.relation() else { return };
        let source = self.range_var(table, Context::Ddl);
        // Only the condition sees columns without a name before them.
        let event = rule.event();
        let has_new = matches!(event, CmdType::CmdInsert | CmdType::CmdUpdate);
        let shown = [event != CmdType::CmdInsert, has_new];
        self.with_old_and_new(rule.into(), source, shown, |this| {
            this.optional(rule.where_clause());
        });
        self.with_old_and_new(rule.into(), source, [false, false], |this| {
            for action in rule.actions() {
                with_stack(|| this.statement(action));
            }
        });
    }

    fn trigger(&mut self, trigger: CreateTrigStmt<'a>) {
        if let Some(table) = trigger.relation() {
            let source = self.range_var(table, Context::Ddl);
            self.column_names(source, trigger.columns(), NamedIn::Relation);
            self.with_old_and_new(trigger.into(), source, [true, true], |this| {
                this.optional(trigger.when_clause());
            });
        }
        if !self.misses_schema(trigger.into(), -1, &trigger.funcname().qualified_name()) {
            self.function(trigger.into(), -1, trigger.funcname(), None);
        }
        if let Some(table) = trigger.constrrel() {
            self.object(table);
        }
    }

    fn create_table(&mut self, create: CreateStmt<'a>) {
        let Some(table) = create.relation() else { return };
        self.defined_table(table);
        for parent in create.inh_relations() {
            if let Node::RangeVar(parent) = parent {
                self.object(parent);
            }
        }
        if let Some(of) = create.of_typename() {
            self.type_use(of);
        }
        let (columns, is_complete) = created_columns(self.catalog, create);
        let mut named = NamedColumns::named(columns.iter().map(|column| &*column.name));
        if !is_complete {
            named.open_here();
        }
        let state = SourceState {
            columns: Rc::new(named),
            relation: None,
            has_alias: false,
            is_stored: true,
        };
        let kind = SourceKind::Table(table.qualified_name());
        let name = Some(table.relname());
        let source = self.add_source(table.into(), table.location(), kind, name, state);
        self.open();
        self.add_item(source, true);
        self.show_all();
        for element in create.table_elts().iter().chain(create.constraints()) {
            self.table_element(source, element);
        }
        if let Some(bound) = create.partbound() {
            // Columns cannot be named there.
            let before = mem::replace(&mut self.is_lenient, true);
            self.expr(bound.into());
            self.is_lenient = before;
        }
        if let Some(spec) = create.partspec() {
            for element in spec.part_params() {
                let Node::PartitionElem(part) = element else { continue };
                if !part.name().is_empty() {
                    let (location, name) = (part.location(), part.name());
                    self.named_column(source, element, location, name, NamedIn::PartitionKey);
                }
                self.optional(part.expr());
            }
        }
        self.close();
    }

    /// Resolves a column or a constraint of a table.
    fn table_element(&mut self, source: usize, element: Node<'a>) {
        match element {
            Node::ColumnDef(column) => {
                self.column_type(column);
                self.optional(column.raw_default());
                for constraint in column.constraints() {
                    if let Node::Constraint(constraint) = constraint {
                        self.constraint(source, constraint);
                    }
                }
            }
            Node::Constraint(constraint) => self.constraint(source, constraint),
            Node::TableLikeClause(like) => {
                if let Some(table) = like.relation() {
                    self.object(table);
                }
            }
            _ => {}
        }
    }

    fn constraint(&mut self, source: usize, constraint: Constraint<'a>) {
        self.optional(constraint.raw_expr());
        if constraint.contype() != ConstrType::ConstrNotnull {
            self.column_names(source, constraint.keys(), NamedIn::Key);
        }
        self.column_names(source, constraint.including(), NamedIn::Key);
        self.column_names(source, constraint.fk_attrs(), NamedIn::ForeignKey);
        self.column_names(source, constraint.fk_del_set_cols(), NamedIn::ForeignKey);
        for exclusion in constraint.exclusions() {
            if let Node::List(pair) = exclusion
                && let Some(element) = pair.first()
            {
                self.index_element(source, element, NamedIn::Key);
            }
        }
        self.optional(constraint.where_clause());
        if let Some(table) = constraint.pktable() {
            let of_same = self.is_of_source(source, &table.qualified_name());
            // A table that refers to itself is defined here.
            let target = if of_same {
                let meaning = TableMeaning::New;
                let (name, context) = (table.qualified_name(), Context::Ddl);
                self.add_table_use(table.into(), table.location(), name, meaning, context);
                source
            } else {
                self.range_var(table, Context::Ddl)
            };
            self.column_names(target, constraint.pk_attrs(), NamedIn::ForeignKey);
        }
    }

    fn alter_table(&mut self, alter: AlterTableStmt<'a>) {
        let before = self.is_lenient;
        let name = alter.relation().filter(|_| is_index_or_sequence(alter.objtype()));
        let may_be_index = name.is_some_and(|it| self.may_be_index(&it.qualified_name()));
        self.is_lenient |= alter.missing_ok() || may_be_index;
        self.with_table(alter.relation(), |this, source| {
            this.add_columns(source, alter.cmds());
            for command in alter.cmds() {
                let Node::AlterTableCmd(cmd) = command else { continue };
                match cmd.def() {
                    Some(element @ (Node::ColumnDef(_) | Node::Constraint(_))) => {
                        this.table_element(source, element);
                    }
                    Some(Node::RangeVar(table)) => this.object(table),
                    Some(Node::PartitionCmd(part)) => {
                        this.objects(part.name().map(Node::from));
                        if let Some(bound) = part.bound() {
                            this.expr(bound.into());
                        }
                    }
                    Some(expr) => {
                        let is_default = cmd.subtype() == AlterTableType::AtColumnDefault;
                        let before = this.is_lenient;
                        this.is_lenient |= !is_default;
                        this.expr(expr);
                        this.is_lenient = before;
                    }
                    None => {}
                }
                if is_of_column(cmd.subtype()) && !cmd.name().is_empty() && !cmd.missing_ok() {
                    this.named_column(source, command, -1, cmd.name(), NamedIn::Relation);
                }
            }
        });
        self.is_lenient = before;
    }

    /// Adds the columns that the commands add to a table to a source, so that the others see them.
    fn add_columns(&mut self, source: usize, cmds: List<'a>) {
        let added = cmds.iter().filter_map(|cmd| match cmd {
            Node::AlterTableCmd(cmd) if cmd.subtype() == AlterTableType::AtAddColumn => cmd.def(),
            _ => None,
        });
        let added: Vec<_> = added.collect();
        if added.is_empty() {
            return;
        }
        let added = defined(self.catalog, added);
        let Some(state) = self.sources.get_mut(source) else { return };
        let mut columns = state.columns.plain();
        for column in added {
            if columns.find(&column.name).is_none() {
                columns.push(NamedColumn::new(column.name));
            }
        }
        state.columns = Rc::new(columns.plain());
        self.names.hide_from(0);
        self.add_item(source, true);
        self.show_all();
    }
}

/// Returns whether the name in a command of `ALTER TABLE` is that of a column.
fn is_of_column(kind: AlterTableType) -> bool {
    use AlterTableType as Kind;
    matches!(
        kind,
        Kind::AtColumnDefault
            | Kind::AtDropNotNull
            | Kind::AtSetNotNull
            | Kind::AtDropExpression
            | Kind::AtSetStatistics
            | Kind::AtSetOptions
            | Kind::AtResetOptions
            | Kind::AtSetStorage
            | Kind::AtSetCompression
            | Kind::AtDropColumn
            | Kind::AtAlterColumnType
            | Kind::AtAddIdentity
            | Kind::AtSetIdentity
            | Kind::AtDropIdentity
    )
}

fn is_index_or_sequence(kind: ObjectType) -> bool {
    matches!(kind, ObjectType::ObjectIndex | ObjectType::ObjectSequence)
}
