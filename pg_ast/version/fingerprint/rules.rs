//! What has rules of its own in a fingerprint: what libpg_query's generator knows as overrides, or what
//! its `pg_query_fingerprint.c` has by hand.
//!
//! All else follows from the fields; see `pg_ast/fingerprint/stream.rs`. Which types are here, and
//! which fields of others do not count, is listed in `pg_ast/build/fingerprint.rs`.

use super::super::NodeEnum;
use super::super::protobuf::{
    AConst, AExprKind, Alias, AlterObjectDependsStmt, BitString, Boolean, CreateForeignTableStmt,
    CreateStmt, DistinctExpr, Float, IntList, Integer, List, Node, NullIfExpr, OidList, ParamRef,
    RangeVar, ResTarget, SetToDefault, String, TypeCast,
};
use crate::fingerprint::stream::{
    Constants, Field, Item, Message, Place, Site, Stream, Sum as _, enter, message, node,
};

/// The field of a struct: its place says what it is a field of.
macro_rules! site {
    ($parent:literal, $name:literal) => {
        const { &Site::new($parent, $name) }
    };
}

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

/// What writes nothing at all: constants and parameters, names that a query gives; and what only
/// parse analysis makes, for which libpg_query has no rule.
macro_rules! ignored {
    ($($type:ty),*) => {$(
        impl Message for $type {
            const NAME: &'static str = "";

            fn node(&self, _: &mut Stream, _: Place, _: u32) {}

            fn fields(&self, _: &mut Stream, _: Place, _: u32) {}
        }
    )*};
}
ignored!(AConst, Alias, DistinctExpr, IntList, NullIfExpr, OidList, ParamRef, SetToDefault);

/// A node that is nothing but its value.
macro_rules! value {
    ($($type:ty, $name:literal, |$node:ident, $out:ident| $body:expr;)*) => {$(
        impl Message for $type {
            const NAME: &'static str = $name;

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
// The field is called `str` whatever the version calls it, so that fingerprints stay what they were.
value! {
    Integer, "Integer", |node, out| if node.ival != 0 {
        out.text(Self::NAME);
        node.ival.fingerprint(out, site!("Integer", "ival"), 0);
    };
    Float, "Float", |node, out| {
        out.text(Self::NAME);
        out.value("str", &node.fval);
    };
    Boolean, "Boolean", |node, out| {
        out.text(Self::NAME);
        out.value("boolval", if node.boolval { "true" } else { "false" });
    };
    String, "String", |node, out| {
        out.text(Self::NAME);
        out.value("str", &node.sval);
    };
    BitString, "BitString", |node, out| {
        out.text(Self::NAME);
        out.value("str", &node.bsval);
    };
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

/// In a query, a table counts by its alias, and by its name only if there is none; elsewhere, by both
/// and its schema as well.
impl Message for RangeVar {
    const NAME: &'static str = "RangeVar";

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        let Self { catalogname, schemaname, relname, inh, relpersistence, alias, location: _ } =
            self;
        let alias = alias.as_ref().filter(|_| !out.options.ignore_aliases);
        if let Some(alias) = alias {
            alias.aliasname.fingerprint(out, site!("RangeVar", "aliasname"), depth);
        }
        catalogname.fingerprint(out, site!("RangeVar", "catalogname"), depth);
        inh.fingerprint(out, site!("RangeVar", "inh"), depth);
        let temporary = relpersistence == "t";
        if !relname.is_empty() && !temporary && !(place.query && alias.is_some()) {
            out.text("relname");
            if out.options.full_relname {
                out.text(relname);
            } else {
                out.without_numbers(relname);
            }
        }
        relpersistence.fingerprint(out, site!("RangeVar", "relpersistence"), depth);
        if !place.query || out.options.include_schema {
            schemaname.fingerprint(out, site!("RangeVar", "schemaname"), depth);
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
