//! Messages and their handlers.

use std::collections::HashMap;
use std::error::Error;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    CompletionResponse, DocumentOnTypeFormattingOptions, DocumentSymbolResponse,
    FoldingRangeProviderCapability, HoverProviderCapability, InitializeResult, OneOf, Position,
    PositionEncodingKind, PublishDiagnosticsParams, Range, SelectionRangeProviderCapability,
    ServerCapabilities, ServerInfo, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, Uri,
};
use serde_json::Value;

use crate::Settings;
use crate::{completion, diagnostics, formatting, hover, regions, symbols};

/// The reason for a premature end of the server.
type Failure = Box<dyn Error + Send + Sync>;

/// Serves a client over standard input and output until it ends the session.
///
/// # Errors
///
/// As those of [`run`], or a thread could not be joined.
pub fn serve(settings: Settings) -> Result<(), Failure> {
    let (connection, threads) = Connection::stdio();
    let ran = run(&connection, settings);
    // The threads end when there is no reader any more.
    drop(connection);
    ran.and_then(|()| Ok(threads.join()?))
}

/// Serves a client until it ends the session.
///
/// # Errors
///
/// The client is gone, or violates the protocol: for instance, it exits
/// without a shutdown. The contents of its messages never cause an error.
pub fn run(connection: &Connection, _settings: Settings) -> Result<(), Failure> {
    let (id, _) = connection.initialize_start()?;
    connection.initialize_finish(id, serde_json::to_value(description())?)?;
    let mut server = Server { connection, texts: HashMap::new() };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                let response = server.answer(request);
                connection.sender.send(response.into())?;
            }
            Message::Notification(notification) => server.notified(notification)?,
            Message::Response(_) => {}
        }
    }
    Err("the client is gone".into())
}

/// Returns the capabilities of the server.
fn description() -> InitializeResult {
    let kinds = vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL];
    let actions = CodeActionOptions { code_action_kinds: Some(kinds), ..Default::default() };
    let completion =
        CompletionOptions { trigger_characters: Some(vec![".".to_owned()]), ..Default::default() };
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(PositionEncodingKind::UTF16),
            text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
            code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
            completion_provider: Some(completion),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            document_range_formatting_provider: Some(OneOf::Left(true)),
            document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
                first_trigger_character: ";".to_owned(),
                more_trigger_character: None,
            }),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "pgast".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

struct Server<'a> {
    connection: &'a Connection,
    /// The open documents, by URI.
    texts: HashMap<String, String>,
}

impl Server<'_> {
    fn notified(&mut self, notification: Notification) -> Result<(), Failure> {
        let Notification { method, params } = notification;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(params) = read::<notification::DidOpenTextDocument>(params) {
                    let document = params.text_document;
                    self.changed(document.uri, document.text, Some(document.version))?;
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(mut params) = read::<notification::DidChangeTextDocument>(params) {
                    let document = params.text_document;
                    // Each change is the full text, and the last one counts.
                    if let Some(change) = params.content_changes.pop() {
                        self.changed(document.uri, change.text, Some(document.version))?;
                    }
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(params) = read::<notification::DidCloseTextDocument>(params) {
                    self.texts.remove(params.text_document.uri.as_str());
                    self.publish(params.text_document.uri, None)?;
                }
            }
            notification::Exit::METHOD => return Err("exit without a shutdown".into()),
            _ => {}
        }
        Ok(())
    }

    fn changed(&mut self, uri: Uri, text: String, version: Option<i32>) -> Result<(), Failure> {
        self.texts.insert(uri.as_str().to_owned(), text);
        self.publish(uri, version)
    }

    /// Sends the diagnostics of a document; an empty list if it has been closed.
    fn publish(&self, uri: Uri, version: Option<i32>) -> Result<(), Failure> {
        let diagnostics = self.text(&uri).map(diagnostics::diagnostics).unwrap_or_default();
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        let method = notification::PublishDiagnostics::METHOD.to_owned();
        let notification = Notification { method, params: serde_json::to_value(params)? };
        Ok(self.connection.sender.send(notification.into())?)
    }

    fn text(&self, uri: &Uri) -> Option<&str> {
        self.texts.get(uri.as_str()).map(String::as_str)
    }

    /// Returns the response to a request; `null` for a document that is not open.
    fn answer(&self, request: Request) -> Response {
        match request.method.as_str() {
            request::CodeActionRequest::METHOD => {
                answer::<request::CodeActionRequest>(request, |params| {
                    let text = self.text(&params.text_document.uri)?;
                    Some(diagnostics::actions(text, &params))
                })
            }
            request::Completion::METHOD => answer::<request::Completion>(request, |params| {
                let TextDocumentPositionParams { text_document, position } =
                    params.text_document_position;
                let items = completion::items(self.text(&text_document.uri)?, position);
                Some(CompletionResponse::Array(items))
            }),
            request::HoverRequest::METHOD => answer::<request::HoverRequest>(request, |params| {
                let TextDocumentPositionParams { text_document, position } =
                    params.text_document_position_params;
                hover::hover(self.text(&text_document.uri)?, position)
            }),
            request::DocumentSymbolRequest::METHOD => {
                answer::<request::DocumentSymbolRequest>(request, |params| {
                    let text = self.text(&params.text_document.uri)?;
                    Some(DocumentSymbolResponse::Nested(symbols::symbols(text)))
                })
            }
            request::Formatting::METHOD => answer::<request::Formatting>(request, |params| {
                let text = self.text(&params.text_document.uri)?;
                Some(formatting::edits(text, None, params.options.tab_size))
            }),
            request::RangeFormatting::METHOD => {
                answer::<request::RangeFormatting>(request, |params| {
                    let text = self.text(&params.text_document.uri)?;
                    Some(formatting::edits(text, Some(params.range), params.options.tab_size))
                })
            }
            // A semicolon has been typed, and the statement before it is complete.
            request::OnTypeFormatting::METHOD => {
                answer::<request::OnTypeFormatting>(request, |params| {
                    let at = params.text_document_position;
                    let text = self.text(&at.text_document.uri)?;
                    let end = Position {
                        character: at.position.character.saturating_sub(1),
                        ..at.position
                    };
                    Some(formatting::edits(
                        text,
                        Some(Range::new(end, end)),
                        params.options.tab_size,
                    ))
                })
            }
            request::FoldingRangeRequest::METHOD => {
                answer::<request::FoldingRangeRequest>(request, |params| {
                    Some(regions::folding(self.text(&params.text_document.uri)?))
                })
            }
            request::SelectionRangeRequest::METHOD => {
                answer::<request::SelectionRangeRequest>(request, |params| {
                    let text = self.text(&params.text_document.uri)?;
                    Some(regions::selections(text, &params.positions))
                })
            }
            method => {
                let message = format!("{method} is not known here");
                Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }
}

/// Returns the parameters of a notification; `None` if they are invalid.
fn read<N: notification::Notification>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}

/// Responds to a request, if its parameters are valid.
fn answer<R: request::Request>(
    request: Request,
    f: impl FnOnce(R::Params) -> R::Result,
) -> Response {
    match serde_json::from_value(request.params) {
        Ok(params) => Response::new_ok(request.id, f(params)),
        Err(error) => {
            Response::new_err(request.id, ErrorCode::InvalidParams as i32, error.to_string())
        }
    }
}
