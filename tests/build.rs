//! Passes the paths of the schemas to the tests and the fuzz targets.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let schemas = std::env::vars().filter_map(|(name, schema)| {
        let version = name.strip_prefix("DEP_PG_QUERY_")?.strip_suffix("_SCHEMA")?;
        Some((version.to_owned(), schema))
    });
    let schemas: std::collections::BTreeMap<_, _> = schemas.collect();
    for (version, schema) in &schemas {
        println!("cargo::rustc-env=PG_AST_{version}_SCHEMA={schema}");
    }
    // That of the newest version, which is the last.
    if let Some(schema) = schemas.values().next_back() {
        println!("cargo::rustc-env=PG_AST_SCHEMA={schema}");
    }
}
