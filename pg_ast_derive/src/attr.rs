//! Reads `#[pg_ast(..)]`, and the parts of `#[prost(..)]` that are needed.
//!
//! Each item is read by itself, so that a mistake in one of them does not hide the others.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Meta, Path, Token, parenthesized, token};

use crate::errors::{Errors, Section};

/// Attributes of the struct or enum itself.
#[derive(Default)]
pub(crate) struct TypeAttr {
    /// The C twin: `raw = ::libpg_query::pg18::SelectStmt`.
    pub(crate) raw: Option<Path>,
    /// The place of the node tag in the C struct: `header = "xpr.type_"`; `type_` if absent.
    pub(crate) header: Option<Vec<Ident>>,
    /// Only the named C fields are read. As with each flag, the word itself, to point at.
    pub(crate) partial: Option<Ident>,
    /// C fields that have no place in Rust: `skip_raw(field, ..)`.
    pub(crate) skip_raw: Vec<Ident>,
    /// The module with the traits of a version's messages: `tree = crate::pg18::message`.
    pub(crate) tree: Option<Path>,
    /// The C enum of the tags, where these are not node tags: `tags = raw::PLpgSQL_stmt_type`.
    pub(crate) tags: Option<Path>,
    /// The C struct is not a node: it is read only where a field's type says what it is.
    pub(crate) untagged: Option<Ident>,
    /// A method of the type tells which field it cannot be printed without.
    pub(crate) complete: Option<Ident>,
    /// The message implements serde's traits, for JSON and other formats.
    pub(crate) json: Option<Ident>,
    /// The path of the `pg_ast` crate, where it is renamed: `crate = other::name`.
    pub(crate) krate: Option<Path>,
    /// Something could not be read, so that what is absent may just be misspelt.
    pub(crate) is_broken: bool,
}

/// Attributes of a field of a struct.
#[derive(Default)]
pub(crate) struct FieldAttr {
    /// The C name, if it is not the Rust name: `name = "targetList"`.
    pub(crate) name: Option<Ident>,
    /// The C side has no such field: it becomes `Default::default()`.
    pub(crate) skip: Option<Ident>,
    /// The empty string is an empty C string here and not a null pointer.
    pub(crate) not_null: Option<Ident>,
    /// The number is a location in text that may be part of a longer one.
    pub(crate) location: Option<Ident>,
    /// The structs that the cells of a C list point to, where these have no tags: `items = raw::PLpgSQL_expr`.
    pub(crate) items: Option<Path>,
    /// The C field with the length of an array: `count = "ndatums"`.
    pub(crate) count: Option<Ident>,
    /// The name in JSON, if it is not the C name: `json = "type"`.
    pub(crate) json: Option<Ident>,
    /// The form of the field there, if it is not the usual one: `json_form = "Always"`.
    pub(crate) json_form: Option<Ident>,
}

/// Attributes of a variant, of an enumeration or of an enum of nodes.
#[derive(Default)]
pub(crate) struct VariantAttr {
    /// The C constant of an enumeration's variant: `name = "SETOP_UNION"`.
    pub(crate) name: Option<Ident>,
    /// The variant has no C constant (Protobuf's `..._UNDEFINED`).
    pub(crate) skip: Option<Ident>,
    /// The C struct of a node: `raw = ::libpg_query::pg18::SelectStmt`.
    pub(crate) raw: Option<Path>,
    /// The node tag, if it is not `T_` and the C struct's name: `tag = "T_IntList"`.
    pub(crate) tag: Option<Ident>,
    /// The variant is for everything that no other one is for.
    pub(crate) other: Option<Ident>,
    /// The name in JSON, if it is not that of the node in C: `json = "ival"`.
    pub(crate) json: Option<Ident>,
    /// Something could not be read, so that what is absent may just be misspelt.
    pub(crate) is_broken: bool,
}

/// A place for attributes, and the attributes that are allowed there.
struct Target {
    name: &'static str,
    section: Section,
    /// The public ones, as they are written.
    public: &'static [(&'static str, &'static str)],
    /// Those of the tree's own derives.
    internal: &'static [(&'static str, &'static str)],
}

const TYPE: Target = Target {
    name: "type",
    section: Section::OfType,
    public: &[
        ("raw", "raw = pg_ast::raw::SelectStmt"),
        ("partial", "partial"),
        ("header", "header = \"xpr.type_\""),
        ("skip_raw", "skip_raw(field, ..)"),
        ("crate", "crate = path"),
    ],
    internal: &[
        ("tree", "tree = path"),
        ("tags", "tags = path"),
        ("untagged", "untagged"),
        ("complete", "complete"),
        ("json", "json"),
    ],
};

const FIELD: Target = Target {
    name: "field",
    section: Section::OfField,
    public: &[
        ("name", "name = \"targetList\""),
        ("skip", "skip"),
        ("not_null", "not_null"),
        ("location", "location"),
    ],
    internal: &[
        ("items", "items = path"),
        ("count", "count = \"ndatums\""),
        ("json", "json = \"type\""),
        ("json_form", "json_form = \"Always\""),
    ],
};

const VARIANT: Target = Target {
    name: "variant",
    section: Section::OfVariant,
    public: &[
        ("raw", "raw = pg_ast::raw::SelectStmt"),
        ("tag", "tag = \"T_IntList\""),
        ("name", "name = \"SETOP_UNION\""),
        ("skip", "skip"),
        ("other", "other"),
    ],
    internal: &[("json", "json = \"ival\"")],
};

impl TypeAttr {
    pub(crate) fn new(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let (mut attr, before) = (Self::default(), errors.count());
        for item in TYPE.items(attrs, errors) {
            match item.name.to_string().as_str() {
                "raw" => attr.raw = TYPE.path(&item, errors),
                "header" => attr.header = TYPE.c_path(&item, errors),
                "partial" => attr.partial = TYPE.flag(&item, errors),
                "skip_raw" => attr.skip_raw = TYPE.c_names(&item, errors),
                "tree" => attr.tree = TYPE.path(&item, errors),
                "tags" => attr.tags = TYPE.path(&item, errors),
                "untagged" => attr.untagged = TYPE.flag(&item, errors),
                "complete" => attr.complete = TYPE.flag(&item, errors),
                "json" => attr.json = TYPE.flag(&item, errors),
                "crate" => attr.krate = TYPE.path(&item, errors),
                _ => TYPE.not_read(&item, errors),
            }
        }
        attr.is_broken = errors.count() > before;
        attr
    }
}

impl FieldAttr {
    pub(crate) fn new(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut attr = Self::default();
        for item in FIELD.items(attrs, errors) {
            match item.name.to_string().as_str() {
                "name" => attr.name = FIELD.c_name(&item, errors),
                "skip" => attr.skip = FIELD.flag(&item, errors),
                "not_null" => attr.not_null = FIELD.flag(&item, errors),
                "location" => attr.location = FIELD.flag(&item, errors),
                "items" => attr.items = FIELD.path(&item, errors),
                "count" => attr.count = FIELD.c_name(&item, errors),
                "json" => attr.json = FIELD.c_name(&item, errors),
                "json_form" => attr.json_form = FIELD.c_name(&item, errors),
                _ => FIELD.not_read(&item, errors),
            }
        }
        attr
    }
}

impl VariantAttr {
    pub(crate) fn new(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let (mut attr, before) = (Self::default(), errors.count());
        for item in VARIANT.items(attrs, errors) {
            match item.name.to_string().as_str() {
                "name" => attr.name = VARIANT.c_name(&item, errors),
                "skip" => attr.skip = VARIANT.flag(&item, errors),
                "raw" => attr.raw = VARIANT.path(&item, errors),
                "tag" => attr.tag = VARIANT.c_name(&item, errors),
                "other" => attr.other = VARIANT.flag(&item, errors),
                "json" => attr.json = VARIANT.c_name(&item, errors),
                _ => VARIANT.not_read(&item, errors),
            }
        }
        attr.is_broken = errors.count() > before;
        attr
    }
}

/// One of the items between the parentheses: `partial`, `raw = path` or `skip_raw(field)`.
struct Item {
    name: Ident,
    argument: Argument,
}

enum Argument {
    Absent,
    Assigned(TokenStream),
    List(TokenStream),
}

impl Parse for Item {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        // `crate` is a keyword.
        let name = input.call(Ident::parse_any);
        let name =
            name.map_err(|error| syn::Error::new(error.span(), "expected an attribute's name"))?;
        let argument = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            let mut value = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                value.extend([input.parse::<TokenTree>()?]);
            }
            Argument::Assigned(value)
        } else if input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            Argument::List(content.parse()?)
        } else {
            Argument::Absent
        };
        Ok(Self { name, argument })
    }
}

/// Reads the items in attributes with one name, up to the first syntax error.
fn read(attrs: &[Attribute], name: &str, section: Section, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let Meta::List(list) = &attr.meta else {
            let message = format!("`{name}` takes parentheses, as in `#[{name}(..)]`");
            errors.push(&attr.meta, section, message);
            continue;
        };
        let each = |input: ParseStream| {
            while !input.is_empty() {
                items.push(input.parse()?);
                if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                    return Err(input.error("expected a comma before the next attribute"));
                }
            }
            Ok(())
        };
        if let Err(error) = each.parse2(list.tokens.clone()) {
            errors.push_syntax(&error, section);
        }
    }
    items
}

impl Target {
    fn sample(&self, name: &Ident) -> Option<&'static str> {
        let mut known = self.public.iter().chain(self.internal);
        known.find(|(known, _)| name == known).map(|(_, sample)| *sample)
    }

    /// Returns the items that are allowed here, each once.
    fn items(&self, attrs: &[Attribute], errors: &mut Errors) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for item in read(attrs, "pg_ast", self.section, errors) {
            let name = &item.name;
            if self.sample(name).is_none() {
                let known: Vec<_> =
                    self.public.iter().map(|(name, _)| format!("`{name}`")).collect();
                let message = format!(
                    "a {} has no attribute `{name}`; it has {}",
                    self.name,
                    known.join(", ")
                );
                errors.push(name, self.section, message);
            } else if items.iter().any(|other| other.name == *name) {
                errors.push(name, self.section, format_args!("duplicate attribute `{name}`"));
            } else {
                items.push(item);
            }
        }
        items
    }

    /// Reports an attribute that `items` accepts but nothing reads: a mistake of ours.
    fn not_read(&self, item: &Item, errors: &mut Errors) {
        let message = format!("`{}` is an attribute that nothing reads", item.name);
        errors.push(&item.name, self.section, message);
    }

    /// Reports an item of the wrong form. `what` is the expected form; `None` for a word alone.
    fn wrong_form(&self, item: &Item, what: Option<&str>, errors: &mut Errors) {
        let name = &item.name;
        let message = match what {
            Some(what) => {
                let sample = self.sample(name).unwrap_or_default();
                format!("`{name}` takes {what}, as in `{sample}`")
            }
            None => format!("`{name}` takes no value"),
        };
        match &item.argument {
            Argument::Assigned(tokens) | Argument::List(tokens) if !tokens.is_empty() => {
                errors.push(tokens, self.section, message);
            }
            _ => errors.push(name, self.section, message),
        }
    }

    fn flag(&self, item: &Item, errors: &mut Errors) -> Option<Ident> {
        if matches!(item.argument, Argument::Absent) {
            return Some(item.name.clone());
        }
        self.wrong_form(item, None, errors);
        None
    }

    fn assigned<T: Parse>(&self, item: &Item, what: &str, errors: &mut Errors) -> Option<T> {
        if let Argument::Assigned(tokens) = &item.argument
            && let Ok(value) = syn::parse2(tokens.clone())
        {
            return Some(value);
        }
        self.wrong_form(item, Some(what), errors);
        None
    }

    fn path(&self, item: &Item, errors: &mut Errors) -> Option<Path> {
        self.assigned(item, "a path", errors)
    }

    /// Reads an identifier in a string literal, which keeps the literal's span.
    fn c_name(&self, item: &Item, errors: &mut Errors) -> Option<Ident> {
        let lit = self.assigned::<LitStr>(item, "a string", errors)?;
        self.identifier(&lit, &lit.value(), errors)
    }

    /// Reads one or more identifiers, separated by dots, in a string literal.
    fn c_path(&self, item: &Item, errors: &mut Errors) -> Option<Vec<Ident>> {
        let lit = self.assigned::<LitStr>(item, "a string", errors)?;
        lit.value().split('.').map(|part| self.identifier(&lit, part, errors)).collect()
    }

    fn c_names(&self, item: &Item, errors: &mut Errors) -> Vec<Ident> {
        if let Argument::List(tokens) = &item.argument
            && !tokens.is_empty()
            && let Ok(paths) =
                Punctuated::<Path, Token![,]>::parse_terminated.parse2(tokens.clone())
        {
            let mut names = Vec::new();
            for path in &paths {
                match path.get_ident() {
                    Some(ident) => names.push(ident.clone()),
                    None => {
                        let message = format!("`{}` takes names of C fields", item.name);
                        errors.push(path, self.section, message);
                    }
                }
            }
            return names;
        }
        self.wrong_form(item, Some("names in parentheses"), errors);
        Vec::new()
    }

    fn identifier(&self, lit: &LitStr, text: &str, errors: &mut Errors) -> Option<Ident> {
        match Ident::parse_any.parse_str(text) {
            // `r#type` is Rust's way to write a name; C does not have that.
            Ok(mut ident) if text != "_" && ident == ident.unraw() => {
                ident.set_span(lit.span());
                Some(ident)
            }
            _ => {
                errors.push(lit, self.section, format_args!("`{text}` is not a name in C"));
                None
            }
        }
    }
}

/// What is read from `#[prost(..)]`. Mistakes are left to prost's own derive.
#[derive(Default)]
pub(crate) struct ProstAttr {
    /// The enumeration of `#[prost(enumeration = "SetOperation")]`: prost stores it as an `i32`, whose type says nothing
    /// of the C enum behind it.
    pub(crate) enumeration: Option<Path>,
    /// The numbers that a field has in Protobuf, ascending: those of `#[prost(tag = "1")]`, or of
    /// `#[prost(tags = "1, 2")]`.
    pub(crate) numbers: Option<Vec<u32>>,
}

impl ProstAttr {
    pub(crate) fn new(attrs: &[Attribute]) -> Self {
        let mut attr = Self::default();
        for item in read(attrs, "prost", Section::Items, &mut Errors::default()) {
            let Argument::Assigned(tokens) = item.argument else { continue };
            let Ok(lit) = syn::parse2::<LitStr>(tokens) else { continue };
            match item.name.to_string().as_str() {
                "enumeration" => attr.enumeration = lit.parse().ok(),
                "tag" | "tags" => attr.numbers = numbers(&lit.value()),
                _ => {}
            }
        }
        attr
    }
}

fn numbers(list: &str) -> Option<Vec<u32>> {
    let numbers = list.split(',').map(|number| number.trim().parse().ok());
    let mut numbers = numbers.collect::<Option<Vec<_>>>()?;
    numbers.sort_unstable();
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    use super::{FIELD, FieldAttr, TYPE, Target, TypeAttr, VARIANT, VariantAttr};
    use crate::errors::Errors;

    type Read = fn(&[Attribute], &mut Errors);

    #[test]
    fn each_attribute_is_read_as_it_is_written_in_messages() {
        let read: [(Target, Read); 3] = [
            (TYPE, |attrs, errors| drop(TypeAttr::new(attrs, errors))),
            (FIELD, |attrs, errors| drop(FieldAttr::new(attrs, errors))),
            (VARIANT, |attrs, errors| drop(VariantAttr::new(attrs, errors))),
        ];
        for (target, read) in read {
            for (name, sample) in target.public.iter().chain(target.internal) {
                let sample = sample.replace("..", "other");
                let tokens: proc_macro2::TokenStream = sample.parse().expect("tokens");
                let mut errors = Errors::default();
                read(&[parse_quote!(#[pg_ast(#tokens)])], &mut errors);
                assert_eq!(errors.count(), 0, "`{name}` of a {}: {sample}", target.name);
            }
        }
    }
}
