//! Protobuf, as prost writes it of the owned tree.
//!
//! Before each message stands its length. So all is written from the end to the start: when it is a
//! length's turn, the message is there already. That takes one pass, and no recursion.

use super::super::raw;
use super::fields::{Value, Values, items, of_constant, values};
use super::{ListIter, Node, Tree};
use crate::runtime::c_tree::table::{Field, Kind};

/// The numbers of the fields of a `ParseResult`, and of those of the types of lists.
const VERSION: u32 = 1;
const STMTS: u32 = 2;
const ITEMS: u32 = 1;

/// How the value of a field is written (Protobuf's "wire types").
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const WITH_LENGTH: u32 = 2;

/// What is still to be written.
enum Step<'a> {
    /// The fields of a message, without those that have been written: the last ones.
    Fields(Values<'a>),
    /// The items of the field with that number, as the fields.
    Items(ListIter<'a>, u32),
    /// What stands before a message.
    Start(Start),
}

/// What stands before a message, in front of whose last byte there were `end` bytes already.
struct Start {
    end: usize,
    /// The number of the field that the message is in; 0 for what is no field.
    number: u32,
    /// Of a message in a `Node`: the number of its type. 0 for others.
    variant: u32,
}

#[derive(Default)]
struct Encoder<'a> {
    /// The last byte first.
    reversed: Vec<u8>,
    steps: Vec<Step<'a>>,
}

impl<'a> Encoder<'a> {
    fn varint(&mut self, mut number: u64) {
        let start = self.reversed.len();
        // Seven bits a byte, the lowest first; the eighth says that there are more.
        while number >= 0x80 {
            self.reversed.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.reversed.push(number.to_le_bytes()[0]);
        self.reversed[start..].reverse();
    }

    fn key(&mut self, number: u32, wire_type: u32) {
        self.varint(u64::from(number << 3 | wire_type));
    }

    /// What stands before the bytes that were written since there were `end`.
    fn length(&mut self, end: usize, number: u32) {
        // A usize has 64 bits at most.
        self.varint((self.reversed.len() - end) as u64);
        self.key(number, WITH_LENGTH);
    }

    /// A field that is a number. As everywhere in proto3, what has its default value is left out.
    fn number(&mut self, field: &Field, bits: u64) {
        let bits = match field.kind {
            Kind::F64 => {
                if f64::from_bits(bits) != 0.0 {
                    self.reversed.extend(bits.to_be_bytes());
                    self.key(field.number, EIGHT_BYTES);
                }
                return;
            }
            Kind::Enumeration(enumeration) => {
                let number = (enumeration.number)(u32::try_from(bits).unwrap_or_default());
                i64::from(number).cast_unsigned()
            }
            _ => bits,
        };
        self.varint_field(field.number, bits);
    }

    fn varint_field(&mut self, number: u32, bits: u64) {
        if bits != 0 {
            self.varint(bits);
            self.key(number, VARINT);
        }
    }

    /// Has a node written next: in a `Node`, or as a message of its own type.
    fn node(&mut self, node: Node<'a>, number: u32, in_node: bool) {
        let variant = node.variant().filter(|_| in_node).map_or(0, |(variant, _)| variant);
        self.steps.push(Step::Start(Start { end: self.reversed.len(), number, variant }));
        self.steps.push(match items(node) {
            Some(list) => Step::Items(list.iter(), ITEMS),
            None => Step::Fields(values(node)),
        });
    }

    /// Fields up to the first one, from behind, that has nodes: these come before the rest.
    fn fields(&mut self, mut rest: Values<'a>) {
        while let Some((field, value)) = rest.next_back() {
            match value {
                Value::Nothing | Value::Node(Node::Null) => {}
                Value::Number(bits) => self.number(field, bits),
                Value::Text(text) => {
                    if !text.is_empty() {
                        let end = self.reversed.len();
                        self.reversed.extend(text.bytes().rev());
                        self.length(end, field.number);
                    }
                }
                Value::Set(set) => {
                    let members: Vec<_> = set.iter().collect();
                    if !members.is_empty() {
                        let end = self.reversed.len();
                        members.into_iter().rev().for_each(|member| self.varint(member));
                        self.length(end, field.number);
                    }
                }
                Value::List(list) => {
                    if !list.is_empty() {
                        self.steps.push(Step::Fields(rest));
                        return self.steps.push(Step::Items(list.iter(), field.number));
                    }
                }
                Value::Node(node) => {
                    let (number, in_node) = match field.kind {
                        Kind::Constant => match of_constant(node) {
                            Some((number, _)) => (number, false),
                            None => continue,
                        },
                        kind => (field.number, matches!(kind, Kind::Node)),
                    };
                    self.steps.push(Step::Fields(rest));
                    return self.node(node, number, in_node);
                }
            }
        }
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Fields(rest) => self.fields(rest),
                Step::Items(mut rest, number) => {
                    if let Some(item) = rest.next_back() {
                        self.steps.push(Step::Items(rest, number));
                        self.node(item, number, true);
                    }
                }
                Step::Start(Start { end, number, variant }) => {
                    if variant != 0 {
                        self.length(end, variant);
                    }
                    if number != 0 {
                        self.length(end, number);
                    }
                }
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.reversed.reverse();
        self.reversed
    }
}

impl Node<'_> {
    /// Encodes the node in Protobuf: as the message `Node` of libpg_query's schema, like the owned node.
    ///
    /// ```
    /// use pg_ast::prost::Message;
    /// use pg_ast::{protobuf, view};
    ///
    /// let tree = view::parse("SELECT a FROM t WHERE b = $1")?;
    /// for (node, _) in tree.nodes() {
    ///     let bytes = node.encode_to_vec();
    ///     assert_eq!(protobuf::Node::decode(&*bytes)?, node.to_owned()?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encode_to_vec(self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder.node(self, 0, true);
        encoder.run();
        encoder.finish()
    }
}

impl Tree {
    /// Encodes the tree in Protobuf, to the same bytes as the owned tree.
    ///
    /// Its time is linear in the number of bytes. It takes no stack, however deep the tree is.
    ///
    /// ```
    /// use pg_ast::prost::Message;
    ///
    /// let sql = "SELECT a FROM t WHERE b = $1";
    /// let bytes = pg_ast::view::parse(sql)?.encode_to_vec();
    /// assert_eq!(bytes, pg_ast::parse(sql)?.protobuf.encode_to_vec());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn encode_to_vec(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        for stmt in self.stmts().rev() {
            encoder.node(stmt.into(), STMTS, false);
            encoder.run();
        }
        encoder.varint_field(VERSION, raw::PG_VERSION_NUM.into());
        encoder.finish()
    }
}
