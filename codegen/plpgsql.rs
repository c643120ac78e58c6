//! Generates the tree of PL/pgSQL from the bindings, for which there is no schema: a struct for each C struct, an enum for
//! each C enum, and the enums of what a tag tells apart.
//!
//! The rules are in `plpgsql_fields.rs`. A struct is generated if the struct of a function leads to it.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use syn::{Fields, ImplItem, Item, Type};

use super::comments::{BEGIN, Comments, END};
use super::docs::doc;
use super::plpgsql_fields::{LENGTH, Rule, rule, text, unused};
use super::plpgsql_views::{self, ViewField};

/// What the names of C begin with.
const PREFIX: &str = "PLpgSQL_";

/// Names in Rust that are not those of C: a `Type` would be many things.
const NAMES: [(&str, &str); 2] = [("type", "DataType"), ("type_type", "TypeKind")];

/// Fields that only older versions have.
const OLDER: [&str; 5] = ["fn_hash_link", "fn_hashkey", "fn_tid", "fn_xmin", "use_count"];

/// The enums of C that the messages have, or this library.
const ENUMS: [(&str, &str); 3] = [
    ("FetchDirection", "protobuf::FetchDirection"),
    ("FunctionParameterMode", "protobuf::FunctionParameterMode"),
    ("RawParseMode", "crate::ParseMode"),
];

/// What a tag tells apart.
struct Sum {
    rust: &'static str,
    /// The struct that the others begin as, its field with the tag, and the enum of the tags.
    header: &'static str,
    tag: &'static str,
    tags: &'static str,
    text: &'static str,
}

const STMT: Sum = Sum {
    rust: "Stmt",
    header: "stmt",
    tag: "cmd_type",
    tags: "stmt_type",
    text: "A statement of any kind: PostgreSQL's [`PLpgSQL_stmt`](super::raw::PLpgSQL_stmt).",
};

const DATUM: Sum = Sum {
    rust: "Datum",
    header: "datum",
    tag: "dtype",
    tags: "datum_type",
    text: "A variable of any kind: PostgreSQL's [`PLpgSQL_datum`](super::raw::PLpgSQL_datum).",
};

/// A C type, as far as it matters here.
enum CType {
    Named(String),
    Pointer(Box<CType>),
    Other,
}

impl CType {
    fn new(ty: &Type) -> Self {
        match ty {
            Type::Path(path) => match path.path.segments.last() {
                Some(last) => Self::Named(last.ident.to_string()),
                None => Self::Other,
            },
            Type::Ptr(pointer) => Self::Pointer(Box::new(Self::new(&pointer.elem))),
            _ => Self::Other,
        }
    }

    /// Returns the name of what a pointer leads to.
    fn target(&self) -> Option<&str> {
        match self {
            Self::Pointer(target) => match &**target {
                Self::Named(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The structs and enums of PL/pgSQL in the bindings, without the beginning of their names.
#[derive(Default)]
struct Source {
    structs: BTreeMap<String, Vec<(String, CType)>>,
    enums: BTreeMap<String, Vec<String>>,
}

impl Source {
    fn read(bindings: &Path) -> Result<Self, Box<dyn Error>> {
        let mut source = Self::default();
        for item in syn::parse_file(&fs::read_to_string(bindings)?)?.items {
            match item {
                Item::Struct(item) => {
                    let name = item.ident.to_string();
                    let (Some(name), Fields::Named(fields)) =
                        (name.strip_prefix(PREFIX), item.fields)
                    else {
                        continue;
                    };
                    let fields = fields.named.iter().filter_map(|field| {
                        Some((field.ident.as_ref()?.to_string(), CType::new(&field.ty)))
                    });
                    source.structs.insert(name.to_owned(), fields.collect());
                }
                Item::Impl(item) if item.trait_.is_none() => {
                    let CType::Named(name) = CType::new(&item.self_ty) else { continue };
                    let Some(name) = name.strip_prefix(PREFIX) else { continue };
                    let constants = item.items.iter().filter_map(|item| match item {
                        ImplItem::Const(item) => Some(item.ident.to_string()),
                        _ => None,
                    });
                    source.enums.entry(name.to_owned()).or_default().extend(constants);
                }
                _ => {}
            }
        }
        Ok(source)
    }
}

/// Returns the name of a struct or an enum in Rust.
fn rust_name(name: &str) -> String {
    let other = NAMES.iter().find(|(in_c, _)| *in_c == name);
    other.map_or_else(|| name.to_upper_camel_case(), |(_, rust)| (*rust).to_owned())
}

/// Returns what the names of several constants begin with, up to an underscore.
fn common_prefix(constants: &[String]) -> &str {
    let first = constants.first().map_or("", String::as_str);
    let ends = first.match_indices('_').map(|(at, _)| &first[..=at]);
    let is_common = |prefix: &&str| constants.iter().all(|it| it.starts_with(*prefix));
    ends.rev().find(is_common).unwrap_or("")
}

/// A field of a generated struct.
struct Field {
    name: String,
    in_c: String,
    ty: String,
    attributes: Vec<String>,
    rule: Option<Rule>,
    /// What a pointer leads to.
    target: Option<String>,
}

struct Generator<'a> {
    source: Source,
    comments: &'a Comments,
    code: String,
    /// The structs that have been generated, and those that are to be.
    done: BTreeSet<String>,
    queue: Vec<String>,
    enums: BTreeSet<String>,
    /// The rows of the macro that lists all structs.
    rows: String,
    /// The structs that have a place.
    ranged: Vec<String>,
    /// The code of the views.
    views: String,
}

/// Generates the code of a version: of the tree, and of its views.
///
/// # Errors
///
/// A field has a C type that says too little, and no rule; or a rule is about what the newest version does not have.
pub(crate) fn generate(
    major: u32,
    bindings: &Path,
    comments: &Comments,
) -> Result<(String, String), Box<dyn Error>> {
    let source = Source::read(bindings)?;
    if major >= 18 {
        let has = |of: &str, field: &str| {
            let mut structs = source.structs.iter().filter(|(name, _)| of == "*" || *name == of);
            structs.any(|(_, fields)| fields.iter().any(|(name, _)| name == field))
        };
        if let Some(row) = unused(has).find(|row| !OLDER.iter().any(|it| row.ends_with(it))) {
            return Err(format!("plpgsql_fields.rs has a rule about {row}").into());
        }
    }
    let mut generator = Generator {
        source,
        comments,
        code: String::new(),
        done: BTreeSet::new(),
        queue: vec!["function".to_owned()],
        enums: BTreeSet::new(),
        rows: String::new(),
        ranged: Vec::new(),
        views: "use super::plpgsql::view_prelude::*;\nuse super::{plpgsql_tree as owned, view as sql};\n\n".to_owned(),
    };
    generator.code.push_str("use super::plpgsql::prelude::*;\n\n");
    while let Some(name) = generator.queue.pop() {
        if generator.done.insert(name.clone()) {
            match name.as_str() {
                "stmt" => generator.sum(&STMT)?,
                "datum" => generator.sum(&DATUM)?,
                _ => generator.structure(&name)?,
            }
        }
    }
    for name in std::mem::take(&mut generator.enums) {
        generator.enumeration(&name)?;
    }
    let rows = generator.rows;
    let mut code = generator.code;
    // Writing to a String cannot fail.
    let _ = write!(
        code,
        "macro_rules! each_struct {{ ($then:ident) => {{ $then! {{\n{rows}}} }}; }}\npub(crate) use each_struct;\n\
         macro_rules! each_ranged {{ ($then:ident) => {{ $then! {{ {} }} }}; }}\npub(crate) use each_ranged;\n",
        generator.ranged.join(" "),
    );
    Ok((code, generator.views))
}

impl Generator<'_> {
    /// Returns the text on a type or a part of it: ours, or the mark for the comment in C.
    fn text(&self, of: &str, in_c: &str, rust: &str) -> String {
        if let Some(text) = text(of, rust) {
            return text.to_owned();
        }
        let ty = format!("{PREFIX}{of}");
        let (comment, mark) = match in_c {
            "" => (self.comments.of_type(&ty), format!("{BEGIN}{ty}{END}")),
            member => (self.comments.of_member(&ty, member), format!("{BEGIN}{ty}.{member}{END}")),
        };
        comment.map(|_| mark).unwrap_or_default()
    }

    fn lines(&mut self, indent: &str, text: &str) {
        for line in doc(text) {
            self.line(&format!("{indent}{line}"));
        }
    }

    fn line(&mut self, line: &str) {
        self.code.push_str(line);
        self.code.push('\n');
    }

    fn structure(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let fields = self.source.structs.remove(name).ok_or(format!("no struct {name}"))?;
        let (mut mapped, mut skipped) = (Vec::new(), Vec::new());
        for (in_c, ty) in &fields {
            match rule(name, in_c) {
                // Where the array is, its length is as well.
                Some(Rule::Skip(LENGTH)) => {}
                Some(Rule::Skip(_)) => skipped.push(in_c.clone()),
                rule => mapped.push(self.field(name, in_c, ty, rule)?),
            }
        }
        let rust = rust_name(name);
        let mut text = self.text(name, "", "");
        let in_c = format!("PostgreSQL's struct [`{PREFIX}{name}`](super::raw::{PREFIX}{name}).");
        text = if text.is_empty() { in_c } else { format!("{text}\n\n{in_c}") };
        self.lines("", &text);
        let skip_raw = match skipped.as_slice() {
            [] => String::new(),
            names => format!(", skip_raw({})", names.join(", ")),
        };
        self.line("#[derive(Clone, Debug, Default, FromRaw, PartialEq)]");
        self.line(&format!("#[pg_ast(raw = raw::{PREFIX}{name}, internal(untagged){skip_raw})]"));
        self.line(&format!("pub struct {rust} {{"));
        let is_enum = |ty: &str| {
            let ty = ty.trim_start_matches("Option<").trim_end_matches('>');
            self.enums.iter().any(|it| rust_name(it) == ty)
        };
        let mut views = Vec::new();
        for field in &mapped {
            let mut text = self.text(name, &field.in_c, &field.name);
            if field.in_c != field.name {
                text = format!("{text} In C: `{}`.", field.in_c);
            }
            views.push(ViewField {
                name: &field.name,
                in_c: &field.in_c,
                owned: &field.ty,
                is_enum: is_enum(&field.ty),
                rule: field.rule,
                target: field.target.as_deref(),
                text: text.trim_start().to_owned(),
            });
        }
        plpgsql_views::structure(&mut self.views, &rust, &format!("{PREFIX}{name}"), &text, &views);
        let texts = views.into_iter().map(|view| view.text).collect::<Vec<_>>();
        for (field, text) in mapped.iter().zip(texts) {
            self.lines("    ", &text);
            if !field.attributes.is_empty() {
                self.line(&format!("    #[pg_ast({})]", field.attributes.join(", ")));
            }
            self.line(&format!("    pub {}: {},", field.name, field.ty));
        }
        self.line("}\n");
        if mapped.iter().any(|field| field.name == "end") {
            self.ranged.push(rust.clone());
        }
        // As in the text: expressions come before the statements that they decide about.
        let holds_stmts = |field: &&Field| {
            ["Stmts", "Vec<IfElsif>", "Vec<CaseWhen>", "Option<ExceptionBlock>", "Vec<Exception>"]
                .contains(&field.ty.as_str())
        };
        let (with, without): (Vec<_>, Vec<_>) = mapped.iter().partition(|it| holds_stmts(it));
        let names = without.into_iter().chain(with).map(|field| field.name.as_str());
        let names = names.collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.rows, "{rust} {PREFIX}{name}: {names};");
        Ok(())
    }

    fn field(
        &mut self,
        of: &str,
        in_c: &str,
        ty: &CType,
        rule: Option<Rule>,
    ) -> Result<Field, Box<dyn Error>> {
        let mut attributes = Vec::new();
        let name = in_c.to_snake_case();
        if name != in_c {
            attributes.push(format!("name = {in_c:?}"));
        }
        let target = ty.target().map(str::to_owned);
        let unknown = || format!("{of}.{in_c} has a type that needs a rule in plpgsql_fields.rs");
        let ty = match rule {
            Some(Rule::List(items)) => {
                self.queue.push(items.to_owned());
                attributes.push(format!("internal(items = raw::{PREFIX}{items})"));
                if items == "stmt" {
                    "Stmts".to_owned()
                } else {
                    format!("Vec<{}>", rust_name(items))
                }
            }
            Some(Rule::Nodes) => "Vec<protobuf::Node>".to_owned(),
            Some(Rule::Array(count)) => {
                attributes.push(format!("internal(count = {count:?})"));
                let CType::Pointer(item) = ty else { return Err(unknown().into()) };
                let item = match &**item {
                    CType::Named(name) if name == "c_int" => "Dno".to_owned(),
                    item => self.base(item).ok_or_else(unknown)?,
                };
                format!("Vec<{item}>")
            }
            Some(Rule::Chain) => format!("Vec<{}>", self.base(ty).ok_or_else(unknown)?),
            Some(Rule::Dno) => "Dno".to_owned(),
            Some(Rule::OptionalDno) => "Option<Dno>".to_owned(),
            Some(Rule::Optional) => format!("Option<{}>", self.base(ty).ok_or_else(unknown)?),
            Some(Rule::Skip(_)) => return Err(unknown().into()),
            None => self.base(ty).ok_or_else(unknown)?,
        };
        Ok(Field { name, in_c: in_c.to_owned(), ty, attributes, rule, target })
    }

    /// Returns the type in Rust of a C type that says all about itself.
    fn base(&mut self, ty: &CType) -> Option<String> {
        let name = match (ty, ty.target()) {
            (_, Some("c_char")) => return Some("String".to_owned()),
            (_, Some("RawStmt" | "TypeName")) => return Some("ParseResult".to_owned()),
            (_, Some("PLpgSQL_variable")) => return Some("Target".to_owned()),
            (_, Some("PLpgSQL_var")) => return Some("Dno".to_owned()),
            (_, Some(name)) => {
                let name = name.strip_prefix(PREFIX)?.to_owned();
                self.queue.push(name.clone());
                return Some(rust_name(&name));
            }
            (CType::Named(name), None) => name.as_str(),
            _ => return None,
        };
        let rust = match name {
            "bool" => "bool",
            "c_int" | "int32" => "i32",
            "c_uint" | "uint32" => "u32",
            "c_long" => "i64",
            name => {
                match name.strip_prefix(PREFIX).filter(|it| self.source.enums.contains_key(*it)) {
                    Some(name) => {
                        self.enums.insert(name.to_owned());
                        return Some(rust_name(name));
                    }
                    None => ENUMS.iter().find(|(in_c, _)| *in_c == name)?.1,
                }
            }
        };
        Some(rust.to_owned())
    }

    fn enumeration(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let constants = self.source.enums.remove(name).ok_or(format!("no enum {name}"))?;
        let prefix = common_prefix(&constants).to_owned();
        let mut text = self.text(name, "", "");
        let in_c =
            format!("PostgreSQL's enumeration [`{PREFIX}{name}`](super::raw::{PREFIX}{name}).");
        text = if text.is_empty() { in_c } else { format!("{text}\n\n{in_c}") };
        self.lines("", &text);
        self.line("#[derive(Clone, Copy, Debug, Default, Eq, FromRaw, Hash, PartialEq)]");
        self.line(&format!("#[pg_ast(raw = raw::{PREFIX}{name})]"));
        let rust = rust_name(name);
        self.line(&format!("pub enum {rust} {{"));
        for (index, constant) in constants.iter().enumerate() {
            let text = self.text(name, constant, "");
            let text = if text.is_empty() { format!("In C: `{constant}`.") } else { text };
            self.lines("    ", &text);
            if index == 0 {
                self.line("    #[default]");
            }
            self.line(&format!("    #[pg_ast(name = {constant:?})]"));
            self.line(&format!("    {},", constant[prefix.len()..].to_upper_camel_case()));
        }
        self.line("}");
        let rust_names = constants.iter().map(|it| it[prefix.len()..].to_upper_camel_case());
        let rows = rust_names.zip(&constants).map(|(rust, in_c)| format!("{rust} {in_c};"));
        let rows = rows.collect::<Vec<_>>().join(" ");
        self.line(&format!("constants! {{ {rust}: {rows} }}\n"));
        Ok(())
    }

    /// Writes the enum of the structs that a tag tells apart, and a macro that lists them.
    fn sum(&mut self, sum: &Sum) -> Result<(), Box<dyn Error>> {
        let Sum { rust, header, tag, tags, text } = sum;
        let constants = self.source.enums.get(*tags).ok_or(format!("no enum {tags}"))?.clone();
        let prefix = common_prefix(&constants).to_owned();
        self.lines("", text);
        self.line("#[derive(Clone, Debug, FromRaw, PartialEq)]");
        self.line(&format!(
            "#[pg_ast(raw = raw::{PREFIX}{header}, internal(tags = raw::{PREFIX}{tags}), header = {tag:?})]"
        ));
        self.line(&format!("pub enum {rust} {{"));
        let mut rows = String::new();
        for constant in &constants {
            let kind = constant[prefix.len()..].to_lowercase();
            // A promise is a variable whose value is computed.
            let name = match (*header, kind.as_str()) {
                ("stmt", kind) => format!("stmt_{kind}"),
                (_, "promise") => "var".to_owned(),
                (_, kind) => kind.to_owned(),
            };
            let (variant, ty) = (kind.to_upper_camel_case(), rust_name(&name));
            self.queue.push(name.clone());
            let text = match (*header, kind.as_str()) {
                (_, "promise") => {
                    "A variable of a function for triggers, such as `TG_OP`.".to_owned()
                }
                _ => self.text(&name, "", ""),
            };
            self.lines("    ", &text);
            self.line(&format!("    #[pg_ast(raw = raw::{PREFIX}{name}, tag = {constant:?})]"));
            self.line(&format!("    {variant}(Box<{ty}>),"));
            let _ = writeln!(rows, "{variant} {ty} {PREFIX}{name} {constant} visit_{name};");
        }
        self.line("}\n");
        let _ = write!(
            self.code,
            "macro_rules! each_{header} {{ ($then:ident) => {{ $then! {{\n{rows}}} }}; }}\npub(crate) use each_{header};\n\n"
        );
        Ok(())
    }
}
