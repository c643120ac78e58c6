//! The copies in an owned tree of nodes that the grammar shares; see `convert/shared_nodes.rs`.

use core::any::Any;

use super::make;
use super::messages::message::DynMessage;
use super::names::protobuf::{
    CommonTableExpr, CreateFunctionStmt, FunctionParameter, FunctionParameterMode, MergeWhenClause,
    MultiAssignRef, Node, ObjectWithArgs, OnConflictClause, TypeName, UpdateStmt, ViewStmt,
};
use super::names::{NodeEnum, NodeRef};
use crate::convert::shared_nodes::ROW;

impl DynMessage {
    /// Returns whether the field of this message that can hold copies does so.
    #[cold]
    #[inline(never)]
    pub(super) fn holds_copies(&self) -> bool {
        let message: &dyn Any = self;
        if let Some(reference) = message.downcast_ref::<MultiAssignRef>() {
            return reference.colno > 1;
        }
        if let Some(object) = message.downcast_ref::<ObjectWithArgs>() {
            return has_types_twice(object);
        }
        if let Some(function) = message.downcast_ref::<CreateFunctionStmt>() {
            return has_type_twice(function);
        }
        message.downcast_ref::<ViewStmt>().is_some_and(has_columns_twice)
    }

    /// Copies the nodes below this one that are in several places from the place where they are visited to the others.
    ///
    /// To be called behind a walk, if [`has_copies`] said so before it.
    #[cold]
    #[inline(never)]
    pub(super) fn renew_copies(&mut self) {
        let message: &mut dyn Any = self;
        if let Some(update) = message.downcast_mut::<UpdateStmt>() {
            renew_sources(&mut update.target_list);
        } else if let Some(clause) = message.downcast_mut::<OnConflictClause>() {
            renew_sources(&mut clause.target_list);
        } else if let Some(clause) = message.downcast_mut::<MergeWhenClause>() {
            renew_sources(&mut clause.target_list);
        } else if let Some(object) = message.downcast_mut::<ObjectWithArgs>() {
            let types = input_types(&object.objfuncargs).cloned().map(Node::from).collect();
            renew(&mut object.objargs, types);
        } else if let Some(function) = message.downcast_mut::<CreateFunctionStmt>() {
            renew_type(function);
        } else if let Some(view) = message.downcast_mut::<ViewStmt>()
            && let Some(columns) = recursive(view).map(|cte| cte.aliascolnames.clone())
        {
            renew(&mut view.aliases, columns);
        }
    }
}

/// Returns whether there are copies below a node for a walk to renew: nodes that are equal before it.
pub(super) fn has_copies(node: NodeRef<'_>) -> bool {
    match node {
        NodeRef::UpdateStmt(update) => has_sources_twice(&update.target_list),
        NodeRef::OnConflictClause(clause) => has_sources_twice(&clause.target_list),
        NodeRef::MergeWhenClause(clause) => has_sources_twice(&clause.target_list),
        NodeRef::ObjectWithArgs(_) | NodeRef::ViewStmt(_) | NodeRef::CreateFunctionStmt(_) => {
            node.message().holds_copies()
        }
        _ => false,
    }
}

/// Returns the part of a source that is assigned to a column.
fn reference(target: &Node) -> Option<&MultiAssignRef> {
    let Some(NodeEnum::ResTarget(target)) = &target.node else { return None };
    let Some(NodeEnum::MultiAssignRef(reference)) = &target.val.as_ref()?.node else { return None };
    Some(reference)
}

fn reference_mut(target: &mut Node) -> Option<&mut MultiAssignRef> {
    let Some(NodeEnum::ResTarget(target)) = &mut target.node else { return None };
    let Some(NodeEnum::MultiAssignRef(reference)) = &mut target.val.as_mut()?.node else {
        return None;
    };
    Some(reference)
}

/// Returns whether sources are assigned to several columns, and are equal in all of them.
fn has_sources_twice(targets: &[Node]) -> bool {
    let (mut first, mut found) = (None, false);
    for target in targets {
        match reference(target) {
            Some(reference) if reference.colno > 1 => {
                if first != Some(&reference.source) {
                    return false;
                }
                found = true;
            }
            reference => first = reference.map(|reference| &reference.source),
        }
    }
    found
}

/// Copies each source that is assigned to several columns from the first of them to the others.
fn renew_sources(mut targets: &mut [Node]) {
    while let Some((first, behind)) = targets.split_first_mut() {
        if let Some(first) = reference(first).filter(|first| first.colno <= 1) {
            let others = behind.iter_mut().map_while(reference_mut);
            for other in others.take_while(|other| other.colno > 1) {
                if other.source != first.source {
                    let old = core::mem::replace(&mut other.source, first.source.clone());
                    if let Some(old) = old {
                        old.drop_iteratively();
                    }
                }
            }
        }
        targets = behind;
    }
}

/// Returns the types of those parameters that are part of a function's signature.
fn input_types(parameters: &[Node]) -> impl Iterator<Item = &TypeName> {
    parameters.iter().filter_map(|parameter| {
        let Some(NodeEnum::FunctionParameter(parameter)) = &parameter.node else { return None };
        let is_output = matches!(
            parameter.mode(),
            FunctionParameterMode::FuncParamOut | FunctionParameterMode::FuncParamTable
        );
        if is_output { None } else { parameter.arg_type.as_ref().map(|name| -> &TypeName { name }) }
    })
}

/// Returns whether the arguments of a function are the types of its parameters.
fn has_types_twice(object: &ObjectWithArgs) -> bool {
    let types = object.objargs.iter().map(|node| node.to_ref()?.as_type_name());
    !object.objargs.is_empty() && types.eq(input_types(&object.objfuncargs).map(Some))
}

fn renew(copies: &mut Vec<Node>, nodes: Vec<Node>) {
    if *copies != nodes {
        let old = core::mem::replace(copies, nodes);
        old.into_iter().for_each(Node::drop_iteratively);
    }
}

/// Returns whether the columns of a view are those of the `WITH` that `CREATE RECURSIVE VIEW` makes.
fn has_columns_twice(view: &ViewStmt) -> bool {
    !view.aliases.is_empty() && recursive(view).is_some_and(|cte| cte.aliascolnames == view.aliases)
}

/// Returns the query in the `WITH` that `CREATE RECURSIVE VIEW` makes: it is not in the SQL, and so has no location.
fn recursive(view: &ViewStmt) -> Option<&CommonTableExpr> {
    let Some(NodeEnum::SelectStmt(select)) = &view.query.as_ref()?.node else { return None };
    let with = select.with_clause.as_ref()?;
    let [cte] = &with.ctes[..] else { return None };
    let cte = cte.to_ref()?.as_common_table_expr()?;
    (with.recursive && with.location < 0 && cte.location < 0).then_some(cte)
}

/// Returns the types of the columns of `RETURNS TABLE`.
fn columns(function: &CreateFunctionStmt) -> impl Iterator<Item = Option<&TypeName>> {
    let parameters = function.parameters.iter();
    let parameters = parameters.filter_map(|node| node.to_ref()?.as_function_parameter());
    let is_column = |it: &&FunctionParameter| it.mode() == FunctionParameterMode::FuncParamTable;
    parameters.filter(is_column).map(|it| it.arg_type.as_ref().map(|name| -> &TypeName { name }))
}

/// Compares, but for whether it is a set of this type, and its place.
fn is_like(returned: &TypeName, column: &TypeName) -> bool {
    let TypeName {
        names,
        type_oid,
        setof: _,
        pct_type,
        typmods,
        typemod,
        array_bounds,
        location: _,
    } = column;
    returned.type_oid == *type_oid
        && returned.pct_type == *pct_type
        && returned.typemod == *typemod
        && returned.names == *names
        && returned.typmods == *typmods
        && returned.array_bounds == *array_bounds
}

fn is_row(returned: &TypeName) -> bool {
    returned.names.iter().map(Node::as_str).eq(ROW.map(Some))
}

/// Returns whether what a function returns is what its columns say: the type of the only one, or that of a row.
fn has_type_twice(function: &CreateFunctionStmt) -> bool {
    let mut columns = columns(function);
    let Some(returned) = function.return_type.as_ref().filter(|returned| returned.setof) else {
        return false;
    };
    match (columns.next(), columns.next()) {
        (Some(column), None) => column.is_some_and(|column| is_like(returned, column)),
        (Some(_), Some(_)) => is_row(returned),
        (None, _) => false,
    }
}

/// Makes what a function returns of what its columns have become. Without one, it stays.
fn renew_type(function: &mut CreateFunctionStmt) {
    let Some(returned) = &function.return_type else { return };
    let mut columns = columns(function);
    let new = match (columns.next(), columns.next()) {
        (Some(Some(column)), None) if !is_like(returned, column) => column.clone(),
        (Some(_), Some(_)) if !is_row(returned) => {
            let names = ROW.map(|part| make::string(part).into()).to_vec();
            TypeName { names, typemod: -1, ..TypeName::default() }
        }
        _ => return,
    };
    let new = TypeName { setof: true, location: returned.location, ..new };
    drop(columns);
    if let Some(old) = function.return_type.replace(new) {
        Node::from(old).drop_iteratively();
    }
}
