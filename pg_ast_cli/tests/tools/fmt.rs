//! Formatting loses nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use pg_ast::Version;
use pg_ast_fmt::{Columns, Commas, Options, Style};

use crate::cases::{Steps, each};
use crate::mutate::{self, Mutation};
use crate::properties::format;

/// Formats all cases. Few scripts and statements may stay as they are.
fn formatted(steps: Steps) {
    let counters: [AtomicUsize; 5] = Default::default();
    each(steps, |case| {
        let formatted = format::of(case.script)?;
        let comment = match case.change.as_ref().map(|change| change.kind) {
            Some(Mutation::BlockComment) => mutate::BLOCK_COMMENT,
            Some(Mutation::LineComment) => mutate::LINE_COMMENT,
            _ => "",
        };
        let is_refused = formatted.refused.is_some();
        let count = |text: &str| text.matches(comment).count();
        if !comment.is_empty() && count(case.script) != count(&formatted.text) {
            return Err(format!("the comment:\n---\n{}", formatted.text));
        }
        let stmts = pg_ast::parse_script(case.script).len();
        let counts = [1, stmts, formatted.kept, formatted.kept_bodies, usize::from(is_refused)];
        for (counter, count) in counters.iter().zip(counts) {
            counter.fetch_add(count, Ordering::Relaxed);
        }
        Ok(())
    });
    let [scripts, stmts, kept, bodies, refused] = counters.map(AtomicUsize::into_inner);
    println!(
        "{stmts} statements; as they are: {kept} statements, {bodies} bodies, {refused} scripts"
    );
    assert_eq!(bodies, 0, "bodies stay as they are");
    assert!(scripts > 0 && stmts > 0);
    assert!(refused * 1000 <= scripts, "{refused} scripts stay as they are");
    assert!(kept * 10 <= stmts, "{kept} statements stay as they are");
}

#[test]
fn scripts_keep_what_they_have() {
    formatted(Steps { scripts: 8, mutated: 80, stmts: 50 });
}

#[test]
#[ignore = "several minutes"]
fn all_scripts_keep_what_they_have() {
    formatted(Steps::ALL);
}

/// Whatever the options are, nothing is lost, and a second run changes nothing.
#[test]
fn styles_keep_what_they_have() {
    let river = Options::default().style(Style::River).columns(Columns::Aligned);
    let narrow = river.clone().width(40).indent(4).commas(Commas::Leading);
    let blocks = Options::default().width(30).columns(Columns::Aligned);
    for options in [river, narrow, blocks] {
        let stmts = AtomicUsize::new(0);
        each(Steps { scripts: 12, mutated: 200, stmts: 400 }, |case| {
            let format = |script| pg_ast_fmt::format(Version::newest(), script, &options);
            let formatted = format(case.script);
            if let Some(difference) = formatted.refused {
                return Err(format!("{difference:?}"));
            }
            stmts.fetch_add(formatted.text.lines().count(), Ordering::Relaxed);
            pg_ast_fmt::compare(Version::newest(), case.script, &formatted.text)
                .map_err(|difference| format!("{difference:?}\n---\n{}", formatted.text))?;
            if format(&formatted.text).text != formatted.text {
                return Err(format!("formatted again:\n---\n{}", formatted.text));
            }
            Ok(())
        });
        assert!(stmts.into_inner() > 1000);
    }
}
