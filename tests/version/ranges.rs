//! The range of every node, for the entire corpus: it begins and ends with a
//! token, is within its parent's range, and its SQL parses to the node again.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use pg_ast::{ErrorKind, ParseMode, ParserOptions};

use super::NAME;
use super::pg::view::{self, Tree};
use super::pg::{self, Node, NodeRef};
use super::ranges_again::{is_same, nowhere, otherwise, usually};
use crate::common::corpus;

/// The results of parsing nodes again.
#[derive(Default)]
struct Counts {
    statements: usize,
    nodes: usize,
    /// For each type: the number of nodes, and of those that are equal again.
    types: BTreeMap<&'static str, [usize; 2]>,
    /// The number of the others, by place.
    elsewhere: BTreeMap<&'static str, usize>,
    /// The number of nodes without a range, by reason.
    nowhere: BTreeMap<&'static str, usize>,
    mistakes: Vec<String>,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.statements += other.statements;
        self.nodes += other.nodes;
        for (name, [all, same]) in other.types {
            let counts = self.types.entry(name).or_default();
            counts[0] += all;
            counts[1] += same;
        }
        for (place, count) in other.elsewhere {
            *self.elsewhere.entry(place).or_default() += count;
        }
        for (reason, count) in other.nowhere {
            *self.nowhere.entry(reason).or_default() += count;
        }
        self.mistakes.extend(other.mistakes);
    }
}

/// A node on the path to another one.
struct Above<'a> {
    node: NodeRef<'a>,
    range: Option<Range<usize>>,
}

#[test]
fn regression_statements() {
    let mut statements = corpus::own_statements();
    statements.extend(corpus::statements());
    let (first, second) = statements.split_at(statements.len() / 2);
    let counts = std::thread::scope(|scope| {
        let other = scope.spawn(|| check(second));
        let mut counts = check(first);
        counts.add(other.join().expect("no panic"));
        counts
    });
    let Counts { statements, nodes, types, elsewhere, nowhere, mistakes } = counts;
    println!("{NAME}: {statements} statements, {nodes} nodes; of those that were parsed again:");
    for (name, [all, same]) in &types {
        println!("{name}: {same} of {all}");
    }
    println!("elsewhere: {elsewhere:?}\nnowhere: {nowhere:?}");
    mistakes.iter().take(40).for_each(|mistake| println!("{mistake}\n"));
    assert!(mistakes.is_empty(), "{} mistakes", mistakes.len());
    assert!(statements > 36_000 && nodes > 480_000, "{statements}, {nodes}");
    // All are equal again; these are in other places than most of their type.
    for (name, [all, same]) in types {
        assert!(same * 2 > all || all < 10, "{name}: {same} of {all}");
    }
    assert!(nowhere.values().sum::<usize>() < 100, "{nowhere:?}");
}

fn check(statements: &[String]) -> Counts {
    let mut counts = Counts::default();
    for sql in statements {
        let options = ParserOptions::default();
        let tree = match (pg::parse(sql), pg::parse_with_ranges(sql, options)) {
            (Ok(plain), Ok((tree, ranges))) => {
                assert_eq!(tree, plain, "{sql}");
                Some((tree, ranges))
            }
            (plain, ranged) => {
                assert_eq!(plain.err(), ranged.err(), "{sql}");
                None
            }
        };
        let Some((tree, ranges)) = tree else { continue };
        counts.statements += 1;
        counts.nodes += ranges.len();
        assert_eq!(ranges.len(), tree.nodes().count(), "{sql}");
        let borders = Borders::new(sql);
        let mut above: Vec<Above<'_>> = Vec::new();
        let mut nodes = tree.nodes().with_ranges(&ranges);
        while let Some((node, range)) = nodes.next() {
            above.truncate(nodes.ancestors().len());
            if let Some(range) = &range {
                let mut wrong = |what: &str| {
                    counts.mistakes.push(format!("{what}: {} at {range:?} of {sql}", node.name()));
                };
                if range.is_empty() || sql.get(range.clone()).is_none() {
                    wrong("no text");
                } else if !borders.are_at(range) {
                    wrong("within a token");
                } else if !borders.has_both(range) {
                    wrong("one bracket of two");
                }
                if let Some(Above { range: Some(parent), .. }) = above.last()
                    && (range.start < parent.start || range.end > parent.end)
                {
                    wrong("not within its parent's");
                }
                check_text(sql, node, range, &above, &mut counts);
            }
            above.push(Above { node, range });
        }
        views_agree(sql, &ranges);
    }
    counts
}

/// The starts and the ends of the tokens of SQL.
struct Borders {
    starts: HashSet<usize>,
    ends: HashSet<usize>,
    /// For each token: its end, and the number of open brackets after it.
    open: Vec<(usize, usize)>,
}

impl Borders {
    fn new(sql: &str) -> Self {
        let mut borders = Self { starts: HashSet::new(), ends: HashSet::new(), open: vec![] };
        let mut open = 0;
        for token in pg::scan(sql).expect("tokens").tokens {
            if token.is_comment() {
                continue;
            }
            let range = token.range();
            match &sql[range.clone()] {
                "(" | "[" => open += 1,
                ")" | "]" => open -= 1,
                _ => {}
            }
            borders.open.push((range.end, open));
            borders.starts.insert(range.start);
            borders.ends.insert(range.end);
        }
        borders
    }

    fn are_at(&self, range: &Range<usize>) -> bool {
        self.starts.contains(&range.start) && self.ends.contains(&range.end)
    }

    /// Returns whether a range closes exactly the brackets that it opens.
    fn has_both(&self, range: &Range<usize>) -> bool {
        let behind = |offset| self.open.partition_point(|(end, _)| *end <= offset);
        let (first, last) = (behind(range.start), behind(range.end));
        let before = first.checked_sub(1).map_or(0, |before| self.open[before].1);
        let inside = &self.open[first..last];
        inside.iter().all(|(_, open)| *open >= before)
            && inside.last().is_none_or(|(_, open)| *open == before)
    }
}

/// A view has the same ranges, and so has a compact copy.
fn views_agree(sql: &str, ranges: &pg_ast::Ranges) {
    let tree = view::parse_with_ranges(sql, ParserOptions::default()).expect("a tree");
    assert_eq!(tree.ranges().as_ref(), Some(ranges), "{sql}");
    let of_each = |tree: &Tree| -> Vec<_> { tree.nodes().map(|node| tree.range(node)).collect() };
    assert_eq!(of_each(&tree), ranges.iter().collect::<Vec<_>>(), "{sql}");
    let copy = tree.compact();
    assert_eq!(of_each(&copy), ranges.iter().collect::<Vec<_>>(), "{sql}");
    assert_eq!(copy.ranges().as_ref(), Some(ranges), "{sql}");
}

/// Parses the SQL of a node's range again, in a place that accepts such a node.
fn check_text(
    sql: &str,
    node: NodeRef<'_>,
    range: &Range<usize>,
    above: &[Above<'_>],
    counts: &mut Counts,
) {
    let Some(text) = sql.get(range.clone()) else { return };
    let parent = above.last().map(|above| above.node);
    let Some(again) = usually(node, parent, text) else { return };
    let is_node = |again: &Option<Node>| again.as_ref().is_some_and(|again| is_same(node, again));
    let count = counts.types.entry(node.name()).or_default();
    count[0] += 1;
    if again.iter().any(is_node) {
        count[1] += 1;
        return;
    }
    let elsewhere = parent.and_then(|parent| otherwise(node, parent, text));
    if let Some((place, again)) = elsewhere
        && is_node(&again)
    {
        *counts.elsewhere.entry(place).or_default() += 1;
    } else if let Some(reason) = parent.and_then(|parent| nowhere(node, parent, text)) {
        *counts.nowhere.entry(reason).or_default() += 1;
    } else {
        let parent = parent.map_or("nothing", NodeRef::name);
        counts.mistakes.push(format!("{} in {parent}: {text}\nof {sql}", node.name()));
    }
}

/// Returns each node of a statement with its SQL.
fn texts(sql: &str) -> Vec<(&'static str, Option<String>)> {
    let (tree, ranges) = pg::parse_with_ranges(sql, ParserOptions::default())
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let nodes = tree.nodes().with_ranges(&ranges);
    nodes.map(|(node, range)| (node.name(), range.map(|range| sql[range].to_owned()))).collect()
}

/// Returns the SQL of the nodes of one type.
fn of(sql: &str, name: &str) -> Vec<String> {
    let texts = texts(sql).into_iter().filter(|(other, _)| *other == name);
    texts.map(|(_, text)| text.unwrap_or_default()).collect()
}

#[test]
fn what_a_range_is() {
    let sql = "SELECT a.b, (c + 1) * 2 AS x FROM public.t AS q JOIN u ON (q.id = u.id)";
    assert_eq!(of(sql, "A_Expr"), ["(c + 1) * 2", "c + 1", "q.id = u.id"]);
    assert_eq!(of(sql, "ColumnRef"), ["a.b", "c", "q.id", "u.id"]);
    assert_eq!(of(sql, "ResTarget"), ["a.b", "(c + 1) * 2 AS x"]);
    assert_eq!(of(sql, "JoinExpr"), ["public.t AS q JOIN u ON (q.id = u.id)"]);
    assert_eq!(of(sql, "RangeVar"), ["public.t AS q", "u"]);
    assert_eq!(of(sql, "Alias"), ["AS q"]);
    assert_eq!(of(sql, "RawStmt"), [sql]);

    let sql =
        "CREATE TABLE t (id int8 PRIMARY KEY, b numeric(5, 2)[] DEFAULT NULL CHECK (b > '{}'))";
    assert_eq!(
        of(sql, "ColumnDef"),
        ["id int8 PRIMARY KEY", "b numeric(5, 2)[] DEFAULT NULL CHECK (b > '{}')"]
    );
    assert_eq!(of(sql, "TypeName"), ["int8", "numeric(5, 2)[]"]);
    assert_eq!(of(sql, "Constraint"), ["PRIMARY KEY", "DEFAULT NULL", "CHECK (b > '{}')"]);
}

#[test]
fn names_are_where_their_tokens_are() {
    assert_eq!(of("SELECT \"A b\".c.* FROM t", "String"), ["\"A b\"", "c"]);
    assert_eq!(
        of("SELECT s.f(1), x || y, x LIKE y", "String"),
        ["s", "f", "||", "x", "y", "LIKE", "x", "y"]
    );
    assert_eq!(of("DROP TABLE a.b, c", "String"), ["a", "b", "c"]);
    assert_eq!(of("SELECT 1::double precision", "TypeName"), ["double precision"]);
    assert_eq!(
        of("SELECT U&\"d!0061t\" UESCAPE '!' . b[1]", "ColumnRef"),
        ["U&\"d!0061t\" UESCAPE '!' . b"]
    );
    assert_eq!(
        of("SELECT U&'!0061' UESCAPE '!', N'x', 'a'\n 'b'", "A_Const"),
        ["U&'!0061' UESCAPE '!'", "'x'", "'a'\n 'b'"]
    );
}

#[test]
fn nodes_that_one_rule_makes_together() {
    assert_eq!(of("SELECT a.b[1].c FROM t", "ColumnRef"), ["a.b"]);
    assert_eq!(of("SELECT ( (SELECT a))[1]", "SubLink"), ["( (SELECT a))"]);
    assert_eq!(of("SELECT $1[2]", "ParamRef"), ["$1"]);
    assert_eq!(of("SELECT interval '1' hour", "A_Const"), ["'1'", "hour"]);
    assert_eq!(of("SELECT extract(year FROM d)", "A_Const"), ["year"]);
    assert_eq!(of("SELECT -5, - 5, 3 - 5", "A_Const"), ["-5", "- 5", "3", "5"]);
    assert_eq!(of("ALTER TYPE s.t RENAME ATTRIBUTE a TO b", "RangeVar"), ["s.t"]);
    assert_eq!(of("SELECT substring(a for 2)", "TypeCast"), ["2"]);
    assert_eq!(
        of("SELECT interval(3) '1', s.t(1, 2) '3'", "TypeName"),
        ["interval(3)", "s.t(1, 2)"]
    );
    assert_eq!(
        of("SELECT (interval '1' hour to second(2))", "TypeName"),
        ["interval '1' hour to second(2)"]
    );
    assert_eq!(of("BEGIN ISOLATION LEVEL READ COMMITTED", "A_Const"), ["READ COMMITTED"]);
    assert_eq!(of("UPDATE t SET a = (b), c = (d)", "ResTarget"), ["a = (b)", "c = (d)"]);
    if NAME != "pg15" {
        let sql = "JSON_ARRAYAGG(a) FILTER (WHERE a > (1))";
        assert_eq!(of(&format!("SELECT {sql}, b"), "JsonAggConstructor"), [sql]);
    }
    let sql = "CREATE FUNCTION f() RETURNS TABLE (a numeric(x + 5, 1)) AS '' LANGUAGE sql";
    assert_eq!(of(sql, "TypeName"), ["numeric(x + 5, 1)"]);
    assert_eq!(of(sql, "A_Expr"), ["x + 5"]);
    assert_eq!(of(sql, "A_Const"), ["5", "1"]);
}

#[test]
fn what_is_widened_covers_all_of_it() {
    let sql = "((SELECT 1) ORDER BY 1) LIMIT 1";
    assert_eq!(of(sql, "SelectStmt"), [sql]);
    let sql = "SELECT a UNION (SELECT b LIMIT 1) ORDER BY 1";
    assert_eq!(of(sql, "SelectStmt"), [sql, "SELECT a", "SELECT b LIMIT 1"]);
    let sql = "WITH w AS (SELECT 1) INSERT INTO t (a) SELECT 2 ON CONFLICT DO NOTHING RETURNING a";
    assert_eq!(of(sql, "InsertStmt"), [sql]);
    assert_eq!(of(sql, "SelectStmt"), ["SELECT 2", "SELECT 1"]);
    let sql = "SELECT count(*) FILTER (WHERE a) OVER (w) FROM t";
    assert_eq!(of(sql, "FuncCall"), ["count(*) FILTER (WHERE a) OVER (w)"]);
    let statements = "; SELECT 1 ; -- two\nSELECT 2;;";
    assert_eq!(of(statements, "RawStmt"), ["SELECT 1", "SELECT 2"]);
}

#[test]
fn what_no_token_made_has_no_range() {
    let none: Vec<_> = texts("TABLE t FETCH FIRST ROW ONLY")
        .into_iter()
        .filter_map(|(name, text)| text.is_none().then_some(name))
        .collect();
    assert_eq!(none, ["ResTarget", "ColumnRef", "A_Star", "A_Const", "Integer"]);
}

#[test]
fn other_trees_have_no_ranges() {
    let tree = view::parse_with_ranges("SELECT 1", ParserOptions::default()).expect("a tree");
    let other = view::parse("SELECT 1").expect("a tree");
    for node in other.nodes() {
        assert_eq!(tree.range(node), None);
        assert_eq!(other.range(node), None);
    }
    assert!(other.ranges().is_none() && other.compact().ranges().is_none());
    let empty = view::parse_with_ranges("-- nothing", ParserOptions::default()).expect("a tree");
    assert!(empty.ranges().is_some_and(|ranges| ranges.is_empty()));
}

#[test]
fn modes_and_errors() {
    let options = ParserOptions::default();
    let expr = "  a + b * c ";
    let (tree, ranges) =
        pg::parse_with_ranges(expr, options.mode(ParseMode::PlPgSqlExpr)).expect("a tree");
    let texts: Vec<_> = ranges.iter().flatten().map(|range| &expr[range]).collect();
    assert_eq!(texts.len(), tree.nodes().count());
    assert_eq!(texts[0], "a + b * c");

    let error = pg::parse_with_ranges("SELECT FROM FROM", options).expect_err("an error");
    assert_eq!((error.kind(), error.cursor()), (ErrorKind::Syntax, Some(12)));
    // The data that the thread keeps does not affect the next call.
    assert_eq!(
        pg::parse("SELECT 1"),
        pg::parse_with_ranges("SELECT 1", options).map(|(tree, _)| tree)
    );
}

/// The ranges of long or deep SQL take time proportional to it.
#[test]
fn large_trees() {
    let count = 100_000;
    let list = format!("SELECT {}", vec!["a.b"; count].join(", "));
    let (_, ranges) = pg::parse_with_ranges(&list, ParserOptions::default()).expect("a tree");
    assert_eq!(ranges.len(), 2 + 4 * count);
    assert_eq!(ranges.get(ranges.len() - 1), Some(list.len() - 1..list.len()));

    let depth = 3_000;
    let deep = format!("SELECT {}1{}", "(".repeat(depth), " + 1)".repeat(depth));
    let tree = view::parse_with_ranges(&deep, ParserOptions::default()).expect("a tree");
    let sum = tree.nodes().filter(|node| node.name() == "A_Expr").last().expect("a sum");
    let start = "SELECT ".len() + depth;
    assert_eq!(tree.range(sum), Some(start..start + "1 + 1".len()));
}
