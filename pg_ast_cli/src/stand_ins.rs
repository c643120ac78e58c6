//! Variables of psql and placeholders of tools, which are replaced before the server gets a statement.

use clap::ValueEnum;
use pg_ast::{CheckedStmt, ParserOptions, Version, with_version};
use pg_ast_syntax::{Placeholders, ScriptOptions};
use serde::Deserialize;

/// Placeholders of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Placeholder {
    /// `@name`
    AtNames,
    /// `?`
    QuestionMarks,
    /// `{{ .. }}`
    Braces,
    /// `${name}`
    DollarBraces,
    /// `%(name)s`
    PercentNames,
    /// `@extschema@`, `@extowner@`
    Extension,
    /// All of these
    All,
}

/// Puts them together.
pub(crate) fn placeholders(all: &[Placeholder]) -> Placeholders {
    all.iter().fold(Placeholders::default(), |found, placeholder| match placeholder {
        Placeholder::AtNames => found.at_names(true),
        Placeholder::QuestionMarks => found.question_marks(true),
        Placeholder::Braces => found.braces(true),
        Placeholder::DollarBraces => found.dollar_braces(true),
        Placeholder::PercentNames => found.percent_names(true),
        Placeholder::Extension => found.extension(true),
        Placeholder::All => Placeholders::all(),
    })
}

/// Returns the statements of a script, which are correct with variables and these placeholders in them.
pub(crate) fn statements(
    version: Version,
    script: &str,
    parser: ParserOptions,
    placeholders: Placeholders,
) -> Vec<CheckedStmt> {
    let stmts = version.parse_script_with(script, parser);
    if !placeholders.may_be_in(script) || stmts.iter().all(|stmt| stmt.result.is_ok()) {
        return stmts;
    }
    let options = ScriptOptions::default().parser(parser).placeholders(placeholders);
    let with_stand_ins = with_version!(version, pg, pg_ast_syntax as syntax => {
        syntax::Script::parse_with(script, options).map(|script| script.check())
    });
    with_stand_ins.unwrap_or(stmts)
}

/// Returns a wrong statement as one for PostgreSQL, if it is correct but for variables of psql.
pub(crate) fn without_variables(
    version: Version,
    sql: &str,
    parser: ParserOptions,
) -> Option<String> {
    if !Placeholders::default().may_be_in(sql) {
        return None;
    }
    let options = ScriptOptions::default().parser(parser);
    with_version!(version, pg, pg_ast_syntax as syntax => {
        let script = syntax::Script::parse_with(sql, options).ok()?;
        let [stmt] = &script.check()[..] else { return None };
        let written = script.written();
        (stmt.result.is_ok() && written.has_replaced()).then(|| written.text().to_owned())
    })
}
