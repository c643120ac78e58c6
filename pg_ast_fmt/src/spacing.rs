//! Where blanks stand between tokens on a line.

use crate::rules::TokenRole;

/// Where a token is directly.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Other,
    /// Where a parenthesis follows a name without a blank.
    Call,
    /// Before an expression: `-1`.
    Prefix,
    /// In `[1:2]`.
    Slice,
    /// In `t.c%TYPE`.
    Type,
}

/// A token beside a gap.
#[derive(Clone, Copy)]
pub(crate) struct Neighbor<'t> {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) text: &'t str,
    pub(crate) role: TokenRole,
    pub(crate) place: Place,
}

/// Returns whether there is a blank between two tokens. Two that would be another one together have one. `None` if it is up to
/// what was there.
pub(crate) fn needs_blank(last: &Neighbor<'_>, next: &Neighbor<'_>, is_deep: bool) -> Option<bool> {
    use TokenRole as Role;

    if is_deep {
        return None;
    }
    let wants = match (last.role, next.role) {
        (Role::Open | Role::OpenBracket, _) | (_, Role::Close | Role::CloseBracket) => false,
        // psql reads `:b` in `a[1:b]` as a variable.
        (Role::Colon, _) if last.place == Place::Slice => return None,
        (_, Role::Colon) if next.place == Place::Slice => return None,
        (_, Role::Comma | Role::Semicolon | Role::Dot | Role::Typecast | Role::Colon)
        | (Role::Dot | Role::Typecast, _) => false,
        (Role::Comma, _) => true,
        (_, Role::Percent) if next.place == Place::Type => false,
        (Role::Percent, _) if last.place == Place::Type => false,
        (Role::Sign, _) if last.place == Place::Prefix => false,
        (Role::Operator, _) if last.place == Place::Prefix => return None,
        (_, Role::Open) => next.place != Place::Call || last.text.eq_ignore_ascii_case("as"),
        (last, Role::OpenBracket) => last.is_operator(),
        _ => true,
    };
    Some(wants || !may_touch(last, next))
}

fn may_touch(last: &Neighbor<'_>, next: &Neighbor<'_>) -> bool {
    if last.end == next.start {
        return true;
    }
    let (Some(a), Some(b)) = (last.text.bytes().next_back(), next.text.bytes().next()) else {
        return true;
    };
    let is_word = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'"' | b'\'') || byte >= 0x80
    };
    let is_sign = |byte: u8| b"+-*/<>=~!@#%^&|`?:".contains(&byte);
    let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let after_number = last.text.starts_with(is_number_start);
    !((is_word(a) && is_word(b))
        || (is_sign(a) && is_sign(b))
        || (after_number && is_number(a) && is_number(b)))
}

fn is_number_start(first: char) -> bool {
    first.is_ascii_digit() || first == '.'
}
