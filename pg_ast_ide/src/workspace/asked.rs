//! What has been asked of a catalog, to tell whether another one would answer the same.

use core::cell::RefCell;
use std::collections::BTreeMap;

use pg_ast::QualifiedName;
use pg_ast_names::{
    Catalog, CatalogCast, CatalogOperator, CatalogType, ColumnType, Relation, Routine,
};

use crate::workspace::document::hash;

/// A question to a catalog.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    SearchPath,
    Relation(String, String),
    Routines(String, String),
    IsKnown(String),
    UserType(String, String),
    Operators(String, String),
    Cast(Box<[QualifiedName; 2]>, [bool; 2]),
    HasType(String, String),
    HasIndex(String, String),
    RelationNames(String),
}

impl Question {
    /// Returns a hash of the answer.
    fn answer(&self, catalog: &dyn Catalog) -> u64 {
        match self {
            Self::SearchPath => hash(catalog.search_path()),
            Self::Relation(schema, name) => hash(catalog.relation(schema, name)),
            Self::Routines(schema, name) => hash(catalog.routines(schema, name)),
            Self::IsKnown(schema) => hash(catalog.is_known(schema)),
            Self::UserType(schema, name) => hash(catalog.user_type(schema, name)),
            Self::Operators(schema, name) => hash(catalog.operators(schema, name)),
            Self::Cast(names, are_arrays) => {
                let [source, target] = [0, 1].map(|place| {
                    let of = ColumnType::new(names[place].clone());
                    if are_arrays[place] { ColumnType::array(of.name) } else { of }
                });
                hash(catalog.cast(&source, &target))
            }
            Self::HasType(schema, name) => hash(catalog.has_type(schema, name)),
            Self::HasIndex(schema, name) => hash(catalog.has_index(schema, name)),
            Self::RelationNames(schema) => hash(catalog.relation_names(schema).collect::<Vec<_>>()),
        }
    }
}

/// Questions with hashes of their answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers(BTreeMap<Question, u64>);

impl Answers {
    /// Returns whether a catalog gives the same answers.
    pub(crate) fn are_those_of(&self, catalog: &dyn Catalog) -> bool {
        self.0.iter().all(|(question, answer)| question.answer(catalog) == *answer)
    }
}

/// A catalog that notes what it is asked.
pub(crate) struct Asked<'a> {
    catalog: &'a dyn Catalog,
    answers: RefCell<Answers>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(catalog: &'a dyn Catalog) -> Self {
        Self { catalog, answers: RefCell::default() }
    }

    pub(crate) fn into_answers(self) -> Answers {
        self.answers.into_inner()
    }

    fn note(&self, question: Question) {
        let answers = &mut self.answers.borrow_mut().0;
        answers.entry(question).or_insert_with_key(|question| question.answer(self.catalog));
    }
}

impl Catalog for Asked<'_> {
    fn search_path(&self) -> &[String] {
        self.note(Question::SearchPath);
        self.catalog.search_path()
    }

    fn relation(&self, schema: &str, name: &str) -> Option<&Relation> {
        self.note(Question::Relation(schema.to_owned(), name.to_owned()));
        self.catalog.relation(schema, name)
    }

    fn routines(&self, schema: &str, name: &str) -> &[Routine] {
        self.note(Question::Routines(schema.to_owned(), name.to_owned()));
        self.catalog.routines(schema, name)
    }

    fn is_known(&self, schema: &str) -> bool {
        self.note(Question::IsKnown(schema.to_owned()));
        self.catalog.is_known(schema)
    }

    fn user_type(&self, schema: &str, name: &str) -> Option<&CatalogType> {
        self.note(Question::UserType(schema.to_owned(), name.to_owned()));
        self.catalog.user_type(schema, name)
    }

    fn operators(&self, schema: &str, name: &str) -> &[CatalogOperator] {
        self.note(Question::Operators(schema.to_owned(), name.to_owned()));
        self.catalog.operators(schema, name)
    }

    fn cast(&self, source: &ColumnType, target: &ColumnType) -> Option<&CatalogCast> {
        let names = Box::new([source.name.clone(), target.name.clone()]);
        self.note(Question::Cast(names, [source.is_array, target.is_array]));
        self.catalog.cast(source, target)
    }

    fn has_type(&self, schema: &str, name: &str) -> Option<bool> {
        self.note(Question::HasType(schema.to_owned(), name.to_owned()));
        self.catalog.has_type(schema, name)
    }

    fn has_index(&self, schema: &str, name: &str) -> Option<bool> {
        self.note(Question::HasIndex(schema.to_owned(), name.to_owned()));
        self.catalog.has_index(schema, name)
    }

    fn relation_names<'a>(&'a self, schema: &str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        self.note(Question::RelationNames(schema.to_owned()));
        self.catalog.relation_names(schema)
    }
}
