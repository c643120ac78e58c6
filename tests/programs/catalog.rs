//! What pg_ast_catalog returns is all that its data says: each object, written again, is its line.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pg_ast_catalog::{
    BuiltinCast, BuiltinFunction, BuiltinObjects, BuiltinOperator, BuiltinParameter,
    BuiltinRelation, BuiltinType, CastContext, FunctionKind, ParallelSafety, ParameterMode,
    TypeKind, Volatility, builtin, extensions,
};

const BUILTIN: &str = include_str!("../../pg_ast_catalog/data/builtin.txt");
const EXTENSIONS: &str = include_str!("../../pg_ast_catalog/data/extensions.txt");

/// The kinds of objects that are compared line by line.
const KINDS: [&str; 5] = ["f", "t", "r", "o", "c"];

fn named(schema: &str, own: &str, name: &str) -> String {
    if schema == own { name.to_owned() } else { format!("{schema}.{name}") }
}

fn code(is_so: bool, letter: char) -> char {
    if is_so { letter } else { '-' }
}

fn function(of: &BuiltinFunction, own: &str) -> String {
    let (kind, direct) = match of.kind {
        FunctionKind::Function => ('f', 0),
        FunctionKind::Procedure => ('p', 0),
        FunctionKind::Window => ('w', 0),
        FunctionKind::Aggregate => ('a', 0),
        FunctionKind::OrderedSet(direct) => ('o', direct),
        FunctionKind::HypotheticalSet(direct) => ('h', direct),
    };
    let volatility = match of.volatility {
        Volatility::Immutable => 'i',
        Volatility::Stable => 's',
        Volatility::Volatile => 'v',
    };
    let parallel = match of.parallel {
        ParallelSafety::Safe => 's',
        ParallelSafety::Restricted => 'r',
        ParallelSafety::Unsafe => 'u',
    };
    let strict = if of.is_strict { 't' } else { 'f' };
    let (set, execute) = (code(of.returns_set, 's'), code(!of.is_public, 'x'));
    let support = code(of.is_support, 'b');
    let direct = if direct == 0 { String::new() } else { direct.to_string() };
    let name = named(of.schema, own, of.name);
    let mut line = format!(
        "f\t{name}\t{kind}{volatility}{parallel}{strict}{set}{execute}{support}{direct}\t{}",
        of.result
    );
    for parameter in &of.parameters {
        line += "\t";
        line += &written(parameter);
    }
    line
}

fn written(parameter: &BuiltinParameter) -> String {
    let mode = match parameter.mode {
        ParameterMode::In => "i",
        ParameterMode::Out => "o",
        ParameterMode::InOut => "b",
        ParameterMode::Variadic => "v",
        ParameterMode::Table => "t",
    };
    let of = parameter.type_name;
    match (mode, parameter.name, parameter.default) {
        ("i", None, None) => of.to_owned(),
        (_, name, Some(default)) => format!("{mode} {} {of} {default}", name.unwrap_or("-")),
        (_, name, None) => format!("{mode} {} {of}", name.unwrap_or("-")),
    }
}

fn type_line(of: &BuiltinType, own: &str) -> String {
    let kind = match of.kind {
        TypeKind::Base => 'b',
        TypeKind::Composite => 'c',
        TypeKind::Domain => 'd',
        TypeKind::Enum => 'e',
        TypeKind::Pseudo => 'p',
        TypeKind::Range => 'r',
        TypeKind::Multirange => 'm',
    };
    let codes =
        [code(of.is_preferred, 'p'), code(of.is_collatable, 'c'), code(of.is_not_null, 'n')];
    let at = if own.is_empty() && of.schema.is_empty() { "@" } else { "" };
    let modifier = of.modifier.map(|modifier| format!(" {modifier}")).unwrap_or_default();
    format!(
        "t\t{at}{}\t{kind}{}{}\t{}{modifier}",
        named(of.schema, own, of.name),
        of.category,
        String::from_iter(codes),
        of.of.unwrap_or_default()
    )
}

fn relation(of: &BuiltinRelation, own: &str) -> String {
    let mut line =
        format!("r\t{}\t{}\t{}", named(of.schema, own, of.name), of.kind, of.key.join(" "));
    for column in &of.columns {
        let not_null = if column.is_not_null { " n" } else { "" };
        let _ = write!(line, "\t{} {}{not_null}", column.name, column.type_name);
    }
    line
}

fn operator(of: &BuiltinOperator) -> String {
    let or_none = |name: Option<&'static str>| name.unwrap_or("-");
    format!(
        "o\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}{}",
        of.name,
        or_none(of.left),
        of.right,
        of.result,
        of.function,
        or_none(of.commutator),
        or_none(of.negator),
        code(of.can_merge, 'm'),
        code(of.can_hash, 'h')
    )
}

fn cast(of: &BuiltinCast) -> Vec<String> {
    let context = match of.context {
        CastContext::Implicit => 'i',
        CastContext::Assignment => 'a',
        CastContext::Explicit => 'e',
    };
    let line = |method: char| format!("c\t{}\t{}\t{context}{method}", of.source, of.target);
    match of.function {
        Some(function) => vec![format!("{}\t{function}", line('f'))],
        None if of.is_binary => vec![line('b')],
        None => vec![line('i')],
    }
}

/// Returns the lines of all objects.
fn lines(objects: &BuiltinObjects, own: &str) -> BTreeSet<String> {
    let functions = objects.all_functions().iter().map(|of| function(of, own));
    let types = objects.types().iter().map(|of| type_line(of, own));
    let relations = objects.relations().iter().map(|of| relation(of, own));
    let operators = objects.all_operators().iter().map(operator);
    let casts = objects.casts().iter().flat_map(cast);
    functions.chain(types).chain(relations).chain(operators).chain(casts).collect()
}

/// Returns what the fields of a line are, if they hold for a version.
fn in_version(line: &'static str, major: u32) -> Option<&'static str> {
    let (versions, fields) = line.split_once('\t').expect("versions");
    let (first, last) = versions.split_once('-').unwrap_or_default();
    let is_in = first.parse().unwrap_or(0) <= major && major <= last.parse().unwrap_or(u32::MAX);
    let kind = fields.split('\t').next().unwrap_or_default();
    (is_in && KINDS.contains(&kind)).then_some(fields)
}

#[test]
fn every_object_of_the_data_is_returned() {
    for version in pg_ast::Version::ALL {
        let major = version.major();
        let data = BUILTIN.lines().filter(|line| !line.starts_with('#'));
        let data: BTreeSet<_> = data.filter_map(|line| in_version(line, major)).collect();
        let known = lines(builtin(major).expect("a version"), "pg_catalog");
        assert!(data.len() > 4_000, "{major}: {}", data.len());
        let known: BTreeSet<_> = known.iter().map(String::as_str).collect();
        assert_eq!(known, data, "{major}");
    }
}

#[test]
fn every_object_of_an_extension_is_returned() {
    for version in pg_ast::Version::ALL {
        let major = version.major();
        let mut count = 0;
        for extension in extensions(major) {
            let own = EXTENSIONS.lines().filter_map(|line| line.split_once('\t'));
            let own = own.filter(|(name, _)| *name == extension.name).map(|(_, line)| line);
            let data: BTreeSet<_> = own.filter_map(|line| in_version(line, major)).collect();
            let known = lines(&extension.objects, "");
            let known: BTreeSet<_> = known.iter().map(String::as_str).collect();
            assert_eq!(known, data, "{major}: {}", extension.name);
            count += data.len();
        }
        assert!(count > 5_000, "{major}: {count}");
    }
}
