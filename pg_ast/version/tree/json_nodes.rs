//! The parts of a tree whose JSON is not that of a struct with fields: nodes, constants, lists of numbers.

use core::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Error as _, IgnoredAny, IntoDeserializer as _, MapAccess, Visitor,
};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::protobuf::a_const::Val;
use super::protobuf::node::Node as NodeEnum;
use super::protobuf::{AConst, BitString, Boolean, Float, Integer, Node, String as StringNode};
use crate::runtime::json::Reading;

/// An object around the node, which has one key, the node's type. What is NULL in C is `{}`.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.node {
            Some(node) => node.serialize(serializer),
            None => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let Some(name) = map.next_key()? else { return Ok(Node { node: None }) };
        let entry = Entry { name: Some(name), map: &mut map };
        let node = NodeEnum::deserialize(MapAccessDeserializer::new(entry))?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Node { node: Some(node) }),
            Some(_) => Err(A::Error::custom("a node with two types")),
        }
    }
}

/// An entry of a map whose key has been read.
struct Entry<'a, A> {
    name: Option<String>,
    map: &'a mut A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entry<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.name.take().map(|name| seed.deserialize(name.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// The fields of a constant: its value is one of them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstFields<I, F, B, S, X> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ival: Option<I>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fval: Option<F>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boolval: Option<B>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sval: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bsval: Option<X>,
    #[serde(default, skip_serializing_if = "crate::runtime::json::is_default")]
    isnull: bool,
    #[serde(default)]
    location: i32,
}

/// A `Boolean` as it stands in a constant, where `false` is left out.
#[derive(Serialize)]
struct ConstantBoolean {
    #[serde(skip_serializing_if = "crate::runtime::json::is_default")]
    boolval: bool,
}

impl Serialize for AConst {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut constant = ConstFields {
            ival: None,
            fval: None,
            boolval: None,
            sval: None,
            bsval: None,
            isnull: self.isnull,
            location: self.location,
        };
        match &self.val {
            Some(Val::Ival(value)) => constant.ival = Some(value),
            Some(Val::Fval(value)) => constant.fval = Some(value),
            Some(Val::Boolval(value)) => {
                constant.boolval = Some(ConstantBoolean { boolval: value.boolval });
            }
            Some(Val::Sval(value)) => constant.sval = Some(value),
            Some(Val::Bsval(value)) => constant.bsval = Some(value),
            None => {}
        }
        constant.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AConst {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let constant = ConstFields::<Integer, Float, Boolean, StringNode, BitString>::deserialize(
            deserializer,
        )?;
        let mut values = [
            constant.ival.map(Val::Ival),
            constant.fval.map(Val::Fval),
            constant.boolval.map(Val::Boolval),
            constant.sval.map(Val::Sval),
            constant.bsval.map(Val::Bsval),
        ]
        .into_iter()
        .flatten();
        let val = values.next();
        if val.is_some() {
            // The value is a level of its own.
            Reading::enter::<D::Error>()?;
        }
        if values.next().is_some() {
            return Err(D::Error::custom("a constant with two values"));
        }
        Ok(Self { isnull: constant.isnull, location: constant.location, val })
    }
}

/// The items of a list of numbers, which in Rust are `Integer` nodes.
macro_rules! numbers {
    ($list:ident, $number:ty, $to_json:expr, $from_json:expr) => {
        pub(in super::super::super) mod $list {
            use serde::ser::Error as _;

            use super::{
                Deserialize, Deserializer, Integer, Node, NodeEnum, Serialize, Serializer,
            };

            pub(in super::super::super::super) fn serialize<S: Serializer>(
                items: &[Node],
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let number = |item: &Node| match &item.node {
                    Some(NodeEnum::Integer(integer)) => Ok($to_json(integer.ival)),
                    _ => Err(S::Error::custom("a list of numbers with something else in it")),
                };
                items.iter().map(number).collect::<Result<Vec<$number>, _>>()?.serialize(serializer)
            }

            pub(in super::super::super::super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Vec<Node>, D::Error> {
                let node = |number: $number| Node {
                    node: Some(NodeEnum::Integer(Integer { ival: $from_json(number) })),
                };
                Ok(Vec::deserialize(deserializer)?.into_iter().map(node).collect())
            }
        }
    };
}
numbers!(int_list, i32, i32::from, i32::from);
numbers!(oid_list, u32, i32::cast_unsigned, u32::cast_signed);
