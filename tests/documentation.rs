//! Tests the documentation: build.rs's documentation of the tree, which is PostgreSQL's comments; the paths in it; and what folders
//! stand on.

#[path = "documentation/arrows.rs"]
mod arrows;
#[path = "documentation/names.rs"]
mod names;
#[path = "documentation/paths.rs"]
mod paths;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

macro_rules! trees {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        /// The generated trees: the owned one, and the views.
        const TREES: &[(&str, &str, &str)] = &[
            $(
                #[cfg(feature = $feature)]
                (
                    $feature,
                    include_str!(concat!(env!("OUT_DIR"), "/", $feature, ".rs")),
                    include_str!(concat!(env!("OUT_DIR"), "/", $feature, "_view.rs")),
                ),
            )*
        ];
    };
}
libpg_query::for_each_version! { [trees!] }

/// A struct and its fields by name, each with its documentation in the source.
#[derive(Default)]
struct Struct<'a> {
    text: String,
    fields: HashMap<&'a str, String>,
}

/// Returns the text of a line of documentation.
fn documentation(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("///")?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

/// Adds a line to a text.
fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// Returns the structs of a generated tree.
fn structs(code: &str) -> HashMap<&str, Struct<'_>> {
    let mut structs: HashMap<&str, Struct> = HashMap::new();
    let (mut current, mut text) = ("", String::new());
    for line in code.lines() {
        if let Some(doc) = documentation(line) {
            add_line(&mut text, doc);
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
            current = "";
            text.clear();
        }
    }
    structs
}

/// Whether a text says what a field holds, and not only its name in C and its enumeration.
fn says_something(text: &str) -> bool {
    !text.is_empty() && !text.starts_with("In C: ") && !text.starts_with("A constant of ")
}

/// The methods of the views that stand for fields, by type and name; each with its documentation.
fn methods(code: &str) -> Vec<(&str, &str, String)> {
    let mut methods = Vec::new();
    let (mut current, mut text) = ("", String::new());
    for line in code.lines() {
        if let Some(doc) = documentation(line) {
            add_line(&mut text, doc);
        } else if let Some(name) = line.strip_prefix("impl<'a> ") {
            current = name.split('<').next().unwrap_or(name);
            text.clear();
        } else if let Some((name, _)) =
            line.strip_prefix("    pub fn ").and_then(|method| method.split_once("(self)"))
        {
            methods.push((current, name, std::mem::take(&mut text)));
        }
    }
    methods
}

/// Whether a text is a committed one in which a comment replaces the mark, if it has one.
fn is_filled(text: &str, committed: &str) -> bool {
    match committed.split_once("<!-- ") {
        Some((before, rest)) => {
            let (_, after) = rest.split_once(" -->").expect("the end of a mark");
            text.len() > before.len() + after.len()
                && text.starts_with(before)
                && text.ends_with(after)
        }
        None => text == committed,
    }
}

/// The committed code has marks in the places of PostgreSQL's comments, and the build script puts all of these there.
#[test]
fn each_mark_has_its_comment() {
    for (version, tree, views) in TREES {
        let committed = |name: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pg_ast").join(version);
            std::fs::read_to_string(path.join(name)).expect("a committed file")
        };
        let (committed_tree, committed_views) = (committed("protobuf.rs"), committed("views.rs"));
        let (structs, committed) = (structs(tree), structs(&committed_tree));
        assert_eq!(structs.len(), committed.len(), "{version}");
        let (mut texts, mut marks) = (Vec::new(), 0);
        for (ty, it) in &structs {
            let committed = &committed[ty];
            texts.push((*ty, "", &it.text, &committed.text));
            for (name, text) in &it.fields {
                texts.push((*ty, *name, text, &committed.fields[name]));
            }
        }
        let (methods, committed) = (methods(views), methods(&committed_views));
        assert_eq!(methods.len(), committed.len(), "{version}");
        for ((ty, name, text), (.., committed)) in methods.iter().zip(&committed) {
            texts.push((*ty, *name, text, committed));
        }
        for (ty, name, text, committed) in texts {
            marks += usize::from(committed.contains("<!-- "));
            assert!(is_filled(text, committed), "{version}: {ty}.{name}: {text:?}");
        }
        println!("{version}: {marks} marks");
        assert!(marks > 1_500, "{version}: {marks} marks");
        assert!(!tree.contains("<!-- ") && !views.contains("<!-- "), "{version}");
    }
}

#[test]
fn every_field_has_a_text() {
    for (version, tree, views) in TREES {
        let structs = structs(tree);
        let mut items: Vec<_> = structs
            .iter()
            .flat_map(|(ty, it)| {
                it.fields.iter().map(move |(name, text)| (*ty, *name, text.clone()))
            })
            .collect();
        let fields = items.len();
        items.extend(methods(views));
        println!("{version}: {fields} fields, {} methods", items.len() - fields);
        assert!(fields > 1_200 && items.len() - fields > 1_100, "{version}");
        items.retain(|(_, _, text)| !says_something(text));
        assert!(items.is_empty(), "{version}: {items:#?}");
    }
}

/// The tree of PL/pgSQL, which has the comments of plpgsql.h.
#[test]
#[cfg(feature = "plpgsql")]
fn plpgsql_is_explained() {
    macro_rules! trees {
        ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
            &[$(
                #[cfg(feature = $feature)]
                ($feature, include_str!(concat!(env!("OUT_DIR"), "/", $feature, "_plpgsql.rs"))),
            )*]
        };
    }
    let trees: &[(&str, &str)] = libpg_query::for_each_version! { [trees!] };
    for (version, code) in trees {
        let structs = structs(code);
        assert!(structs.len() > 40, "{version}");
        for (ty, it) in &structs {
            assert!(it.text.contains("PostgreSQL's struct [`PLpgSQL_"), "{version}: {ty}");
            for (name, text) in &it.fields {
                assert!(says_something(text), "{version}: {ty}.{name}: {text:?}");
            }
        }
        let loops = &structs["StmtFori"];
        assert!(loops.text.starts_with("FOR statement with integer loopvar."), "{}", loops.text);
        assert_eq!(loops.fields["step"], "NULL means default (ie, BY 1).", "{version}");
        assert!(!code.contains("<!-- "), "{version}");
    }
}

#[test]
fn a_select_is_explained() {
    for (version, code, _) in TREES {
        let structs = structs(code);
        let select = &structs["SelectStmt"];
        assert!(select.text.contains("PostgreSQL's node [`SelectStmt`]"), "{version}");
        for (name, text) in &select.fields {
            assert!(says_something(text), "{version}: {name}: {text:?}");
        }
        // The item type of a list, and the enumeration of a number.
        assert!(select.fields["target_list"].contains("[`ResTarget`]"), "{version}");
        assert!(select.fields["op"].contains("A constant of [`SetOperation`]."), "{version}");
        assert!(select.fields["from_clause"].contains("In C: `fromClause`."), "{version}");
    }
}

/// Returns the names in a file of `tests/statements/` that are nodes.
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
    let (_, code, _) = TREES.last().expect("a version");
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
