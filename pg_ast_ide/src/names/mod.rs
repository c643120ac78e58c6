//! The names in a statement, each with its place and what it means.

pub(crate) mod column_finder;
pub(crate) mod name_finder;
pub(crate) mod names_in_bodies;

use core::cell::OnceCell;
use core::ops::Range;

use pg_ast::{NameKind, NameUse, QualifiedName, Version};
use pg_ast_names::{Catalog, MistakeKind, Resolution};

use crate::answers::semantic_words::{self, SemanticWord};
use crate::names::name_finder::SymbolFinder;
use crate::stmt::StmtFacts;
use crate::workspace::context::DocumentContext;

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SymbolId {
    /// A table, a view or another relation, with its schema.
    Relation(QualifiedName),
    Column(QualifiedName, String),
    Routine(QualifiedName),
    Type(QualifiedName),
    /// Another object of the database, by its kind and its name with dots.
    Object(NameKind, String),
    /// What the statement itself names, by the place where it does so.
    Local(LocalKind, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LocalKind {
    /// Another name of an item of a `FROM`.
    Alias,
    /// A query of `WITH`.
    Cte,
    /// A column of a query that has a name of its own.
    Column,
    Variable,
    Parameter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRole {
    Definition,
    Read,
    Write,
}

/// A name at a place.
#[derive(Clone, Debug)]
pub(crate) struct NameAt {
    pub(crate) range: Range<usize>,
    pub(crate) symbol: SymbolId,
    pub(crate) role: NameRole,
    /// Whether it would change if the object got another name: not the column of a query that shows a column of a table.
    pub(crate) is_direct: bool,
    /// The end of the item of a target list to which it gives its name, as nothing gives it another one.
    pub(crate) output: Option<usize>,
    /// Whether it may mean something else.
    pub(crate) is_certain: bool,
}

/// A name that means nothing, or several things.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongName {
    /// Where it is.
    pub range: Range<usize>,
    /// The kind of mistake.
    pub kind: MistakeKind,
    /// What is wrong, for people.
    pub message: String,
    /// The name that was probably meant.
    pub suggestion: Option<String>,
}

/// The names in a statement.
#[derive(Default)]
pub(crate) struct Names {
    /// In the order of their places, which do not overlap.
    pub(crate) all: Vec<NameAt>,
    pub(crate) mistakes: Vec<WrongName>,
    /// What the names of the statement mean, without those in its body.
    pub(crate) resolution: Resolution,
    /// The stars, by the index of their use.
    pub(crate) stars: Vec<(Range<usize>, usize)>,
    words: OnceCell<Vec<SemanticWord>>,
}

impl Names {
    /// Returns what the words of the statement are.
    pub(crate) fn words(&self, stmt: &StmtFacts, version: Version) -> &[SemanticWord] {
        self.words.get_or_init(|| semantic_words::words(stmt, self, version))
    }

    pub(crate) fn of(stmt: &StmtFacts, catalog: &dyn Catalog) -> Self {
        let Some(tree) = stmt.tree() else { return Self::default() };
        let mut finder = SymbolFinder::new(stmt, tree, catalog);
        finder.tables();
        finder.columns();
        finder.functions();
        finder.others();
        let SymbolFinder { mut found, resolution, stars, .. } = finder;
        let mut mistakes: Vec<_> = resolution
            .mistakes
            .iter()
            .filter_map(|mistake| {
                let range = mistake.range(stmt.sql()).or_else(|| {
                    let node = tree.node_at(mistake.node?)?;
                    tree.range(node)
                })?;
                Some(WrongName {
                    range,
                    kind: mistake.kind,
                    message: mistake.message.clone(),
                    suggestion: mistake.suggestion.clone(),
                })
            })
            .collect();
        names_in_bodies::add(stmt, catalog, &mut found, &mut mistakes);
        found.sort_by_key(|name| (name.range.start, name.range.end));
        found.dedup_by(|next, first| next.range.start < first.range.end);
        mistakes.sort_by_key(|mistake| mistake.range.start);
        Self { all: found, mistakes, resolution, stars, words: OnceCell::new() }
    }

    /// Returns the name that begins at a place.
    pub(crate) fn at_start(&self, start: usize) -> Option<&NameAt> {
        let index =
            self.all.partition_point(|name| (name.range.start, name.range.end) <= (start, start));
        self.all.get(index).filter(|name| name.range.start == start)
    }

    /// Returns the name of which a place holds the schema.
    pub(crate) fn behind_dots(&self, sql: &str, offset: usize) -> Option<&NameAt> {
        let next = self.all.partition_point(|name| name.range.start < offset);
        let name = self.all.get(next)?;
        let between = sql.get(offset..name.range.start)?;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"' | '.');
        (between.ends_with('.') && between.chars().all(is_part)).then_some(name)
    }

    /// Returns the name that holds a place, or ends there.
    pub(crate) fn at(&self, offset: usize) -> Option<&NameAt> {
        let next = self.all.partition_point(|name| name.range.start <= offset);
        self.all[..next].last().filter(|name| offset <= name.range.end)
    }
}

impl DocumentContext<'_> {
    /// Returns the names that mean nothing, or several things, of the statements that touch a range.
    #[must_use]
    pub fn wrong_names(&self, wanted: &Range<usize>) -> Vec<WrongName> {
        let mut found = Vec::new();
        for (placed, names) in self.document.stmts().iter().zip(self.all_names()) {
            if placed.touches(wanted) {
                found.extend(names.mistakes.iter().map(|mistake| WrongName {
                    range: placed.in_document(&mistake.range),
                    ..mistake.clone()
                }));
            }
        }
        found
    }
}

/// Returns a name with its schema: that of the search path if none is known.
pub(crate) fn qualified(name: &QualifiedName, catalog: &dyn Catalog) -> QualifiedName {
    let schema = name.schema.clone().or_else(|| catalog.search_path().first().cloned());
    QualifiedName { schema, name: name.name.clone() }
}

pub(crate) fn role(used: NameUse) -> NameRole {
    match used {
        NameUse::Definition => NameRole::Definition,
        NameUse::InsertTarget
        | NameUse::UpdateTarget
        | NameUse::DeleteTarget
        | NameUse::MergeTarget
        | NameUse::Alter
        | NameUse::Drop => NameRole::Write,
        _ => NameRole::Read,
    }
}
