//! Structs whose parts come from a `macro_rules!`, as every kind of fragment, next to names that the derive could take for
//! its own.
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

use pg_ast::{FromRaw, IntoRaw, Node, raw};

/// Names of variables, of parameters and of what they stand for.
mod around {
    pub(super) const cx: i32 = 1;
    pub(super) const place: i32 = 2;
    pub(super) const node: i32 = 3;
    pub(super) static value: i32 = 4;
    pub(super) const field: i32 = 5;
    pub(super) const constant: i32 = 6;
    pub(super) struct from;
    pub(super) fn to() {}
    pub(super) mod tag {}
}
#[allow(unused_imports)]
use around::{constant, cx, field, from, node, place, tag, to, value};

macro_rules! of_ident {
    ($vis:vis $name:ident $raw:ident $($field:ident)*) => {
        #[derive(FromRaw)]
        #[pg_ast(raw = raw::$raw, partial)]
        $vis struct $name {
            $($vis $field: String,)*
        }
    };
}
of_ident!(pub(crate) OfIdent RangeVar relname schemaname);

macro_rules! of_ty {
    ($name:ident, $raw:path, $($field:ident: $type:ty = $c_name:literal),*) => {
        #[derive(FromRaw, IntoRaw)]
        #[pg_ast(raw = $raw)]
        struct $name {
            $(#[pg_ast(name = $c_name)] $field: $type,)*
        }
    };
}
of_ty!(OfType, raw::Alias, name: String = "aliasname", columns: Vec<Node> = "colnames");

macro_rules! of_tt {
    ($name:ident { $($tokens:tt)* }) => {
        #[derive(FromRaw)]
        #[pg_ast(raw = raw::RangeVar, partial)]
        struct $name { $($tokens)* }
    };
}
of_tt!(OfTokens {
    relname: String,
    #[pg_ast(location)]
    location: i32,
});

macro_rules! of_literal {
    ($($name:ident)*) => {$(
        #[derive(FromRaw)]
        #[pg_ast(raw = raw::RangeVar, partial)]
        struct $name {
            #[pg_ast(name = "relname")]
            table: String,
            #[pg_ast(skip)]
            seen: bool,
        }
    )*};
}
of_literal!(OfLiteral);

macro_rules! of_meta {
    ($(#[$meta:meta])* $name:ident, $(#[$of_field:meta])* $field:ident $type:ty) => {
        $(#[$meta])*
        struct $name {
            $(#[$of_field])* $field: $type,
        }
    };
}
of_meta!(
    #[derive(FromRaw)]
    #[pg_ast(raw = raw::RangeVar, partial)]
    OfMeta,
    #[pg_ast(name = "relname")]
    table String
);

macro_rules! of_item {
    ($item:item) => {
        $item
    };
}
of_item! {
    #[derive(FromRaw)]
    #[pg_ast(raw = raw::RangeVar, partial)]
    struct OfItem {
        relname: String,
    }
}

macro_rules! of_nodes {
    ($name:ident $($variant:ident($type:ty) = $raw:path,)*) => {
        #[derive(FromRaw)]
        #[pg_ast(raw = raw::Node)]
        enum $name {
            $(#[pg_ast(raw = $raw)] $variant($type),)*
        }
    };
}
of_nodes! { OfNodes Listen(Listen) = raw::ListenStmt, Notify(Box<Notify>) = raw::NotifyStmt, }
of_ident!(Listen ListenStmt conditionname);
of_ident!(Notify NotifyStmt conditionname payload);

macro_rules! of_constants {
    ($name:ident $($variant:ident = $constant:literal)*) => {
        #[derive(Clone, Copy, Debug, FromRaw, IntoRaw, PartialEq)]
        #[pg_ast(raw = raw::DropBehavior)]
        enum $name {
            $(#[pg_ast(name = $constant)] $variant,)*
        }
    };
}
of_constants! { OfConstants Restrict = "DROP_RESTRICT" Cascade = "DROP_CASCADE" }

/// What the attributes are for may have another name.
type Text = String;
type Place = i32;

macro_rules! of_alias {
    ($name:ident $raw:ident $field:ident $type:ty) => {
        #[derive(FromRaw, IntoRaw)]
        #[pg_ast(raw = raw::$raw)]
        struct $name {
            #[pg_ast(not_null)]
            $field: $type,
        }
    };
}
of_alias!(OfAlias Float fval Text);
of_alias!(OfGroup Float fval String);

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Located {
    #[pg_ast(location)]
    location: Place,
}

/// A keyword of Rust, by its name in C and by its own.
#[derive(FromRaw)]
#[pg_ast(raw = raw::AlterTSConfigurationStmt, partial)]
struct Keyword {
    r#override: bool,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::AlterTSConfigurationStmt, partial)]
struct NamedKeyword {
    #[pg_ast(name = "override")]
    overrides: bool,
}

fn one<T: for<'t> pg_ast::FromNode<'t, raw::Node>>(sql: &str) -> T {
    pg_ast::parse_as(sql).unwrap().remove(0).unwrap()
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    relation: Option<OfTokens>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::DropStmt, partial)]
struct Drop {
    behavior: OfConstants,
}

#[test]
fn the_parts_of_a_struct_may_come_from_anywhere() {
    let OfNodes::Listen(listen) = one("LISTEN jobs") else { panic!() };
    assert_eq!(listen.conditionname, "jobs");
    let OfNodes::Notify(notify) = one("NOTIFY jobs, 'now'") else { panic!() };
    assert_eq!((&*notify.conditionname, &*notify.payload), ("jobs", "now"));
    let table = one::<Delete>("DELETE FROM users").relation.unwrap();
    assert_eq!((&*table.relname, table.location), ("users", 12));
    assert_eq!(one::<Drop>("DROP TABLE t CASCADE").behavior, OfConstants::Cascade);

    let alter = "ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR a WITH b";
    assert!(one::<Keyword>(alter).r#override);
    assert!(one::<NamedKeyword>(alter).overrides);

    let none = |sql| {
        let parse = pg_ast::parse_as::<OfIdent>(sql).unwrap();
        parse[0].is_none()
    };
    assert!(none("SELECT 1"));
    let _ = |a: OfIdent, b: OfType, c: OfLiteral, d: OfMeta, e: OfItem| {
        let sizes = (b.columns.len(), c.seen);
        (a.relname, a.schemaname, b.name, c.table, d.table, e.relname, sizes)
    };
    let _ = |a: OfAlias, b: OfGroup, c: Located| (a.fval, b.fval, c.location);
    let _ = (cx, place, node, value, field, constant, from, to);
}
