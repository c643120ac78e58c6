//! Reads Protobuf's description of a schema: the part of `google/protobuf/descriptor.proto` that libpg_query's needs,
//! with its names.
//!
//! `prost-types` has all of it, but adds seven packages to the build of every user of pg_ast.

use std::error::Error;

/// A schema: one file, or several.
pub(crate) struct FileDescriptorSet {
    pub(crate) file: Vec<FileDescriptorProto>,
}

pub(crate) struct FileDescriptorProto {
    package: String,
    pub(crate) message_type: Vec<DescriptorProto>,
    pub(crate) enum_type: Vec<EnumDescriptorProto>,
}

/// A message.
#[derive(Clone)]
pub(crate) struct DescriptorProto {
    name: String,
    pub(crate) field: Vec<FieldDescriptorProto>,
    pub(crate) nested_type: Vec<DescriptorProto>,
    pub(crate) oneof_decl: Vec<OneofDescriptorProto>,
    /// True if it is an entry of a map, and has no struct.
    pub(crate) is_map_entry: bool,
}

#[derive(Clone)]
pub(crate) struct FieldDescriptorProto {
    name: String,
    number: i32,
    pub(crate) is_repeated: bool,
    r#type: Type,
    type_name: String,
    /// The index of the oneof that the field is part of.
    pub(crate) oneof_index: Option<i32>,
    json_name: String,
}

#[derive(Clone)]
pub(crate) struct OneofDescriptorProto {
    name: String,
}

#[derive(Clone)]
pub(crate) struct EnumDescriptorProto {
    name: String,
    pub(crate) value: Vec<EnumValueDescriptorProto>,
}

#[derive(Clone)]
pub(crate) struct EnumValueDescriptorProto {
    name: String,
    number: i32,
}

/// The types of fields that libpg_query's schema has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Double,
    Int64,
    Uint64,
    Int32,
    Bool,
    String,
    Message,
    Uint32,
    Enum,
}

macro_rules! names {
    ($($type:ident { $($name:ident),* })*) => {$(
        impl $type {
            $(pub(crate) fn $name(&self) -> &str { &self.$name })*
        }
    )*};
}
names! {
    FileDescriptorProto { package }
    DescriptorProto { name }
    FieldDescriptorProto { name, type_name, json_name }
    OneofDescriptorProto { name }
    EnumDescriptorProto { name }
    EnumValueDescriptorProto { name }
}

impl FieldDescriptorProto {
    pub(crate) fn number(&self) -> i32 {
        self.number
    }

    pub(crate) fn r#type(&self) -> Type {
        self.r#type
    }
}

impl EnumValueDescriptorProto {
    pub(crate) fn number(&self) -> i32 {
        self.number
    }
}

impl FileDescriptorSet {
    /// # Errors
    ///
    /// These are not the bytes of a schema, or the schema has something unknown.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        Ok(Self { file: Fields::read(bytes)?.each(1, FileDescriptorProto::decode)? })
    }
}

impl FileDescriptorProto {
    fn decode(fields: &Fields) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            package: fields.text(2)?,
            message_type: fields.each(4, DescriptorProto::decode)?,
            enum_type: fields.each(5, EnumDescriptorProto::decode)?,
        })
    }
}

impl DescriptorProto {
    fn decode(fields: &Fields) -> Result<Self, Box<dyn Error>> {
        let options = fields.each(7, |options| Ok(options.number(7) == Some(1)))?;
        Ok(Self {
            name: fields.text(1)?,
            field: fields.each(2, FieldDescriptorProto::decode)?,
            nested_type: fields.each(3, Self::decode)?,
            oneof_decl: fields
                .each(8, |oneof| Ok(OneofDescriptorProto { name: oneof.text(1)? }))?,
            is_map_entry: options.contains(&true),
        })
    }
}

impl FieldDescriptorProto {
    fn decode(fields: &Fields) -> Result<Self, Box<dyn Error>> {
        let number = fields.number(5);
        let Some(r#type) = number.and_then(Type::new) else {
            return Err(format!("there are fields of a type that is not known: {number:?}").into());
        };
        Ok(Self {
            name: fields.text(1)?,
            number: fields.int32(3)?.unwrap_or_default(),
            is_repeated: fields.number(4) == Some(3),
            r#type,
            type_name: fields.text(6)?,
            oneof_index: fields.int32(9)?,
            json_name: fields.text(10)?,
        })
    }
}

impl EnumDescriptorProto {
    fn decode(fields: &Fields) -> Result<Self, Box<dyn Error>> {
        let value = |value: &Fields| {
            let number = value.int32(2)?.unwrap_or_default();
            Ok(EnumValueDescriptorProto { name: value.text(1)?, number })
        };
        Ok(Self { name: fields.text(1)?, value: fields.each(2, value)? })
    }
}

impl Type {
    fn new(number: u64) -> Option<Self> {
        Some(match number {
            1 => Self::Double,
            3 => Self::Int64,
            4 => Self::Uint64,
            5 => Self::Int32,
            8 => Self::Bool,
            9 => Self::String,
            11 => Self::Message,
            13 => Self::Uint32,
            14 => Self::Enum,
            _ => return None,
        })
    }
}

/// The fields of a message, by their numbers, in Protobuf's wire format.
struct Fields<'a>(Vec<(u64, Value<'a>)>);

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Fields<'a> {
    fn read(mut bytes: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes)?;
            let value = match key & 7 {
                0 => Value::Number(varint(&mut bytes)?),
                2 => {
                    let length = usize::try_from(varint(&mut bytes)?)?;
                    let (value, rest) =
                        bytes.split_at_checked(length).ok_or("the schema ends early")?;
                    bytes = rest;
                    Value::Bytes(value)
                }
                _ => return Err("the schema has numbers of a fixed size".into()),
            };
            fields.push((key >> 3, value));
        }
        Ok(Self(fields))
    }

    fn of(&self, number: u64) -> impl Iterator<Item = &Value<'a>> {
        self.0.iter().filter(move |(of, _)| *of == number).map(|(_, value)| value)
    }

    fn number(&self, number: u64) -> Option<u64> {
        self.of(number).find_map(|value| match value {
            Value::Number(value) => Some(*value),
            Value::Bytes(_) => None,
        })
    }

    fn int32(&self, number: u64) -> Result<Option<i32>, Box<dyn Error>> {
        Ok(self.number(number).map(|value| i32::try_from(value.cast_signed())).transpose()?)
    }

    /// Returns a string; an empty one if there is none.
    fn text(&self, number: u64) -> Result<String, Box<dyn Error>> {
        let text = self.bytes(number).next().unwrap_or_default();
        Ok(str::from_utf8(text)?.to_owned())
    }

    fn bytes(&self, number: u64) -> impl Iterator<Item = &'a [u8]> {
        self.of(number).filter_map(|value| match value {
            Value::Number(_) => None,
            Value::Bytes(bytes) => Some(*bytes),
        })
    }

    /// Returns the messages in a field, each made by `decode`.
    fn each<T>(
        &self,
        number: u64,
        decode: impl Fn(&Fields) -> Result<T, Box<dyn Error>>,
    ) -> Result<Vec<T>, Box<dyn Error>> {
        self.bytes(number).map(|bytes| decode(&Fields::read(bytes)?)).collect()
    }
}

/// Reads seven bits per byte, the lowest first; the eighth says that there are more.
fn varint(bytes: &mut &[u8]) -> Result<u64, Box<dyn Error>> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or("the schema ends early")?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err("a number of the schema is longer than 64 bits".into())
}
