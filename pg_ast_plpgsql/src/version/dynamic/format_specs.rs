//! The template of `format`, as `text_format` of PostgreSQL's `varlena.c` reads it.

use super::dynamic_sql::Quoting;

#[derive(Debug, PartialEq)]
pub(crate) enum FormatPiece<'a> {
    Text(&'a str),
    /// An argument: the first one after the template has the index 0.
    Arg {
        index: usize,
        quoting: Quoting,
    },
    /// `format` raises an error here.
    Wrong,
}

/// Counts the arguments.
#[derive(Debug, Default)]
pub(crate) struct FormatSpecs {
    /// The argument of a specifier without a position.
    next: usize,
}

impl FormatSpecs {
    /// Returns the pieces of a template.
    pub(crate) fn pieces<'t>(&mut self, template: &'t str) -> Vec<FormatPiece<'t>> {
        let mut pieces = Vec::new();
        let mut rest = template;
        while let Some((text, after)) = rest.split_once('%') {
            pieces.push(FormatPiece::Text(text));
            if let Some(after) = after.strip_prefix('%') {
                pieces.push(FormatPiece::Text("%"));
                rest = after;
                continue;
            }
            let Some((piece, after)) = self.specifier(after) else {
                pieces.push(FormatPiece::Wrong);
                return pieces;
            };
            pieces.push(piece);
            rest = after;
        }
        pieces.push(FormatPiece::Text(rest));
        pieces
    }

    /// Reads a specifier after its `%`, as `text_format_parse_format` does.
    fn specifier<'t>(&mut self, text: &'t str) -> Option<(FormatPiece<'t>, &'t str)> {
        let (number, mut rest) = digits(text)?;
        let mut position = None;
        let mut has_width = number.is_some();
        if let (Some(number), Some(after)) = (number, rest.strip_prefix('$')) {
            position = Some(number);
            has_width = false;
            rest = after;
        }
        // A width is followed by the type alone.
        if !has_width {
            rest = rest.trim_start_matches('-');
            if let Some(after) = rest.strip_prefix('*') {
                let (number, after) = digits(after)?;
                match (number, after.strip_prefix('$')) {
                    (Some(number @ 1..), Some(after)) => {
                        self.next = number;
                        rest = after;
                    }
                    (None, None) => {
                        self.next += 1;
                        rest = after;
                    }
                    _ => return None,
                }
            } else {
                rest = digits(rest)?.1;
            }
        }
        let quoting = match rest.bytes().next()? {
            b's' => Quoting::None,
            b'I' => Quoting::Ident,
            b'L' => Quoting::Literal,
            _ => return None,
        };
        let index = match position {
            Some(0) => return None,
            Some(position) => position - 1,
            None => self.next,
        };
        self.next = index + 1;
        Some((FormatPiece::Arg { index, quoting }, &rest[1..]))
    }
}

/// Reads a number, if there is one; `None` if it is out of the range of an `int`.
fn digits(text: &str) -> Option<(Option<usize>, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(length);
    if number.is_empty() {
        return Some((None, rest));
    }
    let number: i32 = number.parse().ok()?;
    Some((usize::try_from(number).ok(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(template: &str) -> Vec<(usize, Quoting)> {
        let pieces = FormatSpecs::default().pieces(template);
        let args = pieces.into_iter().filter_map(|piece| match piece {
            FormatPiece::Arg { index, quoting } => Some((index, quoting)),
            FormatPiece::Text(_) => None,
            FormatPiece::Wrong => Some((usize::MAX, Quoting::None)),
        });
        args.collect()
    }

    #[test]
    fn positions_and_widths() {
        let wrong = (usize::MAX, Quoting::None);
        assert_eq!(
            args("%s %I %L"),
            [(0, Quoting::None), (1, Quoting::Ident), (2, Quoting::Literal)]
        );
        assert_eq!(args("%% %s %%"), [(0, Quoting::None)]);
        assert_eq!(
            args("%2$s %s %1$L"),
            [(1, Quoting::None), (2, Quoting::None), (0, Quoting::Literal)]
        );
        assert_eq!(
            args("%10s|%-10s|%3$-5s"),
            [(0, Quoting::None), (1, Quoting::None), (2, Quoting::None)]
        );
        // The width is an argument as well.
        assert_eq!(args("%*s %-*s"), [(1, Quoting::None), (3, Quoting::None)]);
        assert_eq!(args("%2$*1$s %*3$s"), [(1, Quoting::None), (3, Quoting::None)]);
        for template in ["%", "%d", "%0$s", "%1$", "%*1s", "%1$10", "%99999999999s", "%-", "%*0$s"]
        {
            assert_eq!(args(template), [wrong], "{template}");
        }
    }
}
