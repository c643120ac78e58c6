//! Comments anywhere, at any width: they stay, and a second run changes nothing.

use pg_ast::Version;
use pg_ast_fmt::{Options, format};

const PAGE: &str = include_str!("../../../docs/formatting.md");

/// What is put between two tokens.
const COMMENTS: &[&str] =
    &[" /* c */ ", " -- c\n", "\n-- c\n", "\n/* c */ ", " /* c */\n", "\n\n/* c */\n", "/*c*/"];

#[test]
fn comments_between_any_tokens() {
    let statements = PAGE.split("```sql\n").skip(1).step_by(2);
    let mut count = 0;
    for (number, sql) in statements.map(|it| it.split_once("```").unwrap().0).enumerate() {
        let tokens = Version::newest().scan(sql).unwrap();
        let gaps = tokens.windows(2).filter(|pair| {
            // `N'..'` is one thing, and so is what a comment would make of `-` and `/`.
            let text = &sql[pair[0].range.clone()];
            pair[0].range.end < pair[1].range.start || text == "," || text == "("
        });
        for (index, gap) in gaps.enumerate() {
            let comment = COMMENTS[(index + number) % COMMENTS.len()];
            let at = gap[1].range.start;
            let script = format!("{}{comment}{}", &sql[..at], &sql[at..]);
            let options = Options::default().width([1, 30, 60, 90][index % 4]);
            let formatted = format(Version::newest(), &script, &options);
            assert!(formatted.kept.is_empty() && formatted.refused.is_none(), "{script}");
            assert!(formatted.kept_bodies.is_empty(), "{script}");
            let text = &formatted.text;
            let again = format(Version::newest(), text, &options).text;
            assert_eq!(again, *text, "{options:?} a second time, of {script}");
            assert_eq!(
                text.matches(comment.trim()).count(),
                1 + sql.matches(comment.trim()).count()
            );
            count += 1;
        }
    }
    assert!(count > 1_000, "{count}");
}
