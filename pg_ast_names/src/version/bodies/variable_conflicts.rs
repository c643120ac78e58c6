//! Names that can be those of variables of PL/pgSQL: as its `plpgsql_pre_column_ref` and `plpgsql_post_column_ref` decide.

use super::lookup::name_lookup::is_certain;
use super::pg::view::{ColumnRef, Node};
use super::resolver::{NameResolver, offset};
use crate::name_mistakes::MistakeKind;
use crate::resolution::ColumnMeaning;

/// What a name means that a column and a variable have: `#variable_conflict`.
#[cfg_attr(not(feature = "plpgsql"), expect(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableConflict {
    Error,
    Variable,
    Column,
}

/// The variables that a name can mean at a place of a function.
pub(crate) trait BodyVariables {
    /// Returns the name of the variable that a column reference means.
    fn find(&self, parts: &[&str], is_star: bool) -> Option<String>;

    /// Notes that a name at a place is that of a variable.
    fn note(&self, parts: &[&str], is_star: bool, location: Option<usize>);

    fn conflict(&self) -> VariableConflict;
}

impl<'a> NameResolver<'a> {
    /// Resolves a column reference by `resolve`, unless it means a variable.
    pub(crate) fn or_variable(
        &mut self,
        column: ColumnRef<'a>,
        resolve: impl FnOnce(&mut Self) -> ColumnMeaning,
    ) -> ColumnMeaning {
        let Some(body) = self.body else { return resolve(self) };
        let mut parts: Vec<&str> = column.names().collect();
        if column.is_star() {
            parts.pop();
        }
        let Some(name) = body.find(&parts, column.is_star()) else { return resolve(self) };
        let conflict = body.conflict();
        let mark = self.mark();
        let meaning = match conflict {
            VariableConflict::Variable => None,
            VariableConflict::Error | VariableConflict::Column => Some(resolve(self)),
        };
        let is_column = match &meaning {
            // Its own mistakes are that no source has it, and that several have.
            Some(ColumnMeaning::Unknown) => self.is_ambiguous_since(mark),
            Some(meaning) => is_certain(self, meaning) || conflict == VariableConflict::Column,
            None => false,
        };
        match meaning {
            Some(meaning) if is_column => {
                if conflict == VariableConflict::Error && meaning != ColumnMeaning::Unknown {
                    let star = if column.is_star() { ".*" } else { "" };
                    let name = format!("{}{star}", parts.join("."));
                    self.ambiguous_with_variable(column.into(), column.location(), &name);
                }
                meaning
            }
            // Of a table that nobody knows, it is no column: the function would not work.
            _ => {
                self.forget_mistakes_since(mark);
                body.note(&parts, column.is_star(), offset(column.location()));
                ColumnMeaning::Variable(name)
            }
        }
    }

    /// Adds the mistake that a name is also that of a variable.
    fn ambiguous_with_variable(&mut self, node: Node<'a>, location: i32, name: &str) {
        let message = format!("column reference \"{name}\" is ambiguous");
        self.mistake(node, location, 0, MistakeKind::AmbiguousColumn, message, None);
    }

    /// Adds the mistake that a column which `ON CONFLICT` names is also a variable: it is an expression there.
    pub(crate) fn check_conflict_column(&mut self, node: Node<'a>, name: &str) {
        if let Some(body) = self.body
            && body.conflict() == VariableConflict::Error
            && body.find(&[name], false).is_some()
        {
            self.ambiguous_with_variable(node, -1, name);
        }
    }
}
