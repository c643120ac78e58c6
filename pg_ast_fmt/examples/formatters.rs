//! Compares formatters: what each does to the scripts of a folder.
//!
//! ```console
//! cargo run --release -p pg_ast_fmt --example formatters -- FOLDER 'pgast fmt' 'pg_format -' ..
//! ```
//!
//! Each command reads a script and writes it again. Only scripts of correct statements count, without commands for psql.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use pg_ast::Version;

/// The most that a command may take for a script.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a formatter did, in numbers of files.
#[derive(Debug, Default)]
struct Counts {
    files: usize,
    /// It failed, or took too long.
    failed: usize,
    /// What is not SQL any more, though it was.
    wrong: usize,
    tokens: usize,
    trees: usize,
    /// A comment is missing, or between other tokens.
    comments: usize,
    /// A comment at the end of a line is on a line of its own, or the other way round.
    lines: usize,
    /// Formatting the result changes it.
    unstable: usize,
    /// Without those of second runs.
    seconds: f64,
}

fn main() {
    let mut args = env::args().skip(1);
    let folder = args.next().expect("a folder");
    let mut scripts = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if let Some(script) = read(&path) {
            scripts.push((path, script));
        }
    }
    scripts.sort();
    let bytes: usize = scripts.iter().map(|(_, script)| script.len()).sum();
    println!("{} scripts, {bytes} bytes", scripts.len());
    for command in args {
        let mut counts = Counts::default();
        for (path, script) in &scripts {
            let found = count(&command, script, &mut counts);
            if let Some(found) = found.filter(|_| env::var_os("VERBOSE").is_some()) {
                println!("{}: {found}", path.display());
            }
        }
        println!("{command}: {counts:#?}");
    }
}

fn read(path: &Path) -> Option<String> {
    let script = fs::read_to_string(path).ok()?;
    let stmts = Version::newest().parse_script(&script);
    let is_plain = !script.lines().any(|line| line.trim_start().starts_with('\\'));
    let is_correct = !stmts.is_empty() && stmts.iter().all(|stmt| stmt.result.is_ok());
    (is_plain && is_correct).then_some(script)
}

/// Counts what a command does to a script, and returns the first difference.
fn count(command: &str, script: &str, counts: &mut Counts) -> Option<&'static str> {
    counts.files += 1;
    let start = Instant::now();
    let result = run(command, script);
    counts.seconds += start.elapsed().as_secs_f64();
    let Some(text) = result else {
        counts.failed += 1;
        return Some("failed");
    };
    let mut first = None;
    let mut differs = |counter: &mut usize, what| {
        *counter += 1;
        first.get_or_insert(what);
    };
    match (Stmts::of(script), Stmts::of(&text)) {
        (Some(old), Some(new)) => {
            if old.tokens != new.tokens {
                differs(&mut counts.tokens, "tokens");
            }
            if old.trees != new.trees {
                differs(&mut counts.trees, "trees");
            }
            let has_moved = if old.tokens == new.tokens {
                old.comments != new.comments
            } else {
                let texts = |stmts: &Stmts| -> Vec<_> {
                    stmts.comments.iter().map(|it| it.1.clone()).collect()
                };
                texts(&old) != texts(&new)
            };
            if has_moved {
                differs(&mut counts.comments, "comments");
            } else if old.ends_of_lines != new.ends_of_lines {
                differs(&mut counts.lines, "lines");
            }
        }
        _ => differs(&mut counts.wrong, "wrong"),
    }
    if run(command, &text).as_ref() != Some(&text) {
        differs(&mut counts.unstable, "unstable");
    }
    first
}

/// What stays the same.
#[derive(Default)]
struct Stmts {
    /// In lower case, but for what is in quotes; those in bodies as well.
    tokens: Vec<String>,
    /// Fingerprints, without bodies.
    trees: Vec<Option<u64>>,
    /// Each with the number of tokens before it, and without blanks.
    comments: Vec<(usize, String)>,
    /// For each comment, whether it ends a line that does not begin with it.
    ends_of_lines: Vec<bool>,
}

impl Stmts {
    /// `None` if a statement is wrong.
    fn of(script: &str) -> Option<Self> {
        let mut all = Self::default();
        for stmt in Version::newest().parse_script(script) {
            stmt.result.ok()?;
            let fingerprint = Version::newest().fingerprint(&without_bodies(&script[stmt.range]));
            all.trees.push(fingerprint.ok().map(|it| it.value));
        }
        all.read(script);
        // A last semicolon may be missing.
        while all.tokens.pop_if(|token| token == ";").is_some() {}
        Some(all)
    }

    fn read(&mut self, sql: &str) {
        for token in Version::newest().scan_lossy(sql).tokens {
            let text = &sql[token.range.clone()];
            if token.is_comment() {
                let before = sql[..token.range.start].rsplit('\n').next().unwrap_or_default();
                let behind = sql[token.range.end..].split('\n').next().unwrap_or_default();
                self.ends_of_lines.push(!before.trim().is_empty() && behind.trim().is_empty());
                self.comments.push((self.tokens.len(), text.split_whitespace().collect()));
            } else if let Some(tag) = tag_of(text) {
                self.tokens.push(tag.to_owned());
                self.read(&text[tag.len()..text.len() - tag.len()]);
                self.tokens.push(tag.to_owned());
            } else if text.contains(['\'', '"']) {
                self.tokens.push(text.to_owned());
            } else {
                self.tokens.push(text.to_ascii_lowercase());
            }
        }
    }
}

/// The dollars around a body.
fn tag_of(token: &str) -> Option<&str> {
    let end = token.strip_prefix('$')?.find('$')? + 2;
    (token.len() >= end * 2).then(|| &token[..end])
}

fn without_bodies(sql: &str) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in Version::newest().scan_lossy(sql).tokens {
        if tag_of(&sql[token.range.clone()]).is_some() {
            text += &sql[end..token.range.start];
            text += "''";
            end = token.range.end;
        }
    }
    text + &sql[end..]
}

/// Runs a command.
fn run(command: &str, input: &str) -> Option<String> {
    let mut words = command.split(' ');
    let mut child = Command::new(words.next()?)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command is there");
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (mut stdin, stdout) = (stdin.expect("a pipe"), stdout.expect("a pipe"));
    let input = input.to_owned();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let reader = thread::spawn(|| std::io::read_to_string(stdout));
    let start = Instant::now();
    // Some say by their status that there is more to mend.
    let is_done = loop {
        if child.try_wait().expect("it runs").is_some() {
            break true;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("it runs");
            child.wait().expect("it runs");
            break false;
        }
        thread::sleep(Duration::from_millis(1));
    };
    let is_written = writer.join().ok()?.is_ok();
    let text = reader.join().ok()?.ok()?;
    (is_done && is_written && !text.trim().is_empty()).then_some(text)
}
