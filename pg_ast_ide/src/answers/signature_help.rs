//! The parameters of the function whose call is being typed.

use crate::answers::completion::unfinished;
use crate::answers::functions;
use crate::stmt::StmtFacts;
use crate::stmt::defined::{self, Signature};
use crate::stmt::identifiers::{folded, is_name};
use crate::workspace::context::DocumentContext;

/// The maximum number of functions of one name that are shown.
const MAX: usize = 50;

/// A call that has not ended.
struct Call {
    schema: Option<String>,
    name: String,
    /// The number of arguments before the place.
    argument: usize,
}

/// The functions that a call may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignatureHelp {
    /// All functions of that name.
    pub signatures: Vec<Signature>,
    /// The index of the first one that takes so many arguments.
    pub active: usize,
    /// The index of the argument at the place.
    pub argument: usize,
}

impl DocumentContext<'_> {
    /// Returns how the function is called whose call is being typed at a place.
    #[must_use]
    pub fn signature_help(&self, offset: usize) -> Option<SignatureHelp> {
        let (_, part) = unfinished(self, offset);
        let before = self.document.text().get(part.start..offset)?;
        let call = call(&StmtFacts::new(before.to_owned()))?;
        let mut signatures = own(self, &call);
        if signatures.is_empty() && call.schema.as_deref().is_none_or(|it| it == "pg_catalog") {
            let of_name = functions::named(self.workspace.version(), &call.name).iter();
            signatures = of_name.take(MAX).map(functions::signature).collect();
        }
        if signatures.is_empty() {
            return None;
        }
        let fits = |signature: &Signature| call.argument < signature.parameters.len();
        let active = signatures.iter().position(fits).unwrap_or(0);
        Some(SignatureHelp { signatures, active, argument: call.argument })
    }
}

/// Returns the functions of the workspace that a call can mean.
fn own(cx: &DocumentContext<'_>, call: &Call) -> Vec<Signature> {
    let documents = cx.workspace.documents().flat_map(|(_, document)| document.stmts());
    let named = documents.filter(|placed| {
        let mut defined = placed.stmt.defined().iter();
        defined.any(|it| {
            it.kind == pg_ast::NameKind::Function && it.is_of(call.schema.as_deref(), &call.name)
        })
    });
    named.filter_map(|placed| defined::signature(&placed.stmt)).take(MAX).collect()
}

/// Returns the innermost call that is open at the end of unfinished SQL.
fn call(stmt: &StmtFacts) -> Option<Call> {
    let sql = stmt.sql();
    let tokens: Vec<_> = stmt
        .tokens()
        .all
        .iter()
        .filter(|token| !token.is_comment())
        .map(|token| &sql[token.range()])
        .collect();
    let (mut depth, mut argument) = (0_usize, 0);
    for (index, token) in tokens.iter().enumerate().rev() {
        match *token {
            ")" | "]" => depth += 1,
            "(" | "[" if depth > 0 => depth -= 1,
            // Elements of an array in an argument.
            "[" => argument = 0,
            "," if depth == 0 => argument += 1,
            ";" => return None,
            "(" => {
                let name = index.checked_sub(1).map(|before| tokens[before])?;
                if !is_name(name) {
                    // Brackets of an expression in an argument.
                    argument = 0;
                    continue;
                }
                let dot = index.checked_sub(2).is_some_and(|before| tokens[before] == ".");
                let schema = dot.then(|| index.checked_sub(3)).flatten();
                let schema = schema.map(|schema| folded(tokens[schema]));
                return Some(Call { schema, name: folded(name), argument });
            }
            _ => {}
        }
    }
    None
}
