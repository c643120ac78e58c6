//! The variables of a function, by their numbers.

use core::ops::Range;

use super::super::super::plpgsql_tree::{Datum, Function};

/// The number of a variable: its index in [`Function::datums`].
///
/// ```
/// use pg_ast::plpgsql::{self, Stmt};
///
/// let parsed = plpgsql::parse("DO $$ DECLARE a int; BEGIN a := 1; END $$")?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let Stmt::Assign(assign) = &function.action.body[0] else { panic!() };
/// assert_eq!(function.variable_name(assign.varno), Some("a"));
/// assert_eq!(function.datum(assign.varno), Some(&function.datums[assign.varno.index()]));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dno(pub(super) u32);

impl Dno {
    /// Returns the index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The variables that the columns of a row are assigned to: those of `INTO`, of a loop, of `FETCH`.
///
/// ```
/// use pg_ast::plpgsql::{self, Stmt, Target};
///
/// let sql = "DO $$ DECLARE a int; b text; r record; BEGIN
///     SELECT 1, 'x' INTO a, b;
///     SELECT * INTO r FROM t;
/// END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
/// let targets: Vec<_> = function
///     .action
///     .body
///     .iter()
///     .filter_map(|stmt| match stmt {
///         Stmt::Execsql(stmt) => stmt.target.as_ref(),
///         _ => None,
///     })
///     .collect();
/// assert!(matches!(targets[..], [Target::List(_), Target::Record(_)]));
/// let names = |target: &Target| -> Vec<_> {
///     target.dnos().iter().filter_map(|dno| function.variable_name(*dno)).collect()
/// };
/// assert_eq!(names(targets[0]), ["a", "b"]);
/// assert_eq!(names(targets[1]), ["r"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A record, for the whole row.
    Record(Dno),
    /// Variables, one for each column. A variable of an unknown type by itself is here: it may be a record.
    List(Vec<Dno>),
}

impl Target {
    /// Returns the variables.
    #[must_use]
    pub fn dnos(&self) -> &[Dno] {
        match self {
            Self::Record(dno) => core::slice::from_ref(dno),
            Self::List(dnos) => dnos,
        }
    }
}

impl Default for Target {
    /// No variables.
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Datum {
    /// Returns the number.
    #[must_use]
    pub fn dno(&self) -> Dno {
        match self {
            Self::Var(var) | Self::Promise(var) => var.dno,
            Self::Row(row) => row.dno,
            Self::Rec(rec) => rec.dno,
            Self::Recfield(field) => field.dno,
        }
    }

    /// Returns the name: that of the variable or of the field. A row has one of PostgreSQL's own.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Var(var) | Self::Promise(var) => &var.refname,
            Self::Row(row) => &row.refname,
            Self::Rec(rec) => &rec.refname,
            Self::Recfield(field) => &field.fieldname,
        }
    }

    /// Returns the place of the declaration; `None` if it is declared implicitly, as `FOUND` is.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        match self {
            Self::Var(var) | Self::Promise(var) => var.range(),
            Self::Row(row) => row.range(),
            Self::Rec(rec) => rec.range(),
            Self::Recfield(_) => None,
        }
    }
}

impl Default for Datum {
    /// A variable without a name.
    fn default() -> Self {
        Self::Var(Box::default())
    }
}

impl Function {
    /// Returns the variable with a number; `None` if the function has no such one.
    #[must_use]
    pub fn datum(&self, dno: Dno) -> Option<&Datum> {
        self.datums.get(dno.index())
    }

    /// Returns the name of a variable. That of a field of a record is without the record's.
    ///
    /// A variable may have other names ([`Decl`](super::Decl)), and others may have the same name in other blocks.
    #[must_use]
    pub fn variable_name(&self, dno: Dno) -> Option<&str> {
        self.datum(dno).map(Datum::name)
    }
}
