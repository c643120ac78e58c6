//! Collects the errors of an item, so that all are reported at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The public reference of the attributes, which is the documentation of `pg_ast::FromRaw`.
const REFERENCE: &str = "https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html";

/// A section of the reference, by the id of its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Items,
    OfType,
    OfField,
    OfVariant,
}

impl Section {
    fn id(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::OfType => "attributes-of-a-type",
            Self::OfField => "attributes-of-a-field",
            Self::OfVariant => "attributes-of-a-variant",
        }
    }
}

#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Records an error at the tokens that cause it, as few as possible, with the section
    /// that explains it.
    pub(crate) fn push(&mut self, at: &impl ToTokens, section: Section, message: impl Display) {
        self.0.push(syn::Error::new_spanned(at, with_link(message, section)));
    }

    /// Records an error that is found while tokens are parsed.
    pub(crate) fn push_syntax(&mut self, error: &syn::Error, section: Section) {
        self.0.push(syn::Error::new(error.span(), with_link(error, section)));
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns one `compile_error!` for each error.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}

/// A message, and below it the section that explains it.
fn with_link(message: impl Display, section: Section) -> String {
    format!("{message}\nsee {REFERENCE}#{}", section.id())
}
