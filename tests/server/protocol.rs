//! The messages of PostgreSQL's protocol, as far as the tests need them.

use std::collections::BTreeMap;
use std::io::Read;

/// The fields of an error or a notice, by the letters of the protocol.
#[derive(Debug, Clone, Default)]
pub struct Fields(BTreeMap<u8, String>);

impl Fields {
    pub fn get(&self, letter: u8) -> &str {
        self.0.get(&letter).map_or("", String::as_str)
    }

    pub fn number(&self, letter: u8) -> Option<usize> {
        self.get(letter).parse().ok()
    }
}

/// What a server says of a prepared statement, by numbers.
#[derive(Debug, Default)]
pub struct Description {
    /// The types of its parameters.
    pub parameters: Vec<u32>,
    /// The columns of its rows; `None` if it returns none.
    pub columns: Option<Vec<DescribedColumn>>,
}

/// A column that a prepared statement returns, by numbers.
#[derive(Debug)]
pub struct DescribedColumn {
    pub name: String,
    /// The table that it comes from, or 0.
    pub table: u32,
    /// The number of its column in that table.
    pub attribute: i16,
    pub type_oid: u32,
    pub modifier: i32,
}

pub fn message(sent: &mut Vec<u8>, tag: Option<u8>, body: &[u8]) {
    sent.extend(tag);
    let length = u32::try_from(body.len() + 4).expect("a short text");
    sent.extend(length.to_be_bytes());
    sent.extend(body);
}

pub fn read_message(from: &mut impl Read) -> std::io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    from.read_exact(&mut head)?;
    let [tag, length @ ..] = head;
    let mut body = vec![0; u32::from_be_bytes(length).saturating_sub(4) as usize];
    from.read_exact(&mut body)?;
    Ok((tag, body))
}

/// The rest of a message.
struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Takes a number of so many bytes.
    fn number(&mut self, size: usize) -> u32 {
        self.take(size).iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
    }

    /// Takes a text that ends with a zero.
    fn text(&mut self) -> String {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(self.0.len());
        let text = String::from_utf8_lossy(self.take(length)).into_owned();
        self.take(1);
        text
    }
}

/// Returns the values of a row.
pub fn row(body: &[u8]) -> Vec<String> {
    let mut body = Body(body);
    let count = body.number(2);
    let mut values = Vec::new();
    for _ in 0..count {
        // A NULL has the length -1.
        let length = match body.number(4) {
            u32::MAX => 0,
            length => length as usize,
        };
        values.push(String::from_utf8_lossy(body.take(length)).into_owned());
    }
    values
}

/// Returns the types of a `ParameterDescription`.
pub fn parameter_types(body: &[u8]) -> Vec<u32> {
    let numbers = body.get(2..).unwrap_or_default().chunks_exact(4);
    numbers.map(|number| Body(number).number(4)).collect()
}

/// Returns the columns of a `RowDescription`.
pub fn described_columns(body: &[u8]) -> Vec<DescribedColumn> {
    let mut body = Body(body);
    let count = body.number(2);
    let column = |_| {
        let name = body.text();
        let table = body.number(4);
        let attribute = u16::try_from(body.number(2)).unwrap_or_default();
        let type_oid = body.number(4);
        let _size = body.number(2);
        let modifier = body.number(4).cast_signed();
        let _format = body.number(2);
        DescribedColumn { name, table, attribute: attribute.cast_signed(), type_oid, modifier }
    };
    (0..count).map(column).collect()
}

pub fn fields(body: &[u8]) -> Fields {
    let parts = body.split(|byte| *byte == 0).filter_map(|part| part.split_first());
    Fields(parts.map(|(tag, text)| (*tag, String::from_utf8_lossy(text).into_owned())).collect())
}
