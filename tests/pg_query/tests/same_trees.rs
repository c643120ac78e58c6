//! The bytes of a tree of pg_query's decode to ours, and ours to pg_query's.
//!
//! ```text
//! cargo test --manifest-path tests/pg_query/Cargo.toml    # needs libclang
//! ```

use std::fs;
use std::path::Path;

use pg_ast::prost::Message as _;

#[test]
fn bytes_are_the_same_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../statements");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the statements") {
        let script = fs::read_to_string(entry.expect("a file").path()).expect("UTF-8");
        for stmt in pg_ast::parse_script(&script) {
            let sql = stmt.text(&script);
            let (Ok(ours), Ok(theirs)) = (pg_ast::parse(sql), pg_query::parse(sql)) else {
                assert_eq!(pg_ast::parse(sql).is_ok(), pg_query::parse(sql).is_ok(), "{sql}");
                continue;
            };
            let bytes = pg_query::protobuf::ParseResult::encode_to_vec(&theirs.protobuf);
            let decoded = pg_ast::protobuf::ParseResult::decode(&*bytes).expect("decodes");
            assert_eq!(decoded, ours.protobuf, "{sql}");
            assert_eq!(ours.protobuf.encode_to_vec(), bytes, "{sql}");
            count += 1;
        }
    }
    println!("{count} trees");
    assert!(count > 1_300, "{count}");
}
