//! What has rules of its own in a fingerprint: what libpg_query's generator knows as overrides, or what
//! its `pg_query_fingerprint.c` has by hand. And what the pointers to nodes, lists and sets write.
//!
//! All else follows from the fields; see `pg_ast/runtime/hashing/stream.rs`. Which types are here, and
//! which fields of others do not count, is listed in `pg_ast/codegen/fingerprint_rules.rs`.

use core::slice;

use super::super::protobuf::{self, AExprKind};
use super::super::raw::{self, NodeTag};
use crate::runtime::c_tree::in_c::InC;
use crate::runtime::c_tree::shape::{Constant as _, Shape as _};
use crate::runtime::hashing::c_fields::pointer;
use crate::runtime::hashing::stream::{
    Hashed, Item, Message, Place, RawSum, Site, Stream, enter, list, node, site,
};
use crate::types::options::FingerprintOptions;

/// A field of the struct that `$self` is.
macro_rules! part {
    ($self:ident.$field:ident) => {
        // SAFETY: a part of what `$self` is a part of, for which whoever made that answers.
        unsafe { InC::new(&raw const $self.get().$field) }
    };
}

/// A node, in whatever way C points to it.
pub(super) struct Pointer(pub(super) *const raw::Node);

impl Item for Pointer {
    fn is_null(&self) -> bool {
        self.0.is_null()
    }

    fn fingerprint(&self, out: &mut Stream, place: Place, depth: u32) {
        if !self.0.is_null() {
            // SAFETY: whoever made the place in C from which the pointer was read answers for the
            // node.
            enter(depth, || unsafe { raw::Node::node(self.0, out, place, depth) });
        }
    }
}

/// The fingerprint of a node alone. It takes from `nodes_left` what it has looked at.
///
/// Mirrors `pg_query_fingerprint_node` of libpg_query's `pg_query_fingerprint.c`.
///
/// # Safety
///
/// As for [`RawSum::node`], or the node is null; `nodes_left` points to a number that nobody else uses
/// meanwhile.
pub(super) unsafe extern "C" fn hash(node: *const raw::Node, nodes_left: *mut usize) -> u64 {
    // SAFETY: the caller answers for `nodes_left`.
    let nodes_left = unsafe { &mut *nodes_left };
    let mut stream = Stream::new(super::MAJOR, FingerprintOptions::default(), *nodes_left);
    Pointer(node).fingerprint(&mut stream, Place::ROOT, 0);
    *nodes_left = stream.nodes_left();
    stream.hash()
}

/// Pointers to the header of a node stand for any node.
macro_rules! any_node {
    ($($header:ident)*) => {$(
        impl Hashed for InC<*mut raw::$header> {
            fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
                node(&Pointer(self.get().cast_const().cast()), out, site, depth);
            }
        }
    )*};
}
protobuf::headers!(any_node);

impl Item for InC<raw::ListCell> {
    fn is_null(&self) -> bool {
        self.pointer().is_null()
    }

    fn fingerprint(&self, out: &mut Stream, place: Place, depth: u32) {
        self.pointer().fingerprint(out, place, depth);
    }
}

impl InC<raw::ListCell> {
    /// The node of a list of nodes.
    fn pointer(&self) -> Pointer {
        // SAFETY: `cells` gives cells of lists of nodes alone.
        Pointer(unsafe { self.get().ptr_value }.cast_const().cast())
    }
}

impl InC<raw::List> {
    /// The cells of a list of nodes; none of a list of numbers, which do not count.
    fn cells(&self) -> &[InC<raw::ListCell>] {
        let list = self.get();
        match usize::try_from(list.length) {
            Ok(length) if length > 0 && list.type_ == NodeTag::T_List => {
                // SAFETY: whoever made `self` answers for the list, which has so many cells;
                // `InC<T>` is laid out as `T` is.
                unsafe { slice::from_raw_parts(list.elements.cast_const().cast(), length) }
            }
            _ => &[],
        }
    }
}

impl Hashed for InC<*mut raw::List> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
        if !self.get().is_null() {
            // SAFETY: whoever made `self` answers for what it points to.
            let raw = unsafe { InC::<raw::List>::new(*self.get()) };
            list(raw.cells(), out, site, depth);
        }
    }
}

impl Message for InC<raw::List> {
    const NAME: &'static str = "List";

    fn node(&self, out: &mut Stream, place: Place, depth: u32) {
        self.fields(out, place, depth);
    }

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        out.list(self.cells(), place, depth);
    }
}

/// Only parse analysis makes one. Its name always counts.
impl Hashed for InC<*mut raw::Bitmapset> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        out.text(site.name());
        self.view().iter().for_each(|member| out.number(member));
    }
}

/// A table that a field points to by its type.
impl Hashed for InC<*mut raw::RangeVar> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
        pointer(self, out, site, depth);
    }
}

/// A string that a field points to by its type counts as a text: the extension's name in
/// `AlterObjectDependsStmt`.
impl Hashed for InC<*mut raw::String> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        // SAFETY: whoever made `self` answers for what it points to.
        let string = unsafe { self.get().as_ref() };
        // SAFETY: the same.
        let text = string.and_then(|string| unsafe { InC::new(&raw const string.sval) }.bytes());
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            out.value(site.name(), text);
        }
    }
}

/// The struct that a `CreateForeignTableStmt` begins with is always there, and no deeper than that is
/// itself.
impl Hashed for InC<raw::CreateStmt> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
        out.text(site.name());
        self.fields(out, Place::ROOT, depth);
    }
}

/// A node that is nothing but its value.
macro_rules! value {
    ($($type:ident, |$this:ident, $out:ident| $body:expr;)*) => {$(
        impl Message for InC<raw::$type> {
            const NAME: &'static str = stringify!($type);

            fn node(&self, out: &mut Stream, place: Place, depth: u32) {
                self.fields(out, place, depth);
            }

            fn fields(&self, $out: &mut Stream, _: Place, _: u32) {
                let $this = self;
                $body;
            }
        }
    )*};
}
value! {
    Integer, |this, out| integer(out, this.get().ival);
    Float, |this, out| if let Some(value) = part!(this.fval).bytes() {
        text(out, Self::NAME, value);
    };
    Boolean, |this, out| boolean(out, this.get().boolval);
    String, |this, out| text(out, Self::NAME, part!(this.sval).bytes().unwrap_or_default());
    BitString, |this, out| if let Some(value) = part!(this.bsval).bytes() {
        text(out, Self::NAME, value);
    };
}

pub(super) fn integer(out: &mut Stream, value: i32) {
    if value != 0 {
        out.text("Integer");
        out.text("ival");
        out.number(value);
    }
}

fn boolean(out: &mut Stream, value: bool) {
    out.text("Boolean");
    out.value("boolval", if value { b"true" } else { b"false" });
}

/// The field is called `str` whatever the version calls it, so that fingerprints stay what they were.
fn text(out: &mut Stream, name: &str, value: &[u8]) {
    out.text(name);
    out.value("str", value);
}

/// `= ANY (..)` and `IN (..)` are the same as `=`.
impl Hashed for InC<raw::A_Expr_Kind> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        let name = match AExprKind::from_constant(*self.get()) {
            None | Some(AExprKind::Undefined | AExprKind::AexprOpAny | AExprKind::AexprIn) => {
                "AEXPR_OP"
            }
            Some(kind) => kind.as_str_name(),
        };
        out.constant(site, name);
    }
}

/// A cast of a constant is a constant.
impl Message for InC<raw::TypeCast> {
    const NAME: &'static str = "TypeCast";

    fn node(&self, out: &mut Stream, place: Place, depth: u32) {
        let arg = self.get().arg;
        // SAFETY: whoever made `self` answers for what it points to.
        let tag = if arg.is_null() { NodeTag::T_Invalid } else { unsafe { (*arg).type_ } };
        if tag != NodeTag::T_A_Const && tag != NodeTag::T_ParamRef {
            out.text(Self::NAME);
            self.fields(out, place, depth);
        }
    }

    fn fields(&self, out: &mut Stream, _: Place, depth: u32) {
        part!(self.arg).fingerprint(out, site!("TypeCast", "arg"), depth);
        part!(self.typeName).fingerprint(out, site!("TypeCast", "typeName"), depth);
    }
}

/// What a `SELECT` calls its columns does not count.
impl Message for InC<raw::ResTarget> {
    const NAME: &'static str = "ResTarget";

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        part!(self.indirection).fingerprint(out, site!("ResTarget", "indirection"), depth);
        if !place.output {
            part!(self.name).fingerprint(out, site!("ResTarget", "name"), depth);
        }
        part!(self.val).fingerprint(out, site!("ResTarget", "val"), depth);
    }
}

/// In a query, a table counts by its alias, and by its name only if there is none; elsewhere, by both
/// and its schema as well.
impl Message for InC<raw::RangeVar> {
    const NAME: &'static str = "RangeVar";

    fn fields(&self, out: &mut Stream, place: Place, depth: u32) {
        let alias = self.get().alias;
        let has_alias = !alias.is_null() && !out.options.ignore_aliases;
        if has_alias {
            // SAFETY: whoever made `self` answers for what it points to.
            let alias = unsafe { InC::<raw::Alias>::new(alias) };
            part!(alias.aliasname).fingerprint(out, site!("Alias", "aliasname"), depth);
        }
        part!(self.catalogname).fingerprint(out, site!("RangeVar", "catalogname"), depth);
        part!(self.inh).fingerprint(out, site!("RangeVar", "inh"), depth);
        let temporary = self.get().relpersistence.to_ne_bytes() == *b"t";
        if let Some(relname) = part!(self.relname).bytes()
            && !temporary
            && !(place.query && has_alias)
        {
            if out.options.full_relname {
                out.value("relname", relname);
            } else {
                out.text("relname");
                out.without_numbers(relname);
            }
        }
        part!(self.relpersistence).fingerprint(out, site!("RangeVar", "relpersistence"), depth);
        if !place.query || out.options.include_schema {
            part!(self.schemaname).fingerprint(out, site!("RangeVar", "schemaname"), depth);
        }
    }
}
