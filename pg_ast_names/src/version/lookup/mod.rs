//! What a name means: lists of columns, the scopes in which names are visible, and the tables of a catalog.

pub(crate) mod column_names;
pub(crate) mod name_lookup;
pub(crate) mod visible_names;

use super::{VERSION, pg, resolver};
