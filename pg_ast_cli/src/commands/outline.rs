//! Prints trees as text, from libpg_query's JSON, in one pass that does not recurse.

use std::fmt;
use std::io::{self, Write};

use struson::reader::{JsonReader as _, JsonStreamReader, ReaderSettings, ValueType};

/// The maximum indentation of lines: a statement may have thousands of levels, each with more spaces than words.
const MAX_INDENT: usize = 100;

/// Writes a line for each node and each field, indented by its depth.
pub(crate) fn outline(json: &str, out: &mut dyn Write) -> io::Result<()> {
    walk(json, &mut Outline { out, depth: 0, labels: Vec::new() })
}

/// `(SelectStmt (targetList (ResTarget ..)))`, one statement per line.
pub(crate) fn sexp(json: &str, out: &mut dyn Write) -> io::Result<()> {
    walk(json, &mut Sexp { out })
}

/// An output format of trees.
trait Form {
    /// A statement begins.
    fn stmt(&mut self) -> io::Result<()>;
    /// A statement ends.
    fn end_stmt(&mut self) -> io::Result<()>;
    /// A node, a field that is a struct, or one that is a list: its contents follow.
    fn open(&mut self, name: &str, is_list: bool) -> io::Result<()>;
    fn close(&mut self) -> io::Result<()>;
    /// A field with a value, as JSON writes it; without a name, an item of a list.
    fn value(&mut self, name: Option<&str>, value: &str) -> io::Result<()>;
}

/// An object or a list that is being read.
enum Frame {
    Object,
    Array,
    /// A statement.
    Stmt,
}

fn walk(json: &str, form: &mut dyn Form) -> io::Result<()> {
    let settings =
        ReaderSettings { max_nesting_depth: None, track_path: false, ..ReaderSettings::default() };
    let mut reader = JsonStreamReader::new_custom(json.as_bytes(), settings);
    let bad = |error: struson::reader::ReaderError| io::Error::other(error.to_string());
    reader.begin_object().map_err(bad)?;
    while reader.has_next().map_err(bad)? {
        if reader.next_name().map_err(bad)? != "stmts" {
            reader.skip_value().map_err(bad)?;
            continue;
        }
        reader.begin_array().map_err(bad)?;
        while reader.has_next().map_err(bad)? {
            form.stmt()?;
            reader.begin_object().map_err(bad)?;
            let mut frames = vec![(Frame::Stmt, false)];
            // The name before a value, and whether the label that it opened has to be closed.
            while let Some((frame, opened)) = frames.last() {
                if !reader.has_next().map_err(bad)? {
                    match frame {
                        Frame::Array => reader.end_array().map_err(bad)?,
                        Frame::Object | Frame::Stmt => reader.end_object().map_err(bad)?,
                    }
                    if *opened {
                        form.close()?;
                    }
                    frames.pop();
                    continue;
                }
                let name = match frame {
                    Frame::Array => None,
                    Frame::Object | Frame::Stmt => Some(reader.next_name_owned().map_err(bad)?),
                };
                match reader.peek().map_err(bad)? {
                    kind @ (ValueType::Object | ValueType::Array) => {
                        if let Some(name) = &name {
                            form.open(name, kind == ValueType::Array)?;
                        }
                        let frame = if kind == ValueType::Array {
                            reader.begin_array().map_err(bad)?;
                            Frame::Array
                        } else {
                            reader.begin_object().map_err(bad)?;
                            Frame::Object
                        };
                        if name.is_none() && !reader.has_next().map_err(bad)? {
                            // A list may have an empty cell: `SELECT DISTINCT`.
                            form.value(None, "null")?;
                        }
                        frames.push((frame, name.is_some()));
                    }
                    ValueType::String => {
                        let text = reader.next_string().map_err(bad)?;
                        form.value(name.as_deref(), &serde_json::Value::from(text).to_string())?;
                    }
                    ValueType::Number => {
                        form.value(name.as_deref(), reader.next_number_as_str().map_err(bad)?)?;
                    }
                    ValueType::Boolean => {
                        let value = reader.next_bool().map_err(bad)?.to_string();
                        form.value(name.as_deref(), &value)?;
                    }
                    ValueType::Null => {
                        reader.next_null().map_err(bad)?;
                        form.value(name.as_deref(), "null")?;
                    }
                }
            }
            form.end_stmt()?;
        }
        reader.end_array().map_err(bad)?;
    }
    Ok(())
}

struct Outline<'a> {
    out: &'a mut dyn Write,
    depth: usize,
    /// The depth of each name that is open, and, if it is a field, its line while it is still empty.
    labels: Vec<Open>,
}

struct Open {
    depth: usize,
    /// A field whose line waits for its content: a node is written after it, a list or a struct below it.
    waiting: Option<String>,
}

impl Outline<'_> {
    /// Ends the line of the field that is open: its content is written below.
    fn end_field(&mut self) -> io::Result<()> {
        if let Some(Open { depth, waiting }) = self.labels.last_mut()
            && let Some(name) = waiting.take()
        {
            let indent = Indent(*depth);
            writeln!(self.out, "{indent}{name}")?;
        }
        Ok(())
    }
}

/// The spaces before a line of some depth; below the deepest, the depth as a number.
struct Indent(usize);

impl fmt::Display for Indent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spaces = 2 * self.0.min(MAX_INDENT);
        write!(f, "{:spaces$}", "")?;
        if self.0 > MAX_INDENT { write!(f, "[{}] ", self.0) } else { Ok(()) }
    }
}

/// Nodes have names in capitals, fields do not.
fn is_node(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

impl Form for Outline<'_> {
    fn stmt(&mut self) -> io::Result<()> {
        self.depth = 0;
        Ok(())
    }

    fn end_stmt(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn open(&mut self, name: &str, is_list: bool) -> io::Result<()> {
        if is_node(name) {
            let waiting = self.labels.last_mut().and_then(|open| open.waiting.take());
            let depth = match &waiting {
                // After the name of the field, on the same level.
                Some(_) => self.labels.last().map_or(0, |open| open.depth),
                None => self.depth,
            };
            let indent = Indent(depth);
            let label = waiting.map(|name| name + ": ").unwrap_or_default();
            writeln!(self.out, "{indent}{label}{name}")?;
            self.labels.push(Open { depth: self.depth, waiting: None });
            self.depth = depth + 1;
        } else {
            self.end_field()?;
            self.labels.push(Open { depth: self.depth, waiting: Some(name.to_owned()) });
            if is_list {
                self.end_field()?;
            }
            self.depth += 1;
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        // It was empty.
        self.end_field()?;
        if let Some(open) = self.labels.pop() {
            self.depth = open.depth;
        }
        Ok(())
    }

    fn value(&mut self, name: Option<&str>, value: &str) -> io::Result<()> {
        self.end_field()?;
        let indent = Indent(self.depth);
        match name {
            Some(name) => writeln!(self.out, "{indent}{name}: {value}"),
            None => writeln!(self.out, "{indent}{value}"),
        }
    }
}

struct Sexp<'a> {
    out: &'a mut dyn Write,
}

impl Form for Sexp<'_> {
    fn stmt(&mut self) -> io::Result<()> {
        write!(self.out, "(RawStmt")
    }

    fn end_stmt(&mut self) -> io::Result<()> {
        writeln!(self.out, ")")
    }

    fn open(&mut self, name: &str, _is_list: bool) -> io::Result<()> {
        write!(self.out, " ({name}")
    }

    fn close(&mut self) -> io::Result<()> {
        write!(self.out, ")")
    }

    fn value(&mut self, name: Option<&str>, value: &str) -> io::Result<()> {
        match name {
            Some(name) => write!(self.out, " ({name} {value})"),
            None => write!(self.out, " {value}"),
        }
    }
}
