//! Messages and their handlers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use lsp_types::notification::{self, Notification as _};
use lsp_types::request;
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeParams,
    LogMessageParams, MessageType, PublishDiagnosticsParams, Registration, RegistrationParams,
    SemanticToken, Uri,
};
use pg_ast_ide::{DocumentContext, Workspace};
use pg_ast_lint::Finding;
use serde_json::Value;

use crate::linting::{Found, Job, Linting};
use crate::session::{Event, Failure};
use crate::transport::{self, ErrorCode, Request, refusal};
use crate::{Settings, diagnostics, files, requests, to_lsp};

/// Takes over the settings that a client sends.
fn override_settings(settings: &mut Settings, options: &Value, problems: &mut Vec<String>) {
    match &options["version"] {
        Value::Null => {}
        version => {
            let text = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
            match text.parse() {
                Ok(version) => settings.version = version,
                Err(error) => problems.push(format!("version: {error}")),
            }
        }
    }
    match &options["schema"] {
        Value::Null => {}
        Value::String(path) => settings.schema = vec![PathBuf::from(path)],
        Value::Array(paths) => {
            settings.schema = paths.iter().filter_map(Value::as_str).map(PathBuf::from).collect();
        }
        other => problems.push(format!("schema: {other} is not a list of paths")),
    }
}

/// Reads the scripts that define the database.
fn read_schema(workspace: &mut Workspace, paths: &[PathBuf], problems: &mut Vec<String>) {
    let known = problems.len();
    let mut scripts = Vec::new();
    for path in paths {
        match std::fs::read_to_string(path) {
            Ok(text) => scripts.push(text),
            Err(error) => problems.push(format!("cannot read {}: {error}", path.display())),
        }
    }
    workspace.set_schema(scripts, problems.len() == known && !paths.is_empty());
}

/// Returns the folders that the client has open.
#[allow(deprecated)]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| folder.uri.as_str());
    let mut uris: Vec<_> = folders.collect();
    if uris.is_empty() {
        uris.extend(params.root_uri.as_ref().map(|uri| uri.as_str()));
    }
    uris.into_iter().filter_map(files::path).collect()
}

/// Returns whether the client asks for the changes of a code action when it needs them.
fn resolves_edits(params: &InitializeParams) -> bool {
    let document = params.capabilities.text_document.as_ref();
    let actions = document.and_then(|document| document.code_action.as_ref());
    let support = actions.and_then(|actions| actions.resolve_support.as_ref());
    support.is_some_and(|support| support.properties.iter().any(|property| property == "edit"))
}

fn can_watch(params: &InitializeParams) -> bool {
    let workspace = params.capabilities.workspace.as_ref();
    let watched = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
    watched.is_some_and(|watched| watched.dynamic_registration == Some(true))
}

/// What the server keeps of an open document beside its text.
#[derive(Default)]
pub(crate) struct Open {
    version: Option<i32>,
    /// The number of the text.
    revision: u64,
    /// Whether the thread looks at this or an older text.
    is_asked: bool,
    /// Whether the diagnostics that the client has may be old.
    is_stale: bool,
    /// What is wrong in this text, if that is known already.
    findings: Option<Vec<Finding>>,
    /// The semantic tokens that the client has, and the name of that result.
    pub(crate) tokens: Option<(String, Vec<SemanticToken>)>,
}

pub(crate) struct Server {
    output: Sender<Vec<u8>>,
    pub(crate) settings: Settings,
    pub(crate) workspace: Workspace,
    pub(crate) open: BTreeMap<String, Open>,
    linting: Linting,
    /// Requests that need what is wrong in a document, which is not known yet.
    waiting: Vec<Request>,
    pub(crate) resolves_edits: bool,
    next_number: u64,
}

impl Server {
    /// Makes the server of a session, and tells the client what is wrong with the settings.
    pub(crate) fn new(
        output: Sender<Vec<u8>>,
        found: Sender<Event>,
        mut settings: Settings,
        params: &InitializeParams,
    ) -> Result<Self, Failure> {
        let mut problems = Vec::new();
        if let Some(options) = &params.initialization_options {
            override_settings(&mut settings, options, &mut problems);
        }
        let mut workspace = Workspace::new(settings.version);
        read_schema(&mut workspace, &settings.schema, &mut problems);
        for (uri, text) in folders(params).iter().flat_map(|folder| files::scripts(folder)) {
            if workspace.document(&uri).is_none() {
                workspace.add(&uri, text);
            }
        }
        let server = Self {
            output,
            linting: Linting::start(settings.clone(), found)?,
            settings,
            workspace,
            open: BTreeMap::new(),
            waiting: Vec::new(),
            resolves_edits: resolves_edits(params),
            next_number: 0,
        };
        for problem in problems {
            server.log(problem)?;
        }
        if can_watch(params) {
            server.watch()?;
        }
        Ok(server)
    }

    /// Responds to a request, now or when what it needs is known.
    pub(crate) fn answer(&mut self, request: Request) -> Result<(), Failure> {
        let needed = requests::needs_findings(&request);
        if needed.is_some_and(|uri| self.open.get(uri).is_some_and(|it| it.findings.is_none())) {
            self.waiting.push(request);
            return Ok(());
        }
        let response = requests::answer(self, request);
        Ok(self.output.send(response)?)
    }

    /// Forgets a request that waits; returns false if there is no such one.
    pub(crate) fn cancel(&mut self, id: &Value) -> bool {
        let waiting = self.waiting.iter().position(|request| request.id == *id);
        waiting.map(|index| self.waiting.remove(index)).is_some()
    }

    /// Refuses what waits, at the end.
    pub(crate) fn refuse_waiting(&mut self) -> Result<(), Failure> {
        for request in self.waiting.drain(..) {
            let message = "the session has ended";
            self.output.send(refusal(&request.id, ErrorCode::RequestCancelled, message))?;
        }
        Ok(())
    }

    /// Takes what was found in a text, unless there is another one now.
    pub(crate) fn found(&mut self, found: Found) -> Result<(), Failure> {
        let Some(open) = self.open.get_mut(&found.uri) else { return Ok(()) };
        open.is_asked = false;
        if open.revision != found.revision {
            open.is_stale = true;
            return Ok(());
        }
        open.findings = Some(found.findings);
        open.is_stale = true;
        for request in core::mem::take(&mut self.waiting) {
            self.answer(request)?;
        }
        Ok(())
    }

    fn send<N: notification::Notification>(&self, params: &N::Params) -> Result<(), Failure> {
        Ok(self.output.send(transport::notification::<N>(params)?)?)
    }

    fn log(&self, message: String) -> Result<(), Failure> {
        self.send::<notification::LogMessage>(&LogMessageParams {
            typ: MessageType::ERROR,
            message,
        })
    }

    /// Asks the client to say when a script changes on disk.
    fn watch(&self) -> Result<(), Failure> {
        let glob_pattern = GlobPattern::String("**/*.sql".to_owned());
        let watchers = vec![FileSystemWatcher { glob_pattern, kind: None }];
        let options = DidChangeWatchedFilesRegistrationOptions { watchers };
        let registration = Registration {
            id: "scripts".to_owned(),
            method: notification::DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: Some(serde_json::to_value(options)?),
        };
        let params = RegistrationParams { registrations: vec![registration] };
        let message = transport::request::<request::RegisterCapability>("watch", &params)?;
        Ok(self.output.send(message)?)
    }

    pub(crate) fn notified(&mut self, method: &str, params: Value) -> Result<(), Failure> {
        match method {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(params) = read::<notification::DidOpenTextDocument>(params) {
                    let document = params.text_document;
                    let uri = document.uri.as_str().to_owned();
                    self.workspace.open(&uri, document.text);
                    self.open.insert(uri.clone(), Open::default());
                    self.changed(&uri, Some(document.version));
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(params) = read::<notification::DidChangeTextDocument>(params) {
                    let uri = params.text_document.uri.as_str().to_owned();
                    let Some(document) = self.workspace.document_mut(&uri) else { return Ok(()) };
                    for change in params.content_changes {
                        let range = match change.range {
                            Some(range) => to_lsp::offsets(document.lines(), range),
                            None => 0..document.text().len(),
                        };
                        document.edit(range, &change.text);
                    }
                    self.changed(&uri, Some(params.text_document.version));
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(params) = read::<notification::DidCloseTextDocument>(params) {
                    let uri = params.text_document.uri;
                    self.open.remove(uri.as_str());
                    self.workspace.remove(uri.as_str());
                    self.read_file(uri.as_str());
                    self.linting.ask(Job::Forget { uri: uri.as_str().to_owned() });
                    for request in core::mem::take(&mut self.waiting) {
                        self.answer(request)?;
                    }
                    self.make_others_stale(uri.as_str());
                    let (diagnostics, version) = (Vec::new(), None);
                    let params = PublishDiagnosticsParams { uri, diagnostics, version };
                    self.send::<notification::PublishDiagnostics>(&params)?;
                }
            }
            notification::DidChangeWatchedFiles::METHOD => {
                if let Some(params) = read::<notification::DidChangeWatchedFiles>(params) {
                    for change in params.changes {
                        let uri = change.uri.as_str();
                        if Path::new(uri)
                            .extension()
                            .is_some_and(|it| it.eq_ignore_ascii_case("sql"))
                        {
                            self.read_file(uri);
                        }
                    }
                    self.make_others_stale("");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a file again that has changed, unless it is open.
    fn read_file(&mut self, uri: &str) {
        if self.open.contains_key(uri) {
            return;
        }
        match files::read(uri) {
            Some(text) => self.workspace.add(uri, text),
            None => self.workspace.remove(uri),
        }
    }

    /// Notes that a document has another text.
    fn changed(&mut self, uri: &str, version: Option<i32>) {
        self.next_number += 1;
        if let Some(open) = self.open.get_mut(uri) {
            open.version = version;
            open.revision = self.next_number;
            open.findings = None;
            open.is_stale = true;
        }
        self.make_others_stale(uri);
    }

    /// Notes that the names in other documents may mean something else.
    fn make_others_stale(&mut self, uri: &str) {
        for (other, open) in &mut self.open {
            open.is_stale |= other != uri;
        }
    }

    /// Sends the diagnostics of documents that have changed, or asks for what is wrong in them.
    pub(crate) fn publish_stale(&mut self) -> Result<(), Failure> {
        let stale = self.open.iter().filter(|(_, it)| it.is_stale && !it.is_asked);
        let stale: Vec<_> = stale.map(|(uri, _)| uri.clone()).collect();
        for name in stale {
            let (Some(open), Some(document)) =
                (self.open.get_mut(&name), self.workspace.document(&name))
            else {
                continue;
            };
            open.is_stale = false;
            if open.findings.is_none() {
                open.is_asked = true;
                let (revision, text) = (open.revision, document.text().to_owned());
                self.linting.ask(Job::Check { uri: name, revision, text });
                continue;
            }
            let version = open.version;
            let (Some(cx), Ok(uri)) = (self.context(&name), name.parse::<Uri>()) else { continue };
            let diagnostics = self.findings(&name).map(|it| diagnostics::diagnostics(&cx, it));
            let diagnostics = diagnostics.unwrap_or_default();
            let params = PublishDiagnosticsParams { uri, diagnostics, version };
            self.send::<notification::PublishDiagnostics>(&params)?;
        }
        Ok(())
    }

    /// Returns what is wrong in the text of an open document, if that is known.
    pub(crate) fn findings(&self, uri: &str) -> Option<&[Finding]> {
        self.open.get(uri)?.findings.as_deref()
    }

    /// Returns an open document with what is known beside it.
    pub(crate) fn context<'a>(&'a self, uri: &'a str) -> Option<DocumentContext<'a>> {
        self.workspace.context(uri).filter(|_| self.open.contains_key(uri))
    }

    /// Returns a name for a result that a client keeps.
    pub(crate) fn result_id(&mut self) -> String {
        self.next_number += 1;
        self.next_number.to_string()
    }
}

/// Returns the parameters of a notification; `None` if they are invalid.
fn read<N: notification::Notification>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}
