//! What an unfinished body in PL/pgSQL is before a place: the blocks and loops that are open there, and the statement that is
//! being typed. Only tokens are looked at, so that statements elsewhere may be wrong.

use core::ops::Range;

/// A block, a loop or another statement that has not ended.
struct Opener {
    /// What ends it.
    close: &'static str,
    /// What opens it, in the body, if that declares names.
    opens: Range<usize>,
    /// Whether its handlers have begun.
    in_handler: bool,
}

/// A token of a body.
pub(crate) struct BodyWord<'a> {
    /// As it was written.
    pub(crate) text: &'a str,
    pub(crate) range: Range<usize>,
}

impl BodyWord<'_> {
    pub(crate) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    fn is_word(&self) -> bool {
        self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"'))
    }
}

/// A body before a place.
#[derive(Default)]
pub(crate) struct Outline {
    open: Vec<Opener>,
    /// Where the `DECLARE` section begins that the place is in.
    pub(crate) declare: Option<usize>,
    /// The index of the first token of the statement that is being typed.
    pub(crate) first: usize,
    /// Where the statement begins, or the place, if it has not begun.
    start: usize,
}

impl Outline {
    /// Follows the tokens before a place.
    pub(crate) fn new(tokens: &[BodyWord<'_>], at: usize) -> Self {
        let mut outline = Self { start: at, ..Self::default() };
        // What is being typed is no keyword yet.
        let before = tokens.partition_point(|token| {
            token.range.end < at || token.range.end == at && !token.is_word()
        });
        let tokens = &tokens[..before];
        let (mut depth, mut cases, mut label) = (0_usize, 0_usize, None);
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let first = &tokens[outline.first];
            let begins = index == outline.first;
            let mut next = || outline.first = index + 1;
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                ";" => {
                    next();
                    (depth, cases, label) = (0, 0, None);
                    if first.is("END") {
                        outline.open.pop();
                    }
                }
                _ if depth > 0 => {}
                "<<" if begins && tokens.get(index + 2).is_some_and(|it| it.text == ">>") => {
                    label = Some(token.range.start);
                    index += 2;
                    outline.first = index + 1;
                }
                _ if begins && token.is("DECLARE") => {
                    next();
                    outline.declare = Some(label.take().unwrap_or(token.range.start));
                }
                _ if begins && token.is("BEGIN") => {
                    next();
                    let start = outline.declare.take().or(label.take());
                    outline.push("END;", start.unwrap_or(token.range.start)..token.range.end);
                }
                _ if begins && token.is("LOOP") => {
                    next();
                    outline.push("END LOOP;", 0..0);
                }
                _ if begins && token.is("ELSE") => next(),
                _ if begins && token.is("EXCEPTION") => {
                    next();
                    if let Some(block) = outline.open.last_mut() {
                        block.in_handler = true;
                    }
                }
                _ if begins || first.is("END") => {}
                _ if token.is("CASE") => cases += 1,
                _ if token.is("END") => cases = cases.saturating_sub(1),
                _ if cases > 0 => {}
                _ if token.is("THEN") => {
                    let close = match first {
                        _ if first.is("IF") => Some("END IF;"),
                        _ if first.is("CASE") => Some("END CASE;"),
                        _ => None,
                    };
                    // Those of MERGE are no statements.
                    if close.is_some() || ["ELSIF", "ELSEIF", "WHEN"].iter().any(|it| first.is(it))
                    {
                        next();
                        if let Some(close) = close {
                            outline.push(close, 0..0);
                        }
                    }
                }
                _ if token.is("LOOP") => {
                    let start = label.take().unwrap_or(first.range.start);
                    let declares = if first.is("FOR") { start..token.range.end } else { 0..0 };
                    next();
                    outline.push("END LOOP;", declares);
                }
                _ => {}
            }
            index += 1;
        }
        if let Some(first) = tokens.get(outline.first) {
            outline.start = first.range.start;
        }
        outline
    }

    fn push(&mut self, close: &'static str, opens: Range<usize>) {
        self.open.push(Opener { close, opens, in_handler: false });
    }

    /// Returns whether the place is in the handlers of a block.
    pub(crate) fn in_handler(&self) -> bool {
        self.open.iter().any(|opener| opener.in_handler)
    }

    /// Returns whether statements can be at the place.
    pub(crate) fn is_in_block(&self) -> bool {
        !self.open.is_empty() && self.declare.is_none()
    }

    /// Returns a body that declares what is visible at the place, and does nothing.
    pub(crate) fn declarations(&self, body: &str) -> String {
        let mut text = String::new();
        let mut closes = Vec::new();
        for opener in self.open.iter().filter(|opener| !opener.opens.is_empty()) {
            text += body.get(opener.opens.clone()).unwrap_or_default();
            text.push('\n');
            closes.push(opener.close);
        }
        if let Some(start) = self.declare {
            text += body.get(start..self.start).unwrap_or_default();
        }
        if self.declare.is_some() || closes.is_empty() {
            text += " BEGIN END;";
        }
        for close in closes.iter().rev() {
            text.push('\n');
            text += close;
        }
        text
    }
}
