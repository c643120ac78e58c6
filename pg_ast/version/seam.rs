//! What the crates of the layers above need of this one beside its API: `pg_ast_syntax`, the concrete tree, `pg_ast_names`, what names
//! mean, `pg_ast_plpgsql`, what functions do, and `pg_ast_effects`, what statements do to a server.
//!
//! Only these crates may use it, in the same version: nothing here is covered by semantic versioning.

// What `pg_ast_syntax` needs; `lex` is for `pg_ast_names` as well.
pub use super::ffi::derivation::Derivation;
pub use super::read::expect::Terminal;
pub use super::read::script_reader::{ScriptFound, ScriptReader, ScriptRegionEnd, ScriptTrial};
pub use crate::text::psql::{ExtraKind, ScriptExtra, Setting as ScriptSetting, lex};
pub use crate::types::written_text::WrittenText;

// A function that `pg_ast_plpgsql` needs.
#[cfg(feature = "plpgsql")]
pub use super::plpgsql::json_values::diagnostics_item;

use core::ops::Range;
use std::sync::LazyLock;

use super::editor::scan_lossy::{LossyScan, scan_lossy_for};
use super::facts::analysis::names_found::find_names;
use super::facts::analysis::statement::Stmt;
use super::ffi::expect::{END, Expect};
use super::names::protobuf::ObjectType;
use super::names::{NodeRef, ParseResult, views};
use super::read::expect;
use super::view::{List, Node, RangeVar, RawStmt, fields};
use crate::convert::roles::Role;
use crate::foundation::{limits, order, stack};
use crate::text::deparsed_comments::placeholders;
use crate::types::error::{Error, Warning};
use crate::types::object_name::{NameUse, ObjectName};
use crate::types::options::{Comment, DeparseOptions, ParserOptions};
use crate::types::qualified_name::QualifiedName;
use crate::types::text::CheckedStmt;

// For `pg_ast_syntax` and `pg_ast_names`.

/// Sorts by a key of two numbers, with code that is compiled once. Items with equal keys keep their order.
pub fn sort_by_key<T>(items: &mut Vec<T>, key: impl Fn(&T) -> (u64, usize)) {
    order::sort_by_key(items, key);
}

// For `pg_ast_syntax`.

/// Returns the terminals of a text up to the scanner's error, if there is one, and its place.
///
/// # Errors
///
/// There is not enough memory, or the text has a NUL.
pub fn terminals(
    sql: &str,
    options: ParserOptions,
) -> Result<(Vec<Terminal>, Option<usize>), Error> {
    expect::terminals(sql, options)
}

/// Returns how many of the terminals the grammar accepts, and whether the text may end behind them; `None` if one is not a
/// terminal, or if there is not enough memory.
#[must_use]
pub fn accepted(terminals: &[u16]) -> Option<(usize, bool)> {
    // The first symbol that is none. The automaton does not check them.
    static ACCEPT: LazyLock<u16> = LazyLock::new(|| expect::symbol_named("$accept").unwrap_or(0));
    if terminals.iter().any(|terminal| *terminal >= *ACCEPT) {
        return None;
    }
    let expect = Expect::only(terminals, false, END).ok()?;
    let may_end = expect.next().next().is_some();
    Some((expect.taken(), may_end))
}

/// Like [`scan_lossy`](super::scan_lossy()), with the errors that the parser would find in the tokens.
#[must_use]
pub fn scan_lossy_with(sql: &str, options: ParserOptions) -> LossyScan {
    scan_lossy_for(sql, options)
}

/// Rejects SQL that is longer than the options allow.
///
/// # Errors
///
/// The SQL is longer.
pub fn check_length(sql: &str, options: ParserOptions) -> Result<(), Error> {
    limits::check_length(sql, options)
}

/// Moves the position of an error with a part of a text that was at `from`.
#[must_use]
pub fn moved_error(error: Error, from: usize, to: usize) -> Error {
    error.moved_from(from, to)
}

/// Makes an error of a text with replaced parts one of the original.
#[must_use]
pub fn error_of_original(error: Error, written: WrittenText, original: &str) -> Error {
    error.of_original(written, original)
}

/// Makes a statement of a script.
#[must_use]
pub fn checked_stmt(
    range: Range<usize>,
    result: Result<Vec<Warning>, Error>,
    copy_data: Option<Range<usize>>,
) -> CheckedStmt {
    CheckedStmt { range, result, copy_data }
}

// For `pg_ast_names` and `pg_ast_effects`.

/// Passes a view of the statements of an owned tree to `f`, which only reads: unlike
/// [`with_view`](super::ParseResult::with_view), values that C cannot hold are no error.
pub fn read<R>(tree: &ParseResult, f: impl FnOnce(&[RawStmt<'_>]) -> R) -> R {
    tree.protobuf.read(f)
}

/// Returns the address of a node, which a part of it at its beginning has as well; null where there is no node.
#[must_use]
pub fn address(node: Node<'_>) -> *const u8 {
    node.address()
}

/// Reads the name of an object in a string: the last part, and the schema before it. `None` if it is none; a number is an OID.
///
/// Mirrors `stringToQualifiedNameList` of PostgreSQL's `src/backend/utils/adt/regproc.c`.
#[must_use]
pub fn name_in_string(text: &str) -> Option<QualifiedName> {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c');
    let mut rest = text.trim_matches(is_blank);
    if rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut parts = Vec::new();
    loop {
        let (part, length) = if rest.starts_with('"') {
            let length = lex::name(rest)?;
            (rest[1..length - 1].replace("\"\"", "\""), length)
        } else {
            let length = rest.find(|c| c == '.' || is_blank(c)).unwrap_or(rest.len());
            (rest[..length].to_ascii_lowercase(), length)
        };
        if part.is_empty() || parts.len() == 3 {
            return None;
        }
        parts.push(part);
        let behind = rest[length..].trim_start_matches(is_blank);
        match behind.strip_prefix('.') {
            Some(next) => rest = next.trim_start_matches(is_blank),
            None if behind.is_empty() => break,
            None => return None,
        }
    }
    let name = parts.pop()?;
    Some(QualifiedName { schema: parts.pop(), name })
}

// Fields by their C names, of nodes that have them in some versions; `None` if this one has none of that type and name.

/// Returns a list.
#[must_use]
pub fn list_field<'a>(node: Node<'a>, c_name: &str) -> Option<List<'a>> {
    fields::field(node, c_name)?.1.list()
}

/// Returns a node; `None` if there is none in the field, too.
#[must_use]
pub fn node_field<'a>(node: Node<'a>, c_name: &str) -> Option<Node<'a>> {
    fields::field(node, c_name)?.1.node()
}

/// Returns a string.
#[must_use]
pub fn text_field<'a>(node: Node<'a>, c_name: &str) -> Option<&'a str> {
    fields::field(node, c_name)?.1.text()
}

/// Returns a number: of an enumeration, that in C; of a flag, 0 or 1.
#[must_use]
pub fn number_field(node: Node<'_>, c_name: &str) -> Option<u64> {
    fields::field(node, c_name)?.1.number()
}

// For `pg_ast_names` and `pg_ast_plpgsql`.

/// Runs `f` with enough stack for some levels of a recursion; see [LIMITS.md](https://github.com/pg-ast/pg_ast/blob/main/LIMITS.md).
pub fn with_stack<R>(f: impl FnOnce() -> R) -> R {
    stack::with_stack(f)
}

// For `pg_ast_names`.

/// Calls `f` for each name in a statement, with its use and the node that has it in a field.
pub fn names_in_nodes<'a>(stmt: Node<'a>, mut f: impl FnMut(&ObjectName<'a>, NameUse, Node<'a>)) {
    find_names(&[stmt], None, &mut |named, place, node| f(&named.name(place), place.used, node));
}

// For `pg_ast_plpgsql`.

/// Returns the spaces per level, and the comments.
///
/// # Errors
///
/// A text is not one comment to PostgreSQL's scanner.
pub fn body_layout(options: &DeparseOptions) -> Result<(usize, &[Comment]), Error> {
    placeholders(&options.comments)?;
    Ok((options.indent_size.into(), &options.comments))
}

// For `pg_ast_effects`.

/// Returns a name with its schema, which is empty if it is not named.
#[must_use]
pub fn qualified_name(schema: &str, name: &str) -> QualifiedName {
    QualifiedName::of_parts(schema, name)
}

/// Returns the name of a type of statement, by its place in the order of their names; `None` behind the last one.
#[must_use]
pub const fn statement_name(index: usize) -> Option<&'static str> {
    if index < views::STATEMENTS.len() { Some(views::STATEMENTS[index].name) } else { None }
}

/// What a statement is about, as its fields name it.
pub struct StmtObjects<'a> {
    /// The kind of the objects: `Undefined` if no field has it.
    pub kind: ObjectType,
    /// The names of objects of that kind: each is a string, a list of strings, or a name with arguments.
    pub objects: Vec<Node<'a>>,
    /// Tables and other relations.
    pub relations: Vec<RangeVar<'a>>,
    /// Functions: their names, or names with arguments.
    pub functions: Vec<Node<'a>>,
}

/// Returns what a statement is about; `None` for another node.
#[must_use]
pub fn stmt_objects(node: Node<'_>) -> Option<StmtObjects<'_>> {
    let stmt = Stmt::new(node)?;
    let relations = stmt.nodes(Role::Table).chain(stmt.nodes(Role::OtherRelation));
    Some(StmtObjects {
        kind: stmt.kind(),
        objects: stmt.nodes(Role::Object).collect(),
        relations: relations.filter_map(Node::as_range_var).collect(),
        functions: stmt.nodes(Role::Function).collect(),
    })
}

/// Passes a view of a node of an owned tree to `f`, as [`read`] does.
pub fn read_node<R>(node: NodeRef<'_>, f: impl FnOnce(Node<'_>) -> R) -> R {
    node.read(f)
}
