//! PL/pgSQL as C structs: what is accepted, and the places of what was written.

#![allow(clippy::cast_sign_loss, clippy::undocumented_unsafe_blocks)]

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write as _;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::{slice, thread};

use super::calls::{on_this_thread, options};
use super::pg;

/// The smallest stack of a thread that is supported.
const SMALL_STACK: usize = 192 * 1024;

/// The result of a call, which may move to another thread.
struct Parsed(pg::ShimPlpgsqlParse);

// SAFETY: a result owns its memory, and does not belong to a thread.
unsafe impl Send for Parsed {}

impl Drop for Parsed {
    fn drop(&mut self) {
        on_this_thread();
        // SAFETY: from the call in `parse` or `body`, freed once.
        unsafe { pg::shim_plpgsql_parse_free(&raw mut self.0) };
    }
}

impl Parsed {
    /// Returns the functions, or for each its error and the error's place in characters, from 1.
    fn functions(&self) -> Vec<Result<&pg::PLpgSQL_function, (String, c_int)>> {
        assert!(self.0.error.is_null(), "{}", unsafe { text((*self.0.error).message) });
        let functions = unsafe { slice::from_raw_parts(self.0.functions, self.0.count) };
        let result = |f: &pg::ShimPlpgsqlFunction| unsafe {
            match f.error.as_ref() {
                Some(error) => Err((text(error.message).to_owned(), error.cursorpos)),
                None => Ok(f.function.as_ref().expect("a function in PL/pgSQL")),
            }
        };
        functions.iter().map(result).collect()
    }

    /// Returns the only function.
    fn function(&self) -> &pg::PLpgSQL_function {
        let [Ok(function)] = self.functions()[..] else { panic!("{:?}", self.error()) };
        function
    }

    /// Returns the error of the only function.
    fn error(&self) -> Option<(String, c_int)> {
        self.functions().remove(0).err()
    }
}

fn parse(sql: &str) -> Parsed {
    on_this_thread();
    let sql = std::ffi::CString::new(sql).expect("no NUL");
    let mut out = MaybeUninit::uninit();
    // SAFETY: `sql` ends in NUL, the stack of a test's thread is large enough.
    unsafe {
        pg::shim_plpgsql_parse(sql.as_ptr(), &options(), SMALL_STACK, out.as_mut_ptr());
        Parsed(out.assume_init())
    }
}

fn body(body: &str, header: Option<&str>) -> Parsed {
    on_this_thread();
    let body = std::ffi::CString::new(body).expect("no NUL");
    let header = header.map(|header| std::ffi::CString::new(header).expect("no NUL"));
    let header = header.as_ref().map_or(std::ptr::null(), |header| header.as_ptr());
    let mut out = MaybeUninit::uninit();
    // SAFETY: as in `parse`.
    unsafe {
        pg::shim_plpgsql_body(body.as_ptr(), header, &options(), SMALL_STACK, out.as_mut_ptr());
        Parsed(out.assume_init())
    }
}

unsafe fn text<'a>(text: *const c_char) -> &'a str {
    unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8")
}

/// Returns the pointers of a list.
unsafe fn list<T>(list: *const pg::List) -> Vec<*const T> {
    let Some(list) = (unsafe { list.as_ref() }) else { return Vec::new() };
    let cells = unsafe { slice::from_raw_parts(list.elements, list.length as usize) };
    cells.iter().map(|cell| unsafe { cell.ptr_value }.cast_const().cast()).collect()
}

fn range(location: c_int, end: c_int) -> Range<usize> {
    location as usize..end as usize
}

/// Returns what was written for each statement of the outermost block.
fn statements<'a>(sql: &'a str, function: &pg::PLpgSQL_function) -> Vec<&'a str> {
    let block = unsafe { &*function.action };
    let stmts = unsafe { list::<pg::PLpgSQL_stmt>(block.body) };
    let stmts = stmts.iter().map(|stmt| unsafe { &**stmt });
    // A RETURN at the end that nobody has written.
    stmts
        .filter(|stmt| stmt.location >= 0)
        .map(|stmt| &sql[range(stmt.location, stmt.end)])
        .collect()
}

/// Returns the expression of the first statement, which is PERFORM.
fn performed(function: &pg::PLpgSQL_function) -> &pg::PLpgSQL_expr {
    unsafe {
        let stmt = list::<pg::PLpgSQL_stmt_perform>((*function.action).body)[0];
        assert_eq!((*stmt).cmd_type, pg::PLpgSQL_stmt_type::PLPGSQL_STMT_PERFORM);
        &*(*stmt).expr
    }
}

/// Returns the places of the columns that PERFORM names.
#[allow(clippy::cast_ptr_alignment, reason = "it points to the whole node")]
fn columns(function: &pg::PLpgSQL_function) -> Vec<usize> {
    unsafe {
        let select = (*performed(function).tree).stmt.cast::<pg::SelectStmt>();
        let targets = list::<pg::ResTarget>((*select).targetList);
        targets.iter().map(|target| (**target).location as usize).collect()
    }
}

#[test]
fn places_are_those_of_the_whole_text() {
    let cases = [
        "DO $$BEGIN PERFORM a, b; NULL; END$$",
        "SELECT 1; DO $é$ BEGIN PERFORM 'é', b; NULL; END $é$ LANGUAGE plpgsql",
        "DO 'BEGIN PERFORM ''é'', b; NULL; END'",
        "DO 'BEGIN PERFORM '\n'''a'', b; NULL; END'",
        "DO 'BEGIN ' -- it's\n -- '\n '\nPERFORM a, b; NULL; END'",
        "DO E'BEGIN\\n\\tPERFORM \\'\\u00e9\\', b; NULL; END'",
        "DO E'BEGIN \\120\\x45RFORM a, ''\\U0001F600''; NULL; END'",
        "DO U&'BEGIN !0050ERFORM a, b; NULL; END' UESCAPE '!'",
        "DO U&'BEGIN PERFORM ''\\+01F600'', b; NULL; END'",
    ];
    for sql in cases {
        let parsed = parse(sql);
        let function = parsed.function();
        let found = statements(sql, function);
        let [perform, null] = found[..] else { panic!("{sql}: {found:?}") };
        assert_eq!(null, "NULL;", "{sql}");
        let start = sql.find("PERFORM").or(sql.find("!0050")).or(sql.find("\\120")).expect(sql);
        assert!(sql[start..].starts_with(perform), "{sql}: {perform}");
        let expr = performed(function);
        assert_eq!(&sql[range(expr.location, expr.end)], &perform[..perform.len() - 1], "{sql}");
        // The tree's places are in the whole text as well, though it has SELECT in place of PERFORM.
        let second = start + perform.find(", ").expect(sql) + 2;
        assert_eq!(columns(function)[1], second, "{sql}");
        let tree = unsafe { &*expr.tree };
        assert_eq!((tree.stmt_location, tree.stmt_len), (expr.location, expr.end - expr.location));
        let block = unsafe { &*function.action };
        assert!(sql[range(block.location, block.end)].ends_with("END"), "{sql}");
    }
}

#[test]
fn parts_have_places() {
    let sql =
        "CREATE FUNCTION app.f(IN a int, b app.t[] DEFAULT (NULL), OUT c text) LANGUAGE plpgsql AS $$
        <<l>> DECLARE v CONSTANT numeric(10, 2) := 1; k CURSOR (p int) FOR SELECT 1; w ALIAS FOR a;
        BEGIN
            <<m>> FOR i IN 1..2 LOOP EXIT m WHEN a = 1; END LOOP m;
            IF a THEN NULL; ELSIF b THEN c := 'x'; END IF;
            SELECT 1 INTO c, a FROM t;
        END l;$$";
    let parsed = parse(sql);
    let function = parsed.function();
    let block = unsafe { &*function.action };
    // Not in another block, as where PostgreSQL adds a RETURN that EXIT does not skip.
    let written = &sql[range(block.location, block.end)];
    assert!(written.starts_with("<<l>> DECLARE") && written.ends_with("END l;"), "{written}");

    let decls = unsafe { list::<pg::PLpgSQL_decl>(block.decls) };
    let decls: Vec<_> =
        decls.iter().map(|d| unsafe { &sql[range((**d).location, (**d).end)] }).collect();
    let expected =
        ["v CONSTANT numeric(10, 2) := 1;", "k CURSOR (p int) FOR SELECT 1;", "w ALIAS FOR a;"];
    assert_eq!(decls, expected);

    let params = unsafe { list::<pg::PLpgSQL_param>(function.params) };
    let written: Vec<_> = params
        .iter()
        .map(|param| unsafe {
            let datatype = &*(**param).datatype;
            (&sql[range((**param).location, (**param).end)], text(datatype.text), datatype.unknown)
        })
        .collect();
    let expected = [
        ("IN a int", "int", false),
        ("b app.t[] DEFAULT (NULL)", "app.t[]", false),
        ("OUT c text", "text", false),
    ];
    assert_eq!(written, expected);

    let stmts = unsafe { list::<pg::PLpgSQL_stmt>(block.body) };
    let stmts: Vec<_> =
        stmts.iter().map(|s| unsafe { &sql[range((**s).location, (**s).end)] }).collect();
    assert_eq!(stmts[0], "<<m>> FOR i IN 1..2 LOOP EXIT m WHEN a = 1; END LOOP m;");
    let branch = unsafe {
        let stmt = list::<pg::PLpgSQL_stmt_if>(block.body)[1];
        let elsif = list::<pg::PLpgSQL_if_elsif>((*stmt).elsif_list)[0];
        &sql[range((*elsif).location, (*elsif).end)]
    };
    assert_eq!(branch, "ELSIF b THEN c := 'x';");
    let target = unsafe {
        let stmt = list::<pg::PLpgSQL_stmt_execsql>(block.body)[2];
        &sql[range((*(*stmt).target).location, (*(*stmt).target).end)]
    };
    assert_eq!(target, "c, a");
}

#[test]
fn errors_have_their_place_in_the_whole_text() {
    let cases = [
        ("DO 'BEGIN '\n'PERFORM 1 FROM FROM; END'", "FROM;", "syntax error at or near \"FROM\""),
        (
            "SELECT 'BEGIN x := 1; END'; DO 'BEGIN x := 1; END'",
            "x := 1; END'\0",
            "\"x\" is not a known variable",
        ),
        ("DO U&'BEGIN ''\\00e9''; x := 1; END'", "x :=", "syntax error at or near \"'é'\""),
        ("DO $é$BEGIN PERFORM 'é' 1; END$é$", "1;", "syntax error at or near \"1\""),
        ("DO $$DECLARE x int(3); BEGIN END$$", "(3", "syntax error at or near \"(\""),
        (
            "DO $$DECLARE x varchar(0); BEGIN END$$",
            "varchar",
            "length for type varchar must be at least 1",
        ),
        (
            "DO $$BEGIN EXIT; END$$",
            "EXIT",
            "EXIT cannot be used outside a loop, unless it has a label",
        ),
    ];
    for (sql, near, message) in cases {
        let at = match near.strip_suffix('\0') {
            Some(last) => sql.rfind(last),
            None if message.contains('é') => sql.find("''\\00e9"),
            None => sql.find(near),
        };
        let place = sql[..at.expect(sql)].chars().count() + 1;
        assert_eq!(
            parse(sql).error(),
            Some((message.to_owned(), c_int::try_from(place).expect("a short text"))),
            "{sql}"
        );
    }
}

#[test]
fn what_only_a_database_knows_is_accepted() {
    let valid = [
        "CREATE FUNCTION f(x app.status, VARIADIC y text[]) RETURNS app.t LANGUAGE plpgsql AS $$BEGIN RETURN x; END$$",
        "CREATE FUNCTION f(x t.a%TYPE) RETURNS SETOF s.t LANGUAGE plpgsql AS $$BEGIN RETURN NEXT x; END$$",
        "DO $$DECLARE r t%ROWTYPE; s s.t; BEGIN r.a := 3; s.b := 4; SELECT 1 INTO s; END$$",
        "DO $$DECLARE s mood; n int; BEGIN SELECT 1, 2 INTO s, n; GET DIAGNOSTICS s = ROW_COUNT; END$$",
        "DO $$DECLARE s mood; n int; BEGIN SELECT 1, 2 INTO n, s; FOR s, n IN SELECT 1, 2 LOOP END LOOP; END$$",
        "DO $$DECLARE s mood[]; x int COLLATE \"de_DE\"; BEGIN END$$",
    ];
    for sql in &valid[..5] {
        assert_eq!(parse(sql).error(), None, "{sql}");
    }
    assert!(parse(valid[5]).error().is_some(), "a number has no collation");
    // Since 17.
    let arrays =
        parse("DO $$DECLARE a t%ROWTYPE[]; b t.a%TYPE ARRAY; c int; d c%TYPE[]; BEGIN END$$");
    assert_eq!(arrays.error().is_none(), pg::PG_VERSION_NUM >= 170_000);
    let wrong = [
        ("DO $$DECLARE n int; BEGIN n.a := 1; END$$", "\"n.a\" is not a known variable"),
        (
            "DO $$DECLARE r record; n int; BEGIN SELECT 1, 2 INTO r, n; END$$",
            "record variable cannot be part of multiple-item INTO list",
        ),
        ("DO $$DECLARE x int int int; BEGIN END$$", "syntax error at or near \"int\""),
        ("DO $$BEGIN RETURN 1; END$$", "RETURN cannot have a parameter in function returning void"),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$BEGIN RETURN; END$$",
            "missing expression at or near \";\"",
        ),
        (
            "CREATE FUNCTION f(OUT a int) RETURNS text LANGUAGE plpgsql AS $$BEGIN END$$",
            "function result type must be integer because of OUT parameters",
        ),
        (
            "CREATE FUNCTION f(a int, a int) RETURNS int LANGUAGE plpgsql AS $$BEGIN END$$",
            "parameter name \"a\" used more than once",
        ),
        (
            "CREATE FUNCTION f(a cstring) RETURNS int LANGUAGE plpgsql AS $$BEGIN END$$",
            "PL/pgSQL functions cannot accept type cstring",
        ),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN END' IMMUTABLE STABLE",
            "conflicting or redundant options",
        ),
        ("CREATE FUNCTION f() RETURNS int AS 'BEGIN END'", "no language specified"),
    ];
    for (sql, message) in wrong {
        assert_eq!(
            parse(sql).error().map(|(message, _)| message).as_deref(),
            Some(message),
            "{sql}"
        );
    }
}

#[test]
fn a_wrong_body_hides_no_other_one() {
    let sql = "DO $$BEGIN PERFORM 1 1; END$$; SELECT 1; DO $$BEGIN NULL; END$$;
        CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$#option dump
        BEGIN RETURN 1; END$$; DO $$BEGIN x; END$$";
    let parsed = parse(sql);
    let functions = parsed.functions();
    let ok: Vec<_> = functions.iter().map(Result::is_ok).collect();
    assert_eq!(ok, [false, true, true, false]);
    assert_eq!(statements(sql, functions[1].as_ref().unwrap()), ["NULL;"]);
    assert_eq!(statements(sql, functions[2].as_ref().unwrap()), ["RETURN 1;"]);
}

#[test]
fn bodies_alone_have_their_own_places() {
    let written = "BEGIN x := a; RETURN; END";
    let header = "CREATE FUNCTION f(a int, OUT x text)";
    let parsed = body(written, Some(header));
    assert_eq!(statements(written, parsed.function()), ["x := a;", "RETURN;"]);
    let params = unsafe { list::<pg::PLpgSQL_param>(parsed.function().params) };
    let param = unsafe { &*params[1] };
    assert_eq!(&header[range(param.location, param.end)], "OUT x text");
    assert_eq!(body(written, None).error().map(|(_, place)| place), Some(7));
    assert_eq!(body("BEGIN NULL; END", None).error(), None);
}

#[test]
fn deep_bodies_need_little_stack_and_results_move() {
    let mut sql = String::from("DO $$");
    for level in 0..1000 {
        write!(sql, "<<l{level}>> BEGIN IF true THEN ").unwrap();
    }
    sql += "NULL;";
    for _ in 0..1000 {
        sql += " END IF; END;";
    }
    sql += "$$";
    let elsif =
        format!("DO $$BEGIN IF a THEN {} END IF; END$$", "ELSIF a THEN NULL; ".repeat(20_000));
    let too_deep = format!("DO $${}NULL;{}$$", "BEGIN ".repeat(20_000), " END;".repeat(20_000));
    let made = thread::Builder::new()
        .stack_size(SMALL_STACK + 64 * 1024)
        .spawn(move || (parse(&sql), parse(&elsif), parse(&too_deep)))
        .expect("a thread");
    let (deep, elsif, too_deep) = made.join().expect("no panic");
    assert!(deep.functions()[0].is_ok());
    assert!(elsif.functions()[0].is_ok());
    let (message, _) = too_deep.error().expect("PostgreSQL has a limit");
    assert!(message.starts_with("memory exhausted"), "{message}");
}
