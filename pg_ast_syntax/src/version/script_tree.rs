//! The concrete tree of a whole script.

use core::borrow::Borrow;
use core::fmt;

use pg_ast::{Error, ParseMode};
use rowan::{GreenNode, Language};

use super::pg::seam::check_length;
use super::script_regions::{Region, RegionReader};
use super::syntax_kind::{SqlLanguage, SyntaxKind, SyntaxNode};
use crate::script_options::ScriptOptions;

/// A script, as psql reads it, and its concrete tree.
///
/// ```
/// use pg_ast_syntax::{Script, SyntaxKind};
///
/// let text = "\\set x 1\nSELECT a; -- one\nCOPY t FROM stdin;\n1;2\n\\.\nSELECT b \\gset\n";
/// let script = Script::parse(text)?;
/// let root = script.root();
/// assert_eq!(root.text(), text);
///
/// let stmts: Vec<_> = root.children().map(|stmt| stmt.text().to_string()).collect();
/// assert_eq!(stmts, ["SELECT a;", "COPY t FROM stdin;", "SELECT b \\gset"]);
/// let kinds = root.children_with_tokens().map(|part| part.kind());
/// let kinds: Vec<_> = kinds.filter(|kind| !kind.is_trivia()).collect();
/// let (stmt, command) = (SyntaxKind::SCRIPT_STMT, SyntaxKind::PSQL_COMMAND);
/// assert_eq!(kinds, [command, stmt, stmt, SyntaxKind::COPY_DATA, stmt]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Equal texts have equal trees, however they came about. A clone shares the tree.
#[derive(Clone)]
pub struct Script {
    pub(super) text: String,
    /// The text with blanks in place of what is not for the parser.
    pub(super) clean: String,
    /// Its regions, in order.
    pub(super) regions: Vec<Region>,
    pub(super) green: GreenNode,
    pub(super) options: ScriptOptions,
    /// What has been read again, to find the ends of wrong statements.
    pub(super) read_again: usize,
}

impl Script {
    /// Parses a script. It may be wrong.
    ///
    /// Its statements are those of [`parse_script`](pg_ast::parse_script). `standard_conforming_strings` is what the script
    /// sets.
    ///
    /// # Errors
    ///
    /// The script is too long for PostgreSQL, or there is not enough memory.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_with(text, ScriptOptions::default())
    }

    /// Like [`parse`](Self::parse), with options.
    ///
    /// # Errors
    ///
    /// The script is longer than [`max_bytes`](pg_ast::ParserOptions::max_bytes), or there is not enough memory.
    pub fn parse_with(text: &str, options: impl Borrow<ScriptOptions>) -> Result<Self, Error> {
        let mut options = *options.borrow();
        options.parser = options.parser.mode(ParseMode::Default);
        Self::of(text.to_owned(), options)
    }

    pub(super) fn of(text: String, options: ScriptOptions) -> Result<Self, Error> {
        check_length(&text, options.parser)?;
        let mut reader = RegionReader::new(&text, options);
        let (mut regions, mut parts) = (Vec::new(), Vec::new());
        while let Some(region) = reader.next(&mut parts)? {
            regions.push(region);
        }
        let read_again = reader.read_again();
        let clean = reader.into_clean();
        let green = GreenNode::new(SqlLanguage::kind_to_raw(SyntaxKind::SCRIPT), parts);
        Ok(Self { text, clean, regions, green, options, read_again })
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the tree as it is now. An edit of the script does not change it.
    #[must_use]
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

/// Only the text: the tree is written with `{:#?}` of its root.
impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("text", &self.text).finish_non_exhaustive()
    }
}
