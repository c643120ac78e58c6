//! The parameters of the session that rules ask for, as the statements before have set them.

use pg_ast::Literal;
use pg_ast::protobuf::VariableSetKind;
use pg_ast::view::{DefElem, FuncCall, List, Node, VariableSetStmt};

/// A parameter: for the session, and for the rest of the transaction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parameter {
    session: bool,
    transaction: Option<bool>,
}

impl Parameter {
    pub(crate) fn new(session: bool) -> Self {
        Self { session, transaction: None }
    }

    /// Returns whether it has a value that rules ask for.
    pub(crate) fn is_set(self) -> bool {
        self.transaction.unwrap_or(self.session)
    }

    fn set(&mut self, Assigned { value, is_local }: Assigned) {
        if is_local {
            self.transaction = Some(value);
        } else {
            *self = Self::new(value);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    /// Whether there is a limit to waiting for locks.
    pub(crate) lock_timeout: Parameter,
    /// Whether there is a limit to the time of a statement.
    pub(crate) statement_timeout: Parameter,
    /// Whether nobody else can put objects where names are looked up.
    pub(crate) safe_path: Parameter,
}

impl Settings {
    pub(crate) fn apply(&mut self, event: SettingEvent) {
        match event {
            SettingEvent::LockTimeout(it) => self.lock_timeout.set(it),
            SettingEvent::StatementTimeout(it) => self.statement_timeout.set(it),
            SettingEvent::SearchPath(it) => self.safe_path.set(it),
            SettingEvent::ResetAll => *self = Self::default(),
        }
    }

    pub(crate) fn end_transaction(&mut self) {
        for it in [&mut self.lock_timeout, &mut self.statement_timeout, &mut self.safe_path] {
            it.transaction = None;
        }
    }
}

/// What a statement does to the parameters.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) enum SettingEvent {
    LockTimeout(Assigned),
    StatementTimeout(Assigned),
    SearchPath(Assigned),
    ResetAll,
}

/// Whether a parameter gets a value that rules ask for, and whether only for the rest of the transaction.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct Assigned {
    value: bool,
    is_local: bool,
}

impl SettingEvent {
    /// Returns what `SET` does.
    pub(crate) fn of_set(stmt: VariableSetStmt<'_>) -> Option<Self> {
        let values = match stmt.kind() {
            VariableSetKind::VarSetValue => Values::List(stmt.args()),
            VariableSetKind::VarSetDefault
            | VariableSetKind::VarReset
            | VariableSetKind::VarSetCurrent => Values::None,
            VariableSetKind::VarResetAll => return Some(Self::ResetAll),
            _ => return None,
        };
        Self::assigns(stmt.name(), values, stmt.is_local())
    }

    /// Returns what a call does, if it is one of `set_config`.
    pub(crate) fn of_call(call: FuncCall<'_>) -> Option<Self> {
        if call.funcname().strs().next_back() != Some("set_config") || call.args().len() != 3 {
            return None;
        }
        let mut args = call.args().iter();
        let (name, value, local) = (args.next(), args.next(), args.next());
        let Some(Literal::String(name)) = name.and_then(Node::literal) else { return None };
        let is_local = local.and_then(Node::literal) != Some(Literal::Boolean(false));
        let values = match value.and_then(Node::literal) {
            Some(Literal::String(text)) => Values::Text(text),
            _ => Values::None,
        };
        Self::assigns(name, values, is_local)
    }

    fn assigns(name: &str, values: Values<'_>, is_local: bool) -> Option<Self> {
        let to = |value| Assigned { value, is_local };
        match name {
            "lock_timeout" => Some(Self::LockTimeout(to(values.is_limit()))),
            "statement_timeout" => Some(Self::StatementTimeout(to(values.is_limit()))),
            "search_path" => Some(Self::SearchPath(to(values.is_safe_path()))),
            _ => None,
        }
    }
}

/// The values that a parameter gets.
#[derive(Clone, Copy)]
enum Values<'a> {
    /// Its default, or what is not known.
    None,
    List(List<'a>),
    Text(&'a str),
}

impl Values<'_> {
    /// Returns whether a timeout has an end: that of zero has none.
    fn is_limit(self) -> bool {
        let is_some = |text: &str| text.trim().trim_end_matches(char::is_alphabetic).trim() != "0";
        match self {
            Self::None => false,
            Self::Text(text) => is_some(text),
            Self::List(list) => match list.first().and_then(Node::literal) {
                Some(Literal::Integer(number)) => number != 0,
                Some(Literal::String(text)) => is_some(text),
                _ => true,
            },
        }
    }

    fn is_safe_path(self) -> bool {
        match self {
            Self::None => false,
            Self::Text(text) => is_safe(text.split(',').map(|name| name.trim().trim_matches('"'))),
            Self::List(list) => is_safe(schemas(list)),
        }
    }
}

fn schemas(args: List<'_>) -> impl Iterator<Item = &str> {
    args.iter().map(|arg| match arg.literal() {
        Some(Literal::String(name)) => name,
        // Not a name.
        _ => "",
    })
}

/// Returns whether objects that others have made do not come before those that are meant.
///
/// Everybody can make temporary objects, which come first unless `pg_temp` says otherwise, and in `public` up to PostgreSQL 14.
/// An empty path finds nothing but what has a schema, or is PostgreSQL's own.
fn is_safe<'s>(path: impl Iterator<Item = &'s str>) -> bool {
    let mut names: Vec<&str> = path.filter(|name| !name.is_empty()).collect();
    let has_temp = names.pop_if(|last| *last == "pg_temp").is_some();
    let is_open = |name: &&str| matches!(*name, "public" | "$user" | "pg_temp");
    (names.is_empty() || has_temp) && !names.iter().any(is_open)
}

/// What a function says about `search_path`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum FunctionPath {
    /// Nothing: it is that of the caller.
    #[default]
    Callers,
    Safe,
    Unsafe,
    /// That of the session at the time: `FROM CURRENT`.
    Unknown,
}

/// Returns what the words of a function say about `search_path`, and the one that does.
pub(crate) fn function_path(options: List<'_>) -> (FunctionPath, Option<DefElem<'_>>) {
    let mut last = (FunctionPath::Callers, None);
    for option in options.iter().filter_map(Node::as_def_elem) {
        let set = option.arg().filter(|_| option.defname() == "set");
        let set = set.and_then(Node::as_variable_set_stmt);
        let Some(set) = set.filter(|set| set.name() == "search_path") else { continue };
        let path = match set.kind() {
            VariableSetKind::VarSetValue if Values::List(set.args()).is_safe_path() => {
                FunctionPath::Safe
            }
            VariableSetKind::VarSetValue => FunctionPath::Unsafe,
            VariableSetKind::VarSetCurrent => FunctionPath::Unknown,
            _ => FunctionPath::Callers,
        };
        last = (path, Some(option));
    }
    last
}
