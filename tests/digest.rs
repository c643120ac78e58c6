//! Several answers from one parse, in every version.

mod common;

each_version!(digest);
