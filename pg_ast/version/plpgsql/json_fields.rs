//! Functions in PL/pgSQL as JSON: a loop over the fields of each struct, and what libpg_query writes in another way.

use core::iter::Peekable;
use std::collections::HashMap;
use std::vec;

use serde_json::{Map, Value};

use super::super::super::plpgsql_tree as generated;
use super::super::super::plpgsql_tree::{
    CaseWhen, CursorArg, DataType, Datum, Function, Param, Rec, Row, Stmt, StmtBlock, StmtCase,
    StmtFori, StmtReturn, Trigtype, Var, each_stmt, each_struct,
};
use super::facts::analysis::found::push_quoted;
use super::names::protobuf;
use super::{Dno, Stmts, Target};
use crate::ParseMode;
use crate::foundation::stack::with_stack;

/// The fields of a struct.
type Fields = Map<String, Value>;

/// Writes a function, unless it has more levels.
pub(super) fn to_json(function: &Function, max_depth: usize) -> Option<Value> {
    let mut writer = FunctionWriter {
        function,
        targets: rows_of_targets(function).into_iter().peekable(),
        // The array, and what may be around the outermost block.
        depth: if ends_in_block(function) { 4 } else { 1 },
        max_depth,
        is_too_deep: false,
    };
    let value = function.json(&mut writer);
    value.filter(|_| !writer.is_too_deep)
}

/// Returns the rows that statements assign to, in the order of the text.
fn rows_of_targets(function: &Function) -> Vec<&Row> {
    let mut is_other = vec![false; function.datums.len()];
    let of_cursors = function.datums.iter().filter_map(|datum| match datum {
        Datum::Var(var) => var.cursor_explicit_argrow,
        _ => None,
    });
    for dno in of_cursors.chain(function.out_param_varno) {
        if let Some(is_other) = is_other.get_mut(dno.index()) {
            *is_other = true;
        }
    }
    let rows = function.datums.iter().zip(is_other).filter_map(|(datum, is_other)| match datum {
        Datum::Row(row) if !is_other => Some(&**row),
        _ => None,
    });
    rows.collect()
}

pub(super) struct FunctionWriter<'a> {
    function: &'a Function,
    /// The rows of the targets that were not written yet.
    targets: Peekable<vec::IntoIter<&'a Row>>,
    /// The levels around the value that is written.
    depth: usize,
    max_depth: usize,
    is_too_deep: bool,
}

impl FunctionWriter<'_> {
    /// Calls `f` for a value that is so many levels itself.
    fn within(&mut self, levels: usize, f: impl FnOnce(&mut Self) -> Value) -> Value {
        self.depth += levels;
        let value = if self.depth <= self.max_depth {
            f(self)
        } else {
            self.is_too_deep = true;
            Value::Null
        };
        self.depth -= levels;
        value
    }

    fn object(&mut self, name: &str, fields: impl FnOnce(&mut Self) -> Fields) -> Value {
        self.within(2, |writer| {
            let fields = Value::Object(fields(writer));
            Value::Object(Map::from_iter([(name.to_owned(), fields)]))
        })
    }

    fn field(&mut self, fields: &mut Fields, name: &str, value: &impl Json) {
        let Some(value) = value.json(self) else { return };
        if matches!(name, "location" | "end") && value == -1 {
            return;
        }
        // The only field whose name is not PostgreSQL's.
        let name = if name == "parse_mode" { "parseMode" } else { name };
        fields.insert(name.to_owned(), value);
    }

    /// An expression that is not written so in the body.
    fn rewritten(&mut self, query: String, parse_mode: ParseMode) -> Value {
        self.object(generated::Expr::NAME, |writer| {
            let mut fields = Map::from_iter([("query".to_owned(), query.into())]);
            writer.field(&mut fields, "parse_mode", &parse_mode);
            fields
        })
    }

    /// A record that is assigned to: its type and its default are where it is declared.
    fn record(&mut self, dno: Dno) -> Value {
        let function = self.function;
        self.object(Rec::NAME, |writer| {
            let mut fields = Map::new();
            if let Some(Datum::Rec(rec)) = function.datum(dno) {
                writer.field(&mut fields, "refname", &rec.refname);
                writer.field(&mut fields, "lineno", &rec.lineno);
            }
            writer.field(&mut fields, "dno", &dno);
            fields
        })
    }

    /// The row of variables that are assigned to.
    fn row(&mut self, dnos: &[Dno]) -> Value {
        if let Some(row) = self.targets.next_if(|row| row.varnos == dnos) {
            return row.json(self).unwrap_or_default();
        }
        // There is no row for a variable of an unknown type alone, which may be a record.
        let function = self.function;
        if let &[dno] = dnos
            && let Some(Datum::Rec(rec)) = function.datum(dno)
            && !is_of_column(rec)
        {
            return self.record(dno);
        }
        self.object(Row::NAME, |writer| {
            let names = dnos.iter().map(|dno| function.variable_name(*dno).unwrap_or_default());
            let mut fields = Map::new();
            writer.field(&mut fields, "refname", &"(unnamed row)".to_owned());
            fields.insert("fields".to_owned(), writer.columns(names, dnos));
            fields
        })
    }

    fn columns<'b>(&mut self, names: impl Iterator<Item = &'b str>, dnos: &[Dno]) -> Value {
        self.within(2, |writer| {
            let columns = names.zip(dnos).map(|(name, dno)| {
                let mut column = Map::from_iter([("name".to_owned(), name.into())]);
                writer.field(&mut column, "varno", dno);
                Value::Object(column)
            });
            columns.collect()
        })
    }

    /// The arguments of a cursor as PostgreSQL writes them: in the order of the parameters, and with the names of all
    /// if one has a name.
    fn argquery(&mut self, fields: &mut Fields, args: &[CursorArg], cursor: Dno) {
        let function = self.function;
        let Some(Datum::Var(var)) = function.datum(cursor) else { return };
        let row = var.cursor_explicit_argrow.and_then(|dno| function.datum(dno));
        let (Some(Datum::Row(row)), false) = (row, args.is_empty()) else { return };
        let places: HashMap<_, _> =
            row.fieldnames.iter().enumerate().map(|(place, name)| (&**name, place)).collect();
        let mut by_place = vec![""; row.fieldnames.len()];
        for (index, arg) in args.iter().enumerate() {
            let named = arg.name.as_deref().and_then(|name| places.get(name));
            if let Some(place) = by_place.get_mut(named.copied().unwrap_or(index)) {
                *place = &arg.expr.query;
            }
        }
        let is_named = args.iter().any(|arg| arg.name.is_some());
        let mut query = String::new();
        for (arg, name) in by_place.iter().zip(&row.fieldnames) {
            query += if query.is_empty() { "" } else { ", " };
            query += arg;
            if is_named {
                query += " AS ";
                push_quoted(&mut query, name);
            }
        }
        fields.insert("argquery".to_owned(), self.rewritten(query, ParseMode::PlPgSqlExpr));
    }
}

/// A value; `None` if it is the default, which is left out.
pub(super) trait Json {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value>;

    /// The same where the value may be missing: so that a default is another value than none.
    fn optional_json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        self.json(writer)
    }
}

/// A struct of PostgreSQL's, an object in an object with its name.
trait JsonStruct {
    const NAME: &'static str;

    fn fields(&self, writer: &mut FunctionWriter<'_>) -> Fields;
}

impl<T: JsonStruct> Json for T {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        Some(writer.object(T::NAME, |writer| self.fields(writer)))
    }
}

macro_rules! structs {
    ($($rust:ident $raw:ident: $($field:ident)*;)*) => {$(
        impl JsonStruct for generated::$rust {
            const NAME: &'static str = stringify!($raw);

            fn fields(&self, writer: &mut FunctionWriter<'_>) -> Fields {
                let Self { $($field),* } = self;
                let mut fields = Map::new();
                $(writer.field(&mut fields, stringify!($field), $field);)*
                rewrite!($rust self fields writer);
                fields
            }
        }
    )*};
}

/// What libpg_query writes in another way.
macro_rules! rewrite {
    (Function $function:ident $fields:ident $writer:ident) => {
        of_function($function, &mut $fields, $writer);
    };
    (DataType $datatype:ident $fields:ident $writer:ident) => {
        // Of a variable that is not declared.
        if $datatype.text.is_empty() {
            $fields.remove("text");
        }
    };
    (Var $var:ident $fields:ident $writer:ident) => {
        // No parameters, as plpgsql.h says.
        if $var.cursor_explicit_expr.is_some() && $var.cursor_explicit_argrow.is_none() {
            $fields.insert("cursor_explicit_argrow".to_owned(), (-1).into());
        }
    };
    (Row $row:ident $fields:ident $writer:ident) => {
        $fields.remove("fieldnames");
        $fields.remove("varnos");
        let names = $row.fieldnames.iter().map(|name| &**name);
        $fields.insert("fields".to_owned(), $writer.columns(names, &$row.varnos));
    };
    (StmtCase $stmt:ident $fields:ident $writer:ident) => {
        of_case($stmt, &mut $fields, $writer);
    };
    (StmtFori $stmt:ident $fields:ident $writer:ident) => {
        of_integers($stmt, &mut $fields, $writer);
    };
    (StmtForc $stmt:ident $fields:ident $writer:ident) => {
        $writer.argquery(&mut $fields, &$stmt.args, $stmt.curvar);
    };
    (StmtOpen $stmt:ident $fields:ident $writer:ident) => {
        $writer.argquery(&mut $fields, &$stmt.args, $stmt.curvar);
    };
    ($rust:ident $value:ident $fields:ident $writer:ident) => {};
}
each_struct!(structs);

fn of_function(function: &Function, fields: &mut Fields, writer: &mut FunctionWriter<'_>) {
    fields.entry("datums").or_insert_with(|| Value::Array(Vec::new()));
    if function.new_varno.is_some_and(|dno| dno.index() == 0) {
        fields.remove("new_varno");
    }
    if may_end_without_return(function)
        && let Some(action) = fields.get_mut("action")
    {
        add_return(function, action, writer);
    }
}

/// Adds a `RETURN` to the end of the outermost block, or of a block around that: as `add_dummy_return` of PostgreSQL's
/// `src/pl/plpgsql/src/pl_comp.c`.
fn add_return(function: &Function, action: &mut Value, writer: &mut FunctionWriter<'_>) {
    let written = function.action.body.iter().rfind(|stmt| !matches!(stmt, Stmt::Null(_)));
    if ends_in_block(function) {
        let body = Value::Array(vec![action.take()]);
        let fields = Map::from_iter([("body".to_owned(), body)]);
        let block = Map::from_iter([(StmtBlock::NAME.to_owned(), Value::Object(fields))]);
        *action = Value::Object(block);
    } else if matches!(written, Some(Stmt::Return(_))) {
        return;
    }
    let Some(block) = action.get_mut(StmtBlock::NAME).and_then(Value::as_object_mut) else {
        return;
    };
    let mut stmt = Map::new();
    writer.field(&mut stmt, "retvarno", &function.out_param_varno);
    let stmt = Map::from_iter([(StmtReturn::NAME.to_owned(), Value::Object(stmt))]);
    let body = block.entry("body").or_insert_with(|| Value::Array(Vec::new()));
    body.as_array_mut().into_iter().for_each(|body| body.push(Value::Object(stmt.clone())));
}

fn may_end_without_return(function: &Function) -> bool {
    use protobuf::FunctionParameterMode as Mode;
    let is_output = |param: &Param| {
        matches!(param.mode, Mode::FuncParamOut | Mode::FuncParamInout | Mode::FuncParamTable)
    };
    let is_void = |ty: &DataType| ty.typname == "void" && !ty.unknown;
    function.fn_retset
        || function.is_procedure
        || function.fn_is_trigger == Trigtype::EventTrigger
        || function.returns.as_ref().is_some_and(is_void)
        || function.params.iter().any(is_output)
}

/// Returns whether PostgreSQL adds a block for its `RETURN`.
fn ends_in_block(function: &Function) -> bool {
    let block = &function.action;
    may_end_without_return(function) && (block.label.is_some() || block.exceptions.is_some())
}

/// PostgreSQL assigns the operand to a variable, and compares that.
fn of_case(stmt: &StmtCase, fields: &mut Fields, writer: &mut FunctionWriter<'_>) {
    let variable = stmt.t_varno.and_then(|dno| writer.function.variable_name(dno));
    let whens = fields.get_mut("case_when_list").and_then(Value::as_array_mut);
    // The list, and the object in an object.
    writer.depth += 3;
    for (when, value) in stmt.case_when_list.iter().zip(whens.into_iter().flatten()) {
        let Some(fields) = value.get_mut(CaseWhen::NAME).and_then(Value::as_object_mut) else {
            continue;
        };
        let expr = match variable {
            Some(variable) => {
                let query = format!("\"{variable}\" IN ({})", when.written.query);
                Some(writer.rewritten(query, when.written.parse_mode))
            }
            None => when.written.json(writer),
        };
        fields.extend(expr.map(|expr| ("expr".to_owned(), expr)));
    }
    writer.depth -= 3;
}

/// The variable of the loop is an object, as those of other loops are.
fn of_integers(stmt: &StmtFori, fields: &mut Fields, writer: &mut FunctionWriter<'_>) {
    let variable = writer.function.datum(stmt.var).and_then(|datum| datum.json(writer));
    fields.insert("var".to_owned(), variable.unwrap_or_default());
    if stmt.reverse != 0 {
        fields.insert("reverse".to_owned(), true.into());
    }
}

macro_rules! statements {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        impl Json for Stmt {
            fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
                match self { $(Self::$variant(stmt) => stmt.json(writer),)* }
            }
        }
    };
}
each_stmt!(statements);

impl Json for Datum {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        match self {
            Self::Var(var) | Self::Promise(var) => var.json(writer),
            Self::Row(row) => row.json(writer),
            Self::Rec(rec) if is_of_column(rec) => {
                Some(writer.object(Var::NAME, |writer| rec.fields(writer)))
            }
            Self::Rec(rec) => rec.json(writer),
            Self::Recfield(field) => field.json(writer),
        }
    }
}

/// Returns whether a variable has the type of a column, for which libpg_query takes it for a scalar.
fn is_of_column(rec: &Rec) -> bool {
    rec.datatype.as_ref().is_some_and(|ty| {
        ty.unknown && ty.tree.protobuf.stmts.is_empty() && ty.typname.ends_with("%TYPE")
    })
}

impl Json for Target {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        Some(match self {
            Self::Record(dno) => writer.record(*dno),
            Self::List(dnos) => writer.row(dnos),
        })
    }
}

impl Json for Stmts {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        with_stack(|| (**self).json(writer))
    }
}

impl<T: Json> Json for Vec<T> {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        let list = |writer: &mut FunctionWriter<'_>| {
            self.iter().map(|value| value.json(writer).unwrap_or_default()).collect()
        };
        (!self.is_empty()).then(|| writer.within(1, list))
    }
}

impl<T: Json> Json for Option<T> {
    fn json(&self, writer: &mut FunctionWriter<'_>) -> Option<Value> {
        self.as_ref()?.optional_json(writer)
    }
}
