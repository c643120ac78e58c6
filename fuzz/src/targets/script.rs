//! A psql script.

use pg_ast::{ParseResult, ParserOptions};

use super::split;
use super::verbs::{Origin, is_place, is_refusal, of_tree, warnings_are_placed, without_places};

/// The script; each of its statements has the same tree as when parsed alone.
pub fn run(data: &[u8]) {
    let (script, rest) = split(data);
    let script: &str = &Box::<str>::from(script);
    let stmts = pg_ast::parse_script(script);
    let mut end = 0;
    for stmt in &stmts {
        let range = stmt.range.clone();
        assert!(end <= range.start && range.start < range.end, "{range:?} of {script:?}");
        let text = script.get(range.clone()).expect("a range of characters");
        assert_eq!(stmt.text(script), text);
        end = range.end;

        // A psql command inside of a statement is skipped, unlike when parsed alone.
        if text.contains('\\') {
            continue;
        }
        let options = ParserOptions::default();
        let mut alone = [options, options.standard_conforming_strings(false)]
            .map(|options| pg_ast::parse_with(text, options))
            .into_iter();
        match &stmt.result {
            Ok(tree) => {
                warnings_are_placed(&tree.warnings, script);
                let shown = without_places(&tree.protobuf);
                let same = |alone: pg_ast::Result<ParseResult>| {
                    alone.is_ok_and(|alone| without_places(&alone.protobuf) == shown)
                };
                assert!(alone.any(same), "{text:?} of {script:?}");
            }
            Err(error) => {
                is_refusal(error, script);
                is_place(error.cursor(), script);
                let same = |alone: pg_ast::Result<ParseResult>| match alone {
                    Ok(_) => error.cursor() >= Some(range.end),
                    Err(alone) => {
                        alone.message() == error.message()
                            && Some(range.start + alone.cursor().unwrap_or(0)) == error.cursor()
                    }
                };
                assert!(alone.any(same), "{error:?} for {text:?} of {script:?}");
            }
        }
    }
    if let Some(Ok(tree)) = stmts.first().map(|stmt| &stmt.result) {
        of_tree(tree, &mut super::Source::new(rest), Origin::Statement);
    }
}
