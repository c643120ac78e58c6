//! The calls, which are the same for the trees of all versions.

use pg_ast::{Error, ErrorKind, Version};
#[cfg(feature = "catalog")]
use pg_ast_names::Catalog;

use crate::effects::Effects;
#[cfg(doc)]
use crate::effects::TableEffect;

/// What finds effects, by the version of a tree.
pub trait Sealed {
    /// Those of one statement, or of each in a tree.
    type Found;

    /// Finds them on a server.
    fn find(&self, on: Server<'_>) -> Self::Found;
}

/// What is known of the server.
#[derive(Clone, Copy, Default)]
pub struct Server<'c> {
    /// Its major version; without one, it is that of the grammar.
    pub(crate) major: Option<u32>,
    /// What is in the database.
    #[cfg(feature = "catalog")]
    pub(crate) catalog: Option<&'c dyn Catalog>,
    #[cfg(not(feature = "catalog"))]
    pub(crate) catalog: core::marker::PhantomData<&'c ()>,
}

/// What statements do to a server: for the trees of each version, `ParseResult` and `view::Tree`, and for their nodes, `NodeRef`,
/// `view::RawStmt` and `view::Node`. With the feature `plpgsql`, it is also for `plpgsql::Function`: what a call of it does, as far
/// as its body says.
///
/// ```
/// use pg_ast_effects::{Answer, FindEffects as _, LossKind};
///
/// let tree = pg_ast::parse("SELECT * FROM t; WITH d AS (DELETE FROM t RETURNING *) SELECT count(*) FROM d")?;
/// let [reads, deletes] = &tree.effects()[..] else { panic!() };
/// assert_eq!((reads.writes, deletes.writes), (Answer::No, Answer::Yes));
/// assert_eq!(deletes.losses[0].kind, LossKind::AllRows);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Other types cannot have it:
///
/// ```compile_fail,E0277
/// struct Mine;
/// impl pg_ast_effects::FindEffects for Mine {}
/// ```
pub trait FindEffects: Sealed {
    /// Returns what a statement does to a server of the grammar's version: what it writes, which tables it locks and rewrites, what
    /// it changes in the session, what it can lose, and which privileges it needs. For a tree, these are the [`Effects`] of each
    /// statement, which say what its text does not tell. For a node that is no statement, it is what evaluating it does.
    ///
    /// ```
    /// use pg_ast_effects::{FindEffects as _, SessionEffect};
    ///
    /// let tree = pg_ast::view::parse("SELECT set_config('search_path', 's', false)")?;
    /// let effects = tree.effects();
    /// assert_eq!(effects[0].session, [SessionEffect::Setting("search_path".into())]);
    /// assert_eq!(effects, tree.to_owned_tree()?.effects());
    ///
    /// let call = tree.nodes().find(|node| node.as_func_call().is_some()).unwrap();
    /// assert_eq!(call.effects().session, effects[0].session);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    fn effects(&self) -> Self::Found {
        self.find(Server::default())
    }

    /// Returns what a statement does to a server of another major version than the grammar's, one of those that pg_ast supports,
    /// with or without its feature.
    ///
    /// ```
    /// use pg_ast_effects::{FindEffects as _, PrivilegeKind};
    ///
    /// let tree = pg_ast::parse("VACUUM t")?;
    /// let needed = |server| Ok::<_, pg_ast::Error>(tree.effects_on(server)?[0].privileges[0].kind);
    /// assert_eq!((needed(16)?, needed(17)?), (PrivilegeKind::Owner, PrivilegeKind::Maintain));
    /// assert!(tree.effects_on(17_00_04).is_err());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] if `server` is none of these numbers: 15 to 18. What a server reports as `server_version_num`, such
    /// as 170004, is the number of a release.
    fn effects_on(&self, server: u32) -> Result<Self::Found, Error> {
        check_server(server)?;
        Ok(self.find(Server { major: Some(server), ..Server::default() }))
    }

    /// Returns what a statement does to a database of which a catalog tells what is in it, before the statement runs.
    ///
    /// Names get their schemas, related relations their [names](TableEffect::of), and what the statement makes the server do is told
    /// as well: triggers, foreign keys, and the bodies of functions in SQL and PL/pgSQL. What the catalog does not know stays as
    /// [`effects`](Self::effects) has it. [`TableEffect::locked`] says of each relation whether it is locked in any case.
    ///
    /// ```
    /// use pg_ast::LockMode;
    /// use pg_ast_effects::{Answer, FindEffects as _, Which};
    /// use pg_ast_names::{DdlCatalog, define};
    ///
    /// let mut catalog = DdlCatalog::new();
    /// let sql = "CREATE TABLE users (id int PRIMARY KEY);
    ///     CREATE TABLE orders (user_id int REFERENCES users ON DELETE CASCADE)";
    /// define(&pg_ast::parse(sql)?, &mut catalog);
    ///
    /// let effects = pg_ast::parse("DELETE FROM users WHERE id = 1")?.effects_in(&catalog);
    /// let [users, orders] = &effects[0].tables[..] else { panic!() };
    /// assert_eq!((users.name.to_string(), users.which, users.locked), ("public.users".into(), Which::Itself, Answer::Yes));
    /// assert_eq!((orders.name.to_string(), orders.which), ("public.orders".into(), Which::Referencing));
    /// assert_eq!(orders.of, Some(users.name.clone()));
    /// // Only if there is such a row.
    /// assert_eq!((orders.lock, orders.locked), (LockMode::RowExclusiveLock, Answer::Maybe));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[cfg(feature = "catalog")]
    #[must_use]
    fn effects_in(&self, catalog: &dyn Catalog) -> Self::Found {
        self.find(Server { major: None, catalog: Some(catalog) })
    }

    /// Returns what a statement does to a database of a server of another major version: both
    /// [`effects_in`](Self::effects_in) and [`effects_on`](Self::effects_on).
    ///
    /// ```
    /// use pg_ast_effects::FindEffects as _;
    /// use pg_ast_names::DdlCatalog;
    ///
    /// let mut catalog = DdlCatalog::new();
    /// catalog.set_search_path(["app".to_owned()]);
    /// let effects = pg_ast::parse("CREATE TABLE t ()")?.effects_in_on(&catalog, 16)?;
    /// assert_eq!(effects[0].privileges[0].name.as_ref().unwrap().name, "app");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`effects_on`](Self::effects_on).
    #[cfg(feature = "catalog")]
    fn effects_in_on(&self, catalog: &dyn Catalog, server: u32) -> Result<Self::Found, Error> {
        check_server(server)?;
        Ok(self.find(Server { major: Some(server), catalog: Some(catalog) }))
    }
}

impl<T: Sealed> FindEffects for T {}

/// Returns what each statement in SQL does to a server of a version that is chosen at run time.
///
/// ```
/// use pg_ast::Version;
///
/// let effects = pg_ast_effects::effects_of(Version::newest(), "SELECT 1; TRUNCATE t")?;
/// assert!(effects[0].is_pure() && effects[1].writes.is_yes());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// As `view::parse` of the version's module.
pub fn effects_of(version: Version, sql: &str) -> Result<Vec<Effects>, Error> {
    pg_ast::with_version!(version, pg => Ok(pg::view::parse(sql)?.effects()))
}

/// The major versions that pg_ast supports, whether or not they are enabled.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
        const SUPPORTED_MAJORS: &[u32] = &[$($major),*];
    };
}
libpg_query::for_each_version! { [versions!] }

/// Returns an error unless it is a major version of PostgreSQL of which the effects are known. An unknown one would be
/// taken for a newer version than all others.
fn check_server(major: u32) -> Result<(), Error> {
    if SUPPORTED_MAJORS.contains(&major) {
        return Ok(());
    }
    let known: Vec<_> = SUPPORTED_MAJORS.iter().map(u32::to_string).collect();
    let message = format!("the effects on PostgreSQL {major} are not known");
    let hint = format!("a server is given by its major version, one of {}", known.join(", "));
    Err(Error::new(ErrorKind::Unsupported, message).with_hint(hint))
}
