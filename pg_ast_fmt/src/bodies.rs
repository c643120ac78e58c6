//! The bodies of functions, in their quotes.

use pg_ast::{Version, with_version};

use crate::check::difference_of_bodies;
use crate::layout::lay_out;
use crate::options::Options;
use crate::printer::print;
use crate::statements::{Hash, hash};
use crate::tree::{Body, Language, Tree};

impl<'a> Body<'a> {
    fn content(&self) -> &'a str {
        &self.text[self.quote..self.text.len() - self.quote]
    }

    /// Returns a hash of what the body is, beside its tokens: its statements, and the fingerprints of their expressions. `None`
    /// if it is wrong.
    pub(crate) fn meaning(&self, version: Version, sql: &str) -> Option<Hash> {
        with_version!(version, pg => {
            use pg::plpgsql::Part;

            if self.language == Language::Sql {
                return Some(pg::view::parse(self.content()).ok()?.fingerprint().value);
            }
            let mut functions = pg::plpgsql::parse(sql).ok()?.functions.into_iter();
            let function = functions.next()?.function.ok()?;
            let mut meaning = Vec::new();
            let mut parts = function.parts();
            while let Some(part) = parts.next() {
                let depth = parts.ancestors().len();
                meaning.extend_from_slice(format!("{depth} {} ", part.name()).as_bytes());
                if let Part::Expr(expr) = part {
                    let value = expr.tree.protobuf.fingerprint().value;
                    meaning.extend_from_slice(&value.to_le_bytes());
                    parts.skip_children();
                }
            }
            Some(hash(&meaning))
        })
    }
}

/// What becomes of a statement with a body.
pub(crate) enum WithBody {
    /// It stays as it is: it has no body that is laid out, or that one is wrong.
    Same,
    /// The statement with another body.
    Changed(String),
    /// It stays as it is, since its layout would not be the same.
    Kept,
}

/// Lays out the body in a statement.
pub(crate) fn format_body(
    version: Version,
    options: &Options,
    sql: &str,
    body: &Body<'_>,
    eol: &str,
) -> WithBody {
    let content = body.content();
    // Comments say that it stays as it is.
    if ["fmt: off", "fmt: skip"].iter().any(|comment| content.contains(comment)) {
        return WithBody::Same;
    }
    let Some(meaning) = body.meaning(version, sql) else { return WithBody::Same };
    // Mistakes in SQL that the compiler does not read are in the tree alone: `OPEN c(1 ELSE)`.
    let Some(tree) = &body.tree else { return WithBody::Same };
    // There is nothing in it but comments.
    if tree.parts.iter().filter(|part| !part.is_node).count() <= 2 {
        return WithBody::Same;
    }
    let mut ops = lay_out(tree, options);
    let around = "AS ".len() + ";".len();
    let printed = print(tree, options, &mut ops, eol, around);
    if printed == body.text {
        return WithBody::Same;
    }
    let text = [&sql[..body.literal.start], &printed, &sql[body.literal.end..]].concat();
    let new = Tree::parse_with_body(version, &text, options.placeholders);
    match new {
        Ok(Some((_, Some(new))))
            if difference_of_bodies(body, &new).is_none()
                && new.meaning(version, &text) == Some(meaning) =>
        {
            WithBody::Changed(text)
        }
        _ => WithBody::Kept,
    }
}
