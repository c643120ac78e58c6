//! The names of the relations that a statement reaches by a dependency: each [`Which`] of `locked_tables.rs` and `alter_costs.rs`.
//!
//! What is locked in any case follows `heap_drop_with_catalog`, `find_all_inheritors` and their callers in PostgreSQL's
//! `src/backend/commands/tablecmds.c`; `tests/server/effects_in.rs` compares with a server.

use pg_ast::{LockMode, QualifiedName};
use pg_ast_names::{Relation, RelationConstraint, RelationKind, Relationship};

use super::finder::may_be_absent;
use super::losses::cascades;
use super::pg::protobuf::{AlterTableType, ObjectType};
use super::pg::seam::text_field;
use super::pg::view::{AlterTableCmd, Node, PartitionCmd, RangeVar};
use super::with_catalog::of_type;
use crate::known_relations::{KnownRelations, NameClass, reachable};
use crate::{Answer, TableEffect, Which};

/// The entries of a statement, with the names that the catalog tells.
pub(super) struct ExpandedTables<'a> {
    pub(super) known: KnownRelations<'a>,
    pub(super) stmt: Node<'a>,
    pub(super) found: Vec<TableEffect>,
}

impl<'a> ExpandedTables<'a> {
    pub(super) const fn new(known: KnownRelations<'a>, stmt: Node<'a>) -> Self {
        Self { known, stmt, found: Vec::new() }
    }

    /// Adds an entry, or those of the relations that it stands for.
    pub(super) fn add(&mut self, mut table: TableEffect) {
        let named = match (table.which, self.stmt) {
            (Which::All, _) | (Which::Indexes, Node::ReindexStmt(_))
                if table.name.schema.is_none() =>
            {
                return self.of_schema(table);
            }
            (Which::Using, _) => Some(NameClass::Type),
            (Which::Dependents, Node::DropStmt(drop)) => of_type(drop.remove_type()),
            _ => Some(NameClass::Relation),
        };
        let full = named.and_then(|named| self.known.full_name(&table.name, named));
        let Some(full) = full else {
            self.found.push(table);
            return;
        };
        table.name = full;
        match table.which {
            Which::Itself | Which::All => {
                self.exists(&mut table);
                if self.detaches(&table.name) {
                    for name in self.known.descendants(&table.name) {
                        let below = TableEffect { which: Which::Descendants, ..table.clone() };
                        self.push(&below, name, Answer::Yes);
                    }
                }
                self.found.push(table);
            }
            Which::Descendants => self.descendants(table),
            Which::Parent => self.parents(&table),
            Which::DefaultPartition => self.default_partition(table),
            Which::TableOf => self.tables_of(table),
            Which::Referenced => self.referenced(table),
            Which::Referencing => self.referencing(table),
            Which::OwnedSequences => self.owned_sequences(table),
            Which::Read => self.read(table),
            Which::Dependents => self.dependents(table),
            Which::Using => self.using(table),
            Which::Indexes => self.indexes(table),
        }
    }

    /// Notes that a relation is there which a statement with `IF EXISTS` names.
    fn exists(&self, table: &mut TableEffect) {
        let is_part = match self.stmt {
            Node::DropStmt(drop) => match drop.remove_type() {
                // Without it, the lock is released again.
                ObjectType::ObjectTrigger | ObjectType::ObjectRule | ObjectType::ObjectPolicy => {
                    true
                }
                _ => false,
            },
            _ => false,
        };
        let is_there = self.known.relation(&table.name).is_some()
            || !self.known.tables_of(&table.name).is_empty();
        if may_be_absent(self.stmt) && is_there && !is_part {
            table.locked = Answer::Yes;
        }
    }

    pub(super) fn push(&mut self, base: &TableEffect, name: QualifiedName, locked: Answer) {
        if name == base.name && base.which != Which::Referenced && base.which != Which::Referencing
        {
            return;
        }
        let of = Some(base.name.clone());
        let (rewrites, scans) = match locked {
            Answer::Yes => (base.rewrites, base.scans),
            _ => (base.rewrites.min(Answer::Maybe), base.scans.min(Answer::Maybe)),
        };
        self.found.push(TableEffect { name, of, locked, rewrites, scans, ..base.clone() });
    }

    /// Leaves the general entry if there may be relations that the catalog does not know.
    pub(super) fn unless_closed(&mut self, base: TableEffect, how: Relationship) {
        if !self.known.is_closed(&base.name, how) {
            self.found.push(base);
        }
    }

    /// Leaves the general entry if the relation itself is not known.
    pub(super) fn unless_known(&mut self, base: TableEffect, how: Option<Relationship>) {
        let is_told = how.is_none_or(|how| self.known.catalog.related(&base.name, how).is_some());
        if !is_told || !self.known.relation(&base.name).is_some_and(|it| it.is_complete) {
            self.found.push(base);
        }
    }

    fn descendants(&mut self, base: TableEffect) {
        // Indexes and triggers of rows are those of partitions as well, and of no other heirs.
        let of_partitions = match self.stmt {
            Node::IndexStmt(_)
            | Node::ReindexStmt(_)
            | Node::ClusterStmt(_)
            | Node::VacuumStmt(_)
            | Node::CreateTrigStmt(_) => true,
            Node::DropStmt(drop) => drop.remove_type() == ObjectType::ObjectTrigger,
            Node::RenameStmt(rename) => rename.rename_type() == ObjectType::ObjectTrigger,
            _ => false,
        };
        let names = if of_partitions {
            self.known.partitions(&base.name)
        } else {
            self.known.descendants(&base.name)
        };
        for name in names {
            let locked = self.descends(&name);
            self.push(&base, name, locked);
        }
        self.unless_closed(base, Relationship::Children);
    }

    /// Returns whether a statement locks a descendant of its table in any case.
    fn descends(&self, name: &QualifiedName) -> Answer {
        let is_partition = self.known.relation(name).is_some_and(|it| it.is_partition);
        match self.stmt {
            Node::AlterTableStmt(alter) if !is_partition => {
                let cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
                let is_inherited = |cmd: AlterTableCmd<'_>| {
                    matches!(
                        cmd.subtype(),
                        AlterTableType::AtAddColumn
                            | AlterTableType::AtDropColumn
                            | AlterTableType::AtAlterColumnType
                            | AlterTableType::AtColumnDefault
                            | AlterTableType::AtSetStatistics
                            | AlterTableType::AtSetStorage
                    )
                };
                if cmds.into_iter().any(is_inherited) { Answer::Yes } else { Answer::Maybe }
            }
            Node::RenameStmt(rename) => {
                let is_column = rename.rename_type() == ObjectType::ObjectColumn;
                if is_column { Answer::Yes } else { Answer::Maybe }
            }
            Node::TruncateStmt(_)
            | Node::LockStmt(_)
            | Node::IndexStmt(_)
            | Node::CreateTrigStmt(_) => Answer::Yes,
            Node::DropStmt(drop) => {
                (drop.remove_type() != ObjectType::ObjectTrigger || is_partition).into()
            }
            // A constraint may be one that is not inherited.
            _ => Answer::Maybe,
        }
    }

    fn parents(&mut self, base: &TableEffect) {
        let is_partition = self.known.relation(&base.name).is_some_and(|it| it.is_partition);
        if is_partition {
            for parent in self.known.related(&base.name, Relationship::Parents) {
                self.push(base, parent, Answer::Yes);
            }
        }
        self.unless_known(base.clone(), Some(Relationship::Parents));
    }

    fn default_partition(&mut self, base: TableEffect) {
        // That beside a partition which is dropped.
        let tables = match self.stmt {
            Node::DropStmt(_) => self.known.related(&base.name, Relationship::Parents),
            _ => vec![base.name.clone()],
        };
        for table in &tables {
            for child in self.known.related(table, Relationship::Children) {
                let is_default = |it: &Relation| it.is_partition && it.is_default_partition;
                if self.known.relation(&child).is_some_and(is_default) {
                    self.push(&base, child, Answer::Yes);
                }
            }
        }
        self.unless_closed(base, Relationship::Children);
    }

    fn tables_of(&mut self, base: TableEffect) {
        let tables = self.known.tables_of(&base.name);
        if tables.is_empty() {
            self.found.push(base);
            return;
        }
        for table in tables {
            if matches!(self.stmt, Node::DropStmt(_)) {
                for partition in self.known.partitions(&table) {
                    self.push(&base, partition, Answer::Yes);
                }
            }
            self.push(&base, table, Answer::Yes);
        }
    }

    /// Returns whether an `ALTER TABLE` detaches a partition of a name.
    fn detaches(&self, name: &QualifiedName) -> bool {
        self.cmds().iter().any(|cmd| {
            let partition = cmd.def().and_then(Node::as_partition_cmd);
            cmd.subtype() == AlterTableType::AtDetachPartition
                && partition.and_then(PartitionCmd::name).is_some_and(|table| {
                    let table = table.qualified_name();
                    self.known.full_name(&table, NameClass::Relation).as_ref() == Some(name)
                })
        })
    }

    /// Adds what no entry stands for: the partitions that a new foreign key references, and composite types that are dropped.
    pub(super) fn finish(mut self) -> Vec<TableEffect> {
        let entry = |name: &QualifiedName, which, lock| TableEffect {
            name: name.clone(),
            which,
            of: None,
            lock,
            locked: Answer::Yes,
            rewrites: Answer::No,
            scans: Answer::No,
        };
        match self.stmt {
            Node::CreateStmt(_) | Node::AlterTableStmt(_) | Node::CreateForeignTableStmt(_) => {
                for constraint in self.stmt.nodes().filter_map(Node::as_constraint) {
                    let table = constraint.pktable().map(RangeVar::qualified_name);
                    let table = table.and_then(|it| self.known.full_name(&it, NameClass::Relation));
                    let Some(table) = table else { continue };
                    let lock = LockMode::ShareRowExclusiveLock;
                    for partition in self.known.partitions(&table) {
                        self.push(&entry(&table, Which::Descendants, lock), partition, Answer::Yes);
                    }
                }
            }
            Node::DropStmt(drop) if drop.remove_type() == ObjectType::ObjectType => {
                let names = drop.objects().iter().filter_map(Node::as_type_name);
                for name in names.map(|of| of.names().qualified_name()) {
                    let full = self.known.full_name(&name, NameClass::Type);
                    if let Some(name) = full.filter(|it| self.known.relation(it).is_some()) {
                        let lock = LockMode::AccessExclusiveLock;
                        self.found.push(entry(&name, Which::Itself, lock));
                    }
                }
            }
            _ => {}
        }
        self.found
    }

    /// Returns the subcommands of an `ALTER TABLE`.
    fn cmds(&self) -> Vec<AlterTableCmd<'a>> {
        match self.stmt {
            Node::AlterTableStmt(alter) => {
                alter.cmds().iter().filter_map(Node::as_alter_table_cmd).collect()
            }
            _ => Vec::new(),
        }
    }

    fn referenced(&mut self, base: TableEffect) {
        let cmds = self.cmds();
        let mut tables = vec![base.name.clone()];
        if !cmds.is_empty() || matches!(self.stmt, Node::DropStmt(_)) {
            tables.extend(self.known.descendants(&base.name));
        }
        for table in &tables {
            let relation = self.known.relation(table);
            let is_sure = relation.is_some_and(|it| it.is_complete && !it.is_partition);
            for (constraint, key) in self.known.keys_of(table) {
                let locked = cmds.iter().map(|cmd| changes_key(*cmd, constraint));
                let locked = if cmds.is_empty() { Some(Answer::Yes) } else { locked.max() };
                let mut locked = locked.unwrap_or_default();
                if locked.is_no() {
                    continue;
                }
                // The key of a partition may be a part of that of its table.
                if !is_sure {
                    locked = Answer::Maybe;
                }
                for partition in self.known.partitions(&key.table) {
                    self.push(&base, partition, Answer::Maybe);
                }
                self.push(&base, key.table.clone(), locked);
            }
        }
        self.unless_known(base, None);
    }

    /// Returns the tables that `TRUNCATE .. CASCADE` of a table empties as well.
    pub(super) fn emptied(&self, table: &QualifiedName) -> Vec<QualifiedName> {
        let mut named = vec![table.clone()];
        named.extend(self.known.descendants(table));
        let mut found = reachable(&named, |of| {
            let mut next = self.known.related(of, Relationship::Referencing);
            // Not what inherits from a table that is not named.
            next.extend(self.known.partitions(of));
            // What references a partitioned table references its partitions.
            if self.known.relation(of).is_some_and(|it| it.is_partition) {
                for above in self.known.ancestors(of) {
                    next.extend(self.known.related(&above, Relationship::Referencing));
                }
            }
            next
        });
        found.extend(named.into_iter().skip(1));
        found
    }

    fn referencing(&mut self, base: TableEffect) {
        if matches!(self.stmt, Node::TruncateStmt(_)) {
            for table in self.emptied(&base.name) {
                self.push(&base, table, Answer::Yes);
            }
            return self.unless_closed(base, Relationship::Referencing);
        }
        let cmds = self.cmds();
        for (table, _, key) in self.known.keys_to(&base.name) {
            let locked = cmds.iter().map(|cmd| match cmd.subtype() {
                AlterTableType::AtAlterColumnType => self.known.refers_to(key, cmd.name()).into(),
                AlterTableType::AtAttachPartition | AlterTableType::AtDetachPartition => {
                    Answer::Yes
                }
                _ => Answer::Maybe,
            });
            let locked =
                if cmds.is_empty() { Answer::Yes } else { locked.max().unwrap_or_default() };
            if !locked.is_no() {
                for partition in self.known.partitions(&table) {
                    self.push(&base, partition, Answer::Maybe);
                }
                self.push(&base, table, locked);
            }
        }
        self.unless_closed(base, Relationship::Referencing);
    }

    fn owned_sequences(&mut self, base: TableEffect) {
        // Whose column is dropped or gets another identity is not known.
        let of_column = self.cmds().iter().any(|cmd| !cmd.name().is_empty());
        let mut tables = vec![base.name.clone()];
        match self.stmt {
            Node::TruncateStmt(truncate) if cascades(truncate.behavior()) => {
                tables.extend(self.emptied(&base.name));
            }
            Node::DropStmt(_) | Node::TruncateStmt(_) => {
                tables.extend(self.known.descendants(&base.name));
            }
            _ => {}
        }
        let is_added = self.cmds().iter().any(|cmd| cmd.subtype() == AlterTableType::AtAddColumn);
        for table in &tables {
            for sequence in self.known.related(table, Relationship::OwnedSequences) {
                let locked = if of_column || is_added { Answer::Maybe } else { Answer::Yes };
                self.push(&base, sequence, locked);
            }
        }
        // The sequence of a new column is not there yet.
        if is_added {
            self.found.push(base);
        } else {
            self.unless_known(base, Some(Relationship::OwnedSequences));
        }
    }

    fn read(&mut self, base: TableEffect) {
        let is_lock = matches!(self.stmt, Node::LockStmt(_));
        if is_lock && !self.known.is_view(&base.name) {
            return self.unless_known(base, Some(Relationship::Read));
        }
        for (read, of) in self.known.read_by(&base.name) {
            let entry = TableEffect { name: of, ..base.clone() };
            if !self.known.is_view(&read) {
                for name in self.known.descendants(&read) {
                    let of_read = TableEffect {
                        name: read.clone(),
                        which: Which::Descendants,
                        ..base.clone()
                    };
                    self.push(&of_read, name, if is_lock { Answer::Yes } else { Answer::Maybe });
                }
            }
            self.push(&entry, read, Answer::Yes);
        }
        self.unless_known(base, Some(Relationship::Read));
    }

    fn using(&mut self, base: TableEffect) {
        let known = self.known;
        // A domain over an array of it is among them, although the server refuses then.
        let mut types = reachable(core::slice::from_ref(&base.name), |of| {
            known.related(of, Relationship::Domains)
        });
        types.push(base.name.clone());
        for user in types.iter().flat_map(|of| known.related(of, Relationship::Users)) {
            let Some(relation) = known.relation(&user) else { continue };
            match relation.kind {
                RelationKind::Table if known.is_partitioned(&user) => {}
                RelationKind::Table => self.push(&base, user, Answer::Yes),
                RelationKind::MaterializedView => self.push(&base, user, Answer::Maybe),
                _ => {
                    for table in known.related(&user, Relationship::Users) {
                        self.push(&base, table, Answer::Maybe);
                    }
                }
            }
        }
        let is_told = known.catalog.related(&base.name, Relationship::Domains).is_some();
        let schema = base.name.schema.as_deref().unwrap_or_default();
        if !is_told || known.catalog.has_type(schema, &base.name.name) != Some(true) {
            self.found.push(base);
        }
    }

    fn indexes(&mut self, base: TableEffect) {
        let known = self.known;
        let mut tables = vec![base.name.clone()];
        tables.extend(known.partitions(&base.name));
        for table in &tables {
            let Some(relation) = known.relation(table) else { continue };
            for index in &relation.indexes {
                let name = QualifiedName { schema: table.schema.clone(), name: index.name.clone() };
                let locked = if relation.is_complete { Answer::Yes } else { Answer::Maybe };
                self.push(&base, name, locked);
            }
        }
        self.unless_known(base, None);
    }
}

/// Returns whether a subcommand changes a foreign key of its table.
fn changes_key(cmd: AlterTableCmd<'_>, constraint: &RelationConstraint) -> Answer {
    match cmd.subtype() {
        AlterTableType::AtAlterColumnType | AlterTableType::AtDropColumn => {
            constraint.columns.iter().any(|it| it == cmd.name()).into()
        }
        AlterTableType::AtDropConstraint => (cmd.name() == constraint.name).into(),
        // One that is valid stays as it is.
        AlterTableType::AtValidateConstraint => {
            (cmd.name() == constraint.name && !constraint.is_validated).into()
        }
        // It depends on what is changed.
        AlterTableType::AtAlterConstraint => {
            let name = cmd.def().and_then(|def| text_field(def, "conname"));
            Answer::from(name == Some(&constraint.name)).min(Answer::Maybe)
        }
        AlterTableType::AtAttachPartition | AlterTableType::AtDetachPartition => Answer::Yes,
        _ => Answer::No,
    }
}
