//! SQL, its template, and other SQL of its shape: bound trees are those of the parser.

use pg_ast::view::{self, Tree};
use pg_ast::{ConstantKind, ParserOptions, Shape, ShapeCache, ShapeOptions, Template};

use super::text::parser_options;
use super::{Source, split};

/// Constants of each kind; some of them are of another kind in some versions, and some are none.
const INTEGERS: [&str; 10] =
    ["0", "7", "0007", "2147483647", "999999999", "1000000000", "0x1F", "0b1", "0o17", "1_000"];
const NUMBERS: [&str; 10] = [
    "2147483648",
    "1e400",
    "0.0",
    ".5",
    "5.",
    "1E-5",
    "1_0.5_0",
    "0xFFFFFFFFF",
    "1e1_0",
    "00000000000.1",
];
const STRINGS: [&str; 20] = [
    "''",
    "''''",
    "'a''b'",
    "'it''s \\'",
    "E'\\n'",
    "e'\\''",
    "E'\\u00e9\\xc3\\xa9'",
    "E'\\xff'",
    "U&'\\0041'",
    "u&'d!0061'",
    "U&'\\d83d\\de00'",
    "U&'\\d83d'",
    "$$..$$",
    "$a$ $$ '' $a$",
    "'x'\n  'y''z'",
    "'x' -- c\n'y'",
    "E'a\\\\'\n'\\tb'",
    "U&'a'\n'\\0062'",
    "'é'",
    "'a longer string that is longer than many others, with (1, 2, 3) and -- in it'",
];
const BIT_STRINGS: [&str; 4] = ["B''", "b'0101'", "B'1'\n'0'", "B'2'"];
const HEX_STRINGS: [&str; 4] = ["X''", "x'fF'", "X'1'\n'2'", "x'g'"];
const PARAMETERS: [&str; 6] = ["$0", "$1", "$00001", "$2147483647", "$999999999", "$2147483648"];

/// Blanks and comments.
const LAYOUTS: [&str; 8] =
    ["\n", "  ", " /* a */ ", " -- b\n", "\t/* c /* d */ */", "\r\n", "\x0b", "/* 'e */"];

fn constants(kind: ConstantKind) -> &'static [&'static str] {
    match kind {
        ConstantKind::Integer => &INTEGERS,
        ConstantKind::Number => &NUMBERS,
        ConstantKind::BitString => &BIT_STRINGS,
        ConstantKind::HexString => &HEX_STRINGS,
        ConstantKind::Parameter => &PARAMETERS,
        _ => &STRINGS,
    }
}

/// SQL, followed by the bytes for its options, and for the constants of other SQL.
pub fn run(data: &[u8]) {
    let (text, rest) = split(data);
    // A separate piece of memory, which ends with the SQL.
    let sql: &str = &Box::<str>::from(text);
    let source = &mut Source::new(rest);
    let bits = source.byte();
    let mut parser = parser_options(source);
    if bits & 0b1100 == 0b1100 {
        parser = parser.max_nodes(source.below(400));
    }
    let options =
        ShapeOptions::default().ignore_layout(bits & 1 != 0).runs(bits & 2 == 0).parser(parser);

    let mut memory = view::parse("").expect("there is nothing wrong in it");
    let cache = ShapeCache::new(1 << 16, options);
    let template = match (Template::new_with(sql, options), view::parse_with(sql, parser)) {
        (Ok(template), Ok(_)) => template,
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours, theirs, "{sql:?}");
            return looked_up(&cache, sql, parser);
        }
        (ours, theirs) => panic!("{ours:?}, parsed: {theirs:?} for {sql:?}"),
    };
    let shape = Shape::of_with(sql, options).expect("SQL that parses");
    assert!(template.bind(&shape).is_some(), "{sql:?}");
    bound(&template, sql, parser, &mut memory);
    looked_up(&cache, sql, parser);
    for _ in 0..4 {
        let other = other_sql(&shape, source);
        bound(&template, &other, parser, &mut memory);
        looked_up(&cache, &other, parser);
    }
    looked_up(&cache, sql, parser);
}

/// Returns SQL with other constants, layout or items.
fn other_sql(shape: &Shape<'_>, source: &mut Source<'_>) -> String {
    let (sql, mut other, mut end) = (shape.sql(), String::new(), 0);
    // The ends of constants, here and there.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for constant in shape.constants() {
        let range = constant.range();
        assert!(end <= range.start && range.start < range.end, "{constant:?} of {sql:?}");
        other.push_str(&sql[end..range.start]);
        match source.below(4) {
            0 => other.push_str(constant.text()),
            _ => {
                let some = constants(constant.kind());
                other.push_str(some[source.below(some.len())]);
            }
        }
        end = range.end;
        if source.below(4) == 0 && !ends.is_empty() {
            let (here, there) = ends[ends.len() - 1 - source.below(ends.len().min(4))];
            if source.chance() {
                // An item less.
                other.truncate(there);
            } else {
                // More of them: once as here, and then with other constants.
                let part = sql[here..end].to_owned();
                other.push_str(&part.repeat(1 + source.below(3)));
            }
        }
        ends.push((end, other.len()));
    }
    other.push_str(&sql[end..]);
    if source.chance() {
        let blanks: Vec<_> = other.match_indices(' ').map(|(at, _)| at).collect();
        if !blanks.is_empty() {
            let at = blanks[source.below(blanks.len())];
            let layout = LAYOUTS[source.below(LAYOUTS.len())];
            other.replace_range(at..=at, layout);
        }
    }
    other
}

/// SQL of the same shape: the bound tree is that of the parser.
fn bound(template: &Template, sql: &str, parser: ParserOptions, memory: &mut Tree) {
    let options = template.options();
    let parsed = view::parse_with(sql, parser);
    let shape = match Shape::of_with(sql, options) {
        Ok(shape) => shape,
        Err(error) => return assert!(parsed.is_err(), "{error:?}, but it parses: {sql:?}"),
    };
    let is_of_shape = shape.key() == template.key();
    let tree = template.bind(&shape);
    let is_bound = template.bind_into(&shape, memory);
    assert_eq!(is_bound, tree.is_some(), "{sql:?}");
    match (tree, parsed) {
        (Some(tree), Ok(parsed)) => {
            assert!(is_of_shape, "{sql:?}");
            same(&tree, &parsed, sql);
            same(memory, &parsed, sql);
            assert_eq!(
                template.fingerprint().unwrap_or(parsed.fingerprint()),
                parsed.fingerprint(),
                "{sql:?}"
            );
        }
        (Some(_), Err(error)) => panic!("{sql:?} has a tree, but {error:?}"),
        (None, Ok(_)) => assert!(!is_of_shape || template.is_exact(), "{sql:?} does not bind"),
        (None, Err(_)) => {}
    }
}

/// Both trees are the same, in each way that they can be read.
fn same(tree: &Tree, parsed: &Tree, sql: &str) {
    assert!(tree == parsed, "{tree:?}, parsed: {parsed:?} for {sql:?}");
    assert_eq!(tree.encode_to_vec(), parsed.encode_to_vec(), "{sql:?}");
    assert_eq!(tree.deparse(), parsed.deparse(), "{sql:?}");
}

/// What a cache returns is what the parser would.
fn looked_up(cache: &ShapeCache<usize>, sql: &str, parser: ParserOptions) {
    let parsed = view::parse_with(sql, parser);
    for _ in 0..3 {
        match (cache.get(sql, |tree| tree.stmts().len()), &parsed) {
            (Ok(hit), Ok(parsed)) => {
                assert_eq!(*hit.value(), parsed.stmts().len(), "{sql:?}");
                assert_eq!(hit.fingerprint(), Ok(parsed.fingerprint()), "{sql:?}");
                assert!(hit.tree() == Ok(parsed), "{sql:?}");
            }
            (Err(ours), Err(theirs)) => assert_eq!(ours, *theirs, "{sql:?}"),
            (ours, theirs) => panic!("{ours:?}, parsed: {theirs:?} for {sql:?}"),
        }
    }
}
