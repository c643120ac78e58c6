//! Compares the committed bindings with the compiled headers: a C program prints the size of
//! every type, the offset of every field and the value of every constant, and Rust must agree.

// Sizes are small, and expectations of tests may panic.
#![allow(clippy::cast_possible_wrap, clippy::cast_lossless)]

use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

use super::{INCLUDE, NAME, pg};

/// A type of the bindings.
struct CType {
    /// The keyword before its name in C: not every union has a typedef.
    keyword: &'static str,
    name: &'static str,
    size: usize,
    items: Items,
}

/// The names of its items, each with what Rust knows about it.
enum Items {
    /// Fields, with their offsets in bytes.
    Fields(&'static [(&'static str, usize)]),
    /// Constants, with their values.
    Constants(&'static [(&'static str, i64)]),
}

/// A line of C, and its expected output.
struct Fact {
    c: String,
    value: i64,
}

impl CType {
    fn facts(&self) -> Vec<Fact> {
        let Self { keyword, name, size, items } = self;
        let mut facts = vec![Fact { c: format!("sizeof({keyword}{name})"), value: *size as i64 }];
        match items {
            Items::Fields(fields) => facts.extend(fields.iter().map(|(field, offset)| {
                // bindgen's name of a field: Rust's keywords have an underscore after them.
                let field = field.strip_suffix('_').unwrap_or(field);
                Fact { c: format!("offsetof({keyword}{name}, {field})"), value: *offset as i64 }
            })),
            Items::Constants(constants) => facts.extend(
                constants.iter().map(|(c, value)| Fact { c: (*c).to_owned(), value: *value }),
            ),
        }
        facts
    }
}

// A table: as code, it would take a minute to compile.
macro_rules! layout {
    ($($kind:ident $name:ident { $($item:ident),* $(,)? })*) => {
        static TYPES: &[CType] = &[$(CType {
            keyword: layout!(@ $kind),
            name: stringify!($name),
            size: size_of::<pg::$name>(),
            items: layout!(@ $kind $name { $($item)* }),
        },)*];
    };
    (@ union) => { "union " };
    (@ $kind:ident) => { "" };
    (@ enum $name:ident { $($item:ident)* }) => {
        Items::Constants(&[$((stringify!($item), pg::$name::$item.0 as i64),)*])
    };
    (@ $kind:ident $name:ident { $($item:ident)* }) => {
        Items::Fields(&[$((stringify!($item), offset_of!(pg::$name, $item)),)*])
    };
}

include!(concat!(env!("CARGO_MANIFEST_DIR"), "/", name!(), "/layout.rs"));

#[test]
fn rust_agrees_with_c() {
    let mut facts: Vec<_> = TYPES.iter().flat_map(CType::facts).collect();
    // An item of an array after a struct.
    let c = "sizeof(bitmapword)".to_owned();
    facts.push(Fact { c, value: size_of::<pg::bitmapword>() as i64 });
    // Only used through pointers; the bindings contain nothing else about it.
    facts.retain(|fact| !fact.c.contains("MemoryContextData"));
    assert!(facts.len() > 2_000, "only {} facts", facts.len());
    let mut program = String::from(
        "#include \"bindings.h\"\n#include <stddef.h>\n#undef printf\n#include <stdio.h>\nint main(void) {\n",
    );
    for fact in &facts {
        writeln!(program, "    printf(\"%lld\\n\", (long long) ({}));", fact.c).unwrap();
    }
    program.push_str("    return 0;\n}\n");

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, probe) =
        (folder.join(format!("layout_{NAME}.c")), folder.join(format!("layout_{NAME}")));
    std::fs::write(&source, program).expect("a file");
    let (host, target) = (env!("LIBPG_QUERY_HOST"), env!("LIBPG_QUERY_TARGET"));
    let mut build = cc::Build::new();
    build
        .target(target)
        .host(host)
        .opt_level(0)
        .cargo_metadata(false)
        .out_dir(folder)
        .warnings(false);
    build.includes(INCLUDE.split(':'));
    build.include(Path::new(env!("CARGO_MANIFEST_DIR")).join("c/shim"));
    let compiler = build.get_compiler();
    let output = Command::new(compiler.path())
        .args(compiler.args())
        .arg(&source)
        .arg("-o")
        .arg(&probe)
        .output()
        .expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let printed = Command::new(&probe).output().expect("the probe runs").stdout;
    let printed = String::from_utf8(printed).expect("numbers");
    assert_eq!(printed.lines().count(), facts.len());
    for (fact, value) in facts.iter().zip(printed.lines()) {
        assert_eq!(fact.value.to_string(), value, "{}", fact.c);
    }
}
