//! `pgast lsp` over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use snapbox::cmd::cargo_bin;

use super::folder;

struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(cargo_bin!("pgast"))
            .arg("lsp")
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.child.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server is gone");
            if let Some(value) = line.trim_end().strip_prefix("Content-Length: ") {
                length = value.parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn request(&mut self, id: u32, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn initialize(&mut self, options: &Value) -> Value {
        let params = json!({ "capabilities": {}, "initializationOptions": options });
        let result = self.request(1, "initialize", &params);
        self.notify("initialized", &json!({}));
        result
    }

    /// Returns the messages of the diagnostics of a new document.
    fn messages(&mut self, text: &str) -> Vec<String> {
        let found = self.diagnostics("file:///a.sql", text);
        found.iter().map(|it| it["message"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the diagnostics of a new document.
    fn diagnostics(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({ "uri": uri, "languageId": "sql", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        loop {
            let message = self.receive();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri {
                return params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    fn end(mut self) {
        assert_eq!(self.request(9, "shutdown", &Value::Null), Value::Null);
        self.notify("exit", &Value::Null);
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn lsp_serves_an_editor() {
    let here = folder(&[("pgast.toml", "[lint]\nignore = [\"delete-without-where\"]\n")]);
    let mut server = Server::start(here.path(), &["--stdio"]);
    let result = server.initialize(&Value::Null);
    assert_eq!(result["serverInfo"]["name"], "pgast");
    let found = server.messages("DELETE FROM t;\nSELECT FROM FROM;");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("syntax error at or near \"FROM\""), "{found:?}");
    server.end();
}

#[test]
fn lsp_ends_with_its_client() {
    let here = folder(&[]);
    let mut server = Server::start(here.path(), &[]);
    server.initialize(&Value::Null);
    drop(server.child.stdin.take());
    assert_eq!(server.child.wait().unwrap().code(), Some(2));
}

/// The diagnostics of each file are the findings of `pgast lint`, also with a baseline: all of them are in it but the last drop.
#[test]
fn lsp_has_the_settings_of_lint() {
    const SETTINGS: &str = r#"
pg = 15
placeholders = ["at-names"]

[lint]
extend-select = ["select-star", "unused-ignore"]
baseline = "known.json"
ignore = ["update-without-where"]
exclude = ["generated/"]

[lint.severity]
select-star = "info"
drop-table = "error"

[lint.per-file-ignores]
"tests/*.sql" = ["delete-without-where", "drop-table"]

[lint.rules.drop-table]
except-tables = ["tmp_*"]
"#;
    const TEXT: &str = "DROP TABLE tmp_a;
DROP TABLE a;
DELETE FROM t;
UPDATE t SET a = 1;
SELECT * FROM t WHERE a = @name;
SELECT a FORM t;
SELECT * FROM JSON_TABLE('[]', '$[*]' COLUMNS (a int)) AS j;
-- pgast-ignore drop-view
DROP TABLE b;
";
    let paths = ["a.sql", "tests/a.sql", "tests/deep/a.sql", "generated/a.sql", "with space.sql"];
    let mut files = vec![("pgast.toml", SETTINGS)];
    files.extend(paths.map(|path| (path, TEXT)));
    let here = folder(&files);
    let folder = here.path().canonicalize().unwrap();
    let baseline = |text: &str| std::fs::write(folder.join("known.json"), text).unwrap();
    baseline(r#"{ "version": 1, "findings": [] }"#);
    let counts = counts_of_both(&folder, &paths, TEXT);
    // They are not the same everywhere.
    assert!(counts[0] > counts[1] && counts[2] == counts[0] && counts[3] == 0, "{counts:?}");

    super::pgast(&folder).args(["lint", "--write-baseline", "."]).assert().success();
    let text = format!("{TEXT}DROP TABLE b;\n");
    for path in paths {
        std::fs::write(folder.join(path), &text).unwrap();
    }
    assert_eq!(counts_of_both(&folder, &paths, &text), [1, 0, 1, 0, 1]);
}

/// Returns the number of findings in each file, which are its diagnostics.
fn counts_of_both(folder: &Path, paths: &[&str], text: &str) -> Vec<usize> {
    let mut server = Server::start(folder, &[]);
    server.initialize(&Value::Null);
    let mut counts = Vec::new();
    for path in paths {
        let run = super::pgast(folder).args(["lint", "--output", "json", path]).assert();
        let output = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        let found = output.lines().map(|line| {
            let found: Value = serde_json::from_str(line).unwrap();
            let level = ["error", "warning", "info"].iter().position(|it| found["level"] == *it);
            let place = [&found["line"], &found["column"]].map(|it| it.as_u64().unwrap() - 1);
            (found["rule"].clone(), level.unwrap() + 1, place)
        });
        let found: Vec<_> = found.collect();
        let uri = format!("file://{}/{}", folder.display(), path.replace(' ', "%20"));
        let diagnostics = server.diagnostics(&uri, text);
        let shown = diagnostics.iter().map(|it| {
            let start = &it["range"]["start"];
            let place = [&start["line"], &start["character"]].map(|it| it.as_u64().unwrap());
            let severity = usize::try_from(it["severity"].as_u64().unwrap()).unwrap();
            (it["code"].clone(), severity, place)
        });
        assert_eq!(shown.collect::<Vec<_>>(), found, "{path}");
        counts.push(found.len());
    }
    server.end();
    counts
}
