//! Collects what is wrong with an item, so that all of it is reported at once.

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
    /// Notes a mistake on the tokens that it is about, which are as few as possible, and the section
    /// that explains it.
    pub(crate) fn push(&mut self, at: &impl ToTokens, section: Section, message: impl Display) {
        let message = format!("{message}\nsee {REFERENCE}#{}", section.id());
        self.0.push(syn::Error::new_spanned(at, message));
    }

    /// Notes what syn says of text that is not even well-formed.
    pub(crate) fn push_syntax(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// One `compile_error!` for each mistake.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}
