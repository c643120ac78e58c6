//! What the server says it can do.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DocumentOnTypeFormattingOptions, FoldingRangeProviderCapability, HoverProviderCapability,
    InitializeResult, OneOf, PositionEncodingKind, RenameOptions, SelectionRangeProviderCapability,
    SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo,
    SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
};

use crate::semantic_tokens;

pub(crate) fn description() -> InitializeResult {
    let kinds = vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL];
    let actions = CodeActionOptions {
        code_action_kinds: Some(kinds),
        resolve_provider: Some(true),
        ..Default::default()
    };
    let completion =
        CompletionOptions { trigger_characters: Some(vec![".".to_owned()]), ..Default::default() };
    let signatures = SignatureHelpOptions {
        trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
        ..Default::default()
    };
    let tokens = SemanticTokensOptions {
        legend: semantic_tokens::legend(),
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
        ..Default::default()
    };
    let rename = RenameOptions {
        prepare_provider: Some(true),
        work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(PositionEncodingKind::UTF16),
            text_document_sync: Some(TextDocumentSyncCapability::Kind(
                TextDocumentSyncKind::INCREMENTAL,
            )),
            code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
            completion_provider: Some(completion),
            definition_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            document_range_formatting_provider: Some(OneOf::Left(true)),
            document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
                first_trigger_character: ";".to_owned(),
                more_trigger_character: None,
            }),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            inlay_hint_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Right(rename)),
            selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
            semantic_tokens_provider: Some(tokens.into()),
            signature_help_provider: Some(signatures),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "pgast".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}
