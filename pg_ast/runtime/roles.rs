//! What the fields of statements say of what the statement names: the types of the tables that
//! `pg_ast/codegen/statements.rs` and `objects.rs` write.

/// A type of statements.
pub(crate) struct Statement {
    pub(crate) name: &'static str,
    /// The fields that say something, by their names in C.
    pub(crate) roles: &'static [(&'static str, Role)],
    /// What libpg_query's summary looks at.
    pub(crate) summary: Option<Summary>,
}

/// What a field of a statement says.
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
    /// The relation that the statement is about, where that is a table.
    Table,
    /// Relations that are not tables.
    OtherRelation,
    /// A condition whose columns filter.
    Condition,
    /// Whether rows are copied into the table, and not from it.
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

/// What a summary looks at of a statement.
pub(crate) struct Summary {
    /// The kinds of objects of which that holds.
    pub(crate) kinds: Kinds,
    /// Whether the types of the statements in it count.
    pub(crate) types: bool,
    /// The way from the statement to what counts, by the names of fields in C.
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

    /// Whether a summary looks at what a field that says this holds.
    pub(crate) fn is_in_summary(&self, role: Role) -> bool {
        let paths = self.summary.as_ref().map_or(&[][..], |summary| summary.paths);
        paths.iter().any(|path| self.role(path) == Some(role))
    }

    /// What a field says, by its name in C.
    pub(crate) fn role(&self, field: &str) -> Option<Role> {
        self.roles.iter().find(|(name, _)| *name == field).map(|(_, role)| *role)
    }
}
