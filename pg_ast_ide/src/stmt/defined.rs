//! What a statement defines, by its text alone.

use core::ops::Range;

use pg_ast::view::{CreateFunctionStmt, Node, TypeName};
use pg_ast::{NameKind, NameUse};

use crate::stmt::StmtFacts;
use crate::stmt::one_line::one_line;

/// The maximum length of what is shown of a type, in characters.
const SHOWN: usize = 80;

/// Something that a statement defines.
pub(crate) struct Defined {
    pub(crate) kind: NameKind,
    /// If it was written.
    pub(crate) schema: Option<String>,
    /// Of a column.
    pub(crate) table: Option<String>,
    pub(crate) name: String,
    pub(crate) range: Range<usize>,
    /// The type of a column, the parameters of a function.
    pub(crate) detail: String,
}

impl Defined {
    /// Returns whether a name can mean it: a schema that was not written may be any.
    pub(crate) fn is_of(&self, schema: Option<&str>, name: &str) -> bool {
        self.name == name
            && (schema.is_none() || self.schema.is_none() || self.schema.as_deref() == schema)
    }
}

/// How a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// Its name, parameters and result.
    pub label: String,
    /// The ranges of the input parameters in the label.
    pub parameters: Vec<Range<usize>>,
}

/// Returns what a valid statement defines.
pub(crate) fn defined(stmt: &StmtFacts) -> Vec<Defined> {
    let (Some(tree), Some(node)) = (stmt.tree(), stmt.node()) else { return Vec::new() };
    if !stmt.is_definition() {
        return Vec::new();
    }
    let mut all: Vec<Defined> = Vec::new();
    let mut table: Option<(Option<String>, String)> = None;
    tree.walk_names(|name, used| {
        let kinds = [NameKind::Alias, NameKind::Cte, NameKind::Parameter, NameKind::Operator];
        let last_two = || {
            let schema = name.qualifier().last().map(str::to_owned);
            (schema, name.name().to_owned())
        };
        if name.kind() == NameKind::Table
            && table.is_none()
            && matches!(used, NameUse::Definition | NameUse::Alter)
        {
            table = Some(last_two());
        }
        let Some(range) = tree.name_range(name) else { return };
        if used != NameUse::Definition || kinds.contains(&name.kind()) {
            return;
        }
        let (mut schema, own) = last_two();
        let mut of_table = None;
        if name.kind() == NameKind::Column {
            let Some((table_schema, table)) = table.clone() else { return };
            (schema, of_table) = (table_schema, Some(table));
        }
        let detail = String::new();
        all.push(Defined { kind: name.kind(), schema, table: of_table, name: own, range, detail });
    });
    all.sort_by_key(|defined| defined.range.start);
    // The types of columns.
    let shown = |of: TypeName<'_>| {
        tree.range(of).map(|range| one_line(&stmt.sql()[range], SHOWN)).unwrap_or_default()
    };
    for node in tree.nodes() {
        let Node::ColumnDef(column) = node else { continue };
        let (Some(range), Some(of)) = (tree.range(column), column.type_name()) else { continue };
        if let Ok(index) = all.binary_search_by_key(&range.start, |defined| defined.range.start) {
            all[index].detail = shown(of);
        }
    }
    if let Node::CreateFunctionStmt(create) = node
        && let Some(function) = all.iter_mut().find(|it| it.kind == NameKind::Function)
    {
        function.detail = signature_of(stmt, create).map(|it| it.label).unwrap_or_default();
    }
    all
}

/// Returns the signature of the function that a statement creates.
pub(crate) fn signature(stmt: &StmtFacts) -> Option<Signature> {
    match stmt.node()? {
        Node::CreateFunctionStmt(create) => signature_of(stmt, create),
        _ => None,
    }
}

fn signature_of(stmt: &StmtFacts, create: CreateFunctionStmt<'_>) -> Option<Signature> {
    use pg_ast::protobuf::FunctionParameterMode as Mode;

    let tree = stmt.tree()?;
    let mut label = format!("{}(", create.funcname().strs().next_back()?);
    let mut parameters = Vec::new();
    for parameter in create.parameters() {
        let Node::FunctionParameter(parameter) = parameter else { continue };
        if matches!(parameter.mode(), Mode::FuncParamOut | Mode::FuncParamTable) {
            continue;
        }
        let Some(range) = tree.range(parameter) else { continue };
        if !parameters.is_empty() {
            label += ", ";
        }
        let start = label.len();
        label += &one_line(&stmt.sql()[range], SHOWN);
        parameters.push(start..label.len());
    }
    label.push(')');
    if let Some(range) = create.return_type().and_then(|of| tree.range(of)) {
        label = format!("{label} → {}", one_line(&stmt.sql()[range], SHOWN));
    }
    Some(Signature { label, parameters })
}
