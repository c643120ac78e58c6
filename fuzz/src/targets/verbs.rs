//! Every call that takes SQL, and every call that takes a tree.

use core::fmt::{self, Debug, Write as _};
use core::ops::ControlFlow;

use pg_ast::{
    DeparseOptions, Error, ErrorKind, FingerprintOptions, NodeRef, ParseResult, Visit, Warning,
};
use prost::Message as _;

use super::Source;

/// The location of an error or a warning must be in the SQL.
pub(super) fn is_place(cursor: Option<usize>, sql: &str) {
    if let Some(cursor) = cursor {
        assert!(sql.is_char_boundary(cursor), "{cursor} is not a place of {sql:?}");
    }
}

/// Checks an error that SQL can cause.
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

/// The origin of a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Statements from PostgreSQL's grammar.
    Statement,
    /// A result of the grammar in a mode other than that for statements.
    Part,
    /// Any tree, which may contain anything.
    Anyone,
}

/// Checks an error that a tree can cause.
#[track_caller]
fn is_unprintable(error: &Error, tree: &ParseResult, origin: Origin) {
    let expected = match error.kind() {
        ErrorKind::TooDeep | ErrorKind::TooLarge => true,
        // All statements of the grammar can be printed.
        ErrorKind::Deparse => origin != Origin::Statement,
        // A string that is a `char` in C keeps its first byte; sets have a limit.
        ErrorKind::Nul | ErrorKind::InvalidEncoding => origin == Origin::Anyone,
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

/// Returns any layout.
pub(super) fn layout(source: &mut Source<'_>) -> DeparseOptions {
    let bits = source.byte();
    DeparseOptions::default()
        .pretty_print(bits & 1 == 0)
        .trailing_newline(bits & 2 != 0)
        .commas_start_of_line(bits & 4 != 0)
        .indent_size(if bits & 8 == 0 { 0 } else { u16::from(source.byte()) })
        .max_line_length(if bits & 16 == 0 { 0 } else { u16::from(source.byte()) })
}

/// Returns the SQL of a tree, if it can be printed.
pub(super) fn print(
    tree: &ParseResult,
    options: &DeparseOptions,
    origin: Origin,
) -> Option<String> {
    match pg_ast::deparse_with(tree, options) {
        Ok(text) => {
            assert!(!text.contains('\0'));
            Some(text)
        }
        // The older deparsers have no layouts.
        Err(error) if error.kind() == ErrorKind::Unsupported => None,
        Err(error) => {
            is_unprintable(&error, tree, origin);
            None
        }
    }
}

/// Runs all operations on a tree.
pub(super) fn of_tree(tree: &ParseResult, source: &mut Source<'_>, origin: Origin) {
    print(tree, &DeparseOptions::default(), origin);
    print(tree, &layout(source), origin);
    let bits = source.byte();
    let fingerprints = FingerprintOptions::default()
        .ignore_aliases(bits & 1 != 0)
        .include_schema(bits & 2 != 0)
        .full_relname(bits & 4 != 0);
    for options in [FingerprintOptions::default(), fingerprints] {
        if let Err(error) = tree.protobuf.fingerprint_with(options) {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error:?}");
        }
    }
    let limit = source.below(400);
    match tree.deparse_truncated(limit) {
        Ok(text) => assert!(text.chars().count() <= limit.max(3), "{limit}: {text:?}"),
        Err(error) => is_unprintable(&error, tree, origin),
    }

    let _ = tree.analyze();
    let _ = (tree.tables(), tree.select_tables(), tree.dml_tables(), tree.ddl_tables());
    let _ = (tree.functions(), tree.call_functions(), tree.ddl_functions());
    let _ = (tree.aliases(), tree.cte_names(), tree.filter_columns());
    let _ = (tree.statement_types(), tree.is_utility_stmt());
    walks_agree(tree);
    super::views::of_tree(tree);
    copies_are_equal(tree, origin);
    for node in tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_deref()) {
        comes_back_from_c(node, origin);
    }
    for node in tree.nodes().skip(source.below(64)).take(4) {
        part(&node.to_enum().into());
    }
    #[cfg(feature = "serde")]
    super::json::round_trip(tree, origin);
}

fn walks_agree(tree: &ParseResult) {
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

fn copies_are_equal(tree: &ParseResult, origin: Origin) {
    let bytes = tree.protobuf.encode_to_vec();
    assert_eq!(bytes.len(), tree.protobuf.encoded_len());
    let mut copy = tree.clone();
    // Not for a tree with a NaN.
    assert!(origin == Origin::Anyone || copy == *tree);
    assert_eq!(copy.protobuf.encode_to_vec(), bytes);
    copy.transform(|node| node);
    assert_eq!(copy.protobuf.encode_to_vec(), bytes);
    match ParseResult::decode(&bytes) {
        Ok(decoded) => assert_eq!(decoded.protobuf.encode_to_vec(), bytes),
        Err(error) => assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:?} for {tree:?}"),
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

fn comes_back_from_c(node: &pg_ast::Node, origin: Origin) {
    match pg_ast::convert_back(node) {
        Ok(back) => assert!(origin == Origin::Anyone || back == *node, "{node:?}"),
        Err(error) => {
            let expected = match error.kind() {
                ErrorKind::Nul | ErrorKind::Deparse | ErrorKind::TooDeep => true,
                // A string that is a `char` in C keeps its first byte; sets have a limit.
                ErrorKind::InvalidEncoding | ErrorKind::TooLarge => origin == Origin::Anyone,
                _ => false,
            };
            assert!(expected, "{error:?} for {node:?}");
        }
    }
}

/// Prints a part of a tree alone.
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

/// Returns a tree in Debug format without locations.
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
