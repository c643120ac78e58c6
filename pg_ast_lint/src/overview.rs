//! What a script says about its tables as a whole: rules about one statement depend on others, before it and after it.

use core::hash::{Hash, Hasher as _};
use std::collections::{HashMap, HashSet};
use std::hash::DefaultHasher;

use pg_ast::protobuf::{AlterTableType, ConstrType, ObjectType, RangeVar, RenameStmt};
use pg_ast::{Node, NodeEnum, NodeRef, Version};

use crate::body::Body;
use crate::stmt::{Key, Name, in_transaction_after, key};
use crate::unit::Unit;

/// The numbers of statements.
type Places = Vec<usize>;

/// The facts about tables that statements reveal.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    /// Tables that have partitions, and indexes that have those of partitions attached.
    partitioned: HashSet<Key>,
    /// Tables whose columns must have the types of another table's.
    related: HashSet<Key>,
    /// Columns that indexes, generated columns and constraints compute something from: a function may not exist for
    /// another type, or not be immutable.
    computed_from: HashSet<String>,
    /// Columns with an operator class in an index or a partition key, which is for one type.
    with_operators: HashSet<String>,
    /// Columns whose default or sequence is set by a statement of its own.
    with_default: HashSet<String>,
    /// Where objects get a name.
    names: HashMap<Name, Places>,
    /// Where columns get a name.
    columns: HashMap<(Key, String), Places>,
    /// Where columns get a default or an identity; domains have no name of a column.
    defaults: HashMap<(Key, String), Places>,
    /// Where tables and domains get a constraint.
    constraints: HashMap<(Key, String), Places>,
    /// Tables that have a default partition.
    with_default_partition: HashSet<Key>,
    /// Functions whose `search_path` is set by a statement of its own.
    with_own_path: HashSet<Key>,
    /// The major version of PostgreSQL that the script is for.
    pub(crate) major: u32,
    /// Whether it is the script of an extension.
    pub(crate) is_extension: bool,
    /// The transaction of each statement, if it is in one.
    transactions: Vec<Option<usize>>,
    /// The `DO`: all that is in one is in one place, and in one transaction.
    dos: HashSet<usize>,
    /// Whether each statement is sent with another one, which makes them one transaction.
    joined: Vec<bool>,
}

impl Overview {
    pub(crate) fn new(
        script: &str,
        units: &[Unit],
        (in_transaction, version): (bool, Version),
    ) -> Self {
        let mut overview = Self { major: version.major(), ..Self::default() };
        let mut is_joined = false;
        let mut transaction = in_transaction.then_some(0);
        for (place, unit) in units.iter().enumerate() {
            let parsed = unit.result.as_deref().ok();
            for node in parsed.into_iter().flat_map(|parsed| parsed.tree.stmts()) {
                if let NodeRef::TransactionStmt(stmt) = node {
                    let before = transaction.is_some();
                    let is_in = in_transaction_after(stmt.kind(), stmt.chain, before);
                    let is_same = before && !stmt.chain;
                    let this = transaction.filter(|_| is_same).unwrap_or(place + 1);
                    transaction = is_in.then_some(this);
                }
                overview.read(place, node);
            }
            let body = parsed.and_then(|parsed| parsed.body.as_ref());
            for node in body.into_iter().flat_map(Body::stmts_of_do) {
                overview.dos.insert(place);
                overview.read(place, node);
            }
            overview.transactions.push(transaction);
            let next = units.get(place + 1).map_or(script.len(), |next| next.range.start);
            let behind = script.get(unit.range.end..next).unwrap_or_default();
            let joins = behind.contains("\\;");
            overview.joined.push(is_joined || joins);
            is_joined = joins;
        }
        overview
    }

    /// Returns what stands for all that it tells.
    pub(crate) fn keys(&self) -> OverviewKeys<'_> {
        let tables = [&self.partitioned, &self.related, &self.with_default_partition];
        let columns = [&self.computed_from, &self.with_operators, &self.with_default];
        let facts = hash((
            tables.map(hash_all),
            columns.map(hash_all),
            hash_all(&self.with_own_path),
            self.is_extension,
        ));
        let places = hash((
            hash_all(&self.names),
            hash_all(&self.columns),
            hash_all(&self.defaults),
            hash_all(&self.constraints),
            &self.transactions,
        ));
        OverviewKeys { overview: self, facts, places }
    }

    pub(crate) fn is_joined(&self, place: usize) -> bool {
        self.joined.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn is_partitioned(&self, relation: &Key) -> bool {
        self.partitioned.contains(relation)
    }

    pub(crate) fn is_related(&self, table: &Key) -> bool {
        self.related.contains(table)
    }

    pub(crate) fn is_computed_from(&self, column: &str) -> bool {
        self.computed_from.contains(column)
    }

    pub(crate) fn has_operators(&self, column: &str) -> bool {
        self.with_operators.contains(column)
    }

    pub(crate) fn has_default_elsewhere(&self, column: &str) -> bool {
        self.with_default.contains(column)
    }

    /// Returns whether something gets a name after a statement, in the same transaction.
    pub(crate) fn gets_name(&self, place: usize, name: &Name) -> bool {
        self.is_later(place, self.names.get(name))
    }

    /// Returns whether a column is created after a statement, in the same transaction.
    pub(crate) fn gets_column(&self, place: usize, table: Key, column: &str) -> bool {
        self.is_later(place, self.columns.get(&(table, column.to_owned())))
    }

    /// Returns whether a column gets a default in a statement, or after it in the same transaction.
    pub(crate) fn gets_default(&self, place: usize, table: Key, column: &str) -> bool {
        let places = self.defaults.get(&(table, column.to_owned()));
        places.is_some_and(|places| places.binary_search(&place).is_ok())
            || self.is_later(place, places)
    }

    /// Returns whether a constraint is added in a statement, or after it in the same transaction.
    pub(crate) fn gets_constraint(&self, place: usize, table: Key, name: &str) -> bool {
        let places = self.constraints.get(&(table, name.to_owned()));
        places.is_some_and(|places| places.binary_search(&place).is_ok())
            || self.is_later(place, places)
    }

    pub(crate) fn has_default_partition(&self, table: &Key) -> bool {
        self.with_default_partition.contains(table)
    }

    pub(crate) fn has_own_path(&self, function: &Key) -> bool {
        self.with_own_path.contains(function)
    }

    fn is_later(&self, place: usize, places: Option<&Places>) -> bool {
        let transaction = |place: usize| self.transactions.get(place).copied().flatten();
        let this = transaction(place);
        let places = places.map_or(&[][..], Places::as_slice);
        if self.dos.contains(&place) && places.binary_search(&place).is_ok() {
            return true;
        }
        // Those of a transaction are side by side.
        let next = places.partition_point(|other| *other <= place);
        this.is_some() && places.get(next).is_some_and(|next| transaction(*next) == this)
    }

    fn read(&mut self, place: usize, node: NodeRef<'_>) {
        if let Some(name) = named(node) {
            self.names.entry(name).or_default().push(place);
        }
        match node {
            NodeRef::CreateStmt(create) => {
                let Some(table) = create.relation.as_ref().map(key_of) else { return };
                if let Some(parent) = create.inh_relations.iter().find_map(range_var) {
                    // A partition has the columns of its table without naming their types.
                    if let Some(bound) = &create.partbound {
                        self.partitioned.insert(key_of(parent));
                        self.partitioned_by_default(bound.is_default, &key_of(parent));
                    } else {
                        self.related.extend([key_of(parent), table.clone()]);
                    }
                }
                if create.partspec.is_some() {
                    self.partitioned.insert(table.clone());
                }
                for element in create.partspec.iter().flat_map(|spec| &spec.part_params) {
                    self.computes(element.to_ref());
                }
                for element in &create.table_elts {
                    self.element(element.to_ref());
                }
            }
            NodeRef::RenameStmt(rename) if rename.rename_type() == ObjectType::ObjectColumn => {
                let Some(table) = rename.relation.as_ref().map(key_of) else { return };
                self.columns.entry((table, rename.newname.clone())).or_default().push(place);
            }
            NodeRef::AlterTableStmt(alter) => {
                let Some(table) = alter.relation.as_ref().map(key_of) else { return };
                for cmd in alter.cmds.iter().filter_map(|cmd| match &cmd.node {
                    Some(NodeEnum::AlterTableCmd(cmd)) => Some(cmd),
                    _ => None,
                }) {
                    self.command(place, &table, cmd.subtype(), &cmd.name, cmd.def.as_deref());
                }
            }
            NodeRef::IndexStmt(index) => {
                if let Some(table) = index.relation.as_ref().filter(|table| !table.inh) {
                    let index = key(&table.schemaname, &index.idxname);
                    self.partitioned.extend([index, key_of(table)]);
                }
                for element in index.index_params.iter().chain(index.where_clause.as_deref()) {
                    self.computes(element.to_ref());
                }
            }
            NodeRef::AlterDomainStmt(alter) => {
                let Some(domain) = names_key(&alter.type_name) else { return };
                match (alter.subtype.as_str(), alter.def.as_ref().and_then(|def| def.node.as_ref()))
                {
                    ("T", Some(value)) if !is_null(value) => {
                        self.defaults.entry((domain, String::new())).or_default().push(place);
                    }
                    ("C", Some(NodeEnum::Constraint(constraint))) => {
                        let name = (domain, constraint.conname.clone());
                        self.constraints.entry(name).or_default().push(place);
                    }
                    _ => {}
                }
            }
            NodeRef::AlterFunctionStmt(alter) => {
                let sets = |action: &Node| match &action.node {
                    Some(NodeEnum::DefElem(action)) if action.defname == "set" => {
                        matches!(
                            action.arg.as_ref().and_then(|arg| arg.node.as_ref()),
                            Some(NodeEnum::VariableSetStmt(set)) if set.name == "search_path"
                        )
                    }
                    _ => false,
                };
                if alter.actions.iter().any(sets) {
                    let name = alter.func.as_ref().and_then(|it| names_key(&it.objname));
                    self.with_own_path.extend(name);
                }
            }
            NodeRef::AlterSeqStmt(alter) => self.owned_by(&alter.options),
            NodeRef::CreateSeqStmt(create) => self.owned_by(&create.options),
            _ => {}
        }
    }

    fn partitioned_by_default(&mut self, is_default: bool, table: &Key) {
        if is_default {
            self.with_default_partition.insert(table.clone());
        }
    }

    fn command(
        &mut self,
        place: usize,
        table: &Key,
        subtype: AlterTableType,
        name: &str,
        def: Option<&Node>,
    ) {
        match (subtype, def.and_then(|def| def.node.as_ref())) {
            (
                AlterTableType::AtAttachPartition | AlterTableType::AtDetachPartition,
                Some(NodeEnum::PartitionCmd(cmd)),
            ) => {
                self.partitioned.insert(table.clone());
                let is_default = cmd.bound.as_ref().is_some_and(|bound| bound.is_default);
                self.partitioned_by_default(is_default, table);
                self.related.insert(table.clone());
                self.related.extend(cmd.name.as_ref().map(key_of));
            }
            (AlterTableType::AtAddInherit, Some(NodeEnum::RangeVar(parent))) => {
                self.related.extend([key_of(parent), table.clone()]);
            }
            (AlterTableType::AtColumnDefault, value) => {
                self.with_default.insert(name.to_owned());
                if value.is_some_and(|value| !is_null(value)) {
                    let column = (table.clone(), name.to_owned());
                    self.defaults.entry(column).or_default().push(place);
                }
            }
            (AlterTableType::AtAddIdentity, _) => {
                let column = (table.clone(), name.to_owned());
                self.defaults.entry(column).or_default().push(place);
            }
            (AlterTableType::AtAddColumn, Some(NodeEnum::ColumnDef(column))) => {
                let column = (table.clone(), column.colname.clone());
                self.columns.entry(column).or_default().push(place);
                self.element(def.and_then(Node::to_ref));
            }
            (AlterTableType::AtAddConstraint, Some(NodeEnum::Constraint(constraint))) => {
                let name = (table.clone(), constraint.conname.clone());
                self.constraints.entry(name).or_default().push(place);
                self.element(def.and_then(Node::to_ref));
            }
            _ => {}
        }
    }

    /// Reads a column or a constraint.
    fn element(&mut self, element: Option<NodeRef<'_>>) {
        for node in element.into_iter().flat_map(NodeRef::nodes) {
            let NodeRef::Constraint(constraint) = node else { continue };
            let expr = constraint.raw_expr.as_deref();
            match constraint.contype() {
                // Operators compare values of the new type as well.
                ConstrType::ConstrCheck => {
                    let expr = expr.and_then(Node::to_ref);
                    let calls = expr.is_some_and(|expr| {
                        expr.nodes().any(|node| matches!(node, NodeRef::FuncCall(_)))
                    });
                    self.computes(expr.filter(|_| calls));
                }
                ConstrType::ConstrGenerated => {
                    self.computes(expr.and_then(Node::to_ref));
                }
                ConstrType::ConstrExclusion => {
                    for element in &constraint.exclusions {
                        self.computes(element.to_ref());
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes the columns of an index or a partition key, and those that an expression names.
    fn computes(&mut self, expr: Option<NodeRef<'_>>) {
        for node in expr.into_iter().flat_map(NodeRef::nodes) {
            match node {
                NodeRef::ColumnRef(column) => {
                    let name = column.fields.iter().rev().find_map(string);
                    self.computed_from.extend(name.map(str::to_owned));
                }
                NodeRef::IndexElem(element) if !element.opclass.is_empty() => {
                    self.with_operators.insert(element.name.clone());
                }
                NodeRef::PartitionElem(element) if !element.opclass.is_empty() => {
                    self.with_operators.insert(element.name.clone());
                }
                _ => {}
            }
        }
    }

    fn owned_by(&mut self, options: &[Node]) {
        for option in options {
            if let Some(NodeEnum::DefElem(option)) = &option.node
                && option.defname == "owned_by"
                && let Some(NodeEnum::List(names)) =
                    option.arg.as_ref().and_then(|arg| arg.node.as_ref())
            {
                let column = names.items.iter().rev().find_map(string);
                self.with_default.extend(column.map(str::to_owned));
            }
        }
    }
}

/// What stands for all that an overview tells: equal numbers stand for equal answers.
pub(crate) struct OverviewKeys<'a> {
    overview: &'a Overview,
    facts: u64,
    places: u64,
}

impl OverviewKeys<'_> {
    /// Returns the number for a statement.
    pub(crate) fn at(&self, place: usize) -> u64 {
        let overview = self.overview;
        let is_alone = overview.transactions.get(place).is_none_or(Option::is_none)
            && !overview.dos.contains(&place);
        // Other statements of a transaction matter.
        let others = (!is_alone).then_some((place, self.places));
        hash((self.facts, overview.is_joined(place), others))
    }
}

/// Returns a hash of elements in any order.
fn hash_all(elements: impl IntoIterator<Item: Hash>) -> u64 {
    elements.into_iter().map(hash).fold(0, u64::wrapping_add)
}

pub(crate) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns whether a script says that `CREATE EXTENSION` runs it: it refuses to be run by psql, or names the schema for which
/// the extension asks.
pub(crate) fn is_extension(script: &str) -> bool {
    let is_guard = |line: &str| {
        // A byte order mark, or blanks.
        let command = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        command.starts_with("\\echo") && line.contains("EXTENSION")
    };
    script.contains("@extschema") || script.contains("@extowner@") || script.lines().any(is_guard)
}

/// Returns whether a default is NULL, which is none.
fn is_null(value: &NodeEnum) -> bool {
    matches!(value, NodeEnum::AConst(value) if value.isnull)
}

/// Returns the name that a statement gives to something: that of a sequence does not count, since its numbers are lost.
fn named(stmt: NodeRef<'_>) -> Option<Name> {
    let part = |kind, table: &Option<RangeVar>, name: &str| {
        table.as_ref().map(|table| Name::of_part(kind, &table.relname, name))
    };
    let (kind, key) = match stmt {
        NodeRef::CreateStmt(it) => (ObjectType::ObjectTable, it.relation.as_ref().map(key_of)),
        NodeRef::CreateTableAsStmt(it) => {
            let table = it.into.as_ref().and_then(|into| into.rel.as_ref());
            (ObjectType::ObjectTable, table.map(key_of))
        }
        NodeRef::ViewStmt(it) => (ObjectType::ObjectView, it.view.as_ref().map(key_of)),
        NodeRef::IndexStmt(it) => {
            let name = |table: &RangeVar| key(&table.schemaname, &it.idxname);
            (ObjectType::ObjectIndex, it.relation.as_ref().map(name))
        }
        NodeRef::CreateFunctionStmt(it) => (ObjectType::ObjectFunction, names_key(&it.funcname)),
        NodeRef::DefineStmt(it) => (it.kind(), names_key(&it.defnames)),
        NodeRef::CreateEnumStmt(it) => (ObjectType::ObjectType, names_key(&it.type_name)),
        NodeRef::CreateRangeStmt(it) => (ObjectType::ObjectType, names_key(&it.type_name)),
        NodeRef::CreateDomainStmt(it) => (ObjectType::ObjectDomain, names_key(&it.domainname)),
        NodeRef::CompositeTypeStmt(it) => (ObjectType::ObjectType, it.typevar.as_ref().map(key_of)),
        NodeRef::CreateTrigStmt(it) => {
            return part(ObjectType::ObjectTrigger, &it.relation, &it.trigname);
        }
        NodeRef::RuleStmt(it) => return part(ObjectType::ObjectRule, &it.relation, &it.rulename),
        NodeRef::CreatePolicyStmt(it) => {
            return part(ObjectType::ObjectPolicy, &it.table, &it.policy_name);
        }
        NodeRef::RenameStmt(it) if it.rename_type() != ObjectType::ObjectSequence => {
            (it.rename_type(), renamed_key(it))
        }
        _ => return None,
    };
    Some(Name::new(kind, key?))
}

/// Returns the new key of what is in a schema, and renamed.
fn renamed_key(rename: &RenameStmt) -> Option<Key> {
    let object = rename.object.as_ref().and_then(|object| object.node.as_ref());
    let old = match (&rename.relation, object) {
        (Some(relation), _) if rename.subname.is_empty() => key_of(relation),
        (_, Some(NodeEnum::List(names))) => names_key(&names.items)?,
        (_, Some(NodeEnum::ObjectWithArgs(object))) => names_key(&object.objname)?,
        _ => return None,
    };
    Some((old.0, rename.newname.clone()))
}

fn names_key(names: &[Node]) -> Option<Key> {
    let mut parts = names.iter().rev().filter_map(string);
    let name = parts.next()?;
    Some(key(parts.next().unwrap_or_default(), name))
}

fn string(node: &Node) -> Option<&str> {
    match &node.node {
        Some(NodeEnum::String(string)) => Some(&string.sval),
        _ => None,
    }
}

fn range_var(node: &Node) -> Option<&RangeVar> {
    match &node.node {
        Some(NodeEnum::RangeVar(table)) => Some(table),
        _ => None,
    }
}

fn key_of(table: &RangeVar) -> Key {
    key(&table.schemaname, &table.relname)
}
