//! The views of PL/pgSQL: what they show is what the owned tree has, field by field, for every function.

#![cfg(feature = "plpgsql")]

use std::collections::BTreeSet;

use pg_ast::{ErrorKind, ParseMode};

use super::NAME;
use super::pg::plpgsql::view::{self, Conditions, Dnos, Elements};
use super::pg::plpgsql::{self, Dno};
use super::pg::{self, NodeRef, ParseResult, protobuf};
use crate::common::plpgsql::{valid, wrong};
use crate::common::split::split;
use crate::common::{corpus, on_thread};

/// The fields that were compared and are not the default, by struct.
type Seen = BTreeSet<(&'static str, &'static str)>;

/// Compares what a method of a view returns with the field of the owned struct.
trait Same<View> {
    fn same(&self, view: View, seen: &mut Seen);
}

macro_rules! structs {
    ($($rust:ident: $($field:ident)*;)*) => {$(
        impl Same<view::$rust<'_>> for plpgsql::$rust {
            fn same(&self, view: view::$rust<'_>, seen: &mut Seen) {
                let Self { $($field,)* .. } = self;
                let default = Self::default();
                $(
                    $field.same(view.$field(), seen);
                    if *$field != default.$field {
                        seen.insert((stringify!($rust), stringify!($field)));
                    }
                )*
            }
        }
    )*

    /// All fields.
    const FIELDS: &[(&str, &[&str])] = &[$((stringify!($rust), &[$(stringify!($field)),*])),*];
    };
}
structs! {
    Function:
        fn_is_trigger fn_retset out_param_varno found_varno new_varno old_varno resolve_option
        print_strict_params datums action nstatements name params returns
        location end is_procedure is_do;
    DataType: typname ttype typisarray text tree collation_name location end unknown;
    Param: name mode dno datatype location end;
    StmtBlock: lineno stmtid location end label initvarnos decls body exceptions;
    Decl: kind name dno location end;
    ExceptionBlock: sqlstate_varno sqlerrm_varno exc_list;
    Exception: lineno conditions location end action;
    StmtNull: lineno stmtid location end;
    StmtRollback: lineno stmtid location end chain;
    StmtCommit: lineno stmtid location end chain;
    StmtCall: lineno stmtid location end expr is_call;
    Expr: query parse_mode tree location end;
    StmtPerform: lineno stmtid location end expr;
    StmtClose: lineno stmtid location end curvar;
    StmtFetch:
        lineno stmtid location end target curvar direction how_many expr is_move
        returns_multiple_rows;
    StmtOpen: lineno stmtid location end curvar cursor_options args query dynquery params;
    CursorArg: name expr location end;
    StmtGetdiag: lineno stmtid location end is_stacked diag_items;
    DiagItem: kind target;
    StmtDynfors: lineno stmtid location end label var query params body;
    StmtDynexecute: lineno stmtid location end query into strict target params;
    StmtExecsql: lineno stmtid location end sqlstmt into strict target;
    StmtAssert: lineno stmtid location end cond message;
    StmtRaise: lineno stmtid location end elog_level condname message params options;
    RaiseOption: opt_type expr;
    StmtReturnQuery: lineno stmtid location end query dynquery params;
    StmtReturnNext: lineno stmtid location end expr retvarno;
    StmtReturn: lineno stmtid location end expr retvarno;
    StmtExit: lineno stmtid location end is_exit label cond;
    StmtForeachA: lineno stmtid location end label varno slice expr body;
    StmtForc: lineno stmtid location end label var curvar args body;
    StmtFors: lineno stmtid location end label var query body;
    StmtFori: lineno stmtid location end label var lower upper step reverse body;
    StmtWhile: lineno stmtid location end label cond body;
    StmtLoop: lineno stmtid location end label body;
    StmtCase: lineno stmtid location end t_expr t_varno have_else case_when_list else_stmts;
    CaseWhen: lineno written location end stmts;
    StmtIf: lineno stmtid location end cond then_body elsif_list else_body;
    IfElsif: lineno cond location end stmts;
    StmtAssign: lineno stmtid location end varno expr;
    Condition: sqlerrstate condname;
    Var:
        dno refname lineno isconst notnull default_val location end datatype cursor_explicit_expr
        cursor_explicit_argrow cursor_options promise;
    Recfield: dno fieldname recparentno nextfield;
    Rec: dno refname lineno isconst notnull default_val location end datatype firstfield;
    Row: dno refname lineno location end fieldnames varnos;
}

macro_rules! variants {
    ($sum:ident: $($variant:ident)*) => {
        impl Same<view::$sum<'_>> for plpgsql::$sum {
            fn same(&self, view: view::$sum<'_>, seen: &mut Seen) {
                match (self, view) {
                    $((Self::$variant(owned), view::$sum::$variant(view)) => owned.same(view, seen),)*
                    _ => panic!("{self:?}\n{view:?}"),
                }
            }
        }
    };
}
variants! {
    Stmt:
        Block Assign If Case Loop While Fori Fors Forc ForeachA Exit Return ReturnNext ReturnQuery
        Raise Assert Execsql Dynexecute Dynfors Getdiag Open Fetch Close Perform Call Commit
        Rollback Null
}
variants! { Datum: Var Row Rec Recfield Promise }

macro_rules! equal {
    ($($type:ty)*) => {$(
        impl Same<$type> for $type {
            fn same(&self, view: $type, _: &mut Seen) {
                assert_eq!(*self, view);
            }
        }
    )*};
}
equal! {
    bool i32 i64 u32 Dno ParseMode
    plpgsql::DeclType plpgsql::GetdiagKind plpgsql::PromiseType plpgsql::RaiseOptionType
    plpgsql::ResolveOption plpgsql::Trigtype plpgsql::TypeKind
    protobuf::FetchDirection protobuf::FunctionParameterMode
}

impl Same<&str> for String {
    fn same(&self, view: &str, _: &mut Seen) {
        assert_eq!(self, view);
    }
}

impl<T: Same<V>, V> Same<Option<V>> for Option<T> {
    fn same(&self, view: Option<V>, seen: &mut Seen) {
        match (self, view) {
            (Some(owned), Some(view)) => owned.same(view, seen),
            (owned, view) => assert!(owned.is_none() && view.is_none()),
        }
    }
}

macro_rules! lists {
    ($($owned:ty: $view:ty;)*) => {$(
        impl<'a> Same<Elements<'a, $view>> for $owned {
            fn same(&self, view: Elements<'a, $view>, seen: &mut Seen) {
                assert_eq!(self.len(), view.len());
                assert_eq!(self.is_empty(), view.first().is_none());
                assert!(view.get(self.len()).is_none());
                for (owned, view) in self.iter().zip(view) {
                    owned.same(view, seen);
                }
                if let (Some(owned), Some(view)) = (self.last(), view.last()) {
                    owned.same(view, seen);
                }
            }
        }
    )*};
}
lists! {
    plpgsql::Stmts: view::Stmt<'a>;
    Vec<plpgsql::CaseWhen>: view::CaseWhen<'a>;
    Vec<plpgsql::CursorArg>: view::CursorArg<'a>;
    Vec<plpgsql::Datum>: view::Datum<'a>;
    Vec<plpgsql::Decl>: view::Decl<'a>;
    Vec<plpgsql::DiagItem>: view::DiagItem<'a>;
    Vec<plpgsql::Exception>: view::Exception<'a>;
    Vec<plpgsql::Expr>: view::Expr<'a>;
    Vec<plpgsql::IfElsif>: view::IfElsif<'a>;
    Vec<plpgsql::Param>: view::Param<'a>;
    Vec<plpgsql::RaiseOption>: view::RaiseOption<'a>;
    Vec<String>: &'a str;
}

impl Same<Conditions<'_>> for Vec<plpgsql::Condition> {
    fn same(&self, mut view: Conditions<'_>, seen: &mut Seen) {
        for owned in self {
            owned.same(view.next().expect("a condition"), seen);
        }
        assert!(view.next().is_none());
    }
}

impl Same<Dnos<'_>> for Vec<Dno> {
    fn same(&self, view: Dnos<'_>, _: &mut Seen) {
        assert!(view.iter().eq(self.iter().copied()), "{self:?} {view:?}");
    }
}

impl Same<view::Target<'_>> for plpgsql::Target {
    fn same(&self, view: view::Target<'_>, seen: &mut Seen) {
        match (self, view) {
            (Self::Record(owned), view::Target::Record(view)) => owned.same(view, seen),
            (Self::List(owned), view::Target::List(view)) => owned.same(view, seen),
            (owned, view) => panic!("{owned:?} {view:?}"),
        }
    }
}

/// The tree of an expression: a statement.
impl Same<Option<pg::view::RawStmt<'_>>> for ParseResult {
    fn same(&self, view: Option<pg::view::RawStmt<'_>>, _: &mut Seen) {
        let view = view.map(|view| view.to_owned_tree().expect("not too deep"));
        assert!(self.protobuf.stmts.iter().eq(&view));
    }
}

/// The tree of a type: a statement around its name.
impl Same<Option<pg::view::TypeName<'_>>> for ParseResult {
    fn same(&self, view: Option<pg::view::TypeName<'_>>, _: &mut Seen) {
        let view =
            view.map(|view| protobuf::Node::from(view.to_owned_tree().expect("not too deep")));
        assert!(self.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_deref()).eq(&view));
    }
}

impl Same<pg::view::List<'_>> for Vec<protobuf::Node> {
    fn same(&self, view: pg::view::List<'_>, _: &mut Seen) {
        assert_eq!(Ok(self), view.to_owned_tree().as_ref());
    }
}

/// Compares the functions in SQL, and returns how many there are.
fn compare(sql: &str, seen: &mut Seen) -> usize {
    let (Ok(owned), Ok(viewed)) = (plpgsql::parse(sql), view::parse(sql)) else {
        assert_eq!(plpgsql::parse(sql).err(), view::parse(sql).err(), "{sql}");
        return 0;
    };
    assert_eq!(owned.functions.len(), viewed.functions().len());
    assert_eq!(owned.warnings, viewed.warnings());
    for (owned, viewed) in owned.functions.iter().zip(viewed.functions()) {
        assert_eq!((&owned.range, &*owned.warnings), (&viewed.range(), viewed.warnings()));
        match (&owned.function, viewed.function()) {
            (Ok(owned), Ok(viewed)) => {
                assert_eq!(viewed.to_owned_tree().as_ref(), Ok(owned), "{sql}");
                owned.same(viewed, seen);
                for stmt in viewed.action().body() {
                    assert!(sql.is_char_boundary(stmt.range().expect("a place").end));
                }
            }
            (Err(owned), Err(viewed)) => assert_eq!(*owned, viewed, "{sql}"),
            (owned, viewed) => panic!("{sql}\n{owned:?}\n{viewed:?}"),
        }
    }
    owned.functions.len()
}

#[test]
fn all_functions() {
    let mut seen = Seen::new();
    let ours = valid().into_iter().flat_map(|(_, sql)| split(&sql));
    let wrong = wrong().into_iter().flat_map(|(_, cases)| cases).map(|case| case.sql);
    let reached = split(include_str!("../plpgsql/reached.sql"));
    let all = corpus::statements().into_iter().chain(ours).chain(wrong).chain(reached);
    let count: usize = all.map(|sql| compare(&sql, &mut seen)).sum();
    assert!(count > 1_200, "{NAME}: {count}");
    // PostgreSQL does not number it.
    let never = [("StmtNull", "stmtid")];
    let fields = FIELDS.iter().flat_map(|(name, fields)| fields.iter().map(|it| (*name, *it)));
    let missing: Vec<_> =
        fields.filter(|field| !seen.contains(field) && !never.contains(field)).collect();
    assert!(missing.is_empty(), "{NAME}: {missing:?}");
}

/// Every field is compared; that of 18 alone in `versions/newest/`.
#[test]
fn all_fields() {
    let path = format!("{}/../pg_ast/{NAME}/plpgsql.rs", env!("CARGO_MANIFEST_DIR"));
    let code = std::fs::read_to_string(path).expect("the generated tree");
    let (_, rows) = code.split_once("macro_rules! each_struct").expect("a macro");
    let rows = rows.lines().skip(1).map_while(|line| line.strip_suffix(';'));
    let mut count = 0;
    for row in rows {
        let (names, fields) = row.split_once(": ").expect("a row");
        let name = names.split(' ').next();
        let (_, compared) = FIELDS.iter().find(|(it, _)| Some(*it) == name).expect(names);
        let missing = |field: &&str| !compared.contains(field) && *field != "has_exception_block";
        assert_eq!(fields.split(' ').find(missing), None, "{NAME}: {names}");
        count += 1;
    }
    assert_eq!(count, FIELDS.len());
}

#[test]
fn of_statements() {
    let sql = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN a; END';
        CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1'; DO 'BEGIN COMMIT; END';
        DO LANGUAGE other 'x'";
    let (tree, owned) = (pg::view::parse(sql).expect("parses"), pg::parse(sql).expect("parses"));
    let functions: Vec<_> = tree
        .nodes()
        .filter_map(|node| Some(view::Function::of(node.as_create_function_stmt()?)))
        .collect();
    let [Some(Ok(function)), None] = &functions[..] else { panic!("{functions:?}") };
    let stmt = owned.stmts().find_map(NodeRef::as_create_function_stmt).expect("a function");
    let expected = plpgsql::Function::of(stmt).expect("PL/pgSQL").expect("a function");
    assert_eq!(function.function().to_owned_tree(), Ok(expected));
    let blocks: Vec<_> =
        tree.nodes().filter_map(|node| Some(view::Function::of_do(node.as_do_stmt()?))).collect();
    let [Some(Ok(block)), None] = &blocks[..] else { panic!("{blocks:?}") };
    assert!(block.function().is_do() && block.function().action().body().len() == 1);
    assert_eq!(
        format!("{block:?}"),
        format!("Compiled({:?})", block.function().to_owned_tree().unwrap())
    );

    let error = view::parse_body("BEGIN RETURN 1; END", None).expect_err("no parameter");
    assert_eq!(Some(error), plpgsql::parse_body("BEGIN RETURN 1; END", None).err());
    assert!(view::parse_body("BEGIN END", Some("SELECT 1")).is_err());
}

/// An escape can make a string that no Rust string can be.
#[test]
fn strings_are_utf8() {
    let mut seen = Seen::new();
    assert_eq!(compare(r"DO E'BEGIN RAISE NOTICE ''\xff''; END'", &mut seen), 0);
    let sql = r"DO $$ BEGIN RAISE NOTICE E'\xff'; END $$; DO $$ BEGIN PERFORM E'\xff', '\d'; END $$;
        DO $$ BEGIN PERFORM '\d'; END $$";
    assert_eq!(compare(sql, &mut seen), 3);
    let parsed = view::parse(sql).expect("parses");
    let are_right: Vec<_> = parsed.functions().map(|it| it.function().is_ok()).collect();
    assert_eq!(are_right, [false, false, true]);
}

/// Views have no limit on depth, and move between threads.
#[test]
fn deep() {
    let levels = 900;
    let (begin, end) = ("IF a THEN ".repeat(levels), "END IF; ".repeat(levels));
    // With an escape, which makes it check all of the tree.
    let sql = format!(r"DO $$ BEGIN {begin} PERFORM '\d'; {end} END $$");
    on_thread(256 << 10, || {
        let parsed = view::parse(&sql).expect("parses");
        let parsed = &parsed;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let function = parsed.functions().next().expect("one").function().expect("right");
                let (mut depth, mut next) = (0, function.action().body().first());
                while let Some(view::Stmt::If(stmt)) = next {
                    depth += 1;
                    next = stmt.then_body().first();
                }
                assert_eq!(depth, levels);
            });
        });
        let options = pg_ast::ParserOptions::default().max_depth(100);
        let owned = plpgsql::parse_with(&sql, options).expect("parses").functions.remove(0);
        assert_eq!(owned.function.expect_err("too deep").kind(), ErrorKind::TooDeep);
        let viewed = view::parse_with(&sql, options).expect("parses");
        assert!(viewed.functions().next().expect("one").function().is_ok());
    });
}
