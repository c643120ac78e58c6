//! The tree of SQL, changed in its place: as the same changes of the owned tree, or in any way.

use core::ops::ControlFlow;

use pg_ast::protobuf;
use pg_ast::view::edit::{self, Arena, ListMut, New, Slot, StmtsMut};
use pg_ast::view::{self, Node, Tree};
use pg_ast::{Error, ErrorKind, NodeMut, ParseResult, make};

use super::{Source, split};

/// The maximum number of changes of each kind.
const MAX_CHANGES: usize = 24;

/// A list is not made longer than this.
const LONG_LIST: usize = 100;

const STRINGS: [&str; 12] =
    ["", "a", "\"", "'", "\\", "é", "a b", "SELECT", "pg_catalog", "bpchar", "+", "a\0b"];

/// SQL, followed by the bytes that select the changes.
pub fn run(data: &[u8]) {
    let (text, rest) = split(data);
    let source = &mut Source::new(rest);
    let (Ok(mut tree), Ok(mut owned)) = (view::parse(text), pg_ast::parse(text)) else { return };
    if source.chance() {
        // In one block of memory.
        tree = tree.compact();
    }
    let changes: Vec<_> = (0..source.below(MAX_CHANGES)).map(|_| Change::new(source)).collect();
    change_both(&mut tree, &mut owned, &changes);
    are_same(&tree, &owned, text);
    read(&tree);

    let donor = tree.clone();
    for _ in 0..=source.below(3) {
        tree.edit(|stmts, arena| change(stmts, arena, &donor, source));
        read(&tree);
        if source.chance() {
            tree = tree.clone();
            read(&tree);
        }
        if source.is_empty() {
            break;
        }
    }
}

/// A change that both kinds of tree have, of the node with a number.
struct Change {
    node: usize,
    what: usize,
    list: usize,
    item: usize,
    text: &'static str,
}

impl Change {
    fn new(source: &mut Source<'_>) -> Self {
        Self {
            node: source.below(200),
            what: source.below(4),
            list: source.below(8),
            item: source.below(8),
            text: STRINGS[source.below(STRINGS.len())],
        }
    }

    fn number(&self) -> i32 {
        i32::try_from(self.item).unwrap_or(0)
    }

    /// Changes a list of a view.
    fn list<'t>(&self, mut list: ListMut<'_, 't>, arena: &Arena<'t>) {
        let length = list.len();
        let item = self.item.min(length.saturating_sub(1));
        match self.list {
            0 => {
                let _ = list.remove(item);
            }
            1 => list.swap(0, item),
            2 => {
                let _ = list.split_off(item);
            }
            3 | 4 if length >= LONG_LIST => {}
            3 | 4 => {
                let Some(node) = list.get(item) else { return };
                let copy = arena.copy(node);
                if self.list == 3 { list.push(copy) } else { list.insert(0, copy) }
            }
            5 => {
                let mut number = 0;
                list.retain(|_| {
                    number += 1;
                    number % 2 == 0
                });
            }
            6 => list.clear(),
            _ => {
                let rest = list.split_off(item);
                list.append(rest);
            }
        }
    }

    /// Changes a list of an owned tree.
    fn items(&self, items: &mut Vec<protobuf::Node>) {
        let item = self.item.min(items.len().saturating_sub(1));
        match self.list {
            0 if !items.is_empty() => drop(items.remove(item)),
            1 if !items.is_empty() => items.swap(0, item),
            2 => items.truncate(item),
            3 | 4 if items.len() >= LONG_LIST || items.is_empty() => {}
            3 => items.push(items[item].clone()),
            4 => items.insert(0, items[item].clone()),
            5 => {
                let mut number = 0;
                items.retain(|_| {
                    number += 1;
                    number % 2 == 0
                });
            }
            6 => items.clear(),
            _ => {}
        }
    }

    fn of_view<'t>(&self, node: edit::NodeMut<'_, 't>, arena: &Arena<'t>) {
        use edit::NodeMut as Is;
        match node {
            Is::String(mut node) => node.set_sval(self.text),
            Is::List(list) => self.list(list, arena),
            Is::ParamRef(mut node) => node.set_number(7),
            Is::RangeVar(mut node) => match self.what {
                0 => node.set_schemaname(self.text),
                1 => node.set_relname(self.text),
                2 => node.set_inh(false),
                _ => {
                    let _ = node.alias_mut().take();
                }
            },
            Is::ResTarget(mut node) => match self.what {
                0 | 1 => node.set_name(self.text),
                2 => self.list(node.indirection_mut(), arena),
                _ => {
                    let _ = node.val_mut().take();
                }
            },
            Is::ColumnRef(mut node) => self.list(node.fields_mut(), arena),
            Is::FuncCall(mut node) => match self.what {
                0 => self.list(node.args_mut(), arena),
                1 => self.list(node.funcname_mut(), arena),
                2 => node.set_agg_star(true),
                _ => node.set_func_variadic(true),
            },
            Is::SelectStmt(mut node) => match self.what {
                0 => self.list(node.target_list_mut(), arena),
                1 => self.list(node.from_clause_mut(), arena),
                2 => self.list(node.values_lists_mut(), arena),
                _ => {
                    let _ = node.where_clause_mut().take();
                }
            },
            Is::InsertStmt(mut node) => self.list(node.cols_mut(), arena),
            Is::CreateStmt(mut node) => match self.what {
                0 => self.list(node.table_elts_mut(), arena),
                1 => node.set_if_not_exists(true),
                _ => node.set_tablespacename(self.text),
            },
            Is::TypeName(mut node) => match self.what {
                0 => self.list(node.names_mut(), arena),
                1 => self.list(node.typmods_mut(), arena),
                2 => node.set_setof(true),
                _ => node.set_typemod(self.number()),
            },
            Is::AConst(mut node) => {
                let value = protobuf::Float { fval: self.text.to_owned() };
                match self.what {
                    0 => node.set_val(Some(protobuf::a_const::Val::Fval(value))),
                    1 => node.set_val(None),
                    2 => node.set_isnull(true),
                    _ => node.set_location(self.number()),
                }
            }
            Is::AExpr(mut node) => match self.what {
                0 => self.list(node.name_mut(), arena),
                1 => {
                    let _ = node.lexpr_mut().take();
                }
                2 => node.rexpr_mut().set(arena.string(self.text)),
                _ => node.set_kind(protobuf::AExprKind::AexprIn),
            },
            Is::DefElem(mut node) => match self.what {
                0 => node.set_defname(self.text),
                _ => {
                    let _ = node.arg_mut().take();
                }
            },
            _ => {}
        }
    }

    fn of_owned(&self, node: NodeMut<'_>) {
        use NodeMut as Is;
        match node {
            Is::String(node) => self.text.clone_into(&mut node.sval),
            Is::List(list) => self.items(&mut list.items),
            Is::ParamRef(node) => node.number = 7,
            Is::RangeVar(node) => match self.what {
                0 => self.text.clone_into(&mut node.schemaname),
                1 => self.text.clone_into(&mut node.relname),
                2 => node.inh = false,
                _ => node.alias = None,
            },
            Is::ResTarget(node) => match self.what {
                0 | 1 => self.text.clone_into(&mut node.name),
                2 => self.items(&mut node.indirection),
                _ => node.val = None,
            },
            Is::ColumnRef(node) => self.items(&mut node.fields),
            Is::FuncCall(node) => match self.what {
                0 => self.items(&mut node.args),
                1 => self.items(&mut node.funcname),
                2 => node.agg_star = true,
                _ => node.func_variadic = true,
            },
            Is::SelectStmt(node) => match self.what {
                0 => self.items(&mut node.target_list),
                1 => self.items(&mut node.from_clause),
                2 => self.items(&mut node.values_lists),
                _ => node.where_clause = None,
            },
            Is::InsertStmt(node) => self.items(&mut node.cols),
            Is::CreateStmt(node) => match self.what {
                0 => self.items(&mut node.table_elts),
                1 => node.if_not_exists = true,
                _ => self.text.clone_into(&mut node.tablespacename),
            },
            Is::TypeName(node) => match self.what {
                0 => self.items(&mut node.names),
                1 => self.items(&mut node.typmods),
                2 => node.setof = true,
                _ => node.typemod = self.number(),
            },
            Is::AConst(node) => {
                let value = protobuf::Float { fval: self.text.to_owned() };
                match self.what {
                    0 => node.val = Some(protobuf::a_const::Val::Fval(value)),
                    1 => node.val = None,
                    2 => node.isnull = true,
                    _ => node.location = self.number(),
                }
            }
            Is::AExpr(node) => match self.what {
                0 => self.items(&mut node.name),
                1 => node.lexpr = None,
                2 => {
                    let text = protobuf::String { sval: self.text.to_owned() };
                    node.rexpr = Some(Box::new(text.into()));
                }
                _ => node.kind = protobuf::AExprKind::AexprIn.into(),
            },
            Is::DefElem(node) => match self.what {
                0 => self.text.clone_into(&mut node.defname),
                _ => node.arg = None,
            },
            _ => {}
        }
    }
}

fn change_both(tree: &mut Tree, owned: &mut ParseResult, changes: &[Change]) {
    tree.edit(|mut stmts, arena| {
        let (mut nodes, mut number) = (stmts.nodes_mut(), 0);
        while let Some(mut slot) = nodes.next() {
            for change in changes.iter().filter(|change| change.node == number) {
                if let Some(node) = slot.get_mut() {
                    change.of_view(node, arena);
                }
            }
            number += 1;
        }
    });
    let mut number = 0;
    let _ = owned.walk_mut(|mut node| {
        for change in changes.iter().filter(|change| change.node == number) {
            change.of_owned(node.reborrow());
        }
        number += 1;
        ControlFlow::<()>::Continue(())
    });
}

/// The same tree, with the same SQL.
fn are_same(tree: &Tree, owned: &ParseResult, sql: &str) {
    let expected = match owned.to_view() {
        Ok(expected) => expected,
        Err(error) => {
            let found = tree.deparse();
            return assert!(found.is_err(), "{error:?}, but {found:?} for {sql:?}");
        }
    };
    assert!(
        tree.encode_to_vec() == expected.encode_to_vec(),
        "{tree:?}, owned: {expected:?} for {sql:?}"
    );
    print_alike(tree.deparse(), pg_ast::deparse(owned), sql);
}

fn print_alike(found: Result<String, Error>, expected: Result<String, Error>, sql: &str) {
    match (found, expected) {
        // An owned tree does not distinguish an empty string from NULL.
        (Ok(found), Ok(expected)) => {
            assert!(
                found == expected || found.contains("''"),
                "{found:?}, owned: {expected:?} for {sql:?}"
            );
        }
        (Err(found), Err(expected)) => {
            is_unprintable(&found);
            is_unprintable(&expected);
        }
        // A list without items is nothing in C.
        (Ok(_), Err(expected)) if expected.message().contains("without items") => {}
        (found, expected) => panic!("{found:?}, owned: {expected:?} for {sql:?}"),
    }
}

fn is_unprintable(error: &Error) {
    let expected = matches!(
        error.kind(),
        ErrorKind::Deparse | ErrorKind::Nul | ErrorKind::TooDeep | ErrorKind::TooLarge
    );
    assert!(expected, "{error:?}");
}

/// Changes anything.
fn change<'t>(
    mut stmts: StmtsMut<'_, 't>,
    arena: &Arena<'t>,
    donor: &Tree,
    source: &mut Source<'_>,
) {
    let count = donor.nodes().count().max(1);
    let mut taken: Vec<New<'t>> = Vec::new();
    for _ in 0..source.below(MAX_CHANGES) {
        let place = source.below(count);
        let mut nodes = stmts.nodes_mut();
        for _ in 0..place {
            if nodes.next().is_none() {
                break;
            }
            if source.below(64) == 1 {
                nodes.skip_children();
            }
        }
        if let Some(slot) = nodes.next() {
            change_place(slot, arena, donor, &mut taken, source);
            let _ = nodes.next();
        }
        if source.below(16) == 1 {
            change_stmts(stmts.reborrow(), arena, donor, source);
        }
    }
    if source.below(8) == 1 {
        let mut taken = taken;
        stmts.transform(|node| match source.below(16) {
            1 => taken.pop().unwrap_or(node),
            2 => arena.copy(node.view()),
            3 => arena.list([node]).into(),
            _ => node,
        });
    }
}

fn any_node<'a>(donor: &'a Tree, source: &mut Source<'_>) -> Node<'a> {
    let count = donor.nodes().count().max(1);
    donor.nodes().nth(source.below(count)).unwrap_or(Node::Null)
}

fn new_node<'t>(arena: &Arena<'t>, donor: &Tree, source: &mut Source<'_>) -> New<'t> {
    let text = STRINGS[source.below(STRINGS.len())];
    match source.below(8) {
        0 => arena.string(text).into(),
        1 => arena.make::<protobuf::FuncCall>().into(),
        2 => arena.make::<protobuf::SelectStmt>().into(),
        3 => arena.list([arena.string(text)]).into(),
        4 => arena.own(&make::param_ref(1)).expect("there is nothing wrong in it").into(),
        5 => {
            let node = any_node(donor, source).to_owned_tree();
            let new = node.ok().and_then(|node| arena.own(&node).ok());
            new.unwrap_or_else(|| arena.make::<protobuf::TypeName>().into())
        }
        _ => arena.copy(any_node(donor, source)),
    }
}

fn change_place<'t>(
    mut slot: Slot<'_, 't>,
    arena: &Arena<'t>,
    donor: &Tree,
    taken: &mut Vec<New<'t>>,
    source: &mut Source<'_>,
) {
    match source.below(10) {
        0 => slot.set(new_node(arena, donor, source)),
        1 => taken.extend(slot.take()),
        2 => taken.extend(slot.replace(new_node(arena, donor, source))),
        3 => {
            if let Some(node) = taken.pop() {
                taken.extend(slot.replace(node));
            }
        }
        4 => {
            // Twice, since each place has its own node.
            let copy = slot.get().map(|node| arena.copy(node));
            taken.extend(copy);
        }
        5 => slot.update(|node| {
            let mut around = arena.make::<protobuf::AExpr>();
            around.as_mut().lexpr_mut().set(node);
            around
        }),
        6 => slot.update(|node| arena.list([node])),
        7 => {
            let mut below = slot.nodes_mut();
            let _ = below.next();
            if let Some(mut child) = below.next() {
                taken.extend(child.take());
            }
        }
        _ => {
            let change = Change::new(source);
            let Some(mut node) = slot.get_mut() else { return };
            change.of_view(node.reborrow(), arena);
            if let edit::NodeMut::List(mut list) | edit::NodeMut::IntList(mut list) = node {
                list.extend(taken.drain(..).take(2));
                list.push(new_node(arena, donor, source));
            }
        }
    }
}

fn change_stmts<'t>(
    mut stmts: StmtsMut<'_, 't>,
    arena: &Arena<'t>,
    donor: &Tree,
    source: &mut Source<'_>,
) {
    let index = source.below(4);
    match source.below(4) {
        0 => {
            let _ = stmts.remove(index);
        }
        1 if stmts.len() < LONG_LIST => {
            let node = new_node(arena, donor, source);
            let stmt = node.into_type().unwrap_or_else(|node| arena.stmt(node));
            stmts.insert(index, stmt);
        }
        2 => stmts.retain(|stmt| stmt.view().stmt().is_some()),
        _ => stmts.walk_tables_mut(|table, _| table.set_schemaname("s")),
    }
}

/// Runs all calls that read; the copies are the same tree.
fn read(tree: &Tree) {
    let bytes = tree.encode_to_vec();
    let copy = tree.compact();
    assert!(copy == *tree, "{tree:?}");
    assert!(copy.encode_to_vec() == bytes, "{tree:?}");
    assert_eq!(copy.fingerprint(), tree.fingerprint());
    let _ = (tree.analyze(), tree.tables(), tree.functions(), tree.statement_types());
    let _ = (tree.is_utility_stmt(), pg_ast::HeapSize::heap_size(tree));
    assert!(format!("{tree:?}").len() > 8);
    let printed = tree.deparse();
    match (&printed, copy.deparse()) {
        (Ok(text), Ok(again)) => assert_eq!(*text, again),
        (Err(error), Err(_)) => is_unprintable(error),
        (found, other) => panic!("{found:?}, the copy: {other:?} for {tree:?}"),
    }
    for node in tree.nodes().step_by(7).take(8) {
        let piece = node.to_tree();
        if let Err(error) = piece.deparse() {
            is_unprintable(&error);
        }
        assert_eq!(piece.nodes().next().is_some(), node != Node::Null);
    }
    match tree.to_owned_tree() {
        Ok(owned) => {
            let sql = printed.as_deref().unwrap_or_default();
            print_alike(printed.clone(), pg_ast::deparse(&owned), sql);
        }
        Err(error) => is_unprintable(&error),
    }
}
