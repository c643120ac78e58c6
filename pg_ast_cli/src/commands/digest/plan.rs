//! The query of a plan that `auto_explain` has logged, in any of its formats.

use std::borrow::Cow;

use serde::Deserialize as _;

/// Returns the query of a plan.
pub(super) fn query(plan: &str) -> Option<Cow<'_, str>> {
    let plan = plan.trim_start();
    if plan.starts_with('{') {
        let (_, value) = plan.split_once("\"Query Text\":")?;
        return string(value).map(Cow::Owned);
    }
    if plan.starts_with("<explain") {
        let (_, value) = plan.split_once("<Query-Text>")?;
        let (value, _) = value.split_once("</Query-Text>")?;
        return Some(Cow::Owned(unescaped(value)));
    }
    let text = plan.strip_prefix("Query Text: ")?;
    // YAML quotes it, and no statement begins with a quote.
    if text.starts_with('"') {
        return string(text).map(Cow::Owned);
    }
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if is_behind_query(line) {
            break;
        }
        end += line.len();
    }
    let query = &text[..end];
    Some(Cow::Borrowed(query.strip_suffix('\n').unwrap_or(query)))
}

/// Returns the rows that the first node of a plan has returned, if it has been analyzed: as text, JSON, XML, or YAML.
pub(super) fn rows(plan: &str) -> Option<u64> {
    let marks = [
        ("(actual ", "rows="),
        ("\"Actual Rows\"", ": "),
        ("<Actual-Rows", ">"),
        ("\n  Actual Rows", ": "),
    ];
    let (at, before) = marks.iter().find_map(|(mark, before)| Some((plan.find(mark)?, *before)))?;
    let (_, rows) = plan[at..].split_once(before)?;
    let end = rows.find(|c: char| !c.is_ascii_digit()).unwrap_or(rows.len());
    rows[..end].parse().ok()
}

/// Reads a string of JSON, whatever follows it.
fn string(text: &str) -> Option<String> {
    let mut json = serde_json::Deserializer::from_str(text);
    String::deserialize(&mut json).ok()
}

/// Returns whether a line is the first one of a plan as text, or one that may be before it.
fn is_behind_query(line: &str) -> bool {
    let costs = line.split_once("  (cost=").map(|(_, costs)| costs);
    line.starts_with("Query Parameters: ")
        || costs.is_some_and(|costs| {
            costs.starts_with(|first: char| first.is_ascii_digit()) && costs.contains(" rows=")
        })
}

fn unescaped(xml: &str) -> String {
    let names = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#x0d;", "\r"),
        ("&amp;", "&"),
    ];
    names.iter().fold(xml.to_owned(), |text, (name, character)| text.replace(name, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_query() {
        let sql = "SELECT a\n  FROM t\n WHERE b < 'x\"'";
        let text = format!(
            "\nQuery Text: {sql}\nSeq Scan on t  (cost=0.00..1.01 rows=1 width=4)\n  Filter: (b)"
        );
        assert_eq!(query(&text).unwrap(), sql);
        let text = format!(
            "\nQuery Text: {sql};\nQuery Parameters: $1 = '1'\nResult  (cost=0.00..1.01 rows=1 width=4)"
        );
        assert_eq!(query(&text).unwrap(), format!("{sql};"));
        let json = serde_json::to_string(sql).unwrap();
        assert_eq!(
            query(&format!("\n{{\n  \"Query Text\": {json},\n  \"Plan\": {{\n")).unwrap(),
            sql
        );
        assert_eq!(
            query(&format!("\nQuery Text: {json}\nPlan: \n  Node Type: \"Result\"")).unwrap(),
            sql
        );
        let xml = sql.replace('<', "&lt;").replace('"', "&quot;");
        let xml = format!("\n<explain xmlns=\"x\">\n  <Query-Text>{xml}</Query-Text>\n  <Plan>");
        assert_eq!(query(&xml).unwrap(), sql);
        let text = "\nQuery Text: SELECT 1\nSeq Scan on t  (cost=0.00..1.01 rows=1 width=4) (actual time=0.005..0.006 rows=3 loops=1)\n\
                    \x20 ->  Result  (cost=0.00..1.01 rows=1 width=4) (actual rows=9 loops=1)";
        assert_eq!((rows(text), rows(&text.replace("time=0.005..0.006 ", ""))), (Some(3), Some(3)));
        assert_eq!(rows("{\"Plan\": {\n \"Plan Rows\": 1,\n \"Actual Rows\": 2.00,\n"), Some(2));
        assert_eq!(
            rows("Query Text: \"a\"\nPlan: \n  Node Type: \"x\"\n  Actual Rows: 4\n"),
            Some(4)
        );
        assert_eq!(rows("Seq Scan on t  (cost=0.00..1.01 rows=1 width=4)"), None);
        assert_eq!(query("\nResult  (cost=0.00..1.01 rows=1 width=4)"), None);
    }
}
