#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answers;
mod applied_sql;
mod names;
mod stmt;
mod workspace;

pub use pg_ast;
pub use pg_ast_names::MistakeKind;

pub use crate::answers::completion::{CompletionItem, CompletionList};
pub use crate::answers::hover::Hover;
pub use crate::answers::inlay_hints::InlayHint;
pub use crate::answers::outline::{OutlineItem, OutlineKind};
pub use crate::answers::references::{Highlight, Location};
pub use crate::answers::regions::Fold;
pub use crate::answers::rename::{RenameEdits, RenameTarget};
pub use crate::answers::semantic_words::{SemanticWord, WordKind};
pub use crate::answers::signature_help::SignatureHelp;
pub use crate::applied_sql::applied_sql;
pub use crate::names::WrongName;
pub use crate::stmt::defined::Signature;
pub use crate::workspace::Workspace;
pub use crate::workspace::context::DocumentContext;
pub use crate::workspace::document::Document;
