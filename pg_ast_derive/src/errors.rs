//! Collects the errors of an item, so that all are reported at once.

use std::fmt::Display;

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

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

/// Returns an error at the code that causes it, as little as possible, with the section that explains it.
pub(crate) fn error(at: &impl Spanned, section: Section, message: impl Display) -> Error {
    let link = format!("{REFERENCE}#{}", section.id());
    Error::custom(format!("{message}\nsee {link}")).with_span(at)
}

#[derive(Default)]
pub(crate) struct Errors(Accumulator);

impl Errors {
    pub(crate) fn push(&mut self, at: &impl Spanned, section: Section, message: impl Display) {
        self.0.push(error(at, section, message));
    }

    /// Returns what darling has read of these attributes, unless there is a mistake in them.
    pub(crate) fn read<T>(
        &mut self,
        attrs: &[Attribute],
        section: Section,
        read: darling::Result<T>,
    ) -> Option<T> {
        // darling takes it for an empty list.
        let bare =
            |attr: &&Attribute| matches!(&attr.meta, Meta::Path(path) if path.is_ident("pg_ast"));
        let mut is_broken = false;
        for attr in attrs.iter().filter(bare) {
            self.push(attr.path(), section, PARENTHESES);
            is_broken = true;
        }
        let errors = match read {
            Ok(read) => return Some(read).filter(|_| !is_broken),
            Err(errors) => errors,
        };
        for error in errors {
            // Without the path of receivers.
            for error in syn::Error::from(error) {
                self.push(&error.span(), section, in_our_words(&error.to_string()));
            }
        }
        None
    }

    /// Returns the errors, if there are any, as one `compile_error!` each.
    pub(crate) fn finish(self) -> Result<(), TokenStream> {
        self.0.finish().map_err(Error::write_errors)
    }
}

const PARENTHESES: &str = "`pg_ast` takes parentheses, as in `#[pg_ast(..)]`";

/// Says what darling and syn say by themselves in the words of the reference.
fn in_our_words(message: &str) -> String {
    match message {
        "expected `,`" => "expected a comma before the next attribute".to_owned(),
        "Unexpected meta-item format `literal`" => "expected an attribute's name".to_owned(),
        _ if message.starts_with("Name-value arguments") => PARENTHESES.to_owned(),
        _ => match message.strip_prefix("Duplicate field ") {
            Some(name) => format!("duplicate attribute {name}"),
            None => message.to_owned(),
        },
    }
}
