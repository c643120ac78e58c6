//! What statements name, and texts cut to a length: beside libpg_query's own where there is one, and
//! by itself.

mod common;

each_version!(analysis);
