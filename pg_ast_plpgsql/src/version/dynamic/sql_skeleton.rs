//! Dynamic SQL with placeholders where values are put in, and how it is parsed.

use core::ops::Range;

use pg_ast::{Error, ErrorKind};

use super::dynamic_sql::{DynamicPart, Quoting};
use super::pg::{ParseResult, parse};

/// Dynamic SQL with a placeholder for each value that is put in.
///
/// The placeholder of the first value is the name `dyn_1`, in single quotes if the value is quoted as a constant; that of the
/// second is `dyn_2`, and so on. Where the SQL itself has such names, they have more underscores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlSkeleton {
    sql: String,
    /// What the names of placeholders begin with.
    prefix: String,
    /// The place of each part.
    ranges: Vec<Range<usize>>,
    /// The places of the values that are not quoted.
    raw: Vec<Range<usize>>,
    /// Whether there is SQL besides the values.
    has_text: bool,
}

/// What the names of placeholders begin with, without the underscores after it.
const PREFIX: &str = "dyn";

/// What a value that is not quoted may be, if not a name.
const ALTERNATIVES: [fn(&mut [u8]); 3] = [
    // A number: `varchar(%s)`.
    |placeholder| placeholder.fill(b'1'),
    // An operator: `a %s b`.
    |placeholder| {
        placeholder.fill(b' ');
        placeholder[0] = b'=';
    },
    // Nothing: `ORDER BY a %s`, `SELECT 1 FROM t WHERE true %s`.
    |placeholder| placeholder.fill(b' '),
];

/// How often the SQL is parsed at most.
const MAX_TRIES: usize = 32;

impl SqlSkeleton {
    pub(crate) fn new(parts: &[DynamicPart<'_>]) -> Self {
        let prefix = format!("{PREFIX}{}", "_".repeat(underscores(parts) + 1));
        let mut skeleton = Self {
            sql: String::new(),
            prefix,
            ranges: Vec::with_capacity(parts.len()),
            raw: Vec::new(),
            has_text: false,
        };
        let mut number = 0;
        for part in parts {
            let start = skeleton.sql.len();
            match part {
                DynamicPart::Text { sql, .. } => {
                    skeleton.sql.push_str(sql);
                    skeleton.has_text |= !sql.trim().is_empty();
                }
                DynamicPart::Value(value) => {
                    number += 1;
                    let placeholder = format!("{}{number}", skeleton.prefix);
                    match value.quoting {
                        Quoting::Literal => skeleton.sql.extend(["'", &placeholder, "'"]),
                        Quoting::Ident => skeleton.sql.push_str(&placeholder),
                        Quoting::None => {
                            skeleton.sql.push_str(&placeholder);
                            skeleton.raw.push(start..skeleton.sql.len());
                        }
                    }
                }
            }
            skeleton.ranges.push(start..skeleton.sql.len());
        }
        skeleton
    }

    /// Returns the SQL.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Returns the places of the parts in the SQL, as byte offsets: one for each of [`Dynamic::parts`](super::dynamic_sql::Dynamic::parts).
    #[must_use]
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Returns whether a name or another text of the SQL is, or has in it, a placeholder.
    ///
    /// ```
    /// use pg_ast::plpgsql;
    ///
    /// let sql = "DO $$ DECLARE n int; BEGIN EXECUTE format('TRUNCATE a, part_%s', n); END $$";
    /// let parsed = plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let skeleton = pg_ast_plpgsql::dynamic_sql(function)[0].skeleton();
    /// let tables = skeleton.parse()?.tables();
    /// assert_eq!(tables, ["a", "part_dyn_1"]);
    /// assert!(!skeleton.has_placeholder(&tables[0].name) && skeleton.has_placeholder(&tables[1].name));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn has_placeholder(&self, text: &str) -> bool {
        let mut rests = text.split(&self.prefix).skip(1);
        rests.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Parses the SQL.
    ///
    /// A value that is not quoted may be more than a name. Where a name is a syntax error, a number, an operator and nothing are
    /// tried instead, so the tree may lack what [`sql`](Self::sql) has. Its locations are those in `sql` all the same.
    ///
    /// ```
    /// use pg_ast::plpgsql;
    ///
    /// let sql = "CREATE FUNCTION f(cols text, t text, cond text) RETURNS void LANGUAGE plpgsql AS $$
    /// BEGIN
    ///     EXECUTE format('UPDATE %I SET a = %L WHERE b %s', t, cols, cond);
    /// END $$";
    /// let parsed = plpgsql::parse(sql)?;
    /// let function = parsed.functions[0].function.as_ref().map_err(Clone::clone)?;
    /// let skeleton = pg_ast_plpgsql::dynamic_sql(function)[0].skeleton();
    /// assert_eq!(skeleton.sql(), "UPDATE dyn_1 SET a = 'dyn_2' WHERE b dyn_3");
    /// assert_eq!(skeleton.parse()?.filter_columns(), [(None, "b".to_owned())]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// PostgreSQL's grammar accepts the SQL with none of these, or all of it, or of a statement, is put in. The error is that of
    /// the SQL with names.
    pub fn parse(&self) -> Result<ParseResult, Error> {
        let first = match parse(&self.sql) {
            Err(error) if error.kind() == ErrorKind::Syntax && !self.raw.is_empty() => error,
            Ok(_) if !self.has_text => return Err(nothing_written()),
            result => return result,
        };
        let mut tries = Tries { sql: self.sql.clone(), counts: vec![0; self.raw.len()] };
        let mut cursor = first.cursor();
        for _ in 1..MAX_TRIES {
            if !self.vary(&mut tries, cursor.unwrap_or(self.sql.len())) {
                break;
            }
            match parse(&tries.sql) {
                Ok(tree) if self.has_text && !self.is_stmt_missing(&tries) => return Ok(tree),
                Ok(_) => break,
                Err(error) => cursor = error.cursor(),
            }
        }
        Err(first)
    }

    /// Returns whether nothing stands for a value that is a statement, or several.
    fn is_stmt_missing(&self, tries: &Tries) -> bool {
        let values = self.raw.iter().zip(&tries.counts);
        let mut missing = values.filter(|(_, count)| **count == ALTERNATIVES.len());
        missing.any(|(range, _)| {
            let (before, after) = (&tries.sql[..range.start], &tries.sql[range.end..]);
            matches!(before.trim_ascii_end().bytes().next_back(), None | Some(b';'))
                && matches!(after.trim_ascii_start().bytes().next(), None | Some(b';'))
        })
    }

    /// Tries the next alternative for the value that may be the cause of an error; returns whether there is one.
    fn vary(&self, tries: &mut Tries, cursor: usize) -> bool {
        let mut before = self.raw.partition_point(|range| range.start <= cursor);
        while before > 0 {
            before -= 1;
            let (Some(range), Some(count)) = (self.raw.get(before), tries.counts.get_mut(before))
            else {
                return false;
            };
            if let Some(alternative) = ALTERNATIVES.get(*count) {
                let mut placeholder = self.sql.as_bytes()[range.clone()].to_vec();
                alternative(&mut placeholder);
                let Ok(placeholder) = String::from_utf8(placeholder) else { return false };
                tries.sql.replace_range(range.clone(), &placeholder);
                *count += 1;
                return true;
            }
            // It is not this one alone: back to the name, with the next alternative before it.
            tries.sql.replace_range(range.clone(), &self.sql[range.clone()]);
            *count = 0;
        }
        false
    }
}

struct Tries {
    sql: String,
    /// How many alternatives have been tried for each value.
    counts: Vec<usize>,
}

#[cold]
fn nothing_written() -> Error {
    Error::new(ErrorKind::Syntax, "all of the dynamic SQL is in values")
}

/// Returns the most underscores that follow `dyn` in the SQL.
fn underscores(parts: &[DynamicPart<'_>]) -> usize {
    let texts = parts.iter().filter_map(|part| match part {
        DynamicPart::Text { sql, .. } => Some(sql),
        DynamicPart::Value(_) => None,
    });
    let rests = texts.flat_map(|sql| sql.split(PREFIX).skip(1));
    rests.map(|rest| rest.bytes().take_while(|byte| *byte == b'_').count()).max().unwrap_or(0)
}
