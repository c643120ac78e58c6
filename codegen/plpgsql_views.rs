//! Generates the views of PL/pgSQL's structs: a method for each field of the owned struct.

use std::fmt::Write as _;

use super::docs::doc;
use super::plpgsql_fields::Rule;

/// A field of a struct, as far as its method depends on it.
pub(crate) struct ViewField<'a> {
    pub(crate) name: &'a str,
    pub(crate) in_c: &'a str,
    /// The type in the owned struct, and whether it is an enum.
    pub(crate) owned: &'a str,
    pub(crate) is_enum: bool,
    pub(crate) rule: Option<Rule>,
    /// What a pointer leads to.
    pub(crate) target: Option<&'a str>,
    pub(crate) text: String,
}

impl ViewField<'_> {
    /// Returns the type that the method returns.
    fn returned(&self) -> String {
        let inner = self.owned.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>'));
        let ty = match (inner.unwrap_or(self.owned), self.rule) {
            ("ParseResult", _) => {
                return format!("Option<sql::{}<'a>>", self.target.unwrap_or_default());
            }
            (_, Some(Rule::Nodes)) => "sql::List<'a>".to_owned(),
            ("Vec<Dno>", _) => "Dnos<'a>".to_owned(),
            (_, Some(Rule::Chain)) => "Conditions<'a>".to_owned(),
            ("Stmts", _) => "Elements<'a, Stmt<'a>>".to_owned(),
            ("Vec<String>", _) => "Elements<'a, &'a str>".to_owned(),
            ("String", _) => "&'a str".to_owned(),
            (ty @ ("bool" | "i32" | "i64" | "u32" | "Dno"), _) => ty.to_owned(),
            (ty, _) if ty.contains("::") => ty.to_owned(),
            (ty, _) if self.is_enum => format!("owned::{ty}"),
            (ty, _) => match ty.strip_prefix("Vec<").and_then(|ty| ty.strip_suffix('>')) {
                Some(item) => format!("Elements<'a, {item}<'a>>"),
                None => format!("{ty}<'a>"),
            },
        };
        if inner.is_some() { format!("Option<{ty}>") } else { ty }
    }

    fn call(&self) -> String {
        let in_c = self.in_c;
        match self.rule {
            Some(Rule::List(_)) => format!("items!(self.{in_c})"),
            Some(Rule::Array(count)) => format!("array!(self.{in_c}, {count})"),
            _ => format!("part!(self.{in_c})"),
        }
    }
}

/// Writes the view of a struct.
pub(crate) fn structure(
    code: &mut String,
    rust: &str,
    raw: &str,
    text: &str,
    fields: &[ViewField<'_>],
) {
    let text = format!("{text} The owned one is [`plpgsql::{rust}`](super::plpgsql::{rust}).");
    lines(code, "", &text);
    // Writing to a String cannot fail.
    let _ = write!(
        code,
        "#[repr(transparent)]\npub struct {rust}<'a>(pub(super) InC<'a, raw::{raw}>);\nimpl<'a> {rust}<'a> {{\n",
    );
    for field in fields {
        lines(code, "    ", &field.text);
        let _ = writeln!(
            code,
            "    #[inline]\n    #[must_use]\n    pub fn {}(self) -> {} {{ {} }}",
            field.name,
            field.returned(),
            field.call(),
        );
    }
    let _ = writeln!(code, "}}\nview! {{ {rust} {raw} }}");
}

fn lines(code: &mut String, indent: &str, text: &str) {
    for line in doc(text) {
        // Writing to a String cannot fail.
        let _ = writeln!(code, "{indent}{line}");
    }
}
