//! The roles of statements' fields, which tell what a statement names: the types of the tables that
//! `codegen/statement_rules.rs` and `objects.rs` write.

/// A type of statement.
pub(crate) struct Statement {
    pub(crate) name: &'static str,
    /// The fields with a role, by their C names.
    pub(crate) roles: &'static [(&'static str, Role)],
    /// The parts that libpg_query's summary looks at.
    pub(crate) summary: Option<SummaryRule>,
}

/// The role of a field of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The kind of objects that the statement is about.
    Kind,
    /// An object of that kind, or a list of them.
    Object,
    /// The name of an object of that kind, as strings.
    Name,
    /// A function that the statement is about: its name as strings, or with its arguments.
    Function,
    /// The relation that the statement is about, if that is a table.
    Table,
    /// Relations that are not tables.
    OtherRelation,
    /// A condition whose columns filter.
    Condition,
    /// True if rows are copied into the table, and not from it.
    IsFrom,
    /// The new name of the object.
    NewName,
    /// The `WITH` of a query, which all statements with a plan have, and no other ones.
    With,
    /// A query that can only be a `SELECT`.
    Select,
}

/// How objects of a kind are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectClass {
    /// Tables, and what is read as they are.
    Table,
    /// By the name of their table, and their own behind it.
    InTable,
    Function,
    /// Named like tables, which they are not.
    OtherRelation,
    /// In other ways.
    Other,
}

/// The parts of a statement that a summary looks at.
pub(crate) struct SummaryRule {
    /// The kinds of objects that this applies to.
    pub(crate) kinds: Kinds,
    /// True if the types of the statements in it count.
    pub(crate) types: bool,
    /// The paths from the statement to the parts that count, by the C names of fields.
    pub(crate) paths: &'static [&'static str],
}

/// Constants of `ObjectType`.
pub(crate) enum Kinds {
    AllBut(&'static [&'static str]),
    Only(&'static [&'static str]),
}

impl Kinds {
    pub(crate) fn contains(&self, kind: &str) -> bool {
        match self {
            Self::AllBut(kinds) => !kinds.contains(&kind),
            Self::Only(kinds) => kinds.contains(&kind),
        }
    }
}

impl Statement {
    pub(crate) fn has(&self, role: Role) -> bool {
        self.roles.iter().any(|(_, of_field)| *of_field == role)
    }

    /// Returns whether a summary looks at fields with this role.
    pub(crate) fn is_in_summary(&self, role: Role) -> bool {
        let paths = self.summary.as_ref().map_or(&[][..], |summary| summary.paths);
        paths.iter().any(|path| self.role(path) == Some(role))
    }

    /// Returns the role of a field, by its C name.
    pub(crate) fn role(&self, field: &str) -> Option<Role> {
        self.roles.iter().find(|(name, _)| *name == field).map(|(_, role)| *role)
    }
}
