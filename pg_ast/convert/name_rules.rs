//! Where names are in the fields of nodes: the types of the table that `codegen/name_rules.rs` writes.

use crate::types::expected::NameKind;
use crate::types::object_name::NameUse;

/// A type of node that has names, or says of those below it how they are used.
pub(crate) struct NamingNode {
    /// PostgreSQL's name of the type.
    pub(crate) name: &'static str,
    /// The use of the names in a statement, where nothing else is said.
    pub(crate) used: Option<NameUse>,
    pub(crate) fields: &'static [NamingField],
}

/// A field of such a node.
pub(crate) struct NamingField {
    /// Its number in Protobuf.
    pub(crate) number: u16,
    /// Whether each item of a list is a name, and not the list.
    pub(crate) each: bool,
    /// What is named in the field itself, or in a node there that leaves it open.
    pub(crate) kind: Option<KindRule>,
    /// How it is used; without a kind, how everything below is.
    pub(crate) used: Option<NameUse>,
}

/// Where the kind of a name follows from.
#[derive(Clone, Copy)]
pub(crate) enum KindRule {
    /// From the field.
    Is(NameKind),
    /// From the field that the node is in; if that says nothing, it is this one.
    Given(Option<NameKind>),
    /// From the kind of objects that the statement is about.
    OfObject,
    /// From the same, for the relation that these are in.
    OfRelation,
    /// From what a command of `ALTER TABLE` does.
    OfSubtype,
    /// From the name of an option.
    OfElement,
    /// From the number that an item of an operator class has.
    OfItem,
}

/// The names in options, by the names of these, where a statement's options name objects.
const ELEMENTS: &[(NameKind, &[&str])] = &[
    (NameKind::Column, &["force_not_null", "force_null", "force_quote", "owned_by"]),
    (NameKind::Sequence, &["sequence_name"]),
    (NameKind::Role, &["owner"]),
    (NameKind::Database, &["template"]),
    (NameKind::Tablespace, &["tablespace"]),
    (NameKind::Schema, &["schema"]),
    (NameKind::Language, &["language"]),
    (NameKind::Collation, &["collation"]),
    (NameKind::OperatorClass, &["subtype_opclass"]),
    (NameKind::Operator, &["commutator", "negator", "sortop"]),
    (
        NameKind::Function,
        &[
            "analyze",
            "canonical",
            "combinefunc",
            "deserialfunc",
            "end",
            "finalfunc",
            "function",
            "gettoken",
            "headline",
            "init",
            "input",
            "join",
            "lexize",
            "lextypes",
            "mfinalfunc",
            "minvfunc",
            "msfunc",
            "output",
            "procedure",
            "receive",
            "restrict",
            "send",
            "serialfunc",
            "sfunc",
            "start",
            "subscript",
            "subtype_diff",
            "support",
            "typmod_in",
            "typmod_out",
        ],
    ),
];

/// Returns what an option names, by its own name.
pub(crate) fn of_element(name: &str) -> Option<NameKind> {
    ELEMENTS.iter().find(|(_, names)| names.contains(&name)).map(|(kind, _)| *kind)
}
