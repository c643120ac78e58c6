//! Makes the files of a new rule, for who works on this crate:
//!
//! ```sh
//! cargo run -p pg_ast_lint --example new_rule -- lonely-comma "a comma is alone"
//! ```
//!
//! The rule compiles, and its tests fail until it is written.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pg_ast_lint::Rule;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (Some(name), Some(description), None) = (args.next(), args.next(), args.next()) else {
        return Err("expected the name of the rule, and what it finds in one line".into());
    };
    for path in make(Path::new(env!("CARGO_MANIFEST_DIR")), &name, &description)? {
        println!("{}", path.display());
    }
    println!("next: its page, its check, and its tests; cargo test -p pg_ast_lint --test rules");
    Ok(())
}

/// Writes the files of a rule into a folder of the crate, and returns their paths. If one cannot be made, none is written.
fn make(root: &Path, name: &str, description: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    if !name.split('-').all(is_word) {
        return Err(format!("{name}: expected lower-case words, joined by hyphens").into());
    }
    if name.parse::<Rule>().is_ok() {
        return Err(format!("{name}: there is such a rule").into());
    }
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let variant: String = name.split('-').map(capital).collect();
    let module = name.replace('-', "_");
    let write = |template: &str| {
        let text = template.replace("{name}", name).replace("{description}", description);
        text.replace("{variant}", &variant).replace("{module}", &module)
    };
    let mut files = Vec::new();
    for (path, template) in [
        ("docs/{name}.md", PAGE),
        ("src/rules/{module}.rs", CHECK),
        ("tests/rules/{module}.rs", TESTS),
    ] {
        let path = root.join(write(path));
        if path.exists() {
            return Err(format!("{} is there", path.display()).into());
        }
        files.push((path, write(template)));
    }
    for (path, anchor, added) in [
        ("src/rule.rs", "}\n\nimpl fmt::Display for Rule", "    {variant} \"{name}\" optional;\n"),
        (
            "src/rules/mod.rs",
            "    if stmt.rows == Rows::Nowhere",
            "    {module}::check(stmt, node, found);\n",
        ),
        ("src/rules/mod.rs", "mod alter_table;\n", "mod {module};\n"),
        ("tests/rules/main.rs", "mod bodies;\n", "mod {module};\n"),
        (
            "tests/rules/recommended.rs",
            "        _ => &[],\n",
            "        Rule::{variant} => &[\"SELECT a FROM t;\"],\n",
        ),
    ] {
        let path = root.join(path);
        let known = files.iter().position(|(file, _)| *file == path);
        let text = match known {
            Some(known) => files[known].1.clone(),
            None => fs::read_to_string(&path)?,
        };
        let place =
            text.find(anchor).ok_or_else(|| format!("{}: no {anchor:?}", path.display()))?;
        let text = format!("{}{}{}", &text[..place], write(added), &text[place..]);
        match known {
            Some(known) => files[known].1 = text,
            None => files.push((path, text)),
        }
    }
    for (path, text) in &files {
        fs::write(path, text)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

const PAGE: &str = "# {name}: {description}

Say why that is a problem, and what to do instead.

## Bad

```sql
SELECT what_it_finds FROM t;
```

## Good

```sql
SELECT what_it_accepts FROM t;
```

## How to ignore it

A comment before the statement silences the rule for it:

```sql
-- pgast-ignore {name}
SELECT what_it_finds FROM t;
```
";

const CHECK: &str = "//! {description}.

use pg_ast::view::{Node, SelectStmt};

use crate::stmt::Stmt;
use crate::{Finding, Rule};

/// Checks a node.
pub(super) fn check(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let Node::SelectStmt(select) = node else { return };
    // Replace this.
    let is_wrong = |_: SelectStmt<'_>| false;
    if is_wrong(select) {
        found.push(Finding::of(Rule::{variant}, stmt.place(node)).help(\"say what to do\"));
    }
}
";

const TESTS: &str = "//! `{name}`.

use pg_ast_lint::Rule;

use crate::{finds, passes};

#[test]
fn what_it_finds() {
    finds(Rule::{variant}, \"SELECT what_it_finds FROM t\", &[\"what_it_finds\"]);
}

#[test]
fn what_it_accepts() {
    passes(Rule::{variant}, \"SELECT what_it_accepts FROM t\");
}
";

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy of the files that it changes.
    fn copy(name: &str) -> Result<PathBuf, Box<dyn Error>> {
        let root = env::temp_dir().join(format!("new_rule-{name}-{}", std::process::id()));
        for folder in ["docs", "src/rules", "tests/rules"] {
            fs::create_dir_all(root.join(folder))?;
        }
        let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in
            ["src/rule.rs", "src/rules/mod.rs", "tests/rules/main.rs", "tests/rules/recommended.rs"]
        {
            fs::copy(crate_root.join(file), root.join(file))?;
        }
        Ok(root)
    }

    #[test]
    fn all_files_are_made() -> Result<(), Box<dyn Error>> {
        let root = copy("made")?;
        let files = make(&root, "made-by-tests", "a comma is alone")?;
        assert_eq!(files.len(), 7);
        let read = |path: &str| fs::read_to_string(root.join(path));
        assert!(
            read("src/rule.rs")?.contains("\n    MadeByTests \"made-by-tests\" optional;\n}\n")
        );
        let rules = read("src/rules/mod.rs")?;
        assert!(rules.contains("mod made_by_tests;\n") && rules.contains("made_by_tests::check("));
        assert!(
            read("docs/made-by-tests.md")?.starts_with("# made-by-tests: a comma is alone\n\n")
        );
        assert!(read("tests/rules/made_by_tests.rs")?.contains("Rule::MadeByTests"));
        // Not twice.
        assert!(make(&root, "made-by-tests", "").is_err());
        fs::remove_dir_all(root)?;
        Ok(())
    }

    #[test]
    fn wrong_names_make_nothing() -> Result<(), Box<dyn Error>> {
        let root = copy("wrong")?;
        for name in ["", "Comma", "made_by_tests", "lonely-", "../a", "drop-table", "1a"] {
            assert!(make(&root, name, "").is_err(), "{name}");
        }
        fs::remove_file(root.join("src/rules/mod.rs"))?;
        assert!(make(&root, "made-by-tests", "").is_err());
        assert!(!root.join("docs/made-by-tests.md").exists());
        fs::remove_dir_all(root)?;
        Ok(())
    }
}
