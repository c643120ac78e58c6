//! The tables that utility statements lock, other than `ALTER TABLE` (`alter_rules.rs`) and what queries read and write
//! (`finder.rs`).
//!
//! From the pages of PostgreSQL's reference, from "Explicit Locking" in its documentation, and from the calls of
//! `RangeVarGetRelidExtended` and `table_openrv` in the files of its commands.

use super::finder::{EffectsFinder, is_on};
use super::pg::protobuf::{ConstrType, ObjectType, ReindexObjectType};
use super::pg::view::{
    AlterDomainStmt, Constraint, CreateStmt, DropStmt, List, Node, PublicationTable, RangeVar,
    RenameStmt, VacuumRelation,
};
use crate::{Answer, Which};
use pg_ast::LockMode;

const ACCESS_SHARE: LockMode = LockMode::AccessShareLock;
const SHARE: LockMode = LockMode::ShareLock;
const SHARE_ROW_EXCLUSIVE: LockMode = LockMode::ShareRowExclusiveLock;
const SHARE_UPDATE_EXCLUSIVE: LockMode = LockMode::ShareUpdateExclusiveLock;
const ACCESS_EXCLUSIVE: LockMode = LockMode::AccessExclusiveLock;

/// Returns schema and name of what a list of strings names, without the last `behind` of them.
pub(super) fn relation_name(names: List<'_>, behind: usize) -> Option<(&str, &str)> {
    let mut parts = names.strs().rev().skip(behind);
    let name = parts.next()?;
    Some((parts.next().unwrap_or_default(), name))
}

/// Returns schema and name of the table of a sequence's `OWNED BY`.
pub(super) fn owned_by(options: List<'_>) -> Option<(&str, &str)> {
    let mut options = options.iter().filter_map(Node::as_def_elem);
    match options.find(|option| option.defname() == "owned_by")?.arg() {
        // Of one word, it is NONE.
        Some(Node::List(names)) if names.len() > 1 => relation_name(names, 1),
        _ => None,
    }
}

impl<'a> EffectsFinder<'a> {
    /// Locks a table, and its descendants unless the statement says `ONLY`.
    fn with_descendants(
        &mut self,
        table: RangeVar<'a>,
        lock: LockMode,
        rewrites: Answer,
        scans: Answer,
    ) {
        self.table(table, Which::Itself, lock).costs(rewrites, scans);
        if table.inh() {
            self.table(table, Which::Descendants, lock).costs(rewrites, scans);
        }
    }

    fn itself(&mut self, table: Option<RangeVar<'a>>, lock: LockMode) {
        if let Some(table) = table {
            self.table(table, Which::Itself, lock);
        }
    }

    pub(super) fn locks(&mut self, node: Node<'a>) {
        let (yes, no) = (Answer::Yes, Answer::No);
        match node {
            Node::AlterTableStmt(alter) => self.alter_table(alter),
            Node::AlterTableMoveAllStmt(_) => {
                self.named(("", ""), Which::All, ACCESS_EXCLUSIVE).costs(yes, no);
            }
            Node::RenameStmt(rename) => self.renamed(rename),
            Node::AlterObjectSchemaStmt(alter) => {
                self.itself(alter.relation(), ACCESS_EXCLUSIVE);
                if let Some(table) = alter.relation() {
                    self.table(table, Which::OwnedSequences, ACCESS_EXCLUSIVE);
                }
            }
            Node::AlterObjectDependsStmt(alter) => self.itself(alter.relation(), ACCESS_EXCLUSIVE),
            Node::AlterPolicyStmt(policy) => self.itself(policy.table(), ACCESS_EXCLUSIVE),
            Node::CreatePolicyStmt(policy) => self.itself(policy.table(), ACCESS_EXCLUSIVE),
            Node::RuleStmt(rule) => self.itself(rule.relation(), ACCESS_EXCLUSIVE),
            Node::AlterSeqStmt(alter) => {
                self.itself(alter.sequence(), SHARE_ROW_EXCLUSIVE);
                if let Some(table) = owned_by(alter.options()) {
                    self.named(table, Which::Itself, ACCESS_SHARE);
                }
            }
            Node::CreateFunctionStmt(create) => self.checked_body(create),
            Node::CreateTrigStmt(trigger) => {
                self.itself(trigger.relation(), SHARE_ROW_EXCLUSIVE);
                if let Some(table) = trigger.relation().filter(|_| trigger.row()) {
                    self.table(table, Which::Descendants, SHARE_ROW_EXCLUSIVE);
                }
                self.itself(trigger.constrrel(), ACCESS_SHARE);
            }
            Node::CreateStatsStmt(stats) => {
                for table in stats.relations().iter().filter_map(Node::as_range_var) {
                    self.table(table, Which::Itself, SHARE_UPDATE_EXCLUSIVE);
                }
            }
            Node::TruncateStmt(truncate) => {
                let cascades = super::losses::cascades(truncate.behavior());
                for table in truncate.relations().iter().filter_map(Node::as_range_var) {
                    self.with_descendants(table, ACCESS_EXCLUSIVE, no, no);
                    if cascades {
                        self.table(table, Which::Referencing, ACCESS_EXCLUSIVE);
                    }
                    if truncate.restart_seqs() {
                        self.table(table, Which::OwnedSequences, ACCESS_EXCLUSIVE);
                    }
                }
            }
            Node::LockStmt(lock) => {
                let mode = LockMode::try_from(lock.mode()).unwrap_or(ACCESS_EXCLUSIVE);
                for table in lock.relations().iter().filter_map(Node::as_range_var) {
                    self.with_descendants(table, mode, no, no);
                    // Those of a view are locked as well.
                    self.table(table, Which::Read, mode);
                }
            }
            Node::RefreshMatViewStmt(refresh) => {
                let Some(view) = refresh.relation() else { return };
                let concurrent = refresh.concurrent();
                let lock = if concurrent { LockMode::ExclusiveLock } else { ACCESS_EXCLUSIVE };
                self.table(view, Which::Itself, lock)
                    .costs((!concurrent).into(), concurrent.into());
                if !refresh.skip_data() {
                    self.table(view, Which::Read, ACCESS_SHARE);
                }
            }
            Node::ViewStmt(view) if view.replace() => self.itself(view.view(), ACCESS_EXCLUSIVE),
            Node::CreateStmt(create) => self.new_table(create),
            Node::CreateForeignTableStmt(create) => {
                if let Some(create) = create.base_stmt() {
                    self.new_table(create);
                }
            }
            Node::CreateSeqStmt(create) => {
                if let Some(table) = owned_by(create.options()) {
                    self.named(table, Which::Itself, ACCESS_SHARE);
                }
            }
            Node::CreatePublicationStmt(publication) => self.published(publication.pubobjects()),
            Node::AlterPublicationStmt(publication) => self.published(publication.pubobjects()),
            Node::CommentStmt(comment) => self.described(comment.objtype(), comment.object()),
            Node::SecLabelStmt(label) => self.described(label.objtype(), label.object()),
            Node::DropStmt(drop) => self.dropped(drop),
            Node::GrantStmt(grant) if self.server >= 18 => {
                for table in grant.objects().iter().filter_map(Node::as_range_var) {
                    self.table(table, Which::Itself, ACCESS_SHARE);
                }
            }
            Node::AlterDomainStmt(alter) => self.altered_domain(alter),
            Node::DropOwnedStmt(_) | Node::ReassignOwnedStmt(_) => {
                self.named(("", ""), Which::All, ACCESS_EXCLUSIVE);
            }
            _ => self.locks_of_maintenance(node),
        }
    }

    /// Locks the tables of statements that build indexes or write tables anew.
    fn locks_of_maintenance(&mut self, node: Node<'a>) {
        let (yes, no) = (Answer::Yes, Answer::No);
        match node {
            Node::IndexStmt(index) => {
                let lock = if index.concurrent() { SHARE_UPDATE_EXCLUSIVE } else { SHARE };
                if let Some(table) = index.relation() {
                    self.with_descendants(table, lock, no, yes);
                }
            }
            Node::ReindexStmt(reindex) => {
                let concurrent = is_on(reindex.params(), "concurrently");
                let lock = if concurrent { SHARE_UPDATE_EXCLUSIVE } else { SHARE };
                match (reindex.kind(), reindex.relation()) {
                    (ReindexObjectType::ReindexObjectIndex, Some(index)) => {
                        let of_index =
                            if concurrent { SHARE_UPDATE_EXCLUSIVE } else { ACCESS_EXCLUSIVE };
                        self.table(index, Which::Itself, of_index).costs(yes, no);
                        self.table(index, Which::TableOf, lock).costs(no, yes);
                    }
                    (_, Some(table)) => {
                        self.with_descendants(table, lock, no, yes);
                        if !concurrent {
                            self.table(table, Which::Indexes, ACCESS_EXCLUSIVE).costs(yes, no);
                        }
                        // The list of its partitions is made under this lock.
                        if concurrent && table.inh() {
                            self.table(table, Which::Descendants, SHARE);
                        }
                    }
                    (_, None) => {
                        self.named(("", reindex.name()), Which::All, lock).costs(no, yes);
                        if !concurrent {
                            let of = ("", reindex.name());
                            self.named(of, Which::Indexes, ACCESS_EXCLUSIVE).costs(yes, no);
                        }
                    }
                }
            }
            Node::ClusterStmt(cluster) => match cluster.relation() {
                Some(table) => self.with_descendants(table, ACCESS_EXCLUSIVE, yes, yes),
                None => self.named(("", ""), Which::All, ACCESS_EXCLUSIVE).costs(yes, yes),
            },
            Node::VacuumStmt(vacuum) => {
                let full = vacuum.is_vacuumcmd() && is_on(vacuum.options(), "full");
                let lock = if full { ACCESS_EXCLUSIVE } else { SHARE_UPDATE_EXCLUSIVE };
                let tables = vacuum.rels().iter().filter_map(Node::as_vacuum_relation);
                for table in tables.filter_map(VacuumRelation::relation) {
                    self.with_descendants(table, lock, full.into(), yes);
                }
                if vacuum.rels().is_empty() {
                    self.named(("", ""), Which::All, lock).costs(full.into(), yes);
                }
            }
            _ => {}
        }
    }

    /// Locks the tables that a domain's new condition is checked in.
    fn altered_domain(&mut self, alter: AlterDomainStmt<'a>) {
        let is_checked = match alter.subtype() {
            // `SET NOT NULL`, `VALIDATE CONSTRAINT`.
            "O" | "V" => true,
            // `ADD`.
            "C" => match alter.def() {
                Some(Node::Constraint(constraint)) => !constraint.skip_validation(),
                _ => true,
            },
            _ => false,
        };
        if let Some(domain) = relation_name(alter.type_name(), 0).filter(|_| is_checked) {
            self.named(domain, Which::Using, SHARE).costs(Answer::No, Answer::Yes);
        }
    }

    fn renamed(&mut self, rename: RenameStmt<'a>) {
        let Some(table) = rename.relation() else { return };
        // An index is renamed beside those who use it, whatever the statement calls it.
        let lock = match rename.rename_type() {
            ObjectType::ObjectIndex => SHARE_UPDATE_EXCLUSIVE,
            _ => ACCESS_EXCLUSIVE,
        };
        self.table(table, Which::Itself, lock);
        let inherits = matches!(
            rename.rename_type(),
            ObjectType::ObjectColumn
                | ObjectType::ObjectAttribute
                | ObjectType::ObjectTabconstraint
                | ObjectType::ObjectTrigger
        );
        // What CASCADE changes beside a type are the tables of that type.
        let is_type_too = rename.rename_type() == ObjectType::ObjectAttribute
            && super::losses::cascades(rename.behavior());
        if inherits && table.inh() || is_type_too {
            self.table(table, Which::Descendants, lock);
        }
    }

    fn new_table(&mut self, create: CreateStmt<'a>) {
        for parent in create.inh_relations().iter().filter_map(Node::as_range_var) {
            if create.partbound().is_some() {
                self.table(parent, Which::Itself, ACCESS_EXCLUSIVE);
                self.table(parent, Which::DefaultPartition, ACCESS_EXCLUSIVE)
                    .costs(Answer::No, Answer::Maybe);
                self.table(parent, Which::Referenced, SHARE_ROW_EXCLUSIVE);
                self.table(parent, Which::Referencing, SHARE_ROW_EXCLUSIVE);
            } else {
                self.table(parent, Which::Itself, SHARE_UPDATE_EXCLUSIVE);
            }
        }
        let elements = create.table_elts().iter().chain(create.constraints().iter());
        for element in elements {
            match element {
                Node::TableLikeClause(like) => self.itself(like.relation(), ACCESS_SHARE),
                Node::Constraint(constraint) => self.references_of_new(create, constraint),
                Node::ColumnDef(column) => {
                    let constraints = column.constraints().iter().filter_map(Node::as_constraint);
                    constraints.for_each(|constraint| self.references_of_new(create, constraint));
                }
                _ => {}
            }
        }
    }

    /// Locks what a foreign key of a new table references, if that is another one.
    fn references_of_new(&mut self, create: CreateStmt<'a>, constraint: Constraint<'a>) {
        let Some((new, table)) = create.relation().zip(constraint.pktable()) else { return };
        let schemas = [new.schemaname(), table.schemaname()];
        let is_same = new.relname() == table.relname();
        if is_same && schemas[0] == schemas[1] {
            return;
        }
        self.references(constraint);
        // Where one of the names has no schema, it may be itself.
        if is_same && schemas.contains(&"") {
            self.table(table, Which::Itself, SHARE_ROW_EXCLUSIVE).may_be_locked();
        }
    }

    /// Locks the table that a foreign key references.
    pub(super) fn references(&mut self, constraint: Constraint<'a>) {
        if constraint.contype() == ConstrType::ConstrForeign
            && let Some(table) = constraint.pktable()
        {
            self.referenced(table, constraint.pk_attrs());
        }
    }

    fn published(&mut self, objects: List<'a>) {
        for object in objects.iter().filter_map(Node::as_publication_obj_spec) {
            if let Some(table) = object.pubtable().and_then(PublicationTable::relation) {
                self.table(table, Which::Itself, SHARE_UPDATE_EXCLUSIVE);
                if table.inh() {
                    self.table(table, Which::Descendants, SHARE_UPDATE_EXCLUSIVE);
                }
            }
        }
    }

    /// Locks the relation that a comment or a label is about.
    fn described(&mut self, kind: ObjectType, object: Option<Node<'a>>) {
        let Some(Node::List(names)) = object else { return };
        let (behind, lock) = match kind {
            ObjectType::ObjectTable
            | ObjectType::ObjectView
            | ObjectType::ObjectMatview
            | ObjectType::ObjectSequence
            | ObjectType::ObjectIndex
            | ObjectType::ObjectForeignTable => (0, SHARE_UPDATE_EXCLUSIVE),
            ObjectType::ObjectColumn => (1, SHARE_UPDATE_EXCLUSIVE),
            ObjectType::ObjectTabconstraint
            | ObjectType::ObjectTrigger
            | ObjectType::ObjectRule
            | ObjectType::ObjectPolicy => (1, ACCESS_SHARE),
            _ => return,
        };
        if let Some(relation) = relation_name(names, behind) {
            self.named(relation, Which::Itself, lock);
        }
    }

    /// Locks what goes with an object that is no relation.
    fn dropped_with(&mut self, object: Node<'a>, kind: ObjectType) {
        let name = match object {
            Node::TypeName(of) => relation_name(of.names(), 0),
            Node::ObjectWithArgs(function) => relation_name(function.objname(), 0),
            Node::String(name) => Some(("", name.sval())),
            _ => None,
        };
        let Some(name) = name else { return };
        if kind == ObjectType::ObjectSchema {
            self.named(name, Which::All, ACCESS_EXCLUSIVE);
        }
        self.named(name, Which::Dependents, ACCESS_EXCLUSIVE);
    }

    fn dropped(&mut self, drop: DropStmt<'a>) {
        let cascades = super::losses::cascades(drop.behavior());
        for object in drop.objects() {
            let Node::List(names) = object else {
                if cascades {
                    self.dropped_with(object, drop.remove_type());
                }
                continue;
            };
            let of_table = |behind| relation_name(names, behind);
            let dropped = match drop.remove_type() {
                ObjectType::ObjectTable | ObjectType::ObjectForeignTable => {
                    let Some(table) = of_table(0) else { continue };
                    self.named(table, Which::Itself, ACCESS_EXCLUSIVE);
                    for which in [
                        Which::Descendants,
                        Which::Parent,
                        Which::DefaultPartition,
                        Which::Referenced,
                        Which::OwnedSequences,
                    ] {
                        self.named(table, which, ACCESS_EXCLUSIVE);
                    }
                    Some(table)
                }
                ObjectType::ObjectView | ObjectType::ObjectMatview | ObjectType::ObjectSequence => {
                    let Some(relation) = of_table(0) else { continue };
                    self.named(relation, Which::Itself, ACCESS_EXCLUSIVE);
                    Some(relation)
                }
                ObjectType::ObjectIndex => {
                    let Some(index) = of_table(0) else { continue };
                    let lock =
                        if drop.concurrent() { SHARE_UPDATE_EXCLUSIVE } else { ACCESS_EXCLUSIVE };
                    self.named(index, Which::Itself, lock);
                    self.named(index, Which::TableOf, lock);
                    Some(index)
                }
                ObjectType::ObjectStatisticExt => {
                    let Some(stats) = of_table(0) else { continue };
                    self.named(stats, Which::TableOf, SHARE_UPDATE_EXCLUSIVE);
                    None
                }
                ObjectType::ObjectTrigger | ObjectType::ObjectRule | ObjectType::ObjectPolicy => {
                    let Some(table) = of_table(1) else { continue };
                    self.named(table, Which::Itself, ACCESS_EXCLUSIVE);
                    if drop.remove_type() == ObjectType::ObjectTrigger {
                        self.named(table, Which::Descendants, ACCESS_EXCLUSIVE);
                    }
                    Some(table)
                }
                _ => of_table(0),
            };
            if cascades && let Some(object) = dropped {
                self.named(object, Which::Dependents, ACCESS_EXCLUSIVE);
            }
        }
    }
}
