//! The calls of a version that is chosen at run time.

use core::borrow::Borrow;

use super::Version;
use crate::types::analysis::{Analysis, Summary};
use crate::types::digest::{Digest, DigestOptions};
use crate::types::error::{Error, Warning};
use crate::types::expected::Completion;
use crate::types::fingerprint::Fingerprint;
use crate::types::options::{
    Comment, DeparseOptions, FingerprintOptions, NormalizeOptions, ParserOptions,
};
use crate::types::script_part::{PartEnd, ScriptPart, ScriptState};
use crate::types::text::{CheckedStmt, TokenText, TokenTexts};

/// The calls that are the same for every version: each is that of the version's module.
impl Version {
    /// Checks whether PostgreSQL accepts SQL, and returns the warnings that it raised. Makes no tree.
    ///
    /// ```
    /// let version = pg_ast::Version::newest();
    /// assert_eq!(version.check("SELECT 1")?, []);
    /// assert_eq!(version.check("SELECT FROM FROM").unwrap_err().cursor(), Some(12));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `parse` of the version's module.
    pub fn check(self, sql: &str) -> Result<Vec<Warning>, Error> {
        of_version!(self, check(sql))
    }

    /// Prints SQL in another layout.
    ///
    /// ```
    /// use pg_ast::{DeparseOptions, Version};
    ///
    /// let sql = Version::newest().reformat("select a,b from T", DeparseOptions::default())?;
    /// assert_eq!(sql, "SELECT a, b FROM t");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `parse` and `deparse_with` of the version's module.
    pub fn reformat(
        self,
        sql: &str,
        options: impl Borrow<DeparseOptions>,
    ) -> Result<String, Error> {
        let options: &DeparseOptions = options.borrow();
        of_version!(self, reformat(sql, options))
    }

    /// Returns a name as it is written in SQL: in quotes, if it needs them.
    ///
    /// ```
    /// assert_eq!(pg_ast::Version::newest().quote_identifier("order"), "\"order\"");
    /// ```
    #[must_use]
    pub fn quote_identifier(self, name: &str) -> String {
        of_version!(self, quote_identifier(name))
    }

    /// Parses functions in PL/pgSQL.
    ///
    /// ```
    /// let functions = pg_ast::Version::newest().parse_plpgsql("DO $$ BEGIN COMMIT; END $$")?;
    /// assert!(functions[0]["PLpgSQL_function"]["action"].is_object());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `parse_plpgsql` of the version's module.
    #[cfg(feature = "plpgsql")]
    pub fn parse_plpgsql(self, sql: &str) -> Result<serde_json::Value, Error> {
        of_version!(self, parse_plpgsql(sql))
    }

    /// Returns for each statement whether it is a utility statement.
    ///
    /// ```
    /// let version = pg_ast::Version::newest();
    /// assert_eq!(version.is_utility_stmt("SELECT 1; BEGIN")?, [false, true]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `is_utility_stmt` of the version's module.
    pub fn is_utility_stmt(self, sql: &str) -> Result<Vec<bool>, Error> {
        of_version!(self, is_utility_stmt(sql))
    }

    /// Lists what statements name, and cuts the SQL to a length.
    ///
    /// ```
    /// let summary = pg_ast::Version::newest().summary("SELECT a FROM t WHERE b", None)?;
    /// assert_eq!(summary.tables[0].name, "t");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `summary` of the version's module.
    pub fn summary(self, sql: &str, truncate_limit: Option<usize>) -> Result<Summary, Error> {
        of_version!(self, summary(sql, truncate_limit))
    }

    /// Lists what statements name: tables, functions, columns of conditions.
    ///
    /// ```
    /// let version = pg_ast::Version::newest();
    /// let analysis = version.analyze("INSERT INTO a SELECT * FROM b")?;
    /// assert_eq!(analysis.tables.iter().map(|table| &table.name).collect::<Vec<_>>(), ["a", "b"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `view::parse` of the version's module.
    pub fn analyze(self, sql: &str) -> Result<Analysis, Error> {
        of_version!(self, analyze_text(sql))
    }

    /// The tokens of SQL, in order, comments included.
    ///
    /// ```
    /// let tokens = pg_ast::Version::newest().scan("SELECT 1 -- one")?;
    /// let names: Vec<_> = tokens.iter().map(|token| token.name).collect();
    /// assert_eq!(names, ["SELECT", "ICONST", "SQL_COMMENT"]);
    /// assert!(tokens[0].is_keyword && tokens[2].is_comment());
    /// assert_eq!(tokens[1].range, 7..8);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `scan` of the version's module.
    pub fn scan(self, sql: &str) -> Result<Vec<TokenText>, Error> {
        of_version!(self, token_texts(sql))
    }

    /// The tokens of SQL that may be wrong, and what is no token.
    ///
    /// ```
    /// let lossy = pg_ast::Version::newest().scan_lossy("SELECT 'a\n, 1");
    /// let names: Vec<_> = lossy.tokens.iter().map(|token| token.name).collect();
    /// assert_eq!(names, ["SELECT", "ASCII_44", "ICONST"]);
    /// assert_eq!(lossy.errors[0].range, 7..9);
    /// ```
    #[must_use]
    pub fn scan_lossy(self, sql: &str) -> TokenTexts {
        of_version!(self, token_texts_lossy(sql))
    }

    /// Checks a script for psql, statement by statement, errors included.
    ///
    /// ```
    /// let script = "SELECT 1;\nSELEC 2;\nSELECT 3";
    /// let stmts = pg_ast::Version::newest().parse_script(script);
    /// assert_eq!(stmts.len(), 3);
    /// assert_eq!(&script[stmts[2].range.clone()], "SELECT 3");
    /// assert_eq!(stmts[1].result.as_ref().unwrap_err().cursor(), Some(10));
    /// ```
    #[must_use]
    pub fn parse_script(self, script: &str) -> Vec<CheckedStmt> {
        self.parse_script_with(script, ParserOptions::default())
    }

    /// Checks a script for psql, with options for each statement; but `standard_conforming_strings` is what the script sets.
    ///
    /// ```
    /// use pg_ast::{ErrorKind, ParserOptions, Version};
    ///
    /// let script = "SELECT (1 + 2) * 3; SELECT 1";
    /// let stmts = Version::newest().parse_script_with(script, ParserOptions::default().max_depth(4));
    /// assert_eq!(stmts[0].result.as_ref().unwrap_err().kind(), ErrorKind::TooDeep);
    /// assert!(stmts[1].result.is_ok());
    /// ```
    #[must_use]
    pub fn parse_script_with(
        self,
        script: &str,
        options: impl Borrow<ParserOptions>,
    ) -> Vec<CheckedStmt> {
        of_version!(self, checked_stmts(script, *options.borrow()))
    }

    /// Splits a part of a script for psql, for scripts that are too long to be kept in memory.
    ///
    /// The statements are those of [`parse_script`](Self::parse_script), with these exceptions:
    ///
    /// - The end of a wrong statement may depend on all that follows, but at most on the part.
    /// - After a wrong `COPY .. FROM STDIN`, lines are data only if they end within 16 MiB of it.
    /// - A statement that is too long for the caller is skipped, up to a line that ends with a semicolon.
    ///
    /// A part that is too short for its first statement returns no statement, and `taken` is 0. The same part with more
    /// text (twice as much, so that the time is linear) returns it.
    ///
    /// ```
    /// use pg_ast::{PartEnd, ScriptState, Version};
    ///
    /// let mut script = "SELECT 1;\nCOPY t FROM stdin;\na;\tb\n\\.\nSELECT 2;\n";
    /// let mut state = ScriptState::default();
    /// let mut stmts = Vec::new();
    /// let mut len = 10;
    /// while !script.is_empty() {
    ///     let end = if len < script.len() { PartEnd::More } else { PartEnd::End };
    ///     let part = &script[..len.min(script.len())];
    ///     let split = Version::newest().split_part(part, end, &mut state);
    ///     stmts.extend(split.stmts.iter().map(|stmt| split.text[stmt.range.clone()].to_owned()));
    ///     len = if split.taken == 0 { 2 * len } else { 10 };
    ///     script = &script[split.taken..];
    /// }
    /// assert_eq!(stmts, ["SELECT 1", "COPY t FROM stdin", "SELECT 2"]);
    /// ```
    #[must_use]
    pub fn split_part(self, part: &str, end: PartEnd, state: &mut ScriptState) -> ScriptPart {
        of_version!(self, split_part(part, end, state))
    }

    /// The comments in SQL, for [`DeparseOptions::comments`].
    ///
    /// ```
    /// let comments = pg_ast::Version::newest().comments("SELECT 1 -- one")?;
    /// assert_eq!(comments[0].text, "-- one");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `comments` of the version's module.
    pub fn comments(self, sql: &str) -> Result<Vec<Comment>, Error> {
        of_version!(self, comments(sql))
    }

    /// The comments in SQL that may be wrong.
    ///
    /// ```
    /// let comments = pg_ast::Version::newest().comments_lossy("SELECT 'a\n-- one");
    /// assert_eq!(comments[0].text, "-- one");
    /// ```
    #[must_use]
    pub fn comments_lossy(self, sql: &str) -> Vec<Comment> {
        of_version!(self, comments_lossy(sql))
    }

    /// The fingerprint of SQL; those of different versions cannot be compared.
    ///
    /// ```
    /// let version = pg_ast::Version::newest();
    /// assert_eq!(version.fingerprint("SELECT 1")?, version.fingerprint("select 2")?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `fingerprint` of the version's module.
    pub fn fingerprint(self, sql: &str) -> Result<Fingerprint, Error> {
        of_version!(self, fingerprint(sql))
    }

    /// The fingerprint of SQL, parsed and fingerprinted with the given settings.
    ///
    /// ```
    /// use pg_ast::{FingerprintOptions, ParserOptions, Version};
    ///
    /// let (version, sql) = (Version::newest(), "SELECT 1");
    /// let fingerprint =
    ///     version.fingerprint_with(sql, ParserOptions::default(), FingerprintOptions::default())?;
    /// assert_eq!(fingerprint, version.fingerprint(sql)?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `fingerprint_with` of the version's module.
    pub fn fingerprint_with(
        self,
        sql: &str,
        parser: impl Borrow<ParserOptions>,
        options: impl Borrow<FingerprintOptions>,
    ) -> Result<Fingerprint, Error> {
        let (parser, options) = (*parser.borrow(), *options.borrow());
        of_version!(self, fingerprint_with(sql, parser, options))
    }

    /// What can stand at a place of a text, for editors.
    ///
    /// ```
    /// use pg_ast::{Expected, Version};
    ///
    /// let found = Version::newest().complete("SELECT 1 FRO", 12);
    /// assert_eq!(found.word, 9..12);
    /// assert!(found.expected.contains(&Expected::Keyword("FROM")));
    /// ```
    #[must_use]
    pub fn complete(self, sql: &str, offset: usize) -> Completion {
        of_version!(self, complete(sql, offset))
    }

    /// The parts that the options ask for, from one parse.
    ///
    /// ```
    /// use pg_ast::{DigestOptions, Version};
    ///
    /// let options = DigestOptions::default().normalized(true);
    /// let digest = Version::newest().digest("SELECT 1", options)?;
    /// assert_eq!(digest.normalized.as_deref(), Some("SELECT $1"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `digest` of the version's module.
    pub fn digest(self, sql: &str, options: impl Borrow<DigestOptions>) -> Result<Digest, Error> {
        let options: &DigestOptions = options.borrow();
        of_version!(self, digest(sql, options))
    }

    /// SQL with parameters in place of its constants.
    ///
    /// ```
    /// assert_eq!(pg_ast::Version::newest().normalize("SELECT 1, 'a'")?, "SELECT $1, $2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `normalize` of the version's module.
    pub fn normalize(self, sql: &str) -> Result<String, Error> {
        of_version!(self, normalize(sql))
    }

    /// SQL with parameters in place of its constants, with the given settings.
    ///
    /// ```
    /// use pg_ast::{NormalizeOptions, ParserOptions, Version};
    ///
    /// let parser = ParserOptions::default().standard_conforming_strings(false);
    /// let options = NormalizeOptions::default();
    /// let sql = Version::newest().normalize_with(r"SELECT 'it\'s', 1", parser, options)?;
    /// assert_eq!(sql, "SELECT $1, $2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `normalize_with` of the version's module.
    pub fn normalize_with(
        self,
        sql: &str,
        parser: impl Borrow<ParserOptions>,
        options: impl Borrow<NormalizeOptions>,
    ) -> Result<String, Error> {
        let (parser, options) = (*parser.borrow(), *options.borrow());
        of_version!(self, normalize_with(sql, parser, options))
    }

    /// SQL with parameters in place of its constants, in utility statements alone.
    ///
    /// ```
    /// let sql = "ALTER ROLE r PASSWORD 'secret'; SELECT 1";
    /// let normalized = pg_ast::Version::newest().normalize_utility(sql)?;
    /// assert_eq!(normalized, "ALTER ROLE r PASSWORD $1; SELECT 1");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `normalize_utility` of the version's module.
    pub fn normalize_utility(self, sql: &str) -> Result<String, Error> {
        of_version!(self, normalize_utility(sql))
    }

    /// The statements in SQL, by its tokens alone.
    ///
    /// ```
    /// let version = pg_ast::Version::newest();
    /// assert_eq!(version.split_with_scanner("SELEC 1; SELECT ';'")?, ["SELEC 1", " SELECT ';'"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `split_with_scanner` of the version's module.
    pub fn split_with_scanner(self, sql: &str) -> Result<Vec<&str>, Error> {
        of_version!(self, split_with_scanner(sql))
    }

    /// The statements in SQL that may be wrong, by its tokens alone.
    ///
    /// ```
    /// let stmts = pg_ast::Version::newest().split_lossy("SELECT 'a\n; SELECT 1");
    /// assert_eq!(stmts.last(), Some(&" SELECT 1"));
    /// ```
    #[must_use]
    pub fn split_lossy(self, sql: &str) -> Vec<&str> {
        of_version!(self, split_lossy(sql))
    }

    /// The statements in correct SQL.
    ///
    /// ```
    /// let version = pg_ast::Version::newest();
    /// assert_eq!(version.split_with_parser("SELECT 1; SELECT 2")?, ["SELECT 1", "SELECT 2"]);
    /// assert!(version.split_with_parser("SELEC 1").is_err());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `split_with_parser` of the version's module.
    pub fn split_with_parser(self, sql: &str) -> Result<Vec<&str>, Error> {
        of_version!(self, split_with_parser(sql))
    }
}
