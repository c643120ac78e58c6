//! The rules, one function each, with a sample of what breaks it above it.

use std::collections::HashMap;

use darling::Error;
use darling::error::Accumulator;
use syn::{DeriveInput, Fields, Ident, Type, Variant};

use crate::attr::{ContainerAttr, FieldAttr, VariantAttr, attr_span};
use crate::model::{Constant, Direction, Field};

// struct SelectStmt<T> { .. }
pub(crate) fn generics(input: &DeriveInput, errors: &mut Accumulator) {
    if let Some(param) = input.generics.params.first() {
        errors.push(
            Error::custom("a C struct has no generic parameters: neither can its Rust twin")
                .with_span(param),
        );
    }
}

// #[derive(FromRaw)]
// struct SelectStmt { .. }
pub(crate) fn raw_is_named(input: &DeriveInput, attr: &ContainerAttr, errors: &mut Accumulator) {
    if attr.raw.is_none() {
        errors.push(
            Error::custom(format_args!(
                "`{}` does not say which C type it is: add `#[pg_ast(raw = ..)]`",
                input.ident
            ))
            .with_span(&attr_span(&input.attrs, input.ident.span())),
        );
    }
}

// #[derive(FromRaw, IntoRaw)]
// #[pg_ast(raw = .., partial)]
pub(crate) fn partial(
    input: &DeriveInput,
    attr: &ContainerAttr,
    direction: Direction,
    errors: &mut Accumulator,
) {
    if !attr.partial.is_present() {
        return;
    }
    let message = match (&input.data, direction) {
        (syn::Data::Struct(_), Direction::FromRaw) => return,
        (syn::Data::Struct(_), Direction::IntoRaw) => {
            "`partial` reads some of the fields: the others are not there for `IntoRaw` to write"
        }
        _ => "`partial` is for structs: an enum may have as few variants as it likes without it",
    };
    errors.push(Error::custom(message).with_span(&attr.partial.span()));
}

// #[pg_ast(skip, name = "targetList")]
pub(crate) fn skip_stands_alone(attr: &FieldAttr) -> darling::Result<()> {
    if attr.skip.is_present()
        && (attr.name.is_some() || attr.not_null.is_present() || attr.location.is_present())
    {
        return Err(Error::custom("a field with `skip` has no C field to describe")
            .with_span(&attr.skip.span()));
    }
    Ok(())
}

// struct S { #[pg_ast(not_null)] a: i32 }
pub(crate) fn not_null_string(field: &syn::Field, attr: &FieldAttr) -> darling::Result<()> {
    if attr.not_null.is_present() && !is_named(&field.ty, "String") {
        return Err(Error::custom("`not_null` is for a `String`, whose C twin is a `char *`")
            .with_span(&attr.not_null.span()));
    }
    Ok(())
}

// struct S { #[pg_ast(location)] a: String }
pub(crate) fn location_number(field: &syn::Field, attr: &FieldAttr) -> darling::Result<()> {
    if attr.location.is_present() && !is_named(&field.ty, "i32") {
        return Err(Error::custom("`location` is for an `i32`, which counts bytes of the text")
            .with_span(&attr.location.span()));
    }
    Ok(())
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path)
        if path.path.segments.last().is_some_and(|segment| segment.ident == name))
}

// struct S { a: i32, #[pg_ast(name = "a")] b: i32 }
pub(crate) fn no_c_field_twice(fields: &[Field], errors: &mut Accumulator) {
    let mut seen: HashMap<&Ident, &Ident> = HashMap::new();
    for field in fields {
        let Some(c_name) = &field.c_name else { continue };
        if let Some(first) = seen.insert(c_name, &field.ident) {
            errors.push(
                Error::custom(format_args!(
                    "C field `{c_name}` is already mapped, by field `{first}`"
                ))
                .with_span(c_name),
            );
        }
    }
}

// enum SetOperation { #[pg_ast(name = "SETOP_NONE")] None, #[pg_ast(name = "SETOP_NONE")] Nothing }
pub(crate) fn no_constant_twice(constants: &[Constant], errors: &mut Accumulator) {
    let mut seen: HashMap<&Ident, &Ident> = HashMap::new();
    for constant in constants {
        let Some(c_name) = &constant.c_name else { continue };
        if let Some(first) = seen.insert(c_name, &constant.ident) {
            errors.push(
                Error::custom(format_args!(
                    "C constant `{c_name}` is already mapped, by variant `{first}`"
                ))
                .with_span(c_name),
            );
        }
    }
}

// #[pg_ast(raw = .., skip_raw(some::path, op))]
// struct S { op: i32 }
pub(crate) fn skip_raw(
    attr: &ContainerAttr,
    fields: &[Field],
    errors: &mut Accumulator,
) -> Vec<Ident> {
    let mut idents = Vec::new();
    for path in attr.skip_raw.iter() {
        let Some(ident) = path.get_ident() else {
            errors.push(Error::custom("`skip_raw` takes names of C fields").with_span(path));
            continue;
        };
        if fields.iter().any(|field| field.c_name.as_ref() == Some(ident)) {
            errors.push(
                Error::custom(format_args!("C field `{ident}` is both mapped and skipped"))
                    .with_span(ident),
            );
        }
        idents.push(ident.clone());
    }
    idents
}

// enum SetOperation { #[pg_ast(raw = ..)] None, .. }
pub(crate) fn constant(variant: &Variant, attr: &VariantAttr) -> darling::Result<()> {
    if let Some(raw) = &attr.raw {
        return Err(Error::custom(
            "`raw` is for variants that hold a node; an enumeration's variant has a `name`",
        )
        .with_span(&raw.span()));
    }
    if let Some(tag) = &attr.tag {
        return Err(Error::custom(
            "`tag` is for variants that hold a node; an enumeration's variant has a `name`",
        )
        .with_span(&tag.0));
    }
    if attr.skip.is_present() && attr.name.is_some() {
        return Err(Error::custom(format_args!(
            "variant `{}` has `skip`, so there is no C constant to name",
            variant.ident
        ))
        .with_span(&attr.skip.span()));
    }
    Ok(())
}

// enum SetOperation { #[pg_ast(skip)] Undefined }
pub(crate) fn some_constant(input: &DeriveInput, constants: &[Constant], errors: &mut Accumulator) {
    if !constants.is_empty() && constants.iter().all(|constant| constant.c_name.is_none()) {
        errors.push(
            Error::custom(format_args!("no variant of `{}` has a C constant", input.ident))
                .with_span(&input.ident),
        );
    }
}

// enum Node { #[pg_ast(name = "SelectStmt")] SelectStmt(SelectStmt) }
pub(crate) fn node_variant(variant: &Variant, attr: &VariantAttr) -> darling::Result<()> {
    if let Some(name) = &attr.name {
        return Err(Error::custom(
            "`name` is for enumerations; a variant that holds a node has `raw`, or `tag`",
        )
        .with_span(&name.0));
    }
    if attr.skip.is_present() {
        return Err(Error::custom(format_args!(
            "variant `{}` holds a node: leave it out of the enum rather than skip it",
            variant.ident
        ))
        .with_span(&attr.skip.span()));
    }
    Ok(())
}

// enum Node { Select { stmt: SelectStmt }, Pair(A, B), Nothing }
pub(crate) fn single_field(variant: &Variant) -> darling::Result<&Type> {
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Ok(&fields.unnamed[0].ty),
        _ => Err(Error::custom(format_args!(
            "variant `{}` must hold exactly one node, as in `{0}(..)`",
            variant.ident
        ))
        .with_span(&variant.ident)),
    }
}
