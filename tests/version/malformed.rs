//! A tree that no grammar can make: printing it is
//! an error, or returns some SQL, and never crashes.
//!
//! Each of our statements is mutated at every place: children are removed,
//! lists are emptied, nodes are replaced by nodes of another type, strings
//! are emptied, enums get invalid constants. A crash ends this process.

use pg_ast::{DeparseOptions, ErrorKind};
use pg_ast_effects::FindEffects as _;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, Value};

use super::pg::protobuf::ParseResult as Tree;
use super::pg::{self, ParseResult};
use super::{NAME, pg_names, raw, schema};
use crate::common::corpus;

/// The mutations of a field of a message.
#[derive(Clone, Copy, Debug)]
enum Mutation {
    /// Removed, emptied, 0.
    Clear,
    /// Another node, or another first node of a list.
    Replace(usize),
    /// The first element of a list repeated; a string with a suffix; a large number.
    Grow,
}

const STRANGERS: usize = 5;

/// Each place gets one of the mutations, the next place another one.
#[test]
fn one_mutation_at_each_place() {
    run(false);
}

#[test]
#[ignore = "takes minutes"]
fn each_mutation_at_each_place() {
    run(true);
}

fn run(all: bool) {
    let pool = &schema::POOL;
    let strangers = strangers(pool);
    let whole = pool.get_message_by_name("pg_query.ParseResult").expect("ParseResult");
    let statements = corpus::own_statements();
    let run = |statements: &[String]| {
        let mut counts = Counts::default();
        for sql in statements {
            // Older versions do not know all of them.
            let Ok(tree) = pg::parse(sql) else { continue };
            counts.parsed += 1;
            for stmt in tree.into_protobuf().stmts {
                let tree = Tree { version: 0, stmts: vec![stmt] };
                let tree = DynamicMessage::decode(whole.clone(), &*tree.encode_to_vec());
                let tree = tree.expect("decodes as it encodes");
                let mut mutator = Mutator { strangers: &strangers, all, place: counts.parsed };
                mutator.mutants(&tree, &mut |mutant| print(mutant, &mut counts));
            }
        }
        counts
    };
    let (first, second) = statements.split_at(statements.len() / 2);
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(second));
        (run(first), other.join().expect("no panic"))
    });
    let printed = first.printed + second.printed;
    let refused = first.refused + second.refused;
    let parsed = first.parsed + second.parsed;
    let trees = printed + refused;
    println!(
        "{NAME}: {trees} malformed trees of {parsed} statements: {printed} printed, {refused} refused"
    );
    assert!(
        parsed > 1_000 && printed > 10_000 && refused > 10_000,
        "the mutations reach the deparser"
    );

    let nodes = every_node_alone(pool);
    println!("{NAME}: {nodes} nodes with nothing in them");
}

#[derive(Default)]
struct Counts {
    parsed: usize,
    printed: usize,
    refused: usize,
}

/// Nodes in places where they do not belong: none, and four of common types.
fn strangers(pool: &DescriptorPool) -> Vec<DynamicMessage> {
    let tree = pg::parse("SELECT 1, a, f(x)::int FROM t").expect("parses").into_protobuf();
    let select = tree.stmts[0].stmt.clone().expect("a statement");
    let Some(pg::NodeEnum::SelectStmt(inner)) = &select.node else { unreachable!() };
    let mut nodes = vec![pg::Node { node: None }, inner.from_clause[0].clone()];
    nodes.push(inner.target_list[1].clone());
    let string = pg::protobuf::String { sval: "s".to_owned() };
    nodes.push(pg::Node { node: Some(pg::NodeEnum::String(string)) });
    let items = inner.target_list.clone();
    nodes.push(pg::Node { node: Some(pg::NodeEnum::List(pg::protobuf::List { items })) });
    let descriptor = pool.get_message_by_name("pg_query.Node").expect("Node");
    nodes
        .iter()
        .map(|node| {
            DynamicMessage::decode(descriptor.clone(), &*node.encode_to_vec()).expect("decodes")
        })
        .collect()
}

/// Mutates every set field of a statement.
struct Mutator<'a> {
    strangers: &'a [DynamicMessage],
    /// True if each place gets all mutations, instead of one of them in turn.
    all: bool,
    /// The number of places so far, with a different start for each statement.
    place: usize,
}

impl Mutator<'_> {
    /// Passes on each mutant of a message, encoded.
    fn mutants(&mut self, message: &DynamicMessage, act: &mut dyn FnMut(&[u8])) {
        for (field, _) in message.fields() {
            // One foreign node per place, another one at the next.
            let stranger = self.place % STRANGERS;
            let mutations = [Mutation::Clear, Mutation::Replace(stranger), Mutation::Grow];
            let turn = self.place % mutations.len();
            self.place += 1;
            for &mutation in if self.all { &mutations[..] } else { &mutations[turn..=turn] } {
                let mut mutant = message.clone();
                if mutate(&mut mutant, &field, mutation, self.strangers) {
                    act(&mutant.encode_to_vec());
                }
            }
        }
        for (field, value) in message.fields() {
            let children: Vec<_> = match value {
                Value::List(children) => children.iter().filter_map(Value::as_message).collect(),
                child => child.as_message().into_iter().collect(),
            };
            let mut rest = message.clone();
            rest.clear_field(&field);
            let rest = rest.encode_to_vec();
            let mut encoded: Vec<_> = children.iter().map(|child| child.encode_to_vec()).collect();
            for (at, child) in children.into_iter().enumerate() {
                let original = encoded[at].clone();
                self.mutants(child, &mut |mutant| {
                    encoded[at] = mutant.to_vec();
                    let mut whole = rest.clone();
                    prost::encoding::bytes::encode_repeated(field.number(), &encoded, &mut whole);
                    act(&whole);
                });
                encoded[at] = original;
            }
        }
    }
}

/// Returns false if the mutation has no meaning for the field.
fn mutate(
    message: &mut DynamicMessage,
    field: &FieldDescriptor,
    mutation: Mutation,
    strangers: &[DynamicMessage],
) -> bool {
    let holds_node = matches!(field.kind(), Kind::Message(m) if m.name() == "Node");
    match (mutation, message.get_field_mut(field)) {
        (Mutation::Clear, _) => message.clear_field(field),
        (Mutation::Replace(which), Value::Message(child)) if holds_node => {
            *child = strangers[which].clone();
        }
        (Mutation::Replace(which), Value::List(children)) if holds_node => {
            children[0] = Value::Message(strangers[which].clone());
        }
        (Mutation::Grow, Value::List(children)) => children.push(children[0].clone()),
        (Mutation::Grow, Value::String(text)) => text.push_str("\u{e9}\" '"),
        (Mutation::Grow, Value::I32(number)) => *number = i32::MAX,
        (Mutation::Grow, Value::EnumNumber(number)) => *number = 9_999,
        _ => return false,
    }
    true
}

fn print(mutant: &[u8], counts: &mut Counts) {
    let protobuf = Tree::decode(mutant).expect("decodes");
    let tree = ParseResult::from(protobuf);
    // The deparser of older versions has no layouts.
    let layouts = raw::PG_VERSION_NUM >= 170_000;
    let pretty = layouts && (counts.printed + counts.refused).is_multiple_of(2);
    let options = DeparseOptions::default().pretty_print(pretty);
    fingerprint(&tree);
    // Each kind of mutation gets its turn, and the test ends.
    if (counts.printed + counts.refused).is_multiple_of(4) {
        look_at(&tree);
    }
    match pg::deparse_with(&tree, &options) {
        Ok(_) => counts.printed += 1,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?} for {:?}", tree.protobuf);
            counts.refused += 1;
        }
    }
}

fn fingerprint(tree: &ParseResult) {
    let _ = tree.fingerprint();
}

fn is_text_or_refusal(tree: &ParseResult, outcome: Result<(), pg_ast::Error>) {
    if let Err(error) = outcome {
        let expected = matches!(error.kind(), ErrorKind::Deparse | ErrorKind::Nul);
        assert!(expected, "{error:?} for {:?}", tree.protobuf);
    }
}

/// Other calls accept each tree: they may return an error.
fn look_at(tree: &ParseResult) {
    is_text_or_refusal(tree, tree.deparse_truncated(20).map(drop));
    let _ = tree.analyze();
    assert!(tree.nodes().count() > 0 || tree.protobuf.stmts.is_empty());
    let _ = (tree.is_utility_stmt(), tree.statement_types());
    let mut names = 0;
    tree.walk_names(|name, _| names += name.name().len());
    let conditions: usize = tree.nodes().map(|node| node.filters().len()).sum();
    assert!(names + conditions < 1 << 30);
    let _ = tree.effects();
    let mut catalog = pg_ast_names::DdlCatalog::new();
    pg_names::define(tree, &mut catalog);
    let _ = super::pg_types::types(tree, &catalog);
    let names = pg_names::resolve(tree, &catalog);
    let _ = (names, pg_names::dependencies(tree, &catalog).order());
}

/// Every node type of the schema, empty, as a statement and as an expression.
fn every_node_alone(pool: &DescriptorPool) -> usize {
    let descriptor = pool.get_message_by_name("pg_query.Node").expect("Node");
    let select = pg::parse("SELECT x").expect("parses");
    for field in descriptor.fields() {
        let Kind::Message(kind) = field.kind() else { unreachable!() };
        let mut node = DynamicMessage::new(descriptor.clone());
        node.set_field(&field, Value::Message(DynamicMessage::new(kind)));
        let node = pg::Node::decode(&*node.encode_to_vec()).expect("decodes");

        // Some can be printed when empty (`CHECKPOINT`);
        // the others must return an error.
        if let Err(error) = pg::deparse_stmt(&node, DeparseOptions::default()) {
            assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}");
        }
        let mut tree = select.clone();
        let stmt = tree.protobuf.stmts[0].stmt.as_mut().expect("a statement");
        let Some(pg::NodeEnum::SelectStmt(select)) = &mut stmt.node else { unreachable!() };
        select.where_clause = Some(Box::new(node));
        if let Err(error) = pg::deparse(&tree) {
            assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}");
        }
    }
    descriptor.fields().len()
}
