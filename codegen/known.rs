//! Holds the tables of rules against the schema: a rule that meets nothing would be silent.

use std::error::Error;

use prost_types::DescriptorProto;

use super::schema::{NODE, Schema};

/// A table of rules, whose entries are to meet something. Each of its methods fails for what is not there, and names it.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    schema: &'a Schema,
    /// The table, by its name.
    table: &'a str,
}

impl Schema {
    /// For the entries of a table.
    pub(crate) fn known<'a>(&'a self, table: &'a str) -> Known<'a> {
        Known { schema: self, table }
    }

    /// The reverse: fails if there are names of what the version has and no rule is about, and says where it belongs.
    pub(crate) fn none_left<'a>(
        &self,
        names: impl Iterator<Item = &'a str>,
        what: &str,
        file: &str,
    ) -> Result<(), Box<dyn Error>> {
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            return Ok(());
        }
        let (major, names) = (self.major, names.join(", "));
        Err(format!("PostgreSQL {major} has {what}: {names}; see codegen/{file}").into())
    }
}

impl<'a> Known<'a> {
    /// What is said of an entry that meets nothing.
    pub(crate) fn missing(self, what: &str) -> Box<dyn Error> {
        let Self { schema, table } = self;
        format!("{table} of codegen/: PostgreSQL {} has no {what}", schema.major).into()
    }

    /// A message.
    pub(crate) fn message(self, name: &str) -> Result<&'a DescriptorProto, Box<dyn Error>> {
        self.schema.message(name).ok_or_else(|| self.missing(&format!("message {name}")))
    }

    /// A field, by its name in C.
    pub(crate) fn field(self, message: &str, name: &str) -> Result<(), Box<dyn Error>> {
        if self.message(message)?.field.iter().any(|field| field.json_name() == name) {
            return Ok(());
        }
        Err(self.missing(&format!("field {name} in {message}")))
    }

    /// A field of whatever message, by its name in C.
    pub(crate) fn field_name(self, name: &str) -> Result<(), Box<dyn Error>> {
        let mut fields = self.schema.messages.values().flat_map(|message| &message.field);
        if fields.any(|field| field.json_name() == name) {
            return Ok(());
        }
        Err(self.missing(&format!("field {name} in any message")))
    }

    /// Fields, each in the message that the one before holds. What a field for any node holds, no schema says: the next
    /// one is that of any message.
    pub(crate) fn path(self, message: &str, path: &str) -> Result<(), Box<dyn Error>> {
        let mut message = self.message(message)?;
        let mut is_any = false;
        for name in path.split('.') {
            if is_any {
                self.field_name(name)?;
                continue;
            }
            let field = message.field.iter().find(|field| field.json_name() == name);
            let missing = || self.missing(&format!("field {name} in {}", message.name()));
            let path = field.ok_or_else(missing)?.type_name();
            is_any = path == NODE;
            if let Some(next) = self.schema.messages.get(path) {
                message = next;
            }
        }
        Ok(())
    }

    /// A constant of an enumeration.
    pub(crate) fn constant(self, item: &str, name: &str) -> Result<(), Box<dyn Error>> {
        if self.schema.constants(item).any(|constant| constant.name() == name) {
            return Ok(());
        }
        Err(self.missing(&format!("constant {name} in {item}")))
    }
}
