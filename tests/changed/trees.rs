#[path = "mutants.rs"]
mod mutants;

use std::collections::BTreeMap;

use pg_ast::pg18 as pg;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage};

use crate::common::corpus;
use mutants::{Change, mutants};

#[derive(Default)]
struct Found {
    trees: usize,
    printed: usize,
    kinds: BTreeMap<(Change, String, &'static str), (usize, String)>,
}

fn look(found: &mut Found, sql: &str, bytes: &[u8], change: Change, place: &str) {
    found.trees += 1;
    let tree = pg::protobuf::ParseResult::decode(bytes).expect("decodes");
    let tree = pg::ParseResult::from(tree);
    let text = match tree.deparse() {
        Ok(text) => text,
        Err(error) => {
            if std::env::var("VIEWS").is_ok() {
                let view = tree.to_view().map(|view| view.deparse());
                if let Ok(Ok(text)) = view {
                    let shown = format!("{sql}\n      => {text}\n      {error}");
                    let kind = found.kinds.entry((change, place.to_owned(), "view prints")).or_insert((0, shown));
                    kind.0 += 1;
                }
            }
            return;
        }
    };
    found.printed += 1;
    if std::env::var("VIEWS").is_ok() {
        let view = tree.to_view().and_then(|view| view.deparse());
        if view.as_deref() != Ok(&*text) {
            let shown = format!("{sql}\n      => {text}\n      {view:?}");
            let kind = found.kinds.entry((change, place.to_owned(), "view differs")).or_insert((0, shown));
            kind.0 += 1;
        }
    }
    let outcome = match pg::parse(&text) {
        Err(_) => "no SQL",
        Ok(mut again) => {
            again.clear_locations();
            let mut given = tree.to_view().and_then(|view| view.to_owned_tree()).expect("a tree");
            given.clear_locations();
            without_meaning(&mut given);
            without_meaning(&mut again);
            if again.protobuf.stmts == given.protobuf.stmts { return }
            "another tree"
        }
    };
    if std::env::var("SHOW").is_ok_and(|show| show == place) {
        println!("SHOW {change:?} {sql}\n      => {text}");
    }
    let shown = format!("{sql}\n      => {text}");
    let kind = found.kinds.entry((change, place.to_owned(), outcome)).or_insert((0, shown.clone()));
    kind.0 += 1;
    if shown.len() < kind.1.len() { kind.1 = shown; }
}

#[test]
fn each_change_is_printed_or_refused() {
    let pool = DescriptorPool::decode(std::fs::read(env!("PG_AST_PG18_SCHEMA")).unwrap().as_slice()).unwrap();
    let whole = pool.get_message_by_name("pg_query.ParseResult").unwrap();
    let mut statements = corpus::own_statements();
    if let Ok(step) = std::env::var("STEP") {
        statements.extend(corpus::statements().into_iter().step_by(step.parse().unwrap()));
    }
    let max: usize = std::env::var("MAX").map_or(400, |max| max.parse().unwrap());
    let mut found = Found::default();
    let mut count = 0;
    for sql in &statements {
        let Ok(mut tree) = pg::parse(sql) else { continue };
        if sql.len() > max { continue }
        tree.clear_locations();
        if tree.deparse().ok().and_then(|sql| pg::parse(&sql).ok()).map(|mut tree| { tree.clear_locations(); tree }) != Some(tree.clone()) {
            println!("base differs: {sql}\n    {:?} {:?}", tree.deparse(), tree.warnings);
            continue;
        }
        count += 1;
        if std::env::var("BASE").is_ok() { continue }
        for stmt in tree.into_protobuf().stmts {
            let tree = pg::protobuf::ParseResult { version: 0, stmts: vec![stmt] };
            let tree = DynamicMessage::decode(whole.clone(), &*tree.encode_to_vec()).unwrap();
            mutants(&tree, &mut |bytes, change, place| look(&mut found, sql, bytes, change, place));
        }
    }
    let mut kinds: Vec<_> = found.kinds.into_iter().collect();
    kinds.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let mut totals = BTreeMap::new();
    for ((change, place, outcome), (count, shown)) in &kinds {
        *totals.entry((*change, *outcome)).or_insert(0) += count;
        println!("{count} {change:?} {place} {outcome}\n      {shown}");
    }
    println!("{count} statements, {} trees, {} printed, {totals:#?}", found.trees, found.printed);
}

/// Flags that mean nothing without the list that they are about.
fn without_meaning(tree: &mut pg::ParseResult) {
    let mut nodes = tree.nodes_mut();
    while let Some(node) = nodes.next() {
        if let pg::NodeMut::WindowDef(window) = node {
            if window.frame_options == 0 { window.frame_options = 1058; }
        } else if let pg::NodeMut::MergeSupportFunc(function) = node {
            function.msftype = 0;
        } else if let pg::NodeMut::SqlvalueFunction(function) = node {
            if function.typmod == 0 { function.typmod = -1; }
        } else if let pg::NodeMut::SelectStmt(select) = node {
            if select.limit_count.is_none() && select.limit_offset.is_none() {
                select.limit_option = pg::protobuf::LimitOption::Default.into();
            }
            if select.group_clause.is_empty() {
                select.group_distinct = false;
            }
        }
    }
}
