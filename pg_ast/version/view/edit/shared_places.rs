//! The nodes that the grammar shares, while a tree is edited; see `convert/shared_nodes.rs`.
//!
//! An edit needs a tree in which each node has one parent. So the places in which walks leave a shared node out are emptied when
//! the edit begins, and point to what has become of the node when it ends. Nothing is copied: a copy for each place would grow
//! exponentially where such nodes are nested.

use core::ptr::{self, NonNull};

use super::super::memory::changes::{At, EditUnderWay};
use super::super::names::protobuf;
use super::super::names::raw;
use super::super::{
    CreateFunctionStmt, List, MultiAssignRef, Node, ObjectWithArgs, TypeName, ViewStmt,
};
use super::{Arena, ListMut, New, NodeMut, NodesMut, copied};
use crate::convert::c_tree::in_c::InC;
use crate::convert::shared_nodes::ROW;

/// Returns a node as a place.
///
/// # Safety
///
/// It is a node of a tree that is edited, which nobody else reads or writes for as long as `'m`.
unsafe fn whole<'m, T>(node: *const T, edit: EditUnderWay<'_>) -> At<'m, '_, T> {
    // SAFETY: the caller guarantees it; a node is not null.
    unsafe { At::new(NonNull::new_unchecked(node.cast_mut()), edit) }
}

/// Returns the place for the source of a reference.
///
/// # Safety
///
/// As [`whole`].
unsafe fn source_of<'m>(
    reference: *const raw::MultiAssignRef,
    edit: EditUnderWay<'_>,
) -> At<'m, '_, *mut raw::Node> {
    // SAFETY: the caller guarantees it.
    unsafe {
        let reference = whole(reference, edit);
        let field = &raw mut (*reference.as_ptr()).source;
        reference.part(field)
    }
}

/// Returns the reference that is assigned to a column.
fn reference(target: Node<'_>) -> Option<MultiAssignRef<'_>> {
    target.as_res_target()?.val()?.as_multi_assign_ref()
}

/// Returns the source of a column that is not the first one of several. A copy of the column alone needs it.
pub(super) fn later_source(node: Node<'_>) -> Option<Node<'_>> {
    let found = if let Node::MultiAssignRef(found) = node { found } else { reference(node)? };
    if found.colno() > 1 { found.source() } else { None }
}

/// Puts a source into such a column.
pub(super) fn put_source<'t>(column: Option<NodeMut<'_, 't>>, source: New<'t>) {
    match column {
        Some(NodeMut::MultiAssignRef(mut reference)) => reference.source_mut().set(source),
        Some(NodeMut::ResTarget(mut target)) => {
            if let Some(NodeMut::MultiAssignRef(mut reference)) = target.val_mut().get_mut() {
                reference.source_mut().set(source);
            }
        }
        _ => {}
    }
}

/// Returns the indexes of the references to the same source as the one before them: those with a `colno` of 2 or more, and for
/// each the index of the first one.
fn later_columns(targets: List<'_>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut first = None;
    for (index, target) in targets.iter().enumerate() {
        match (reference(target), first) {
            (Some(reference), Some(first)) if reference.colno() > 1 => pairs.push((first, index)),
            (reference, _) => first = reference.filter(|it| it.colno() <= 1).map(|_| index),
        }
    }
    pairs
}

/// Returns whether a source is that of the first column, or a copy of it, or is left out.
fn is_that_of(first: Option<Node<'_>>, later: Option<Node<'_>>) -> bool {
    match (first, later) {
        (Some(first), Some(later)) => first.is_same(later) || first == later,
        (_, None) => true,
        (None, Some(_)) => false,
    }
}

/// Empties the sources of all columns but the first.
fn take_sources<'t>(mut targets: ListMut<'_, 't>, edit: EditUnderWay<'t>) {
    for (first, later) in later_columns(targets.view()) {
        let source = |index| reference(targets.get(index)?).map(MultiAssignRef::source);
        if !is_that_of(source(first).flatten(), source(later).flatten()) {
            continue;
        }
        edit.state().has_shared.set(true);
        if let Some(NodeMut::ResTarget(mut target)) = targets.get_mut(later)
            && let Some(NodeMut::MultiAssignRef(mut reference)) = target.val_mut().get_mut()
        {
            let _ = reference.source_mut().take();
        }
    }
}

/// Empties the places in which shared nodes are left out in walks.
pub(super) fn take_out<'t>(mut nodes: NodesMut<'_, 't>, edit: EditUnderWay<'t>) {
    let state = edit.state();
    // What is taken out here comes back.
    let may_lack = state.may_lack.get();
    while let Some(mut slot) = nodes.next() {
        match slot.get() {
            Some(Node::ObjectWithArgs(object)) if object.has_types_twice() => {}
            Some(Node::ViewStmt(view)) if view.has_columns_twice() => {}
            Some(Node::CreateFunctionStmt(function)) if function.has_type_twice() => {}
            Some(Node::UpdateStmt(_) | Node::OnConflictClause(_) | Node::MergeWhenClause(_)) => {}
            _ => continue,
        }
        match slot.get_mut() {
            Some(NodeMut::UpdateStmt(mut update)) => take_sources(update.target_list_mut(), edit),
            Some(NodeMut::OnConflictClause(mut clause)) => {
                take_sources(clause.target_list_mut(), edit);
            }
            Some(NodeMut::MergeWhenClause(mut clause)) => {
                take_sources(clause.target_list_mut(), edit);
            }
            Some(NodeMut::ObjectWithArgs(mut object)) => {
                state.has_shared.set(true);
                object.objargs_mut().take_raw();
            }
            Some(NodeMut::ViewStmt(mut view)) => {
                state.has_shared.set(true);
                let columns = view.aliases_mut().take_raw();
                state.columns.borrow_mut().insert(view.view().0.as_ptr(), columns);
            }
            // It is no node of another place, but a copy of one, which walks leave out.
            Some(NodeMut::CreateFunctionStmt(_)) => state.has_shared.set(true),
            _ => {}
        }
    }
    state.may_lack.set(may_lack);
}

/// The places that are filled again.
#[derive(Default)]
pub(super) struct PutBack {
    /// The references to a source, each with the first one.
    sources: Vec<(*const raw::MultiAssignRef, *const raw::MultiAssignRef)>,
    objects: Vec<*const raw::ObjectWithArgs>,
    views: Vec<*const raw::ViewStmt>,
    functions: Vec<*const raw::CreateFunctionStmt>,
}

impl PutBack {
    /// Finds them below these nodes.
    pub(super) fn find<'t>(mut nodes: NodesMut<'_, 't>, edit: EditUnderWay<'t>) -> Self {
        let taken = edit.state().columns.borrow();
        let mut found = Self::default();
        while let Some(slot) = nodes.next() {
            let targets = match slot.get() {
                Some(Node::UpdateStmt(update)) => update.target_list(),
                Some(Node::OnConflictClause(clause)) => clause.target_list(),
                Some(Node::MergeWhenClause(clause)) => clause.target_list(),
                // The grammar makes no parameters without the types.
                Some(Node::ObjectWithArgs(object)) if object.objargs().is_empty() => {
                    found.objects.push(object.0.as_ptr());
                    continue;
                }
                Some(Node::ViewStmt(view))
                    if view.aliases().is_empty()
                        && (view.recursive().is_some() || taken.contains_key(&view.0.as_ptr())) =>
                {
                    found.views.push(view.0.as_ptr());
                    continue;
                }
                Some(Node::CreateFunctionStmt(function))
                    if !function.has_type_twice()
                        && function.return_type().is_some_and(TypeName::setof)
                        && function.columns().next().is_some() =>
                {
                    found.functions.push(function.0.as_ptr());
                    continue;
                }
                _ => continue,
            };
            for (first, later) in later_columns(targets) {
                let get = |index| targets.get(index).and_then(reference);
                if let (Some(first), Some(later)) = (get(first), get(later))
                    && later.source().is_none()
                {
                    found.sources.push((later.0.as_ptr(), first.0.as_ptr()));
                }
            }
        }
        found
    }

    /// Fills the places.
    ///
    /// # Safety
    ///
    /// The edit is over: nobody has a handle any more.
    pub(super) unsafe fn fill<'t>(&self, edit: EditUnderWay<'t>) {
        for &(later, first) in &self.sources {
            // SAFETY: the caller guarantees that nobody else reads or writes these nodes. The source then has several places,
            // of which the next edit empties all but the first.
            unsafe {
                let first = MultiAssignRef(InC::new(first));
                let source = first.source().and_then(Node::as_raw);
                if let Some(source) = source {
                    source_of(later, edit).replace(source.as_ptr().cast_mut());
                }
            }
        }
        for &object in &self.objects {
            // SAFETY: as above; the types are in the parameters as well, or there are none.
            unsafe {
                let types: Vec<New<'t>> = ObjectWithArgs(InC::new(object))
                    .input_types()
                    .map(|name| New::wrap(name.0.as_ptr().cast_mut().cast(), edit))
                    .collect();
                let whole = whole(object, edit);
                let field = &raw mut (*whole.as_ptr()).objargs;
                let mut list = ListMut::new(whole.part(field));
                for name in types {
                    list.push(name);
                }
            }
        }
        let taken = edit.state().columns.borrow();
        for &view in &self.views {
            // SAFETY: as above; the columns are in the WITH as well. Without it, nothing else has those that were there.
            unsafe {
                let columns = match ViewStmt(InC::new(view)).recursive() {
                    Some(cte) => cte.aliascolnames().as_ptr(),
                    None => taken.get(&view).map_or(ptr::null(), |old| {
                        let old = InC::new_or_null(old.cast::<raw::Node>());
                        old.map_or(ptr::null_mut(), |old| copied(old, edit).0).cast()
                    }),
                };
                let whole = whole(view, edit);
                let field = &raw mut (*whole.as_ptr()).aliases;
                whole.part(field).replace(columns.cast_mut());
            }
        }
        for &function in &self.functions {
            // SAFETY: as above.
            unsafe { fill_type(function, edit) };
        }
    }

    /// Empties the places again.
    ///
    /// # Safety
    ///
    /// As [`fill`](Self::fill).
    pub(super) unsafe fn empty(&self, edit: EditUnderWay<'_>) {
        for &(later, _) in &self.sources {
            // SAFETY: as there.
            unsafe { source_of(later, edit) }.take();
        }
    }
}

/// Makes what a function returns of what its columns have become.
///
/// # Safety
///
/// As [`PutBack::fill`]. The function has columns.
unsafe fn fill_type(function: *const raw::CreateFunctionStmt, edit: EditUnderWay<'_>) {
    // SAFETY: the caller guarantees the function. A copy is a whole struct, and in no other place.
    unsafe {
        let view = CreateFunctionStmt(InC::new(function));
        let location = view.return_type().map_or(-1, TypeName::location);
        let mut columns = view.columns();
        let returned: *mut raw::TypeName = match (columns.next(), columns.next()) {
            (Some(Some(column)), None) => copied(InC::new(column.0.as_ptr().cast()), edit).0.cast(),
            _ => row(edit).into_raw().cast(),
        };
        (&raw mut (*returned).setof).write(true);
        (&raw mut (*returned).location).write(location);
        let whole = whole(function, edit);
        let field = &raw mut (*whole.as_ptr()).returnType;
        whole.part(field).replace(returned);
    }
}

/// Makes the type that a function with several columns returns.
fn row(edit: EditUnderWay<'_>) -> New<'_, protobuf::TypeName> {
    let arena = Arena(edit);
    let mut row = arena.make::<protobuf::TypeName>();
    let mut name = row.as_mut();
    name.names_mut().extend(ROW.map(|part| arena.string(part)));
    name.set_typemod(-1);
    row
}
