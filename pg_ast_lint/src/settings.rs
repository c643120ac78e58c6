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

    fn set(&mut self, value: bool, is_local: bool) {
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
    /// Applies `SET`.
    pub(crate) fn set(&mut self, stmt: VariableSetStmt<'_>) {
        let (args, local) = (stmt.args(), stmt.is_local());
        match stmt.kind() {
            VariableSetKind::VarSetValue => {
                self.assign(stmt.name(), Values::List(args), local);
            }
            VariableSetKind::VarSetDefault
            | VariableSetKind::VarReset
            | VariableSetKind::VarSetCurrent => self.assign(stmt.name(), Values::None, local),
            VariableSetKind::VarResetAll => *self = Self::default(),
            _ => {}
        }
    }

    /// Applies a call of `set_config`.
    pub(crate) fn call(&mut self, call: FuncCall<'_>) {
        if call.funcname().strs().next_back() != Some("set_config") || call.args().len() != 3 {
            return;
        }
        let mut args = call.args().iter();
        let (name, value, local) = (args.next(), args.next(), args.next());
        let Some(Literal::String(name)) = name.and_then(Node::literal) else { return };
        let is_local = local.and_then(Node::literal) != Some(Literal::Boolean(false));
        let value = match value.and_then(Node::literal) {
            Some(Literal::String(text)) => Values::Text(text),
            _ => Values::None,
        };
        self.assign(name, value, is_local);
    }

    fn assign(&mut self, name: &str, values: Values<'_>, is_local: bool) {
        match name {
            "lock_timeout" => self.lock_timeout.set(values.is_limit(), is_local),
            "statement_timeout" => self.statement_timeout.set(values.is_limit(), is_local),
            "search_path" => self.safe_path.set(values.is_safe_path(), is_local),
            _ => {}
        }
    }

    pub(crate) fn end_transaction(&mut self) {
        for it in [&mut self.lock_timeout, &mut self.statement_timeout, &mut self.safe_path] {
            it.transaction = None;
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
