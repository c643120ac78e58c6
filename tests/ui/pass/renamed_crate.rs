//! The crate under another name, and a module without a prelude.
#![no_implicit_prelude]

extern crate pg_ast as renamed;

#[derive(renamed::FromRaw)]
#[pg_ast(raw = renamed::raw::RangeVar, partial, crate = renamed)]
struct Table {
    relname: ::std::string::String,
}

// Names that the derive must not take for its own.
#[allow(dead_code)]
struct Option;
#[allow(dead_code)]
struct Box;

#[::core::prelude::v1::test]
fn another_name_for_the_crate() {
    let stmts = renamed::parse_as::<Table>("SELECT 1").unwrap();
    ::std::assert!(stmts[0].is_none());
    let table = Table { relname: ::std::string::String::new() };
    ::std::assert!(table.relname.is_empty());
}
