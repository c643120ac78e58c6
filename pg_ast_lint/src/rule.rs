//! The rules: their names, their pages, and which of them are recommended.

use std::fmt;
use std::str::FromStr;

macro_rules! rules {
    ($($variant:ident $name:literal $set:ident;)*) => {
        /// A rule.
        ///
        /// It prints as its name, which comments and options use. The page of each is a file of `docs/`: why the rule is there,
        /// an example of what it finds and of what it accepts, and how to ignore it.
        ///
        /// ```
        /// use pg_ast_lint::Rule;
        ///
        /// let rule: Rule = "select-star".parse()?;
        /// assert_eq!(rule, Rule::SelectStar);
        /// assert_eq!(rule.to_string(), "select-star");
        /// assert_eq!(rule.description(), "`SELECT *` returns whatever columns there are");
        /// assert!(rule.page().contains("SELECT id, name FROM users;"));
        /// # Ok::<(), pg_ast_lint::UnknownRule>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = include_str!(concat!("../docs/", $name, ".md"))]
                $variant,
            )*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name: lower-case words, joined by hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the page about the rule, in Markdown. Its heading is the name and the
            /// [description](Self::description); the [explanation](Self::explanation) and the sections `Bad`, `Good` and
            /// `How to ignore it` follow.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../docs/", $name, ".md")),)*
                }
            }

            /// Returns what the rule finds, in one line without a full stop: the heading of its [page](Self::page).
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    // Each finding has it.
                    $(Self::$variant => const { heading(Self::$variant) },)*
                }
            }

            /// Returns whether the rule is for every script: its findings are mistakes, or dangers for who runs the script.
            /// The others are about taste, or about habits that a project has chosen.
            ///
            /// ```
            /// use pg_ast_lint::Rule;
            ///
            /// assert!(Rule::DropColumn.is_recommended());
            /// assert!(!Rule::PreferIfExists.is_recommended());
            /// ```
            #[must_use]
            pub const fn is_recommended(self) -> bool {
                match self {
                    $(Self::$variant => rules!(@$set),)*
                }
            }
        }
    };
    (@recommended) => { true };
    (@optional) => { false };
}

impl Rule {
    /// Returns why that is a problem, and what to do instead: the paragraphs of its [page](Self::page) before the examples,
    /// in Markdown.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        let page = self.page();
        let (_, text) = page.split_at(find(page, b"\n\n") + 2);
        text.split_at(find(text, b"\n\n## ")).0
    }
}

/// Returns the heading of a rule's page, without the name.
const fn heading(rule: Rule) -> &'static str {
    let (_, heading) = rule.page().split_at(rule.name().len() + "# : ".len());
    heading.split_at(find(heading, b"\n")).0
}

/// Returns the offset of the first occurrence of bytes; the length if there is none.
const fn find(text: &str, bytes: &[u8]) -> usize {
    let text = text.as_bytes();
    let mut start = 0;
    while start + bytes.len() <= text.len() {
        let mut len = 0;
        while len < bytes.len() && text[start + len] == bytes[len] {
            len += 1;
        }
        if len == bytes.len() {
            return start;
        }
        start += 1;
    }
    text.len()
}

rules! {
    SyntaxError "syntax-error" recommended;
    UnknownRule "unknown-rule" recommended;
    UnusedIgnore "unused-ignore" recommended;
    OpenCopyData "open-copy-data" recommended;
    AddRequiredColumn "add-required-column" recommended;
    SetNotNull "set-not-null" recommended;
    VolatileDefault "volatile-default" recommended;
    GeneratedColumn "generated-column" recommended;
    RewriteTable "rewrite-table" recommended;
    AddSerialColumn "add-serial-column" recommended;
    ChangeColumnType "change-column-type" recommended;
    RenameColumn "rename-column" recommended;
    RenameTable "rename-table" recommended;
    RenameObject "rename-object" recommended;
    DropColumn "drop-column" recommended;
    DropNotNull "drop-not-null" recommended;
    DropDefault "drop-default" recommended;
    ChangeDefault "change-default" optional;
    ChangeGenerated "change-generated" recommended;
    DropConstraint "drop-constraint" optional;
    SetSchema "set-schema" recommended;
    AddColumn "add-column" optional;
    NewRestriction "new-restriction" optional;
    DetachTable "detach-table" optional;
    ForeignKeyValidates "foreign-key-validates" recommended;
    CheckValidates "check-validates" recommended;
    ValidateInTransaction "validate-in-transaction" recommended;
    DomainValidates "domain-validates" recommended;
    CreateDomainConstraint "create-domain-constraint" optional;
    UniqueLocks "unique-locks" recommended;
    PrimaryKeyLocks "primary-key-locks" recommended;
    ExcludeLocks "exclude-locks" recommended;
    CreateIndexLocks "create-index-locks" recommended;
    DropIndexLocks "drop-index-locks" recommended;
    ReindexLocks "reindex-locks" recommended;
    DetachPartitionLocks "detach-partition-locks" recommended;
    RefreshLocks "refresh-locks" recommended;
    VacuumFull "vacuum-full" recommended;
    Cluster "cluster" recommended;
    RequireLockTimeout "require-lock-timeout" optional;
    RequireStatementTimeout "require-statement-timeout" optional;
    ConcurrentlyInTransaction "concurrently-in-transaction" recommended;
    NotInTransaction "not-in-transaction" recommended;
    NeedsTransaction "needs-transaction" recommended;
    TransactionNesting "transaction-nesting" recommended;
    TransactionLeftOpen "transaction-left-open" recommended;
    PreferBigint "prefer-bigint" optional;
    PreferText "prefer-text" optional;
    CharColumn "char-column" recommended;
    PreferTimestamptz "prefer-timestamptz" optional;
    PreferIdentity "prefer-identity" optional;
    PreferIfExists "prefer-if-exists" optional;
    RequireSchema "require-schema" optional;
    IdentifierTooLong "identifier-too-long" recommended;
    DuplicateColumn "duplicate-column" recommended;
    EnumValueOrder "enum-value-order" optional;
    RenameEnumValue "rename-enum-value" recommended;
    AddEnumValue "add-enum-value" optional;
    DropTable "drop-table" recommended;
    DropSchema "drop-schema" recommended;
    DropView "drop-view" optional;
    DropFunction "drop-function" optional;
    DropType "drop-type" optional;
    DropSequence "drop-sequence" recommended;
    DropExtension "drop-extension" recommended;
    DropIndex "drop-index" optional;
    DropTrigger "drop-trigger" optional;
    DisableTrigger "disable-trigger" optional;
    ReplaceObject "replace-object" optional;
    ChangeSequence "change-sequence" optional;
    ChangeOptions "change-options" optional;
    AlterExtension "alter-extension" optional;
    ChangeReplication "change-replication" optional;
    RevokeAccess "revoke-access" optional;
    ChangeRowSecurity "change-row-security" optional;
    DropCascade "drop-cascade" recommended;
    DropDatabase "drop-database" recommended;
    TruncateTable "truncate-table" recommended;
    TruncateCascade "truncate-cascade" recommended;
    UpdateWithoutWhere "update-without-where" recommended;
    DeleteWithoutWhere "delete-without-where" recommended;
    ConstantCondition "constant-condition" optional;
    SelectStar "select-star" optional;
    NullComparison "null-comparison" recommended;
    NotInNull "not-in-null" recommended;
    NotInSubquery "not-in-subquery" recommended;
    SecurityDefinerPath "security-definer-path" recommended;
    UnsafeSearchPath "unsafe-search-path" recommended;
    FunctionSearchPath "function-search-path" optional;
    QuotedSearchPath "quoted-search-path" recommended;
    UnqualifiedFunction "unqualified-function" optional;
    UnqualifiedOperator "unqualified-operator" optional;
    UnqualifiedName "unqualified-name" optional;
    UnqualifiedCase "unqualified-case" optional;
    ExtensionOrReplace "extension-or-replace" recommended;
    ExtensionIfNotExists "extension-if-not-exists" recommended;

    QueryWithoutDestination "query-without-destination" recommended;
    UnquotedDynamicSql "unquoted-dynamic-sql" recommended;
    MissingReturn "missing-return" recommended;
    UnreachableCode "unreachable-code" recommended;
    UnusedVariable "unused-variable" recommended;
    UnusedParameter "unused-parameter" optional;
    UnassignedVariable "unassigned-variable" recommended;
    UnsetOutParameter "unset-out-parameter" recommended;
    ShadowedName "shadowed-name" recommended;
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let rule = Self::ALL.iter().copied().find(|rule| rule.name() == name);
        rule.ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

/// By its name.
#[cfg(feature = "serde")]
impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The error for a name that is not a rule.
///
/// ```
/// let error = "select-stars".parse::<pg_ast_lint::Rule>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown rule `select-stars`; did you mean `select-star`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(String);

impl UnknownRule {
    /// Returns the rule that was probably meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<Rule> {
        // Longer strings are not names, and comparing takes time.
        if self.0.len() > 64 {
            return None;
        }
        let distance = |rule: &Rule| strsim::osa_distance(&self.0, rule.name());
        let nearest = Rule::ALL.iter().copied().min_by_key(distance)?;
        (distance(&nearest) <= 3).then_some(nearest)
    }
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule `{}`", self.0)?;
        match self.suggestion() {
            Some(rule) => write!(f, "; did you mean `{rule}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownRule {}
