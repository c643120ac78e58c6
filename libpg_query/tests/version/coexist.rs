//! Checks that a program may have its own C code with PostgreSQL's names.

use std::path::Path;
use std::process::Command;

use super::{ARCHIVE, NAME};

/// A C program with the archive, and with a `palloc` and an `lappend` that are not PostgreSQL's.
const PROGRAM: &str = r#"
#include <stdbool.h>
#include <stddef.h>
int palloc(int n) { return n + 1; }
int lappend(int n) { return n * 2; }
bool pgNN_shim_thread_init(void);
void pgNN_shim_thread_exit(void);
typedef struct { int mode; int quote; bool conforming; bool warning; bool places; } Options;
typedef struct { void *context; const void *stmts; const void *error; const void *warnings;
    bool shares_nodes; const void *places; } Parse;
void pgNN_shim_parse(const char *sql, size_t length, const Options *options, size_t stack, Parse *out);
void pgNN_shim_parse_free(Parse *parse);
int main(void)
{
    Options options = {0, 2, true, true, false};
    Parse parse;
    pgNN_shim_parse("SELECT 1", 8, &options, 1 << 20, &parse);
    int ok = parse.stmts != NULL && parse.error == NULL && palloc(1) == 2 && lappend(4) == 8;
    pgNN_shim_parse_free(&parse);
    pgNN_shim_thread_exit();
    return ok ? 0 : 1;
}
"#;

#[test]
fn a_program_with_a_palloc_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) =
        (folder.join(format!("coexist_{NAME}.c")), folder.join(format!("coexist_{NAME}")));
    std::fs::write(&source, PROGRAM.replace("pgNN_", &format!("{NAME}_"))).expect("a file");
    let (host, target) = (env!("LIBPG_QUERY_HOST"), env!("LIBPG_QUERY_TARGET"));
    let compiler = cc::Build::new()
        .target(target)
        .host(host)
        .opt_level(0)
        .cargo_metadata(false)
        .out_dir(folder)
        .get_compiler();
    let status = Command::new(compiler.path())
        .args(compiler.args())
        .arg(&source)
        .arg(ARCHIVE)
        .arg("-o")
        .arg(&program)
        .args(["-lm", "-lpthread"])
        .status()
        .expect("a compiler");
    assert!(status.success(), "it links");
    assert!(Command::new(&program).status().expect("it runs").success());
}
