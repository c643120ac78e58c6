//! Functions, procedures, aggregates and window functions.

/// How the result of a function depends on its arguments; `provolatile` of `pg_proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Volatility {
    /// On them alone.
    Immutable,
    /// On the database and settings as well; it is the same for all rows of a statement.
    Stable,
    /// It may be another one each time, and the function may change something.
    Volatile,
}

/// Whether a function can run in parallel workers; `proparallel` of `pg_proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParallelSafety {
    /// It can.
    Safe,
    /// In the leader alone.
    Restricted,
    /// Not in a parallel plan.
    Unsafe,
}

/// What kind of function it is; `prokind` of `pg_proc`, and `aggkind` of `pg_aggregate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum FunctionKind {
    /// A function.
    Function,
    /// A procedure.
    Procedure,
    /// A window function.
    Window,
    /// An aggregate.
    Aggregate,
    /// An ordered-set aggregate, with so many direct arguments.
    OrderedSet(usize),
    /// A hypothetical-set aggregate, with so many direct arguments.
    HypotheticalSet(usize),
}

/// What a parameter is for; `proargmodes` of `pg_proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ParameterMode {
    /// An argument.
    In,
    /// A column of the result.
    Out,
    /// Both.
    InOut,
    /// Any number of arguments.
    Variadic,
    /// A column of the rows that it returns.
    Table,
}

/// A parameter of a [`BuiltinFunction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BuiltinParameter {
    /// What it is for.
    pub mode: ParameterMode,
    /// Its name, if it has one.
    pub name: Option<&'static str>,
    /// Its type. Of a `VARIADIC` one, it is an array, or `any`.
    pub type_name: &'static str,
    /// The SQL of its default.
    pub default: Option<&'static str>,
}

/// A function, or one of several of its name; a row of `pg_proc`.
///
/// ```
/// use pg_ast_catalog::{FunctionKind, Volatility, builtin};
///
/// let catalog = builtin(18).unwrap();
/// let [percentile, ..] = catalog.functions("pg_catalog", "percentile_cont") else { panic!() };
/// assert_eq!(percentile.kind, FunctionKind::OrderedSet(1));
/// assert_eq!(percentile.volatility, Volatility::Immutable);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "they are columns of pg_proc")]
#[non_exhaustive]
pub struct BuiltinFunction {
    /// Its schema; empty if it is the one that its extension is in.
    pub schema: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What kind of function it is.
    pub kind: FunctionKind,
    /// How its result depends on its arguments.
    pub volatility: Volatility,
    /// Whether it can run in parallel workers.
    pub parallel: ParallelSafety,
    /// Whether it is NULL as soon as an argument is.
    pub is_strict: bool,
    /// Whether it returns any number of rows.
    pub returns_set: bool,
    /// Whether everybody may execute it.
    pub is_public: bool,
    /// Whether it is behind an operator, a cast, a type, an aggregate or an operator class, so that few call it by its name.
    pub is_support: bool,
    /// All of its parameters, in their order.
    pub parameters: Vec<BuiltinParameter>,
    /// The type of its result, `record` where the outputs are the columns of it.
    pub result: &'static str,
}

impl BuiltinFunction {
    /// Reads the fields behind the kind of a line: name, codes, result, parameters.
    pub(crate) fn of(fields: &'static str, own: &'static str) -> Option<Self> {
        let mut fields = fields.split('\t');
        let (schema, name) = schema_and_name(fields.next()?, own);
        let codes = fields.next()?;
        let result = fields.next()?;
        let [kind, volatility, parallel, strict, set, execute, support, direct @ ..] =
            codes.as_bytes()
        else {
            return None;
        };
        let direct = direct.iter().fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'));
        Some(Self {
            schema,
            name,
            kind: match kind {
                b'p' => FunctionKind::Procedure,
                b'w' => FunctionKind::Window,
                b'a' => FunctionKind::Aggregate,
                b'o' => FunctionKind::OrderedSet(direct),
                b'h' => FunctionKind::HypotheticalSet(direct),
                _ => FunctionKind::Function,
            },
            volatility: match volatility {
                b'i' => Volatility::Immutable,
                b's' => Volatility::Stable,
                _ => Volatility::Volatile,
            },
            parallel: match parallel {
                b's' => ParallelSafety::Safe,
                b'r' => ParallelSafety::Restricted,
                _ => ParallelSafety::Unsafe,
            },
            is_strict: *strict == b't',
            returns_set: *set == b's',
            is_public: *execute != b'x',
            is_support: *support == b'b',
            parameters: fields.map(BuiltinParameter::of).collect(),
            result,
        })
    }

    /// Returns the parameters that a call has arguments for.
    #[must_use]
    pub fn inputs(&self) -> impl DoubleEndedIterator<Item = &BuiltinParameter> {
        let is_input = |mode| !matches!(mode, ParameterMode::Out | ParameterMode::Table);
        self.parameters.iter().filter(move |parameter| is_input(parameter.mode))
    }

    /// Returns the parameters that are columns of the result.
    #[must_use]
    pub fn outputs(&self) -> impl DoubleEndedIterator<Item = &BuiltinParameter> {
        let is_output =
            |mode| matches!(mode, ParameterMode::Out | ParameterMode::InOut | ParameterMode::Table);
        self.parameters.iter().filter(move |parameter| is_output(parameter.mode))
    }

    /// Returns whether a call with so many arguments can mean it, as `FuncnameGetCandidates` of PostgreSQL counts.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let [concat] = catalog.functions("pg_catalog", "concat") else { panic!() };
    /// assert!(!concat.takes(0) && concat.takes(1) && concat.takes(9));
    /// ```
    #[must_use]
    pub fn takes(&self, arguments: usize) -> bool {
        let count = self.inputs().count();
        let defaults = self.inputs().filter(|parameter| parameter.default.is_some()).count();
        let is_variadic = self.inputs().any(|it| it.mode == ParameterMode::Variadic);
        arguments >= count - defaults && (arguments <= count || is_variadic)
    }

    /// Returns whether it is for triggers.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let is_trigger = |name| catalog.functions("pg_catalog", name)[0].is_trigger();
    /// assert!(is_trigger("tsvector_update_trigger") && !is_trigger("log"));
    /// ```
    #[must_use]
    pub fn is_trigger(&self) -> bool {
        self.result == "trigger"
    }

    /// Returns whether SQL can call it: no trigger function, and nothing that takes a pointer of the server.
    ///
    /// ```
    /// let catalog = pg_ast_catalog::builtin(18).unwrap();
    /// let is_callable = |name| catalog.functions("pg_catalog", name)[0].is_callable();
    /// assert!(is_callable("abs") && !is_callable("tsvector_update_trigger") && !is_callable("int8_avg_accum"));
    /// ```
    #[must_use]
    pub fn is_callable(&self) -> bool {
        let by_server = [
            "trigger",
            "event_trigger",
            "internal",
            "index_am_handler",
            "table_am_handler",
            "tsm_handler",
            "fdw_handler",
            "language_handler",
        ];
        !by_server.contains(&self.result) && self.inputs().all(|it| it.type_name != "internal")
    }
}

impl BuiltinParameter {
    /// Reads a field: a type alone, or mode, name (`-` without one), type and the SQL of the default.
    fn of(field: &'static str) -> Self {
        let mut words = field.splitn(4, ' ');
        let first = words.next().unwrap_or_default();
        let Some(name) = words.next() else {
            return Self { mode: ParameterMode::In, name: None, type_name: first, default: None };
        };
        Self {
            mode: match first {
                "o" => ParameterMode::Out,
                "b" => ParameterMode::InOut,
                "v" => ParameterMode::Variadic,
                "t" => ParameterMode::Table,
                _ => ParameterMode::In,
            },
            name: Some(name).filter(|name| *name != "-"),
            type_name: words.next().unwrap_or_default(),
            default: words.next(),
        }
    }
}

/// Splits a name of the data; without a schema, it is in that of all its objects.
pub(crate) fn schema_and_name(
    name: &'static str,
    own: &'static str,
) -> (&'static str, &'static str) {
    // Operators have dots in their names, but they have no schema here.
    name.split_once('.').unwrap_or((own, name))
}
