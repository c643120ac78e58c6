//! Golden expansions: the output of the macros for small inputs.
//!
//! `tests/expected/<case>.rs` is an input as a user writes it, `<case>.expected.rs` the output of its
//! derives. `BLESS=1 cargo test -p pg_ast_derive` rewrites the latter. This is where the
//! generated `unsafe` is reviewed: clippy's `undocumented_unsafe_blocks` does not see it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Token};

use crate::derive;
use crate::input::Derive;

const DERIVES: [Derive; 2] = [Derive::FromRaw, Derive::IntoRaw];

const INPUT: &str = ".rs";
const EXPECTED: &str = ".expected.rs";

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the cases that have an input, and those that have an expansion.
fn cases() -> [BTreeSet<String>; 2] {
    let mut cases = [BTreeSet::new(), BTreeSet::new()];
    for entry in fs::read_dir(folder("tests/expected")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(case) = name.strip_suffix(EXPECTED) {
            cases[1].insert(case.to_owned());
        } else if let Some(case) = name.strip_suffix(INPUT) {
            cases[0].insert(case.to_owned());
        }
    }
    cases
}

fn input(case: &str) -> DeriveInput {
    let path = folder("tests/expected").join(case.to_owned() + INPUT);
    syn::parse_file(&read(&path))
        .and_then(|file| syn::parse2(quote::ToTokens::into_token_stream(file)))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the expansion of each macro that the input derives.
fn expansions(input: &DeriveInput) -> Vec<(Derive, TokenStream)> {
    type Names = Punctuated<syn::Path, Token![,]>;
    let derived: Vec<Names> = input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("derive"))
        .map(|attr: &Attribute| attr.parse_args_with(Names::parse_terminated).unwrap())
        .collect();
    derived
        .iter()
        .flatten()
        .filter_map(|name| {
            let name = name.segments.last()?.ident.to_string();
            let derive = DERIVES.into_iter().find(|derive| format!("{derive:?}") == name)?;
            Some((derive, derive::derive(derive, input)))
        })
        .collect()
}

fn pretty(case: &str) -> String {
    let mut text = format!("// @generated from {case}.rs: `BLESS=1 cargo test -p pg_ast_derive`\n");
    for (name, tokens) in expansions(&input(case)) {
        let file = syn::parse2(tokens.clone())
            .unwrap_or_else(|error| panic!("{case}: {name:?} writes no items: {error}\n{tokens}"));
        write!(text, "\n// {name:?}\n{}", prettyplease::unparse(&file)).unwrap();
    }
    text
}

/// Returns the lines in which the texts differ, with the number of the first one.
fn difference(expected: &str, actual: &str) -> String {
    let expected: Vec<_> = expected.lines().collect();
    let actual: Vec<_> = actual.lines().collect();
    let same = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let (expected_rest, actual_rest) = (&expected[same..], &actual[same..]);
    let tail = expected_rest.iter().rev().zip(actual_rest.iter().rev());
    let tail = tail.take_while(|(a, b)| a == b).count();
    let mut text = format!("line {}:\n", same + 1);
    for line in &expected_rest[..expected_rest.len() - tail] {
        writeln!(text, "-{line}").unwrap();
    }
    for line in &actual_rest[..actual_rest.len() - tail] {
        writeln!(text, "+{line}").unwrap();
    }
    text
}

#[test]
fn expansions_are_as_expected() {
    let bless = env::var_os("BLESS").is_some();
    let [inputs, expected] = cases();
    assert!(!inputs.is_empty(), "there are no cases");
    let mut failures = String::new();
    for case in expected.difference(&inputs) {
        writeln!(failures, "{case}{EXPECTED} has no {case}{INPUT}").unwrap();
    }
    for case in &inputs {
        let path = folder("tests/expected").join(case.clone() + EXPECTED);
        let actual = pretty(case);
        if bless {
            fs::write(&path, actual).unwrap();
        } else if !path.exists() {
            writeln!(failures, "{case}{EXPECTED} is missing").unwrap();
        } else {
            let expected = read(&path);
            if expected != actual {
                let difference = difference(&expected, &actual);
                writeln!(failures, "{case}{EXPECTED}, {difference}").unwrap();
            }
        }
    }
    assert!(
        failures.is_empty(),
        "`-` is expected, `+` is written now; if that is right, `BLESS=1` accepts it\n\n{failures}"
    );
}

/// With `crate = renamed`, nothing may name `pg_ast`, not even the code after an error.
#[test]
fn a_renamed_crate_is_all_that_is_named() {
    let mut mistake: DeriveInput = syn::parse_quote! {
        #[derive(FromRaw, IntoRaw)]
        #[pg_ast(partail, raw = renamed::raw::Alias)]
        struct Alias { aliasname: String }
    };
    let mut renamed = 0;
    for input in cases()[0].iter().map(|case| input(case)).chain([mistake.clone()]) {
        mistake = input;
        mistake.attrs.push(syn::parse_quote!(#[pg_ast(crate = renamed)]));
        for (name, tokens) in expansions(&mistake) {
            let code = tokens.to_string();
            renamed += usize::from(code.contains("renamed ::"));
            assert!(!code.contains(":: pg_ast"), "{name:?} of {}: {code}", mistake.ident);
        }
    }
    assert!(renamed > 10, "{renamed}");
}

/// `quote!` drops comments, so the expansions cannot show that each `unsafe` has its reason.
#[test]
fn each_unsafe_block_has_its_safety_comment() {
    let mut blocks = 0;
    for file in fs::read_dir(folder("src/expand")).unwrap() {
        let path = file.unwrap().path();
        let source = read(&path);
        let lines: Vec<_> = source.lines().map(str::trim_start).collect();
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| line.contains("unsafe {")) {
            blocks += 1;
            let mut comment = lines[..index].iter().rev().take_while(|line| line.starts_with("//"));
            assert!(
                comment.any(|line| line.starts_with("// SAFETY:")),
                "{}:{}: `unsafe` without a SAFETY comment",
                path.display(),
                index + 1
            );
        }
    }
    assert!(blocks > 0, "no `unsafe` was found");
}
