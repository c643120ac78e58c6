//! Views of what there are several of: structs of a list or an array, numbers, the conditions of a handler.

use core::ffi::c_int;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use super::super::super::plpgsql_views as views;
use super::Dno;
use super::body_views::{Element, OfArray, Shown};
use super::names::raw;
use super::sql_view::macros::field;
use super::sql_view::memory::arrays::ArrayInC;
use crate::convert::c_tree::in_c::InC;

/// A list or an array of structs, of statements, of names.
///
/// ```
/// use pg_ast::plpgsql::view;
///
/// let parsed = view::parse("DO $$ BEGIN COMMIT; ROLLBACK; END $$")?;
/// let function = parsed.functions().next().unwrap().function()?;
/// let body = function.action().body();
/// assert_eq!(body.len(), 2);
/// assert_eq!(body.get(1).map(|stmt| stmt.name()), Some("PLpgSQL_stmt_rollback"));
/// assert!(body.get(2).is_none());
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub struct Elements<'a, T: Element<'a>>(ArrayInC<'a, *mut T::Raw>);

impl<'a, T: Element<'a>> Clone for Elements<'a, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Element<'a>> Copy for Elements<'a, T> {}

impl<'a, T: Element<'a>> OfArray<'a, *mut T::Raw> for Elements<'a, T> {
    #[inline]
    fn of_array(array: ArrayInC<'a, *mut T::Raw>) -> Self {
        Self(array)
    }
}

impl<'a, T: Element<'a>> Elements<'a, T> {
    /// Returns the number of items.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no items.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the item at an index, counted from 0; `None` after the last one.
    #[inline]
    #[must_use]
    pub fn get(self, index: usize) -> Option<T> {
        self.0.get(index).map(|pointer| T::of(pointer).unwrap_or_else(T::empty))
    }

    /// Returns the first item.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<T> {
        self.get(0)
    }

    /// Returns the last item.
    #[inline]
    #[must_use]
    pub fn last(self) -> Option<T> {
        self.get(self.len().wrapping_sub(1))
    }

    /// Iterates over the items.
    #[inline]
    pub fn iter(self) -> ElementsIter<'a, T> {
        ElementsIter { items: self, rest: 0..self.len() }
    }
}

impl<'a, T: Element<'a>> IntoIterator for Elements<'a, T> {
    type Item = T;
    type IntoIter = ElementsIter<'a, T>;

    #[inline]
    fn into_iter(self) -> ElementsIter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Element<'a> + fmt::Debug> fmt::Debug for Elements<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An iterator over [`Elements`].
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ElementsIter<'a, T: Element<'a>> {
    items: Elements<'a, T>,
    rest: Range<usize>,
}

impl<'a, T: Element<'a>> Iterator for ElementsIter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.items.get(self.rest.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl<'a, T: Element<'a>> DoubleEndedIterator for ElementsIter<'a, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.items.get(self.rest.next_back()?)
    }
}

impl<'a, T: Element<'a>> ExactSizeIterator for ElementsIter<'a, T> {}

impl<'a, T: Element<'a>> FusedIterator for ElementsIter<'a, T> {}

/// The numbers of several variables.
#[derive(Clone, Copy)]
pub struct Dnos<'a>(ArrayInC<'a, c_int>);

impl<'a> OfArray<'a, c_int> for Dnos<'a> {
    #[inline]
    fn of_array(array: ArrayInC<'a, c_int>) -> Self {
        Self(array)
    }
}

impl<'a> Dnos<'a> {
    /// Returns how many there are.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Returns true if there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the number at an index, counted from 0; `None` after the last one.
    #[inline]
    #[must_use]
    pub fn get(self, index: usize) -> Option<Dno> {
        self.0.get(index).map(Dno::shown)
    }

    /// Iterates over the numbers.
    #[must_use]
    pub fn iter(
        self,
    ) -> impl ExactSizeIterator<Item = Dno> + DoubleEndedIterator + Clone + use<'a> {
        (0..self.len()).map(move |index| self.get(index).unwrap_or_default())
    }
}

impl fmt::Debug for Dnos<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The conditions of a handler: an iterator.
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Conditions<'a>(Option<views::Condition<'a>>);

impl<'a> Shown<'a, *mut raw::PLpgSQL_condition> for Conditions<'a> {
    #[inline]
    fn shown(field: InC<'a, *mut raw::PLpgSQL_condition>) -> Self {
        Self(Option::shown(field))
    }
}

impl<'a> Iterator for Conditions<'a> {
    type Item = views::Condition<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let condition = self.0?;
        let raw = condition.0;
        self.0 = Option::shown(field!(raw.next));
        Some(condition)
    }
}

impl FusedIterator for Conditions<'_> {}
