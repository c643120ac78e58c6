//! The page of each rule: its parts, and its examples, which are tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pg_ast_lint::{Options, Rule, lint};

const BAD: &str = "\n## Bad\n";
const GOOD: &str = "\n## Good\n";
const IGNORE: &str = "\n## How to ignore it\n";

/// The SQL of a section.
fn example<'a>(page: &'a str, section: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(section)?;
    let rest = rest.split_once("\n## ").map_or(rest, |(section, _)| section);
    let (_, code) = rest.split_once("```sql\n")?;
    Some(code.split_once("```")?.0)
}

/// What a rule alone finds, as the text at its places.
fn found(rule: Rule, sql: &str) -> Vec<&str> {
    let findings = lint(sql, &Options::default().only([rule]));
    findings.iter().map(|finding| &sql[finding.range.clone()]).collect()
}

#[test]
fn each_page_has_its_parts() {
    for rule in Rule::ALL {
        let page = rule.page();
        let (name, description) = (rule.name(), rule.description());
        assert!(page.starts_with(&format!("# {name}: {description}\n\n")), "{rule}");
        assert!(!description.ends_with('.') && !description.is_empty(), "{rule}");
        let explanation = rule.explanation();
        assert!(page.contains(&format!("\n\n{explanation}\n{BAD}")), "{rule}");
        assert!(explanation.ends_with('.') && !explanation.starts_with('#'), "{rule}");
        let places = [BAD, GOOD, IGNORE].map(|section| page.find(section));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{rule}: {places:?}");
    }
}

#[test]
fn no_page_is_left_over() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let files: BTreeSet<_> = fs::read_dir(folder).unwrap().map(|it| name(it.unwrap())).collect();
    let rules: BTreeSet<_> = Rule::ALL.iter().map(|rule| format!("{rule}.md")).collect();
    assert_eq!(files, rules);
}

#[test]
fn examples_are_found_accepted_and_ignored() {
    for &rule in Rule::ALL {
        let page = rule.page();
        let [bad, good] =
            [BAD, GOOD].map(|section| example(page, section).unwrap_or_else(|| panic!("{rule}")));
        assert!(!found(rule, bad).is_empty(), "{rule}: {bad}");
        assert_eq!(found(rule, good), [""; 0], "{rule}: {good}");
        // Neither do other rules find something in it.
        let others = lint(good, &Options::default());
        assert!(others.is_empty(), "{rule}: {good}\n{others:#?}");
        for stmt in pg_ast::parse_script(good) {
            assert!(stmt.result.is_ok(), "{rule}: {good}: {:?}", stmt.result);
        }
        if let Some(ignored) = example(page, IGNORE) {
            assert!(ignored.contains(&format!("pgast-ignore {rule}\n")), "{rule}: {ignored}");
            assert_eq!(found(rule, ignored), [""; 0], "{rule}: {ignored}");
        }
    }
}
