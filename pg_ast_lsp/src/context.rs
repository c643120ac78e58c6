//! What a request is about.

use std::rc::Rc;

use crate::Settings;
use crate::document::Document;
use crate::names::Names;
use crate::workspace::Workspace;

/// A document, with all that is known beside it.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) settings: &'a Settings,
    pub(crate) uri: &'a str,
    pub(crate) document: &'a Document,
}

impl<'a> Context<'a> {
    /// Returns another document of the workspace.
    pub(crate) fn other(&self, uri: &'a str, document: &'a Document) -> Self {
        Self { uri, document, ..*self }
    }

    /// Returns the names of a statement.
    pub(crate) fn names(&self, index: usize) -> Rc<Names> {
        self.workspace.names(self.uri, self.document, index)
    }

    /// Returns the names of all statements.
    pub(crate) fn all_names(&self) -> Vec<Rc<Names>> {
        self.workspace.all_names(self.uri, self.document)
    }
}
