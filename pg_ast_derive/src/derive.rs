//! The steps of every macro from an item to code.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::{Errors, Section, error};
use crate::expand::{from_raw, into_raw};
use crate::input::{Derive, Input};
use crate::model::Mapping;
use crate::{check, fallback};

pub(crate) fn derive(derive: Derive, item: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let input = Input::new(derive, item, &mut errors);
    check::check(&input, &mut errors);
    if let Err(errors) = errors.finish() {
        return fallback::expand(&input, &errors);
    }
    match (Mapping::new(&input), derive) {
        (Some(model), Derive::FromRaw) => from_raw::expand(&model),
        (Some(model), Derive::IntoRaw) => into_raw::expand(&model),
        // The rules only accept input that a model can be made of; if they fail to, this must not panic.
        (None, _) => {
            let error = error(&item.ident, Section::Items, "nothing can be derived for this");
            fallback::expand(&input, &error.write_errors())
        }
    }
}
