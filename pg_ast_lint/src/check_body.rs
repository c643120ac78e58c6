//! Checks the code in strings. Each piece of SQL in it is checked as a script is; the findings are put where it was written.

use core::ops::Range;

use pg_ast::plpgsql::{Datum, Expr, Function, Part, Target};
use pg_ast::protobuf::{CreateFunctionStmt, FunctionParameterMode, Token};
use pg_ast::view;
use pg_ast::{Error, LiteralPlaces, NodeEnum, NodeRef, ParseMode, ParseResult, ParserOptions};

use crate::body::{Body, body_place, has_escapes, options_of, with_schema};
use crate::body_places::BodyPlaces;
use crate::check::{error_at, run};
use crate::fixed::keep_correct;
use crate::ignore::{Comments, IgnoredParts};
use crate::overview::Overview;
use crate::state::State;
use crate::stmt::{Rows, Stmt};
use crate::{Finding, Options, Rule, rules};

/// The rules about what a function does when it is called. The others are about what a script does to a database.
const OF_FUNCTIONS: &[Rule] = &[
    Rule::ConcurrentlyInTransaction,
    Rule::NotInTransaction,
    Rule::TruncateCascade,
    Rule::UpdateWithoutWhere,
    Rule::DeleteWithoutWhere,
    Rule::SelectStar,
    Rule::NullComparison,
    Rule::NotInNull,
    Rule::NotInSubquery,
    Rule::ConstantCondition,
    Rule::DuplicateColumn,
    Rule::IdentifierTooLong,
    Rule::QuotedSearchPath,
    Rule::UnqualifiedFunction,
    Rule::UnqualifiedOperator,
    Rule::UnqualifiedName,
    Rule::UnqualifiedCase,
    Rule::QueryWithoutDestination,
];

/// A statement with a body, and what is known about it.
pub(crate) struct WithBody<'a> {
    pub(crate) script: &'a str,
    pub(crate) range: &'a Range<usize>,
    pub(crate) tree: &'a ParseResult,
    /// What the script says, and the number of the statement in it.
    pub(crate) place: (&'a Overview, usize),
    pub(crate) options: &'a Options,
}

/// SQL in a body.
struct InnerText<'a> {
    text: &'a str,
    /// Where it was written.
    place: Range<usize>,
    /// The places of the body, and where the SQL begins in it; `None` if it is not written there in these words.
    places: Option<(&'a LiteralPlaces, usize)>,
    options: ParserOptions,
}

impl InnerText<'_> {
    /// Returns the range of the script for one of the SQL: the place of all of it if no other is known.
    fn range(&self, range: &Range<usize>) -> Range<usize> {
        match self.places {
            Some((places, start)) => places.range(&(start + range.start..start + range.end)),
            None => self.place.clone(),
        }
    }

    /// Returns the range of the script to change for one of the SQL; `None` if the change cannot be made exactly there.
    fn change(&self, range: &Range<usize>, by: &str) -> Option<Range<usize>> {
        let (places, start) = self.places?;
        places.change(&(start + range.start..start + range.end), by)
    }
}

impl WithBody<'_> {
    /// Checks the body. Findings of rules that are off are among those found, without fixes.
    pub(crate) fn check(
        &self,
        body: &Body,
        state: &mut State,
        comments: &mut Comments,
        found: &mut Vec<Finding>,
    ) {
        let mut inside = Vec::new();
        let ignored = match body {
            Body::Sql => self.sql(state, comments, &mut inside, found),
            Body::PlPgSql(parsed) => match &parsed.function {
                Ok(function) => self.plpgsql(function, state, comments, &mut inside, found),
                Err(error) => {
                    let cursor = error.cursor().map(|cursor| self.range.start + cursor);
                    let at = cursor.or_else(|| self.line_of(error)).unwrap_or(self.range.start);
                    inside.push(error_at(self.script, self.range, at, error));
                    None
                }
            },
        };
        inside.sort_by_key(|finding| finding.range.start);
        if let Some(ignored) = ignored {
            ignored.silence(comments, &mut inside);
        }
        found.append(&mut inside);
    }

    fn plpgsql(
        &self,
        function: &Function,
        state: &mut State,
        comments: &mut Comments,
        inside: &mut Vec<Finding>,
        found: &mut Vec<Finding>,
    ) -> Option<IgnoredParts> {
        let in_script =
            |range: Range<usize>| self.range.start + range.start..self.range.start + range.end;
        let all_places = self.places();
        let options = options_of(self.tree);
        let mut of_function = State::of_function(state);
        let state = if function.is_do { state } else { &mut of_function };
        let was_in_transaction = state.begin_do();
        let mut places = BodyPlaces::default();
        let mut parts = function.parts();
        while let Some(part) = parts.next() {
            let Some(place) = part.range().map(in_script) else { continue };
            places.add(part, place.clone());
            let Part::Expr(expr) = part else { continue };
            parts.skip_children();
            let parent = parts.ancestors().last().copied();
            // PERFORM is replaced by SELECT.
            let missing = usize::from(matches!(parent, Some(Part::Perform(_))));
            let is_written = |(places, start): &(&LiteralPlaces, usize)| {
                places.inner(place.end) == Some(start + expr.query.len())
            };
            let start =
                all_places.as_ref().and_then(|it| Some((it, it.inner(place.start)? + missing)));
            let inner = InnerText {
                text: &expr.query,
                places: start.filter(is_written),
                place,
                options: options.mode(expr.parse_mode),
            };
            // It was parsed by itself before.
            let Ok(tree) = view::parse_with_ranges(inner.text, inner.options) else { continue };
            let mut of_expr = Vec::new();
            let stmt = Stmt::new(inner.text, 0..inner.text.len(), &tree, self.place);
            let stmt = stmt.with_rows(rows_of(expr, parent, function));
            run(&stmt, tree.nodes(), state, &mut of_expr);
            if function.is_do {
                state.define(inner.text, &tree);
            }
            self.put(&inner, of_expr, function.is_do, inside);
        }
        state.end_do(was_in_transaction);
        let body = all_places.as_ref().zip(self.source());
        rules::check_function(self.script, self.range, (function, body), inside);
        Some(places.read(comments, self.script, all_places.as_ref()?, found))
    }

    /// Checks a function in SQL.
    fn sql(
        &self,
        state: &State,
        comments: &mut Comments,
        inside: &mut Vec<Finding>,
        found: &mut Vec<Finding>,
    ) -> Option<IgnoredParts> {
        let Some(NodeRef::CreateFunctionStmt(create)) = self.tree.stmts().next() else {
            return None;
        };
        let text = &*with_schema(self.source()?);
        let all_places = self.places()?;
        let (place, all) = (all_places.content(), Some((&all_places, 0)));
        let inner = InnerText { text, place, places: all, options: options_of(self.tree) };
        let tree = match view::parse_with_ranges(text, inner.options) {
            Ok(tree) => tree,
            Err(error) => {
                let at = error.cursor().unwrap_or(0);
                let mut finding = error_at(text, &(0..text.len()), at, &error);
                finding.range = inner.range(&finding.range);
                inside.push(finding);
                return None;
            }
        };
        let mut state = State::of_function(state);
        let mut of_body = Vec::new();
        let mut places = BodyPlaces::default();
        let count = tree.stmts().count();
        let mut stmt = Stmt::new(text, 0..text.len(), &tree, self.place);
        for (number, raw) in tree.stmts().enumerate() {
            places.add_stmt(inner.range(&stmt.place(raw)));
            let is_result = number + 1 == count && !has_columns(create);
            stmt.rows = if is_result { Rows::ToRecord } else { Rows::Returned };
            run(&stmt, view::Node::from(raw).nodes(), &mut state, &mut of_body);
        }
        self.put(&inner, of_body, false, inside);
        Some(places.read(comments, self.script, &all_places, found))
    }

    /// Puts findings where the SQL was written.
    fn put(
        &self,
        inner: &InnerText<'_>,
        mut found: Vec<Finding>,
        runs_now: bool,
        inside: &mut Vec<Finding>,
    ) {
        found.retain(|finding| runs_now || OF_FUNCTIONS.contains(&finding.rule));
        self.options.drop_fixes(&mut found);
        let version = self.options.version;
        keep_correct(inner.text, &(0..inner.text.len()), version, inner.options, &mut found);
        inside.extend(found.into_iter().map(|mut finding| {
            finding.range = inner.range(&finding.range);
            finding.fix = finding.fix.and_then(|mut fix| {
                for (range, by) in &mut fix.changes {
                    *range = inner.change(range, by)?;
                }
                Some(fix)
            });
            finding
        }));
    }

    /// Returns where the line begins that is named in the context of an error without a cursor.
    fn line_of(&self, error: &Error) -> Option<usize> {
        let (_, number) = error.context()?.rsplit_once("near line ")?;
        let number: usize = number.trim().parse().ok()?;
        let content = self.places()?.content();
        let body = self.script.get(content.clone())?;
        let lines = body.split_inclusive('\n').take(number.checked_sub(1)?);
        let start: usize = lines.map(str::len).sum();
        let line = &body[start..];
        Some(content.start + start + line.len() - line.trim_start().len())
    }

    /// Returns the text of the body.
    fn source(&self) -> Option<&str> {
        self.tree.stmts().next()?.routine_body()?.source
    }

    /// Returns where the body is written: the string at a word of the statement, or after it.
    fn places(&self) -> Option<LiteralPlaces> {
        let word = self.range.start + body_place(self.tree)?;
        let scan = pg_ast::scan_lossy(self.script.get(word..self.range.end)?).scan;
        let is_string = |token: Token| matches!(token, Token::Sconst | Token::Usconst);
        let string = scan.tokens.iter().find(|token| is_string(token.token))?;
        let start = word + string.range().start;
        LiteralPlaces::new(self.script, start, self.source()?, !has_escapes(self.tree))
    }
}

/// Returns where the rows of an expression's query go; the parent is the statement or the declaration around it.
fn rows_of(expr: &Expr, parent: Option<Part<'_>>, function: &Function) -> Rows {
    let into = |target: &Target| match target {
        Target::Record(_) => Rows::ToRecord,
        // One of an unknown type may be a record.
        Target::List(dnos) => match dnos[..] {
            [dno] if matches!(function.datum(dno), Some(Datum::Rec(_))) => Rows::ToRecord,
            _ => Rows::Returned,
        },
    };
    match parent {
        Some(Part::Perform(_) | Part::Open(_)) => Rows::ToRecord,
        // The query of a cursor.
        Some(Part::Decl(_)) if expr.parse_mode == ParseMode::Default => Rows::ToRecord,
        Some(Part::Fors(stmt)) => into(&stmt.var),
        Some(Part::Execsql(stmt)) => stmt.target.as_ref().map_or(Rows::Nowhere, into),
        Some(Part::ReturnQuery(_)) if !function.params.iter().any(|it| is_column(it.mode)) => {
            Rows::ToRecord
        }
        _ => Rows::Returned,
    }
}

/// Returns whether a function names the columns of its result.
fn has_columns(create: &CreateFunctionStmt) -> bool {
    create.parameters.iter().any(|param| match &param.node {
        Some(NodeEnum::FunctionParameter(param)) => is_column(param.mode()),
        _ => false,
    })
}

fn is_column(mode: FunctionParameterMode) -> bool {
    matches!(
        mode,
        FunctionParameterMode::FuncParamOut
            | FunctionParameterMode::FuncParamInout
            | FunctionParameterMode::FuncParamTable
    )
}
