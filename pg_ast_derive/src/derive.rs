//! The steps of every macro from an item to code.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::{Errors, Section};
use crate::expand::{from_raw, into_raw, message};
use crate::input::{Derive, Input};
use crate::model::{Mapping, Message};
use crate::{check, fallback};

pub(crate) fn derive(derive: Derive, item: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let input = Input::new(derive, item, &mut errors);
    check::check(&input, &mut errors);
    if errors.count() == 0 {
        match expand(&input) {
            Some(impls) => return impls,
            // The rules only accept input that a model can be made of; if they fail to, this must not panic.
            None => errors.push(&item.ident, Section::Items, "nothing can be derived for this"),
        }
    }
    fallback::expand(&input, errors)
}

fn expand(input: &Input) -> Option<TokenStream> {
    Some(match input.derive {
        Derive::FromRaw => from_raw::expand(&Mapping::new(input)?),
        Derive::IntoRaw => into_raw::expand(&Mapping::new(input)?),
        Derive::Message => message::expand(&Message::new(input)?),
    })
}
