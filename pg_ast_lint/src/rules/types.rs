//! Enums and domains.

use pg_ast::protobuf::{ConstrType, ObjectType};
use pg_ast::view::{AlterDomainStmt, AlterEnumStmt, Constraint, CreateDomainStmt, Node};

use super::in_case_of;
use crate::state::State;
use crate::stmt::{Stmt, insert};
use crate::{Finding, Fix, Rule};

pub(super) fn check(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    match node {
        Node::AlterEnumStmt(alter) => enum_changed(stmt, state, alter, found),
        Node::CreateDomainStmt(create) => domain_created(stmt, create, found),
        Node::AlterDomainStmt(alter) => domain_changed(stmt, state, alter, found),
        _ => {}
    }
}

fn enum_changed(
    stmt: &Stmt<'_>,
    state: &State,
    alter: AlterEnumStmt<'_>,
    found: &mut Vec<Finding>,
) {
    if state.is_name_new(ObjectType::ObjectType, Node::List(alter.type_name())) {
        return;
    }
    let range = stmt.place(alter);
    if !alter.old_val().is_empty() {
        let help = "add the new value, write it, and let the old one be";
        found.push(Finding::of(Rule::RenameEnumValue, range).help(help));
    } else if alter.new_val_neighbor().is_empty() {
        found.push(Finding::of(Rule::EnumValueOrder, range).help("add BEFORE or AFTER a value"));
    }
}

fn domain_created(stmt: &Stmt<'_>, create: CreateDomainStmt<'_>, found: &mut Vec<Finding>) {
    for constraint in create.constraints().iter().filter_map(Node::as_constraint) {
        if matches!(constraint.contype(), ConstrType::ConstrCheck | ConstrType::ConstrNotnull) {
            let help = "put the constraint on the columns";
            found
                .push(Finding::of(Rule::CreateDomainConstraint, stmt.place(constraint)).help(help));
        }
    }
}

fn domain_changed(
    stmt: &Stmt<'_>,
    state: &State,
    alter: AlterDomainStmt<'_>,
    found: &mut Vec<Finding>,
) {
    if state.is_name_new(ObjectType::ObjectType, Node::List(alter.type_name())) {
        return;
    }
    let finding = Finding::of(Rule::DomainValidates, stmt.place(alter));
    let constraint = alter.def().and_then(Node::as_constraint);
    match (alter.subtype(), constraint) {
        ("C", Some(constraint)) if !constraint.skip_validation() => {
            let is_check = |it: Constraint<'_>| it.contype() == ConstrType::ConstrCheck;
            let end = stmt.range_of(constraint).filter(|_| is_check(constraint));
            let fix = end.map(|range| {
                let model = stmt.text(stmt.range.clone()).get(..5).unwrap_or_default();
                let text = in_case_of(model, " not valid");
                // The values that there are remain to be validated.
                Fix::new("Add NOT VALID", vec![insert(range.end, text)]).not_safe()
            });
            found.push(
                finding
                    .help("add it NOT VALID, and VALIDATE it in a transaction of its own")
                    .fix(fix),
            );
        }
        ("O", _) => {
            let help = "add a CHECK (VALUE IS NOT NULL) NOT VALID, and VALIDATE it";
            found.push(finding.help(help));
        }
        _ => {}
    }
}
