//! Every call that takes a text, and every call that takes a tree.

use core::fmt::{self, Debug, Write as _};
use core::ops::ControlFlow;

use pg_ast::{
    DeparseOptions, Error, ErrorKind, FingerprintOptions, NodeRef, ParseResult, Visit, Warning,
    protobuf,
};
use prost::Message as _;

use super::Source;

/// Where an error or a warning points has to be a place in the text.
pub(super) fn is_place(cursor: Option<usize>, sql: &str) {
    if let Some(cursor) = cursor {
        assert!(sql.is_char_boundary(cursor), "{cursor} is not a place of {sql:?}");
    }
}

/// An error that a text may be answered with.
#[track_caller]
pub(super) fn is_refusal(error: &Error, sql: &str) {
    is_place(error.cursor(), sql);
    let expected = matches!(
        error.kind(),
        ErrorKind::Syntax
            | ErrorKind::Nul
            | ErrorKind::InvalidEncoding
            | ErrorKind::TooDeep
            | ErrorKind::TooLarge
    );
    assert!(expected, "{error:?} for {sql:?}");
    assert!(!error.message().is_empty(), "{error:?} for {sql:?}");
}

/// An error that a tree may be answered with.
#[track_caller]
fn is_unprintable(error: &Error, tree: &protobuf::ParseResult, from_text: bool) {
    let expected = match error.kind() {
        // Trees of the grammar are printed, but for what libpg_query's deparser cannot do.
        ErrorKind::Deparse | ErrorKind::TooDeep | ErrorKind::TooLarge => true,
        ErrorKind::Nul => !from_text,
        _ => false,
    };
    assert!(expected, "{error:?} for {tree:?}");
}

pub(super) fn warnings_are_placed(warnings: &[Warning], sql: &str) {
    for warning in warnings {
        is_place(warning.cursor, sql);
        assert!(!warning.message.is_empty(), "{warning:?}");
    }
}

/// Any layout.
pub(super) fn layout(source: &mut Source<'_>) -> DeparseOptions {
    let bits = source.byte();
    DeparseOptions::default()
        .pretty_print(bits & 1 == 0)
        .trailing_newline(bits & 2 != 0)
        .commas_start_of_line(bits & 4 != 0)
        .indent_size(if bits & 8 == 0 { 0 } else { u16::from(source.byte()) })
        .max_line_length(if bits & 16 == 0 { 0 } else { u16::from(source.byte()) })
}

/// The text that a tree is printed to, if it can be.
pub(super) fn print(
    tree: &protobuf::ParseResult,
    options: &DeparseOptions,
    from_text: bool,
) -> Option<String> {
    let wrapped = ParseResult::from(tree.clone());
    match pg_ast::deparse_with(&wrapped, options) {
        Ok(text) => {
            assert!(!text.contains('\0'));
            Some(text)
        }
        // The older deparsers have no layouts.
        Err(error) if error.kind() == ErrorKind::Unsupported => None,
        Err(error) => {
            is_unprintable(&error, tree, from_text);
            None
        }
    }
}

/// Everything that can be done with a tree; `from_text` if PostgreSQL's grammar made it.
pub(super) fn of_tree(tree: &protobuf::ParseResult, source: &mut Source<'_>, from_text: bool) {
    print(tree, &DeparseOptions::default(), from_text);
    print(tree, &layout(source), from_text);
    let bits = source.byte();
    let fingerprints = FingerprintOptions::default()
        .ignore_aliases(bits & 1 != 0)
        .include_schema(bits & 2 != 0)
        .full_relname(bits & 4 != 0);
    for options in [FingerprintOptions::default(), fingerprints] {
        if let Err(error) = tree.fingerprint(options) {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error:?}");
        }
    }
    let limit = source.below(400);
    match tree.truncate(limit) {
        Ok(text) => assert!(text.chars().count() <= limit.max(3), "{limit}: {text:?}"),
        Err(error) => is_unprintable(&error, tree, from_text),
    }

    let wrapped = ParseResult::from(tree.clone());
    if let Err(error) = wrapped.analyze() {
        is_unprintable(&error, tree, from_text);
    }
    let _ = (wrapped.tables(), wrapped.select_tables(), wrapped.dml_tables(), wrapped.ddl_tables());
    let _ = (wrapped.functions(), wrapped.call_functions(), wrapped.ddl_functions());
    let _ = (wrapped.aliases(), wrapped.cte_names(), wrapped.filter_columns());
    let _ = (wrapped.statement_types(), wrapped.is_utility_stmt());
    walks_agree(tree);
    copies_are_equal(tree, from_text);
    for node in tree.stmts.iter().filter_map(|stmt| stmt.stmt.as_deref()) {
        comes_back_from_c(node, from_text);
    }
    for (node, _) in tree.nodes().skip(source.below(64)).take(4) {
        part(&node.to_enum().into());
    }
    #[cfg(feature = "serde")]
    super::json::round_trip(tree, from_text);
}

fn walks_agree(tree: &protobuf::ParseResult) {
    struct Count(usize);
    impl<'a> Visit<'a> for Count {
        type Break = ();

        fn enter(&mut self, _: NodeRef<'a>) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Continue(())
        }
    }
    let count = tree.nodes().count();
    let mut visited = Count(0);
    let _ = tree.visit(&mut visited);
    assert_eq!(visited.0, count);
    let mut walked = 0;
    let mut copy = tree.clone();
    let _ = copy.walk_mut(|_| {
        walked += 1;
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(walked, count);
}

fn copies_are_equal(tree: &protobuf::ParseResult, from_text: bool) {
    let bytes = tree.encode_to_vec();
    assert_eq!(bytes.len(), tree.encoded_len());
    let copy = tree.clone();
    // Not so for a tree with a NaN in it.
    assert!(!from_text || copy == *tree);
    assert_eq!(copy.encode_to_vec(), bytes);
    assert_eq!(copy.transform(|node| node).encode_to_vec(), bytes);
    // prost stops at a depth of 100.
    if let Ok(decoded) = protobuf::ParseResult::decode(&*bytes) {
        assert_eq!(decoded.encode_to_vec(), bytes);
    }
    let mut length = Length(0);
    write!(length, "{tree:?}").expect("a Length takes everything");
    assert!(length.0 > 0);
    let _ = pg_ast::HeapSize::heap_size(tree);
}

struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn comes_back_from_c(node: &pg_ast::Node, from_text: bool) {
    match pg_ast::convert_back(node) {
        Ok(back) => assert!(!from_text || back == *node, "{node:?}"),
        Err(error) => {
            let expected = match error.kind() {
                ErrorKind::Nul | ErrorKind::Deparse | ErrorKind::TooDeep => true,
                // Of a string that is a `char` in C, the first byte is kept.
                ErrorKind::InvalidEncoding => !from_text,
                _ => false,
            };
            assert!(expected, "{error:?} for {node:?}");
        }
    }
}

/// A part of a tree, printed by itself.
fn part(node: &pg_ast::Node) {
    for outcome in [pg_ast::deparse_node(node), pg_ast::deparse_expr(node), node.deparse()] {
        if let Err(error) = outcome {
            let expected = matches!(
                error.kind(),
                ErrorKind::Deparse | ErrorKind::Nul | ErrorKind::TooDeep | ErrorKind::TooLarge
            );
            assert!(expected, "{error:?} for {node:?}");
        }
    }
    assert!(!node.to_string().is_empty());
}

/// A tree as Debug prints it, with every place in the text taken out.
pub(super) fn without_places(tree: &impl Debug) -> String {
    const ENDS: [&str; 4] = ["location: ", "stmt_len: ", "list_start: ", "list_end: "];
    let shown = format!("{tree:?}");
    let mut rest = shown.as_str();
    let mut kept = String::with_capacity(rest.len());
    while let Some(found) = rest.find(": ") {
        let (name, value) = rest.split_at(found + 2);
        kept.push_str(name);
        let is_place = ENDS.iter().any(|end| name.ends_with(end));
        rest = if is_place {
            value.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit())
        } else {
            value
        };
    }
    kept + rest
}
