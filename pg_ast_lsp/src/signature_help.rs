//! The parameters of the function whose call is being typed.

use lsp_types::{
    ParameterInformation, ParameterLabel, Position, SignatureHelp, SignatureInformation,
};

use crate::completion::unfinished;
use crate::context::Context;
use crate::defined::{self, Signature};
use crate::functions;
use crate::identifiers::{folded, is_name};
use crate::stmt::Stmt;

/// The maximum number of functions of one name that are shown.
const MAX: usize = 50;

/// A call that has not ended.
struct Call {
    schema: Option<String>,
    name: String,
    /// The number of arguments before the place.
    argument: usize,
}

pub(crate) fn help(cx: &Context<'_>, position: Position) -> Option<SignatureHelp> {
    let offset = cx.document.lines().offset(position);
    let (_, part) = unfinished(cx, offset);
    let before = cx.document.text().get(part.start..offset)?;
    let call = call(&Stmt::new(before.to_owned()))?;
    let mut signatures = own(cx, &call);
    if signatures.is_empty() && call.schema.as_deref().is_none_or(|it| it == "pg_catalog") {
        let of_name = functions::named(&call.name).iter().take(MAX);
        signatures = of_name
            .map(|function| {
                let (label, parameters) = function.signature();
                information(label, &parameters, call.argument)
            })
            .collect();
    }
    if signatures.is_empty() {
        return None;
    }
    // The first one that takes so many arguments.
    let fits = |signature: &SignatureInformation| {
        signature.parameters.as_ref().is_some_and(|all| call.argument < all.len())
    };
    let active = signatures.iter().position(fits).unwrap_or(0);
    let number = |number: usize| u32::try_from(number).ok();
    Some(SignatureHelp {
        signatures,
        active_signature: number(active),
        active_parameter: number(call.argument),
    })
}

/// Returns the functions of the workspace that a call can mean.
fn own(cx: &Context<'_>, call: &Call) -> Vec<SignatureInformation> {
    let documents = cx.workspace.documents().flat_map(|(_, document)| document.stmts());
    let named = documents.filter(|placed| {
        let mut defined = placed.stmt.defined().iter();
        defined.any(|it| {
            it.kind == pg_ast::NameKind::Function && it.is_of(call.schema.as_deref(), &call.name)
        })
    });
    let signatures = named.filter_map(|placed| defined::signature(&placed.stmt)).take(MAX);
    let shown = |it: Signature| information(it.label, &it.parameters, call.argument);
    signatures.map(shown).collect()
}

fn information(
    label: String,
    parameters: &[core::ops::Range<usize>],
    argument: usize,
) -> SignatureInformation {
    let units =
        |offset: usize| u32::try_from(label[..offset].encode_utf16().count()).unwrap_or(u32::MAX);
    let parameter = |range: &core::ops::Range<usize>| ParameterInformation {
        label: ParameterLabel::LabelOffsets([units(range.start), units(range.end)]),
        documentation: None,
    };
    let parameters: Vec<_> = parameters.iter().map(parameter).collect();
    let last = parameters.len().saturating_sub(1);
    let active_parameter = u32::try_from(argument.min(last)).ok();
    SignatureInformation {
        label,
        documentation: None,
        parameters: Some(parameters),
        active_parameter,
    }
}

/// Returns the innermost call that is open at the end of unfinished SQL.
fn call(stmt: &Stmt) -> Option<Call> {
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
