//! The statements of a script, as far as the formatter has to know them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use pg_ast::{Error, PartEnd, ScriptState, SplitStmt, Version, with_version};
use pg_ast_syntax::{Placeholders, ScriptOptions};

/// A byte order mark, which a script may begin with.
pub(crate) const BOM: char = '\u{feff}';

/// The first word of the statement that data follows.
const COPY: &str = "copy";

/// A statement of a script.
#[derive(Debug)]
pub(crate) struct Stmt {
    /// From its first token to its last.
    pub(crate) range: Range<usize>,
    pub(crate) result: Result<Tree, Error>,
    /// True for `COPY .. FROM STDIN`, and for a wrong `COPY`: the lines after it are data.
    pub(crate) copies: bool,
}

pub(crate) type Hash = u64;

/// The tree of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Its fingerprint, without the body of a function in SQL or PL/pgSQL. Trees themselves would take many times the memory
    /// of the script.
    hash: Hash,
    /// A hash of that body.
    body: Option<Hash>,
}

impl Tree {
    /// Whether only the bodies may differ.
    pub(crate) fn is_same_apart_from_body(&self, other: &Self) -> bool {
        self.hash == other.hash && self.body.is_some() && other.body.is_some()
    }
}

/// Reads the statements of a script.
pub(crate) fn statements(version: Version, script: &str, placeholders: Placeholders) -> Vec<Stmt> {
    with_version!(version, pg => {
        use pg::NodeEnum;
        use pg::view::{self, Node as View};
        use pg::protobuf::{Node, RawStmt};

        /// Takes the body of a function in SQL or PL/pgSQL out of a statement.
        fn take_body(stmt: &mut RawStmt) -> Option<String> {
            let stmt = stmt.stmt.as_mut()?;
            let body = stmt.to_ref()?.routine_body()?;
            body.language.filter(|language| matches!(*language, "sql" | "plpgsql"))?;
            let options = match stmt.node.as_mut()? {
                NodeEnum::CreateFunctionStmt(stmt) => &mut stmt.options,
                NodeEnum::DoStmt(stmt) => &mut stmt.args,
                _ => return None,
            };
            let mut options = options.iter_mut().filter_map(Node::as_def_elem_mut);
            let source = options.find(|option| option.defname == "as")?.arg.as_deref_mut()?;
            let string = match source.node.as_mut()? {
                NodeEnum::List(list) => list.items.first_mut()?.as_string_mut()?,
                _ => source.as_string_mut()?,
            };
            Some(std::mem::take(&mut string.sval))
        }

        fn read(tree: &view::Tree) -> Result<(Tree, bool), Error> {
            let mut copies = false;
            for stmt in tree.stmts() {
                match stmt.stmt() {
                    Some(View::CopyStmt(copy)) => {
                        copies |= copy.is_from() && !copy.is_program() && copy.filename().is_empty();
                    }
                    Some(View::CreateFunctionStmt(_) | View::DoStmt(_)) => {
                        let mut tree = tree.to_owned_tree()?;
                        let body = tree.protobuf.stmts.iter_mut().find_map(take_body);
                        let body = body.map(|body| hash(body.as_bytes()));
                        let hash = tree.protobuf.fingerprint().value;
                        return Ok((Tree { hash, body }, false));
                    }
                    _ => {}
                }
            }
            Ok((Tree { hash: tree.fingerprint().value, body: None }, copies))
        }

        let part = version.split_part(script, PartEnd::End, &mut ScriptState::default());
        let text = &part.text;
        let stmts = part.stmts.into_iter().map(|SplitStmt { range, options, error, .. }| {
            let result = error.map_or_else(
                || view::parse_with(&text[range.clone()], options).and_then(|tree| read(&tree)),
                Err,
            );
            let copies = match &result {
                Ok((_, copies)) => *copies,
                Err(_) => script[range.clone()].get(..COPY.len()).is_some_and(|word| word.eq_ignore_ascii_case(COPY)),
            };
            Stmt { range, result: result.map(|(tree, _)| tree), copies }
        });
        let mut stmts: Vec<_> = stmts.collect();
        if stmts.iter().any(|stmt| stmt.result.is_err()) {
            // Their errors are told with their places in the script.
            for (stmt, parsed) in stmts.iter_mut().zip(pg::parse_script(script)) {
                if let (Err(error), Err(own)) = (&mut stmt.result, parsed.result) {
                    *error = own;
                }
            }
        }
        let is_plain = |stmt: &Stmt| {
            stmt.result.is_ok() || !placeholders.may_be_in(&script[stmt.range.clone()])
        };
        if stmts.iter().all(is_plain) {
            return stmts;
        }
        let options = ScriptOptions::default().placeholders(placeholders);
        let with_stand_ins = with_version!(version, pg, pg_ast_syntax as syntax => {
            syntax::Script::parse_with(script, options).map(|script| script.check())
        });
        let Ok(with_stand_ins) = with_stand_ins else { return stmts };
        // Where a statement ends depends on whether it is correct.
        let mut plain = stmts.into_iter().peekable();
        let checked = with_stand_ins.into_iter().map(|stmt| {
            while plain.next_if(|it| it.range.start < stmt.range.start).is_some() {}
            let same = plain.next_if(|it| it.range == stmt.range);
            let (result, copies) = match same {
                Some(Stmt { result: Ok(tree), copies, .. }) => (Ok(tree), copies),
                _ => {
                    let sql = &script[stmt.range.clone()];
                    let result = stmt.result.and_then(|_| of_stand_ins(version, sql, placeholders));
                    (result, stmt.copy_data.is_some())
                }
            };
            Stmt { range: stmt.range, result, copies }
        });
        checked.collect()
    })
}

/// Returns the tree of a statement that is correct but for variables and placeholders: the symbols of its grammar.
fn of_stand_ins(version: Version, sql: &str, placeholders: Placeholders) -> Result<Tree, Error> {
    // One with commands of psql in it stays as it is.
    let tree = crate::tree::Tree::parse(version, sql, placeholders)?;
    let parts = tree.map(|tree| tree.parts).unwrap_or_default();
    let symbols: Vec<_> = parts.iter().flat_map(|part| part.kind.to_le_bytes()).collect();
    Ok(Tree { hash: hash(&symbols), body: None })
}

pub(crate) fn hash(bytes: &[u8]) -> Hash {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Returns whether a line ends the data of a `COPY`.
pub(crate) fn is_end_of_data(line: &str) -> bool {
    line.trim_end_matches(['\r', '\n']) == "\\."
}
