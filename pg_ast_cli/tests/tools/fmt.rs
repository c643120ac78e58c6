//! Formatting loses nothing. What must stay is determined here anew, and not by the code that the tool checks itself by.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pg_ast::{DeparseOptions, Version};

use crate::corpus::scripts;
use crate::format::Formatter;
use crate::mutate::{self, Mutation, tokens, windows};

/// Names of fields in JSON that have places.
const PLACES: [&str; 11] = [
    "location",
    "stmt_location",
    "arg_location",
    "name_location",
    "conninfo_location",
    "payload_location",
    "stmt_len",
    "list_start",
    "list_end",
    "rexpr_list_start",
    "rexpr_list_end",
];

/// The result of formatting many scripts.
#[derive(Default)]
struct Tally {
    scripts: AtomicUsize,
    stmts: AtomicUsize,
    /// Statements that stay as they are.
    kept: AtomicUsize,
    /// Scripts that stay as they are.
    refused: AtomicUsize,
    failures: Mutex<Vec<String>>,
}

impl Tally {
    /// Formats a script and looks for whatever is wrong with the result.
    fn add(&self, name: &dyn Fn() -> String, script: &str, comment: Option<&str>) {
        let options = DeparseOptions::default().indent_size(2).max_line_length(100);
        let tool = Formatter::new(Version::newest(), options).expect("layouts");
        let formatted = tool.format(script);
        let add = |counter: &AtomicUsize, count| counter.fetch_add(count, Ordering::Relaxed);
        add(&self.scripts, 1);
        add(&self.kept, formatted.kept.len());
        let mut failure = None;
        if let Some(difference) = &formatted.refused {
            add(&self.refused, 1);
            if formatted.text != script {
                failure = Some(format!("changed in spite of {difference:?}"));
            }
        } else {
            match wrong(script, &formatted.text) {
                Ok(stmts) => {
                    add(&self.stmts, stmts);
                }
                Err(what) => failure = Some(what),
            }
            if let Some(comment) = comment
                && script.matches(comment).count() != formatted.text.matches(comment).count()
            {
                failure = Some("the comment".to_owned());
            }
            if has_crlf_alone(script) && has_lf_between_tokens(&formatted.text) {
                failure = Some("a line break".to_owned());
            }
            let again = tool.format(&formatted.text);
            if again.text != formatted.text || again.refused.is_some() {
                failure = Some(format!("formatted again:\n{}", again.text));
            }
        }
        if let Some(what) = failure {
            let text = formatted.text;
            let report = format!("{}: {what}\n---\n{script}\n---\n{text}\n===\n", name());
            self.failures.lock().expect("no panic").push(report);
        }
    }

    /// Prints what was done, and fails if anything was wrong, or much stays as it is.
    fn finish(self) {
        let failures = self.failures.into_inner().expect("no panic");
        let [scripts, stmts, kept, refused] =
            [self.scripts, self.stmts, self.kept, self.refused].map(AtomicUsize::into_inner);
        println!(
            "{scripts} scripts, {stmts} statements: {} failures; as they are: {kept} statements, {refused} scripts",
            failures.len()
        );
        for failure in failures.iter().take(20) {
            println!("{failure:.3000}");
        }
        assert_eq!(failures.len(), 0);
        assert!(scripts > 0 && stmts > 0);
        assert!(refused * 1000 <= scripts, "{refused} scripts stay as they are");
        assert!(kept * 10 <= stmts, "{kept} statements stay as they are");
    }
}

/// Returns the number of statements of two equal scripts, or what differs.
fn wrong(old: &str, new: &str) -> Result<usize, String> {
    let [old_stmts, new_stmts] = [old, new].map(pg_ast::parse_script);
    if old_stmts.len() != new_stmts.len() {
        return Err(format!("{} statements, then {}", old_stmts.len(), new_stmts.len()));
    }
    for (a, b) in old_stmts.iter().zip(&new_stmts) {
        let (a_sql, b_sql) = (a.text(old), b.text(new));
        let same = match (&a.result, &b.result) {
            (Ok(a), Ok(b)) => {
                let [a, b] = [a, b].map(|tree| {
                    let json = pg_ast::json::to_string(&tree.protobuf).expect("JSON");
                    (without_places(&json), tree.fingerprint())
                });
                a == b
            }
            (Err(a), Err(b)) => a.message() == b.message() && a_sql == b_sql,
            _ => false,
        };
        if !same {
            return Err(format!("a statement:\n{a_sql}\n---\n{b_sql}"));
        }
    }
    let [old_rests, new_rests] = [(old, &old_stmts), (new, &new_stmts)].map(|(script, stmts)| {
        let ranges: Vec<_> = stmts.iter().map(|stmt| stmt.range.clone()).collect();
        rests(script, &ranges)
    });
    let (mut old_comments, mut new_comments) = (Vec::new(), Vec::new());
    for (index, (a, b)) in old_rests.iter().zip(&new_rests).enumerate() {
        let is_last = index == old_stmts.len();
        let added = is_last && a.code.is_empty() && b.code == ";";
        if a.code != b.code && !added {
            return Err(format!("between statements: {:?} became {:?}", a.code, b.code));
        }
        // Commands and data, blanks included.
        if a.code.contains('\\') && a.text != b.text {
            return Err(format!("text for psql: {:?} became {:?}", a.text, b.text));
        }
        old_comments.extend(a.comments.iter().map(|comment| comment.trim_end()));
        new_comments.extend(b.comments.iter().map(|comment| comment.trim_end()));
        let (Some(a), Some(b)) = (old_stmts.get(index), new_stmts.get(index)) else { continue };
        old_comments.extend(comments(a.text(old)));
        new_comments.extend(comments(b.text(new)));
    }
    if old_comments != new_comments {
        return Err(format!("comments: {old_comments:?} became {new_comments:?}"));
    }
    Ok(old_stmts.len())
}

/// The text before, between and after statements.
struct Rest<'a> {
    text: &'a str,
    /// Without blanks and comments.
    code: String,
    comments: Vec<&'a str>,
}

fn rests<'a>(script: &'a str, stmts: &[std::ops::Range<usize>]) -> Vec<Rest<'a>> {
    let mut rests = Vec::new();
    let mut start = 0;
    let ends = stmts.iter().map(|stmt| (stmt.start, stmt.end));
    for (end, next) in ends.chain([(script.len(), script.len())]) {
        let text = &script[start..end];
        let mut code = String::new();
        let mut from = 0;
        let tokens = pg_ast::scan_lossy(text).scan.tokens;
        let found: Vec<_> =
            tokens.into_iter().filter(|it| it.is_comment()).map(pg_ast::ScanToken::range).collect();
        for range in &found {
            code += &text[from..range.start];
            from = range.end;
        }
        code += &text[from..];
        code.retain(|c| !c.is_ascii_whitespace());
        rests.push(Rest { text, code, comments: found.into_iter().map(|it| &text[it]).collect() });
        start = next;
    }
    rests
}

fn comments(sql: &str) -> Vec<&str> {
    let tokens = pg_ast::scan_lossy(sql).scan.tokens.into_iter().filter(|it| it.is_comment());
    tokens.map(|token| sql[token.range()].trim_end()).collect()
}

/// Returns JSON without the fields that are places; those that are 0 are missing. In a string, a quote has a backslash
/// before it, so that no string has the name of a field with its quotes; and no control character.
fn without_places(json: &str) -> String {
    const GONE: &str = "\u{1}";
    let json = PLACES.iter().fold(json.to_owned(), |json, name| {
        let name = format!("\"{name}\":");
        let mut parts = json.split(name.as_str());
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |kept, part| {
            let number = |c: char| c == '-' || c.is_ascii_digit();
            kept + GONE + part.trim_start_matches(number)
        })
    });
    let json = json.replace(&format!(",{GONE}"), "").replace(&format!("{GONE},"), "");
    json.replace(GONE, "")
}

fn has_crlf_alone(script: &str) -> bool {
    script.contains('\n') && !has_lf(script)
}

fn has_lf(text: &str) -> bool {
    text.replace("\r\n", "").contains('\n')
}

/// Returns whether a correct statement has a line that does not end with CRLF. In a constant, it is part of that: the
/// printer writes `E'\n'` as a line break.
fn has_lf_between_tokens(script: &str) -> bool {
    pg_ast::parse_script(script).iter().filter(|stmt| stmt.result.is_ok()).any(|stmt| {
        let sql = stmt.text(script);
        let tokens = pg_ast::scan_lossy(sql).scan.tokens;
        let ends = tokens.iter().map(|token| token.range().end);
        let starts = tokens.iter().skip(1).map(|token| token.range().start);
        ends.zip(starts).any(|(end, start)| has_lf(&sql[end..start]))
    })
}

/// Calls a function with the numbers below `count`, on all processors.
fn in_parallel(count: usize, f: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    f(index);
                }
            });
        }
    });
}

/// Formats every `step`th script, and some with other line breaks.
fn whole_scripts(step: usize) {
    let scripts: Vec<_> = scripts().into_iter().step_by(step).collect();
    let tally = Tally::default();
    in_parallel(scripts.len(), |index| {
        let script = &scripts[index];
        tally.add(&|| script.name.clone(), &script.text, None);
        if index % 3 == 0 {
            let windows = script.text.replace("\r\n", "\n").replace('\n', "\r\n");
            tally.add(&|| format!("{}, with CRLF", script.name), &windows, None);
        }
    });
    tally.finish();
}

/// Formats whole scripts, each with one mutation of each kind.
fn mutated_scripts(step: usize) {
    let scripts: Vec<_> = scripts().into_iter().step_by(step).collect();
    let tally = Tally::default();
    in_parallel(scripts.len() * mutate::ALL.len(), |index| {
        let (script, kind) =
            (&scripts[index / mutate::ALL.len()], mutate::ALL[index % mutate::ALL.len()]);
        let stmts = Version::newest().parse_script(&script.text);
        let Some(stmt) = stmts.get(index * 7919 % stmts.len().max(1)) else { return };
        let tokens = tokens(&script.text, stmt.range.clone());
        mutated(&tally, &script.name, &script.text, &tokens, kind, index * 31);
    });
    tally.finish();
}

/// Formats every `step`th statement between the two around it, with one mutation.
fn mutated_stmts(step: usize) {
    let scripts = scripts();
    let tally = Tally::default();
    let seen = Mutex::new(std::collections::HashSet::new());
    in_parallel(scripts.len(), |index| {
        let script = &scripts[index];
        for (at, (text, stmt)) in windows(&script.text).into_iter().enumerate() {
            let number = index + at;
            // Most statements are in both packages.
            if number % step != 0 || !seen.lock().expect("no panic").insert(text.to_owned()) {
                continue;
            }
            let tokens = tokens(text, stmt);
            let kind = mutate::ALL[number / step % mutate::ALL.len()];
            mutated(&tally, &script.name, text, &tokens, kind, number * 31);
        }
    });
    tally.finish();
}

fn mutated(
    tally: &Tally,
    name: &str,
    script: &str,
    tokens: &[std::ops::Range<usize>],
    kind: Mutation,
    at: usize,
) {
    let places = tokens.len() + usize::from(kind.adds_comment());
    if places == 0 {
        return;
    }
    let at = at % places;
    let text = kind.apply(script, tokens, at);
    let comment = match kind {
        Mutation::BlockComment => Some(mutate::BLOCK_COMMENT),
        Mutation::LineComment => Some(mutate::LINE_COMMENT),
        _ => None,
    };
    tally.add(&|| format!("{name}, {kind} at token {at}"), &text, comment);
}

#[test]
fn scripts_keep_what_they_have() {
    whole_scripts(6);
}

#[test]
fn scripts_with_a_mistake_keep_what_they_have() {
    mutated_scripts(60);
}

#[test]
fn statements_with_a_mistake_keep_what_they_have() {
    mutated_stmts(40);
}

#[test]
#[ignore = "several minutes"]
fn all_scripts_keep_what_they_have() {
    whole_scripts(1);
}

#[test]
#[ignore = "several minutes"]
fn all_scripts_with_a_mistake_keep_what_they_have() {
    mutated_scripts(1);
}

#[test]
#[ignore = "several minutes"]
fn all_statements_with_a_mistake_keep_what_they_have() {
    mutated_stmts(1);
}
