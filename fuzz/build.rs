//! Passes the path of the newest version's schema to the targets.

fn main() {
    let schemas = std::env::vars().filter_map(|(name, schema)| {
        let version = name.strip_prefix("DEP_PG_QUERY_")?.strip_suffix("_SCHEMA")?;
        Some((version.to_owned(), schema))
    });
    if let Some((_, schema)) = schemas.max() {
        println!("cargo::rustc-env=PG_AST_SCHEMA={schema}");
    }
}
