//! Functions, procedures and aggregates.

use pg_ast::QualifiedName;
use pg_ast_catalog::{FunctionKind, ParameterMode, Volatility};

use crate::relation_parts::ColumnType;

/// A function, a procedure or an aggregate; a row of `pg_proc`, as [`pg_ast_catalog::BuiltinFunction`] is.
///
/// ```
/// use pg_ast_names::{Catalog as _, DdlCatalog, define};
///
/// let mut catalog = DdlCatalog::new();
/// let sql = "CREATE FUNCTION add(a int, b int = 1, OUT c int) STRICT LANGUAGE sql AS 'SELECT a + b'";
/// define(&pg_ast::parse(sql)?, &mut catalog);
/// let [add] = catalog.routines("public", "add") else { panic!("one function") };
/// assert!(add.inputs().filter_map(|it| it.name.as_deref()).eq(["a", "b"]));
/// assert_eq!((add.is_strict, &add.result), (Some(true), &add.parameters[2].column_type));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Routine {
    /// Its name, with the schema.
    pub name: QualifiedName,
    /// What kind of function it is, if that is known.
    pub kind: Option<FunctionKind>,
    /// How its result depends on its arguments, if that is known.
    pub volatility: Option<Volatility>,
    /// Whether it is NULL as soon as an argument is, if that is known.
    pub is_strict: Option<bool>,
    /// Whether it returns any number of rows.
    pub returns_set: bool,
    /// All of its parameters, in their order.
    pub parameters: Vec<RoutineParameter>,
    /// The type of its result, without modifiers: `record` where the [outputs](Self::outputs) are the columns of it, or where the
    /// call defines them; `void` of a procedure without outputs. `None` if it is not known.
    pub result: Option<ColumnType>,
    /// Its language and its body, if they are known and the body is a text.
    pub body: Option<RoutineText>,
    /// The relations and functions without which it cannot be: of an aggregate, and of what is written in SQL and no text.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) needs: Vec<QualifiedName>,
}

/// A parameter of a [`Routine`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RoutineParameter {
    /// What it is for.
    pub mode: ParameterMode,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type, without modifiers; `None` if it is not known. Of a `VARIADIC` one, it is an array, or `any`.
    pub column_type: Option<ColumnType>,
    /// Whether a call can leave it out.
    pub has_default: bool,
}

impl RoutineParameter {
    /// Makes a parameter without a name.
    ///
    /// ```
    /// use pg_ast_catalog::ParameterMode;
    /// use pg_ast_names::RoutineParameter;
    ///
    /// assert!(!RoutineParameter::new(ParameterMode::In, None).has_default);
    /// ```
    #[must_use]
    pub const fn new(mode: ParameterMode, column_type: Option<ColumnType>) -> Self {
        Self { mode, name: None, column_type, has_default: false }
    }

    /// Returns whether a call has an argument for it.
    pub(crate) const fn is_input(&self) -> bool {
        !matches!(self.mode, ParameterMode::Out | ParameterMode::Table)
    }
}

/// The body of a [`Routine`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RoutineText {
    /// The language that it is written in.
    pub language: String,
    /// Its text.
    pub source: String,
    /// The `CREATE FUNCTION` without `AS`, `LANGUAGE` and other options, which has the names of its parameters. Empty if it is not
    /// known.
    pub header: String,
    /// The schemas in which its names without a schema are looked up, if it has `SET search_path`.
    pub search_path: Option<Vec<String>>,
}

impl RoutineText {
    /// Makes the body of a function that has no settings, and whose parameters are not known.
    ///
    /// ```
    /// use pg_ast_names::RoutineText;
    ///
    /// assert_eq!(RoutineText::new("sql", "SELECT 1").search_path, None);
    /// ```
    #[must_use]
    pub fn new(language: &str, source: &str) -> Self {
        Self {
            language: language.to_owned(),
            source: source.to_owned(),
            header: String::new(),
            search_path: None,
        }
    }
}

impl Routine {
    /// Makes a function of an unknown kind that returns no set.
    #[must_use]
    pub fn new(
        schema: &str,
        name: &str,
        parameters: Vec<RoutineParameter>,
        result: Option<ColumnType>,
    ) -> Self {
        Self {
            name: QualifiedName::new(schema, name),
            kind: None,
            volatility: None,
            is_strict: None,
            returns_set: false,
            parameters,
            result,
            body: None,
            needs: Vec::new(),
        }
    }

    /// Returns the parameters that a call has arguments for.
    #[must_use]
    pub fn inputs(&self) -> impl DoubleEndedIterator<Item = &RoutineParameter> {
        self.parameters.iter().filter(|parameter| parameter.is_input())
    }

    /// Returns the parameters that are columns of the result.
    #[must_use]
    pub fn outputs(&self) -> impl DoubleEndedIterator<Item = &RoutineParameter> {
        let is_output =
            |mode| matches!(mode, ParameterMode::Out | ParameterMode::InOut | ParameterMode::Table);
        self.parameters.iter().filter(move |parameter| is_output(parameter.mode))
    }

    /// Returns whether the last input takes any number of arguments.
    ///
    /// ```
    /// use pg_ast_catalog::ParameterMode;
    /// use pg_ast_names::{Routine, RoutineParameter};
    ///
    /// let parameter = RoutineParameter::new(ParameterMode::Variadic, None);
    /// assert!(Routine::new("public", "f", vec![parameter], None).is_variadic());
    /// ```
    #[must_use]
    pub fn is_variadic(&self) -> bool {
        self.inputs().any(|it| it.mode == ParameterMode::Variadic)
    }

    /// Returns whether a call with so many arguments can mean it, as `FuncnameGetCandidates` of PostgreSQL counts.
    ///
    /// ```
    /// use pg_ast_catalog::ParameterMode;
    /// use pg_ast_names::{Routine, RoutineParameter};
    ///
    /// let mut parameters = vec![RoutineParameter::new(ParameterMode::In, None); 2];
    /// parameters[1].has_default = true;
    /// let add = Routine::new("public", "add", parameters, None);
    /// assert!(add.takes(1) && add.takes(2) && !add.takes(3));
    /// ```
    #[must_use]
    pub fn takes(&self, arguments: usize) -> bool {
        let count = self.inputs().count();
        let defaults = self.inputs().filter(|parameter| parameter.has_default).count();
        arguments >= count - defaults && (arguments <= count || self.is_variadic())
    }

    /// Returns the types of its inputs.
    pub(crate) fn input_types(&self) -> impl Iterator<Item = Option<&ColumnType>> {
        self.inputs().map(|it| it.column_type.as_ref())
    }

    /// Returns whether its inputs have the types of another one's: two of one name and schema are the same function then.
    pub(crate) fn has_inputs_of(&self, other: &Self) -> bool {
        are_same_types(self.input_types(), other.input_types())
    }

    /// Returns what calls of it are.
    pub(crate) const fn call_kind(&self) -> CallKind {
        match self.kind {
            None => CallKind::Unknown,
            Some(kind) => CallKind::of(kind, self.returns_set),
        }
    }
}

/// Returns whether lists of types are the same; those that are not known are.
pub(crate) fn are_same_types<'a>(
    one: impl IntoIterator<Item = Option<&'a ColumnType>>,
    other: impl IntoIterator<Item = Option<&'a ColumnType>>,
) -> bool {
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(None), Some(None)) => {}
            (Some(Some(of)), Some(Some(same))) if of.is_same_type(same) => {}
            _ => return false,
        }
    }
}

/// What the calls of a function are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum CallKind {
    /// It is not known. Then nothing about where they stand is a mistake.
    #[default]
    Unknown,
    /// Values.
    Function,
    /// Sets of values.
    SetReturning,
    /// Statements.
    Procedure,
    /// Aggregates.
    Aggregate,
    /// Values that need a window.
    Window,
}

impl CallKind {
    /// Returns what the calls of a kind of functions are.
    pub(crate) const fn of(kind: FunctionKind, returns_set: bool) -> Self {
        match kind {
            FunctionKind::Function if returns_set => Self::SetReturning,
            FunctionKind::Function => Self::Function,
            FunctionKind::Procedure => Self::Procedure,
            FunctionKind::Window => Self::Window,
            FunctionKind::Aggregate
            | FunctionKind::OrderedSet(_)
            | FunctionKind::HypotheticalSet(_) => Self::Aggregate,
        }
    }
}
