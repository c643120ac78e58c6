//! The order of statements by what they define and need.

use core::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::stmt_dependencies::{Dependencies, Object, StmtOrder};

/// The statements that have to do with an object, in order.
#[derive(Default)]
struct OfObject<'d> {
    creators: Vec<usize>,
    /// Those that replace it, and those that add to it: who needs the object comes after them if that is possible.
    replacing: Vec<usize>,
    casts: Vec<usize>,
    completing: Vec<usize>,
    /// For each function of the name, the nodes for those before it and for those behind it.
    others: Vec<[usize; 2]>,
    enders: Vec<usize>,
    /// Those that need it, if some end it.
    users: Vec<usize>,
    /// The arguments of the first of several functions of a name.
    arguments: Option<&'d [String]>,
    /// Whether those that define it define objects which differ in their arguments.
    is_overloaded: bool,
    /// The nodes for all functions of a name, for what replaces it, for its casts, and for what else adds to it.
    all: [Option<usize>; LEVELS],
}

/// The levels of hints: a choice between functions of one name, the last state of what is replaced, the casts of a type, and all
/// else. Those of each count only where they are in no cycle with what is needed and with the levels before them.
const LEVELS: usize = 4;

/// A graph whose nodes are the statements, and behind them nodes that stand for several of them, so that the number of edges does
/// not grow with the square of theirs.
struct Graph {
    /// For each node those that come before it.
    before: Vec<Vec<usize>>,
    /// The same, as far as it is possible.
    hints: Vec<[Vec<usize>; LEVELS]>,
    /// Whether a function or an operator is needed of which only the name is known, and none that has it comes before.
    lacks_choice: bool,
}

impl Graph {
    fn add_node(&mut self, before: Vec<usize>) -> usize {
        self.before.push(before);
        self.hints.push(Default::default());
        self.before.len() - 1
    }
}

/// Returns the order of statements.
pub(crate) fn order(of: &Dependencies) -> StmtOrder {
    let count = of.stmts.len();
    let mut graph = edges(of);
    let is_right = |(stmt, needs): (usize, &Vec<usize>)| needs.iter().all(|need| *need < stmt);
    let is_right = graph.before.iter().take(count).enumerate().all(is_right);
    if is_right && !graph.lacks_choice {
        return StmtOrder { stmts: (0..count).collect(), cycles: Vec::new() };
    }
    for level in 0..LEVELS {
        let mut all = graph.before.clone();
        for (edges, hints) in all.iter_mut().zip(&graph.hints) {
            edges.extend(&hints[level]);
        }
        let (_, group_of) = groups(&all);
        for (node, hints) in graph.hints.iter().enumerate() {
            let hints = hints[level].iter().filter(|hint| group_of[**hint] != group_of[node]);
            graph.before[node].extend(hints);
        }
    }
    sorted(&graph.before, count)
}

/// Returns the statements, each behind those before it.
fn sorted(before: &[Vec<usize>], count: usize) -> StmtOrder {
    let (groups, group_of) = groups(before);
    // Of what can be next, the first one is: so the order is kept where nothing is against it.
    let mut waits = vec![0_usize; groups.len()];
    let mut needed_by = vec![Vec::new(); groups.len()];
    for (node, needs) in before.iter().enumerate() {
        for need in needs {
            let (this, other) = (group_of[node], group_of[*need]);
            if this != other {
                waits[this] += 1;
                needed_by[other].push(this);
            }
        }
    }
    // What stands for several statements takes no place.
    let place = |group: usize| groups[group].first().copied().filter(|first| *first < count);
    let ready = (0..groups.len()).filter(|group| waits[*group] == 0);
    let mut ready: BinaryHeap<_> = ready.map(|group| Reverse((place(group), group))).collect();
    let mut order = StmtOrder::default();
    while let Some(Reverse((_, group))) = ready.pop() {
        let stmts: Vec<_> = groups[group].iter().copied().filter(|node| *node < count).collect();
        order.stmts.extend(&stmts);
        if stmts.len() > 1 {
            order.cycles.push(stmts);
        }
        for other in &needed_by[group] {
            waits[*other] -= 1;
            if waits[*other] == 0 {
                ready.push(Reverse((place(*other), *other)));
            }
        }
    }
    order
}

/// Returns for each object the statements that have to do with it.
fn by_object(of: &Dependencies) -> HashMap<&Object, OfObject<'_>> {
    let mut found = HashMap::<&Object, OfObject<'_>>::new();
    for (index, stmt) in of.stmts.iter().enumerate() {
        for (place, object) in stmt.defines.iter().enumerate() {
            let entry = found.entry(object).or_default();
            let same = if stmt.replaces { &mut entry.replacing } else { &mut entry.creators };
            if same.last() != Some(&index) {
                same.push(index);
            }
            // What has the arguments is behind what has only the name.
            if object.is_name_only()
                && let Some(Object::Other { arguments, .. }) = stmt.defines.get(place + 1)
            {
                let first = *entry.arguments.get_or_insert(arguments);
                entry.is_overloaded |= first != arguments.as_slice();
            }
        }
        let is_cast = |object: &Object| matches!(object, Object::Other { kind: "CAST", .. });
        let is_cast = stmt.defines.iter().any(is_cast);
        for object in &stmt.completes {
            let entry = found.entry(object).or_default();
            let same = if is_cast { &mut entry.casts } else { &mut entry.completing };
            same.push(index);
        }
        for object in &stmt.ends {
            found.entry(object).or_default().enders.push(index);
        }
    }
    for entry in found.values_mut() {
        // What replaces something that no statement creates is what creates it, as is what replaces something that is dropped before
        // it is created again.
        let first = entry.creators.first().copied().unwrap_or(usize::MAX);
        let ender = if entry.creators.is_empty() {
            Some(usize::MAX)
        } else {
            entry.enders.iter().copied().rfind(|ender| *ender < first)
        };
        if let Some(ender) = ender {
            let count = entry.replacing.partition_point(|stmt| *stmt < ender);
            entry.creators.splice(0..0, entry.replacing.drain(..count));
        }
    }
    found
}

/// Returns the last of some statements before another one; if there is none, the first one.
fn nearest(of: &[usize], stmt: usize) -> Option<usize> {
    let before = of.partition_point(|other| *other < stmt);
    of.get(before.saturating_sub(1)).copied()
}

fn edges(of: &Dependencies) -> Graph {
    let count = of.stmts.len();
    let mut objects = by_object(of);
    let mut graph = Graph {
        before: vec![Vec::new(); count],
        hints: vec![Default::default(); count],
        lacks_choice: false,
    };
    for (index, stmt) in of.stmts.iter().enumerate() {
        let needs = stmt.needs.iter().map(|object| (object, true));
        let hints = stmt.hints.iter().map(|object| (object, false));
        // What replaces an object, or adds to it, comes after what creates it.
        let replaced = stmt.defines.iter().filter(|it| stmt.replaces && !it.is_name_only());
        let completes = replaced.chain(&stmt.completes);
        let completes = completes.map(|object| (object, true));
        for (object, is_needed) in needs.chain(hints).chain(completes) {
            if let Some(entry) = objects.get_mut(object) {
                if is_needed && !entry.enders.is_empty() && entry.users.last() != Some(&index) {
                    entry.users.push(index);
                }
                need(&mut graph, entry, index, is_needed);
            }
        }
    }
    for entry in objects.values().filter(|entry| !entry.enders.is_empty()) {
        between(&mut graph, entry);
    }
    last(&mut graph, of);
    for (stmt, edges) in graph.before.iter_mut().enumerate() {
        edges.retain(|other| *other != stmt);
        edges.sort_unstable();
        edges.dedup();
    }
    graph
}

/// Puts a statement behind what defines an object.
fn need(graph: &mut Graph, entry: &mut OfObject<'_>, stmt: usize, is_needed: bool) {
    if entry.is_overloaded {
        graph.lacks_choice |= is_needed && entry.creators.first().is_some_and(|it| *it > stmt);
    } else if entry.creators.binary_search(&stmt).is_ok() {
        return;
    } else if let Some(creator) = nearest(&entry.creators, stmt) {
        let hints = &mut graph.hints[stmt][LEVELS - 1];
        let edges = if is_needed { &mut graph.before[stmt] } else { hints };
        edges.push(creator);
    }
    let several: &[usize] = if entry.is_overloaded { &entry.creators } else { &[] };
    let of_levels = [several, &entry.replacing, &entry.casts, &entry.completing];
    for (level, stmts) in of_levels.into_iter().enumerate() {
        if stmts.is_empty() {
            continue;
        }
        let at = if is_needed { level } else { LEVELS - 1 };
        match stmts.binary_search(&stmt) {
            Err(_) => {
                let all = *entry.all[level].get_or_insert_with(|| graph.add_node(stmts.to_vec()));
                graph.hints[stmt][at].push(all);
            }
            Ok(own) if level == 0 => {
                if entry.others.is_empty() {
                    entry.others = others(graph, stmts);
                }
                graph.hints[stmt][at].extend(entry.others[own]);
            }
            Ok(_) => {}
        }
    }
}

/// Returns for each of some statements the nodes for those before it and for those behind it.
fn others(graph: &mut Graph, stmts: &[usize]) -> Vec<[usize; 2]> {
    let count = stmts.len();
    let mut found = vec![[0; 2]; count];
    let mut add = |of: &mut dyn Iterator<Item = usize>, side: usize| {
        let mut last = graph.add_node(Vec::new());
        for index in of {
            found[index][side] = last;
            last = graph.add_node(vec![last, stmts[index]]);
        }
    };
    add(&mut (0..count), 0);
    add(&mut (0..count).rev(), 1);
    found
}

/// Puts statements before what ends an object that they need (a change of its name, or `DROP`), and that behind what creates it.
fn between(graph: &mut Graph, entry: &OfObject<'_>) {
    let (creators, enders) = (&entry.creators, &entry.enders);
    let next = |stmt: usize| enders.get(enders.partition_point(|ender| *ender < stmt)).copied();
    for ender in enders {
        let before = creators.partition_point(|creator| creator < ender);
        if let Some(creator) = before.checked_sub(1).and_then(|at| creators.get(at)) {
            graph.before[*ender].push(*creator);
        } else if entry.users.binary_search(ender).is_err() {
            // `DROP .. IF EXISTS` before `CREATE`, or of what was there before all of this.
            if let Some(creator) = creators.first() {
                graph.before[*creator].push(*ender);
            }
        }
    }
    // Between two that create it is one that ends it.
    for pair in creators.windows(2) {
        if let Some(ender) = next(pair[0]).filter(|ender| *ender < pair[1]) {
            graph.before[pair[1]].push(ender);
        }
    }
    let only = match (&**creators, &**enders) {
        ([creator], [ender]) if creator < ender || entry.users.binary_search(ender).is_ok() => {
            Some(*ender)
        }
        _ => None,
    };
    for user in &entry.users {
        let is_other = enders.binary_search(user).is_err() && creators.binary_search(user).is_err();
        if let Some(ender) = only.or_else(|| next(*user)).filter(|_| is_other) {
            graph.before[ender].push(*user);
        }
    }
}

/// Puts event triggers behind all that they could be called for.
fn last(graph: &mut Graph, of: &Dependencies) {
    let is_of_them =
        |object: &Object| matches!(object, Object::Other { kind: "EVENT_TRIGGER", .. });
    let (mut triggers, mut others) = (Vec::new(), Vec::new());
    for (index, stmt) in of.stmts.iter().enumerate() {
        if stmt.defines.iter().any(is_of_them) {
            triggers.push(index);
        } else if !stmt.needs.iter().any(is_of_them) {
            others.push(index);
        }
    }
    if !triggers.is_empty() {
        let all = graph.add_node(others);
        for trigger in triggers {
            graph.hints[trigger][LEVELS - 1].push(all);
        }
    }
}

/// Returns the groups of nodes that need each other, most of them of one node, each sorted, and the group of each node. It is
/// Tarjan's algorithm, without recursion.
fn groups(needs: &[Vec<usize>]) -> (Vec<Vec<usize>>, Vec<usize>) {
    const NONE: usize = usize::MAX;
    let count = needs.len();
    let (mut number, mut lowest) = (vec![NONE; count], vec![NONE; count]);
    let mut is_open = vec![false; count];
    let (mut open, mut groups, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if number[root] != NONE {
            continue;
        }
        // Each with the place of the next one that it needs.
        let mut path = vec![(root, 0)];
        while let Some((stmt, place)) = path.last_mut() {
            let stmt = *stmt;
            if number[stmt] == NONE {
                number[stmt] = next;
                lowest[stmt] = next;
                next += 1;
                open.push(stmt);
                is_open[stmt] = true;
            }
            if let Some(need) = needs[stmt].get(*place).copied() {
                *place += 1;
                if number[need] == NONE {
                    path.push((need, 0));
                } else if is_open[need] {
                    lowest[stmt] = lowest[stmt].min(number[need]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[stmt]);
            }
            if lowest[stmt] == number[stmt] {
                let mut group = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    group.push(member);
                    if member == stmt {
                        break;
                    }
                }
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    let mut group_of = vec![0; count];
    for (index, group) in groups.iter().enumerate() {
        for node in group {
            group_of[*node] = index;
        }
    }
    (groups, group_of)
}
