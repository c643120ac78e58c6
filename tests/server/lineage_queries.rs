//! Random queries with two columns, over tables and views with two columns.

/// What makes them.
pub struct Queries {
    state: u64,
    major: u32,
    names: usize,
    /// How many more parts a query may have.
    budget: usize,
    /// Tables and views, each with its columns.
    pub tables: Vec<(String, [&'static str; 2])>,
}

/// The names of columns: few, so that tables have some in common.
const NAMES: [&str; 4] = ["k", "a", "b", "c"];

/// What a query sees: expressions that are columns.
type Columns = Vec<String>;

impl Queries {
    pub fn new(seed: usize, major: u32) -> Self {
        let tables = super::lineage_data::TABLES;
        let tables = tables.map(|(name, columns)| (name.to_owned(), columns)).into();
        Self { state: seed as u64 | 1 << 32, major, names: 0, budget: 0, tables }
    }

    /// A number below `end`, by Marsaglia's xorshift generator.
    pub fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 16) % end as u64).expect("below a usize")
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'s>(&mut self, of: &'s [String]) -> &'s str {
        &of[self.below(of.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    fn two_names(&mut self) -> [&'static str; 2] {
        let first = self.below(NAMES.len());
        [NAMES[first], NAMES[(first + 1 + self.below(NAMES.len() - 1)) % NAMES.len()]]
    }

    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    /// A query, with the names of its columns.
    pub fn next_query(&mut self) -> (String, [&'static str; 2]) {
        self.budget = 14;
        self.query(&[])
    }

    /// A statement that returns rows.
    pub fn next_stmt(&mut self) -> String {
        self.budget = 14;
        let own = |table: &str| vec![format!("{table}.k"), format!("{table}.a")];
        match self.below(20) {
            0 => {
                let (query, _) = self.query(&[]);
                format!("INSERT INTO s (a, k) {query} RETURNING k, a + 1, s")
            }
            1 => {
                let (value, condition) = (self.value(&own("t")), self.value(&own("t")));
                format!("UPDATE t SET a = {value} WHERE {condition} > 1 RETURNING k, a, t.a + k")
            }
            2 => {
                let (value, condition) = (self.value(&own("t")), self.value(&own("t")));
                format!("DELETE FROM t WHERE {condition} > 1 RETURNING {value}, a")
            }
            3 => {
                let value = self.value(&own("c"));
                format!(
                    "INSERT INTO c SELECT k, max(b) FROM u WHERE k >= 0 GROUP BY k ON CONFLICT (k)
                     DO UPDATE SET a = excluded.a + {value} WHERE excluded.a > 1 RETURNING a, k"
                )
            }
            4 if self.major > 16 => {
                let mut both = own("t");
                both.extend(["s.k".to_owned(), "s.b".to_owned()]);
                let (value, condition) = (self.value(&both), self.value(&both));
                let (inserted, other) = (self.value(&both[2..]), self.value(&both[2..]));
                format!(
                    "MERGE INTO t USING (SELECT k, max(b) AS b FROM u GROUP BY k) s ON s.k = t.k
                     WHEN MATCHED AND {condition} > 2 THEN UPDATE SET a = {value}
                     WHEN NOT MATCHED THEN INSERT (a, k) VALUES ({inserted}, {other}) RETURNING t.a, t.k, s.b"
                )
            }
            5 => {
                let (value, condition) = (self.value(&own("t")), self.value(&own("t")));
                format!(
                    "WITH x AS (UPDATE t SET (k, a) = (SELECT {value}, t.a) WHERE {condition} > 0 RETURNING a, k)
                     SELECT x.k, sum(x.a) FROM x GROUP BY 1"
                )
            }
            _ => self.query(&[]).0,
        }
    }

    fn query(&mut self, outer: &[String]) -> (String, [&'static str; 2]) {
        let (query, names) = self.part(outer);
        match self.below(12) {
            0 | 1 if self.spend() => {
                let (other, _) = self.part(outer);
                let words = ["UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXCEPT ALL"];
                let word = words[self.below(words.len())];
                (format!("({query}) {word} ({other})"), names)
            }
            2 if self.spend() => (format!("({query}) ORDER BY 1, 2 LIMIT 4"), names),
            3 if self.spend() => {
                // The query of the WITH is named like a table.
                let name = self.name();
                self.tables.push((name.clone(), names));
                let (around, names) = self.part(outer);
                self.tables.pop();
                (format!("WITH {name} AS ({query}) {around}"), names)
            }
            4 if self.is(50) => {
                let name = self.name();
                let [k, a] = names;
                (
                    format!(
                        "WITH RECURSIVE {name} AS (({query}) UNION SELECT u.b, {name}.{a} + 1 FROM {name} JOIN u
                         ON u.k = {name}.{k} WHERE {name}.{a} < 3) TABLE {name}"
                    ),
                    names,
                )
            }
            _ => (query, names),
        }
    }

    fn part(&mut self, outer: &[String]) -> (String, [&'static str; 2]) {
        let mut columns = Columns::new();
        let (from, whole) = self.from(outer, &mut columns);
        if self.is(8) && whole.len() == 1 {
            let (alias, names) = &whole[0];
            let star = if self.is(50) { "*".to_owned() } else { format!("{alias}.*") };
            return (format!("SELECT {star} FROM {from}"), *names);
        }
        columns.extend(outer.iter().cloned());
        let names = self.two_names();
        let condition = if self.is(40) {
            format!(" WHERE {}", self.condition(&columns))
        } else {
            String::new()
        };
        if self.is(20) {
            let key = self.value(&columns);
            let arg = self.value(&columns);
            let call = ["sum", "max", "count", "min"][self.below(4)];
            let filter = if self.is(25) {
                format!(" FILTER (WHERE {})", self.condition(&columns))
            } else {
                String::new()
            };
            let having =
                if self.is(20) { format!(" HAVING max({arg}) > 1") } else { String::new() };
            let key_place = if self.is(50) { "1" } else { names[0] };
            let by = if names[0] == key || columns.iter().any(|it| it.ends_with(names[0])) {
                "1"
            } else {
                key_place
            };
            return (
                format!(
                    "SELECT {key} AS {}, {call}({arg}){filter} AS {} FROM {from}{condition} GROUP BY {by}{having}",
                    names[0], names[1]
                ),
                names,
            );
        }
        let distinct = if self.is(10) { "DISTINCT " } else { "" };
        let (first, mut second) = (self.value(&columns), self.value(&columns));
        if self.is(5) {
            second = format!("generate_series(1, {second})");
        }
        let order = if self.is(8) { " ORDER BY 2, 1 LIMIT 5" } else { "" };
        (
            format!(
                "SELECT {distinct}{first} AS {}, {second} AS {} FROM {from}{condition}{order}",
                names[0], names[1]
            ),
            names,
        )
    }

    /// A `FROM`; adds its columns. Returns the items whose columns can be those of the query, too.
    fn from(
        &mut self,
        outer: &[String],
        columns: &mut Columns,
    ) -> (String, Vec<(String, [&'static str; 2])>) {
        let (mut from, alias, names) = self.item(outer, &[]);
        let mut whole = vec![(alias.clone(), names)];
        columns.extend(names.iter().map(|name| format!("{alias}.{name}")));
        let mut seen: Vec<&str> = names.to_vec();
        while self.is(45) && self.spend() && whole.len() < 4 {
            let kind = self.below(9);
            let before = columns.clone();
            let is_lateral = kind < 2 && self.is(50);
            let lateral: &[String] = if is_lateral { &before } else { &[] };
            let (item, alias, names) = self.item(outer, lateral);
            whole.push((alias.clone(), names));
            let own: Columns = names.iter().map(|name| format!("{alias}.{name}")).collect();
            let word = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"][self.below(4)];
            let shared: Vec<_> = names.iter().filter(|name| seen.contains(*name)).collect();
            from = match kind {
                0 => format!("{from}, {item}"),
                1 => format!("{from} CROSS JOIN {item}"),
                2..=4 if !shared.is_empty() => {
                    let name = shared[self.below(shared.len())];
                    columns.push((*name).to_owned());
                    let joined = format!("{from} {word} {item} USING ({name})");
                    if self.is(25) {
                        let alias = self.name();
                        columns.push(format!("{alias}.{name}"));
                        format!("{joined} AS {alias}")
                    } else {
                        joined
                    }
                }
                5 => {
                    columns.extend(shared.iter().map(|name| (**name).to_owned()));
                    format!("{from} NATURAL {word} {item}")
                }
                _ => {
                    let (left, right) = (self.one(&before).to_owned(), self.one(&own).to_owned());
                    let more = if word != "FULL JOIN" && self.is(25) {
                        format!(" AND {right} > 1")
                    } else {
                        String::new()
                    };
                    format!("{from} {word} {item} ON {left} = {right}{more}")
                }
            };
            seen.extend(names);
            columns.extend(own);
        }
        (from, whole)
    }

    /// An item of a `FROM`, with its alias and its columns.
    fn item(
        &mut self,
        outer: &[String],
        lateral: &[String],
    ) -> (String, String, [&'static str; 2]) {
        let alias = self.name();
        let (item, names) = if self.spend() && (self.is(30) || !lateral.is_empty()) {
            let visible: Vec<_> = outer.iter().chain(lateral).cloned().collect();
            let (query, names) = self.query(&visible);
            let word = if lateral.is_empty() { "" } else { "LATERAL " };
            (format!("{word}({query})"), names)
        } else {
            let place = self.below(self.tables.len());
            let (table, names) = self.tables[place].clone();
            (table, names)
        };
        if self.is(15) {
            let names = self.two_names();
            return (format!("{item} AS {alias} ({}, {})", names[0], names[1]), alias, names);
        }
        (format!("{item} AS {alias}"), alias, names)
    }

    fn condition(&mut self, columns: &[String]) -> String {
        let (left, right) = (self.value(columns), self.one(columns).to_owned());
        match self.below(8) {
            0 if self.spend() => {
                let (query, names) = self.query(columns);
                format!("{left} IN (SELECT x.{} FROM ({query}) AS x)", names[0])
            }
            1 if self.spend() => {
                let (query, names) = self.query(columns);
                format!("EXISTS (SELECT FROM ({query}) AS x WHERE x.{} = {right})", names[1])
            }
            2 => format!("({left}, {right}) <> (1, 2)"),
            3 => format!("{left} IS DISTINCT FROM {right}"),
            4 => format!("{left} = {right}"),
            _ => format!("{left} >= {}", self.below(3)),
        }
    }

    /// A number.
    fn value(&mut self, columns: &[String]) -> String {
        let column = self.one(columns).to_owned();
        if !self.spend() {
            return column;
        }
        match self.below(16) {
            0 => format!("{column} + {}", self.value(columns)),
            1 => format!("coalesce({column}, {})", self.one(columns)),
            2 => {
                let condition = self.condition(columns);
                format!("CASE WHEN {condition} THEN {column} ELSE {} END", self.one(columns))
            }
            3 => {
                let (query, names) = self.query(columns);
                format!("(SELECT max(x.{}) FROM ({query}) AS x)", names[0])
            }
            4 => {
                let (part, order) = (self.one(columns).to_owned(), self.one(columns).to_owned());
                let call = ["sum", "max", "count"][self.below(3)];
                format!("({call}({column}) OVER (PARTITION BY {part} ORDER BY {order}))")
            }
            5 => format!("(rank() OVER (ORDER BY {column}))::int"),
            6 => format!("cardinality(ARRAY(SELECT k FROM u WHERE u.b = {column}))"),
            7 => match column.split_once('.') {
                Some((alias, name)) if !name.contains('.') => format!("({alias}).{name}"),
                _ => column,
            },
            8 => self.below(3).to_string(),
            _ => column,
        }
    }
}
