//! The privileges that statements need.

use pg_ast::QualifiedName;

use crate::effects::Which;

/// A privilege that a statement needs.
///
/// ```
/// use pg_ast_effects::{FindEffects as _, PrivilegeKind, Which};
///
/// let tree = pg_ast::parse("CREATE TABLE app.a (b app.mood); ALTER TABLE t ADD c int; ALTER TABLE app.t OWNER TO r")?;
/// let [create, add, owner] = &tree.effects()[..] else { panic!() };
///
/// let needed: Vec<_> =
///     create.privileges.iter().map(|it| (it.kind, it.on, it.name.clone().unwrap().to_string())).collect();
/// assert_eq!(needed[0], (PrivilegeKind::Create, "SCHEMA", "app".to_owned()));
/// assert_eq!(needed[1], (PrivilegeKind::Usage, "TYPE", "app.mood".to_owned()));
/// assert_eq!(needed[2], (PrivilegeKind::Usage, "SCHEMA", "app".to_owned()));
///
/// // If other tables inherit from it, they are changed as well.
/// assert_eq!((add.privileges[0].kind, add.privileges[0].which), (PrivilegeKind::Owner, Which::Itself));
/// assert_eq!((add.privileges[1].kind, add.privileges[1].which), (PrivilegeKind::Owner, Which::Descendants));
///
/// // The new owner could have made it.
/// let of_new_owner = owner.privileges.iter().find(|it| it.role.is_some()).unwrap();
/// assert_eq!((of_new_owner.kind, of_new_owner.role.as_deref()), (PrivilegeKind::Create, Some("r")));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Privilege {
    /// The privilege.
    pub kind: PrivilegeKind,
    /// The kind of the object, as in `GRANT .. ON`: `TABLE`, `SCHEMA`, `FUNCTION`, `DATABASE`; for the privileges of a role, `ROLE`.
    pub on: &'static str,
    /// The object. `None` for what the statement does not name: the schema in which an object is created, the current database,
    /// which of two types is owned for a cast. Of a [superuser](PrivilegeKind::Superuser), the role of PostgreSQL's that may do it
    /// as well.
    pub name: Option<QualifiedName>,
    /// The columns that are enough; empty for all of the object.
    pub columns: Vec<String>,
    /// Which object it is: the one with this name, or related ones, if there are any: the partitions of a table for
    /// `ALTER TABLE`, the tables that reference it for `TRUNCATE .. CASCADE`.
    pub which: Which,
    /// The role that needs it, if it is another one than that which runs the statement: the new owner of `OWNER TO`. It is empty if
    /// the statement does not name it.
    pub role: Option<String>,
}

/// The kind of a privilege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum PrivilegeKind {
    /// `SELECT`.
    Select,
    /// `INSERT`.
    Insert,
    /// `UPDATE`.
    Update,
    /// `DELETE`.
    Delete,
    /// `TRUNCATE`.
    Truncate,
    /// `REFERENCES`.
    References,
    /// `TRIGGER`.
    Trigger,
    /// `MAINTAIN`: since PostgreSQL 17. Before, one owns the table.
    Maintain,
    /// `CREATE`.
    Create,
    /// `TEMPORARY`.
    Temporary,
    /// `EXECUTE`.
    Execute,
    /// `USAGE`. Of a language that is not trusted, one is a superuser.
    Usage,
    /// `SET`: of a parameter that only superusers may set otherwise.
    Set,
    /// `ALTER SYSTEM`.
    AlterSystem,
    /// One is the owner, or a member of the role that is. What is dropped may also be in a schema that one owns, and what
    /// `OR REPLACE` makes need not be there.
    Owner,
    /// One may grant it: of a role, one has the `ADMIN` option. Before 16, that is the attribute `CREATEROLE` as well.
    GrantOption,
    /// One is a superuser, or has the role with the name: `pg_read_server_files` for `COPY .. FROM 'file'`.
    Superuser,
    /// The attribute `CREATEDB`.
    CreateDb,
    /// The attribute `CREATEROLE`.
    CreateRole,
    /// One is a member of the role: since 16, with the option `SET`.
    Member,
}
