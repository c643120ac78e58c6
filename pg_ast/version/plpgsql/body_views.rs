//! What the generated views of PL/pgSQL are made of: how a field is read, and the enums of what a tag tells apart.

use core::ffi::{c_char, c_int, c_long, c_uint};
use core::ops::Range;

use super::super::super::plpgsql_tree as owned;
use super::super::super::plpgsql_tree::{each_datum, each_ranged, each_stmt};
use super::super::super::plpgsql_views as views;
use super::Dno;
use super::body_items::Dnos;
use super::names::protobuf;
use super::names::raw;
use super::sql_view::macros::field;
use super::sql_view::memory::arrays::ArrayInC;
use super::sql_view::{List as SqlList, RawStmt, TypeName};
use super::stmts::range;
use crate::ParseMode;
use crate::convert::c_tree::field_type::{FromConstant as _, text};
use crate::convert::c_tree::in_c::InC;
use crate::types::error::Error;

/// What a field with this C type is read as.
pub(crate) trait Shown<'a, Raw> {
    fn shown(field: InC<'a, Raw>) -> Self;
}

/// What a pointer to a C value leads to. It cannot be named outside of this crate.
#[allow(private_interfaces)]
pub trait Element<'a>: Sized {
    #[doc(hidden)]
    type Raw;

    /// Returns `None` for a null pointer.
    #[doc(hidden)]
    fn of(pointer: InC<'a, *mut Self::Raw>) -> Option<Self>;

    /// What stands for a null pointer where C has none.
    #[doc(hidden)]
    fn empty() -> Self;
}

/// What values behind each other are read as.
pub(crate) trait OfArray<'a, T> {
    fn of_array(array: ArrayInC<'a, T>) -> Self;
}

impl<'a, T: Element<'a>> Shown<'a, *mut T::Raw> for Option<T> {
    #[inline]
    fn shown(field: InC<'a, *mut T::Raw>) -> Self {
        T::of(field)
    }
}

impl<'a, T: Element<'a>> Shown<'a, *mut T::Raw> for T {
    #[inline]
    fn shown(field: InC<'a, *mut T::Raw>) -> Self {
        T::of(field).unwrap_or_else(T::empty)
    }
}

// The trait cannot be named outside of this crate.
#[allow(private_interfaces)]
impl<'a> Element<'a> for &'a str {
    type Raw = c_char;

    #[inline]
    fn of(pointer: InC<'a, *mut c_char>) -> Option<Self> {
        pointer.bytes().map(text)
    }

    fn empty() -> Self {
        ""
    }
}

macro_rules! numbers {
    ($($raw:ty as $type:ty),*) => {$(
        impl<'a> Shown<'a, $raw> for $type {
            #[inline]
            fn shown(field: InC<'a, $raw>) -> Self {
                field.get().into()
            }
        }
    )*};
}
numbers!(bool as bool, c_int as i32, c_uint as u32, c_long as i64);

impl<'a> Shown<'a, c_int> for Option<Dno> {
    #[inline]
    fn shown(field: InC<'a, c_int>) -> Self {
        u32::try_from(field.get()).ok().map(Dno)
    }
}

impl<'a> Shown<'a, c_int> for Dno {
    #[inline]
    fn shown(field: InC<'a, c_int>) -> Self {
        Option::shown(field).unwrap_or_default()
    }
}

/// The variable of a loop over integers.
impl<'a> Shown<'a, *mut raw::PLpgSQL_var> for Dno {
    fn shown(field: InC<'a, *mut raw::PLpgSQL_var>) -> Self {
        field.target().map_or_else(Self::default, |var| Self::shown(field!(var.dno)))
    }
}

macro_rules! constants {
    ($($type:ty: $raw:ident;)*) => {$(
        impl<'a> Shown<'a, raw::$raw> for $type {
            #[inline]
            fn shown(field: InC<'a, raw::$raw>) -> Self {
                Self::from_constant(field.get()).unwrap_or_default()
            }
        }
    )*};
}
constants! {
    protobuf::FetchDirection: FetchDirection;
    protobuf::FunctionParameterMode: FunctionParameterMode;
    owned::DeclType: PLpgSQL_decl_type;
    owned::GetdiagKind: PLpgSQL_getdiag_kind;
    owned::PromiseType: PLpgSQL_promise_type;
    owned::RaiseOptionType: PLpgSQL_raise_option_type;
    owned::ResolveOption: PLpgSQL_resolve_option;
    owned::Trigtype: PLpgSQL_trigtype;
    owned::TypeKind: PLpgSQL_type_type;
}

impl<'a> Shown<'a, raw::RawParseMode> for ParseMode {
    fn shown(field: InC<'a, raw::RawParseMode>) -> Self {
        super::body_shapes::parse_mode(field.get()).unwrap_or_default()
    }
}

/// Trees of SQL.
impl<'a> Shown<'a, *mut raw::RawStmt> for Option<RawStmt<'a>> {
    #[inline]
    fn shown(field: InC<'a, *mut raw::RawStmt>) -> Self {
        field.target().map(RawStmt)
    }
}

impl<'a> Shown<'a, *mut raw::TypeName> for Option<TypeName<'a>> {
    #[inline]
    fn shown(field: InC<'a, *mut raw::TypeName>) -> Self {
        field.target().map(TypeName)
    }
}

impl<'a> Shown<'a, *mut raw::List> for SqlList<'a> {
    #[inline]
    fn shown(field: InC<'a, *mut raw::List>) -> Self {
        SqlList::of(field.target())
    }
}

macro_rules! sum {
    (
        $(#[$doc:meta])* $name:ident $header:ident $field:ident $tags:ident $empty:ident:
        $($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name<'a> {
            $(
                #[doc = concat!("See the owned [`", stringify!($variant), "`](super::", stringify!($name), "::", stringify!($variant), ").")]
                $variant(views::$rust<'a>),
            )*
        }

        impl<'a> $name<'a> {
            /// Returns `None` for a tag that no struct has.
            fn of_header(header: InC<'a, raw::$header>) -> Option<Self> {
                match field!(header.$field).get() {
                    $(raw::$tags::$tag => {
                        // SAFETY: a header is that of a whole struct, which its tag says (`Tagged`).
                        let whole = unsafe { header.part(header.as_ptr().cast()) };
                        Some(Self::$variant(views::$rust(whole)))
                    })*
                    _ => None,
                }
            }
        }

        // The trait cannot be named outside of this crate.
        #[allow(private_interfaces)]
        impl<'a> Element<'a> for $name<'a> {
            type Raw = raw::$header;

            #[inline]
            fn of(pointer: InC<'a, *mut raw::$header>) -> Option<Self> {
                pointer.target().and_then(Self::of_header)
            }

            fn empty() -> Self {
                Self::$empty(Element::empty())
            }
        }
    };
}
macro_rules! statements {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        sum! {
            /// A statement of any kind.
            ///
            /// ```
            /// use pg_ast::plpgsql::view::{self, Stmt};
            ///
            /// let sql = "DO $$ BEGIN IF a THEN COMMIT; END IF; END $$";
            /// let parsed = view::parse(sql)?;
            /// let function = parsed.functions().next().unwrap().function()?;
            /// let Some(Stmt::If(stmt)) = function.action().body().first() else { panic!() };
            /// assert_eq!(stmt.cond().query(), "a");
            /// assert_eq!(&sql[stmt.range().unwrap()], "IF a THEN COMMIT; END IF;");
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            Stmt PLpgSQL_stmt cmd_type PLpgSQL_stmt_type Null:
            $($variant $rust $raw $tag $visit;)*
        }

        impl<'a> Stmt<'a> {
            /// Returns its place in the text, as byte offsets: from the label to the semicolon.
            #[must_use]
            pub fn range(self) -> Option<Range<usize>> {
                match self { $(Self::$variant(stmt) => stmt.range(),)* }
            }

            /// Returns the number of its line in the body, from 1.
            #[must_use]
            pub fn lineno(self) -> i32 {
                match self { $(Self::$variant(stmt) => stmt.lineno(),)* }
            }

            /// Returns PostgreSQL's name of its type: that of the C struct.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($raw),)* }
            }

            /// Copies the statement and all below it into the types of the owned tree.
            ///
            /// # Errors
            ///
            /// It has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)).
            pub fn to_owned_tree(self) -> Result<owned::Stmt, Error> {
                Ok(match self {
                    $(Self::$variant(stmt) => owned::Stmt::$variant(Box::new(stmt.to_owned_tree()?)),)*
                })
            }
        }
    };
}
each_stmt!(statements);

macro_rules! datums {
    ($($variant:ident $rust:ident $raw:ident $tag:ident $visit:ident;)*) => {
        sum! {
            /// A variable of any kind.
            Datum PLpgSQL_datum dtype PLpgSQL_datum_type Var:
            $($variant $rust $raw $tag $visit;)*
        }

        impl<'a> Datum<'a> {
            /// Returns the number.
            #[must_use]
            pub fn dno(self) -> Dno {
                match self { $(Self::$variant(datum) => datum.dno(),)* }
            }

            /// Copies the variable into the types of the owned tree.
            ///
            /// # Errors
            ///
            /// Its value has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)).
            pub fn to_owned_tree(self) -> Result<owned::Datum, Error> {
                Ok(match self {
                    $(Self::$variant(it) => owned::Datum::$variant(Box::new(it.to_owned_tree()?)),)*
                })
            }
        }
    };
}
each_datum!(datums);

impl<'a> Datum<'a> {
    /// Returns the name: that of the variable or of the field. A row has one of PostgreSQL's own.
    #[must_use]
    pub fn name(self) -> &'a str {
        match self {
            Self::Var(var) | Self::Promise(var) => var.refname(),
            Self::Row(row) => row.refname(),
            Self::Rec(rec) => rec.refname(),
            Self::Recfield(field) => field.fieldname(),
        }
    }
}

impl<'a> views::Function<'a> {
    /// Returns the variable with a number; `None` if the function has no such one.
    #[must_use]
    pub fn datum(self, dno: Dno) -> Option<Datum<'a>> {
        self.datums().get(dno.index())
    }

    /// Returns the name of a variable: `r.a` is the name of a field of a record.
    #[must_use]
    pub fn variable_name(self, dno: Dno) -> Option<&'a str> {
        self.datum(dno).map(Datum::name)
    }
}

macro_rules! ranged {
    ($($rust:ident)*) => {$(
        impl views::$rust<'_> {
            /// Returns its place in the text, as byte offsets; `None` if it was not written there.
            #[must_use]
            pub fn range(self) -> Option<Range<usize>> {
                range(self.location(), self.end())
            }
        }
    )*};
}
each_ranged!(ranged);

/// What all structs have.
macro_rules! view {
    ($rust:ident $raw:ident) => {
        impl $rust<'_> {
            /// Copies it and all below it into the types of the owned tree.
            ///
            /// # Errors
            ///
            /// It has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)).
            pub fn to_owned_tree(self) -> ::core::result::Result<owned::$rust, $crate::Error> {
                to_owned(self.0)
            }
        }

        #[automatically_derived]
        impl Clone for $rust<'_> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        #[automatically_derived]
        impl Copy for $rust<'_> {}

        /// Prints like the owned struct.
        impl ::core::fmt::Debug for $rust<'_> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                debug::<owned::$rust, _>(self.0, f)
            }
        }

        // The trait cannot be named outside of this crate.
        #[allow(private_interfaces)]
        impl<'a> Element<'a> for $rust<'a> {
            type Raw = raw::$raw;

            #[inline]
            fn of(pointer: InC<'a, *mut raw::$raw>) -> Option<Self> {
                pointer.target().map($rust)
            }

            fn empty() -> Self {
                // SAFETY: the structs of plpgsql.h consist of numbers, pointers and `bool`; their enums are numbers in the
                // bindings.
                $rust(unsafe { zeros() })
            }
        }
    };
}
pub(crate) use view;

/// The value of a field of the struct that `$self` refers to.
macro_rules! part {
    ($self:ident.$field:ident) => {{
        let whole = $self.0;
        Shown::shown(field!(whole.$field))
    }};
}
pub(crate) use part;

/// The structs that a list of pointers leads to.
macro_rules! items {
    ($self:ident.$field:ident) => {{
        let whole = $self.0;
        let list = field!(whole.$field);
        // SAFETY: the generator's table says what the list holds (codegen/plpgsql_fields.rs), as comments in plpgsql.h do.
        OfArray::of_array(unsafe { ArrayInC::of_list(list) })
    }};
}
pub(crate) use items;

/// An array whose length is in another field.
macro_rules! array {
    ($self:ident.$field:ident, $count:ident) => {{
        let whole = $self.0;
        let (array, count) = (field!(whole.$field), field!(whole.$count).get());
        // SAFETY: the generator's table says which field has the length (codegen/plpgsql_fields.rs).
        OfArray::of_array(unsafe { ArrayInC::new(array, count) })
    }};
}
pub(crate) use array;

/// The variables that the columns of a row are assigned to; see the owned [`Target`](super::Target).
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A record, for the whole row.
    Record(Dno),
    /// Variables, one for each column. A variable of an unknown type by itself is here: it may be a record.
    List(Dnos<'a>),
}

// The trait cannot be named outside of this crate.
#[allow(private_interfaces)]
impl<'a> Element<'a> for Target<'a> {
    type Raw = raw::PLpgSQL_variable;

    fn of(pointer: InC<'a, *mut raw::PLpgSQL_variable>) -> Option<Self> {
        let variable = pointer.target()?;
        // SAFETY: both are headers of the same structs, and the pointer may read all of the struct.
        let datum = unsafe { variable.part(variable.as_ptr().cast()) };
        Some(match Datum::of_header(datum)? {
            Datum::Row(row) => Self::List(row.varnos()),
            Datum::Rec(rec) if rec.datatype().is_some_and(views::DataType::unknown) => {
                Self::List(Dnos::of_array(ArrayInC::one(field!(variable.dno))))
            }
            datum => Self::Record(datum.dno()),
        })
    }

    fn empty() -> Self {
        Self::Record(Dno::default())
    }
}
