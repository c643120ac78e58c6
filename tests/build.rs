//! Passes the paths of the schemas to the tests and the fuzz targets, and which version is at the root of pg_ast.

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
    println!("cargo::rustc-check-cfg=cfg(newest, values(any()))");
    // The last is the newest.
    if let Some((version, schema)) = schemas.last_key_value() {
        println!("cargo::rustc-env=PG_AST_SCHEMA={schema}");
        println!("cargo::rustc-cfg=newest=\"{}\"", version.to_lowercase());
    }
}
