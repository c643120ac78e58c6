//! Long sessions: the state after any edits is that of a new document with the same text.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{self, Client};

/// A generator of numbers; the same ones in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(usize::MAX) % end.max(1)
    }
}

/// Returns the statements of the repository, and functions in PL/pgSQL.
fn scripts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut found = Vec::new();
    for folder in ["statements", "plpgsql", "plpgsql/valid", "plpgsql/wrong", "effects"] {
        let files = fs::read_dir(root.join(folder)).expect("the folder");
        for file in files.flatten() {
            let path = file.path();
            if path.extension().is_some_and(|it| it == "sql") {
                let text = fs::read_to_string(&path).expect("a text");
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() >= 20, "{}", found.len());
    found
}

/// All that the server says of a document.
fn state(client: &mut Client, text: &str, place: usize) -> Vec<Value> {
    let position = client::position(text, place);
    let params = json!({
        "textDocument": { "uri": client::URI },
        "position": position,
        "positions": [position],
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 100_000, "character": 0 } },
        "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
        "options": { "tabSize": 4, "insertSpaces": true },
    });
    let methods = [
        "textDocument/semanticTokens/full",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/inlayHint",
        "textDocument/completion",
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/documentHighlight",
        "textDocument/signatureHelp",
        "textDocument/codeAction",
        "textDocument/selectionRange",
    ];
    let mut found: Vec<_> = methods.iter().map(|it| client.request(it, params.clone())).collect();
    if let Some(tokens) = found[0].as_object_mut() {
        tokens.remove("resultId");
    }
    found
}

/// Compares what a client has with what a new document would have.
fn check(client: &mut Client, text: &str, place: usize, diagnostics: &[Value], what: &str) {
    let after_edits = state(client, text, place);
    let mut other = Client::start();
    assert_eq!(other.open(text), diagnostics, "{what}: {text:?}");
    assert_eq!(state(&mut other, text, place), after_edits, "{what}: {text:?}");
    other.end();
}

/// Each script is typed character by character, and looked at now and then. Of a long one, the beginning.
fn typed(per_script: usize, between: usize) {
    for (name, script) in scripts() {
        let mut client = Client::start();
        let mut text = String::new();
        client.open("");
        let mut diagnostics = Vec::new();
        for (count, c) in script.chars().take(per_script).enumerate() {
            let at = text.len();
            diagnostics = client.edit(&mut text, at..at, c.encode_utf8(&mut [0; 4]));
            if count % between == between - 1 {
                let place = text.len();
                check(&mut client, &text, place, &diagnostics, &name);
            }
        }
        let place = text.len() / 2;
        let place = (0..=place).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        check(&mut client, &text, place, &diagnostics, &name);
        client.end();
    }
}

#[test]
fn typed_scripts_have_the_state_of_new_ones() {
    typed(200, 100);
}

#[test]
#[ignore = "takes minutes"]
fn typed_scripts_have_the_state_of_new_ones_in_full() {
    typed(usize::MAX, 200);
}

/// What is put into texts: parts of tokens, of several lines, and of other scripts.
const PIECES: [&str; 30] = [
    ";",
    "'",
    "\"",
    "$$",
    "(",
    ")",
    ",",
    ".",
    "--",
    "/*",
    "*/",
    "\n",
    "\r\n",
    " ",
    "ä",
    "🐘",
    "SELECT ",
    "FROM ",
    "CREATE TABLE t (a int);",
    "ALTER TABLE t ADD b int;",
    "DROP TABLE t;",
    "BEGIN",
    "END;",
    "a",
    "t",
    "1",
    "\\echo x\n",
    "COPY t FROM stdin;\n",
    "\\.\n",
    "SELECT a FROM t;",
];

fn edited(edits: usize, between: usize) {
    let scripts = scripts();
    let mut numbers = Numbers(42);
    let mut client = Client::start();
    let mut text = String::new();
    client.open("");
    for count in 0..edits {
        // From time to time, another script.
        if count % 500 == 0 {
            let script = &scripts[numbers.below(scripts.len())].1;
            let end = (0..=script.len().min(3_000)).rev().find(|at| script.is_char_boundary(*at));
            let all = 0..text.len();
            client.edit(&mut text, all, &script[..end.unwrap_or(0)]);
        }
        let mut boundary = |from: usize, most: usize| {
            let at = from + numbers.below((text.len() - from).min(most) + 1);
            // No position is between the two characters of a line break.
            let is_place = |at: &usize| {
                text.is_char_boundary(*at)
                    && !(text[..*at].ends_with('\r') && text[*at..].starts_with('\n'))
            };
            (from..=at).rev().find(is_place).unwrap_or(from)
        };
        let start = boundary(0, usize::MAX);
        let end = boundary(start, 12);
        let is_deletion = numbers.below(3) == 0;
        let new = if is_deletion { "" } else { PIECES[numbers.below(PIECES.len())] };
        let range = if is_deletion { start..end } else { start..start };
        let diagnostics = client.edit(&mut text, range, new);
        if count % between == between - 1 {
            check(&mut client, &text, start, &diagnostics, "random edits");
        }
    }
    client.end();
}

#[test]
fn random_edits_lead_to_the_state_of_a_new_document() {
    edited(600, 60);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_edits_lead_to_the_state_of_a_new_document() {
    edited(20_000, 50);
}

/// Diagnostics of older texts are not sent after those of newer ones.
#[test]
fn a_burst_of_changes_ends_with_the_right_diagnostics() {
    let mut client = Client::start();
    let mut text = String::new();
    client.open("");
    for word in ["SELECT ", "FROM ", "FROM ", "t;"] {
        let at = text.len();
        client.edit_without_waiting(&mut text, at..at, word);
    }
    let all = 0..text.len();
    client.edit_without_waiting(&mut text, all, "SELECT 1;");
    assert_eq!(client.diagnostics().len(), 0);
    client.end();
}
