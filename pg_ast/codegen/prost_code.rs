//! Adds to the items that prost-build writes, and changes them, in one pass over their syntax.
//!
//! prost-build could add attributes itself, but compares the path of each field with that of each
//! attribute for that.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use proc_macro2::Literal;
use quote::{ToTokens as _, quote};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Expr, ExprLit, GenericArgument, Ident, ImplItem, Item, ItemEnum, Lit, Meta,
    Pat, Path, PathArguments, Stmt, Token, Type, parse_quote,
};

use crate::name_places::NamePlaces;
use crate::printer::print;

/// The derives of prost-build for a message or a oneof that our `Message` replaces.
const REPLACED: [&str; 4] = ["Clone", "Message", "Oneof", "PartialEq"];

/// The derives of prost-build for an enumeration that `pg_ast/convert/enumeration.rs` replaces.
const ENUMERATION: [&str; 1] = ["Enumeration"];

/// The additions to all items, by their paths in Rust: `SelectStmt`, `node::Node`.
#[derive(Default)]
pub(crate) struct Additions(HashMap<String, Addition>);

/// The additions to an item.
#[derive(Default)]
pub(crate) struct Addition {
    attributes: String,
    /// True if the derives of prost-build are removed.
    is_message: bool,
    /// By the names of fields and variants; by the numbers of constants.
    members: HashMap<String, Member>,
}

/// The additions to a field, a variant or a constant.
#[derive(Default)]
pub(crate) struct Member {
    attributes: String,
    /// Whether the variant has its message in a box. prost-build boxes everything that leads back to the
    /// enum, and has no setting for that.
    pub(crate) is_boxed: Option<bool>,
}

impl Additions {
    /// Returns the additions to the struct of a message, or to an enumeration, by its name in the schema.
    pub(crate) fn item(&mut self, name: &str) -> &mut Addition {
        self.0.entry(name.to_upper_camel_case()).or_default()
    }

    /// Returns the additions to an item inside of a message: the enum of a oneof, another message.
    pub(crate) fn inside(&mut self, message: &str, name: &str) -> &mut Addition {
        let path = format!("{}::{}", message.to_snake_case(), name.to_upper_camel_case());
        self.0.entry(path).or_default()
    }

    /// Returns the code of prost-build with these additions.
    ///
    /// # Errors
    ///
    /// The code lacks an item that has additions.
    pub(crate) fn put_into(mut self, code: &str) -> Result<String, Box<dyn Error>> {
        let mut file = syn::parse_file(code)?;
        self.items(&mut file.items, "")?;
        match self.0.keys().next() {
            Some(path) => Err(format!("prost-build wrote no `{path}`").into()),
            None => Ok(print(file.into_token_stream())),
        }
    }

    fn items(&mut self, items: &mut Vec<Item>, module: &str) -> Result<(), Box<dyn Error>> {
        let (mut enumerations, mut names) = (Vec::new(), HashMap::new());
        for item in &mut *items {
            match item {
                Item::Struct(item) => {
                    let mut added = self.take(module, &item.ident, &mut item.attrs)?;
                    for field in &mut item.fields {
                        let name = field.ident.to_token_stream().to_string();
                        added.take(&name).put(&mut field.attrs)?;
                        shorten(&mut field.ty);
                    }
                    added.finish(&item.ident)?;
                }
                Item::Enum(item) => {
                    let mut added = self.take(module, &item.ident, &mut item.attrs)?;
                    for variant in &mut item.variants {
                        let number = variant.discriminant.as_ref().map(|(_, number)| number);
                        let name = match number {
                            Some(number) => number.to_token_stream().to_string(),
                            None => variant.ident.to_string(),
                        };
                        let member = added.take(&name);
                        for field in &mut variant.fields {
                            shorten(&mut field.ty);
                            if let Some(is_boxed) = member.is_boxed {
                                set_boxed(&mut field.ty, is_boxed);
                            }
                        }
                        member.put(&mut variant.attrs)?;
                    }
                    added.finish(&item.ident)?;
                    if take_derives(&mut item.attrs, &ENUMERATION)? {
                        enumerations.push(item.clone());
                    }
                }
                // Names of constants: compiled where they are used, which is rare.
                Item::Impl(item) => {
                    for function in &mut item.items {
                        if let ImplItem::Fn(function) = function {
                            function.attrs.push(parse_quote!(#[inline]));
                            // These have all names once more, in code of their own.
                            if function.sig.ident == "as_str_name" {
                                let name = item.self_ty.to_token_stream().to_string();
                                names.insert(name, names_of_constants(&function.block));
                                function.block =
                                    parse_quote!({ crate::convert::enumeration::name(*self) });
                            } else if function.sig.ident == "from_str_name" {
                                function.block =
                                    parse_quote!({ crate::convert::enumeration::with_name(value) });
                            }
                        }
                    }
                }
                Item::Mod(item) => {
                    let module = format!("{module}{}::", item.ident);
                    if let Some((_, items)) = &mut item.content {
                        self.items(items, &module)?;
                    }
                }
                _ => {}
            }
        }
        for item in enumerations {
            let names = names.remove(&item.ident.to_string()).unwrap_or_default();
            items.extend(enumeration(&item, &names)?);
        }
        Ok(())
    }

    /// Takes the additions to an item, and adds its attributes.
    fn take(
        &mut self,
        module: &str,
        ident: &Ident,
        attrs: &mut Vec<Attribute>,
    ) -> Result<Addition, Box<dyn Error>> {
        let path = format!("{module}{ident}");
        let added = self.0.remove(&path).unwrap_or_default();
        if added.is_message && !take_derives(attrs, &REPLACED)? {
            return Err(format!("prost-build derives nothing for `{path}`").into());
        }
        put(&added.attributes, attrs)?;
        Ok(added)
    }
}

impl Addition {
    /// Adds an attribute, after those that were added before.
    pub(crate) fn attribute(&mut self, attribute: &str) {
        self.attributes.push_str(attribute);
    }

    /// Adds the derive of `Message`, with its attributes, in place of prost-build's derives.
    pub(crate) fn message(&mut self, attribute: &str) {
        self.is_message = true;
        self.attribute(attribute);
    }

    pub(crate) fn member(&mut self, name: impl Into<String>) -> &mut Member {
        self.members.entry(name.into()).or_default()
    }

    fn take(&mut self, name: &str) -> Member {
        self.members.remove(name).unwrap_or_default()
    }

    fn finish(&self, ident: &Ident) -> Result<(), Box<dyn Error>> {
        match self.members.keys().next() {
            Some(name) => Err(format!("prost-build wrote no `{name}` into `{ident}`").into()),
            None => Ok(()),
        }
    }
}

impl Member {
    /// Adds an attribute, after those that were added before.
    pub(crate) fn attribute(&mut self, attribute: &str) {
        self.attributes.push_str(attribute);
    }

    fn put(&self, attrs: &mut Vec<Attribute>) -> Result<(), Box<dyn Error>> {
        put(&self.attributes, attrs)
    }
}

/// Inserts attributes before the existing ones.
fn put(added: &str, attrs: &mut Vec<Attribute>) -> Result<(), Box<dyn Error>> {
    if !added.is_empty() {
        let mut added = Attribute::parse_outer.parse_str(added)?;
        added.append(attrs);
        *attrs = added;
    }
    Ok(())
}

/// Returns the name in the schema of each variant, from the `match` of prost-build's `as_str_name`.
fn names_of_constants(block: &Block) -> HashMap<String, String> {
    let [Stmt::Expr(Expr::Match(function), None)] = &block.stmts[..] else { return HashMap::new() };
    let names = function.arms.iter().filter_map(|arm| match (&arm.pat, &*arm.body) {
        (Pat::Path(path), Expr::Lit(ExprLit { lit: Lit::Str(name), .. })) => {
            Some((path.path.segments.last()?.ident.to_string(), name.value()))
        }
        _ => None,
    });
    names.collect()
}

/// Returns calls of the macros that write what prost would derive for an enumeration, and the table of its constants.
///
/// # Errors
///
/// A constant has no number, or no name.
fn enumeration(
    item: &ItemEnum,
    names: &HashMap<String, String>,
) -> Result<[Item; 2], Box<dyn Error>> {
    let name = &item.ident;
    let (mut list, mut numbers, mut places) = (Vec::new(), String::new(), NamePlaces::default());
    let mut place = |name: &str| {
        let (start, length) = places.place(name);
        format!("{start} {length} ")
    };
    for variant in &item.variants {
        let constant = &variant.ident;
        let found = variant.discriminant.as_ref().zip(names.get(&constant.to_string()));
        let Some(((_, number), in_schema)) = found else {
            return Err(format!("prost-build gave `{name}::{constant}` no number or name").into());
        };
        let (rust, in_schema) = (place(&constant.to_string()), place(in_schema));
        list.push(quote!(#number #constant));
        // Writing to a String cannot fail.
        let _ = write!(numbers, "{} {rust}{in_schema}", number.to_token_stream());
    }
    let (text, count) = (places.text, Literal::usize_unsuffixed(list.len()));
    Ok([
        parse_quote!(crate::convert::enumeration::enumeration! { #name: #(#list),* }),
        parse_quote!(crate::convert::enumeration::named! { #name #text: #count #numbers }),
    ])
}

/// Removes the derives of prost-build that are in `replaced`; false if there are none.
fn take_derives(attrs: &mut Vec<Attribute>, replaced: &[&str]) -> Result<bool, Box<dyn Error>> {
    let last = |path: &Path| path.segments.last().map(|segment| segment.ident.to_string());
    let mut found = false;
    let mut kept = Vec::new();
    for mut attr in core::mem::take(attrs) {
        if let Meta::List(list) = &mut attr.meta
            && list.path.is_ident("derive")
        {
            let derives = list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?;
            let is_replaced =
                |path: &Path| last(path).is_some_and(|name| replaced.contains(&name.as_str()));
            found |= derives.iter().any(|path| path.segments.len() > 1 && is_replaced(path));
            let derives = derives.into_iter().filter(|path| !is_replaced(path));
            let derives: Punctuated<Path, Token![,]> = derives.collect();
            if derives.is_empty() {
                continue;
            }
            list.tokens = derives.into_token_stream();
        }
        kept.push(attr);
    }
    *attrs = kept;
    Ok(found)
}

/// Puts a type into a box, or takes it out of one.
fn set_boxed(ty: &mut Type, is_boxed: bool) {
    match boxed(ty) {
        Some(inner) if !is_boxed => *ty = inner.clone(),
        None if is_boxed => *ty = parse_quote!(Box<#ty>),
        _ => {}
    }
}

/// Removes the path to a type of the prelude, which the derives repeat. `String` is a node, too.
fn shorten(ty: &mut Type) {
    let Type::Path(ty) = ty else { return };
    let path = &mut ty.path;
    let Some(last) = path.segments.last_mut() else { return };
    if let PathArguments::AngleBracketed(arguments) = &mut last.arguments {
        for argument in &mut arguments.args {
            if let GenericArgument::Type(ty) = argument {
                shorten(ty);
            }
        }
    }
    if path.leading_colon.is_some() {
        *path = match last.ident.to_string().as_str() {
            "Box" | "Option" | "Vec" => last.clone().into(),
            "String" => parse_quote!(std::string::String),
            _ => return,
        };
    }
}

/// Returns the type in a box.
fn boxed(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Box")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
