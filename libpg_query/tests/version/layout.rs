//! Compares the committed bindings with the compiled headers: a C program prints the size of
//! every type, the offset of every field and the value of every constant, and Rust must agree.

// Sizes are small, and expectations of tests may panic.
#![allow(clippy::cast_possible_wrap)]

use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

use super::{INCLUDE, NAME, pg};

/// A line of C, and its expected output.
struct Fact {
    c: String,
    value: i64,
}

/// Returns bindgen's name of a field: Rust's keywords have an underscore after them.
fn c_name(name: &str) -> &str {
    name.strip_suffix('_').unwrap_or(name)
}

macro_rules! layout {
    ($($kind:ident $name:ident { $($item:ident),* $(,)? })*) => {
        fn facts() -> Vec<Fact> {
            let mut facts = Vec::new();
            $( layout!(@ $kind facts $name { $($item)* }); )*
            facts
        }
    };
    (@ enum $facts:ident $name:ident { $($item:ident)* }) => {
        $facts.push(Fact { c: format!("sizeof({})", stringify!($name)), value: size_of::<pg::$name>() as i64 });
        $( $facts.push(Fact { c: format!("{}", stringify!($item)), value: pg::$name::$item.0.into() }); )*
    };
    (@ struct $facts:ident $name:ident $items:tt) => {
        layout!(@ "" $facts $name $items);
    };
    // Not every union has a typedef.
    (@ union $facts:ident $name:ident $items:tt) => {
        layout!(@ "union " $facts $name $items);
    };
    (@ $tag:literal $facts:ident $name:ident { $($item:ident)* }) => {
        $facts.push(Fact {
            c: format!(concat!("sizeof(", $tag, "{})"), stringify!($name)),
            value: size_of::<pg::$name>() as i64,
        });
        $( $facts.push(Fact {
            c: format!(
                concat!("offsetof(", $tag, "{}, {})"),
                stringify!($name),
                c_name(stringify!($item)),
            ),
            value: offset_of!(pg::$name, $item) as i64,
        }); )*
    };
}

include!(concat!(env!("CARGO_MANIFEST_DIR"), "/", name!(), "/layout.rs"));

#[test]
fn rust_agrees_with_c() {
    let mut facts = facts();
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
    build.include(Path::new(env!("CARGO_MANIFEST_DIR")).join("c"));
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
