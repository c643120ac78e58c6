//! What statements define and need, and an order of them.

use core::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use pg_ast::QualifiedName;

/// An object that a statement defines or needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Object {
    /// A table, a view, a sequence, or a composite type.
    Relation(QualifiedName),
    /// A column of one.
    Column(QualifiedName, String),
    /// A function, or all of a name.
    Function(QualifiedName),
    /// A type that is no relation: a domain, an enumeration, a type of ranges.
    Type(QualifiedName),
    /// A schema.
    Schema(String),
}

/// What one statement defines and needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StmtDependencies {
    /// The objects that it defines, in order.
    pub defines: Vec<Object>,
    /// The objects that it needs, in order, each once: those of a query, a condition, a function's body in SQL.
    pub needs: Vec<Object>,
}

/// What the statements of a tree define and need: the result of [`dependencies`](crate::dependencies()).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Dependencies {
    /// For each statement, in order.
    pub stmts: Vec<StmtDependencies>,
}

/// An order of statements; see [`Dependencies::order`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StmtOrder {
    /// The indexes of the statements, each after those that it needs.
    pub stmts: Vec<usize>,
    /// Statements that need each other, so that no order is right: each list is one such group. In the order they are
    /// where the first of them has its place, as they were.
    pub cycles: Vec<Vec<usize>>,
}

impl Dependencies {
    /// Returns an order in which each statement is after those that define what it needs; else they stay as they are.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, dependencies};
    ///
    /// let sql = "CREATE VIEW w AS SELECT a FROM v; CREATE VIEW v AS SELECT a FROM t; CREATE TABLE t (a int)";
    /// let order = dependencies(&pg_ast::parse(sql)?, &NoCatalog).order();
    /// assert_eq!(order.stmts, [2, 1, 0]);
    /// assert!(order.cycles.is_empty());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn order(&self) -> StmtOrder {
        let needs = self.edges();
        let groups = groups(&needs);
        let mut group_of = vec![0; needs.len()];
        for (index, group) in groups.iter().enumerate() {
            for stmt in group {
                group_of[*stmt] = index;
            }
        }
        // Of what can be next, the first one is: so the order is kept where nothing is against it.
        let mut waits = vec![0_usize; groups.len()];
        let mut needed_by = vec![Vec::new(); groups.len()];
        for (stmt, needs) in needs.iter().enumerate() {
            for need in needs {
                let (this, other) = (group_of[stmt], group_of[*need]);
                if this != other {
                    waits[this] += 1;
                    needed_by[other].push(this);
                }
            }
        }
        let ready = (0..groups.len()).filter(|group| waits[*group] == 0);
        let mut ready: BinaryHeap<_> =
            ready.map(|group| Reverse((groups[group][0], group))).collect();
        let mut order = StmtOrder::default();
        while let Some(Reverse((_, group))) = ready.pop() {
            order.stmts.extend(&groups[group]);
            if groups[group].len() > 1 {
                order.cycles.push(groups[group].clone());
            }
            for other in &needed_by[group] {
                waits[*other] -= 1;
                if waits[*other] == 0 {
                    ready.push(Reverse((groups[*other][0], *other)));
                }
            }
        }
        order
    }

    /// Returns for each statement those that define what it needs.
    fn edges(&self) -> Vec<Vec<usize>> {
        let mut by_object = HashMap::<&Object, Vec<usize>>::new();
        for (index, stmt) in self.stmts.iter().enumerate() {
            for object in &stmt.defines {
                by_object.entry(object).or_default().push(index);
            }
        }
        let edges = self.stmts.iter().enumerate().map(|(index, stmt)| {
            let mut edges = Vec::new();
            for object in &stmt.needs {
                // Of several, the last one before it; if there is none, the first one.
                let Some(of) = by_object.get(object) else { continue };
                if of.contains(&index) {
                    continue;
                }
                let before = of.partition_point(|other| *other < index);
                edges.extend(before.checked_sub(1).or(Some(0)).and_then(|at| of.get(at)).copied());
            }
            edges.sort_unstable();
            edges.dedup();
            edges
        });
        edges.collect()
    }
}

/// Returns the groups of statements that need each other, most of them of one statement, each sorted. It is Tarjan's algorithm,
/// without recursion.
fn groups(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
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
    groups
}
