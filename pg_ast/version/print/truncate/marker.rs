//! The placeholders for the parts of a text while it is printed.

use std::ops::Range;

/// The start of every marker.
const PREFIX: &str = "pg_ast";

/// The end of every marker, so that none is a prefix of another.
const END: char = '_';

/// A word that does not occur in a text. Followed by a number, it is the name of a part.
///
/// It is an identifier that the deparser prints as it is, without quotes.
pub(crate) struct Marker(String);

impl Marker {
    /// Returns the first of `pg_ast0_`, `pg_ast1_`, .. that is not in the text. One pass over the text finds
    /// those that are: `n` of them cannot use up `n + 1` numbers.
    pub(crate) fn absent_from(text: &str) -> Self {
        let numbers: Vec<usize> = text
            .match_indices(PREFIX)
            .filter_map(|(found, _)| {
                let rest = &text[found + PREFIX.len()..];
                let (number, rest) = rest.split_at(digits(rest));
                rest.starts_with(END).then(|| number.parse().ok())?
            })
            .collect();
        let mut taken = vec![false; numbers.len()];
        for number in numbers {
            if let Some(taken) = taken.get_mut(number) {
                *taken = true;
            }
        }
        let number = taken.iter().position(|taken| !taken).unwrap_or(taken.len());
        Self(format!("{PREFIX}{number}{END}"))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Returns the name of a part.
    pub(crate) fn name(&self, part: usize) -> String {
        format!("{}{part}", self.0)
    }

    /// Finds the names in a text: for each its part and its range. There is no part if it is the
    /// marker alone.
    pub(crate) fn find<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (Option<usize>, Range<usize>)> + 'a {
        text.match_indices(&self.0).map(|(start, marker)| {
            let number = start + marker.len();
            let end = number + digits(&text[number..]);
            (text[number..end].parse().ok(), start..end)
        })
    }
}

/// Returns how many digits a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
