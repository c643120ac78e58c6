//! Prints which PostgreSQL versions accept SQL, and where the others report an error.
//!
//! ```text
//! cargo run --release --features pg15,pg16,pg17 --example versions -- "SELECT JSON_ARRAY(1 NULL ON NULL)"
//! ```

use std::process::ExitCode;

use pg_ast::Version;

fn main() -> ExitCode {
    let sql = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    if sql.is_empty() {
        eprintln!("usage: versions SQL");
        return ExitCode::from(2);
    }
    for version in Version::ALL {
        match version.check(&sql) {
            Ok(warnings) => {
                println!("PostgreSQL {version}: accepted");
                for warning in warnings {
                    println!("    {warning}");
                }
            }
            // With `#`, the position as well.
            Err(error) => println!("PostgreSQL {version}: {error:#}"),
        }
    }
    ExitCode::SUCCESS
}
