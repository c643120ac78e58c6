//! `--output junit`: a report of tests. A file is a suite, each of its findings a failure.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::record::Record;

pub(super) fn write(files: &[String], found: &[Record], out: &mut dyn Write) -> io::Result<()> {
    let mut of_files: HashMap<&str, Vec<&Record>> = HashMap::new();
    for record in found {
        of_files.entry(&record.file).or_default().push(record);
    }
    let none = Vec::new();
    // One that is named twice has all of its findings in one place.
    let suites = files.iter().map(|file| (file, of_files.remove(file.as_str())));
    let suites: Vec<_> =
        suites.map(|(file, found)| (file, found.unwrap_or(none.clone()))).collect();
    let tests: usize = suites.iter().map(|(_, found)| found.len().max(1)).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"pgast\" tests=\"{tests}\" failures=\"{}\">", found.len())?;
    for (file, found) in suites {
        let (file, failures) = (Xml(file), found.len());
        let tests = failures.max(1);
        writeln!(
            out,
            "  <testsuite name=\"{file}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
        )?;
        if found.is_empty() {
            writeln!(out, "    <testcase name=\"no findings\" classname=\"{file}\"/>")?;
        }
        for record in found {
            let (rule, line) = (record.rule(), record.region.start_line);
            let (message, text) = (Xml(&record.message), record.text());
            let (level, text) = (record.level.name(), Xml(&text));
            writeln!(
                out,
                "    <testcase name=\"{rule}\" classname=\"{file}\" line=\"{line}\">\n      \
                 <failure type=\"{level}\" message=\"{message}\">{file}:{line}:{}: {text}</failure>\n    \
                 </testcase>",
                record.region.start_column
            )?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Text in XML, which has no notation for most control characters.
struct Xml<'a>(&'a str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(c)),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}'),
            _ => f.write_char(c),
        })
    }
}
