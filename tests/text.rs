//! What makes no tree: fingerprints, normalized texts, tokens, and the texts of single statements.

mod common;

each_version!(text);
