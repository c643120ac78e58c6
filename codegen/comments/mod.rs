//! Puts the comments of PostgreSQL's headers into the generated code, which has a mark in the place of each:
//! `<!-- SelectStmt.targetList -->`.
//!
//! The comments are PostgreSQL's, so they are not in the repository. This is what the build script runs.

mod headers;
mod markdown;

pub(crate) use headers::Comments;
use markdown::Names;
pub(crate) use markdown::{Api, Types};

/// A mark, before and after its name: that of a type in C, or of a type and its part.
pub(crate) const BEGIN: &str = "<!-- ";
pub(crate) const END: &str = " -->";

/// The comments, and the types that they can link to.
pub(crate) struct Marks<'a> {
    pub(crate) comments: &'a Comments,
    pub(crate) types: Types<'a>,
}

impl Marks<'_> {
    /// Replaces each mark by its comment. One without a comment is removed.
    pub(crate) fn replace(&self, code: &str, api: Api) -> String {
        let mut text = String::with_capacity(code.len() * 2);
        for line in code.split_inclusive('\n') {
            let parts = line.split_once(BEGIN).and_then(|(before, rest)| {
                let (of, after) = rest.split_once(END)?;
                Some((before, of, after))
            });
            let Some((before, of, after)) = parts else {
                text.push_str(line);
                continue;
            };
            let comment = self.markdown(of, api).unwrap_or_default();
            // Each line of a comment begins as this one does.
            for line in format!("{comment}{after}").lines() {
                text.push_str(format!("{before}{line}").trim_end());
                text.push('\n');
            }
        }
        text
    }

    fn markdown(&self, of: &str, api: Api) -> Option<String> {
        let (ty, comment) = match of.split_once('.') {
            Some((ty, member)) => (ty, self.comments.of_member(ty, member)?),
            None => (of, self.comments.of_type(of)?),
        };
        let is_member = |name: &str| self.comments.of_member(ty, name).is_some();
        let names = Names { types: &self.types, is_member: &is_member, api };
        Some(names.paragraphs(comment).join("\n\n"))
    }
}
