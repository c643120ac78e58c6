//! Requests and their answers.

use lsp_types::request::{self, Request as _};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, Position, Range,
    SemanticTokens, SemanticTokensDelta, SemanticTokensFullDeltaResult, SemanticTokensRangeResult,
    SemanticTokensResult, TextDocumentPositionParams, TextEdit, Uri,
};
use pg_ast::LineIndex;
use pg_ast_ide::DocumentContext;

use crate::server::Server;
use crate::transport::{ErrorCode, Request, refusal, response};
use crate::{code_actions, formatting, semantic_tokens, to_lsp};

/// Returns the response to a request; `null` for a document that is not open.
pub(crate) fn answer(server: &mut Server, request: Request) -> Vec<u8> {
    match request.method.as_str() {
        request::CodeActionRequest::METHOD => {
            answer_with::<request::CodeActionRequest>(request, |params| {
                let uri = params.text_document.uri.as_str();
                let cx = server.context(uri)?;
                let findings = server.findings(uri)?;
                Some(code_actions::actions(&cx, server, findings, &params))
            })
        }
        request::CodeActionResolveRequest::METHOD => {
            answer_with::<request::CodeActionResolveRequest>(request, |mut action| {
                let uri = action.data.as_ref().and_then(|data| data.as_str()).map(str::to_owned);
                if let Some(cx) = uri.as_deref().and_then(|uri| server.context(uri)) {
                    action.edit = code_actions::all_fixed(&cx, &server.settings);
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
            let (cx, lines, offset) = at(server, &params.text_document_position)?;
            let items = to_lsp::completions(lines, cx.complete(offset));
            Some(CompletionResponse::Array(items))
        }),
        request::HoverRequest::METHOD => answer_with::<request::HoverRequest>(request, |params| {
            let (cx, lines, offset) = at(server, &params.text_document_position_params)?;
            Some(to_lsp::hover(lines, cx.hover(offset)?))
        }),
        request::GotoDefinition::METHOD => {
            answer_with::<request::GotoDefinition>(request, |params| {
                let (cx, _, offset) = at(server, &params.text_document_position_params)?;
                let found = to_lsp::locations(cx.workspace(), cx.definition(offset));
                (!found.is_empty()).then_some(GotoDefinitionResponse::Array(found))
            })
        }
        request::References::METHOD => answer_with::<request::References>(request, |params| {
            let (cx, _, offset) = at(server, &params.text_document_position)?;
            let found = cx.references(offset, params.context.include_declaration)?;
            Some(to_lsp::locations(cx.workspace(), found))
        }),
        request::DocumentHighlightRequest::METHOD => {
            answer_with::<request::DocumentHighlightRequest>(request, |params| {
                let (cx, lines, offset) = at(server, &params.text_document_position_params)?;
                let found = cx.highlights(offset)?;
                Some(found.iter().map(|it| to_lsp::highlight(lines, it)).collect())
            })
        }
        request::SignatureHelpRequest::METHOD => {
            answer_with::<request::SignatureHelpRequest>(request, |params| {
                let (cx, _, offset) = at(server, &params.text_document_position_params)?;
                cx.signature_help(offset).map(to_lsp::signature_help)
            })
        }
        request::PrepareRenameRequest::METHOD => {
            try_answer::<request::PrepareRenameRequest>(request, |params| {
                let Some((cx, lines, offset)) = at(server, &params) else { return Ok(None) };
                let target = cx.prepare_rename(offset)?;
                Ok(Some(to_lsp::rename_target(lines, target)))
            })
        }
        request::Rename::METHOD => try_answer::<request::Rename>(request, |params| {
            let Some((cx, _, offset)) = at(server, &params.text_document_position) else {
                return Ok(None);
            };
            let edits = cx.rename(offset, &params.new_name)?;
            to_lsp::renamed(cx.workspace(), edits).map(Some)
        }),
        request::InlayHintRequest::METHOD => {
            answer_with::<request::InlayHintRequest>(request, |params| {
                let (cx, lines) = of(server, &params.text_document.uri)?;
                let hints = cx.inlay_hints(&to_lsp::offsets(lines, params.range));
                Some(hints.into_iter().map(|hint| to_lsp::inlay_hint(lines, hint)).collect())
            })
        }
        request::SemanticTokensRangeRequest::METHOD => {
            answer_with::<request::SemanticTokensRangeRequest>(request, |params| {
                let (cx, lines) = of(server, &params.text_document.uri)?;
                let wanted = to_lsp::offsets(lines, params.range);
                let data = semantic_tokens::tokens(&cx, Some(&wanted));
                let tokens = SemanticTokens { result_id: None, data };
                Some(SemanticTokensRangeResult::Tokens(tokens))
            })
        }
        request::DocumentSymbolRequest::METHOD => {
            answer_with::<request::DocumentSymbolRequest>(request, |params| {
                let (cx, lines) = of(server, &params.text_document.uri)?;
                let symbols = cx.outline().into_iter().map(|item| to_lsp::symbol(lines, item));
                Some(DocumentSymbolResponse::Nested(symbols.collect()))
            })
        }
        request::FoldingRangeRequest::METHOD => {
            answer_with::<request::FoldingRangeRequest>(request, |params| {
                let (cx, lines) = of(server, &params.text_document.uri)?;
                Some(cx.folds().iter().map(|fold| to_lsp::fold(lines, fold)).collect())
            })
        }
        request::SelectionRangeRequest::METHOD => {
            answer_with::<request::SelectionRangeRequest>(request, |params| {
                let (cx, lines) = of(server, &params.text_document.uri)?;
                let offsets = params.positions.iter().map(|it| to_lsp::offset(lines, *it));
                Some(offsets.map(|it| to_lsp::selection(lines, &cx.selection(it))).collect())
            })
        }
        _ => answer_of_format(server, request),
    }
}

fn answer_of_format(server: &Server, request: Request) -> Vec<u8> {
    match request.method.as_str() {
        request::Formatting::METHOD => answer_with::<request::Formatting>(request, |params| {
            formatted(server, &params.text_document.uri, None, params.options.tab_size)
        }),
        request::RangeFormatting::METHOD => {
            answer_with::<request::RangeFormatting>(request, |params| {
                let range = Some(params.range);
                formatted(server, &params.text_document.uri, range, params.options.tab_size)
            })
        }
        // A semicolon has been typed, and the statement before it is complete.
        request::OnTypeFormatting::METHOD => {
            answer_with::<request::OnTypeFormatting>(request, |params| {
                let place = params.text_document_position;
                let character = place.position.character.saturating_sub(1);
                let end = Position { character, ..place.position };
                let range = Some(Range::new(end, end));
                formatted(server, &place.text_document.uri, range, params.options.tab_size)
            })
        }
        method => {
            let message = format!("{method} is not known here");
            refusal(&request.id, ErrorCode::MethodNotFound, &message)
        }
    }
}

fn formatted(
    server: &Server,
    uri: &Uri,
    range: Option<Range>,
    tab_size: u32,
) -> Option<Vec<TextEdit>> {
    let (_, lines) = of(server, uri)?;
    let range = range.map(|range| to_lsp::offsets(lines, range));
    Some(formatting::edits(lines, &server.settings, range, tab_size))
}

/// Returns an open document, and its lines.
fn of<'a>(server: &'a Server, uri: &'a Uri) -> Option<(DocumentContext<'a>, &'a LineIndex<'a>)> {
    let cx = server.context(uri.as_str())?;
    Some((cx, cx.document().lines()))
}

fn at<'a>(
    server: &'a Server,
    params: &'a TextDocumentPositionParams,
) -> Option<(DocumentContext<'a>, &'a LineIndex<'a>, usize)> {
    let (cx, lines) = of(server, &params.text_document.uri)?;
    Some((cx, lines, to_lsp::offset(lines, params.position)))
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
