//! The forms of an attribute: a word, a path, a name in C. The messages have a sample of what was meant.

use darling::ast::NestedMeta;
use darling::error::Accumulator;
use darling::{Error, Result};
use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprPath, Lit, LitStr, Meta, Path, Token};

use crate::names::{in_bindings, last};

/// Reads a word, and returns it to point at.
pub(crate) fn flag(meta: &Meta) -> Result<Option<Ident>> {
    match meta {
        Meta::Path(path) => Ok(Some(last(path).clone())),
        _ => Err(wrong(meta, format!("`{}` takes no value", name(meta)))),
    }
}

/// Reads `raw = path`.
pub(crate) fn path(meta: &Meta, sample: &str) -> Result<Option<Path>> {
    match value(meta) {
        Some(Expr::Path(ExprPath { qself: None, path, .. })) => Ok(Some(path.clone())),
        _ => Err(takes(meta, "a path", &format!(" = {sample}"))),
    }
}

/// Reads `name = "targetList"`.
pub(crate) fn c_name(meta: &Meta, sample: &str) -> Result<Option<Ident>> {
    let lit = string(meta, sample)?;
    identifier(lit, &lit.value()).map(Some)
}

/// Reads names that are separated by dots: `header = "xpr.type_"`.
pub(crate) fn c_path(meta: &Meta, sample: &str) -> Result<Option<Vec<Ident>>> {
    let lit = string(meta, sample)?;
    lit.value().split('.').map(|part| identifier(lit, part)).collect::<Result<_>>().map(Some)
}

/// Reads `skip_raw(field, ..)`.
pub(crate) fn c_names(meta: &Meta) -> Result<Vec<Ident>> {
    let expected = || takes(meta, "names of C fields", "(field, ..)");
    let Meta::List(list) = meta else { return Err(expected()) };
    // A path is read as well, to point at.
    let paths = list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    let paths = paths.ok().filter(|paths| !paths.is_empty()).ok_or_else(expected)?;
    let mut errors = Accumulator::default();
    let names = paths.iter().filter_map(|path| {
        let message = || format!("`{}` takes names of C fields", name(meta));
        let name = path.get_ident().ok_or_else(|| Error::custom(message()).with_span(path));
        errors.handle(name).cloned()
    });
    let names = names.collect();
    errors.finish_with(names)
}

/// Reports items that a place does not have; `known` are those that it has.
pub(crate) fn unknown(items: &[NestedMeta], place: &str, known: &[&str]) -> Result<()> {
    let mut errors = Accumulator::default();
    for item in items {
        let path = match item {
            NestedMeta::Meta(meta) => meta.path(),
            NestedMeta::NameValueInvalidExpr(item) => &item.path,
            NestedMeta::Lit(lit) => {
                errors.push(Error::custom("expected an attribute's name").with_span(lit));
                continue;
            }
        };
        let name = last(path).to_string();
        let near = known.iter().copied().max_by(|a, b| {
            strsim::jaro_winkler(a, &name).total_cmp(&strsim::jaro_winkler(b, &name))
        });
        let near = near.filter(|near| strsim::jaro_winkler(near, &name) > 0.8);
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
        let known = known.join(", ");
        let message = format!("a {place} has no attribute `{name}`; it has {known}{near}");
        errors.push(Error::custom(message).with_span(last(path)));
    }
    errors.finish()
}

fn name(meta: &Meta) -> &Ident {
    last(meta.path())
}

/// Returns what is behind the `=`, without the marks that a fragment of `macro_rules!` has around it.
fn value(meta: &Meta) -> Option<&Expr> {
    let Meta::NameValue(item) = meta else { return None };
    let mut value = &item.value;
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    Some(value)
}

fn string<'a>(meta: &'a Meta, sample: &str) -> Result<&'a LitStr> {
    match value(meta) {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(lit), .. })) => Ok(lit),
        _ => Err(takes(meta, "a string", &format!(" = {sample:?}"))),
    }
}

/// Reads an identifier in a string literal, which keeps the literal's span.
fn identifier(lit: &LitStr, text: &str) -> Result<Ident> {
    match syn::parse::Parser::parse_str(Ident::parse_any, text) {
        // `r#type` is Rust's way to write a name; C does not have that.
        Ok(ident) if text != "_" && ident == ident.unraw() => Ok(in_bindings(&ident, lit.span())),
        _ => Err(Error::custom(format!("`{text}` is not a name in C")).with_span(lit)),
    }
}

/// Reports an item of the wrong form. `what` is the expected form, which `sample` has after the name.
fn takes(meta: &Meta, what: &str, sample: &str) -> Error {
    let name = name(meta);
    wrong(meta, format!("`{name}` takes {what}, as in `{name}{sample}`"))
}

/// An error at what an item has after its name, if there is anything.
fn wrong(meta: &Meta, message: String) -> Error {
    let error = Error::custom(message);
    match meta {
        Meta::NameValue(item) => error.with_span(&item.value),
        Meta::List(list) if !list.tokens.is_empty() => error.with_span(&list.tokens.span()),
        Meta::List(_) | Meta::Path(_) => error.with_span(name(meta)),
    }
}
