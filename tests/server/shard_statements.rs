//! Random statements about tables with the columns `k` and `v`.

use std::fmt::Write as _;

/// What makes them.
pub struct Statements {
    state: u64,
    major: u32,
    names: usize,
    /// How many more parts a statement may have.
    budget: usize,
}

impl Statements {
    pub fn new(seed: usize, major: u32) -> Self {
        Self { state: seed as u64 | 1 << 32, major, names: 0, budget: 0 }
    }

    /// A number below `end`, by Marsaglia's xorshift generator.
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 16) % end as u64).expect("below a usize")
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    /// The rows of the tables.
    pub fn data(&mut self) -> String {
        let mut sql = "TRUNCATE a, b, c, d;".to_owned();
        for table in ["a", "b"] {
            for _ in 0..10 {
                let k = if self.is(15) { "NULL".to_owned() } else { self.below(8).to_string() };
                let _ = write!(sql, "INSERT INTO {table} (k, v) VALUES ({k}, {});", self.below(4));
            }
        }
        for key in 0..8 {
            if self.is(70) {
                let _ = write!(sql, "INSERT INTO c VALUES ({key}, {});", self.below(4));
            }
            if self.is(70) {
                let _ = write!(sql, "INSERT INTO d VALUES ({key}, {});", self.below(8));
            }
        }
        sql
    }

    /// A statement.
    pub fn next(&mut self) -> String {
        self.names = 0;
        self.budget = 12;
        match self.below(20) {
            0..10 => self.query(&[], &[]),
            10 | 11 => self.update(),
            12 | 13 => self.delete(),
            14..17 => self.insert(),
            17 | 18 => self.merge(),
            _ => {
                let name = self.name();
                let written = if self.is(50) { self.delete() } else { self.update() };
                let query = self.select(&[], std::slice::from_ref(&name));
                format!("WITH {name} AS ({written} RETURNING 1 AS k, 2 AS v) {query}")
            }
        }
    }

    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    fn constant(&mut self) -> String {
        match self.below(12) {
            0 => "NULL".to_owned(),
            1 => format!("{}::bigint", self.below(8)),
            2 => format!("'{}'::int", self.below(8)),
            _ => self.below(8).to_string(),
        }
    }

    /// A column of one of the sources.
    fn column(&mut self, sources: &[String]) -> String {
        let source = sources[self.below(sources.len())].clone();
        format!("{source}.{}", if self.is(75) { "k" } else { "v" })
    }

    fn key(&mut self, sources: &[String]) -> String {
        format!("{}.k", sources[self.below(sources.len())])
    }

    /// A condition on these sources, and perhaps those of queries around it.
    fn condition(&mut self, own: &[String], outer: &[String], ctes: &[String]) -> String {
        let all: Vec<_> = own.iter().chain(outer).cloned().collect();
        if all.is_empty() {
            return "true".to_owned();
        }
        let mut parts = vec![self.atom(own, &all, ctes)];
        while parts.len() < 4 && self.is(55) {
            parts.push(self.atom(own, &all, ctes));
        }
        parts.join(if self.is(80) { " AND " } else { " OR " })
    }

    fn atom(&mut self, own: &[String], all: &[String], ctes: &[String]) -> String {
        let near = if own.is_empty() { all } else { own };
        match self.below(20) {
            0..5 => format!("{} = {}", self.key(near), self.constant()),
            5 => format!("{} = {}", self.constant(), self.key(near)),
            6..9 => format!("{} = {}", self.key(near), self.column(all)),
            9 => format!("{} IN ({}, {})", self.key(near), self.constant(), self.constant()),
            10 => format!(
                "({}, {}) = ({}, {})",
                self.key(near),
                self.column(near),
                self.constant(),
                self.constant()
            ),
            11 => format!(
                "({}, {}) IN (({}, {}), ({}, {}))",
                self.column(near),
                self.key(near),
                self.constant(),
                self.constant(),
                self.constant(),
                self.constant()
            ),
            12 => format!("{} = ANY (ARRAY[{}, {}])", self.key(near), self.below(8), self.below(8)),
            13 => format!("{} IS NOT DISTINCT FROM {}", self.key(near), self.constant()),
            14 => format!(
                "{} {} {}",
                self.column(all),
                self.one(&["<", ">", "<>", "IS DISTINCT FROM"]),
                self.below(8)
            ),
            15 => format!("{} IS {}NULL", self.column(all), self.one(&["", "NOT "])),
            16 if self.spend() => format!("NOT ({})", self.condition(own, all, ctes)),
            17 if self.spend() => {
                let not = self.one(&["", "", "NOT "]);
                format!("{not}EXISTS ({})", self.query(all, ctes))
            }
            18 if self.spend() => {
                let not = self.one(&["", "", "NOT "]);
                let name = self.name();
                format!(
                    "{} {not}IN (SELECT {name}.k FROM ({}) {name})",
                    self.column(near),
                    self.query(all, ctes)
                )
            }
            _ if self.spend() => format!("({})", self.condition(own, all, ctes)),
            _ => format!("{} = {}", self.key(near), self.constant()),
        }
    }

    /// A table, a query or a join, and the names by which its columns are known.
    fn item(&mut self, outer: &[String], ctes: &[String]) -> (String, Vec<String>) {
        let name = self.name();
        if !self.spend() {
            return (format!("{} {name}", self.one(&["a", "b", "c", "d"])), vec![name]);
        }
        match self.below(12) {
            0 | 1 => (format!("({}) {name}", self.query(&[], ctes)), vec![name]),
            2 => (format!("LATERAL ({}) {name}", self.query(outer, ctes)), vec![name]),
            3 if !ctes.is_empty() => {
                let cte = ctes[self.below(ctes.len())].clone();
                (format!("{cte} AS {name}"), vec![name])
            }
            4 => {
                let rows = format!("({}, 1), ({}, 2)", self.constant(), self.below(8));
                (format!("(VALUES {rows}) {name} (k, v)"), vec![name])
            }
            5..8 => {
                let (left, mut names) = self.item(outer, ctes);
                let (right, more) = self.item(outer, ctes);
                let kind = self.one(&["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
                let is_pair = names.len() == 1 && more.len() == 1;
                names.extend(more.clone());
                let is_using = is_pair && self.is(40);
                let condition = if is_using {
                    format!("USING ({})", self.one(&["k", "k, v"]))
                } else if kind == "FULL JOIN" {
                    format!("ON {} = {}", self.key(&names), self.key(&more))
                } else {
                    format!("ON {}", self.condition(&names, &[], ctes))
                };
                if self.is(10) && is_using {
                    return (format!("({left} {kind} {right} {condition}) AS {name}"), vec![name]);
                }
                (format!("({left} {kind} {right} {condition})"), names)
            }
            8 => (format!("{} AS {name}", self.one(&["a", "b", "c", "d"])), vec![name]),
            9 => {
                let table = self.one(&["a", "c"]);
                (format!("{table} AS {name} ({})", self.one(&["k", "v, k"])), vec![name])
            }
            _ => (format!("{} {name}", self.one(&["a", "b", "c", "d"])), vec![name]),
        }
    }

    fn from(&mut self, outer: &[String], ctes: &[String]) -> (String, Vec<String>) {
        let (mut text, mut names) = self.item(outer, ctes);
        while self.is(35) && self.spend() {
            let visible: Vec<_> = outer.iter().chain(&names).cloned().collect();
            // The first item of a LATERAL one sees no other; a join before it has no name of its own.
            let (item, more) = self.item(&visible, ctes);
            let _ = write!(text, ", {item}");
            names.extend(more);
        }
        (text, names)
    }

    /// A query that returns `k` and `v`.
    fn query(&mut self, outer: &[String], ctes: &[String]) -> String {
        let mut ctes = ctes.to_vec();
        let mut with = String::new();
        if self.is(20) && self.spend() {
            let name = self.name();
            let query = self.query(&[], &ctes);
            let names = self.one(&["", "", " (k, v)"]);
            let _ = write!(with, "WITH {name}{names} AS ({query}) ");
            ctes.push(name);
        }
        if self.is(12) && self.spend() {
            let operator = self.one(&["UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXCEPT ALL"]);
            let (left, right) = (self.select(outer, &ctes), self.select(outer, &ctes));
            return format!("{with}({left}) {operator} ({right})");
        }
        with + &self.select(outer, &ctes)
    }

    fn select(&mut self, outer: &[String], ctes: &[String]) -> String {
        if self.is(4) {
            return format!("SELECT {} AS k, 1 AS v", self.constant());
        }
        let (from, names) = self.from(outer, ctes);
        let mut sql = match self.below(12) {
            0 => format!("SELECT {}.k, count(*)::int AS v FROM {from}", names[0]),
            1 => format!(
                "SELECT {0}.k, row_number() OVER (ORDER BY {0}.k, {0}.v)::int AS v FROM {from}",
                names[0]
            ),
            2 => format!("SELECT max({0}.k) AS k, count(*)::int AS v FROM {from}", names[0]),
            3 => format!("SELECT DISTINCT {}, {}.v FROM {from}", self.key(&names), names[0]),
            4 if names.len() == 1 => format!("SELECT * FROM {from}"),
            5 => format!("SELECT {0}.* FROM {from}", names[0]),
            6 => {
                format!("SELECT {} AS k, {} AS v FROM {from}", self.column(&names), self.constant())
            }
            7 => format!("SELECT {} AS k, {}.v FROM {from}", self.constant(), names[0]),
            8 => format!("SELECT {0}.k + 1 AS k, {0}.v FROM {from}", names[0]),
            _ => format!("SELECT {} AS k, {}.v AS v FROM {from}", self.key(&names), names[0]),
        };
        // What a star returns is not `k` and `v` of a join with USING, or has other columns.
        let is_counted = sql.contains("count(*)");
        if self.is(75) {
            let _ = write!(sql, " WHERE {}", self.condition(&names, outer, ctes));
        }
        if is_counted && !sql.starts_with("SELECT max") {
            let _ = write!(sql, " GROUP BY {}.k", names[0]);
        }
        if !is_counted && self.is(6) {
            sql += " ORDER BY 1, 2 LIMIT 2";
        }
        sql
    }

    fn update(&mut self) -> String {
        let (table, name) = (self.one(&["a", "b"]), self.name());
        let mut names = vec![name.clone()];
        let set = if self.is(20) { format!("k = {}", self.below(8)) } else { "v = 9".to_owned() };
        let mut sql = format!("UPDATE {table} AS {name} SET {set}");
        if self.is(40) {
            let (from, more) = self.from(&[], &[]);
            let _ = write!(sql, " FROM {from}");
            names.extend(more);
        }
        let _ = write!(sql, " WHERE {}", self.condition(&names, &[], &[]));
        sql
    }

    fn delete(&mut self) -> String {
        let (table, name) = (self.one(&["a", "b", "c", "d"]), self.name());
        let mut names = vec![name.clone()];
        let mut sql = format!("DELETE FROM {table} AS {name}");
        if self.is(40) {
            let (from, more) = self.from(&[], &[]);
            let _ = write!(sql, " USING {from}");
            names.extend(more);
        }
        let _ = write!(sql, " WHERE {}", self.condition(&names, &[], &[]));
        sql
    }

    fn insert(&mut self) -> String {
        let (table, columns) = match self.below(4) {
            0 => ("a", ""),
            1 => ("b", " (k, v)"),
            2 => ("c", " (k, v)"),
            _ => ("d", " (k, v)"),
        };
        let mut sql = format!("INSERT INTO {table}{columns} ");
        if self.is(50) {
            let key = if table == "c" { self.below(8).to_string() } else { self.constant() };
            let _ = write!(sql, "VALUES ({key}, {}), ({}, 11)", 10 + self.below(4), self.below(8));
        } else {
            sql += &self.query(&[], &[]);
        }
        match table {
            "c" | "d" => {
                let (key, set) = if table == "c" { ("k", "v") } else { ("v", "k") };
                let _ = match self.below(3) {
                    0 => write!(sql, " ON CONFLICT ({key}) DO UPDATE SET {set} = excluded.{set}"),
                    1 => write!(sql, " ON CONFLICT ({key}) DO NOTHING"),
                    _ => write!(sql, " ON CONFLICT DO NOTHING"),
                };
            }
            _ => {}
        }
        sql
    }

    fn merge(&mut self) -> String {
        let (table, target) = (self.one(&["a", "b"]), self.name());
        let name = self.name();
        let source = if self.is(50) {
            format!("(VALUES ({}, {})) {name} (k, v)", self.below(8), self.below(4))
        } else {
            format!("({}) {name}", self.query(&[], &[]))
        };
        let condition = self.condition(&[target.clone(), name.clone()], &[], &[]);
        let mut sql = format!("MERGE INTO {table} AS {target} USING {source} ON {condition}");
        if self.is(60) {
            sql += self.one(&[
                " WHEN MATCHED THEN DELETE",
                " WHEN MATCHED THEN UPDATE SET v = 7",
                " WHEN MATCHED THEN DO NOTHING",
            ]);
        }
        if self.major >= 17 && self.is(15) {
            sql += " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 8";
        }
        let key = if self.is(60) { format!("{name}.k") } else { self.below(8).to_string() };
        if self.is(60) || !sql.contains("WHEN") {
            let _ = write!(sql, " WHEN NOT MATCHED THEN INSERT (v, k) VALUES (5, {key})");
        }
        sql
    }
}
