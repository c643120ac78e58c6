//! The command `lineage`: where the columns of results come from.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::Result;
use pg_ast::{ColumnUnit, LineIndex, Version, with_version};
use pg_ast_names::{
    Lineage, LineageKind, LineageOrigin, LineageResult, LineageSource, UnknownOrigin,
};
use serde::Serialize;

use super::list::{each_stmt, print_json};
use crate::Outcome;
use crate::args::Lineage as Args;
use crate::config::Config;
use crate::input::Source;
use crate::known_objects::define;

/// Facets name who has made them, and their definition.
const PRODUCER: &str = "https://github.com/pg-ast/pg_ast";
const SCHEMA_URL: &str = "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet";

pub(crate) fn run(
    args: &Args,
    version: Version,
    config: &Config,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let (catalog, outcome) = args.known.read(version, &args.limits, config)?;
    let mut catalog = catalog.unwrap_or_default();
    let read = args.inputs.each(|source| {
        let lines = LineIndex::new(&source.text);
        let read = each_stmt(&source, version, &args.limits, |sql| {
            let found = with_version!(version, pg, pg_ast_names as names => {
                let tree = pg::view::parse_with(sql, args.limits.options())?;
                names::lineage(&tree, &catalog)
            });
            // It is a part of the text.
            let start = sql.as_ptr().addr() - source.text.as_ptr().addr();
            let line = lines.line_column(start, ColumnUnit::Characters).line + 1;
            for result in &found.results {
                let shown = Shown { found: &found, result, source: &source, line };
                if args.json {
                    shown.json(&args.namespace, out)
                } else {
                    shown.text(version, out)
                }?;
            }
            define(&mut catalog, version, args.limits.options(), sql)?;
            Ok(())
        });
        catalog.end_script();
        read
    })?;
    Ok(outcome.max(read))
}

/// A result with its place.
struct Shown<'a> {
    found: &'a Lineage,
    result: &'a LineageResult,
    source: &'a Source,
    line: usize,
}

/// Returns what happens to rows, and the name of their table.
fn kind(kind: &LineageKind) -> (&'static str, Option<String>) {
    match kind {
        LineageKind::Defined(table) => ("defined", Some(table.to_string())),
        LineageKind::Written(table) => ("written", Some(table.to_string())),
        _ => ("returned", None),
    }
}

/// Returns why a source is not known.
fn reason(unknown: &UnknownOrigin, version: Version) -> String {
    let quote = |name: &str| version.quote_identifier(name);
    match unknown {
        UnknownOrigin::OneOf { column, candidates } => {
            let of: Vec<_> = candidates.iter().map(ToString::to_string).collect();
            format!("{} of {}", quote(column), of.join(" or "))
        }
        UnknownOrigin::ColumnsOf(table) => format!("columns of {table}"),
        UnknownOrigin::Renamed { table, column } => {
            format!("the column of {table} that is named {}", quote(column))
        }
        UnknownOrigin::Default(column) => {
            format!("the default of {}.{}", column.table, quote(&column.column))
        }
        UnknownOrigin::Name(name) => quote(name),
        _ => String::new(),
    }
}

impl Shown<'_> {
    /// Prints a table.
    fn text(&self, version: Version, out: &mut dyn Write) -> io::Result<()> {
        let (kind, table) = kind(&self.result.kind);
        let table = table.map(|table| format!(" {table}")).unwrap_or_default();
        writeln!(out, "{}:{}: {kind}{table}", self.source.name, self.line)?;
        let columns = self.result.columns.iter().map(|column| {
            let name = column.name.as_deref().map(|name| version.quote_identifier(name));
            (name.unwrap_or_else(|| "*".to_owned()), self.found.sources(column))
        });
        let rows = ("(rows)".to_owned(), self.found.influences(self.result));
        let rows = Some(rows).filter(|(_, sources)| !sources.is_empty());
        let mut lines = Vec::new();
        for (name, sources) in columns.chain(rows) {
            if sources.is_empty() {
                lines.push([name.clone(), "-".to_owned(), String::new()]);
            }
            for (index, source) in sources.iter().enumerate() {
                let origin = match &source.origin {
                    LineageOrigin::Column(column) => {
                        let name = version.quote_identifier(&column.column);
                        format!("{}.{name}", column.table)
                    }
                    LineageOrigin::Unknown(unknown) => format!("? {}", reason(unknown, version)),
                    _ => String::new(),
                };
                let flows = source.flows.iter().map(|flow| flow.name().to_lowercase());
                let shown = if index == 0 { name.clone() } else { String::new() };
                lines.push([shown, origin, flows.collect::<Vec<_>>().join(", ")]);
            }
        }
        let widths = [0, 1].map(|place: usize| {
            let widths = lines.iter().map(|line| line[place].chars().count());
            // A long reason is not worth wide lines.
            widths.filter(|width| *width <= 60).max().unwrap_or_default()
        });
        for [name, origin, flows] in lines {
            let line = format!("  {name:<0$}  {origin:<1$}  {flows}", widths[0], widths[1]);
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Prints OpenLineage's facet.
    fn json(&self, namespace: &str, out: &mut dyn Write) -> io::Result<()> {
        let (kind, name) = kind(&self.result.kind);
        let mut fields = BTreeMap::<&str, Field>::new();
        for column in &self.result.columns {
            let name = column.name.as_deref().unwrap_or("*");
            let field = fields.entry(name).or_default();
            field.add(self.found.sources(column), namespace);
        }
        let mut dataset = Field::default();
        dataset.add(self.found.influences(self.result), namespace);
        let facet = Facet {
            producer: PRODUCER,
            schema_url: SCHEMA_URL,
            fields,
            dataset: dataset.input_fields,
            unknown: dataset.unknown,
        };
        let file = &*self.source.name;
        print_json(out, &Printed { file, line: self.line, kind, name, column_lineage: facet })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed<'a> {
    file: &'a str,
    line: usize,
    kind: &'a str,
    name: Option<String>,
    column_lineage: Facet<'a>,
}

#[derive(Serialize)]
struct Facet<'a> {
    #[serde(rename = "_producer")]
    producer: &'a str,
    #[serde(rename = "_schemaURL")]
    schema_url: &'a str,
    fields: BTreeMap<&'a str, Field>,
    dataset: Vec<InputField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<Unknown>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    input_fields: Vec<InputField>,
    /// The facet has no place for it, and allows more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<Unknown>,
}

#[derive(PartialEq, Serialize)]
struct InputField {
    namespace: String,
    name: String,
    field: String,
    transformations: Vec<Transformation>,
}

#[derive(PartialEq, Serialize)]
struct Unknown {
    reason: UnknownOrigin,
    transformations: Vec<Transformation>,
}

#[derive(PartialEq, Serialize)]
struct Transformation {
    #[serde(rename = "type")]
    kind: &'static str,
    subtype: &'static str,
}

impl Field {
    /// Adds the sources of a column; several columns of one name have those of all.
    fn add(&mut self, sources: Vec<LineageSource>, namespace: &str) {
        for source in sources {
            let transformations = source.flows.iter().map(|flow| Transformation {
                kind: if flow.is_direct() { "DIRECT" } else { "INDIRECT" },
                subtype: flow.name(),
            });
            let transformations = transformations.collect();
            match source.origin {
                LineageOrigin::Column(column) => {
                    let table = &column.table;
                    let schema = table.schema.as_ref().map(|schema| format!("{schema}."));
                    let input = InputField {
                        namespace: namespace.to_owned(),
                        name: schema.unwrap_or_default() + &table.name,
                        field: column.column.to_string(),
                        transformations,
                    };
                    if !self.input_fields.contains(&input) {
                        self.input_fields.push(input);
                    }
                }
                LineageOrigin::Unknown(reason) => {
                    self.unknown.push(Unknown { reason, transformations });
                }
                _ => {}
            }
        }
    }
}
