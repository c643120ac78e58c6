//! Values that cannot change the meaning of the SQL that they are put into.

use super::dynamic_parts::{Reads, builtin, constant_text};
use super::dynamic_sql::Quoting;
use super::format_specs::{FormatPiece, FormatSpecs};
use super::pg::plpgsql::{DataType, Datum, Function};
use super::pg::protobuf::{
    AConst, AExprKind, FuncCall, SqlValueFunctionOp, SubLink, SubLinkType, TypeName,
};
use super::pg::seam::with_stack;
use super::pg::{Node, NodeRef};
use super::sql_quotes::SqlQuotes;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// Any text.
    Unsafe,
    /// Made of constants, and of words such as numbers; with the first quote of a pair, or the last one.
    Open,
    /// A word of its own, such as a number; or made of constants and such words.
    Safe,
    /// Made of values that are quoted, of constants and of words: it is safe where it is not within other quotes.
    Quoted,
    /// A name, in quotes where it needs some.
    Name,
}

/// Types whose values, as text, have no quotes, no spaces that matter, and no names.
const WORDS: [&str; 23] = [
    "int2",
    "int4",
    "int8",
    "oid",
    "xid",
    "xid8",
    "cid",
    "numeric",
    "float4",
    "float8",
    "bool",
    "date",
    "time",
    "timetz",
    "timestamp",
    "timestamptz",
    "interval",
    "uuid",
    "inet",
    "cidr",
    "bit",
    "varbit",
    "pg_lsn",
];

/// Types whose values are names in the catalog, printed with quotes.
const NAMES: [&str; 11] = [
    "regclass",
    "regproc",
    "regprocedure",
    "regoper",
    "regoperator",
    "regtype",
    "regrole",
    "regnamespace",
    "regcollation",
    "regconfig",
    "regdictionary",
];

/// Functions whose result is made of their arguments.
const MADE_OF_ARGUMENTS: [&str; 17] = [
    "array_agg",
    "array_append",
    "array_cat",
    "array_prepend",
    "array_to_string",
    "btrim",
    "concat",
    "concat_ws",
    "date_trunc",
    "lower",
    "max",
    "min",
    "string_agg",
    "to_char",
    "to_date",
    "to_timestamp",
    "upper",
];

/// Those of them that may take quotes away.
const WITHOUT_QUOTES: [&str; 5] = ["btrim", "date_trunc", "to_char", "to_date", "to_timestamp"];

/// Functions that quote.
const QUOTES: [&str; 3] = ["quote_ident", "quote_literal", "quote_nullable"];

/// Functions whose result is a number or a time.
const SAFE_RESULTS: [&str; 24] = [
    "abs",
    "array_length",
    "array_lower",
    "array_upper",
    "ceil",
    "ceiling",
    "char_length",
    "clock_timestamp",
    "count",
    "currval",
    "extract",
    "floor",
    "hashtext",
    "lastval",
    "length",
    "make_date",
    "md5",
    "nextval",
    "now",
    "pg_backend_pid",
    "random",
    "round",
    "statement_timestamp",
    "txid_current",
];

fn of_type(name: &str) -> Safety {
    if NAMES.contains(&name) {
        Safety::Name
    } else if WORDS.contains(&name) {
        Safety::Safe
    } else {
        Safety::Unsafe
    }
}

/// Returns the name of a type of PostgreSQL's own.
fn type_name(ty: &TypeName) -> Option<&str> {
    let mut names = ty.names();
    let name = names.next_back()?;
    match (names.next_back(), names.next()) {
        (None | Some("pg_catalog"), None) => Some(name),
        _ => None,
    }
}

/// Returns whether values of a type are text, of any length.
pub(crate) fn is_text(ty: &TypeName) -> bool {
    ty.array_bounds.is_empty()
        && ty.typmods.is_empty()
        && !ty.pct_type
        && matches!(type_name(ty), Some("text" | "varchar"))
}

impl Safety {
    pub(crate) fn of(node: NodeRef<'_>, function: &Function, variables: &Reads) -> Self {
        Judge { function, variables }.node(node)
    }

    fn is_quoted(self) -> bool {
        matches!(self, Self::Quoted | Self::Name)
    }

    /// What is cut, or changed in another way, may lack a quote.
    fn changed(self) -> Self {
        if self == Self::Safe { Self::Safe } else { Self::Unsafe }
    }

    /// What is made of both.
    fn with(self, other: Self) -> Self {
        let has = |safety| self == safety || other == safety;
        let is_quoted = self.is_quoted() || other.is_quoted();
        if has(Self::Unsafe) || is_quoted && has(Self::Open) {
            Self::Unsafe
        } else if is_quoted {
            Self::Quoted
        } else if has(Self::Open) {
            Self::Open
        } else {
            Self::Safe
        }
    }
}

/// What values may be where they are put into SQL, one after the other.
#[derive(Default)]
pub(crate) struct InSql {
    quotes: SqlQuotes,
    /// What is open is not known, since a value may have opened it.
    is_unknown: bool,
}

impl InSql {
    pub(crate) fn push(&mut self, sql: &str) {
        self.quotes.push(sql);
    }

    /// Returns whether a value is safe here.
    pub(crate) fn value(&mut self, safety: Safety) -> bool {
        let is_safe = match safety {
            Safety::Unsafe => false,
            Safety::Open | Safety::Safe => !self.quotes.is_after_minus(),
            Safety::Quoted | Safety::Name => !self.is_open(),
        };
        self.is_unknown |= safety == Safety::Open;
        self.quotes.skip_value();
        is_safe
    }

    fn is_open(&self) -> bool {
        self.is_unknown || self.quotes.is_open()
    }
}

struct Judge<'a> {
    function: &'a Function,
    variables: &'a Reads,
}

impl Judge<'_> {
    fn node(&self, node: NodeRef<'_>) -> Safety {
        with_stack(|| match node {
            NodeRef::ColumnRef(column) => self.variable(column.location),
            NodeRef::ParamRef(param) => self.variable(param.location),
            NodeRef::TypeCast(cast) => {
                let ty = cast.type_name.as_ref();
                let name = ty.filter(|ty| !ty.pct_type).and_then(type_name);
                match name.map_or(Safety::Unsafe, of_type) {
                    Safety::Unsafe => {
                        let safety = self.made_of(cast.arg.as_deref());
                        if ty.is_some_and(is_text) { safety } else { safety.changed() }
                    }
                    // The text of an array has quotes of its own.
                    Safety::Name if ty.is_some_and(|ty| !ty.array_bounds.is_empty()) => {
                        Safety::Unsafe
                    }
                    safety => safety,
                }
            }
            NodeRef::AExpr(expr) => {
                let operands = || {
                    let operands = [expr.lexpr.as_deref(), expr.rexpr.as_deref()];
                    self.made_of(operands.into_iter().flatten())
                };
                let name = expr.name.last().and_then(Node::as_str).unwrap_or_default();
                match expr.kind() {
                    AExprKind::AexprOp if name == "||" => operands(),
                    AExprKind::AexprOp if matches!(name, "-" | "->" | "->>") => {
                        operands().changed()
                    }
                    AExprKind::AexprOp if matches!(name, "+" | "*" | "/" | "%") => Safety::Safe,
                    AExprKind::AexprNullif => operands(),
                    // Comparisons.
                    AExprKind::AexprOp if !matches!(name, "=" | "<>" | "<" | ">" | "<=" | ">=") => {
                        Safety::Unsafe
                    }
                    _ => Safety::Safe,
                }
            }
            NodeRef::AConst(constant) => of_constant(constant),
            NodeRef::BoolExpr(_) | NodeRef::NullTest(_) | NodeRef::BooleanTest(_) => Safety::Safe,
            // CURRENT_USER and CURRENT_SCHEMA are names without quotes.
            NodeRef::SqlvalueFunction(function) => {
                let is_name = matches!(
                    function.op(),
                    SqlValueFunctionOp::SvfopCurrentRole
                        | SqlValueFunctionOp::SvfopCurrentUser
                        | SqlValueFunctionOp::SvfopUser
                        | SqlValueFunctionOp::SvfopSessionUser
                        | SqlValueFunctionOp::SvfopCurrentCatalog
                        | SqlValueFunctionOp::SvfopCurrentSchema
                );
                if is_name { Safety::Unsafe } else { Safety::Safe }
            }
            NodeRef::FuncCall(call) => self.call(call),
            NodeRef::CaseExpr(case) => {
                let results = case
                    .args
                    .iter()
                    .filter_map(|when| when.as_case_when().and_then(|when| when.result.as_deref()));
                self.made_of(results.chain(case.defresult.as_deref()))
            }
            NodeRef::CoalesceExpr(expr) => self.made_of(&expr.args),
            NodeRef::MinMaxExpr(expr) => self.made_of(&expr.args),
            NodeRef::AArrayExpr(array) => self.made_of(&array.elements),
            NodeRef::CollateClause(clause) => self.made_of(clause.arg.as_deref()),
            NodeRef::SubLink(link) => self.subselect(link),
            _ => Safety::Unsafe,
        })
    }

    fn made_of<'n>(&self, nodes: impl IntoIterator<Item = &'n Node>) -> Safety {
        let mut safety = Safety::Safe;
        for node in nodes.into_iter().filter_map(Node::to_ref) {
            safety = safety.with(self.node(node));
            if safety == Safety::Unsafe {
                break;
            }
        }
        safety
    }

    fn variable(&self, location: i32) -> Safety {
        let location = usize::try_from(location).ok();
        let found = location.and_then(|location| self.variables.get(&location));
        let Some((dno, true)) = found else { return Safety::Unsafe };
        match self.function.datum(*dno) {
            Some(Datum::Var(var) | Datum::Promise(var)) => of_variable(&var.datatype),
            _ => Safety::Unsafe,
        }
    }

    fn call(&self, call: &FuncCall) -> Safety {
        match builtin(call) {
            Some(name) if SAFE_RESULTS.contains(&name) => Safety::Safe,
            Some(name) if QUOTES.contains(&name) => Safety::Quoted,
            // The order of an aggregate is not in its result.
            Some(name) if WITHOUT_QUOTES.contains(&name) => self.made_of(&call.args).changed(),
            Some(name) if MADE_OF_ARGUMENTS.contains(&name) => self.made_of(&call.args),
            Some("format") => self.format(call),
            _ => Safety::Unsafe,
        }
    }

    /// A call of `format` with a constant template.
    fn format(&self, call: &FuncCall) -> Safety {
        let [template, args @ ..] = &call.args[..] else { return Safety::Unsafe };
        let Some(template) = template.as_a_const().and_then(constant_text) else {
            return Safety::Unsafe;
        };
        let mut of_args = vec![None; args.len()];
        let (mut safety, mut sql) = (Safety::Safe, InSql::default());
        for piece in FormatSpecs::default().pieces(&template) {
            let (index, quoting) = match piece {
                FormatPiece::Text(text) => {
                    sql.push(text);
                    continue;
                }
                FormatPiece::Arg { index, quoting } => (index, quoting),
                FormatPiece::Wrong => return Safety::Unsafe,
            };
            // The last argument may be an array of more.
            let index =
                if call.func_variadic { index.min(args.len().saturating_sub(1)) } else { index };
            let of_arg = match (quoting, args.get(index)) {
                (_, None) => return Safety::Unsafe,
                (Quoting::Ident | Quoting::Literal, _) => Safety::Quoted,
                (Quoting::None, Some(arg)) => {
                    *of_args[index].get_or_insert_with(|| self.made_of([arg]))
                }
            };
            safety = safety.with(of_arg);
            if !sql.value(of_arg) {
                return Safety::Unsafe;
            }
        }
        if sql.is_open() { safety.with(Safety::Open) } else { safety }
    }

    fn subselect(&self, link: &SubLink) -> Safety {
        match link.sub_link_type() {
            SubLinkType::ExprSublink | SubLinkType::ArraySublink => {
                let select = link.subselect.as_ref().and_then(|node| node.as_select_stmt());
                let Some([target]) = select.map(|select| &select.target_list[..]) else {
                    return Safety::Unsafe;
                };
                let value = target.as_res_target().and_then(|target| target.val.as_deref());
                value.map_or(Safety::Unsafe, |value| self.made_of([value]))
            }
            SubLinkType::ExistsSublink | SubLinkType::AllSublink | SubLinkType::AnySublink => {
                Safety::Safe
            }
            _ => Safety::Unsafe,
        }
    }
}

fn of_constant(constant: &AConst) -> Safety {
    let mut sql = SqlQuotes::default();
    if let Some(text) = constant_text(constant) {
        sql.push(&text);
    }
    if sql.is_open() { Safety::Open } else { Safety::Safe }
}

fn of_variable(ty: &DataType) -> Safety {
    if ty.unknown {
        return Safety::Unsafe;
    }
    // The type of an array has this name, and so have other types.
    let name = if ty.typisarray { ty.typname.trim_start_matches('_') } else { &ty.typname };
    match of_type(name) {
        Safety::Name if ty.typisarray => Safety::Unsafe,
        safety => safety,
    }
}
