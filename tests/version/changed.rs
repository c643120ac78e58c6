//! What is printed of a changed tree parses to this tree, or printing it is an error.
//!
//! Every child of every node of our statements, and of a sample of PostgreSQL's, is removed, emptied, doubled, swapped with the next
//! one, and replaced by nodes of other types. By default, one change of so many is tried, the same ones in each run.

#[cfg(feature = "plpgsql")]
mod bodies;
mod mutants;
mod places;

use std::collections::BTreeMap;

use pg_ast::{DeparseOptions, ErrorKind};
use prost::Message as _;
use prost_reflect::{DynamicMessage, Value};

use super::pg::view::edit::{self, StmtsMut};
use super::pg::{self, NodeMut, ParseResult, make, protobuf, view};
use super::{NAME, schema};
use crate::common::corpus;
use mutants::{Change, Donors, Mutants};

/// PostgreSQL's default of `WindowDef.frame_options`: `FRAMEOPTION_DEFAULTS`.
const NO_FRAME: i32 = 1_058;

/// The trees of a test.
#[derive(Default)]
struct Counts {
    statements: usize,
    printed: usize,
    refused: usize,
    /// Those that are printed as something else, by kind, each with an example.
    wrong: BTreeMap<String, (usize, String)>,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.statements += other.statements;
        self.printed += other.printed;
        self.refused += other.refused;
        for (kind, (count, example)) in other.wrong {
            self.wrong.entry(kind).or_insert((0, example)).0 += count;
        }
    }

    fn wrong(&mut self, kind: String, example: impl FnOnce() -> String) {
        self.wrong.entry(kind).or_insert_with(|| (0, example())).0 += 1;
    }

    /// Counts a tree by what printing it returns.
    fn outcome(
        &mut self,
        printed: Result<String, pg_ast::Error>,
        given: impl FnOnce() -> Result<ParseResult, pg_ast::Error>,
        kind: impl FnOnce() -> String,
        sql: &str,
    ) {
        let text = match printed {
            Ok(text) => text,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Deparse, "{sql}: {error:?}");
                self.refused += 1;
                return;
            }
        };
        self.printed += 1;
        match is_that_of(&text, given().expect("what is printed is a tree")) {
            Some(true) => {}
            Some(false) => {
                self.wrong(format!("another tree: {}", kind()), || format!("{sql} -> {text}"));
            }
            None => self.wrong(format!("no SQL: {}", kind()), || format!("{sql} -> {text}")),
        }
    }
}

/// Returns whether a tree is that of the SQL; `None` if it is no SQL.
fn is_that_of(sql: &str, given: ParseResult) -> Option<bool> {
    let given = as_printed(given);
    let again = pg::parse(sql).map(as_printed).ok()?;
    Some(again == given || with_one_source(&again) == with_one_source(&given))
}

/// A tree without what its text does not have: locations, and the numbers and flags that docs/exact.md lists.
fn as_printed(mut tree: ParseResult) -> Vec<protobuf::RawStmt> {
    tree.clear_locations();
    let mut nodes = tree.nodes_mut();
    while let Some(node) = nodes.next() {
        match node {
            NodeMut::SelectStmt(select) => {
                if select.limit_count.is_none() && select.limit_offset.is_none() {
                    select.limit_option = protobuf::LimitOption::Default.into();
                }
                select.group_distinct &= !select.group_clause.is_empty();
            }
            NodeMut::WindowDef(window) if window.frame_options == 0 => {
                window.frame_options = NO_FRAME;
            }
            NodeMut::SqlvalueFunction(function) if function.typmod == 0 => function.typmod = -1,
            _ => {}
        }
    }
    tree.into_protobuf().stmts
}

/// The grammar shares the source of several columns. The printer reads that of the first one: the others are copies, which walks
/// renew when they end, and which are empty while a view is edited. So these are left out here.
fn with_one_source(stmts: &[protobuf::RawStmt]) -> DynamicMessage {
    fn leave_out(message: &mut DynamicMessage) {
        if message.get_field_by_name("colno").is_some_and(|colno| colno.as_i32() > Some(1)) {
            message.clear_field_by_name("source");
        }
        for (_, value) in message.fields_mut() {
            match value {
                Value::Message(child) => leave_out(child),
                Value::List(items) => {
                    items.iter_mut().filter_map(Value::as_message_mut).for_each(leave_out);
                }
                _ => {}
            }
        }
    }

    let tree = protobuf::ParseResult { stmts: stmts.to_vec(), ..Default::default() };
    let mut tree = schema::dynamic(&tree);
    leave_out(&mut tree);
    tree
}

/// Runs `f` for statements that have no warnings, on two threads.
fn over<S>(
    statements: &[String],
    state: impl Fn() -> S + Sync,
    f: impl Fn(&str, &ParseResult, &mut Counts, &mut S) + Sync,
) -> Counts {
    let run = |statements: &[String]| {
        let (mut counts, mut state) = (Counts::default(), state());
        // Older versions do not know all of them. Some have warnings, or names that are cut off.
        for sql in statements {
            let Ok(mut tree) = pg::parse(sql) else { continue };
            if tree.warnings.is_empty() {
                tree.clear_locations();
                counts.statements += 1;
                f(sql, &tree, &mut counts, &mut state);
            }
        }
        counts
    };
    let (first, second) = statements.split_at(statements.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(second));
        let mut counts = run(first);
        counts.add(other.join().expect("no panic"));
        counts
    })
}

/// Where deparsers print a node of a type that the grammar does not have there: those of some versions do so with options,
/// the marks of `CYCLE`, and the names of objects. These are counted; docs/exact.md names them.
const OF_ANY_TYPE: [&str; 8] = [
    "AlterExtensionContentsStmt.object",
    "CTECycleClause.cycle_mark_default",
    "CTECycleClause.cycle_mark_value",
    "ClusterStmt.params",
    "CommentStmt.object",
    "DefElem.arg",
    "SecLabelStmt.object",
    "TypeCast.arg",
];

#[track_caller]
fn none_wrong(counts: &Counts, one_of: usize) {
    let Counts { statements, printed, refused, wrong } = counts;
    let is_listed =
        |kind: &str| OF_ANY_TYPE.iter().any(|it| kind.ends_with(&format!("Replace {it}")));
    let (listed, wrong): (Vec<_>, Vec<_>) = wrong.iter().partition(|(kind, _)| is_listed(kind));
    let listed: usize = listed.iter().map(|(_, (count, _))| count).sum();
    println!(
        "{NAME}: {statements} statements, {printed} changed trees printed, {refused} refused, {listed} of a type that has no SQL there"
    );
    let least = 5_000 / one_of;
    assert!(*statements > 1_000 && *printed > least && *refused > least, "{statements}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Our statements, and some of PostgreSQL's that are not long.
fn statements() -> Vec<String> {
    let mut statements = corpus::statements();
    statements.retain(|sql| sql.len() < 500);
    let sample = statements.into_iter().step_by(300);
    corpus::own_statements().into_iter().chain(sample).collect()
}

/// Changes owned trees, at one of so many places.
fn owned_trees(changes: &[Change], one_of: usize) {
    let (strangers, donors) = (strangers(), donors());
    let mutants = || Mutants { changes, one_of, count: 0, strangers: &strangers, donors: &donors };
    let counts = over(&statements(), mutants, |sql, tree, counts, mutants| {
        mutants.of(&schema::dynamic(&tree.protobuf), &mut |bytes, change, place| {
            let tree = protobuf::ParseResult::decode(bytes).expect("decodes");
            let tree = ParseResult::from(tree);
            // As C has it, and so with a constant in place of those that C does not have.
            let given = || tree.to_view().and_then(|view| view.to_owned_tree());
            counts.outcome(tree.deparse(), given, || format!("{change:?} {place}"), sql);
            // A view has what C has: an empty list is none, a constant is the first one.
            if let (Ok(text), Ok(view)) = (tree.deparse(), tree.to_view()) {
                assert_eq!(view.deparse().as_ref(), Ok(&text), "{sql}");
            }
        });
    });
    none_wrong(&counts, one_of);
}

/// Nodes that are put in place of others.
fn strangers() -> Vec<DynamicMessage> {
    let nodes = [
        make::column_ref(["x"]).into(),
        make::int_const(1).into(),
        make::range_var(None, "t").into(),
        make::type_name(["t"]).into(),
        make::string("s").into(),
        make::list([make::string("s")]).into(),
        make::select_stmt([make::res_target(None, make::int_const(1))]).into(),
    ];
    let dynamic = |node: pg::Node| {
        DynamicMessage::decode(schema::message("Node"), &*node.encode_to_vec()).expect("decodes")
    };
    nodes.map(dynamic).into()
}

/// What nodes of our statements hold.
fn donors() -> Donors {
    let mut donors = Donors::default();
    for sql in corpus::own_statements() {
        let Ok(mut tree) = pg::parse(&sql) else { continue };
        tree.clear_locations();
        donors.add(&schema::dynamic(&tree.protobuf));
    }
    donors
}

/// By default, one change of so many.
const SAMPLE: usize = 23;

#[test]
fn changed_children() {
    owned_trees(Change::OF_CHILDREN, SAMPLE);
}

#[test]
fn other_types() {
    owned_trees(&[Change::Replace], SAMPLE);
}

/// Fills fields with what other nodes have there. Only printing that checks its SQL knows of all that has no place in it.
fn filled(one_of: usize) {
    let donors = donors();
    let changes = &[Change::Fill];
    let mutants = || Mutants { changes, one_of, count: 0, strangers: &[], donors: &donors };
    let counts = over(&statements(), mutants, |sql, tree, counts, mutants| {
        mutants.of(&schema::dynamic(&tree.protobuf), &mut |bytes, change, place| {
            let tree = protobuf::ParseResult::decode(bytes).expect("decodes");
            let tree = ParseResult::from(tree);
            let checked = tree.deparse_with(DeparseOptions::default().checked(true));
            let given = || tree.to_view().and_then(|view| view.to_owned_tree());
            assert!(checked.is_err() || tree.deparse().is_ok(), "{place}: {sql}");
            if let (Ok(plain), Err(error)) = (tree.deparse(), &checked)
                && is_that_of(&plain, given().expect("a tree")) == Some(true)
            {
                counts.wrong(format!("refused: {place}"), || format!("{plain}: {error}"));
            }
            counts.outcome(checked, given, || format!("{change:?} {place}"), sql);
        });
    });
    none_wrong(&counts, one_of);
}

#[test]
fn filled_fields() {
    filled(SAMPLE);
}

#[test]
#[ignore = "takes minutes"]
fn all_filled_fields() {
    filled(1);
}

/// What the parser makes is what is printed.
#[test]
fn parsed_trees_are_exact() {
    let options = DeparseOptions::default().checked(true);
    for sql in corpus::statements().into_iter().step_by(3).chain(corpus::own_statements()) {
        let Ok(tree) = pg::parse(&sql) else { continue };
        assert_eq!(tree.deparse_with(&options), tree.deparse(), "{sql}");
        let view = view::parse(&sql).expect("parses");
        assert_eq!(view.deparse_with(&options), view.deparse(), "{sql}");
    }
    let tree = pg::parse("SELECT 1; SELECT 2").expect("parses");
    let stmt = tree.protobuf.stmts[1].stmt.as_deref().expect("a statement");
    assert_eq!(pg::deparse_stmt(stmt, &options).as_deref(), Ok("SELECT 2"));
    assert_eq!(pg::reformat("select  1", &options).as_deref(), Ok("SELECT 1"));
}

#[test]
#[ignore = "takes minutes"]
fn all_changed_children() {
    owned_trees(Change::OF_CHILDREN, 1);
}

#[test]
#[ignore = "takes minutes"]
fn all_other_types() {
    owned_trees(&[Change::Replace], 1);
}

/// Changes a view at the place with this number; returns false if there are not so many.
fn change_view(mut stmts: StmtsMut<'_, '_>, change: Change, place: usize) -> bool {
    let mut nodes = stmts.nodes_mut();
    let mut count = 0;
    while let Some(mut slot) = nodes.next() {
        if count == place {
            match change {
                Change::Remove => drop(slot.take()),
                _ => {
                    let Some(edit::NodeMut::List(mut list)) = slot.get_mut() else { return true };
                    match change {
                        Change::EmptyList => list.clear(),
                        Change::Swap if list.len() > 1 => list.swap(0, 1),
                        _ => drop(list.pop()),
                    }
                }
            }
            return true;
        }
        count += 1;
    }
    false
}

/// Changes views, at one of so many places.
fn edited(one_of: usize) {
    let counts = over(
        &statements(),
        || 0,
        |sql, _, counts, count| {
            let view = view::parse(sql).expect("parses");
            for change in [Change::Remove, Change::EmptyList, Change::Swap, Change::Double] {
                for place in 0.. {
                    *count += 1;
                    if !usize::is_multiple_of(*count, one_of) {
                        continue;
                    }
                    let mut edited = view.clone();
                    if !edited.edit(|stmts, _| change_view(stmts, change, place)) {
                        break;
                    }
                    let kind = || format!("{change:?} in a view");
                    counts.outcome(edited.deparse(), || edited.to_owned_tree(), kind, sql);
                }
            }
        },
    );
    none_wrong(&counts, one_of);
}

#[test]
fn edited_views() {
    edited(SAMPLE);
}

#[test]
#[ignore = "takes minutes"]
fn all_edited_views() {
    edited(1);
}

/// Texts that are printed as they are have to be what they are printed for.
#[test]
fn texts_that_are_something_else() {
    let numbers = [
        "1; DROP TABLE t",
        "1,2",
        "$1",
        "x",
        "--1",
        "1 -- ",
        "1e",
        "1.5.5",
        ".",
        "-",
        "0x1 ",
        "1'",
    ];
    for text in numbers {
        let printed = pg::deparse_expr(&make::float_const(text).into());
        assert!(printed.is_err(), "{text}: {printed:?}");
    }
    for text in ["1.5", "-1.5", ".5", "5.", "1e10", "-1.5E-10", "12345678901234567890"] {
        let printed = pg::deparse_expr(&make::float_const(text).into());
        assert_eq!(printed.as_deref(), Ok(text));
    }
    let operation = |op: &str| {
        pg::deparse_expr(&make::a_expr(op, make::column_ref(["a"]), make::int_const(1)).into())
    };
    let long = "+".repeat(64);
    for op in ["--", "<--", "/*", "+/*", "=>", "*-", "<+", &long, "a", "; DROP", "+ "] {
        assert!(operation(op).is_err(), "{op}: {:?}", operation(op));
    }
    for op in ["-", "+", "<>", "->>", "@-", "||", "<=>"] {
        assert_eq!(operation(op), Ok(format!("a {op} 1")));
    }
    assert_eq!(operation("!=").as_deref(), Ok("a <> 1"));
    let long = "n".repeat(64);
    assert!(pg::deparse_expr(&make::column_ref([&*long]).into()).is_err());
    assert_eq!(pg::deparse_expr(&make::column_ref([&long[1..]]).into()).as_deref(), Ok(&long[1..]));
    for role in ["public", "none"] {
        let mut tree = pg::parse("DROP ROLE r").expect("parses");
        tree.nodes_mut().for_each(|node| {
            if let NodeMut::RoleSpec(spec) = node {
                role.clone_into(&mut spec.rolename);
            }
        });
        assert!(tree.deparse().is_err(), "{role}");
    }
}

/// The smallest trees of each kind.
#[test]
fn what_has_no_sql() {
    let donors = Donors::default();
    let refused = |sql: &str, place: &str, change: Change, message: &str| {
        let tree = pg::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let mut errors = Vec::new();
        let mut mutants =
            Mutants { changes: &[change], one_of: 1, count: 0, strangers: &[], donors: &donors };
        mutants.of(&schema::dynamic(&tree.protobuf), &mut |bytes, _, at| {
            if at == place {
                let tree = protobuf::ParseResult::decode(bytes).expect("decodes");
                errors.push(tree.deparse().map_err(|error| error.message().to_owned()));
            }
        });
        let expected = Err(format!("deparse: {message} has no SQL"));
        assert!(errors.contains(&expected), "{sql}: {errors:?}");
    };
    let several = "a MultiAssignRef without the others";
    let update = "UPDATE t SET (a, b, c) = (SELECT 1, 2, 3), d = 4";
    for change in [Change::Remove, Change::Double, Change::Swap] {
        refused(update, "UpdateStmt.target_list", change, several);
    }
    let missing = "an expression that is not there";
    refused("VALUES (1, 2)", "List.items", Change::EmptyCell, missing);
    refused("CREATE TABLE t (CHECK (a))", "Constraint.raw_expr", Change::Remove, missing);
    let no_items = "a list without items";
    refused("DROP TABLE a, b CASCADE", "DropStmt.objects", Change::EmptyCell, no_items);
    refused("SELECT f(a)", "FuncCall.funcname", Change::Empty, "an empty name");
    refused("SELECT a.*", "ColumnRef.fields", Change::Swap, "something behind a star");
    let types = "ObjectWithArgs with objargs that are not the types of its objfuncargs";
    refused("DROP FUNCTION f(int)", "ObjectWithArgs.objargs", Change::Remove, types);
    refused(
        "SELECT a AND b",
        "BoolExpr.args",
        Change::Remove,
        "a BoolExpr without a second operand",
    );
    refused(
        "SELECT (a, b)",
        "RowExpr.args",
        Change::Remove,
        "a RowExpr without ROW and a second item",
    );
    let syntax = "a FuncCall in its own syntax";
    refused("SELECT position('a' IN b)", "FuncCall.args", Change::Remove, syntax);
}
