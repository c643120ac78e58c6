//! Tells the targets where the schema of the tree is, as pg_ast's own build script tells its tests.

fn main() {
    for version in ["PG15", "PG16", "PG17", "PG18"] {
        if let Ok(schema) = std::env::var(format!("DEP_PG_QUERY_{version}_SCHEMA")) {
            println!("cargo::rustc-env=PG_AST_{version}_SCHEMA={schema}");
        }
    }
}
