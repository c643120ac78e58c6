//! What is printed of a changed body of PL/pgSQL is never read as another body: printing it is an error, or reading it.
//! Labels that are not there, the parameters of `RAISE`, and variables without a value that must have one, are errors
//! when a body is read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pg_ast::ErrorKind;

use super::super::NAME;
use super::super::pg::plpgsql::{
    CursorArg, Datum, DeclType, Dno, Expr, Function, Part, Stmt, StmtBlock, Stmts,
};
use super::super::pg::{self, NodeEnum};
use super::super::pg_plpgsql;
use super::super::plpgsql_print::{body_of, compiled, shape};
use crate::common::plpgsql::valid;
use crate::common::split::split;

/// What is done to a part.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Gone, or without its first item.
    Remove,
    /// Without its last item.
    RemoveLast,
    /// Without items, or with nothing in it.
    Empty,
    /// The first item is there twice.
    Double,
    /// The first two items change places; the opposite of a flag.
    Swap,
}

const CHANGES: [Change; 5] =
    [Change::Remove, Change::RemoveLast, Change::Empty, Change::Double, Change::Swap];

/// A child of a node.
trait Child {
    /// Returns whether there is such a change of this part.
    fn change(&mut self, change: Change) -> bool;
}

impl<T: Clone + PartialEq> Child for Vec<T> {
    fn change(&mut self, change: Change) -> bool {
        match change {
            Change::Remove if !self.is_empty() => drop(self.remove(0)),
            Change::RemoveLast if self.len() > 1 => drop(self.pop()),
            Change::Empty if self.len() > 1 => self.clear(),
            Change::Double if !self.is_empty() => self.insert(0, self[0].clone()),
            Change::Swap if self.len() > 1 && self[0] != self[1] => self.swap(0, 1),
            _ => return false,
        }
        true
    }
}

impl<T: Default + PartialEq> Child for Option<T> {
    fn change(&mut self, change: Change) -> bool {
        match change {
            Change::Remove if self.is_some() => *self = None,
            Change::Empty if self.as_ref() != Some(&T::default()) => *self = Some(T::default()),
            _ => return false,
        }
        true
    }
}

impl Child for Expr {
    fn change(&mut self, change: Change) -> bool {
        let empties = matches!(change, Change::Empty);
        if empties {
            *self = Self::default();
        }
        empties
    }
}

impl Child for bool {
    fn change(&mut self, change: Change) -> bool {
        let swaps = matches!(change, Change::Swap);
        *self ^= swaps;
        swaps
    }
}

/// Receives each part, with its name.
type Visit<'a> = &'a mut dyn FnMut(&'static str, &mut dyn Child);

fn function_parts(function: &mut Function, visit: Visit<'_>) {
    let declared = declared(function);
    block_parts(&mut function.action, visit);
    for datum in &mut function.datums {
        if let Datum::Var(var) = datum
            && declared.contains(&var.dno)
        {
            visit("Var.default_val", &mut var.default_val);
            visit("Var.notnull", &mut var.notnull);
            visit("Var.isconst", &mut var.isconst);
            visit("Var.cursor_explicit_expr", &mut var.cursor_explicit_expr);
        }
    }
}

/// Returns the declared variables. Those behind an alias are declared elsewhere.
fn declared(function: &Function) -> Vec<Dno> {
    let dno = |part| match part {
        Part::Decl(decl) if decl.kind != DeclType::Alias => Some(decl.dno),
        _ => None,
    };
    function.parts().filter_map(dno).collect()
}

fn block_parts(block: &mut StmtBlock, visit: Visit<'_>) {
    visit("StmtBlock.label", &mut block.label);
    visit("StmtBlock.decls", &mut block.decls);
    stmts_parts("StmtBlock.body", &mut block.body, visit);
    if let Some(exceptions) = &mut block.exceptions {
        visit("ExceptionBlock.exc_list", &mut exceptions.exc_list);
        for exception in &mut exceptions.exc_list {
            // Not its conditions: a name stands for all states of that name, also if only one is there.
            stmts_parts("Exception.action", &mut exception.action, visit);
        }
    }
}

fn stmts_parts(name: &'static str, stmts: &mut Stmts, visit: Visit<'_>) {
    visit(name, &mut **stmts);
    stmts.iter_mut().for_each(|stmt| stmt_parts(stmt, visit));
}

fn args_parts(args: &mut Vec<CursorArg>, visit: Visit<'_>) {
    visit("args", args);
    for arg in args {
        visit("CursorArg.name", &mut arg.name);
        visit("CursorArg.expr", &mut arg.expr);
    }
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "an arm for each statement")]
fn stmt_parts(stmt: &mut Stmt, visit: Visit<'_>) {
    match stmt {
        Stmt::Block(it) => block_parts(it, visit),
        Stmt::Assign(it) => visit("StmtAssign.expr", &mut it.expr),
        Stmt::If(it) => {
            visit("StmtIf.cond", &mut it.cond);
            stmts_parts("StmtIf.then_body", &mut it.then_body, visit);
            visit("StmtIf.elsif_list", &mut it.elsif_list);
            for part in &mut it.elsif_list {
                visit("IfElsif.cond", &mut part.cond);
                stmts_parts("IfElsif.stmts", &mut part.stmts, visit);
            }
            stmts_parts("StmtIf.else_body", &mut it.else_body, visit);
        }
        Stmt::Case(it) => {
            visit("StmtCase.t_expr", &mut it.t_expr);
            visit("StmtCase.case_when_list", &mut it.case_when_list);
            for part in &mut it.case_when_list {
                visit("CaseWhen.written", &mut part.written);
                stmts_parts("CaseWhen.stmts", &mut part.stmts, visit);
            }
            visit("StmtCase.have_else", &mut it.have_else);
            stmts_parts("StmtCase.else_stmts", &mut it.else_stmts, visit);
        }
        Stmt::Loop(it) => {
            visit("StmtLoop.label", &mut it.label);
            stmts_parts("StmtLoop.body", &mut it.body, visit);
        }
        Stmt::While(it) => {
            visit("StmtWhile.label", &mut it.label);
            visit("StmtWhile.cond", &mut it.cond);
            stmts_parts("StmtWhile.body", &mut it.body, visit);
        }
        Stmt::Fori(it) => {
            visit("StmtFori.label", &mut it.label);
            visit("StmtFori.lower", &mut it.lower);
            visit("StmtFori.upper", &mut it.upper);
            visit("StmtFori.step", &mut it.step);
            stmts_parts("StmtFori.body", &mut it.body, visit);
        }
        Stmt::Fors(it) => {
            visit("StmtFors.label", &mut it.label);
            visit("StmtFors.query", &mut it.query);
            stmts_parts("StmtFors.body", &mut it.body, visit);
        }
        Stmt::Forc(it) => {
            visit("StmtForc.label", &mut it.label);
            args_parts(&mut it.args, visit);
            stmts_parts("StmtForc.body", &mut it.body, visit);
        }
        Stmt::ForeachA(it) => {
            visit("StmtForeachA.label", &mut it.label);
            visit("StmtForeachA.expr", &mut it.expr);
            stmts_parts("StmtForeachA.body", &mut it.body, visit);
        }
        Stmt::Dynfors(it) => {
            visit("StmtDynfors.label", &mut it.label);
            visit("StmtDynfors.query", &mut it.query);
            visit("StmtDynfors.params", &mut it.params);
            stmts_parts("StmtDynfors.body", &mut it.body, visit);
        }
        Stmt::Exit(it) => {
            visit("StmtExit.is_exit", &mut it.is_exit);
            visit("StmtExit.label", &mut it.label);
            visit("StmtExit.cond", &mut it.cond);
        }
        Stmt::Return(it) => visit("StmtReturn.expr", &mut it.expr),
        Stmt::ReturnNext(it) => visit("StmtReturnNext.expr", &mut it.expr),
        Stmt::ReturnQuery(it) => {
            visit("StmtReturnQuery.query", &mut it.query);
            visit("StmtReturnQuery.dynquery", &mut it.dynquery);
            visit("StmtReturnQuery.params", &mut it.params);
        }
        Stmt::Raise(it) => {
            visit("StmtRaise.condname", &mut it.condname);
            visit("StmtRaise.message", &mut it.message);
            visit("StmtRaise.params", &mut it.params);
            visit("StmtRaise.options", &mut it.options);
            it.options.iter_mut().for_each(|option| visit("RaiseOption.expr", &mut option.expr));
        }
        Stmt::Assert(it) => {
            visit("StmtAssert.cond", &mut it.cond);
            visit("StmtAssert.message", &mut it.message);
        }
        Stmt::Execsql(it) => {
            visit("StmtExecsql.sqlstmt", &mut it.sqlstmt);
            visit("StmtExecsql.into", &mut it.into);
            visit("StmtExecsql.strict", &mut it.strict);
        }
        Stmt::Dynexecute(it) => {
            visit("StmtDynexecute.query", &mut it.query);
            visit("StmtDynexecute.into", &mut it.into);
            visit("StmtDynexecute.strict", &mut it.strict);
            visit("StmtDynexecute.params", &mut it.params);
        }
        Stmt::Getdiag(it) => {
            visit("StmtGetdiag.is_stacked", &mut it.is_stacked);
            visit("StmtGetdiag.diag_items", &mut it.diag_items);
        }
        Stmt::Open(it) => {
            args_parts(&mut it.args, visit);
            visit("StmtOpen.query", &mut it.query);
            visit("StmtOpen.dynquery", &mut it.dynquery);
            visit("StmtOpen.params", &mut it.params);
        }
        Stmt::Fetch(it) => {
            visit("StmtFetch.expr", &mut it.expr);
            visit("StmtFetch.is_move", &mut it.is_move);
        }
        Stmt::Perform(it) => visit("StmtPerform.expr", &mut it.expr),
        Stmt::Call(it) => visit("StmtCall.expr", &mut it.expr),
        Stmt::Commit(it) => visit("StmtCommit.chain", &mut it.chain),
        Stmt::Rollback(it) => visit("StmtRollback.chain", &mut it.chain),
        Stmt::Close(_) | Stmt::Null(_) => {}
    }
}

/// What a body says: its statements and declarations, with the names of variables in place of their numbers. Variables and
/// statements are numbered anew when a body is read, and what follows from others is found out anew.
fn meaning(function: &Function) -> String {
    let mut bare = function.clone();
    bare.datums.clear();
    bare.nstatements = 0;
    let mut text = shape(&bare);
    for dno in declared(function) {
        let mut datum = function.datum(dno).cloned().expect("a variable");
        let datatype = match &mut datum {
            Datum::Var(var) => Some(std::mem::take(&mut var.datatype)),
            Datum::Rec(rec) => rec.datatype.take(),
            _ => None,
        };
        let datatype = datatype.map(|datatype| datatype.text);
        // What `%TYPE` is, is found out anew: what it names may be gone.
        if datatype.as_ref().is_some_and(|datatype| datatype.contains('%')) {
            let _ = write!(text, "{:?} {datatype:?}", datum.name());
            continue;
        }
        let of = Function { datums: vec![datum], ..Function::default() };
        let _ = write!(text, "{datatype:?} {}", shape(&of));
    }
    let word = |rest: &str| rest.trim_start_matches(|c| c != ',' && c != ' ').to_owned();
    for mark in ["stmtid: ", "returns_multiple_rows: ", "has_exception_block: "] {
        text = without(&text, mark, word);
    }
    for mark in ["t_varno: ", "firstfield: "] {
        text = without(&text, mark, |rest| {
            let rest = rest.strip_prefix("None").or_else(|| rest.split_once("))").map(|it| it.1));
            rest.expect("a number or none").to_owned()
        });
    }
    text =
        without(&text, "initvarnos: [", |rest| rest.split_once(']').expect("a list").1.to_owned());
    let mut parts = text.split("Dno(");
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').expect("a number");
        let name = function.datums.get(number.parse::<usize>().expect("a number")).map(Datum::name);
        let _ = write!(named, "{name:?}{rest}");
    }
    named
}

/// Leaves out what follows each of these marks.
fn without(text: &str, mark: &str, rest: impl Fn(&str) -> String) -> String {
    let mut parts = text.split(mark);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &rest(part))
}

#[derive(Default)]
struct Counts {
    functions: usize,
    changes: usize,
    printed: usize,
    refused: usize,
    unread: usize,
    wrong: BTreeMap<String, (usize, String)>,
}

/// Changes the bodies of a statement, in one of so many ways.
fn change(sql: &str, one_of: usize, counts: &mut Counts) {
    let Ok(tree) = pg::parse(sql) else { return };
    let nodes = tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref()?.node.clone());
    for mut stmt in nodes {
        let Some(function) = compiled(&stmt) else { continue };
        counts.functions += 1;
        let mut places = 0;
        function_parts(&mut function.clone(), &mut |_, _| places += 1);
        for (place, how) in (0..places).flat_map(|place| CHANGES.map(|how| (place, how))) {
            counts.changes += 1;
            if !counts.changes.is_multiple_of(one_of) {
                continue;
            }
            let (mut changed, mut at, mut done) = (function.clone(), 0, None);
            function_parts(&mut changed, &mut |name, part| {
                if at == place && part.change(how) {
                    done = Some(name);
                }
                at += 1;
            });
            let Some(name) = done else { continue };
            outcome(&mut stmt, &changed, &format!("{how:?} {name}"), counts);
        }
    }
}

fn outcome(stmt: &mut NodeEnum, changed: &Function, kind: &str, counts: &mut Counts) {
    let printed = match pg_plpgsql::deparse(changed) {
        Ok(printed) => printed,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Deparse, "{error:?}");
            counts.refused += 1;
            return;
        }
    };
    counts.printed += 1;
    let Some(body) = body_of(stmt) else { return };
    let old = std::mem::replace(body, printed.clone());
    let Some(again) = compiled(stmt) else {
        counts.unread += 1;
        return;
    };
    let (given, again) = (meaning(changed), meaning(&again));
    if given == again {
        return;
    }
    let example = || {
        let same = given.bytes().zip(again.bytes()).take_while(|(a, b)| a == b).count();
        let from =
            |text: &str| text.chars().skip(same.saturating_sub(60)).take(160).collect::<String>();
        format!("{old}\n=>\n{printed}\n{}\n{}", from(&given), from(&again))
    };
    counts.wrong.entry(kind.to_owned()).or_insert_with(|| (0, example())).0 += 1;
}

fn changed(one_of: usize) {
    let mut counts = Counts::default();
    for (_, sql) in valid() {
        for sql in split(&sql) {
            change(&sql, one_of, &mut counts);
        }
    }
    let Counts { functions, changes: _, printed, refused, unread, wrong } = counts;
    println!(
        "{NAME}: {functions} functions, {printed} changed bodies printed, {refused} refused, {unread} not read"
    );
    assert!(functions > 200 && printed > 1_000 / one_of && refused > 1_000 / one_of, "{functions}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn changed_bodies() {
    changed(7);
}

#[test]
#[ignore = "takes minutes"]
fn all_changed_bodies() {
    changed(1);
}
