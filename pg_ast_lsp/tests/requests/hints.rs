//! Semantic tokens, inlay hints and signatures.

use serde_json::{Value, json};

use super::client::{self, Client, cursor};

const SCHEMA: &str = "CREATE TABLE users (id bigint, name text);\n";

/// Returns the words with their kinds.
fn words(text: &str, legend: &Value, data: &Value) -> Vec<(String, String)> {
    let numbers: Vec<u64> =
        data.as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let word = |token: &[u64]| {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let place = |character| json!({ "line": line, "character": character });
        let [start, end] = [column, column + token[2]].map(|at| client::offset(text, &place(at)));
        let kind = &legend["tokenTypes"][usize::try_from(token[3]).unwrap()];
        (text[start..end].to_owned(), kind.as_str().unwrap().to_owned())
    };
    numbers.chunks(5).map(word).collect()
}

#[test]
fn words_have_kinds() {
    let mut client = Client::start();
    let legend = client.capabilities["semanticTokensProvider"]["legend"].clone();
    let text =
        "\\set x 1\n-- of\nSELECT u.name, count(*), '🐘\nä' FROM users AS u WHERE u.id >= $1;
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int; BEGIN v := a + 1.5; RETURN v; /* end */ END $$;";
    client.open(text);
    let params = json!({ "textDocument": { "uri": client::URI } });
    let full = client.request("textDocument/semanticTokens/full", params);
    let found = words(text, &legend, &full["data"]);
    let has = |word: &str, kind: &str| {
        assert!(found.contains(&(word.to_owned(), kind.to_owned())), "{word}: {found:?}");
    };
    for (word, kind) in [
        ("\\set x 1", "macro"),
        ("-- of", "comment"),
        ("SELECT", "keyword"),
        ("u", "variable"),
        ("name", "property"),
        ("count", "function"),
        ("'🐘", "string"),
        ("ä'", "string"),
        ("users", "class"),
        (">=", "operator"),
        ("$1", "parameter"),
        ("f", "function"),
        ("a", "parameter"),
        ("v", "variable"),
        ("1.5", "number"),
        ("/* end */", "comment"),
        ("DECLARE", "keyword"),
    ] {
        has(word, kind);
    }
    client.end();
}

/// What changes by the deltas is what a new document has.
#[test]
fn deltas_lead_to_the_same_tokens() {
    let mut client = Client::start();
    let mut text = format!("{SCHEMA}SELECT id FROM users;\n-- a\nSELECT name FROM users;\n");
    client.open(&text);
    let params = json!({ "textDocument": { "uri": client::URI } });
    let full = client.request("textDocument/semanticTokens/full", params.clone());
    let mut data = full["data"].as_array().unwrap().clone();
    let mut id = full["resultId"].clone();
    for (find, new) in [
        ("id FROM", "id, name FROM"),
        ("-- a\n", ""),
        ("SELECT", "\n'a\nb'; SELECT"),
        ("FROM users", "FORM"),
    ] {
        let at = text.find(find).unwrap();
        client.edit(&mut text, at..at + find.len(), new);
        let mut asked = params.clone();
        asked["previousResultId"] = id.clone();
        let delta = client.request("textDocument/semanticTokens/full/delta", asked);
        for edit in delta["edits"].as_array().unwrap() {
            let number = |name: &str| usize::try_from(edit[name].as_u64().unwrap()).unwrap();
            let new = edit["data"].as_array().cloned().unwrap_or_default();
            data.splice(number("start")..number("start") + number("deleteCount"), new);
        }
        assert_ne!(delta["resultId"], id);
        let full = client.request("textDocument/semanticTokens/full", params.clone());
        assert_eq!(full["data"], Value::Array(data.clone()), "{text}");
        id = full["resultId"].clone();
    }
    client.end();
}

fn hints(client: &mut Client, text: &str) -> Vec<(usize, String)> {
    client.open(text);
    let params = json!({
        "textDocument": { "uri": client::URI },
        "range": { "start": { "line": 1, "character": 0 }, "end": { "line": 99, "character": 0 } },
    });
    let found = client.request("textDocument/inlayHint", params);
    let hint = |it: &Value| {
        let line: usize = text.lines().next().map_or(0, |line| line.len() + 1);
        (client::offset(text, &it["position"]) - line, it["label"].as_str().unwrap().to_owned())
    };
    found.as_array().unwrap().iter().map(hint).collect()
}

#[test]
fn hints_tell_what_is_left_out() {
    let mut client = Client::start();
    let mut found = |sql: &str| {
        let shown = hints(&mut client, &format!("{SCHEMA}{sql}"));
        shown.into_iter().map(|(at, label)| (sql[at..].chars().next(), label)).collect::<Vec<_>>()
    };
    let labels = |pairs: &[(char, &str)]| {
        pairs.iter().map(|(at, label)| (Some(*at), (*label).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(found("SELECT *\nFROM users"), labels(&[('\n', "id, name")]));
    assert_eq!(found("SELECT u.*, 1 FROM users u"), labels(&[(',', "id, name")]));
    let insert = "INSERT INTO users VALUES (1, 'b'), (lower('c'), NULL)";
    let expected = [('1', "id:"), ('\'', "name:"), ('l', "id:"), ('N', "name:")];
    assert_eq!(found(insert), labels(&expected));
    assert_eq!(
        found("INSERT INTO users (name, id) VALUES (1, 2)"),
        labels(&[('1', "name:"), ('2', "id:")])
    );
    let body = "DO $$ BEGIN INSERT INTO users VALUES (1, 'b'); END $$";
    assert_eq!(found(body), labels(&[('1', "id:"), ('\'', "name:")]));
    // What is not known is not shown.
    assert_eq!(found("SELECT * FROM unknown"), []);
    assert_eq!(found("INSERT INTO users (id) VALUES (1), (2)"), []);
    assert_eq!(found("INSERT INTO unknown VALUES (1, 2)"), []);
    client.end();
}

#[test]
fn calls_show_their_parameters() {
    let mut client = Client::start();
    let mut help = |sql: &str| {
        let schema = "CREATE FUNCTION app.pay(who bigint, amount numeric DEFAULT 0) RETURNS numeric LANGUAGE sql AS $$ SELECT 1 $$;\n";
        let (text, at) = cursor(&format!("{schema}{sql}"));
        client.open(&text);
        let found = client.ask("textDocument/signatureHelp", &text, at).unwrap();
        let index = found["activeSignature"].as_u64().map(|it| usize::try_from(it).unwrap());
        let active = index.map(|index| found["signatures"][index].clone()).unwrap_or_default();
        let label = active["label"].as_str().unwrap_or_default().to_owned();
        (label, found["activeParameter"].as_u64())
    };
    let pay = "pay(who bigint, amount numeric DEFAULT 0) → numeric".to_owned();
    assert_eq!(help("SELECT app.pay(|"), (pay.clone(), Some(0)));
    assert_eq!(help("SELECT pay(1, |) FROM t"), (pay.clone(), Some(1)));
    assert_eq!(help("SELECT pay((1 + 2), f(a, b), |"), (pay.clone(), Some(2)));
    assert_eq!(help("SELECT pay(1, ARRAY[2, 3, |"), (pay.clone(), Some(1)));
    assert_eq!(help("SELECT pay(ARRAY[2, 3], a[1], |"), (pay.clone(), Some(2)));
    assert_eq!(help("DO $$ BEGIN PERFORM app.pay(1, | END $$"), (pay, Some(1)));
    assert_eq!(help("SELECT jsonb_set(a, |").1, Some(1));
    assert!(help("SELECT jsonb_set(a, |").0.starts_with("jsonb_set(jsonb_in jsonb, path text[]"));
    assert_eq!(help("SELECT 1 + (|"), (String::new(), None));
    assert_eq!(help("SELECT f(1); |"), (String::new(), None));
    client.end();
}
