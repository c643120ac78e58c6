//! The documentation: what build.rs writes of the tree, which are the comments of PostgreSQL's headers; and what it names.

#[path = "documentation/paths.rs"]
mod paths;

use std::collections::{BTreeSet, HashMap};

macro_rules! trees {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        /// The generated trees.
        const TREES: &[(&str, &str)] = &[
            $(
                #[cfg(feature = $feature)]
                ($feature, include_str!(concat!(env!("OUT_DIR"), "/", $feature, ".rs"))),
            )*
        ];
    };
}
libpg_query::for_each_version! { [trees!] }

/// A struct, and its fields by name; each with its documentation, as it is in the source.
#[derive(Default)]
struct Struct<'a> {
    text: &'a str,
    fields: HashMap<&'a str, &'a str>,
}

/// The structs of a generated tree.
fn structs(code: &str) -> HashMap<&str, Struct<'_>> {
    let mut structs: HashMap<&str, Struct> = HashMap::new();
    let (mut current, mut text) = ("", "");
    for line in code.lines() {
        let declared = line.trim_start();
        if let Some(doc) = declared.strip_prefix("#[doc = \"") {
            text = doc.trim_end_matches("\"]");
        } else if let Some(name) = line.strip_prefix("pub struct ") {
            current = name.trim_end_matches([' ', '{', '}']);
            structs.entry(current).or_default().text = std::mem::take(&mut text);
        } else if let Some((name, _)) = line
            .strip_prefix("    pub ")
            .and_then(|field| field.split_once(": "))
            .filter(|_| !current.is_empty())
        {
            let text = std::mem::take(&mut text);
            structs.entry(current).or_default().fields.insert(name, text);
        } else if line == "}" {
            (current, text) = ("", "");
        }
    }
    structs
}

/// Whether a text has words of PostgreSQL's, and not only the field's name in C.
fn says_something(text: &str) -> bool {
    !text.is_empty() && !text.starts_with("In C: ")
}

#[test]
fn most_fields_have_a_text() {
    for (version, code) in TREES {
        let structs = structs(code);
        let fields: Vec<_> = structs.values().flat_map(|it| it.fields.values()).collect();
        let with_text = fields.iter().filter(|text| says_something(text)).count();
        println!("{version}: {with_text} of {} fields", fields.len());
        assert!(fields.len() > 1_200, "{version}: {}", fields.len());
        assert!(with_text * 100 > fields.len() * 93, "{version}: {with_text} of {}", fields.len());
        assert!(fields.iter().all(|text| !text.is_empty()), "{version}");
    }
}

#[test]
fn a_select_is_explained() {
    for (version, code) in TREES {
        let structs = structs(code);
        let select = &structs["SelectStmt"];
        assert!(select.text.contains("PostgreSQL's node [`SelectStmt`]"), "{version}");
        for (name, text) in &select.fields {
            assert!(says_something(text), "{version}: {name}: {text:?}");
        }
        // What is in a list, and which enumeration a number is of.
        assert!(select.fields["target_list"].contains("[`ResTarget`]"), "{version}");
        assert!(select.fields["op"].contains("A constant of [`SetOperation`]."), "{version}");
        assert!(select.fields["from_clause"].contains("In C: `fromClause`."), "{version}");
    }
}

/// The names of a file of `tests/statements/` that stand for nodes.
fn names(file: &str) -> BTreeSet<&str> {
    let lines = file.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let names = lines.map(|line| line.split("  ").next().unwrap_or(line));
    // `EnumType CONSTANT`
    names.filter(|name| !name.contains(' ')).collect()
}

/// Our own statements reach each node of the newest grammar, and list the others.
#[test]
#[cfg(feature = "pg18")]
fn nodes_that_the_grammar_never_makes_say_so() {
    let (_, code) = TREES.last().expect("a version");
    let structs = structs(code);
    let says_so: BTreeSet<_> = structs
        .values()
        .filter(|it| it.text.contains("The grammar never makes this node"))
        .filter_map(|it| it.text.split("PostgreSQL's node [`").nth(1)?.split('`').next())
        .collect();
    let mut unreachable = names(include_str!("statements/unreachable.txt"));
    // All kinds of lists are one struct.
    assert!(unreachable.remove("IntList") && unreachable.remove("OidList"));
    assert_eq!(says_so, unreachable);
}
