//! Constructs that can be repeated in SQL.

use pg_ast::HeapSize as _;

/// A kind of SQL, made of a number of pieces.
pub struct Shape {
    pub name: &'static str,
    pub text: fn(usize) -> String,
}

pub fn list(size: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..size).map(item).collect::<Vec<_>>().join(separator)
}

pub fn nested(size: usize, before: &str, inside: &str, after: &str) -> String {
    before.repeat(size) + inside + &after.repeat(size)
}

/// The name of [`most_nodes`].
pub const MOST_NODES: &str = "assignments in assignments";

/// SQL of so many bytes with as many nodes as the default limit allows. It is no shape: the nodes grow as the limit does.
pub fn most_nodes(bytes: usize) -> String {
    let row = |item: &str, count| format!("ROW({})", list(count, ",", |_| item.to_owned()));
    let sources = |count| {
        [
            "(SELECT 1)".to_owned(),
            row("(SELECT)", count),
            row("f()", count),
            row("a", count),
            format!("({})", list(count, " UNION ", |_| "SELECT".to_owned())),
            format!("(SELECT FROM {})", list(count, ",", |_| "a".to_owned())),
        ]
    };
    let text = |source: String, columns, levels| {
        let columns = list(columns, ",", |_| "a".to_owned());
        let sql = (0..levels).fold(source, |source, level| {
            let update = format!("UPDATE t SET({columns})={source}");
            if level + 1 == levels { update } else { format!("(WITH x AS({update})SELECT 1)") }
        });
        // Blanks count as well.
        format!("{sql:bytes$}")
    };
    // With as many items in the source as are accepted.
    let most = |kind: usize, columns, levels| {
        let counts: Vec<_> = (1..=bytes / 2).collect();
        let sql = |count| text(sources(count)[kind].clone(), columns, levels);
        let count = counts.partition_point(|count| {
            sql(*count).len() == bytes && pg_ast::view::parse(&sql(*count)).is_ok()
        });
        sql(count.max(1))
    };
    let columns = [2, 3, 4, 6, 8, 12, 16, 24, 40, 60, 90];
    let cases =
        columns.iter().flat_map(|columns| [1, 2, 3, 5, 8, 12].map(|levels| (*columns, levels)));
    cases
        .flat_map(|(columns, levels)| (0..6).map(move |kind| most(kind, columns, levels)))
        .filter(|sql| sql.len() == bytes)
        .max_by_key(|sql| pg_ast::parse(sql).map_or(0, |tree| tree.protobuf.heap_size()))
        .expect("one has a tree")
}

macro_rules! shapes {
    ($($name:literal: |$n:ident| $text:expr,)*) => {
        &[$(Shape { name: $name, text: |$n| $text }),*]
    };
}

pub const SHAPES: &[Shape] = shapes! {
    "IN list": |n| format!("SELECT 1 FROM t WHERE a IN ({})", list(n, ", ", |i| i.to_string())),
    "VALUES rows": |n| format!("VALUES {}", list(n, ", ", |i| format!("({i}, 'x', $1)"))),
    "INSERT rows": |n| {
        format!("INSERT INTO t (a, b) VALUES {}", list(n, ", ", |i| format!("({i}, 'row {i}')")))
    },
    "targets": |n| format!("SELECT {} FROM t", list(n, ", ", |i| format!("a{i} AS b{i}"))),
    "targets, aggregates": |n| format!("SELECT {} FROM t", list(n, ", ", |i| format!("sum(a{i} + 1)"))),
    "DISTINCT ON": |n| format!("SELECT DISTINCT ON ({}) 1 FROM t", list(n, ", ", |i| format!("a{i}"))),
    "FROM items": |n| format!("SELECT 1 FROM {}", list(n, ", ", |i| format!("t{i} AS x{i}"))),
    "joins": |n| {
        format!("SELECT 1 FROM t {}", list(n, " ", |i| format!("JOIN t{i} ON t{i}.a = t.b")))
    },
    "joins with USING": |n| {
        format!("SELECT a, * FROM t {}", list(n, " ", |i| format!("JOIN t AS x{i} USING (a)")))
    },
    "ORDER BY": |n| format!("SELECT 1 FROM t ORDER BY {}", list(n, ", ", |i| format!("a{i} DESC"))),
    "GROUP BY": |n| format!("SELECT 1 FROM t GROUP BY {}", list(n, ", ", |i| format!("a{i}"))),
    "GROUP BY of targets": |n| {
        let items = list(n, ", ", |i| format!("a{i} + {i}"));
        format!("SELECT {items} FROM t GROUP BY {items}")
    },
    "GROUP BY of other targets": |n| {
        let (targets, items) = (|i| format!("a + {i}"), |i| format!("b + {i}"));
        format!("SELECT {} FROM t GROUP BY {}", list(n, ", ", targets), list(n, ", ", items))
    },
    "GROUPING SETS": |n| {
        format!("SELECT 1 FROM t GROUP BY GROUPING SETS ({})", list(n, ", ", |i| format!("(a{i}, b)")))
    },
    "WINDOW": |n| {
        format!("SELECT 1 FROM t WINDOW {}", list(n, ", ", |i| format!("w{i} AS (ORDER BY a{i})")))
    },
    "UNION chain": |n| list(n, " UNION ALL ", |i| format!("SELECT {i} FROM t{i}")),
    "INTERSECT to the right": |n| nested(n, "SELECT 1 INTERSECT (", "SELECT 2", ")"),
    "subselects in targets": |n| nested(n, "SELECT a, (", "SELECT 1", ")"),
    "subselects in FROM": |n| nested(n, "SELECT 1 FROM (", "SELECT 1", ") AS x"),
    "subselects in WHERE": |n| nested(n, "SELECT 1 FROM t WHERE a IN (", "SELECT 1", ")"),
    "subselects side by side": |n| format!("SELECT {}", list(n, ", ", |i| format!("(SELECT {i})"))),
    "CASE branches": |n| {
        format!("SELECT CASE {} END", list(n, " ", |i| format!("WHEN a = {i} THEN 'x{i}'")))
    },
    "CASE in CASE": |n| format!("SELECT {}", nested(n, "CASE WHEN a THEN 1 ELSE ", "2", " END")),
    "CTEs": |n| {
        format!("WITH {} SELECT 1", list(n, ", ", |i| format!("x{i} AS (SELECT {i} FROM t{i})")))
    },
    "CTEs that name the one before twice": |n| {
        let more = list(n, ", ", |i| {
            let next = i + 1;
            format!("x{next} AS (SELECT l.a + r.b AS a, l.b FROM x{i} l JOIN x{i} r USING (b) WHERE l.a > r.a)")
        });
        format!("WITH x0 AS (SELECT a, b FROM t), {more} SELECT a, b FROM x{n}")
    },
    "CTE in CTE": |n| nested(n, "WITH x AS (", "SELECT 1", ") SELECT 1"),
    "AND": |n| format!("SELECT 1 FROM t WHERE {}", list(n, " AND ", |i| format!("a{i} = {i}"))),
    "OR": |n| format!("SELECT 1 FROM t WHERE {}", list(n, " OR ", |i| format!("a = {i}"))),
    "NOT": |n| format!("SELECT {} a", "NOT ".repeat(n)),
    "sum": |n| format!("SELECT {}", list(n, " + ", |i| format!("a{i}"))),
    "casts": |n| format!("SELECT 1{}", "::int".repeat(n)),
    "signs": |n| format!("SELECT {}1", "- ".repeat(n)),
    "parentheses": |n| format!("SELECT {}", nested(n, "(", "1", ")")),
    "function calls": |n| format!("SELECT {}", nested(n, "f(", "1", ")")),
    "function arguments": |n| format!("SELECT f({})", list(n, ", ", |i| format!("x{i} => {i}"))),
    "array": |n| format!("SELECT ARRAY[{}]", list(n, ", ", |i| i.to_string())),
    "row": |n| format!("SELECT ROW({})", list(n, ", ", |i| i.to_string())),
    "subscripts": |n| format!("SELECT a{}", "[1]".repeat(n)),
    "COLLATE": |n| format!("SELECT a{}", " COLLATE \"C\"".repeat(n)),
    "AT TIME ZONE": |n| format!("SELECT a{}", " AT TIME ZONE 'x'".repeat(n)),
    "IS NULL": |n| format!("SELECT a{}", " IS NULL".repeat(n)),
    "columns": |n| {
        format!("CREATE TABLE t ({})", list(n, ", ", |i| format!("c{i} int NOT NULL DEFAULT {i}")))
    },
    "constraints": |n| {
        format!("CREATE TABLE t (a int, {})", list(n, ", ", |i| format!("CHECK (a > {i})")))
    },
    "ALTER TABLE": |n| {
        format!("ALTER TABLE t {}", list(n, ", ", |i| format!("ADD COLUMN c{i} text")))
    },
    "options": |n| format!("CREATE TABLE t () WITH ({})", list(n, ", ", |i| format!("o{i} = {i}"))),
    "SET columns": |n| {
        format!("UPDATE t SET {} WHERE b", list(n, ", ", |i| format!("c{i} = c{i} + {i}")))
    },
    "multi-assignments": |n| {
        format!("UPDATE t SET {}", list(n, ", ", |i| format!("(a{i}, b{i}) = (SELECT {i}, 2)")))
    },
    "WHEN of MERGE": |n| {
        let when = |i| format!("WHEN MATCHED AND a = {i} THEN UPDATE SET b = {i}");
        format!("MERGE INTO t USING u ON t.a = u.a {}", list(n, " ", when))
    },
    "RETURNING": |n| format!("DELETE FROM t RETURNING {}", list(n, ", ", |i| format!("a{i}"))),
    "GRANT": |n| format!("GRANT SELECT ON {} TO r", list(n, ", ", |i| format!("t{i}"))),
    "DROP": |n| format!("DROP TABLE {}", list(n, ", ", |i| format!("s.t{i}"))),
    "names": |n| format!("SELECT {}", list(n, ".", |i| format!("a{i}"))),
    "parameters of a function": |n| {
        let parameters = list(n, ", ", |i| format!("a{i} int DEFAULT {i}"));
        format!("CREATE FUNCTION f({parameters}) RETURNS int LANGUAGE sql AS 'SELECT 1'")
    },
    "JSON_TABLE columns": |n| {
        let columns = list(n, ", ", |i| format!("c{i} int PATH '$.c{i}'"));
        format!("SELECT * FROM JSON_TABLE(j, '$' COLUMNS ({columns})) AS x")
    },
    "XMLTABLE columns": |n| {
        let columns = list(n, ", ", |i| format!("c{i} int PATH 'c{i}'"));
        format!("SELECT * FROM XMLTABLE('/a' PASSING x COLUMNS {columns})")
    },
    "partitions": |n| {
        format!("CREATE TABLE t PARTITION OF p FOR VALUES IN ({})", list(n, ", ", |i| i.to_string()))
    },
    "statements": |n| list(n, ";\n", |i| format!("SELECT {i} FROM t WHERE a = 'x'")),
    "semicolons": |n| ";".repeat(n),
    "COPY blocks": |n| "COPY t FROM stdin;\n1\n\\.\n".repeat(n),
    "COPY without end": |n| "COPY t FROM stdin;\n".repeat(n),
    "COPY on one line": |n| "COPY t FROM stdin;".repeat(n),
    "wrong COPY": |n| "COPY t FRM stdin;\n".repeat(n),
    "wrong COPY on one line": |n| "COPY t FRM stdin;".repeat(n) + &"\n1".repeat(n),
    "wrong COPY behind others": |n| "SELECT 1;COPY t FRM stdin;\n".repeat(n),
    "wrong COPY blocks": |n| "COPY t FRM stdin;\n1\n\\.\n".repeat(n),
    "parameters": |n| format!("SELECT {}", list(n, ", ", |i| format!("${}", i + 1))),
    "comments": |n| format!("SELECT {}", list(n, ", ", |i| format!("/* c{i} */ a -- d{i}\n"))),
    "statements and comments": |n| list(n, "", |i| format!("-- c{i}\nSELECT {i} /* d */ + 1;\n")),
    "comments at the end": |n| format!("SELECT 1 {}", list(n, "\n", |i| format!("-- c{i}"))),
    "empty comments": |n| format!("SELECT {}1", "/**/".repeat(n)),
    "comments after signs": |n| format!("SELECT {}1", "+/**/".repeat(n)),
    "nested comments": |n| format!("SELECT {} 1", nested(n, "/*", "", "*/")),
    "comments without end": |n| "/*".repeat(n),
    "stars": |n| format!("SELECT /*{}/ 1", "*".repeat(n)),
    "plus": |n| "+".repeat(n),
    "plus and minus": |n| format!("SELECT {}1", "+-".repeat(n)),
    "minus": |n| format!("SELECT {}\n1", "-".repeat(n)),
    // Longer than an operator may be, for each `n`: the error takes most of the work.
    "operator": |n| format!("SELECT 1 {} 1", "~".repeat(64 + n)),
    "operators": |n| format!("SELECT {}", list(n, " ", |_| "a ~+".to_owned())),
    "quoted names": |n| format!("SELECT {}", list(n, ", ", |i| format!("\"A \"\"{i}\""))),
    "long name": |n| format!("SELECT {}", "a".repeat(n)),
    "truncated names": |n| format!("SELECT {}", list(n, ", ", |i| format!("{}{i}", "é".repeat(40)))),
    "escapes": |n| format!("SELECT E'{}'", "\\n\\x41\\u00e9".repeat(n)),
    "escape warnings": |n| {
        format!("SET standard_conforming_strings = off; SELECT {}", list(n, ", ", |_| "'é\\n'".to_owned()))
    },
    "Unicode escapes": |n| format!("SELECT U&'{}'", "\\00e9".repeat(n)),
    "quotes": |n| format!("SELECT '{}'", "''".repeat(n)),
    "continued string": |n| format!("SELECT {}", "'a'\n".repeat(n)),
    "dollar quotes": |n| format!("SELECT {}", list(n, ", ", |i| format!("$q{i}$ $x$ $q{i}$"))),
    "dollars": |n| format!("SELECT $q$ {} $q$", "$q $".repeat(n)),
    "dollar quotes without end": |n| list(n, "\n", |i| format!("$q{i}$")),
    "mistakes of the scanner": |n| "1x E'\\u' ".repeat(n),
    "open parentheses": |n| "SELECT (a FROM t;\n".repeat(n),
    "open subselects": |n| "SELECT (\n".repeat(n),
    "parentheses without end": |n| format!("SELECT {}", "(".repeat(n)),
    "function calls without end": |n| format!("SELECT {}", "f(a, ".repeat(n)),
    "CASE without end": |n| format!("SELECT {}", "CASE WHEN ".repeat(n)),
    "subselects without end": |n| "SELECT * FROM (".repeat(n),
    "joins without end": |n| format!("SELECT * FROM t {}", "JOIN ".repeat(n)),
    "columns without end": |n| format!("CREATE TABLE t ({}", "a int CHECK (".repeat(n)),
    "closing parentheses": |n| format!("SELECT {}", ") ".repeat(n)),
    "signs and closing parentheses": |n| format!("SELECT {}1{}", "- ".repeat(n), " )".repeat(n)),
    "NOT and closing parentheses": |n| {
        format!("SELECT {}a{}", "NOT ".repeat(n), list(n, "", |_| " + b )".to_owned()))
    },
    "words": |n| "a b ".repeat(n),
    "keywords side by side": |n| "SELECT ".repeat(n),
    "misspelt words": |n| format!("SELECT a {}", "FRM t WHRE b ODER ".repeat(n)),
    "misspelt keyword in each statement": |n| "SELEC 1; ".repeat(n),
    "brackets": |n| format!("SELECT {}", "] [ ".repeat(n)),
    "commas": |n| format!("SELECT {}", ", ".repeat(n)),
    "keywords": |n| format!("SELECT {}", "FROM WHERE ".repeat(n)),
    "misspelt keywords": |n| "SELEC a FORM t WERE b ".repeat(n),
    "numbers side by side": |n| format!("SELECT {}", "1 ".repeat(n)),
    "short mistakes": |n| "(;\n".repeat(n),
    "lines of keywords": |n| "SELECT\nFROM\n".repeat(n),
    "lines in a quote": |n| format!("SELECT 'a\n{}", "SELECT 1;\n".repeat(n)),
    "lines in a quote with an end": |n| format!("SELECT 'a\n{}' b", "SELECT 1;\n".repeat(n)),
    "wrong functions": |n| "create function :s.a() as $$\nbegin\nend;\n$$;\n".repeat(n),
    "dollar quotes in a quote": |n| format!("SELECT 'a\n{}", list(n, "\n", |i| format!("$q{i}$"))),
    "open quotes": |n| "SELECT 'a;\nSELECT 'b';\n".repeat(n),
    "open comments": |n| "SELECT 1 /* a;\n".repeat(n),
    "statements without semicolon": |n| "SELECT 1 FROM t\n".repeat(n),
    "functions with mistakes": |n| {
        "CREATE FUNCTION f() AS $$\nSELECT 1;\n$$ LANGUAGE LANGUAGE sql;\n".repeat(n)
    },
    "body without end": |n| format!("CREATE FUNCTION f() BEGIN ATOMIC\n{}", "SELECT 1;\n".repeat(n)),
    "string": |n| format!("SELECT '{}'", "é x".repeat(n)),
    "error at the end": |n| format!("SELECT {} FROM FROM", list(n, ", ", |_| "'é'".to_owned())),
    "GLOBAL warnings": |n| "/* é */ CREATE GLOBAL TEMP TABLE t (a int);\n".repeat(n),
    "blanks": |n| format!("SELECT{}1", " \n".repeat(n)),
    "semicolons for the server": |n| "\\; ".repeat(n),
    "placeholders without end": |n| format!("SELECT {}", "{{ ".repeat(32 * n)),
};
