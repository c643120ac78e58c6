//! The page of examples, some of which older versions do not accept.

use std::fmt::Write as _;
use std::{env, fs};

use pg_ast::Version;
use pg_ast_fmt::{Options, format};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/formatting.md");
const FENCE: &str = "```sql\n";

/// Each section has a statement, and its layout.
#[test]
fn the_page_shows_what_is_printed() {
    let page = fs::read_to_string(PAGE).unwrap();
    let mut sections = page.split("\n## ");
    let mut renewed = sections.next().unwrap().to_owned();
    let mut count = 0;
    for section in sections {
        let (title, rest) = section.split_once('\n').unwrap();
        let mut blocks = rest.split(FENCE).skip(1).map(|it| it.split_once("```").unwrap().0);
        let (before, after) = (blocks.next().unwrap(), blocks.next().unwrap_or_default());
        let options = Options::default().width(80);
        let formatted = format(Version::newest(), before, &options);
        assert!(formatted.errors.is_empty() && formatted.kept.is_empty(), "{title}: {formatted:?}");
        if env::var_os("UPDATE").is_none() {
            assert_eq!(formatted.text, after, "{title}");
        }
        assert_eq!(
            format(Version::newest(), &formatted.text, &options).text,
            formatted.text,
            "{title}, again"
        );
        let text = &formatted.text;
        write!(renewed, "\n## {title}\n\n{FENCE}{before}```\n\n{FENCE}{text}```\n").unwrap();
        count += 1;
    }
    assert!(count >= 40, "{count} statements");
    if env::var_os("UPDATE").is_some() {
        fs::write(PAGE, renewed).unwrap();
    }
}
