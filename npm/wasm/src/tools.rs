//! The linter, the formatter, PL/pgSQL, concrete trees, and trees from JSON: the calls of the larger module.

use pg_ast::protobuf::ParseResult;
use pg_ast::{DeparseOptions, Error, ErrorKind, Version};
use pg_ast_fmt::{Columns, Commas, KeywordCase, Options, Style};
use pg_ast_syntax::{SyntaxElement, SyntaxNode};

use crate::json::Json;
use crate::{leave_result, leave_text, with_input};

/// Leaves what the linter finds in the input, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn lint(length: usize) {
    with_input(length, |sql| {
        let findings = pg_ast_lint::lint(sql, &pg_ast_lint::Options::default());
        let mut json = Json::default();
        json.array(&findings, |json, finding| {
            json.object(|json| {
                json.name("rule").text(finding.rule.name());
                json.name("message").text(&finding.message);
                json.name("range").range(&finding.range);
                json.optional("help", finding.help.as_deref());
                json.name("expected").expected(&finding.expected);
                if let Some(fix) = &finding.fix {
                    json.name("fix").object(|json| {
                        json.name("title").text(&fix.title);
                        json.name("isGuess")
                            .boolean(fix.applicability == pg_ast_lint::Applicability::Guess);
                        json.name("changes").array(&fix.changes, |json, (range, text)| {
                            json.object(|json| {
                                json.name("range").range(range);
                                json.name("text").text(text);
                            });
                        });
                    });
                }
            });
        });
        leave_text(json.finish());
    });
}

/// Leaves the input in its layout, with its errors, as JSON. `choices` has a bit for each setting.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn format(length: usize, width: usize, indent: usize, choices: u32) {
    let keywords = match choices & 3 {
        0 => KeywordCase::Upper,
        1 => KeywordCase::Lower,
        _ => KeywordCase::Keep,
    };
    let commas = if choices & 4 == 0 { Commas::Trailing } else { Commas::Leading };
    let style = if choices & 8 == 0 { Style::Block } else { Style::River };
    let columns = if choices & 16 == 0 { Columns::Plain } else { Columns::Aligned };
    let options = Options::default().width(width).indent(indent).keyword_case(keywords);
    let options = options.commas(commas).style(style).columns(columns);
    with_input(length, |sql| {
        let formatted = pg_ast_fmt::format(Version::newest(), sql, &options);
        let mut json = Json::default();
        json.object(|json| {
            json.name("text").text(&formatted.text);
            json.name("errors").array(&formatted.errors, |json, (error, _)| json.error(error, sql));
        });
        leave_text(json.finish());
    });
}

/// Leaves the PL/pgSQL functions of the input as JSON, in the format of libpg_query, or an error.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn parse_plpgsql(length: usize) -> u32 {
    with_input(length, |sql| {
        leave_result(sql, pg_ast::parse_plpgsql(sql).map(|json| json.to_string()))
    })
}

/// Leaves the concrete tree of the input as JSON, or an error: `[kind, start, end, children]`, and `[kind, start, end]` for
/// a token. It has 250 levels at most.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn concrete(length: usize) -> u32 {
    with_input(length, |sql| {
        let tree = pg_ast_syntax::parse(sql).map(|root| {
            let mut json = Json::default();
            write_node(&mut json, &root);
            json.finish()
        });
        leave_result(sql, tree)
    })
}

fn write_node(json: &mut Json, node: &SyntaxNode) {
    let range = node.text_range();
    json.list(|json| {
        json.text(node.kind().as_str());
        json.number(range.start().into());
        json.number(range.end().into());
        json.array(node.children_with_tokens(), |json, child| match child {
            SyntaxElement::Node(node) => write_node(json, &node),
            SyntaxElement::Token(token) => {
                let range = token.text_range();
                json.list(|json| {
                    json.text(token.kind().as_str());
                    json.number(range.start().into());
                    json.number(range.end().into());
                });
            }
        });
    });
}

/// Leaves the SQL of a tree in libpg_query's JSON, which is the input, or an error: on one line, or indented.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn deparse_json(length: usize, pretty: bool) -> u32 {
    with_input(length, |json| {
        let options = DeparseOptions::default().pretty_print(pretty);
        let tree = pg_ast::json::from_str::<ParseResult>(json)
            .map_err(|error| Error::new(ErrorKind::Decode, error.to_string()));
        // The input is not the SQL of the error.
        leave_result(
            "",
            tree.and_then(|tree| pg_ast::ParseResult::from(tree).deparse_with(&options)),
        )
    })
}
