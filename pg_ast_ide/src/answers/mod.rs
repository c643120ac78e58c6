//! What an editor asks, with a file for each question; each is a method of `DocumentContext`.

mod body_completion;
mod body_outline;
pub(crate) mod completion;
mod functions;
pub(crate) mod hover;
pub(crate) mod inlay_hints;
mod node_docs;
pub(crate) mod outline;
pub(crate) mod references;
pub(crate) mod regions;
pub(crate) mod rename;
pub(crate) mod semantic_words;
pub(crate) mod signature_help;
mod unread;
mod visible_sources;
