//! Where functions look names up, and objects that scripts of extensions take over.

use pg_ast::Literal;
use pg_ast::protobuf::{ObjectType, Token, VariableSetKind};
use pg_ast::view::{
    self, CreateFunctionStmt, DefElem, IntoClause, Node, RangeVar, VariableSetStmt,
};

use crate::settings::{FunctionPath, function_path};
use crate::state::State;
use crate::stmt::{Stmt, key, key_of, list_key};
use crate::stmt_facts::Fact;
use crate::{Finding, Fix, Rule};

pub(super) fn check(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    if let Node::CreateFunctionStmt(create) = node {
        function(stmt, create, found);
    }
    if stmt.overview.is_extension {
        taken_over(stmt, state, node, found);
    }
}

fn function(stmt: &Stmt<'_>, create: CreateFunctionStmt<'_>, found: &mut Vec<Finding>) {
    let options = || create.options().iter().filter_map(Node::as_def_elem);
    let language = Node::CreateFunctionStmt(create).routine_body().and_then(|body| body.language);
    // The names in a body that is not a string are looked up when the function is made.
    if create.sql_body().is_some() || matches!(language, Some("c" | "internal")) {
        return;
    }
    let definer = options().find(|option| {
        let value = option.arg().and_then(Node::as_boolean);
        option.defname() == "security" && value.is_some_and(view::Boolean::boolval)
    });
    let (path, set) = function_path(create.options());
    let name = list_key(create.funcname()).unwrap_or_default();
    let is_set_later = stmt.overview.has(&Fact::HasOwnPath(name));
    let place = |option: DefElem<'_>| stmt.range_of(option).filter(|range| !range.is_empty());
    match (definer, path) {
        (Some(definer), FunctionPath::Callers) if !is_set_later => {
            let range = place(definer).unwrap_or_else(|| first_line(stmt, create));
            let help =
                "add SET search_path = pg_catalog, pg_temp, with the schemas that it needs between";
            found.push(Finding::of(Rule::SecurityDefinerPath, range).help(help));
        }
        (Some(_), FunctionPath::Unsafe) => {
            let range = set.and_then(place).unwrap_or_else(|| first_line(stmt, create));
            let help =
                "name only schemas in which nobody else can create objects, and pg_temp last";
            found.push(Finding::of(Rule::UnsafeSearchPath, range).help(help));
        }
        (None, FunctionPath::Callers | FunctionPath::Unsafe) if !is_set_later => {
            let help = "add SET search_path";
            found.push(Finding::of(Rule::FunctionSearchPath, first_line(stmt, create)).help(help));
        }
        _ => {}
    }
}

/// Returns the place of the first line of a function.
fn first_line(stmt: &Stmt<'_>, create: CreateFunctionStmt<'_>) -> core::ops::Range<usize> {
    let range = stmt.place(create);
    let line = stmt.text(range.clone()).lines().next().map_or(0, str::len);
    range.start..range.start + line
}

/// Finds schemas that one pair of quotes makes a single name.
pub(super) fn quoted(stmt: &Stmt<'_>, set: VariableSetStmt<'_>, found: &mut Vec<Finding>) {
    if set.name() != "search_path" || set.kind() != VariableSetKind::VarSetValue {
        return;
    }
    for arg in set.args() {
        let Some(Literal::String(text)) = arg.literal() else { continue };
        if !text.contains(',') {
            continue;
        }
        let range = stmt.place(arg);
        let is_plain = |name: &str| {
            let name = name.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(name);
            name == "$user"
                || !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        };
        let names: Vec<_> = text.split(',').map(str::trim).collect();
        let is_string = matches!(stmt.tokens(&range), [(Token::Sconst, _)]);
        let fix = (is_string && names.iter().all(|name| is_plain(name))).then(|| {
            let names: Vec<_> = names
                .iter()
                .map(|name| if *name == "$user" { "\"$user\"" } else { name })
                .collect();
            Fix::new("Name each schema", vec![(range.clone(), names.join(", "))]).not_safe()
        });
        let finding = Finding::of(Rule::QuotedSearchPath, range);
        found.push(finding.help("put no quotes around the list").fix(fix));
    }
}

/// Finds objects of an extension that may be somebody else's.
fn taken_over(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    let relation =
        |table: Option<RangeVar<'_>>| table.map(|table| (ObjectType::ObjectTable, key_of(table)));
    let (rule, object) = match node {
        Node::CreateFunctionStmt(it) if it.replace() => {
            let name = list_key(it.funcname());
            (Rule::ExtensionOrReplace, name.map(|key| (ObjectType::ObjectFunction, key)))
        }
        Node::DefineStmt(it) if it.replace() => {
            (Rule::ExtensionOrReplace, list_key(it.defnames()).map(|key| (it.kind(), key)))
        }
        Node::ViewStmt(it) if it.replace() => (Rule::ExtensionOrReplace, relation(it.view())),
        Node::CreateTransformStmt(it) if it.replace() => (Rule::ExtensionOrReplace, None),
        Node::CreateSchemaStmt(it) if it.if_not_exists() => {
            let key = key("", it.schemaname());
            (Rule::ExtensionIfNotExists, Some((ObjectType::ObjectSchema, key)))
        }
        Node::CreateStmt(it) if it.if_not_exists() => {
            (Rule::ExtensionIfNotExists, relation(it.relation()))
        }
        Node::CreateTableAsStmt(it) if it.if_not_exists() => {
            (Rule::ExtensionIfNotExists, relation(it.into().and_then(IntoClause::rel)))
        }
        Node::CreateSeqStmt(it) if it.if_not_exists() => {
            (Rule::ExtensionIfNotExists, relation(it.sequence()))
        }
        Node::IndexStmt(it) if it.if_not_exists() => {
            (Rule::ExtensionIfNotExists, relation(it.relation()))
        }
        Node::DefineStmt(it) if it.if_not_exists() => (Rule::ExtensionIfNotExists, None),
        Node::CreateForeignServerStmt(it) if it.if_not_exists() => {
            (Rule::ExtensionIfNotExists, None)
        }
        _ => return,
    };
    // What the script has made before is its own.
    let is_own = object.is_some_and(|(kind, key)| state.is_key_new(kind, &key));
    if !is_own {
        let words = if rule == Rule::ExtensionOrReplace { "OR REPLACE" } else { "IF NOT EXISTS" };
        let range = match node {
            Node::CreateFunctionStmt(create) => first_line(stmt, create),
            _ => stmt.place(node),
        };
        found.push(Finding::of(rule, range).help(format!("leave out {words}")));
    }
}
