//! Finds the places in libpg_query's deparser that `c/deparse/deparse.c` has to guard, in the code that is compiled.
//!
//! What the guards are about is listed there by hand; without these checks, a new version could add to it unnoticed:
//!
//! - elements of lists that become a struct of a certain type, without a check of their tag;
//! - functions of C and PostgreSQL that receive strings, which may be NULL in a tree;
//! - functions that reach themselves without a check of the stack.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use super::c::{self, Function};
use super::known::{BOUNDED, CALLED, UNCHECKED};
use crate::compile::{self, Build};
use crate::versions::GUARDED;
use crate::{Paths, compiler, patches, pins};

const FILE: &str = "src/postgres_deparse.c";

/// Our file with the guards, from the root of the repository.
const GUARDS: &str = "libpg_query/c/deparse/deparse.c";

/// The macros that return an element of a list, as a `void *`.
const ELEMENTS: &[&str] =
    &["lfirst", "linitial", "lsecond", "lthird", "lfourth", "llast", "list_nth"];

/// Macros and functions that check the type of the node that they receive, or accept any.
const CHECKING: &[&str] = &[
    "Assert",
    "IsA",
    "boolVal",
    "castNode",
    "floatVal",
    "if",
    "intVal",
    "linitial",
    "list_length",
    "lsecond",
    "patch_expr",
    "nodeTag",
    "strVal",
    "switch",
    "while",
];

/// The types to which a node may be cast without a check: their fields are read after one.
const ANY: &[&str] = &["Node", "Expr", "List", "void"];

const KEYWORDS: &[&str] = &["for", "if", "return", "sizeof", "switch", "while"];

/// Returns what is not guarded.
pub(super) fn check(paths: &Paths, patched: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let major = paths.version.major;
    let text = fs::read_to_string(patches::target(patched, FILE))?;
    let mut compiled = text.clone();
    for cut in pins::cuts(&text) {
        compiled = compiled.replacen(cut, "", 1);
    }
    let bare = c::bare(&compiled);
    let tokens = c::tokens(&bare);
    let functions = c::functions(&tokens);
    let ours = included(paths, &text)?;
    let bare = c::bare(&ours);
    let our_tokens = c::tokens(&bare);
    let (macros, helpers) = (c::macros(&ours), c::functions(&our_tokens));

    let mut wrong = Vec::new();
    let casts = casts(&functions, &helpers, &macros);
    let known = || UNCHECKED.iter().filter(|(versions, ..)| versions.contains(&major));
    for (_, stale, _) in known().filter(|(_, known, _)| !casts.contains(*known)) {
        wrong.push(format!(
            "PostgreSQL {major}, {FILE}: UNCHECKED of tools/src/upstream/known.rs has `{stale}`, which is not there"
        ));
    }
    for cast in &casts {
        if !known().any(|(_, known, _)| known == cast) {
            wrong.push(format!(
                "PostgreSQL {major}, {FILE}: nothing checks the type of the node in `{cast}`. Guard it in {GUARDS} \
                 (section 5), or add it to UNCHECKED of tools/src/upstream/known.rs, with what checks it"
            ));
        }
    }
    for call in calls(&functions) {
        let is_ours = macros.iter().any(|(name, _)| *name == call)
            || helpers.iter().any(|helper| helper.name == call);
        if !is_ours && !CALLED.iter().any(|(known, _)| known.split(' ').any(|known| known == call))
        {
            wrong.push(format!(
                "PostgreSQL {major}, {FILE}: it calls `{call}`, which may receive a string that is NULL. Guard it in \
                 {GUARDS} (section 3), or add it to CALLED of tools/src/upstream/known.rs, with the reason"
            ));
        }
    }
    let expanded = c::bare(&expanded(paths, patched)?);
    let tokens = c::tokens(&expanded);
    if let Some(cycle) = unchecked_cycle(&c::functions(&tokens)) {
        wrong.push(format!(
            "PostgreSQL {major}, {FILE}: nothing checks the stack in {}. Add one of these functions to {GUARDS} \
             (section 6)",
            cycle.join(" -> "),
        ));
    }
    Ok(wrong)
}

/// Our files that the guards and the deparser include, with the guards.
fn included(paths: &Paths, deparser: &str) -> Result<String, Box<dyn Error>> {
    let guards = fs::read_to_string(paths.own().join(GUARDED[0]))?;
    let lines = guards.lines().chain(deparser.lines());
    let names = lines.filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    let files = names.filter_map(|name| paths.included(name));
    let texts = files.map(fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(texts.concat() + &guards)
}

/// The deparser and its guards after the preprocessor.
fn expanded(paths: &Paths, patched: &Path) -> Result<String, Box<dyn Error>> {
    let out_dir = tempfile::tempdir()?;
    let job = compile::Job {
        versions: 1,
        compiler: compiler(out_dir.path()),
        version: paths.version,
        source: &paths.source,
        patched,
        own: &paths.own(),
        prefix_header: None,
        build: Build::Library,
        plpgsql: false,
    };
    Ok(job.expanded(GUARDED[0])?)
}

/// Returns the elements of lists that become a struct without a check: the function, and the expression.
fn casts(
    functions: &[Function<'_>],
    helpers: &[Function<'_>],
    macros: &[(String, String)],
) -> BTreeSet<String> {
    let guarded = |name: &str| {
        let mut guards = macros.iter().filter(|(known, _)| known == name);
        guards.any(|(_, body)| body.contains("GUARD_NODE") || body.contains("GUARD_ELEMENTS"))
    };
    let all = functions.iter().chain(helpers);
    let types: BTreeMap<_, _> = all.map(|function| (function.name, &function.parameters)).collect();
    let mut casts = BTreeSet::new();
    for function in functions {
        let body = function.body;
        for at in 0..body.len() {
            if !ELEMENTS.contains(&body[at]) || body.get(at + 1) != Some(&"(") {
                continue;
            }
            let end = c::closing(body, at + 1);
            let element = body[at..=end.min(body.len() - 1)].concat();
            let becomes = match becomes(function, at, end, &types) {
                Becomes::Checked => continue,
                Becomes::Argument(name, _) if guarded(name) => continue,
                Becomes::Argument(name, kind) => format!("{name}({kind} {element})"),
                Becomes::Type(kind) => format!("{kind} {element}"),
            };
            casts.insert(format!("{}: {becomes}", function.name));
        }
    }
    casts
}

/// What becomes of an element of a list.
enum Becomes<'a> {
    /// Its tag is looked at first, or nothing is read.
    Checked,
    /// The argument of a function, with its type.
    Argument(&'a str, String),
    /// A pointer to this type.
    Type(String),
}

/// Returns what becomes of the element in `at..=end`.
fn becomes<'a>(
    function: &Function<'a>,
    at: usize,
    end: usize,
    types: &BTreeMap<&str, &Vec<&[&str]>>,
) -> Becomes<'a> {
    let body = function.body;
    let before = |back: usize| at.checked_sub(back).map_or("", |at| body[at]);
    let of_type = |kind: Option<&str>| match kind {
        Some(kind) if ANY.contains(&kind) => Becomes::Checked,
        Some(kind) => Becomes::Type(format!("{kind} *")),
        None => Becomes::Type("?".to_owned()),
    };
    match before(1) {
        // A cast, or the end of a condition.
        ")" => {
            of_type(pointee(&body[c::enclosing(body, at - 1).map_or(0, |open| open + 1)..at - 1]))
        }
        "==" | "!=" | "&&" | "||" | "!" => Becomes::Checked,
        "=" => match before(3) {
            "*" => of_type(Some(before(4))),
            _ => of_type(declared(&body[..at], before(2), function)),
        },
        "return" => of_type(pointee(function.returns)),
        "(" | "," => {
            let Some(open) = c::enclosing(body, at) else { return Becomes::Checked };
            let name = open.checked_sub(1).map_or("", |name| body[name]);
            if CHECKING.contains(&name) || matches!(body.get(end + 1), Some(&("==" | "!="))) {
                return Becomes::Checked;
            }
            let index = c::split(&body[open + 1..at]).len() - 1;
            let kind = types.get(name).and_then(|types| pointee(types.get(index)?));
            match kind {
                Some(kind) if ANY.contains(&kind) => Becomes::Checked,
                Some(kind) => Becomes::Argument(name, format!("{kind} *")),
                None => Becomes::Argument(name, "?".to_owned()),
            }
        }
        _ => Becomes::Type("?".to_owned()),
    }
}

/// Returns the struct in `const struct X *`, with or without a name after it.
fn pointee<'a>(kind: &[&'a str]) -> Option<&'a str> {
    let star = kind.iter().position(|token| *token == "*")?;
    kind[..star].iter().rev().find(|token| c::is_name(token)).copied()
}

/// Returns the struct that a variable points to.
fn declared<'a>(before: &[&'a str], name: &str, function: &Function<'a>) -> Option<&'a str> {
    let is_declared =
        |at: &usize| before[*at] == name && at.checked_sub(1).map(|at| before[at]) == Some("*");
    let local = (0..before.len()).rev().find(is_declared);
    let local = local.and_then(|at| at.checked_sub(2)).map(|at| before[at]);
    let parameters = || function.parameters.iter().find(|kind| kind.last() == Some(&name));
    local.or_else(|| pointee(parameters()?))
}

/// Returns the functions and macros that are called and not defined here.
fn calls<'a>(functions: &[Function<'a>]) -> BTreeSet<&'a str> {
    let own: BTreeSet<_> = functions.iter().map(|function| function.name).collect();
    let pairs = functions.iter().flat_map(|function| function.body.windows(2));
    let called = pairs.filter(|pair| pair[1] == "(" && c::is_name(pair[0])).map(|pair| pair[0]);
    called.filter(|name| !own.contains(name) && !KEYWORDS.contains(name)).collect()
}

/// Returns functions that call each other in a cycle without a check of the stack, if there are any.
fn unchecked_cycle<'a>(functions: &[Function<'a>]) -> Option<Vec<&'a str>> {
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for function in functions {
        edges.insert(function.name, unchecked_calls(function.body));
    }
    for name in BOUNDED.iter().flat_map(|(names, _)| names.split(' ')) {
        edges.remove(name);
    }
    // What leads to no cycle goes, until only cycles and what leads there are left.
    loop {
        let known: BTreeSet<_> = edges.keys().copied().collect();
        let before = edges.len();
        for calls in edges.values_mut() {
            calls.retain(|call| known.contains(call));
        }
        edges.retain(|_, calls| !calls.is_empty());
        if edges.len() == before {
            break;
        }
    }
    let mut path = vec![*edges.keys().next()?];
    loop {
        let next = *edges[path[path.len() - 1]].iter().next()?;
        if let Some(start) = path.iter().position(|name| *name == next) {
            path.push(next);
            return Some(path.split_off(start));
        }
        path.push(next);
    }
}

const CHECK: &[&str] = &["check_stack_depth", "(", ")"];

/// Returns the functions that are called without a check of the stack: neither as `(check_stack_depth(), f(..))`, nor
/// after such a statement in the same block or around it.
fn unchecked_calls<'a>(body: &[&'a str]) -> BTreeSet<&'a str> {
    let (statement, operand) = ([CHECK, &[";"]].concat(), [CHECK, &[","]].concat());
    let mut calls = BTreeSet::new();
    // Whether the stack was checked in the current block, and in those around it.
    let (mut is_checked, mut around) = (false, Vec::new());
    for at in 0..body.len() {
        match body[at] {
            "{" => around.push(is_checked),
            "}" => is_checked = around.pop().unwrap_or(false),
            _ if body[at..].starts_with(&statement) => is_checked = true,
            name if c::is_name(name)
                && body.get(at + 1) == Some(&"(")
                && !is_checked
                && !body[..at].ends_with(&operand) =>
            {
                calls.insert(name);
            }
            _ => {}
        }
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::{c, casts, unchecked_cycle};

    fn found(code: &str) -> Vec<String> {
        let bare = c::bare(code);
        let tokens = c::tokens(&bare);
        let macros =
            c::macros("#define guarded(state, a) \\\n\tguarded(state, GUARD_NODE(X, a))\n");
        casts(&c::functions(&tokens), &[], &macros).into_iter().collect()
    }

    #[test]
    fn finds_elements_of_a_type_that_nothing_checks() {
        let code = "
            static void guarded(S *state, X *x) { }
            static void plain(S *state, const X *x, List *list) { }
            static void any(S *state, Node *node) { }
            static X *f(S *state, List *l)
            {
                X *x = lfirst(lc); /* linitial(l) */
                Node *node = lfirst(lc);
                X *later;
                any(state, linitial(l)); guarded(state, lsecond(l));
                if (lfirst(lc) != NULL && IsA(lfirst(lc), X)) plain(state, castNode(X, lfirst(lc)), llast(l));
                plain(state, lthird(l), NIL);
                later = llast(l);
                ((union V *) lfourth(l))->sval = strVal(lfirst(lc));
                return lfirst(lc);
            }";
        assert_eq!(
            found(code),
            [
                "f: V * lfourth(l)",
                "f: X * lfirst(lc)",
                "f: X * llast(l)",
                "f: plain(X * lthird(l))",
            ]
        );
    }

    fn cycle(code: &str) -> Option<String> {
        let tokens = c::tokens(code);
        unchecked_cycle(&c::functions(&tokens)).map(|cycle| cycle.join(" "))
    }

    #[test]
    fn finds_functions_that_reach_themselves_without_a_check() {
        let last = "void c(int i) { if (i) a(i - 1); } void d(void) { c(1); }";
        let unchecked = format!("void a(int i) {{ b(i); }} void b(int i) {{ c(i); }} {last}");
        assert_eq!(cycle(&unchecked).expect("a cycle"), "a b c a");
        let in_a_call = format!(
            "void a(int i) {{ (check_stack_depth(), b(i)); }} void b(int i) {{ c(i); }} {last}"
        );
        assert_eq!(cycle(&in_a_call), None);
        let in_a_function = format!(
            "void a(int i) {{ b(i); }} void b(int i) {{ check_stack_depth(); c(i); }} {last}"
        );
        assert_eq!(cycle(&in_a_function), None);
        let in_a_block = format!(
            "void a(int i) {{ b(i); }} void b(int i) {{ if (i) {{ check_stack_depth(); c(i); }} }} {last}"
        );
        assert_eq!(cycle(&in_a_block), None);
        let in_another = format!(
            "void a(int i) {{ b(i); }} void b(int i) {{ if (i) {{ check_stack_depth(); }} c(i); }} {last}"
        );
        assert!(cycle(&in_another).is_some());
    }
}
