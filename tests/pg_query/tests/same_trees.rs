//! The bytes of pg_query's trees decode to ours, and ours to pg_query's.
//!
//! ```text
//! cargo test --manifest-path tests/pg_query/Cargo.toml    # needs libclang
//! ```

use std::fs;
use std::path::Path;

use pg_ast::prost::Message as _;
use prost_of_pg_query::Message as Theirs;

#[test]
fn bytes_are_the_same_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../statements");
    let (mut count, mut refused) = (0, Vec::new());
    for entry in fs::read_dir(folder).expect("the statements") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "sql") {
            continue;
        }
        let script = fs::read_to_string(path).expect("UTF-8");
        for stmt in pg_ast::parse_script(&script) {
            let sql = stmt.text(&script);
            let ours = pg_ast::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            let theirs = match pg_query::parse(sql, 0) {
                Ok(theirs) => theirs,
                Err(error) => {
                    refused.push(format!("{error}: {sql}"));
                    continue;
                }
            };
            let bytes = Theirs::encode_to_vec(&theirs.protobuf);
            let decoded = pg_ast::protobuf::ParseResult::decode(&*bytes).expect("decodes");
            assert_eq!(decoded, ours.protobuf, "{sql}");
            assert_eq!(ours.protobuf.encode_to_vec(), bytes, "{sql}");
            count += 1;
        }
    }
    println!("{count} trees; pg_query refuses {refused:#?}");
    assert!(count > 1_300, "{count}");
}
