//! Edits of SQL: replacing each node of the corpus by its own SQL leaves the tree unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

use pg_ast::{ErrorKind, ParserOptions};

use super::NAME;
use super::pg::{self, Edits, NodeRef};
use super::ranges_again::{is_same, usually};
use crate::common::{corpus, without_locations};

#[derive(Default)]
struct Counts {
    replaced: usize,
    /// The number of nodes that cannot be replaced, by reason.
    others: BTreeMap<&'static str, usize>,
    mistakes: Vec<String>,
}

/// A node that can be replaced, and its depth.
struct Place<'a> {
    node: NodeRef<'a>,
    parent: NodeRef<'a>,
    range: Range<usize>,
    depth: usize,
}

#[test]
fn nodes_replaced_by_themselves() {
    let mut statements = corpus::own_statements();
    statements.extend(corpus::statements());
    let (first, second) = statements.split_at(statements.len() / 2);
    let [one, two] = std::thread::scope(|scope| {
        let other = scope.spawn(|| check(second));
        [check(first), other.join().expect("no panic")]
    });
    let mut others = one.others;
    for (reason, count) in two.others {
        *others.entry(reason).or_default() += count;
    }
    let replaced = one.replaced + two.replaced;
    let mistakes: Vec<_> = one.mistakes.into_iter().chain(two.mistakes).collect();
    println!("{NAME}: {replaced} nodes replaced by themselves; not: {others:?}");
    mistakes.iter().take(80).for_each(|mistake| println!("{mistake}\n"));
    assert!(mistakes.is_empty(), "{} mistakes", mistakes.len());
    assert!(replaced > 200_000, "{replaced}");
}

fn check(statements: &[String]) -> Counts {
    let mut counts = Counts::default();
    for sql in statements {
        let options = ParserOptions::default();
        let Ok((tree, ranges)) = pg::parse_with_ranges(sql, options) else { continue };
        let mut nodes = tree.nodes().with_ranges(&ranges);
        let mut places = Vec::new();
        while let Some((node, range)) = nodes.next() {
            let (Some(range), Some(parent)) = (range, nodes.ancestors().last().copied()) else {
                continue;
            };
            // These have no SQL of their own.
            let is_target = matches!(parent, NodeRef::SelectStmt(_));
            if matches!(node, NodeRef::SortBy(_))
                || matches!(node, NodeRef::ResTarget(_) if !is_target)
            {
                continue;
            }
            let again = usually(node, Some(parent), &sql[range.clone()]);
            if again.is_some_and(|again| again.iter().flatten().any(|again| is_same(node, again))) {
                places.push(Place { node, parent, range, depth: nodes.ancestors().len() });
            }
        }
        places.sort_by_key(|place| place.depth);
        let tree = without_locations(&tree.protobuf);
        for places in places.chunk_by(|one, other| one.depth == other.depth) {
            // All nodes of one depth at once, and one by one if that fails.
            let all = replaced(sql, places);
            if all.as_deref().is_ok_and(|text| is_tree(text, &tree)) {
                counts.replaced += places.len();
                continue;
            }
            for place in places {
                match replaced(sql, std::slice::from_ref(place)) {
                    Ok(text) if is_tree(&text, &tree) => counts.replaced += 1,
                    text => match reason(place.node, place.parent) {
                        Some(reason) => *counts.others.entry(reason).or_default() += 1,
                        None => counts.mistakes.push(format!(
                            "{} in {}: {}\nof {sql}\ngives {text:?}",
                            place.node.name(),
                            place.parent.name(),
                            &sql[place.range.clone()],
                        )),
                    },
                }
            }
        }
    }
    counts
}

fn replaced(sql: &str, places: &[Place<'_>]) -> pg_ast::Result<String> {
    let mut edits = Edits::new(sql);
    for place in places {
        edits.replace_node(place.range.clone(), place.node.to_enum())?;
    }
    edits.apply()
}

fn is_tree(text: &str, tree: &str) -> bool {
    pg::parse(text).is_ok_and(|again| without_locations(&again.protobuf) == tree)
}

/// Returns why a node cannot be replaced by its own SQL: the grammar accepts less there than the node prints.
fn reason(node: NodeRef<'_>, parent: NodeRef<'_>) -> Option<&'static str> {
    match (node, parent) {
        // A table without its inheriting tables would be `ONLY t`.
        (NodeRef::RangeVar(name), _) if !name.inh => Some("the name of a type"),
        (NodeRef::RangeVar(table), NodeRef::InsertStmt(_)) if table.alias.is_some() => {
            Some("INSERT INTO t AS a")
        }
        (NodeRef::TypeCast(_), NodeRef::VariableSetStmt(_)) => Some("SET TIME ZONE interval '1'"),
        (NodeRef::AConst(_), NodeRef::TypeCast(_)) => Some("N'a'"),
        (NodeRef::TypeCast(_), _) if parent.name() == "CTECycleClause" => {
            Some("CYCLE .. TO int '1'")
        }
        (NodeRef::TypeCast(_), NodeRef::List(_)) => Some("FROM CAST(..)"),
        (NodeRef::BoolExpr(_), NodeRef::Constraint(_)) => Some("DEFAULT a IS NOT DOCUMENT"),
        _ => None,
    }
}

#[test]
fn what_edits_do() {
    let edit = |edits: &dyn Fn(&mut Edits<'_>)| {
        let mut new = Edits::new("SELECT a, b -- ä\n FROM t");
        edits(&mut new);
        new.apply()
    };
    assert_eq!(edit(&|_| ()).as_deref(), Ok("SELECT a, b -- ä\n FROM t"));
    let text = edit(&|edits| {
        edits.replace(10..11, "c").insert_before(10, "/* c */ ").insert_behind(11, " + 1");
        edits.remove(7..8).insert_before(7, "x").insert_behind(8, "y").insert_behind(8, "z");
    });
    assert_eq!(text.as_deref(), Ok("SELECT xyz, /* c */ c + 1 -- ä\n FROM t"));
    // Insertions that belong to the left come first, regardless of the order of the calls.
    let text = edit(&|edits| {
        edits.insert_before(8, "2").insert_behind(8, "1").insert_before(8, "3");
    });
    assert_eq!(text.as_deref(), Ok("SELECT a123, b -- ä\n FROM t"));

    #[allow(clippy::reversed_empty_ranges)]
    let reversed = 8..7;
    for (range, other, at) in [
        (0..8, 7..9, Some(7)),
        (0..8, 0..8, Some(0)),
        (0..8, 3..3, Some(3)),
        // Inside of a character, after the end, reversed.
        (0..8, 16..16, None),
        (0..8, 20..99, Some(20)),
        (0..7, reversed, Some(8)),
    ] {
        let error = edit(&|edits| {
            edits.remove(range.clone()).replace(other.clone(), "x");
        });
        let error = error.expect_err("an error");
        assert_eq!((error.kind(), error.cursor()), (ErrorKind::Edit, at), "{error}");
    }
    let error = edit(&|edits| {
        edits.remove_item(20..99);
    });
    assert_eq!(error.map_err(|error| error.kind()), Err(ErrorKind::Edit));
}

/// Returns the SQL after items have been removed.
fn without(sql: &str, items: &[&str]) -> String {
    let mut edits = Edits::new(sql);
    for item in items {
        let start = sql.find(item).expect("an item");
        edits.remove_item(start..start + item.len());
    }
    edits.apply().unwrap_or_else(|error| panic!("{sql}: {error}"))
}

#[test]
fn items_go_with_their_commas() {
    let sql = "SELECT aa, bb, cc FROM t";
    assert_eq!(without(sql, &["aa"]), "SELECT bb, cc FROM t");
    assert_eq!(without(sql, &["bb"]), "SELECT aa, cc FROM t");
    assert_eq!(without(sql, &["cc"]), "SELECT aa, bb FROM t");
    assert_eq!(without(sql, &["cc", "bb"]), "SELECT aa FROM t");
    assert_eq!(without(sql, &["aa", "cc"]), "SELECT bb FROM t");
    assert_eq!(without(sql, &["aa", "bb"]), "SELECT cc FROM t");
    assert_eq!(without(sql, &["aa", "bb", "cc"]), "SELECT  FROM t");
    // Commas of other lists are kept.
    assert_eq!(without("SELECT f(aa), g(bb, cc)", &["aa", "bb"]), "SELECT f(), g(cc)");
    assert_eq!(without("SELECT f(aa, bb), (cc)", &["bb", "(cc)"]), "SELECT f(aa)");
    // Comments are kept, and no comment swallows the code after it.
    let sql = "SELECT aa -- a\n, bb /* b */\n, cc -- c\n FROM t";
    assert_eq!(without(sql, &["aa"]), "SELECT  -- a\n bb /* b */\n, cc -- c\n FROM t");
    assert_eq!(without(sql, &["bb"]), "SELECT aa -- a\n,  /* b */\n cc -- c\n FROM t");
    assert_eq!(without(sql, &["cc"]), "SELECT aa -- a\n, bb /* b */\n -- c\n FROM t");
}

#[test]
fn a_wrong_edit_is_an_error() {
    let mut edits = Edits::new("SELECT a FROM t");
    edits.remove_item(7..8);
    let (text, tree) = edits.apply_and_parse(ParserOptions::default()).expect("a tree");
    assert_eq!(text, "SELECT  FROM t");
    assert!(tree.nodes().any(|node| node.name() == "RangeVar"));
    edits.remove(14..15);
    let error = edits.apply_and_parse(ParserOptions::default()).expect_err("an error");
    assert_eq!(error.kind(), ErrorKind::Syntax);
}

/// Many edits take time proportional to the SQL.
#[test]
fn many_edits() {
    let count = 50_000;
    let sql = format!("SELECT {}", vec!["aa"; count].join(", "));
    let mut edits = Edits::new(&sql);
    for item in 0..count {
        let start = "SELECT ".len() + 4 * item;
        if item % 2 == 0 {
            edits.remove_item(start..start + 2);
        } else {
            edits.insert_behind(start + 2, "b");
        }
    }
    assert_eq!(edits.apply(), Ok(format!("SELECT {}", vec!["aab"; count / 2].join(", "))));
}

#[test]
fn the_same_edit_twice_is_one() {
    let mut edits = Edits::new("SELECT a, b FROM t");
    edits
        .replace(7..8, "x")
        .replace(17..18, "u")
        .replace(7..8, "x")
        .remove_item(10..11)
        .remove_item(10..11);
    assert_eq!(edits.apply().as_deref(), Ok("SELECT x FROM u"));
    assert_eq!(edits.changes().map(|changes| changes.len()), Ok(3));

    // Insertions are not.
    let mut edits = Edits::new("ab");
    edits.insert_before(1, "-").insert_before(1, "-");
    assert_eq!(edits.apply().as_deref(), Ok("a--b"));

    // Both of two that overlap are named.
    let mut edits = Edits::new("SELECT a, b FROM t");
    edits.replace(7..11, "c").replace(10..11, "d");
    let error = edits.apply().expect_err("they overlap");
    assert_eq!(error.kind(), ErrorKind::Edit);
    assert_eq!(
        error.message(),
        "the range from 10 to 11 (to be \"d\") overlaps that from 7 to 11 (to be \"c\")"
    );
    let mut edits = Edits::new("SELECT a");
    edits.replace(7..8, "c").remove(7..8);
    let error = edits.apply().expect_err("they overlap");
    assert!(error.message().contains("(removed) overlaps that from 7 to 8 (to be"), "{error}");
}
