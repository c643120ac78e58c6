//! Long runs, long lists, many comments and warnings, compared with libpg_query's own code.

use std::fmt::Debug;

use pg_ast::{Error, ParserOptions};

use super::pg::{self, protobuf::Token};
use super::{NAME, c_route};
use crate::common::on_thread;

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("small")
    }

    fn text(&mut self, pieces: &[&str]) -> String {
        let count = 1 + self.below(12);
        (0..count)
            .map(|_| {
                let times = [1, 1, 2, 3, 40, 62, 63, 64, 65, 127, 128, 129, 200][self.below(13)];
                let piece = pieces[self.below(pieces.len())];
                if self.below(3) == 0 { piece.repeat(times) } else { piece.to_owned() }
            })
            .collect()
    }
}

/// Returns tokens and errors, or the difference.
#[track_caller]
fn same<T: PartialEq + Debug>(
    sql: &str,
    ours: Result<T, Error>,
    theirs: Result<T, c_route::Error>,
) -> bool {
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{NAME}: {sql:?}"),
        (Err(ours), Err(theirs)) => {
            let at = |characters: usize| {
                sql.char_indices().nth(characters - 1).map_or(sql.len(), |(offset, _)| offset)
            };
            let cursor = (theirs.cursor > 0).then(|| at(theirs.cursor));
            assert_eq!(ours.message(), theirs.message, "{NAME}: {sql:?}");
            assert_eq!(ours.cursor(), cursor, "{NAME}: {sql:?}");
            return false;
        }
        (ours, theirs) => panic!("{NAME}: {sql:?}\n{ours:?}\n{theirs:?}"),
    }
    true
}

/// Compares tokens, errors and trees.
#[track_caller]
fn scans_the_same(sql: &str) -> bool {
    let ours = pg::scan(sql).map(|scan| {
        let tokens = scan.tokens.iter().map(|token| {
            let code = match token.token {
                Token::Nul => i32::from(sql.as_bytes()[token.start as usize]),
                token => token as i32,
            };
            (code, token.start.cast_signed(), token.end.cast_signed())
        });
        tokens.collect::<Vec<_>>()
    });
    let theirs = c_route::scan(sql).map(|scan| {
        scan.tokens.iter().map(|token| (token.token, token.start, token.end)).collect::<Vec<_>>()
    });
    let scans = same(sql, ours, theirs);
    let grammar = ParserOptions::default().normalized(true);
    let ours = pg::parse_with(sql, grammar).map(|tree| tree.protobuf.clone());
    same(sql, ours, c_route::parse(sql, 0));
    scans
}

/// The scanner reads runs of operator characters in one pass.
#[test]
fn runs_of_operator_characters() {
    let pieces = [
        "+", "-", "*", "/", "<", ">", "=", "~", "!", "@", "#", "%", "^", "&", "|", "`", "?", "+-",
        "-+", "=-", "~+", "/*", "*/", "/**/", "--", "/+", "*+", "\n", " ", "1", "a", "'x'", "$1",
        "é", "<>", ">=", "=>", "!=", ":=", ".",
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut scanned, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let text = random.text(&pieces);
        for sql in [format!("SELECT 1 {text}"), format!("/*{text}"), text] {
            if scans_the_same(&sql) { scanned += 1 } else { refused += 1 }
        }
    }
    // Both are held.
    assert!(scanned > 1_000 && refused > 1_000, "{scanned} {refused}");
}

/// An operator is too long from 64 bytes on, and no SQL that PostgreSQL accepts is rejected.
#[test]
fn long_operators() {
    // Each `+` is a level, and libpg_query's route decodes its tree on the current stack.
    on_thread(64 << 20, || {
        for length in [62, 63, 64, 65, 127, 128, 129, 500] {
            for tail in ["", "+", "-+", "/*x*/", "--x\n", "+/*x*/"] {
                for operator in ["~", "=", "+", "<", "~+", "=+", "/"] {
                    scans_the_same(&format!("SELECT 1 {}{tail} 1", operator.repeat(length)));
                    scans_the_same(&format!("SELECT 1 *{}{tail}", operator.repeat(length)));
                }
            }
        }
    });
    assert!(pg::parse(&format!("SELECT {}1", "+".repeat(1_000))).is_ok());
    // Before 18, the scanner passes each comment on.
    on_thread(256 << 10, || {
        for comment in ["/**/", "--\n"] {
            let comments = comment.repeat(100_000);
            assert!(pg::parse(&format!("{comments}SELECT {comments}1{comments}")).is_ok());
        }
    });
    let error = pg::parse(&format!("SELECT 'é', 1 {} 1", "~".repeat(300))).expect_err("too long");
    assert!(error.message().starts_with("operator too long at or near \"~~~"), "{error}");
    assert_eq!(error.cursor(), Some(15));
}

/// SQL of a length for which PostgreSQL's scanner takes minutes.
#[test]
fn runs_take_no_time() {
    for text in ["/*", "+", "/**/", "+/**/", "-/**/", "+-", "*/", "/", "-+"] {
        let sql = text.repeat(1 << 17);
        let _ = pg::scan(&sql);
        let _ = pg::parse(&sql);
    }
}

/// Each item of GROUP BY takes the parameters of the first equal target that is not taken yet.
#[test]
fn grouping_by_many_targets() {
    let items = |count: usize, item: &dyn Fn(usize) -> String| {
        (0..count).map(item).collect::<Vec<_>>().join(", ")
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for count in [1, 2, 3, 10, 200] {
        for _ in 0..20 {
            // Some targets remain, so that libpg_query does not use a list that it has freed.
            let targets: Vec<_> = (0..count).map(|_| random.below(count)).collect();
            let grouped: Vec<_> = (0..count).map(|_| random.below(count)).collect();
            let item = |of: usize| format!("a{of} + {of} * f('x{of}')");
            let sql = format!(
                "SELECT {}, 'kept', 'too' FROM t WHERE b = 7 GROUP BY {}",
                items(count, &|i| item(targets[i])),
                items(count, &|i| item(grouped[i]))
            );
            let theirs = c_route::normalize(&sql, false);
            assert!(same(&sql, pg::normalize(&sql), theirs));
        }
    }
}

/// If all targets are taken, none is left for the next item. (libpg_query reads freed memory.)
#[test]
fn grouping_by_more_than_the_targets() {
    assert_eq!(
        pg::normalize("SELECT a + 1 FROM t GROUP BY a + 1, a + 1, b + 2").as_deref(),
        Ok("SELECT a + $1 FROM t GROUP BY a + $1, a + $2, b + $3")
    );
}

/// Locations of warnings are byte offsets, regardless of the characters before them.
#[test]
fn places_of_many_warnings() {
    let sql = "SELECT 'é\\n', /* ü */ '😀\\'', \"á\", '\\\\';\n".repeat(200);
    let options = pg_ast::ParserOptions::default()
        .standard_conforming_strings(false)
        .backslash_quote(pg_ast::BackslashQuote::On);
    let warnings = &pg::parse_with(&sql, options).expect("parses").warnings;
    let strings = ["'é\\n'", "'😀\\''", "'\\\\'"];
    let mut places: Vec<_> =
        strings.iter().flat_map(|string| sql.match_indices(string).map(|(at, _)| at)).collect();
    places.sort_unstable();
    let found: Vec<_> = warnings.iter().map(|warning| warning.cursor.expect("a place")).collect();
    assert_eq!(found, places);
}
