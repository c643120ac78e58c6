//! `pgast`; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pg_ast_cli::run()
}
