//! What a statement says about objects that matters to other statements of the script, before it as well as after it.

use pg_ast::protobuf::{AlterTableType, ConstrType, TransactionStmtKind};
use pg_ast::view::{
    AlterTableCmd, AlterTableStmt, CreateStmt, IndexStmt, List, Node, PartitionBoundSpec,
};
use pg_ast::{NodeRef, ParseResult};

use crate::events::{Event, TableEvent, events_of};
use crate::settings::function_path;
use crate::stmt::{Key, Name, key, key_of, name_key};

/// What some statements say.
#[derive(Debug, Default)]
pub(crate) struct StmtFacts {
    /// The commands about transactions, and whether there is `AND CHAIN`.
    pub(crate) transactions: Vec<(TransactionStmtKind, bool)>,
    pub(crate) gains: Vec<Gain>,
    pub(crate) facts: Vec<Fact>,
}

/// What is there after a statement: it may take the place of what another statement has taken away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gain {
    /// Something has this name.
    Name(Name),
    Column(Key, String),
    /// A column has a default or an identity. A domain has no name of a column.
    Default(Key, String),
    /// A table or a domain has a constraint.
    Constraint(Key, String),
}

/// What holds for the whole script, whichever statement says so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fact {
    /// A table has partitions, or an index has those of partitions attached.
    Partitioned(Key),
    /// A table has a default partition.
    HasDefaultPartition(Key),
    /// The columns of a table must have the types of another table's.
    Related(Key),
    /// An index, a generated column or a constraint computes something from a column: a function may not exist for another type, or
    /// not be immutable.
    ComputedFrom(String),
    /// A column has an operator class in an index or a partition key, which is for one type.
    HasOperators(String),
    /// The default or the sequence of a column is set by a statement of its own.
    HasDefault(String),
    /// The `search_path` of a function is set by a statement of its own.
    HasOwnPath(Key),
}

impl StmtFacts {
    /// Reads the statements of a tree.
    pub(crate) fn of(tree: &ParseResult) -> Self {
        let mut facts = Self::default();
        facts.add(tree);
        facts
    }

    /// Adds what the statements of a tree say.
    pub(crate) fn add(&mut self, tree: &ParseResult) {
        // A view of a long INSERT would be made for nothing.
        let is_query = |stmt| {
            matches!(
                stmt,
                NodeRef::SelectStmt(_)
                    | NodeRef::InsertStmt(_)
                    | NodeRef::UpdateStmt(_)
                    | NodeRef::DeleteStmt(_)
                    | NodeRef::MergeStmt(_)
            )
        };
        if !tree.stmts().all(is_query) {
            // A value that C cannot hold cannot have come from C, so there is no error.
            let _ = tree.with_view(|stmts| {
                stmts.iter().filter_map(|raw| raw.stmt()).for_each(|stmt| self.read(stmt));
            });
        }
    }

    fn read(&mut self, stmt: Node<'_>) {
        let creates = match stmt {
            Node::CreateTableAsStmt(create) => create.into().map(Node::from),
            _ => Some(stmt),
        };
        creates.into_iter().flat_map(events_of).for_each(|event| self.event(event));
        match stmt {
            Node::CreateStmt(create) => self.table(create),
            Node::AlterTableStmt(alter) => self.alter(alter),
            Node::IndexStmt(index) => self.index(index),
            Node::AlterFunctionStmt(alter) if function_path(alter.actions()).1.is_some() => {
                let name = alter.func().and_then(|function| name_key(function.into()));
                self.facts.extend(name.map(Fact::HasOwnPath));
            }
            Node::AlterSeqStmt(alter) => self.owned_by(alter.options()),
            Node::CreateSeqStmt(create) => self.owned_by(create.options()),
            _ => {}
        }
    }

    /// Notes what is there after an event.
    fn event(&mut self, event: Event) {
        match event {
            Event::Transaction { kind, chain, .. } => self.transactions.push((kind, chain)),
            Event::Creates { name, stands_in: true, .. }
            | Event::Renames { new: name, stands_in: true, .. }
            | Event::CreatesIndex { index: name, .. } => self.gains.push(Gain::Name(name)),
            Event::RenamesColumn { table, new, .. } => self.gains.push(Gain::Column(table, new)),
            Event::AltersTable(_, table, events) => {
                let gains = events.into_iter().filter_map(|event| gain(&table, event));
                self.gains.extend(gains);
            }
            Event::AltersDomain(domain, event) => self.gains.extend(gain(&domain, event)),
            _ => {}
        }
    }

    fn table(&mut self, create: CreateStmt<'_>) {
        let Some(table) = create.relation().map(key_of) else { return };
        if let Some(parent) = create.inh_relations().iter().find_map(Node::as_range_var) {
            // A partition has the columns of its table without naming their types.
            if let Some(bound) = create.partbound() {
                self.partitioned(key_of(parent), bound.is_default());
            } else {
                self.facts.extend([key_of(parent), table.clone()].map(Fact::Related));
            }
        }
        if let Some(spec) = create.partspec() {
            self.partitioned(table, false);
            self.computes(spec.part_params().iter());
        }
        create.table_elts().iter().for_each(|element| self.element(element));
    }

    fn alter(&mut self, alter: AlterTableStmt<'_>) {
        let Some(table) = alter.relation().map(key_of) else { return };
        for cmd in alter.cmds().iter().filter_map(Node::as_alter_table_cmd) {
            self.command(&table, cmd);
        }
    }

    fn command(&mut self, table: &Key, cmd: AlterTableCmd<'_>) {
        match (cmd.subtype(), cmd.def()) {
            (
                AlterTableType::AtAttachPartition | AlterTableType::AtDetachPartition,
                Some(Node::PartitionCmd(cmd)),
            ) => {
                let is_default = cmd.bound().is_some_and(PartitionBoundSpec::is_default);
                self.partitioned(table.clone(), is_default);
                let partition = cmd.name().map(key_of);
                self.facts.extend(
                    [Some(table.clone()), partition].into_iter().flatten().map(Fact::Related),
                );
            }
            (AlterTableType::AtAddInherit, Some(Node::RangeVar(parent))) => {
                self.facts.extend([key_of(parent), table.clone()].map(Fact::Related));
            }
            (AlterTableType::AtColumnDefault, _) => {
                self.facts.push(Fact::HasDefault(cmd.name().to_owned()));
            }
            (AlterTableType::AtAddColumn | AlterTableType::AtAddConstraint, Some(element)) => {
                self.element(element);
            }
            _ => {}
        }
    }

    fn index(&mut self, index: IndexStmt<'_>) {
        if let Some(table) = index.relation().filter(|table| !table.inh()) {
            self.partitioned(key_of(table), false);
            self.partitioned(key(table.schemaname(), index.idxname()), false);
        }
        self.computes(index.index_params().iter().chain(index.where_clause()));
    }

    fn partitioned(&mut self, table: Key, by_default: bool) {
        self.facts.extend(by_default.then(|| Fact::HasDefaultPartition(table.clone())));
        self.facts.push(Fact::Partitioned(table));
    }

    /// Reads a column or a constraint.
    fn element(&mut self, element: Node<'_>) {
        for constraint in element.nodes().filter_map(Node::as_constraint) {
            match constraint.contype() {
                // Operators compare values of the new type as well.
                ConstrType::ConstrCheck => {
                    let calls = |expr: &Node<'_>| {
                        expr.nodes().any(|node| matches!(node, Node::FuncCall(_)))
                    };
                    self.computes(constraint.raw_expr().filter(calls));
                }
                ConstrType::ConstrGenerated => self.computes(constraint.raw_expr()),
                ConstrType::ConstrExclusion => self.computes(constraint.exclusions().iter()),
                _ => {}
            }
        }
    }

    /// Notes the columns of an index or a partition key, and those that expressions name.
    fn computes<'a>(&mut self, exprs: impl IntoIterator<Item = Node<'a>>) {
        let nodes = exprs.into_iter().flat_map(Node::nodes);
        self.facts.extend(nodes.filter_map(|node| match node {
            Node::ColumnRef(column) => {
                column.names().next_back().map(|name| Fact::ComputedFrom(name.to_owned()))
            }
            Node::IndexElem(element) if !element.opclass().is_empty() => {
                Some(Fact::HasOperators(element.name().to_owned()))
            }
            Node::PartitionElem(element) if !element.opclass().is_empty() => {
                Some(Fact::HasOperators(element.name().to_owned()))
            }
            _ => None,
        }));
    }

    fn owned_by(&mut self, options: List<'_>) {
        let options = options.iter().filter_map(Node::as_def_elem);
        for option in options.filter(|option| option.defname() == "owned_by") {
            let names = option.arg().and_then(Node::as_list);
            let column = names.and_then(|names| names.strs().next_back());
            self.facts.extend(column.map(|column| Fact::HasDefault(column.to_owned())));
        }
    }
}

/// Returns what is there after a change of a table or a domain.
fn gain(table: &Key, event: TableEvent) -> Option<Gain> {
    let table = table.clone();
    Some(match event {
        TableEvent::AddsColumn(column) => Gain::Column(table, column),
        TableEvent::SetsDefault(column) => Gain::Default(table, column),
        TableEvent::AddsConstraint(name) if !name.is_empty() => Gain::Constraint(table, name),
        _ => return None,
    })
}
