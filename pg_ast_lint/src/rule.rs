//! The rules: their names and their reasons.

use std::fmt;
use std::str::FromStr;

macro_rules! rules {
    ($($variant:ident $name:literal $description:literal $explanation:literal;)*) => {
        /// A rule.
        ///
        /// It prints as its name, which comments and options use.
        ///
        /// ```
        /// use pg_ast_lint::Rule;
        ///
        /// let rule: Rule = "select-star".parse()?;
        /// assert_eq!(rule, Rule::SelectStar);
        /// assert_eq!(rule.to_string(), "select-star");
        /// assert_eq!(rule.description(), "`SELECT *` returns whatever columns there are");
        /// # Ok::<(), pg_ast_lint::UnknownRule>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = concat!("`", $name, "`: ", $description, ".")]
                ///
                #[doc = $explanation]
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

            /// Returns what the rule finds, in one line without a full stop.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => $description,)*
                }
            }

            /// Returns why that is a problem, and what to do instead: a few sentences of Markdown.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$variant => $explanation,)*
                }
            }
        }
    };
}

rules! {
    SyntaxError "syntax-error"
        "PostgreSQL does not accept the statement"
        "The finding has PostgreSQL's message and position, the tokens that its grammar expected there, and the \
         keyword that was probably meant. The same holds for the bodies of functions in PL/pgSQL and SQL, without \
         the tokens and the keyword.";
    UnknownRule "unknown-rule"
        "a comment silences a rule that does not exist"
        "Write the names of rules after `pgast-ignore`, separated by commas, or none to silence all rules.";
    OpenCopyData "open-copy-data"
        "the rest of the script is data of this COPY"
        "psql reads the lines after `COPY .. FROM STDIN` as data, up to a line `\\.`, or else to the end of the script. What \
         follows is neither checked nor run.";

    AddRequiredColumn "add-required-column"
        "a new column without a default is NOT NULL"
        "The statement fails if the table has a row, since the new column would be NULL there. Add the column with a \
         constant default, which takes no time, or without `NOT NULL`, and fill it before the constraint is added.";
    SetNotNull "set-not-null"
        "SET NOT NULL reads the whole table under its strongest lock"
        "Nobody can read or write the table meanwhile. Add a constraint `CHECK (c IS NOT NULL) NOT VALID`, validate it in \
         a separate transaction, which blocks nobody, and then set `NOT NULL`: PostgreSQL sees that no scan is needed.";
    VolatileDefault "volatile-default"
        "a new column with a volatile default rewrites the table"
        "A default that is the same for all rows is stored once. If each row needs its own value, PostgreSQL \
         rewrites all rows, under a lock that keeps readers and writers out. Add the column without a default, set \
         the default for new rows, and fill the old ones in batches.";
    GeneratedColumn "generated-column"
        "a new stored generated column rewrites the table"
        "PostgreSQL computes it for all rows, under a lock that keeps readers and writers out.";
    AddSerialColumn "add-serial-column"
        "a new serial or identity column rewrites the table"
        "Each row gets its own number, under a lock that keeps readers and writers out. Add a plain column, fill it \
         in batches, and then attach the sequence.";
    ChangeColumnType "change-column-type"
        "a changed column type rewrites the table"
        "With few exceptions, such as a longer `varchar`, PostgreSQL rewrites all rows and the column's indexes, under a \
         lock that keeps readers and writers out. Running programs may not expect the new type either. Add a column of \
         the new type, write both, fill the old rows in batches, and switch over.";
    RenameColumn "rename-column"
        "programs that use the column's old name fail"
        "There is no moment at which all programs change from the old name to the new one. Add a column, write both, and \
         drop the old one when nobody reads it; or let the new column take the old name in the same transaction.";
    RenameTable "rename-table"
        "programs that use the table's old name fail"
        "There is no moment at which all programs change from the old name to the new one. A view with the old name, made \
         in the same transaction, helps.";
    DropColumn "drop-column"
        "programs that use the column fail, and its data is lost"
        "Deploy programs that do not use the column first.";
    DropNotNull "drop-not-null"
        "programs that rely on a value may not expect NULL"
        "Make sure that everything that reads the column can handle NULL.";

    ForeignKeyValidates "foreign-key-validates"
        "a new foreign key is checked for all rows while writers wait"
        "Both tables are locked against writing until all rows are checked. With `NOT VALID` only new rows are \
         checked; `VALIDATE CONSTRAINT`, in a separate transaction, checks the old ones and lets writers work.";
    CheckValidates "check-validates"
        "a new CHECK is evaluated for all rows while readers and writers wait"
        "With `NOT VALID` only new rows are checked; `VALIDATE CONSTRAINT`, in a separate transaction, checks the \
         old ones, and lets readers and writers work.";
    UniqueLocks "unique-locks"
        "a new UNIQUE constraint builds its index while readers and writers wait"
        "Build the index with `CREATE UNIQUE INDEX CONCURRENTLY`, and turn it into a constraint with \
         `ADD CONSTRAINT .. UNIQUE USING INDEX ..`, which takes no time.";
    PrimaryKeyLocks "primary-key-locks"
        "a new PRIMARY KEY builds its index while readers and writers wait"
        "Build the index with `CREATE UNIQUE INDEX CONCURRENTLY`, and turn it into a key with \
         `ADD CONSTRAINT .. PRIMARY KEY USING INDEX ..`.";
    CreateIndexLocks "create-index-locks"
        "CREATE INDEX without CONCURRENTLY keeps writers out"
        "The table cannot be written until the index is built. `CONCURRENTLY` takes longer, and blocks nobody. It must \
         run outside of a transaction. Partitioned tables do not accept it: create their index with `ON ONLY`, those of \
         the partitions `CONCURRENTLY`, and attach them with `ALTER INDEX .. ATTACH PARTITION`.";
    DropIndexLocks "drop-index-locks"
        "DROP INDEX without CONCURRENTLY keeps readers and writers out"
        "It waits for all that use the table, and everybody else waits for it. `CONCURRENTLY` blocks nobody. It must run \
         outside of a transaction, takes one index at a time, and no CASCADE.";
    ConcurrentlyInTransaction "concurrently-in-transaction"
        "CONCURRENTLY fails in a transaction"
        "A concurrent command consists of several transactions, so PostgreSQL refuses it inside another \
         one.";
    TransactionNesting "transaction-nesting"
        "a BEGIN in a transaction, or a COMMIT or ROLLBACK outside of one, does nothing"
        "PostgreSQL has no transactions in transactions: it warns, and the first COMMIT ends all. Use savepoints.";

    PreferBigint "prefer-bigint"
        "a key of 32 bits or fewer can run out of numbers"
        "`integer` ends at 2,147,483,647, and changing the type of a key rewrites its table. `bigint` takes four bytes \
         more, which alignment often uses anyway.";
    PreferText "prefer-text"
        "a limited length is hard to change, and saves nothing"
        "`varchar(n)` and `text` are stored alike; `char(n)` is padded with blanks. To lower the limit later, PostgreSQL has to check \
         all rows. If a limit is wanted, `text` with a `CHECK` is easier to change.";
    PreferTimestamptz "prefer-timestamptz"
        "a timestamp without a time zone is not a point in time"
        "`timestamp` is the time of a clock, without saying where. `timestamptz` takes the same 8 bytes, and is \
         shown in the time zone of the session.";
    PreferIdentity "prefer-identity"
        "serial leaves rights and dependencies of its sequence to you"
        "An identity column is the SQL standard's way to number rows: its sequence belongs to the column, including \
         rights, and type changes, `LIKE` and dumps treat both as one.";
    PreferIfExists "prefer-if-exists"
        "the statement fails if it is run a second time"
        "Outside of a transaction, a script that fails halfway has to be run again. `IF NOT EXISTS` and `IF EXISTS` let \
         it skip the finished steps. Within a transaction a failure undoes everything, so the rule does not apply.";

    DropTable "drop-table"
        "the data of the table is lost, and programs that use it fail"
        "Make sure that nothing uses the table, and that there is a backup.";
    DropDatabase "drop-database"
        "the data of the database is lost"
        "It cannot be undone.";
    TruncateCascade "truncate-cascade"
        "CASCADE empties all tables that refer to this one"
        "Name all tables that should be emptied.";
    UpdateWithoutWhere "update-without-where"
        "UPDATE without WHERE changes every row"
        "If that is meant, `WHERE true` says so.";
    DeleteWithoutWhere "delete-without-where"
        "DELETE without WHERE deletes every row"
        "If that is meant, `WHERE true` says so, and `TRUNCATE` is faster.";
    SelectStar "select-star"
        "`SELECT *` returns whatever columns there are"
        "A new column changes the result, which programs and views may not expect, and is read needlessly. Within \
         `EXISTS` nothing is read, so the rule does not apply.";
    NullComparison "null-comparison"
        "a comparison with NULL is never true"
        "`a = NULL` is NULL, whatever `a` is. `IS NULL` and `IS NOT NULL` test for it.";

    QueryWithoutDestination "query-without-destination"
        "PL/pgSQL has nowhere to put the rows of this query, and fails"
        "A statement in a function must not return rows: `PERFORM` runs a query and drops them, `INTO` puts the first one \
         into variables, `FOR` and `RETURN QUERY` take all.";
    UnquotedDynamicSql "unquoted-dynamic-sql"
        "a parameter becomes part of dynamic SQL without quotes"
        "Who calls the function can make other SQL of it (SQL injection), and names with capitals or blanks do not work. \
         `format` quotes names by `%I` and values by `%L`; values can be given by `USING`. Names of tables can be \
         parameters of the type `regclass`.";
    MissingReturn "missing-return"
        "the end of the function can be reached without RETURN"
        "PostgreSQL raises an error there: `control reached end of function without RETURN`.";
    UnreachableCode "unreachable-code"
        "the statement is never reached"
        "What comes before it returns, leaves the loop or raises an error in any case.";
    UnusedVariable "unused-variable"
        "the variable is never used"
        "It may be a leftover, or another name was meant where it should be used. `FOR i IN 1 .. 9` declares a variable of \
         its own.";
    UnusedParameter "unused-parameter"
        "the parameter is never read"
        "Callers pass a value that has no effect. If the function has to have the parameter, a name with `unused` in it says \
         so, and so does none.";
    UnassignedVariable "unassigned-variable"
        "the variable is read, but never assigned: it is always NULL"
        "Another name may have been meant where it is read, or where it should be assigned.";
    UnsetOutParameter "unset-out-parameter"
        "the OUT parameter is never assigned: the result is always NULL"
        "A function returns what its OUT parameters are when it ends.";
    ShadowedName "shadowed-name"
        "the variable hides another one of the same name"
        "What the other one holds cannot be seen in this block, except by its label or the name of the function.";
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
