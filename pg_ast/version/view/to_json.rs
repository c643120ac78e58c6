//! Writes views as JSON, like the module `json` for the owned tree. The table of
//! the structs says which field is written how.

use super::fields::{FieldValue, Values, of_constant, values};
use super::names::raw;
use super::names::views::ENUMERATIONS;
use super::{ListIter, Node, Tree};
use crate::convert::c_tree::table::{Field, Kind};
use crate::formats::json::append;

/// The work that remains.
enum ToWrite<'a> {
    /// The fields of an object.
    Fields(Values<'a>),
    /// The items of an array.
    Items(ListIter<'a>),
    /// The end of the surrounding object or array.
    End(&'static str),
}

#[derive(Default)]
struct Writer<'a> {
    json: Vec<u8>,
    steps: Vec<ToWrite<'a>>,
}

impl<'a> Writer<'a> {
    fn text(&mut self, text: &str) {
        self.json.extend_from_slice(text.as_bytes());
    }

    /// Writes the comma before a value that is not the first one in its object or array.
    fn comma(&mut self) {
        if !matches!(self.json.last(), Some(b'{' | b'[')) {
            self.json.push(b',');
        }
    }

    /// The name of a field; none has a character that needs an escape.
    fn name(&mut self, name: &str) {
        self.comma();
        self.json.push(b'"');
        self.text(name);
        self.text("\":");
    }

    fn number(&mut self, field: &Field, bits: u64) {
        // Both zeroes are the default value.
        let is_default = match field.kind {
            Kind::F64 => f64::from_bits(bits) == 0.0,
            _ => bits == 0,
        };
        if is_default && !field.in_json {
            return;
        }
        self.name(field.name.as_str());
        let json = &mut self.json;
        match field.kind {
            Kind::Bool => append(json, &(bits != 0)),
            Kind::F64 => append(json, &f64::from_bits(bits)),
            Kind::U32 | Kind::U64 => append(json, &bits),
            Kind::Enumeration(index) => {
                let enumeration = &ENUMERATIONS[usize::from(index)];
                append(json, enumeration.name(u32::try_from(bits).unwrap_or_default()));
            }
            _ => append(json, &bits.cast_signed()),
        }
    }

    /// Begins a node: in an object that says its type, or by itself.
    fn node(&mut self, node: Node<'a>, in_node: bool) {
        let mut end = "}";
        if in_node {
            let Some((_, name)) = node.variant() else { return self.text("{}") };
            self.text("{");
            self.name(name);
            end = "}}";
        }
        match node {
            Node::List(list) => {
                self.text("{\"items\":[");
                self.steps.push(ToWrite::End("]}}"));
                self.steps.push(ToWrite::Items(list.iter()));
            }
            Node::IntList(list) | Node::OidList(list) => {
                let numbers = list.iter().filter_map(|item| match item {
                    Node::Integer(number) => Some(number.ival()),
                    _ => None,
                });
                self.text("{\"items\":[");
                for number in numbers {
                    self.comma();
                    match node {
                        Node::OidList(_) => append(&mut self.json, &number.cast_unsigned()),
                        _ => append(&mut self.json, &number),
                    }
                }
                self.text("]}}");
            }
            _ => {
                self.text("{");
                self.steps.push(ToWrite::End(end));
                self.steps.push(ToWrite::Fields(values(node)));
            }
        }
    }

    /// Writes fields up to the first one that has nodes: these come before the rest.
    fn fields(&mut self, mut rest: Values<'a>) {
        while let Some((field, value)) = rest.next() {
            match value {
                FieldValue::Nothing | FieldValue::Node(Node::Null) => {}
                FieldValue::Number(bits) => self.number(field, bits),
                FieldValue::Text(text) => {
                    if field.in_json || !text.is_empty() {
                        self.name(field.name.as_str());
                        append(&mut self.json, text);
                    }
                }
                FieldValue::Set(set) => {
                    let members: Vec<_> = set.iter().collect();
                    if !members.is_empty() {
                        self.name(field.name.as_str());
                        append(&mut self.json, &members);
                    }
                }
                FieldValue::List(list) => {
                    if !list.is_empty() {
                        self.name(field.name.as_str());
                        self.text("[");
                        self.steps.push(ToWrite::Fields(rest));
                        self.steps.push(ToWrite::End("]"));
                        return self.steps.push(ToWrite::Items(list.iter()));
                    }
                }
                FieldValue::Node(node) if matches!(field.kind, Kind::Constant) => {
                    let Some((_, name)) = of_constant(node) else { continue };
                    self.name(name);
                    // In a constant `false` is left out.
                    if matches!(node, Node::Boolean(value) if !value.boolval()) {
                        self.text("{}");
                        continue;
                    }
                    self.steps.push(ToWrite::Fields(rest));
                    return self.node(node, false);
                }
                FieldValue::Node(node) => {
                    self.name(field.name.as_str());
                    self.steps.push(ToWrite::Fields(rest));
                    return self.node(node, matches!(field.kind, Kind::Node));
                }
            }
        }
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                ToWrite::Fields(rest) => self.fields(rest),
                ToWrite::Items(mut rest) => {
                    if let Some(item) = rest.next() {
                        self.comma();
                        self.steps.push(ToWrite::Items(rest));
                        self.node(item, true);
                    }
                }
                ToWrite::End(end) => self.text(end),
            }
        }
    }

    fn finish(self) -> String {
        match String::from_utf8(self.json) {
            Ok(json) => json,
            Err(_) => unreachable!("JSON of text that is not UTF-8"),
        }
    }
}

impl Node<'_> {
    /// Returns the node as JSON, as [`json::to_string`](crate::formats::json::to_string) does for the owned node.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT $1")?;
    /// let node = tree.nodes().nth(3).unwrap();
    /// assert_eq!(node.to_json(), r#"{"ParamRef":{"number":1,"location":7}}"#);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(self) -> String {
        let mut writer = Writer::default();
        writer.node(self, true);
        writer.run();
        writer.finish()
    }
}

impl Tree {
    /// Returns the tree as JSON, in the format of libpg_query: as [`json::to_string`](crate::formats::json::to_string)
    /// writes the owned tree. Needs the feature `serde`.
    ///
    /// This takes time linear in the length of the JSON, and no stack, however deep the tree is.
    ///
    /// ```
    /// let sql = "SELECT a FROM t WHERE b = $1";
    /// let json = pg_ast::view::parse(sql)?.to_json();
    /// assert_eq!(json, pg_ast::json::to_string(&pg_ast::parse(sql)?.protobuf)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut writer = Writer::default();
        writer.text("{");
        writer.name("version");
        append(&mut writer.json, &raw::PG_VERSION_NUM);
        writer.name("stmts");
        writer.text("[");
        for stmt in self.stmts() {
            writer.comma();
            writer.node(stmt.into(), false);
            writer.run();
        }
        writer.text("]}");
        writer.finish()
    }
}
