//! What ours relies on in PostgreSQL's scanner, as text: the patterns are only in the automaton that flex made of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::scanner::{COLUMNS, Scanner, divided};

/// Returns the classes of characters: those that no state distinguishes, a line for each class.
pub(super) fn characters(scanner: &str) -> Option<String> {
    let scanner = read(scanner)?;
    let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (byte, class) in classes_of(&scanner).into_iter().enumerate() {
        classes.entry(class).or_default().push(byte);
    }
    Some(classes.values().fold(String::new(), |text, bytes| text + &shown(bytes) + "\n"))
}

/// Returns the automaton: for each state its rule, and the state after each class of characters. States and rules have
/// numbers in the order in which they are met, not flex's.
pub(super) fn automaton(scanner: &str) -> Option<String> {
    let scanner = read(scanner)?;
    let classes = classes_of(&scanner);
    // A byte of each class.
    let firsts: Vec<_> = (0..=*classes.iter().max()?)
        .filter_map(|class| classes.iter().position(|&of_byte| of_byte == class))
        .collect();
    let (mut states, mut order) = (BTreeMap::new(), Vec::new());
    let mut rules = BTreeMap::new();
    let mut number = |state: usize, order: &mut Vec<usize>| {
        let next = states.len();
        *states.entry(state).or_insert_with(|| {
            order.push(state);
            next
        })
    };
    for start in &scanner.starts {
        number(*start, &mut order);
    }
    let (mut text, mut at) = (String::new(), 0);
    while let Some(&state) = order.get(at) {
        let next = rules.len();
        write!(text, "{at} rule {}", rules.entry(scanner.rule(state)?).or_insert(next)).ok()?;
        for (class, byte) in firsts.iter().enumerate() {
            if let Some(next) = scanner.next(state, *byte) {
                write!(text, " {class}:{}", number(next, &mut order)).ok()?;
            }
        }
        text.push('\n');
        at += 1;
    }
    Some(text)
}

fn read(scanner: &str) -> Option<Scanner> {
    Scanner::read(divided(scanner)?.1)
}

/// Returns the class of each byte, numbered in their order.
fn classes_of(scanner: &Scanner) -> Vec<usize> {
    let states = scanner.states();
    let mut classes = BTreeMap::new();
    let column = |byte| states.iter().map(|state| scanner.next(*state, byte)).collect::<Vec<_>>();
    let class = |byte| {
        let next = classes.len();
        *classes.entry(column(byte)).or_insert(next)
    };
    (0..COLUMNS).map(class).collect()
}

/// Writes bytes, with `a-z` for those in a row.
fn shown(bytes: &[usize]) -> String {
    let one = |byte: usize| match u8::try_from(byte) {
        Ok(byte) if byte.is_ascii_graphic() => char::from(byte).to_string(),
        _ => format!("{byte:#04x}"),
    };
    let (mut ranges, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let mut end = at;
        while bytes.get(end + 1) == Some(&(bytes[end] + 1)) {
            end += 1;
        }
        ranges.push(match end - at {
            0 => one(bytes[at]),
            _ => format!("{}-{}", one(bytes[at]), one(bytes[end])),
        });
        at = end + 1;
    }
    ranges.join(" ")
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn bytes_in_a_row_are_a_range() {
        assert_eq!(shown(&[9, 65, 66, 67, 128, 256]), "0x09 A-C 0x80 0x100");
    }
}
