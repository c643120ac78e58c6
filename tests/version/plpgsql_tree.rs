//! The typed tree of PL/pgSQL: that our own functions reach all of it; places; walks; variables; depth.

#![cfg(feature = "plpgsql")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use pg_ast::{ErrorKind, HeapSize as _, ParseMode};

use super::pg::plpgsql::{self, Function, Part, Stmt, VisitFunction};
use super::pg::{Edits, NodeRef};
use super::pg_plpgsql;
use super::{MAJOR, NAME};
use crate::common::{corpus, on_thread};

/// Functions that reach all of the tree.
const REACHED: &str = include_str!("../plpgsql/reached.sql");

/// What the grammar never fills, with the reason.
const NEVER: [(&str, &str); 1] = [("StmtNull.stmtid", "PostgreSQL does not number it")];

/// The generated tree, whose structs and enums have to be reached.
fn generated() -> String {
    let path = format!("{}/../pg_ast/{NAME}/plpgsql.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the generated tree")
}

fn functions(sql: &str) -> Vec<Function> {
    let parsed = plpgsql::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error:#}"));
    let text = |range: std::ops::Range<usize>| sql[range].to_owned();
    let functions = parsed.functions.into_iter();
    functions
        .map(|it| it.function.unwrap_or_else(|error| panic!("{error:#}: {}", text(it.range))))
        .collect()
}

fn function(sql: &str) -> Function {
    functions(sql).pop().expect("a function")
}

/// A `DO` with these statements.
fn body(stmts: &str) -> (String, Function) {
    let sql = format!("DO $$ BEGIN {stmts} END $$");
    let function = function(&sql);
    (sql, function)
}

/// Reads what `Debug` prints: the fields of structs that have another value than the first one, and the values of enums.
#[derive(Default)]
struct Seen {
    fields: BTreeSet<String>,
    values: BTreeSet<String>,
}

impl Seen {
    fn read(&mut self, text: &str) {
        let mut structs: Vec<&str> = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == '"' {
                rest = &rest[string(rest)..];
                continue;
            }
            if c.is_alphabetic() || c == '_' {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after;
                if let Some(value) = after.strip_prefix(": ") {
                    if let Some(of) = structs.last()
                        && !is_unset(value)
                    {
                        self.fields.insert(format!("{of}.{word}"));
                    }
                } else if let Some(fields) = after.strip_prefix(" {") {
                    structs.push(word);
                    self.values.insert(word.to_owned());
                    rest = fields;
                } else {
                    self.values.insert(word.to_owned());
                }
                continue;
            }
            if c == '}' {
                structs.pop();
            }
            rest = &rest[c.len_utf8()..];
        }
    }
}

/// The length of a printed string.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

fn is_unset(value: &str) -> bool {
    let unset = ["None,", "None }", "false", "\"\"", "[]", "-1,", "-1 }"];
    unset.iter().any(|unset| value.starts_with(unset))
        || ["0,", "0 }"].iter().any(|zero| value.starts_with(zero))
}

/// The names of types with those of their fields or constants.
type Members<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// The structs of the generated tree with their fields, and the enums with their constants.
fn types(code: &str) -> (Members<'_>, Members<'_>) {
    let (mut structs, mut enums) = (BTreeMap::new(), BTreeMap::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("pub struct ") {
            let body = lines.by_ref().take_while(|line| *line != "}");
            let fields = body.filter_map(|line| line.strip_prefix("    pub ")?.split(": ").next());
            structs.insert(name.trim_end_matches(" {"), fields.collect::<Vec<_>>());
        } else if let Some(name) = line.strip_prefix("pub enum ") {
            let body = lines.by_ref().take_while(|line| *line != "}");
            let constants = body.map(str::trim).filter(|line| !line.starts_with(['/', '#']));
            let names = constants.filter_map(|line| line.split(['(', ',']).next());
            enums.insert(name.trim_end_matches(" {"), names.collect::<Vec<_>>());
        }
    }
    (structs, enums)
}

#[test]
fn our_functions_reach_everything() {
    let mut seen = Seen::default();
    let since_16 = (MAJOR >= 16)
        .then(|| body("DECLARE n int; BEGIN GET DIAGNOSTICS n = PG_ROUTINE_OID; END;").1);
    for function in functions(REACHED).into_iter().chain(since_16) {
        seen.read(&format!("{function:?}"));
    }
    let code = generated();
    let (structs, enums) = types(&code);
    assert!(structs.len() > 40 && enums.len() > 8, "{structs:#?}");
    let mut missing = Vec::new();
    for (name, fields) in &structs {
        let fields = fields.iter().map(|field| format!("{name}.{field}"));
        missing.extend(fields.filter(|field| !seen.fields.contains(field)));
    }
    for (name, constants) in &enums {
        let constants = constants.iter().filter(|constant| !seen.values.contains(**constant));
        missing.extend(constants.map(|constant| format!("{name}::{constant}")));
    }
    missing.retain(|it| !NEVER.iter().any(|(never, _)| never == it));
    assert!(missing.is_empty(), "{NAME}: {missing:#?}");
    for (never, why) in NEVER {
        let field = seen.fields.contains(never);
        assert!(!field, "{never} is reached, but it says: {why}");
    }
}

#[test]
fn each_statement_and_expression_has_its_place() {
    let (mut stmts, mut exprs) = (0, 0);
    for function in functions(REACHED) {
        let mut parts = function.parts();
        while let Some(part) = parts.next() {
            match part {
                part if part.is_stmt() => {
                    let text = &REACHED[part.range().expect("a place")];
                    let is_outermost =
                        matches!(part, Part::Block(block) if *block == function.action);
                    assert!(text.ends_with(';') || is_outermost, "{text}");
                    stmts += 1;
                }
                Part::Expr(expr) => {
                    let range = expr.range().unwrap_or_else(|| panic!("no place: {}", expr.query));
                    let text = &REACHED[range];
                    // INTO is blanked.
                    let is_whole = expr.parse_mode != ParseMode::Default;
                    assert!(!is_whole || text == expr.query, "{text} is not {}", expr.query);
                    assert_eq!(expr.tree.stmts().count(), 1, "{text}");
                    exprs += 1;
                }
                Part::Decl(decl) => {
                    let text = &REACHED[decl.range().expect("a place")];
                    assert!(text.starts_with(&decl.name) && text.ends_with(';'), "{text}");
                }
                // The type of a result may follow from several parameters.
                Part::DataType(ty) if parts.block().is_some() => {
                    assert_eq!(&REACHED[ty.range().expect("a place")], ty.text);
                }
                _ => {}
            }
        }
    }
    assert!(stmts > 100 && exprs > 80, "{stmts} statements, {exprs} expressions");
}

#[test]
fn nodes_of_the_sql_inside_have_their_places() {
    let sql = "DO E'DECLARE e int; BEGIN\\n  PERFORM \\'a\\', b FROM t1; x := c + 1; SELECT d INTO e FROM t2; END'";
    let function = function(&sql.replace("x := c + 1;", ""));
    let sql = sql.replace("x := c + 1;", "");
    let columns: Vec<_> = function
        .nodes()
        .filter_map(|node| Some((node.as_column_ref()?.location, node)))
        .map(|(location, _)| &sql[usize::try_from(location).expect("a place")..][..1])
        .collect();
    assert_eq!(columns, ["b", "d"]);
}

#[test]
fn each_function_has_its_own_result() {
    let sql = "
        CREATE FUNCTION a() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1 FROM FROM; END';
        CREATE FUNCTION b() RETURNS int LANGUAGE sql AS 'SELECT 1';
        CREATE FUNCTION c() RETURNS int LANGUAGE plpgsql AS $$BEGIN RETURN 1; END$$;
        DO 'BEGIN wrong END'";
    let parsed = plpgsql::parse(sql).expect("parses");
    let [a, c, last] = &parsed.functions[..] else { panic!("{parsed:?}") };
    let error = a.function.as_ref().unwrap_err();
    assert_eq!(error.cursor(), sql.find("FROM;"), "{error:#}");
    assert_eq!(c.function.as_ref().expect("compiles").name.as_deref(), Some("c"));
    let statement = &sql[c.range.clone()];
    assert!(statement.starts_with("CREATE FUNCTION c") && statement.ends_with("END$$"));
    assert!(last.function.is_err());
    assert_eq!(plpgsql::parse("SELECT FROM FROM").unwrap_err().cursor(), Some(12));
}

/// Whatever C compiles, the tree can hold: an error is always one of PL/pgSQL's own.
#[test]
fn every_function_of_the_regression_tests_is_converted() {
    let (mut functions, mut wrong, mut parts) = (0, 0, 0);
    for sql in corpus::statements() {
        let Ok(parsed) = plpgsql::parse(&sql) else { continue };
        for it in parsed.functions {
            match it.function {
                Ok(function) => {
                    functions += 1;
                    for part in function.parts() {
                        parts += 1;
                        let text = part.range().map(|range| sql.get(range));
                        assert_ne!(text, Some(None), "{part:?} is not in {sql}");
                    }
                    let uses = pg_plpgsql::variables(&function);
                    let uses = uses.iter().flat_map(|it| it.reads.iter().chain(&it.writes));
                    for it in uses {
                        assert!(sql.is_char_boundary(it.location), "{it:?} is not in {sql}");
                    }
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Syntax, "{error:#}: {sql}");
                    wrong += 1;
                }
            }
        }
    }
    println!("{NAME}: {functions} functions with {parts} parts, and {wrong} wrong ones");
    assert!(functions > 700 && parts > 20_000 && wrong < 100, "{functions} {parts} {wrong}");
}

/// A `DO` with that many blocks in each other.
fn nested(levels: usize) -> String {
    let (begin, end) = ("BEGIN ".repeat(levels), "END; ".repeat(levels));
    format!("DO $$ BEGIN {begin} NULL; {end} END $$")
}

/// Counts statements.
struct Count(usize);

impl<'a> VisitFunction<'a> for Count {
    type Break = ();

    fn enter(&mut self, part: Part<'a>) -> ControlFlow<()> {
        self.0 += usize::from(part.is_stmt());
        ControlFlow::Continue(())
    }
}

#[test]
fn deep_bodies_need_little_stack() {
    on_thread(256 * 1024, || {
        let sql = nested(1_000);
        let function = function(&sql);
        let copy = function.clone();
        assert_eq!(copy, function);
        assert!(copy.heap_size() > 100_000);
        assert!(format!("{copy:?}").len() > 100_000);
        assert_eq!(function.parts().filter(|part| part.is_stmt()).count(), 1_002);
        let mut count = Count(0);
        assert!(function.visit(&mut count).is_continue());
        assert_eq!(count.0, 1_002);
        assert!(pg_plpgsql::variables(&function).iter().any(|variable| variable.name == "found"));

        let parsed = plpgsql::parse(&nested(100_000)).expect("parses");
        let error = parsed.functions[0].function.as_ref().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooDeep, "{error:#}");
        // Not a nesting: a chain.
        let chain = "ELSIF b THEN NULL; ".repeat(5_000);
        body(&format!("IF a THEN NULL; {chain} END IF;"));
    });
}

#[test]
fn a_statement_of_the_tree_has_its_function() {
    let sql = "CREATE FUNCTION s.f(a int, OUT b int) LANGUAGE plpgsql AS 'BEGIN b := a; END'";
    let tree = super::pg::parse(sql).expect("parses");
    let stmt = tree.stmts().find_map(NodeRef::as_create_function_stmt).expect("a function");
    let function = Function::of(stmt).expect("PL/pgSQL").expect("compiles");
    assert!(matches!(function.action.body[..], [Stmt::Assign(_)]));
    assert_eq!(function.params.len(), 2);
    let tree = super::pg::parse(&sql.replace("plpgsql", "sql")).expect("parses");
    let stmt = tree.stmts().find_map(NodeRef::as_create_function_stmt).expect("a function");
    assert!(Function::of(stmt).is_none());
}

#[test]
fn variables_are_found_by_scope() {
    let sql = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$
        <<outermost>>
        DECLARE
            n int := a;
            c CURSOR (p int) FOR SELECT p, n;
            r record;
        BEGIN
            DECLARE n int := n;
            BEGIN
                n := outermost.n + f.a + $1;
                r.x := n;
            END;
            FOR n IN n .. 10 LOOP
                PERFORM n;
            END LOOP;
            OPEN c(n);
            FETCH c INTO r;
            RETURN n;
        EXCEPTION WHEN OTHERS THEN
            RETURN length(sqlerrm);
        END $$";
    let function = function(sql);
    let lines = |uses: &[pg_plpgsql::VariableUse]| -> Vec<_> {
        uses.iter().map(|it| sql[..it.location].lines().count()).collect()
    };
    let found: Vec<_> = pg_plpgsql::variables(&function)
        .into_iter()
        .filter(|it| !it.reads.is_empty() || !it.writes.is_empty())
        .map(|it| (it.name, lines(&it.reads), lines(&it.writes)))
        .collect();
    let expected = [
        ("a", vec![4, 10, 10], vec![]),
        ("n", vec![5, 8, 10, 13, 16, 18], vec![]),
        ("c", vec![17], vec![16]),
        ("p", vec![5], vec![]),
        ("r", vec![], vec![11, 17]),
        ("n", vec![11], vec![10]),
        ("n", vec![14], vec![13]),
        ("sqlerrm", vec![20], vec![]),
    ];
    let mut found_sorted = found.clone();
    let mut expected = expected.to_vec();
    found_sorted.sort();
    expected.sort();
    assert_eq!(found_sorted, expected, "PostgreSQL {MAJOR}");
}

/// Whichever quotes a body has: places are those in the whole SQL.
#[test]
fn statements_are_edited_by_their_places() {
    for (sql, expected) in [
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM ''x''; RETURN 1; END'",
            "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN NULL; RETURN 1; END'",
        ),
        (
            "SELECT 1; DO $$ BEGIN -- why\n PERFORM 1; END $$",
            "SELECT 1; DO $$ BEGIN -- why\n NULL; END $$",
        ),
    ] {
        let range = function(sql).action.body[0].range().expect("a place");
        let mut edits = Edits::new(sql);
        edits.replace(range, "NULL;");
        let changed = edits.apply().expect("one change");
        assert_eq!(changed, expected);
        assert!(matches!(function(&changed).action.body[0], Stmt::Null(_)), "{changed}");
    }
}
