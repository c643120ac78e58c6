//! What ours relies on in PostgreSQL's grammar, as text: the rules of a symbol, and the forms of actions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::c;
use crate::bison::numbers;
use crate::grammar::Tables;

/// The file of the scanner.
pub(super) const SCANNER: &str = "src/postgres/src_backend_parser_scan.c";

/// Returns the rules of a symbol, one per line, with their actions.
pub(super) fn symbol(grammar: &str, name: &str) -> Result<Option<String>, String> {
    let tables = Tables::read(grammar)?;
    let starts: Vec<usize> = numbers(grammar, "yyprhs")?;
    let symbols: Vec<i32> = numbers(grammar, "yyrhs")?;
    let named = |symbol: usize| tables.names[symbol].trim_matches('"');
    let mut text = String::new();
    for (rule, made) in tables.r1.iter().enumerate() {
        if named(*made) != name {
            continue;
        }
        let symbols =
            symbols.iter().skip(starts[rule]).map_while(|&symbol| usize::try_from(symbol).ok());
        let symbols: Vec<_> = symbols.map(named).collect();
        let action = tables.actions[rule].as_deref().map(action).unwrap_or_default();
        writeln!(text, "{}: {action}", symbols.join(" ")).map_err(|error| error.to_string())?;
    }
    Ok((!text.is_empty()).then_some(text))
}

/// Returns an action on one line.
fn action(action: &str) -> String {
    c::bare(action).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the functions that actions call, and the forms of their values: `$` is the value of a symbol, `@` a location,
/// `K` a constant, `0` a number and `".."` a string.
pub(super) fn actions(grammar: &str) -> Result<String, String> {
    let tables = Tables::read(grammar)?;
    let mut lines = BTreeSet::new();
    for text in tables.actions.iter().flatten() {
        let bare = c::bare(text);
        let tokens = c::tokens(&bare);
        for pair in tokens.windows(2).filter(|pair| pair[1] == "(" && c::is_name(pair[0])) {
            lines.insert(format!("calls {}", pair[0]));
        }
        lines.extend(values(&tokens).map(|form| format!("value {form}")));
    }
    Ok(lines.into_iter().fold(String::new(), |text, line| text + &line + "\n"))
}

/// Returns what the rule's own value is set to, in the forms above: `( yyval . node ) = ..`.
fn values<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = String> + 'a {
    let sets = |at: usize| {
        tokens[at..].starts_with(&["(", "yyval", "."]) && tokens.get(at + 5) == Some(&"=")
    };
    let sets = (0..tokens.len().saturating_sub(5)).filter(move |&at| sets(at));
    sets.map(|at| {
        let value = &tokens[at + 6..];
        let end = value.iter().position(|token| *token == ";").unwrap_or(value.len());
        form(&value[..end])
    })
}

fn form(value: &[&str]) -> String {
    let (mut form, mut at) = (Vec::new(), 0);
    while at < value.len() {
        let token = value[at];
        let is_constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if token == "(" && value.get(at + 1) == Some(&"yyvsp") {
            form.push("$");
            at = c::closing(value, at);
        } else if token == "(" && value.get(at + 1) == Some(&"yylsp") {
            form.push("@");
            at = c::closing(value, at);
        } else if token.starts_with('"') {
            form.push("\"..\"");
        } else if token.starts_with(|c: char| c.is_ascii_digit()) {
            form.push("0");
        } else if token.len() > 1 && token.chars().all(is_constant) {
            form.push("K");
        } else {
            form.push(token);
        }
        at += 1;
    }
    form.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{c, values};

    #[test]
    fn the_form_of_a_value_has_no_numbers_and_names() {
        let action = "{ (yyval.node) = (Node *) makeSimpleA_Expr(AEXPR_OP, \"+\", NULL, \
                      (yyvsp[(2) - (2)].node), (yylsp[(1) - (2)])); x = 1; (yyval.ival) = 12; }";
        let forms: Vec<_> = values(&c::tokens(action)).collect();
        let first = "( Node * ) makeSimpleA_Expr ( K , \"..\" , K , $ , @ )";
        assert_eq!(forms, [first, "0"]);
    }
}
