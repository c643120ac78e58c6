//! Requests and their answers.

use lsp_types::request::{self, Request as _};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, Position, Range,
    SemanticTokens, SemanticTokensDelta, SemanticTokensFullDeltaResult, SemanticTokensRangeResult,
    SemanticTokensResult, TextDocumentPositionParams, Uri,
};

use crate::context::Context;
use crate::server::Server;
use crate::transport::{ErrorCode, Request, refusal, response};
use crate::{
    code_actions, completion, formatting, hover, inlay_hints, references, regions, rename,
    semantic_tokens, signature_help, symbols,
};

/// Returns the response to a request; `null` for a document that is not open.
pub(crate) fn answer(server: &mut Server, request: Request) -> Vec<u8> {
    match request.method.as_str() {
        request::CodeActionRequest::METHOD => {
            answer_with::<request::CodeActionRequest>(request, |params| {
                let uri = params.text_document.uri.as_str();
                let cx = server.context(uri)?;
                let findings = server.findings(uri)?;
                Some(code_actions::actions(&cx, findings, &params, server.resolves_edits))
            })
        }
        request::CodeActionResolveRequest::METHOD => {
            answer_with::<request::CodeActionResolveRequest>(request, |mut action| {
                let uri = action.data.as_ref().and_then(|data| data.as_str()).map(str::to_owned);
                if let Some(cx) = uri.as_deref().and_then(|uri| server.context(uri)) {
                    action.edit = code_actions::all_fixed(&cx);
                }
                action
            })
        }
        request::SemanticTokensFullRequest::METHOD => {
            answer_with::<request::SemanticTokensFullRequest>(request, |params| {
                let uri = params.text_document.uri.as_str();
                let data = semantic_tokens::tokens(&server.context(uri)?, None);
                let id = server.result_id();
                server.open.get_mut(uri)?.tokens = Some((id.clone(), data.clone()));
                let tokens = SemanticTokens { result_id: Some(id), data };
                Some(SemanticTokensResult::Tokens(tokens))
            })
        }
        request::SemanticTokensFullDeltaRequest::METHOD => answer_with::<
            request::SemanticTokensFullDeltaRequest,
        >(request, |params| {
            let uri = params.text_document.uri.as_str();
            let data = semantic_tokens::tokens(&server.context(uri)?, None);
            let id = server.result_id();
            let known = &mut server.open.get_mut(uri)?.tokens;
            let old = known.take().filter(|(id, _)| *id == params.previous_result_id);
            let edits = old.map(|(_, old)| semantic_tokens::edits(&old, &data));
            *known = Some((id.clone(), data.clone()));
            let result_id = Some(id);
            Some(match edits {
                Some(edits) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                    result_id,
                    edits,
                }),
                None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data }),
            })
        }),
        _ => answer_of_document(server, request),
    }
}

/// Returns the URI of the document of which a request needs to know what is wrong in it.
pub(crate) fn needs_findings(request: &Request) -> Option<&str> {
    let is_one = request.method == request::CodeActionRequest::METHOD;
    request.params["textDocument"]["uri"].as_str().filter(|_| is_one)
}

/// Answers what only looks at a document.
fn answer_of_document(server: &Server, request: Request) -> Vec<u8> {
    match request.method.as_str() {
        request::Completion::METHOD => answer_with::<request::Completion>(request, |params| {
            let (cx, position) = at(server, &params.text_document_position)?;
            Some(CompletionResponse::Array(completion::items(&cx, position)))
        }),
        request::HoverRequest::METHOD => answer_with::<request::HoverRequest>(request, |params| {
            let (cx, position) = at(server, &params.text_document_position_params)?;
            hover::hover(&cx, position)
        }),
        request::GotoDefinition::METHOD => {
            answer_with::<request::GotoDefinition>(request, |params| {
                let (cx, position) = at(server, &params.text_document_position_params)?;
                references::definition(&cx, position).map(GotoDefinitionResponse::Array)
            })
        }
        request::References::METHOD => answer_with::<request::References>(request, |params| {
            let (cx, position) = at(server, &params.text_document_position)?;
            references::references(&cx, position, params.context.include_declaration)
        }),
        request::DocumentHighlightRequest::METHOD => {
            answer_with::<request::DocumentHighlightRequest>(request, |params| {
                let (cx, position) = at(server, &params.text_document_position_params)?;
                references::highlights(&cx, position)
            })
        }
        request::SignatureHelpRequest::METHOD => {
            answer_with::<request::SignatureHelpRequest>(request, |params| {
                let (cx, position) = at(server, &params.text_document_position_params)?;
                signature_help::help(&cx, position)
            })
        }
        request::PrepareRenameRequest::METHOD => {
            try_answer::<request::PrepareRenameRequest>(request, |params| {
                let Some((cx, position)) = at(server, &params) else { return Ok(None) };
                rename::prepare(&cx, position).map(Some)
            })
        }
        request::Rename::METHOD => try_answer::<request::Rename>(request, |params| {
            let Some((cx, position)) = at(server, &params.text_document_position) else {
                return Ok(None);
            };
            rename::rename(&cx, position, &params.new_name).map(Some)
        }),
        request::InlayHintRequest::METHOD => {
            answer_with::<request::InlayHintRequest>(request, |params| {
                let cx = of(server, &params.text_document.uri)?;
                Some(inlay_hints::hints(&cx, params.range))
            })
        }
        request::SemanticTokensRangeRequest::METHOD => {
            answer_with::<request::SemanticTokensRangeRequest>(request, |params| {
                let cx = of(server, &params.text_document.uri)?;
                let wanted = cx.document.lines().offsets(params.range);
                let data = semantic_tokens::tokens(&cx, Some(&wanted));
                let tokens = SemanticTokens { result_id: None, data };
                Some(SemanticTokensRangeResult::Tokens(tokens))
            })
        }
        request::DocumentSymbolRequest::METHOD => {
            answer_with::<request::DocumentSymbolRequest>(request, |params| {
                let cx = of(server, &params.text_document.uri)?;
                Some(DocumentSymbolResponse::Nested(symbols::symbols(cx.document)))
            })
        }
        request::FoldingRangeRequest::METHOD => {
            answer_with::<request::FoldingRangeRequest>(request, |params| {
                let cx = of(server, &params.text_document.uri)?;
                Some(regions::folding(cx.document))
            })
        }
        request::SelectionRangeRequest::METHOD => {
            answer_with::<request::SelectionRangeRequest>(request, |params| {
                let cx = of(server, &params.text_document.uri)?;
                Some(regions::selections(cx.document, &params.positions))
            })
        }
        _ => answer_of_format(server, request),
    }
}

fn answer_of_format(server: &Server, request: Request) -> Vec<u8> {
    match request.method.as_str() {
        request::Formatting::METHOD => answer_with::<request::Formatting>(request, |params| {
            let cx = of(server, &params.text_document.uri)?;
            Some(formatting::edits(&cx, None, params.options.tab_size))
        }),
        request::RangeFormatting::METHOD => {
            answer_with::<request::RangeFormatting>(request, |params| {
                let cx = of(server, &params.text_document.uri)?;
                Some(formatting::edits(&cx, Some(params.range), params.options.tab_size))
            })
        }
        // A semicolon has been typed, and the statement before it is complete.
        request::OnTypeFormatting::METHOD => {
            answer_with::<request::OnTypeFormatting>(request, |params| {
                let (cx, at) = at(server, &params.text_document_position)?;
                let end = Position { character: at.character.saturating_sub(1), ..at };
                let range = Some(Range::new(end, end));
                Some(formatting::edits(&cx, range, params.options.tab_size))
            })
        }
        method => {
            let message = format!("{method} is not known here");
            refusal(&request.id, ErrorCode::MethodNotFound, &message)
        }
    }
}

fn of<'a>(server: &'a Server, uri: &'a Uri) -> Option<Context<'a>> {
    server.context(uri.as_str())
}

fn at<'a>(
    server: &'a Server,
    params: &'a TextDocumentPositionParams,
) -> Option<(Context<'a>, Position)> {
    Some((of(server, &params.text_document.uri)?, params.position))
}

/// Responds to a request, if its parameters are valid.
fn answer_with<R: request::Request>(
    request: Request,
    f: impl FnOnce(R::Params) -> R::Result,
) -> Vec<u8> {
    try_answer::<R>(request, |params| Ok(f(params)))
}

/// Responds to a request that can be refused, with a message for people.
fn try_answer<R: request::Request>(
    request: Request,
    f: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Vec<u8> {
    match serde_json::from_value(request.params) {
        Ok(params) => match f(params) {
            Ok(result) => response::<R>(&request.id, &result),
            Err(message) => refusal(&request.id, ErrorCode::RequestFailed, &message),
        },
        Err(error) => refusal(&request.id, ErrorCode::InvalidParams, &error.to_string()),
    }
}
