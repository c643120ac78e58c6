//! What an editor asks about: a document, with what is known beside it.

use std::rc::Rc;

use crate::names::Names;
use crate::workspace::Workspace;
use crate::workspace::document::Document;

/// A document in its workspace: what an editor asks of a text is a method of this. Places are byte offsets in the text of the
/// document.
#[derive(Clone, Copy)]
pub struct DocumentContext<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) path: &'a str,
    pub(crate) document: &'a Document,
}

impl<'a> DocumentContext<'a> {
    /// Returns the workspace.
    #[must_use]
    pub fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// Returns the path of the document.
    #[must_use]
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the document.
    #[must_use]
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// Returns another document of the workspace.
    pub(crate) fn other(&self, path: &'a str, document: &'a Document) -> Self {
        Self { path, document, ..*self }
    }

    /// Returns the names of a statement.
    pub(crate) fn names(&self, index: usize) -> Rc<Names> {
        self.workspace.names(self.path, self.document, index)
    }

    /// Returns the names of all statements.
    pub(crate) fn all_names(&self) -> Vec<Rc<Names>> {
        self.workspace.all_names(self.path, self.document)
    }
}
