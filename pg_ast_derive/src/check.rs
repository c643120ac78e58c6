//! The rules, one function each, below a sample that breaks the rule.
//!
//! They check the parsed input. If it passes, a model can be made of it.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenTree};
use syn::{Attribute, Data, Fields, Meta, Type};

use crate::errors::{Errors, Section};
use crate::input::{Body, Derive, Input, InputField, Variant};
use crate::names::last;

/// Reports every rule that the input breaks.
pub(crate) fn check(input: &Input, errors: &mut Errors) {
    generics(input, errors);
    packed(input, errors);
    raw_is_named(input, errors);
    partial(input, errors);
    of_structs(input, errors);
    without_node_tags(input, errors);
    match &input.body {
        Body::Struct(fields) => {
            for field in fields {
                skip_stands_alone(field, errors);
                not_null_string(field, errors);
                location_number(field, errors);
            }
            no_c_field_twice(fields, errors);
            skip_raw(input, fields, errors);
        }
        Body::Constants(variants) => {
            for variant in variants {
                constant(variant, errors);
            }
            some_constant(input, variants, errors);
            no_constant_twice(variants, errors);
            one_other(input, variants, errors);
        }
        Body::Nodes(variants) => {
            for variant in variants {
                node(variant, errors);
                one_node(variant, errors);
                node_has_tag(variant, errors);
            }
            no_tag_twice(variants, errors);
            one_other(input, variants, errors);
        }
        Body::Other => unsupported(input, errors),
    }
}

// struct SelectStmt<T> { .. }
// struct SelectStmt<'a, 'b> { .. }
fn generics(input: &Input, errors: &mut Errors) {
    if input.derive == Derive::FromRaw {
        if let Some(param) = input.other_params().next() {
            let message =
                "generic types are not supported, except with one lifetime, that of the tree";
            errors.push(param, Section::Items, message);
        }
    } else if let Some(param) = input.item.generics.params.first() {
        let message = "generic types are not supported";
        errors.push(param, Section::Items, message);
    }
}

// #[repr(packed)]
// struct SelectStmt { .. }
fn packed(input: &Input, errors: &mut Errors) {
    let is_packed =
        |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "packed");
    let repr = |attr: &&Attribute| attr.path().is_ident("repr");
    for attr in input.item.attrs.iter().filter(repr) {
        let Meta::List(list) = &attr.meta else { continue };
        for packed in list.tokens.clone().into_iter().filter(is_packed) {
            let message = "packed structs are not supported: their fields may not be aligned";
            errors.push(&packed, Section::Items, message);
        }
    }
}

// struct Alias(String);
// struct Alias;
// enum Stmt {}
// union Value { .. }
fn unsupported(input: &Input, errors: &mut Errors) {
    let ident = &input.item.ident;
    match &input.item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(fields) => {
                let message = "fields are mapped by name: a tuple struct has no names to map";
                errors.push(fields, Section::Items, message);
            }
            _ => errors.push(ident, Section::Items, "the struct has no fields to map"),
        },
        Data::Enum(_) => {
            errors.push(ident, Section::Items, "the enum has no variants to map");
        }
        Data::Union(data) => {
            let message = "a union has no tag that says which field to convert";
            errors.push(&data.union_token, Section::Items, message);
        }
    }
}

// #[derive(FromRaw)]
// struct SelectStmt { .. }
fn raw_is_named(input: &Input, errors: &mut Errors) {
    let attr = &input.attr;
    if attr.raw.is_none() && !attr.is_broken {
        let message = format!(
            "`{}` does not say which C type it is: add `#[pg_ast(raw = ..)]`",
            input.item.ident
        );
        errors.push(&input.item.ident, Section::OfType, message);
    }
}

// #[derive(FromRaw, IntoRaw)]
// #[pg_ast(raw = .., partial)]
fn partial(input: &Input, errors: &mut Errors) {
    let Some(partial) = &input.attr.partial else { return };
    let message = match (&input.body, input.derive) {
        (Body::Struct(_), Derive::IntoRaw) => {
            "`partial` reads some of the fields: the others are not there for `IntoRaw` to write"
        }
        (Body::Constants(_) | Body::Nodes(_), _) => {
            "`partial` is for structs: an enum may omit variants without it"
        }
        _ => return,
    };
    errors.push(partial, Section::OfType, message);
}

// #[pg_ast(raw = .., skip_raw(op))]
// enum SetOperation { .. }
fn of_structs(input: &Input, errors: &mut Errors) {
    if !matches!(input.body, Body::Constants(_) | Body::Nodes(_)) {
        return;
    }
    let has_own_tags = input.internal().is_some_and(|internal| internal.tags.is_some());
    for name in input.attr.header.iter().flatten().take(1).filter(|_| !has_own_tags) {
        errors.push(name, Section::OfType, "`header` is for structs");
    }
    for name in &input.attr.skip_raw {
        errors.push(name, Section::OfType, "`skip_raw` is for structs: an enum has no C fields");
    }
}

// #[derive(IntoRaw)]
// #[pg_ast(raw = .., internal(untagged))]
// struct Expr { #[pg_ast(internal(items = raw::PLpgSQL_stmt))] body: Vec<Stmt> }
fn without_node_tags(input: &Input, errors: &mut Errors) {
    if input.derive == Derive::FromRaw {
        return;
    }
    let message = "what has no node tag is only read: `FromRaw` alone can be derived";
    if let Some(internal) = input.internal() {
        if let Some(untagged) = &internal.untagged {
            errors.push(untagged, Section::OfType, message);
        }
        if let Some(tags) = &internal.tags {
            errors.push(tags, Section::OfType, message);
        }
    }
    let Body::Struct(fields) = &input.body else { return };
    for field in fields {
        if let Some(items) = &field.attr.internal.items {
            errors.push(items, Section::OfField, message);
        }
        if let Some(count) = &field.attr.internal.count {
            errors.push(count, Section::OfField, message);
        }
    }
}

// #[pg_ast(skip, name = "targetList")]
fn skip_stands_alone(field: &InputField, errors: &mut Errors) {
    let attr = &field.attr;
    if let Some(skip) = &attr.skip
        && (attr.name.is_some()
            || attr.not_null.is_some()
            || attr.location.is_some()
            || attr.internal.items.is_some()
            || attr.internal.count.is_some())
    {
        errors.push(skip, Section::OfField, "a field with `skip` has no C field to describe");
    }
}

// struct S { #[pg_ast(not_null)] a: i32 }
fn not_null_string(field: &InputField, errors: &mut Errors) {
    if let Some(not_null) = &field.attr.not_null
        && is_other(field.ty, "String")
    {
        let message = "`not_null` is for a `String`, whose C twin is a `char *`";
        errors.push(not_null, Section::OfField, message);
    }
}

// struct S { #[pg_ast(location)] a: String }
fn location_number(field: &InputField, errors: &mut Errors) {
    if let Some(location) = &field.attr.location
        && is_other(field.ty, "i32")
    {
        let message = "`location` is for an `i32`, which counts bytes of the text";
        errors.push(location, Section::OfField, message);
    }
}

/// Returns whether a type is one of another name. Behind a name that is not in the table of field types, there may be
/// any type: the compiler knows it.
fn is_other(ty: &Type, name: &str) -> bool {
    const KNOWN: [&str; 10] =
        ["bool", "i32", "i64", "u32", "u64", "f64", "String", "Option", "Box", "Vec"];
    match ty {
        Type::Group(group) => is_other(&group.elem, name),
        Type::Paren(paren) => is_other(&paren.elem, name),
        Type::Path(path) => {
            let last = &last(&path.path);
            **last != name && KNOWN.iter().any(|known| *last == known)
        }
        _ => true,
    }
}

// struct S { a: i32, #[pg_ast(name = "a")] b: i32 }
fn no_c_field_twice(fields: &[InputField], errors: &mut Errors) {
    let mut seen: HashMap<&Ident, &Ident> = HashMap::new();
    for field in fields {
        let Some(c_name) = &field.c_name else { continue };
        if let Some(first) = seen.insert(c_name, field.ident) {
            let message = format!("C field `{c_name}` is already mapped, by field `{first}`");
            errors.push(c_name, Section::OfField, message);
        }
    }
}

// #[pg_ast(raw = .., header = "xpr.type_", skip_raw(op, op, xpr))]
// struct S { op: i32 }
fn skip_raw(input: &Input, fields: &[InputField], errors: &mut Errors) {
    let skipped = &input.attr.skip_raw;
    let header = input.header();
    for (index, name) in skipped.iter().enumerate() {
        let message = if fields.iter().any(|field| field.c_name.as_ref() == Some(name)) {
            format!("C field `{name}` is both mapped and skipped")
        } else if skipped[..index].contains(name) {
            format!("C field `{name}` is skipped twice")
        } else if header.first() == Some(name) {
            format!("C field `{name}` has the node's tag, which needs no `skip_raw`")
        } else {
            continue;
        };
        errors.push(name, Section::OfType, message);
    }
}

// enum SetOperation { #[pg_ast(raw = ..)] None, .. }
fn constant(variant: &Variant, errors: &mut Errors) {
    let attr = &variant.attr;
    if let Some(raw) = &attr.raw {
        let message =
            "`raw` is for variants that hold a node; an enumeration's variant has a `name`";
        errors.push(last(raw), Section::OfVariant, message);
    }
    if let Some(tag) = &attr.tag {
        let message =
            "`tag` is for variants that hold a node; an enumeration's variant has a `name`";
        errors.push(tag, Section::OfVariant, message);
    }
    if let (Some(skip), Some(_), None) = (&attr.skip, &attr.name, &attr.other) {
        let message =
            format!("variant `{}` has `skip`, so there is no C constant to name", variant.ident);
        errors.push(skip, Section::OfVariant, message);
    }
}

// enum SetOperation { #[pg_ast(skip)] Undefined }
fn some_constant(input: &Input, variants: &[Variant], errors: &mut Errors) {
    if variants.iter().all(|variant| variant.c_name().is_none() && !variant.is_broken) {
        let message = format!("no variant of `{}` has a C constant", input.item.ident);
        errors.push(&input.item.ident, Section::OfVariant, message);
    }
}

// enum SetOperation { #[pg_ast(name = "SETOP_NONE")] None, #[pg_ast(name = "SETOP_NONE")] Nothing }
fn no_constant_twice(variants: &[Variant], errors: &mut Errors) {
    let mut seen: HashMap<&Ident, &Ident> = HashMap::new();
    for variant in variants.iter().filter(|variant| !variant.is_broken) {
        let Some(c_name) = variant.c_name() else { continue };
        if let Some(first) = seen.insert(c_name, variant.ident) {
            let message = format!("C constant `{c_name}` is already mapped, by variant `{first}`");
            errors.push(c_name, Section::OfVariant, message);
        }
    }
}

// enum Node { #[pg_ast(name = "SelectStmt")] SelectStmt(SelectStmt) }
fn node(variant: &Variant, errors: &mut Errors) {
    let attr = &variant.attr;
    if let Some(name) = &attr.name {
        let message = "`name` is for enumerations; a variant that holds a node has `raw`, or `tag`";
        errors.push(name, Section::OfVariant, message);
    }
    if let Some(skip) = &attr.skip {
        let message = format!(
            "variant `{}` holds a node: leave it out of the enum rather than skip it",
            variant.ident
        );
        errors.push(skip, Section::OfVariant, message);
    }
}

// enum Node { Select { stmt: SelectStmt }, Pair(A, B), Nothing }
fn one_node(variant: &Variant, errors: &mut Errors) {
    let is_unit_of_other = variant.attr.other.is_some() && variant.is_unit;
    if variant.ty.is_none() && !is_unit_of_other {
        let message =
            format!("variant `{}` must hold exactly one node, as in `{0}(..)`", variant.ident);
        errors.push(variant.ident, Section::OfVariant, message);
    }
}

// #[derive(FromRaw)]
// enum Node { SelectStmt(SelectStmt) }
fn node_has_tag(variant: &Variant, errors: &mut Errors) {
    let attr = &variant.attr;
    // A variant that is not a node has been reported already.
    let is_node =
        variant.ty.is_some() && attr.name.is_none() && attr.skip.is_none() && attr.other.is_none();
    if attr.raw.is_none() && is_node && !variant.is_broken {
        let message = format!(
            "variant `{}` has no node tag: name its C struct with `#[pg_ast(raw = ..)]`",
            variant.ident
        );
        errors.push(variant.ident, Section::OfVariant, message);
    }
}

// enum Node { #[pg_ast(other)] Other, #[pg_ast(other)] Unknown, #[pg_ast(other, raw = raw::Alias)] Alias(Alias) }
fn one_other(input: &Input, variants: &[Variant], errors: &mut Errors) {
    let mut first: Option<&Variant> = None;
    for variant in variants {
        let attr = &variant.attr;
        let Some(other) = &attr.other else { continue };
        if input.derive != Derive::FromRaw {
            let message = "`other` is only read: `FromRaw` alone can be derived";
            errors.push(other, Section::OfVariant, message);
        } else if let Some(first) = first {
            let message = format!("everything else is already read, by variant `{}`", first.ident);
            errors.push(other, Section::OfVariant, message);
        } else if attr.raw.is_some()
            || attr.tag.is_some()
            || attr.name.is_some()
            || attr.skip.is_some()
        {
            let message = "`other` is for what no other variant names, so there is nothing to name";
            errors.push(other, Section::OfVariant, message);
        }
        first.get_or_insert(variant);
    }
}

// enum Node { #[pg_ast(raw = raw::Alias)] Alias(Alias), #[pg_ast(raw = raw::Alias)] Other(Other) }
fn no_tag_twice(variants: &[Variant], errors: &mut Errors) {
    let mut seen: HashMap<Ident, &Ident> = HashMap::new();
    for variant in variants {
        let Some(tag) = variant.tag() else { continue };
        if let Some(first) = seen.get(&tag) {
            let message =
                format!("nodes with the tag `{tag}` are already read, by variant `{first}`");
            errors.push(&tag, Section::OfVariant, message);
        } else {
            seen.insert(tag, variant.ident);
        }
    }
}
