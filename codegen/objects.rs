//! How objects are named, by their kinds: `pg_ast/version/facts/analysis/` reads what this writes.

use std::error::Error;
use std::fmt::Write as _;

use heck::ToUpperCamelCase as _;

use super::schema::Schema;

/// The enumeration of the kinds.
pub(crate) const OBJECT_TYPE: &str = "ObjectType";

/// Its constants, by the classes of `pg_ast/convert/roles.rs`.
const CLASSES: [(&str, &[&str]); 5] = [
    ("Table", &["OBJECT_FOREIGN_TABLE", "OBJECT_MATVIEW", "OBJECT_TABLE", "OBJECT_VIEW"]),
    (
        "InTable",
        &[
            "OBJECT_COLUMN",
            "OBJECT_POLICY",
            "OBJECT_RULE",
            "OBJECT_TABCONSTRAINT",
            "OBJECT_TRIGGER",
        ],
    ),
    ("Function", &["OBJECT_AGGREGATE", "OBJECT_FUNCTION", "OBJECT_PROCEDURE", "OBJECT_ROUTINE"]),
    ("OtherRelation", &["OBJECT_ATTRIBUTE", "OBJECT_INDEX", "OBJECT_SEQUENCE", "OBJECT_TYPE"]),
    (
        "Other",
        &[
            "OBJECT_ACCESS_METHOD",
            "OBJECT_AMOP",
            "OBJECT_AMPROC",
            "OBJECT_CAST",
            "OBJECT_COLLATION",
            "OBJECT_CONVERSION",
            "OBJECT_DATABASE",
            "OBJECT_DEFACL",
            "OBJECT_DEFAULT",
            "OBJECT_DOMAIN",
            "OBJECT_DOMCONSTRAINT",
            "OBJECT_EVENT_TRIGGER",
            "OBJECT_EXTENSION",
            "OBJECT_FDW",
            "OBJECT_FOREIGN_SERVER",
            "OBJECT_LANGUAGE",
            "OBJECT_LARGEOBJECT",
            "OBJECT_OPCLASS",
            "OBJECT_OPERATOR",
            "OBJECT_OPFAMILY",
            "OBJECT_PARAMETER_ACL",
            "OBJECT_PUBLICATION",
            "OBJECT_PUBLICATION_NAMESPACE",
            "OBJECT_PUBLICATION_REL",
            "OBJECT_ROLE",
            "OBJECT_SCHEMA",
            "OBJECT_STATISTIC_EXT",
            "OBJECT_SUBSCRIPTION",
            "OBJECT_TABLESPACE",
            "OBJECT_TRANSFORM",
            "OBJECT_TSCONFIGURATION",
            "OBJECT_TSDICTIONARY",
            "OBJECT_TSPARSER",
            "OBJECT_TSTEMPLATE",
            "OBJECT_USER_MAPPING",
        ],
    ),
];

/// A function that gives the class of each kind.
pub(crate) fn function() -> String {
    let mut code = format!(
        "/// How objects of a kind are named.\n\
         pub(crate) fn object_class(kind: protobuf::{OBJECT_TYPE}) -> ObjectClass {{\nmatch kind {{\n"
    );
    let variant = |name: &str| format!("protobuf::{OBJECT_TYPE}::{}", name.to_upper_camel_case());
    for (class, kinds) in CLASSES {
        let mut names: Vec<_> = kinds.iter().map(|name| variant(name)).collect();
        if class == "Other" {
            // The constant for 0: prost-build drops the enumeration's name from its own.
            names.push(format!("protobuf::{OBJECT_TYPE}::Undefined"));
        }
        // Writing to a String cannot fail.
        let _ = writeln!(code, "{} => ObjectClass::{class},", names.join(" | "));
    }
    code + "}\n}\n"
}

/// Holds the classes against the schema.
///
/// # Errors
///
/// One of them has a kind that the version has not, or none has one that it has.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    let known = schema.known("CLASSES");
    let mut kinds = CLASSES.iter().flat_map(|(_, kinds)| *kinds);
    kinds.try_for_each(|kind| known.constant(OBJECT_TYPE, kind))?;
    // proto3 wants a constant for 0, which is none of PostgreSQL's.
    let constants = schema.constants(OBJECT_TYPE).filter(|constant| constant.number() != 0);
    let names = constants.map(prost_types::EnumValueDescriptorProto::name);
    let left = names.filter(|name| !CLASSES.iter().any(|(_, kinds)| kinds.contains(name)));
    schema.none_left(
        left,
        "kinds of objects of which no rule says how they are named",
        "objects.rs",
    )
}
