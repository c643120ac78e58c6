//! Takes the expression of dynamic SQL apart: `||`, `format` and their like, as deep as they are nested.

use std::collections::HashMap;
use std::sync::Arc;

use super::assigned_sql::{Built, KnownSql};
use super::dynamic_sql::{DynamicKind, DynamicPart, DynamicValue, Quoting};
use super::format_specs::{FormatPiece, FormatSpecs};
use super::pg::plpgsql::{Dno, Expr, Function};
use super::pg::protobuf::{AConst, AExpr, AExprKind, FuncCall, TypeCast, a_const};
use super::pg::seam::with_stack;
use super::pg::{Node, NodeEnum, NodeRef, quote_identifier};
use super::safe_values::{InSql, Safety, is_text};

/// A constant up to this length is written into the SQL each time that it is used: the longest name.
const SHORT: usize = 63;

/// Beyond these, the value of a variable does not become part of another one, so that one that is appended to again and again
/// takes no more memory than that each time.
const MAX_PARTS: usize = 64;
const MAX_TEXT: usize = 4096;

/// Calls of `format` in more of them are one value each: what is put into several places is looked at for each `format` around it.
const MAX_FORMATS: usize = 16;

/// The variables that are read, by the locations of their names; and whether the name may be that of a column.
pub(crate) type Reads = HashMap<usize, (Dno, bool)>;

#[derive(Clone, Copy)]
pub(crate) struct PartsBuilder<'a, 'b> {
    pub(crate) function: &'a Function,
    pub(crate) variables: &'b Reads,
    /// The values of variables.
    pub(crate) known: &'b KnownSql<'a>,
    /// How many calls of `format` are around.
    pub(crate) formats: usize,
}

type FoundParts<'a> = Vec<DynamicPart<'a>>;

impl<'a> PartsBuilder<'a, '_> {
    pub(crate) fn build(&self, expr: &'a Expr) -> Built<'a> {
        let mut parts = Vec::new();
        let Some(node) = expression(expr) else { return (DynamicKind::Other, parts.into()) };
        let kind = self.kind(node);
        // The statements share it.
        if let Some(known) = self.known(as_text(node)) {
            return (kind, Arc::clone(known));
        }
        self.text(node, &mut parts);
        judge_places(&mut parts);
        (kind, parts.into())
    }

    fn kind(&self, node: &'a Node) -> DynamicKind {
        match as_text(node).node.as_ref() {
            Some(NodeEnum::AConst(constant)) if constant_text(constant).is_some() => {
                DynamicKind::Literal
            }
            Some(NodeEnum::FuncCall(call)) => match builtin(call) {
                Some("format") => DynamicKind::Format,
                Some("concat" | "concat_ws") => DynamicKind::Concat,
                _ => DynamicKind::Other,
            },
            Some(NodeEnum::AExpr(expr)) if is_concatenation(expr) => DynamicKind::Concat,
            Some(NodeEnum::ColumnRef(column)) if self.variable(column.location).is_some() => {
                DynamicKind::Variable
            }
            Some(NodeEnum::ParamRef(param)) if self.variable(param.location).is_some() => {
                DynamicKind::Variable
            }
            _ => DynamicKind::Other,
        }
    }

    fn variable(&self, location: i32) -> Option<(Dno, bool)> {
        self.variables.get(&usize::try_from(location).ok()?).copied()
    }

    /// Returns the parts of a variable's value.
    fn known(&self, node: &Node) -> Option<&Arc<[DynamicPart<'a>]>> {
        let location = match node.node.as_ref()? {
            NodeEnum::ColumnRef(column) => column.location,
            NodeEnum::ParamRef(param) => param.location,
            _ => return None,
        };
        match self.variable(location)? {
            (dno, true) => self.known.get(&dno),
            (_, false) => None,
        }
    }

    /// Appends the parts of a value that is put into the SQL as it is.
    fn text(&self, node: &'a Node, parts: &mut FoundParts<'a>) {
        let node = as_text(node);
        if let Some(known) = self.known(node).filter(|known| is_brief(known)) {
            return parts.extend_from_slice(known);
        }
        match node.node.as_ref() {
            Some(NodeEnum::AConst(constant)) => match constant_text(constant) {
                Some(sql) => push_text(parts, &sql, constant.location),
                None => self.value(node, Quoting::None, parts),
            },
            Some(NodeEnum::AExpr(expr)) if is_concatenation(expr) => {
                for operand in [&expr.lexpr, &expr.rexpr].into_iter().flatten() {
                    with_stack(|| self.text(operand, parts));
                }
            }
            Some(NodeEnum::FuncCall(call)) => {
                if !with_stack(|| self.call(call, parts)) {
                    self.value(node, Quoting::None, parts);
                }
            }
            _ => self.value(node, Quoting::None, parts),
        }
    }

    /// Appends the parts of a call; `false` if it is not one of those that are known.
    fn call(&self, call: &'a FuncCall, parts: &mut FoundParts<'a>) -> bool {
        match (builtin(call), &call.args[..]) {
            (Some("format"), [template, args @ ..]) if self.formats < MAX_FORMATS => {
                let before = parts.len();
                let inside = Self { formats: self.formats + 1, ..*self };
                let is_right = inside.format(template, args, call.func_variadic, parts);
                if !is_right {
                    parts.truncate(before);
                }
                is_right
            }
            (Some("concat"), args) if !call.func_variadic => {
                for arg in args {
                    self.text_or_nothing(arg, parts);
                }
                true
            }
            (Some("concat_ws"), [separator, args @ ..]) if !call.func_variadic => {
                let Some(NodeEnum::AConst(constant)) = as_text(separator).node.as_ref() else {
                    return false;
                };
                let Some(separator) = constant_text(constant).filter(|sql| sql.len() <= SHORT)
                else {
                    return false;
                };
                for (index, arg) in args.iter().filter(|arg| !is_null(arg)).enumerate() {
                    if index > 0 {
                        push_text(parts, &separator, constant.location);
                    }
                    self.text(arg, parts);
                }
                true
            }
            (Some("quote_ident"), [arg]) => {
                self.quoted(arg, Quoting::Ident, parts);
                true
            }
            (Some("quote_literal" | "quote_nullable"), [arg]) => {
                self.quoted(arg, Quoting::Literal, parts);
                true
            }
            _ => false,
        }
    }

    /// As `concat` and `%s` do, which leave out NULL.
    fn text_or_nothing(&self, node: &'a Node, parts: &mut FoundParts<'a>) {
        if !is_null(node) {
            self.text(node, parts);
        }
    }

    fn quoted(&self, node: &'a Node, quoting: Quoting, parts: &mut FoundParts<'a>) {
        let node = as_text(node);
        if let Some(NodeEnum::AConst(constant)) = node.node.as_ref()
            && let Some(sql) = constant_text(constant)
        {
            let mut quoted = String::new();
            match quoting {
                Quoting::Ident => quoted.push_str(&quote_identifier(&sql)),
                Quoting::Literal | Quoting::None => push_literal(&mut quoted, &sql),
            }
            return push_text(parts, &quoted, constant.location);
        }
        if quoting == Quoting::Literal && is_null(node) {
            return push_text(parts, "NULL", -1);
        }
        self.value(node, quoting, parts);
    }

    fn value(&self, node: &'a Node, quoting: Quoting, parts: &mut FoundParts<'a>) {
        let Some(node) = node.to_ref() else { return };
        let mut variables = Vec::new();
        for node in node.nodes() {
            let location = match node {
                NodeRef::ColumnRef(column) => column.location,
                NodeRef::ParamRef(param) => param.location,
                _ => continue,
            };
            if let Some((dno, _)) = self.variable(location) {
                variables.push(dno);
            }
        }
        variables.sort_unstable();
        variables.dedup();
        let (quoting, safety) = match quoting {
            Quoting::Ident | Quoting::Literal => (quoting, Safety::Quoted),
            Quoting::None => match Safety::of(node, self.function, self.variables) {
                Safety::Name => (Quoting::Ident, Safety::Name),
                safety => (Quoting::None, safety),
            },
        };
        let variables = variables.into();
        // Its place will tell whether it is safe.
        let value = DynamicValue { node, quoting, is_safe: false, safety, variables };
        parts.push(DynamicPart::Value(value));
    }

    /// Appends the parts of a call of `format`; returns whether PostgreSQL would not raise an error for it.
    ///
    /// Each argument is taken apart once: its further uses are one part each, so that the parts are no more than what is written.
    fn format(
        &self,
        template: &'a Node,
        args: &'a [Node],
        is_variadic: bool,
        parts: &mut FoundParts<'a>,
    ) -> bool {
        let mut of_template = Vec::new();
        self.text_or_nothing(template, &mut of_template);
        // What a further use of it is, if that is known already.
        let mut used: Vec<Vec<(Quoting, Option<FoundParts<'a>>)>> = vec![Vec::new(); args.len()];
        let mut specs = FormatSpecs::default();
        for part in of_template {
            let (sql, location) = match part {
                DynamicPart::Text { sql, location } => (sql, location),
                DynamicPart::Value(mut value) => {
                    // A `%` in it would be read, whether it is quoted or not.
                    let is_word =
                        matches!(value.node, NodeRef::ColumnRef(_) | NodeRef::ParamRef(_));
                    if value.safety != Safety::Safe || !is_word {
                        value.safety = Safety::Unsafe;
                    }
                    parts.push(DynamicPart::Value(value));
                    continue;
                }
            };
            for piece in specs.pieces(&sql) {
                let (index, quoting) = match piece {
                    FormatPiece::Text(sql) => {
                        push_sql(parts, sql, location);
                        continue;
                    }
                    FormatPiece::Arg { index, quoting } => (index, quoting),
                    FormatPiece::Wrong => return false,
                };
                let array = args.len().wrapping_sub(1);
                let is_element = is_variadic && index >= array;
                let index = if is_element { array } else { index };
                let (Some(arg), Some(used)) = (args.get(index), used.get_mut(index)) else {
                    return false;
                };
                if let Some((_, again)) = used.iter_mut().find(|(of, _)| *of == quoting) {
                    let again = again.get_or_insert_with(|| {
                        let mut value = Vec::new();
                        self.value(as_text(arg), quoting, &mut value);
                        value
                    });
                    parts.extend_from_slice(again);
                    continue;
                }
                let mut found = Vec::new();
                match quoting {
                    _ if is_element => self.value(arg, quoting, &mut found),
                    Quoting::None if used.is_empty() => self.text_or_nothing(arg, &mut found),
                    Quoting::None => self.value(as_text(arg), quoting, &mut found),
                    Quoting::Ident | Quoting::Literal => self.quoted(arg, quoting, &mut found),
                }
                parts.extend_from_slice(&found);
                used.push((quoting, is_short(&found).then_some(found)));
            }
        }
        true
    }
}

/// Decides which values are safe, by what is around them.
fn judge_places(parts: &mut [DynamicPart<'_>]) {
    let mut sql = InSql::default();
    // A piece may begin with what the last one has not finished.
    let mut text = String::new();
    for part in parts {
        match part {
            DynamicPart::Text { sql, .. } => text.push_str(sql),
            DynamicPart::Value(value) => {
                sql.push(&text);
                text.clear();
                value.is_safe = sql.value(value.safety);
            }
        }
    }
}

/// Returns whether the value of a variable may be part of another one.
fn is_brief(parts: &[DynamicPart<'_>]) -> bool {
    let length = parts.iter().map(|part| match part {
        DynamicPart::Text { sql, .. } => sql.len(),
        DynamicPart::Value(_) => 0,
    });
    parts.len() <= MAX_PARTS && length.sum::<usize>() <= MAX_TEXT
}

/// Returns whether parts may be repeated.
fn is_short(parts: &[DynamicPart<'_>]) -> bool {
    match parts {
        [] | [DynamicPart::Value(_)] => true,
        [DynamicPart::Text { sql, .. }] => sql.len() <= SHORT,
        _ => false,
    }
}

fn push_text(parts: &mut FoundParts<'_>, sql: &str, location: i32) {
    push_sql(parts, sql, usize::try_from(location).ok());
}

fn push_sql(parts: &mut FoundParts<'_>, more: &str, of: Option<usize>) {
    if more.is_empty() {
        return;
    }
    match parts.last_mut() {
        Some(DynamicPart::Text { sql, location }) if *location == of => sql.push_str(more),
        _ => parts.push(DynamicPart::Text { sql: more.to_owned(), location: of }),
    }
}

/// As `quote_literal` does.
fn push_literal(sql: &mut String, text: &str) {
    if text.contains('\\') {
        sql.push('E');
    }
    sql.push('\'');
    for c in text.chars() {
        if matches!(c, '\'' | '\\') {
            sql.push(c);
        }
        sql.push(c);
    }
    sql.push('\'');
}

/// Returns the only value of an expression, or of an assignment.
fn expression(expr: &Expr) -> Option<&Node> {
    let mut stmts = expr.tree.stmts();
    let select = match (stmts.next()?, stmts.next()) {
        (NodeRef::SelectStmt(select), None) => select,
        // What is assigned to a part of a variable is not its value.
        (NodeRef::PlassignStmt(assign), None) => {
            let names = usize::try_from(assign.nnames).unwrap_or(0);
            let is_whole = assign.indirection.len() < names.max(1);
            assign.val.as_deref().filter(|_| is_whole)?
        }
        _ => return None,
    };
    match &select.target_list[..] {
        [target] => target.as_res_target()?.val.as_deref(),
        _ => None,
    }
}

/// Returns what is cast to a type of text.
fn as_text(mut node: &Node) -> &Node {
    while let Some(NodeEnum::TypeCast(cast)) = &node.node {
        match &**cast {
            TypeCast { arg: Some(arg), type_name: Some(ty), .. } if is_text(ty) => node = arg,
            _ => break,
        }
    }
    node
}

fn is_null(node: &Node) -> bool {
    matches!(&as_text(node).node, Some(NodeEnum::AConst(constant)) if constant.isnull)
}

/// Returns the text of a string or a number.
pub(crate) fn constant_text(constant: &AConst) -> Option<String> {
    match constant.val.as_ref()? {
        a_const::Val::Sval(string) => Some(string.sval.clone()),
        a_const::Val::Ival(integer) => Some(integer.ival.to_string()),
        a_const::Val::Fval(float) => Some(float.fval.clone()),
        a_const::Val::Boolval(_) | a_const::Val::Bsval(_) => None,
    }
}

fn is_concatenation(expr: &AExpr) -> bool {
    let mut names = expr.name.iter().map(Node::as_str);
    expr.kind() == AExprKind::AexprOp && names.next_back() == Some(Some("||"))
}

/// Returns the name of a function, if it may be one of PostgreSQL's own.
pub(crate) fn builtin(call: &FuncCall) -> Option<&str> {
    let mut names = call.names();
    let name = names.next_back()?;
    match (names.next_back(), names.next()) {
        (None | Some("pg_catalog"), None) => Some(name),
        _ => None,
    }
}
