//! What statements lose, and which can run twice.

use super::alter_rules::AlterRule;
use super::finder::{EffectsFinder, is_guarded};
use super::locked_tables::relation_name;
use super::pg::protobuf::{
    AlterTableType, CmdType, DropBehavior, ObjectType, OnConflictAction, TransactionStmtKind,
};
use super::pg::seam::qualified_name;
use super::pg::view::{AlterTableCmd, AlterTableStmt, DropStmt, List, Node, RangeVar};
use super::statement_rules::Repeat;
use crate::{Answer, Loss, LossKind};
use pg_ast::QualifiedName;

pub(super) fn cascades(behavior: DropBehavior) -> bool {
    behavior == DropBehavior::DropCascade
}

/// Returns the name of an object, or that of the table or the domain with the part that it is, as far as the statement has them as
/// strings.
pub(super) fn object_name(
    kind: ObjectType,
    object: Node<'_>,
) -> (Option<QualifiedName>, Option<String>) {
    let name = match object {
        Node::List(names) => match kind {
            ObjectType::ObjectColumn
            | ObjectType::ObjectTabconstraint
            | ObjectType::ObjectTrigger
            | ObjectType::ObjectRule
            | ObjectType::ObjectPolicy => {
                let table = relation_name(names, 1);
                let table = table.map(|(schema, name)| qualified_name(schema, name));
                return (table, names.strs().next_back().map(str::to_owned));
            }
            ObjectType::ObjectDomconstraint => {
                let domain = names.first().and_then(Node::as_type_name);
                let domain = domain.map(|domain| domain.names().qualified_name());
                return (domain, names.strs().next_back().map(str::to_owned));
            }
            // Behind the name of the access method.
            ObjectType::ObjectOpclass | ObjectType::ObjectOpfamily => {
                let mut parts = names.strs().skip(1).collect::<Vec<_>>().into_iter().rev();
                let name = parts.next().unwrap_or_default();
                qualified_name(parts.next().unwrap_or_default(), name)
            }
            // They have types, and a language.
            ObjectType::ObjectCast | ObjectType::ObjectTransform => return (None, None),
            _ => names.qualified_name(),
        },
        Node::String(name) => QualifiedName::unqualified(name.sval()),
        Node::ObjectWithArgs(function) => function.objname().qualified_name(),
        Node::TypeName(name) => name.names().qualified_name(),
        Node::RangeVar(table) => table.qualified_name(),
        _ => return (None, None),
    };
    (Some(name), None)
}

impl<'a> EffectsFinder<'a> {
    pub(super) fn lose(&mut self, kind: LossKind, name: Option<QualifiedName>, cascades: bool) {
        self.effects.losses.push(Loss { kind, name, part: None, cascades });
    }

    /// Finds what a utility statement loses.
    pub(super) fn losses(&mut self, node: Node<'a>) {
        match node {
            Node::DropStmt(drop) => self.dropped_objects(drop),
            Node::TruncateStmt(truncate) => {
                let cascades = cascades(truncate.behavior());
                for table in truncate.relations().iter().filter_map(Node::as_range_var) {
                    self.lose(LossKind::AllRows, Some(table.qualified_name()), cascades);
                }
            }
            Node::DropdbStmt(drop) => {
                let name = QualifiedName::unqualified(drop.dbname());
                self.lose(LossKind::Database, Some(name), true);
            }
            Node::DropOwnedStmt(drop) => {
                self.lose(LossKind::Container, None, cascades(drop.behavior()));
            }
            Node::RefreshMatViewStmt(refresh) => {
                let name = refresh.relation().map(RangeVar::qualified_name);
                self.lose(LossKind::AllRows, name, false);
            }
            Node::DropRoleStmt(_)
            | Node::DropTableSpaceStmt(_)
            | Node::DropUserMappingStmt(_)
            | Node::DropSubscriptionStmt(_) => {
                self.lose(LossKind::Definition, None, false);
            }
            _ => {}
        }
    }

    fn dropped_objects(&mut self, drop: DropStmt<'a>) {
        let kind = match drop.remove_type() {
            ObjectType::ObjectTable | ObjectType::ObjectMatview | ObjectType::ObjectSequence => {
                LossKind::Relation
            }
            ObjectType::ObjectSchema | ObjectType::ObjectExtension => LossKind::Container,
            _ => LossKind::Definition,
        };
        let cascades = cascades(drop.behavior());
        for object in drop.objects() {
            let (name, part) = object_name(drop.remove_type(), object);
            self.effects.losses.push(Loss { kind, name, part, cascades });
        }
    }

    /// Finds what a subcommand of `ALTER TABLE` loses, and whether it can run twice.
    pub(super) fn alter_consequences(
        &mut self,
        alter: AlterTableStmt<'a>,
        table: RangeVar<'a>,
        cmd: AlterTableCmd<'a>,
        rule: AlterRule,
    ) {
        if let Some(kind) = rule.loss {
            // An attribute of a type is a column of tables.
            let is_type = alter.objtype() == ObjectType::ObjectType;
            if !(is_type && cmd.subtype() == AlterTableType::AtAlterColumnType) {
                let part = Some(cmd.name()).filter(|name| !name.is_empty()).map(str::to_owned);
                let (name, cascades) = (Some(table.qualified_name()), cascades(cmd.behavior()));
                self.effects.losses.push(Loss { kind, name, part, cascades });
            }
        }
        let repeatable = match rule.repeat {
            Repeat::Always => Answer::Yes,
            Repeat::Never => Answer::No,
            Repeat::ByFlag => cmd.missing_ok().into(),
            Repeat::Depends => Answer::Maybe,
        };
        self.effects.repeatable = self.effects.repeatable.min(repeatable);
    }

    /// Finds what a statement that writes rows loses.
    pub(super) fn rows(&mut self, node: Node<'a>) {
        match node {
            Node::DeleteStmt(delete) => {
                let all = delete.where_clause().is_none() && delete.using_clause().is_empty();
                let kind = if all { LossKind::AllRows } else { LossKind::Rows };
                let name = delete.relation().map(RangeVar::qualified_name);
                self.lose(kind, name, false);
            }
            Node::UpdateStmt(update) => {
                let all = update.where_clause().is_none() && update.from_clause().is_empty();
                let kind = if all { LossKind::AllValues } else { LossKind::Values };
                let name = update.relation().map(RangeVar::qualified_name);
                self.lose(kind, name, false);
            }
            Node::InsertStmt(insert) => {
                let updates = insert
                    .on_conflict_clause()
                    .is_some_and(|clause| clause.action() == OnConflictAction::OnconflictUpdate);
                if updates {
                    let name = insert.relation().map(RangeVar::qualified_name);
                    self.lose(LossKind::Values, name, false);
                }
            }
            Node::MergeStmt(merge) => {
                let name = merge.relation().map(RangeVar::qualified_name);
                for when in merge.merge_when_clauses().iter().filter_map(Node::as_merge_when_clause)
                {
                    match when.command_type() {
                        CmdType::CmdDelete => self.lose(LossKind::Rows, name.clone(), false),
                        CmdType::CmdUpdate => self.lose(LossKind::Values, name.clone(), false),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        let repeatable = repeatable(node);
        self.effects.repeatable = self.effects.repeatable.min(repeatable);
    }
}

/// Returns whether a statement whose type does not tell can run twice, with the same result.
pub(super) fn repeatable(node: Node<'_>) -> Answer {
    match node {
        // A value that is computed of others is another one each time.
        Node::UpdateStmt(update) => {
            let mut values = update.target_list().iter().filter_map(Node::as_res_target);
            let is_constant = values.all(|target| {
                target.val().is_some_and(|value| {
                    value.literal().is_some() || matches!(value, Node::ParamRef(_))
                })
            });
            if is_constant { Answer::Yes } else { Answer::Maybe }
        }
        Node::InsertStmt(insert) => match insert.on_conflict_clause() {
            Some(_) => Answer::Maybe,
            None => Answer::No,
        },
        Node::CopyStmt(copy) => (!copy.is_from()).into(),
        // Of ALTER TABLE, the subcommands tell.
        // An expression of the old values may not fit the new type.
        Node::AlterTableStmt(alter) => {
            let defs = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
            let is_converted = |cmd: AlterTableCmd<'_>| {
                let column = cmd.def().and_then(Node::as_column_def);
                cmd.subtype() == AlterTableType::AtAlterColumnType
                    && column.is_some_and(|it| it.raw_default().is_some())
            };
            if defs.into_iter().any(is_converted) { Answer::Maybe } else { Answer::Yes }
        }
        Node::DeleteStmt(_) => Answer::Yes,
        // Without a name, it is all of them.
        Node::DeallocateStmt(stmt) => stmt.name().is_empty().into(),
        Node::AlterDomainStmt(_) => {
            if is_guarded(node) {
                Answer::Yes
            } else {
                Answer::Maybe
            }
        }
        Node::TransactionStmt(stmt) => {
            let kind = stmt.kind();
            matches!(kind, TransactionStmtKind::TransStmtRollbackTo).into()
        }
        Node::FetchStmt(_) => Answer::No,
        _ => Answer::Maybe,
    }
}

/// Returns the columns that a list of targets names.
pub(super) fn target_names(targets: List<'_>) -> Vec<String> {
    let targets = targets.iter().filter_map(Node::as_res_target);
    targets.map(|target| target.name().to_owned()).collect()
}
