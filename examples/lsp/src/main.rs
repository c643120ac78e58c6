//! The language server over standard input and output.

use std::process::ExitCode;

use lsp_server::Connection;

fn main() -> ExitCode {
    let (connection, threads) = Connection::stdio();
    let ran = pg_ast_lsp::run(&connection);
    // The threads end when there is no reader any more.
    drop(connection);
    match ran.and_then(|()| Ok(threads.join()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pg_ast_lsp: {error}");
            ExitCode::FAILURE
        }
    }
}
