//! What has rules of its own in a fingerprint: what libpg_query's generator knows as overrides, or what
//! its `pg_query_fingerprint.c` has by hand.
//!
//! All else follows from the fields; see `pg_ast/fingerprint/stream.rs`. Which types are here, and
//! which fields of others do not count, is listed in `pg_ast/build/fingerprint.rs`.

use super::super::NodeEnum;
use super::super::protobuf::{
    AExprKind, Alias, AlterObjectDependsStmt, BitString, Boolean, CreateForeignTableStmt,
    CreateStmt, Float, Integer, List, Node, RangeVar, ResTarget, String, TypeCast,
};
use crate::fingerprint::stream::{
    Constants, Field, Item, Message, Place, Site, Stream, Sum as _, enter, message, node, site,
};

impl Item for Node {
    fn is_null(&self) -> bool {
        match &self.node {
            None => true,
            // An empty list is a null pointer in C.
            Some(NodeEnum::List(list)) => list.items.is_empty(),
            Some(_) => false,
        }
    }

    fn fingerprint(&self, out: &mut Stream, place: Place, depth: u32) {
        if let Some(node) = &self.node {
            enter(depth, || node.node(out, place, depth));
        }
    }
}

impl Field for Node {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
        node(self, out, site, depth);
    }
}

/// Children whose type is fixed.
macro_rules! child {
    ($($type:ty),*) => {$(
        impl Field for $type {
            fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
                message(self, out, site, depth);
            }
        }
    )*};
}
child!(Alias, RangeVar);

/// A name that a query gives.
impl Message for Alias {
    const NAME: &'static str = "";

    fn fields(&self, _: &mut Stream, _: Place, _: u32) {}
}

/// A node that is nothing but its value.
macro_rules! value {
    ($($type:ident, |$node:ident, $out:ident| $body:expr;)*) => {$(
        impl Message for $type {
            const NAME: &'static str = stringify!($type);

            fn node(&self, out: &mut Stream, place: Place, depth: u32) {
                self.fields(out, place, depth);
            }

            fn fields(&self, $out: &mut Stream, _: Place, _: u32) {
                let $node = self;
                $body;
            }
        }
    )*};
}
value! {
    Integer, |node, out| integer(out, node.ival);
    Float, |node, out| text(out, Self::NAME, node.fval.as_bytes());
    Boolean, |node, out| boolean(out, node.boolval);
    String, |node, out| text(out, Self::NAME, node.sval.as_bytes());
    BitString, |node, out| text(out, Self::NAME, node.bsval.as_bytes());
}

pub(super) fn integer(out: &mut Stream, value: i32) {
    if value != 0 {
        out.text("Integer");
        value.fingerprint(out, site!("Integer", "ival"), 0);
    }
}

pub(super) fn boolean(out: &mut Stream, value: bool) {
    out.text("Boolean");
    out.value("boolval", if value { b"true" } else { b"false" });
}

/// The field is called `str` whatever the version calls it, so that fingerprints stay what they were.
pub(super) fn text(out: &mut Stream, name: &str, value: &[u8]) {
    out.text(name);
    out.value("str", value);
}

impl Message for List {
    const NAME: &'static str = "List";

    fn node(&self, out: &mut Stream, place: Place, depth: u32) {
        self.fields(out, place, depth);
    }

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        out.list(&self.items, place, depth);
    }
}

/// `= ANY (..)` and `IN (..)` are the same as `=`.
impl Constants for AExprKind {
    fn name(value: i32) -> &'static str {
        match Self::try_from(value) {
            Ok(Self::Undefined | Self::AexprOpAny | Self::AexprIn) | Err(_) => "AEXPR_OP",
            Ok(kind) => kind.as_str_name(),
        }
    }
}

/// A cast of a constant is a constant.
impl Message for TypeCast {
    const NAME: &'static str = "TypeCast";

    fn node(&self, out: &mut Stream, place: Place, depth: u32) {
        let arg = self.arg.as_ref().and_then(|arg| arg.node.as_ref());
        if !matches!(arg, Some(NodeEnum::AConst(_) | NodeEnum::ParamRef(_))) {
            out.text(Self::NAME);
            self.fields(out, place, depth);
        }
    }

    fn fields(&self, out: &mut Stream, _: Place, depth: u32) {
        let Self { arg, type_name, location: _ } = self;
        arg.fingerprint(out, site!("TypeCast", "arg"), depth);
        type_name.fingerprint(out, site!("TypeCast", "typeName"), depth);
    }
}

/// What a `SELECT` calls its columns does not count.
impl Message for ResTarget {
    const NAME: &'static str = "ResTarget";

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        let Self { name, indirection, val, location: _ } = self;
        indirection.fingerprint(out, site!("ResTarget", "indirection"), depth);
        if !place.output {
            name.fingerprint(out, site!("ResTarget", "name"), depth);
        }
        val.fingerprint(out, site!("ResTarget", "val"), depth);
    }
}

impl Message for RangeVar {
    const NAME: &'static str = "RangeVar";

    fn fields(&self, out: &mut Stream, place: Place, _: u32) {
        fn set(text: &str) -> Option<&[u8]> {
            (!text.is_empty()).then_some(text.as_bytes())
        }
        let Self { catalogname, schemaname, relname, inh, relpersistence, alias, location: _ } =
            self;
        let relation = Relation {
            has_alias: alias.is_some(),
            aliasname: alias.as_ref().and_then(|alias| set(&alias.aliasname)),
            catalogname: set(catalogname),
            inh: *inh,
            relname: set(relname),
            relpersistence: relpersistence.as_bytes(),
            schemaname: set(schemaname),
        };
        relation.fingerprint(out, place);
    }
}

/// What counts of a `RangeVar`.
pub(super) struct Relation<'a> {
    /// Whether there is an alias at all.
    pub(super) has_alias: bool,
    pub(super) aliasname: Option<&'a [u8]>,
    pub(super) catalogname: Option<&'a [u8]>,
    pub(super) inh: bool,
    pub(super) relname: Option<&'a [u8]>,
    pub(super) relpersistence: &'a [u8],
    pub(super) schemaname: Option<&'a [u8]>,
}

impl Relation<'_> {
    /// In a query, a table counts by its alias, and by its name only if there is none; elsewhere, by
    /// both and its schema as well.
    pub(super) fn fingerprint(&self, out: &mut Stream, place: Place) {
        let has_alias = self.has_alias && !out.options.ignore_aliases;
        if let Some(aliasname) = self.aliasname.filter(|_| has_alias) {
            out.value("aliasname", aliasname);
        }
        if let Some(catalogname) = self.catalogname {
            out.value("catalogname", catalogname);
        }
        if self.inh {
            out.value("inh", b"true");
        }
        let named = self.relpersistence != b"t" && !(place.query && has_alias);
        if let Some(relname) = self.relname.filter(|_| named) {
            if out.options.full_relname {
                out.value("relname", relname);
            } else {
                out.text("relname");
                out.without_numbers(relname);
            }
        }
        if !matches!(self.relpersistence, [] | [0]) {
            out.value("relpersistence", self.relpersistence);
        }
        if let Some(schemaname) = self.schemaname
            && (!place.query || out.options.include_schema)
        {
            out.value("schemaname", schemaname);
        }
    }
}

/// The struct that it begins with is always there, and no deeper than it is itself.
impl Message for CreateForeignTableStmt {
    const NAME: &'static str = "CreateForeignTableStmt";

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        let Self { base_stmt, servername, options } = self;
        out.text("base");
        match base_stmt {
            Some(base) => base.fields(out, place, depth),
            None => CreateStmt::default().fields(out, place, depth),
        }
        options.fingerprint(out, site!("CreateForeignTableStmt", "options"), depth);
        servername.fingerprint(out, site!("CreateForeignTableStmt", "servername"), depth);
    }
}

/// The extension's name is a node, and counts as a text.
impl Message for AlterObjectDependsStmt {
    const NAME: &'static str = "AlterObjectDependsStmt";

    fn fields(&self, out: &mut Stream, _: Place, depth: u32) {
        let Self { object_type, relation, object, extname, remove } = self;
        if let Some(extname) = extname {
            extname.sval.fingerprint(out, site!("AlterObjectDependsStmt", "extname"), depth);
        }
        object.fingerprint(out, site!("AlterObjectDependsStmt", "object"), depth);
        out.constant::<super::super::protobuf::ObjectType>(
            site!("AlterObjectDependsStmt", "objectType"),
            *object_type,
        );
        relation.fingerprint(out, site!("AlterObjectDependsStmt", "relation"), depth);
        remove.fingerprint(out, site!("AlterObjectDependsStmt", "remove"), depth);
    }
}
