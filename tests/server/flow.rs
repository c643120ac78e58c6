//! Runs functions of control flow on the server: whether they end without `RETURN`, and which of their statements are run.
//!
//! Our own functions (`tests/plpgsql/flow.sql`) are called with small numbers. Made-up ones decide at random: each is called
//! with all answers to its first questions, so that all of its paths are run.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pg_ast::plpgsql::{self, Function};

use super::common::plpgsql as cases;
use super::connection::Server;
use super::number;

/// The questions that a made-up function asks at most.
const QUESTIONS: usize = 8;

/// What made-up functions call. What they do is not undone when a handler is reached.
const CALLED: &str = "
CREATE SEQUENCE asked; CREATE SEQUENCE steps;
CREATE FUNCTION flip() RETURNS bool LANGUAGE plpgsql AS $$
DECLARE n int := nextval('asked');
BEGIN
    IF n > 9 THEN RAISE assert_failure; END IF;
    RETURN current_setting('flow.answers')::int >> n - 1 & 1 = 1;
END $$;
CREATE FUNCTION fail() RETURNS void LANGUAGE plpgsql AS $$
BEGIN IF flip() THEN RAISE EXCEPTION 'fail'; END IF; END $$;
CREATE FUNCTION hit(n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('steps') > 100 THEN RAISE assert_failure; END IF;
    PERFORM pg_advisory_lock(n);
END $$;
SET statement_timeout = '20s'; SET client_min_messages = error;";

/// Calls `f` with all answers, and raises what happened as an error.
const CALL: &str = "DO $do$
DECLARE reached bool := false;
BEGIN
    FOR answers IN 0 .. 255 LOOP
        PERFORM set_config('flow.answers', answers::text, false);
        PERFORM setval('asked', 1, false), setval('steps', 1, false);
        BEGIN
            PERFORM f();
        EXCEPTION
            WHEN SQLSTATE '2F005' THEN reached := true;
            WHEN assert_failure OR OTHERS THEN NULL;
        END;
    END LOOP;
    RAISE EXCEPTION '%:%', reached,
        (SELECT string_agg(objid::text, ' ') FROM pg_locks WHERE locktype = 'advisory');
END $do$";

/// Returns what differs.
pub fn compare(server: &mut Server) -> Vec<String> {
    let mut mistakes = recorded(server);
    let replies = server.run(&[CALLED]);
    assert!(replies[0].is_none(), "{replies:?}");
    let count = number("PLPGSQL_FLOWS", 400);
    let mut random = Random(number("PLPGSQL_SEED", 1) as u64 | 1 << 32);
    let (mut ends, mut unreached) = (0, 0);
    for _ in 0..count {
        let sql = Maker::function(&mut random);
        let replies = server.run(&[&sql, CALL, "SELECT pg_advisory_unlock_all(); DROP FUNCTION f"]);
        let Some(message) = replies[1].as_ref().map(|error| error.get(b'M').to_owned()) else {
            mistakes.push(format!("no answer: {sql}"));
            continue;
        };
        let ours = ours(&sql);
        ends += usize::from(ours.starts_with('t'));
        unreached += usize::from(sql.matches(HIT).count() > numbers(&ours).len());
        let server = match message.split_once(':') {
            Some((reached, hits)) => written(reached == "t", &numbers(hits)),
            None => message,
        };
        if server != ours || replies[0].is_some() {
            mistakes.push(format!("server: {server}, ours: {ours}, {:?}: {sql}", replies[0]));
        }
    }
    println!(
        "{count} functions were run on all paths: {ends} reach their end, {unreached} have statements that are not reached"
    );
    mistakes
}

/// Compares what is recorded of our functions with the server.
fn recorded(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (expected, sql) in cases::flow() {
        let calls: Vec<String> = (0..4).map(|n| format!("SELECT f({n})")).collect();
        let mut texts = vec!["SET statement_timeout = '100ms'", &sql];
        texts.extend(calls.iter().map(String::as_str));
        texts.extend(["DROP FUNCTION f", "RESET statement_timeout"]);
        let replies = server.run(&texts);
        let reached = replies.iter().flatten().any(|error| error.get(b'C') == "2F005");
        if replies[1].is_some() || reached != expected {
            mistakes.push(format!("reached: {reached}, not as recorded: {sql}"));
        }
    }
    mistakes
}

fn written(reached: bool, hits: &BTreeSet<usize>) -> String {
    let hits: Vec<_> = hits.iter().map(usize::to_string).collect();
    format!("{}:{}", if reached { "t" } else { "f" }, hits.join(" "))
}

/// Returns the numbers in an answer.
fn numbers(answer: &str) -> BTreeSet<usize> {
    answer.split([' ', ':']).filter_map(|number| number.parse().ok()).collect()
}

const HIT: &str = "PERFORM hit(";
const OPEN: &str = "/*(*/";
const CLOSE: &str = "/*)*/";

/// Returns our answer, as the server's is written.
fn ours(sql: &str) -> String {
    let parsed = plpgsql::parse(sql).expect("valid SQL");
    let function: &Function = parsed.functions[0].function.as_ref().expect("a valid function");
    let flow = pg_ast_plpgsql::flow(function);
    let mut reached: BTreeSet<usize> = hits(sql).collect();
    for part in &flow.unreachable {
        let start = part.range().expect("a place").start;
        for hit in hits(rest_of_list(&sql[start..])) {
            assert!(reached.remove(&hit), "{hit} is in two stretches: {sql}");
        }
    }
    written(flow.end_is_reached, &reached)
}

fn hits(sql: &str) -> impl Iterator<Item = usize> {
    sql.split(HIT).skip(1).filter_map(|rest| rest.split(')').next()?.parse().ok())
}

/// Returns the text up to the end of the list of statements that it begins in.
fn rest_of_list(text: &str) -> &str {
    let (mut depth, mut at) = (0, 0);
    while let Some(found) = text[at..].find("/*") {
        at += found;
        match (text[at..].starts_with(CLOSE), depth) {
            (true, 0) => break,
            (true, _) => depth -= 1,
            (false, _) => depth += 1,
        }
        at += OPEN.len();
    }
    &text[..at]
}

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 16) % end as u64).expect("below a usize")
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Writes a function.
struct Maker<'a> {
    random: &'a mut Random,
    sql: String,
    questions: usize,
    hits: usize,
    labels: usize,
    /// The blocks with a label and the loops around, each with whether it is a loop.
    enclosing: Vec<(Option<String>, bool)>,
}

impl<'a> Maker<'a> {
    fn function(random: &'a mut Random) -> String {
        let (sql, enclosing) = (String::new(), Vec::new());
        let mut maker = Self { random, sql, questions: 0, hits: 0, labels: 0, enclosing };
        maker.block("DECLARE r record; x int;", 3);
        let body = maker.sql;
        format!("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ {body} $$")
    }

    fn push(&mut self, text: &str) {
        self.sql.push_str(text);
        self.sql.push(' ');
    }

    /// Returns a condition; `true` where no more questions may be asked.
    fn cond(&mut self) -> &'static str {
        if self.questions == QUESTIONS {
            return "true";
        }
        self.questions += 1;
        "flip()"
    }

    fn hit(&mut self) {
        let _ = write!(self.sql, "{HIT}{}); ", self.hits);
        self.hits += 1;
    }

    fn list(&mut self, depth: usize) {
        self.push(OPEN);
        self.hit();
        for _ in 0..self.random.below(3) {
            self.stmt(depth);
            self.hit();
        }
        self.push(CLOSE);
    }

    fn label(&mut self) -> Option<String> {
        self.random.one_in(2).then(|| {
            // Inner labels hide outer ones.
            self.labels += self.random.below(2);
            let label = format!("l{}", self.labels);
            self.push(&format!("<<{label}>>"));
            label
        })
    }

    fn block(&mut self, declare: &str, depth: usize) {
        let label = self.label();
        let is_labelled = label.is_some();
        if is_labelled {
            self.enclosing.push((label, false));
        }
        self.push(declare);
        self.push("BEGIN");
        let is_handled = self.questions < QUESTIONS && self.random.one_in(2);
        if is_handled {
            self.questions += 1;
            self.push("PERFORM fail();");
        }
        self.list(depth);
        if is_handled {
            self.push("EXCEPTION WHEN OTHERS THEN");
            self.list(depth);
        }
        if is_labelled {
            self.enclosing.pop();
        }
        self.push("END;");
    }

    fn body(&mut self, label: Option<String>, head: &str, depth: usize) {
        self.push(head);
        self.enclosing.push((label, true));
        self.push("LOOP");
        self.list(depth);
        self.enclosing.pop();
        self.push("END LOOP;");
    }

    fn stmt(&mut self, depth: usize) {
        let kinds = if depth == 0 { 5 } else { 12 };
        match self.random.below(kinds) {
            0 => self.push("RETURN 1;"),
            1 => self.push("RAISE EXCEPTION 'x';"),
            2 | 3 => self.exit(),
            4 => self.push("RAISE NOTICE 'x';"),
            5 | 6 => {
                let cond = self.cond();
                self.push(&format!("IF {cond} THEN"));
                self.list(depth - 1);
                if self.random.one_in(3) {
                    let cond = self.cond();
                    self.push(&format!("ELSIF {cond} THEN"));
                    self.list(depth - 1);
                }
                if self.random.one_in(2) {
                    self.push("ELSE");
                    self.list(depth - 1);
                }
                self.push("END IF;");
            }
            7 => {
                let is_simple = self.random.one_in(2) && self.questions < QUESTIONS;
                self.push(if is_simple { "CASE 1" } else { "CASE" });
                for _ in 0..=self.random.below(2) {
                    let cond = if is_simple && self.questions == QUESTIONS {
                        break;
                    } else {
                        self.cond()
                    };
                    let value = if is_simple { "::int" } else { "" };
                    self.push(&format!("WHEN {cond}{value} THEN"));
                    self.list(depth - 1);
                }
                if self.random.one_in(2) {
                    self.push("ELSE");
                    self.list(depth - 1);
                }
                self.push("END CASE;");
            }
            8 | 9 => self.block("", depth - 1),
            10 => {
                let label = self.label();
                self.body(label, "", depth - 1);
            }
            _ => {
                let label = self.label();
                let cond = self.cond();
                let head = match self.random.below(5) {
                    0 => format!("WHILE {cond}"),
                    1 if cond != "true" => format!("FOR i IN 1 .. {cond}::int"),
                    2 if cond != "true" => format!("FOR r IN SELECT 1 WHERE {cond}"),
                    3 if cond != "true" => format!("FOR r IN EXECUTE 'SELECT 1 WHERE {cond}'"),
                    4 if cond != "true" => {
                        format!("FOREACH x IN ARRAY array_remove(ARRAY[{cond}::int], 0)")
                    }
                    _ => "WHILE true".to_owned(),
                };
                self.body(label, &head, depth - 1);
            }
        }
    }

    fn exit(&mut self) {
        let is_exit = !self.random.one_in(3);
        let loops = self.enclosing.iter().filter(|(_, is_loop)| *is_loop).count();
        let label = self.random.one_in(2).then(|| {
            let inner = self.enclosing.iter().rev();
            let mut seen = BTreeSet::new();
            // Of those with the same label, the inner one is meant.
            let visible = inner.filter(|(label, _)| label.is_some() && seen.insert(label.clone()));
            let fits = visible.filter(|(_, is_loop)| is_exit || *is_loop);
            let mut labels: Vec<_> = fits.filter_map(|(label, _)| label.clone()).collect();
            if is_exit && self.random.one_in(4) {
                labels.push("f".to_owned());
            }
            let count = labels.len();
            (count > 0).then(|| labels.swap_remove(self.random.below(count)))
        });
        let label = match label {
            Some(Some(label)) => label,
            _ if loops > 0 => String::new(),
            _ => return self.push("RAISE NOTICE 'x';"),
        };
        let when = match self.random.below(3) {
            0 => format!(" WHEN {}", self.cond()),
            _ => String::new(),
        };
        let verb = if is_exit { "EXIT" } else { "CONTINUE" };
        self.push(&format!("{verb} {label}{when};"));
    }
}
