//! Encodes views as Protobuf, in the bytes that prost writes for the owned tree.
//!
//! Everything is written from the end to the start ([`Reversed`]), in one pass and without recursion.

use super::fields::{FieldValue, Values, items, of_constant, values};
use super::names::raw;
use super::names::views::ENUMERATIONS;
use super::{ListIter, Node, Tree};
use crate::convert::c_tree::table::{Field, Kind};
use crate::foundation::reversed::Reversed;

/// The numbers of the fields of a `ParseResult`, and of those of the types of lists.
const VERSION: u32 = 1;
const STMTS: u32 = 2;
const ITEMS: u32 = 1;

/// The work that remains.
enum ToEncode<'a> {
    /// The fields of a message, without those that have been written: the last ones.
    Fields(Values<'a>),
    /// The items of the field with that number, as the fields.
    Items(ListIter<'a>, u32),
    /// The bytes before a message.
    Start(Start),
}

/// The bytes before a message, which ends where `end` bytes had been written.
struct Start {
    end: usize,
    /// The number of the field that the message is in; 0 for a message that is not in a field.
    number: u32,
    /// The number of its type, for a message in a `Node`; 0 for others.
    variant: u32,
}

#[derive(Default)]
struct Encoder<'a> {
    reversed: Reversed,
    steps: Vec<ToEncode<'a>>,
}

impl<'a> Encoder<'a> {
    /// Writes a field that is a number. As everywhere in proto3, a default value is left out.
    fn number(&mut self, field: &Field, bits: u64) {
        let bits = match field.kind {
            Kind::F64 => {
                return self.reversed.double_field(u32::from(field.number), f64::from_bits(bits));
            }
            Kind::Enumeration(index) => {
                let number = (ENUMERATIONS[usize::from(index)].number)(
                    u32::try_from(bits).unwrap_or_default(),
                );
                i64::from(number).cast_unsigned()
            }
            _ => bits,
        };
        self.reversed.varint_field(u32::from(field.number), bits);
    }

    /// Schedules a node: in a `Node`, or as a message of its own type.
    fn node(&mut self, node: Node<'a>, number: u32, in_node: bool) {
        let variant = node.variant().filter(|_| in_node).map_or(0, |(variant, _)| variant);
        self.steps.push(ToEncode::Start(Start { end: self.reversed.len(), number, variant }));
        self.steps.push(match items(node) {
            Some(list) => ToEncode::Items(list.iter(), ITEMS),
            None => ToEncode::Fields(values(node)),
        });
    }

    /// Writes fields, the last first, up to one that has nodes: these come before the rest.
    fn fields(&mut self, mut rest: Values<'a>) {
        while let Some((field, value)) = rest.next_back() {
            match value {
                FieldValue::Nothing | FieldValue::Node(Node::Null) => {}
                FieldValue::Number(bits) => self.number(field, bits),
                FieldValue::Text(text) => self.reversed.text_field(u32::from(field.number), text),
                FieldValue::Set(set) => {
                    let members: Vec<_> = set.iter().collect();
                    if !members.is_empty() {
                        let end = self.reversed.len();
                        members.into_iter().rev().for_each(|member| self.reversed.varint(member));
                        self.reversed.length(end, u32::from(field.number));
                    }
                }
                FieldValue::List(list) => {
                    if !list.is_empty() {
                        self.steps.push(ToEncode::Fields(rest));
                        return self
                            .steps
                            .push(ToEncode::Items(list.iter(), u32::from(field.number)));
                    }
                }
                FieldValue::Node(node) => {
                    let (number, in_node) = match field.kind {
                        Kind::Constant => match of_constant(node) {
                            Some((number, _)) => (number, false),
                            None => continue,
                        },
                        kind => (u32::from(field.number), matches!(kind, Kind::Node)),
                    };
                    self.steps.push(ToEncode::Fields(rest));
                    return self.node(node, number, in_node);
                }
            }
        }
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                ToEncode::Fields(rest) => self.fields(rest),
                ToEncode::Items(mut rest, number) => {
                    if let Some(item) = rest.next_back() {
                        self.steps.push(ToEncode::Items(rest, number));
                        self.node(item, number, true);
                    }
                }
                ToEncode::Start(Start { end, number, variant }) => {
                    if variant != 0 {
                        self.reversed.length(end, variant);
                    }
                    if number != 0 {
                        self.reversed.length(end, number);
                    }
                }
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        self.reversed.finish()
    }
}

impl Node<'_> {
    /// Encodes the node as Protobuf: as the message `Node` of libpg_query's schema, like the owned node.
    ///
    /// ```
    /// use pg_ast::prost::Message;
    /// use pg_ast::{protobuf, view};
    ///
    /// let tree = view::parse("SELECT a FROM t WHERE b = $1")?;
    /// for node in tree.nodes() {
    ///     let bytes = node.encode_to_vec();
    ///     assert_eq!(protobuf::Node::decode(&*bytes)?, node.to_owned_tree()?);
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
    /// Encodes the tree as Protobuf, to the same bytes as the owned tree.
    ///
    /// This takes time linear in the number of bytes, and no stack, however deep the tree is.
    ///
    /// ```
    /// let sql = "SELECT a FROM t WHERE b = $1";
    /// let bytes = pg_ast::view::parse(sql)?.encode_to_vec();
    /// assert_eq!(bytes, pg_ast::parse(sql)?.encode_to_vec());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn encode_to_vec(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        for stmt in self.stmts().rev() {
            encoder.node(stmt.into(), STMTS, false);
            encoder.run();
        }
        encoder.reversed.varint_field(VERSION, raw::PG_VERSION_NUM.into());
        encoder.finish()
    }
}
