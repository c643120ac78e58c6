//! Extensions, and what they bring.

use super::data_lines::{EXTENSIONS, PerVersion, in_version};
use super::objects::BuiltinObjects;

/// An extension: one of PostgreSQL's own, or another that is often used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extension {
    /// Its name.
    pub name: &'static str,
    /// The version of it that the objects are of.
    pub version: &'static str,
    /// Whether `ALTER EXTENSION` can move it to another schema.
    pub is_relocatable: bool,
    /// The schema that it has to be in, if it has one.
    pub schema: Option<&'static str>,
    /// The extensions that it needs.
    pub requires: Vec<&'static str>,
    /// What it brings. Without a schema is what is in that of the extension.
    pub objects: BuiltinObjects,
}

/// Returns an extension as it is for a major version of PostgreSQL; `None` if nothing is known of it.
///
/// ```
/// let earthdistance = pg_ast_catalog::extension("earthdistance", 18).unwrap();
/// assert_eq!(earthdistance.requires, ["cube"]);
/// assert!(pg_ast_catalog::extension("nobody_knows_it", 18).is_none());
/// ```
#[must_use]
pub fn extension(name: &str, major: u32) -> Option<&'static Extension> {
    let extensions = extensions(major);
    let index = extensions.binary_search_by(|it| it.name.cmp(name)).ok()?;
    extensions.get(index)
}

/// Returns all extensions that are known for a major version of PostgreSQL, in the order of their names.
///
/// ```
/// assert!(pg_ast_catalog::extensions(18).iter().any(|extension| extension.name == "postgis"));
/// ```
#[must_use]
pub fn extensions(major: u32) -> &'static [Extension] {
    static VERSIONS: PerVersion<Vec<Extension>> = PerVersion::new();
    let version = VERSIONS.get(major, || {
        let lines = EXTENSIONS.lines().filter_map(|line| {
            let (name, rest) = line.split_once('\t')?;
            Some((name, in_version(rest, major)?))
        });
        let lines: Vec<_> = lines.collect();
        lines.chunk_by(|one, next| one.0 == next.0).filter_map(of_lines).collect()
    });
    version.map_or(&[], Vec::as_slice)
}

/// Reads the lines of an extension.
fn of_lines(lines: &[(&'static str, &'static str)]) -> Option<Extension> {
    let name = lines.first()?.0;
    let own = lines.iter().find_map(|(_, line)| line.strip_prefix("e\t"))?;
    let mut fields = own.split('\t');
    let (version, codes, schema, requires) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    Some(Extension {
        name,
        version,
        is_relocatable: codes == "r",
        schema: Some(schema).filter(|schema| !schema.is_empty()),
        requires: requires.split_whitespace().collect(),
        objects: BuiltinObjects::of(lines.iter().map(|(_, line)| *line), ""),
    })
}
