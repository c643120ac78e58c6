//! The places where PostgreSQL's grammar has a name, each with a short statement that is made from its rules.
//!
//! Bison's tables have the rules and the states of the parser. From the start symbol, [`Places`] finds the cheapest way to
//! each symbol in each state, and so the tokens before and behind a name there.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::path::Path;

use super::bison_tables::{BisonTables, CLASSES};

/// The cost of what is never written.
const NEVER: u32 = 1 << 20;

/// Terminals of keywords that the scanner makes of two, and those that follow them.
const MERGED: &[(&str, &[&str])] = &[
    ("FORMAT", &["JSON"]),
    ("NOT", &["BETWEEN", "IN_P", "LIKE", "ILIKE", "SIMILAR"]),
    ("NULLS_P", &["FIRST_P", "LAST_P"]),
    ("WITH", &["TIME", "ORDINALITY"]),
    ("WITHOUT", &["TIME"]),
];

/// A keyword of the grammar.
pub struct Keyword {
    terminal: usize,
    pub text: String,
    /// Whether it is a name everywhere, as the grammar's classes have it.
    pub is_unreserved: bool,
}

/// A name in a statement.
pub struct Place {
    /// The text before the name, and that behind it.
    pub before: String,
    pub behind: String,
    /// The text behind the next name, if that follows at once.
    pub behind_next: Option<String>,
    /// The rules that this is a place of.
    pub rules: String,
    state: usize,
    next: Option<usize>,
}

/// A symbol in a state, and the number of one of [`Places::follows`] behind it; none for any terminal.
type Node = (usize, usize, Option<usize>);

/// The cheapest way to a node.
#[derive(Clone, Copy)]
struct Way {
    cost: u32,
    /// The node whose rule has the symbol, the rule, and the index of the symbol in it.
    from: Option<(Node, usize, usize)>,
}

/// What makes places different: each has its cheapest statement.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A kind of name in a state, and what follows.
    State(Node),
    /// A rule with a name, at an index, in a state.
    Rule(usize, usize, usize),
    /// A rule of several symbols, an index in it, and a rule with a name that the symbol there becomes on its own.
    Within(usize, usize, usize),
}

/// A node, and the rules from there on.
type Candidate = (Node, Vec<(usize, usize)>);

/// All places of names of a grammar.
pub struct Places {
    grammar: BisonTables,
    ident: usize,
    /// The symbols that are names.
    names: Vec<usize>,
    /// The pairs of keywords that the scanner merges.
    merged: Vec<(usize, usize)>,
    /// For each symbol the cost of its cheapest tokens, and the rule that has them.
    least: Vec<(u32, usize)>,
    /// The terminals that are looked for behind names.
    follows: Vec<usize>,
    /// For each of those and each symbol the cost of the cheapest tokens that begin with it, and their rule.
    begins: Vec<Vec<(u32, usize)>>,
    ways: HashMap<Node, Way>,
}

impl Places {
    /// Reads the grammar in a folder of libpg_query.
    pub fn new(source: &str) -> Self {
        let grammar = BisonTables::read(Path::new(source)).expect("Bison's tables");
        let ident = grammar.symbol("IDENT").expect("names");
        let rules = (1..grammar.made.len()).filter(|rule| grammar.symbols[*rule] == [ident]);
        let names = rules.map(|rule| grammar.made[rule]).collect();
        let pairs =
            MERGED.iter().flat_map(|(first, nexts)| nexts.iter().map(move |next| (first, next)));
        let merged = pairs
            .filter_map(|(first, next)| Some((grammar.symbol(first)?, grammar.symbol(next)?)))
            .collect();
        let mut places = Self {
            grammar,
            ident,
            names,
            merged,
            least: Vec::new(),
            follows: Vec::new(),
            begins: Vec::new(),
            ways: HashMap::new(),
        };
        places.find_least();
        places.find_follows();
        places.find_ways();
        places
    }

    /// Returns the keywords.
    pub fn keywords(&self) -> Vec<Keyword> {
        let grammar = &self.grammar;
        let mut found: BTreeMap<usize, bool> = BTreeMap::new();
        for class in CLASSES {
            let class = grammar.symbol(class).expect("a class of keywords");
            for rule in &grammar.rules[class] {
                *found.entry(grammar.symbols[*rule][0]).or_default() |=
                    grammar.names[class] == CLASSES[0];
            }
        }
        let keyword = |(terminal, is_unreserved)| Keyword {
            terminal,
            text: self.text(terminal),
            is_unreserved,
        };
        found.into_iter().map(keyword).collect()
    }

    /// Returns whether a keyword may be something else than a name in a place, if it is not quoted there.
    pub fn is_special(&self, place: &Place, keyword: &Keyword) -> bool {
        let is_merged =
            || place.next.is_some_and(|next| self.merged.contains(&(keyword.terminal, next)));
        keyword.is_unreserved
            && (!self.grammar.is_only_name(place.state, keyword.terminal) || is_merged())
    }

    /// Returns unreserved keywords, which are names before most terminals, with those before which they are none.
    fn not_before(&self) -> BTreeSet<(usize, usize)> {
        let mut found: BTreeSet<_> = self.merged.iter().copied().collect();
        for keyword in self.keywords().iter().filter(|keyword| keyword.is_unreserved) {
            for state in 0..self.grammar.rows.len() {
                let terminals = self.grammar.not_before(state, keyword.terminal, self.ident);
                found.extend(terminals.into_iter().map(|next| (keyword.terminal, next)));
            }
        }
        found
    }

    /// Returns the pairs of keywords of which the first is another one before the second, or begins another rule.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let keywords: HashSet<_> = self.keywords().iter().map(|keyword| keyword.terminal).collect();
        let pairs = self.not_before().into_iter().filter(|(_, next)| keywords.contains(next));
        pairs.map(|(first, next)| (self.text(first), self.text(next))).collect()
    }

    /// Returns a token of this kind.
    fn text(&self, terminal: usize) -> String {
        let name = self.grammar.names[terminal].as_str();
        let text = match name {
            "IDENT" => "x",
            "ICONST" => "1",
            "FCONST" => "1.5",
            "SCONST" => "'s'",
            "BCONST" => "b'1'",
            "XCONST" => "x'1'",
            "Op" => "||",
            "TYPECAST" => "::",
            "EQUALS_GREATER" => "=>",
            "LESS_EQUALS" => "<=",
            "GREATER_EQUALS" => ">=",
            "NOT_EQUALS" => "<>",
            _ => match name.strip_prefix('\'') {
                Some(symbol) => &symbol[..1],
                None => name.strip_suffix("_P").or(name.strip_suffix("_LA")).unwrap_or(name),
            },
        };
        text.to_ascii_lowercase()
    }

    /// Finds the cheapest tokens of each symbol. A name is cheaper than another token, and what only the grammar's
    /// actions reject is expensive.
    fn find_least(&mut self) {
        let grammar = &self.grammar;
        let cost = |name: &String| match name.as_str() {
            "IDENT" => 9,
            "DEFAULT" => 13,
            "'*'" => 15,
            "$end" | "error" | "$undefined" | "PARAM" | "UIDENT" | "USCONST" | "DOT_DOT"
            | "COLON_EQUALS" | "UMINUS" => NEVER,
            name if name.starts_with("MODE_") => NEVER,
            _ => 10,
        };
        let terminals = grammar.names[..grammar.terminals].iter().map(|name| (cost(name), 0));
        self.least = terminals.collect();
        self.least.resize(grammar.names.len(), (NEVER, 0));
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for rule in 1..grammar.made.len() {
                let cost = self.cost(&grammar.symbols[rule]);
                if cost < self.least[grammar.made[rule]].0 {
                    self.least[grammar.made[rule]] = (cost, rule);
                    has_changed = true;
                }
            }
        }
    }

    fn cost(&self, symbols: &[usize]) -> u32 {
        symbols.iter().map(|symbol| self.least[*symbol].0).sum::<u32>().min(NEVER)
    }

    /// Finds the terminals before which a keyword, a name elsewhere, is something else, and the cheapest tokens that
    /// begin with them.
    fn find_follows(&mut self) {
        let grammar = &self.grammar;
        let mut follows = BTreeSet::from([self.ident]);
        follows.extend(self.not_before().into_iter().map(|(_, next)| next));
        follows.retain(|terminal| self.least[*terminal].0 < NEVER);
        self.follows = follows.into_iter().collect();
        for terminal in &self.follows {
            let mut begins = vec![(NEVER, 0); grammar.names.len()];
            begins[*terminal].0 = self.least[*terminal].0;
            let mut has_changed = true;
            while std::mem::take(&mut has_changed) {
                for rule in 1..grammar.made.len() {
                    let (cost, _) = self.begin(&grammar.symbols[rule], &begins);
                    if cost < begins[grammar.made[rule]].0 {
                        begins[grammar.made[rule]] = (cost, rule);
                        has_changed = true;
                    }
                }
            }
            self.begins.push(begins);
        }
    }

    /// Returns the cost of symbols that begin with a terminal, and the one that has it: those before it are empty.
    fn begin(&self, symbols: &[usize], begins: &[(u32, usize)]) -> (u32, usize) {
        let mut least = (NEVER, 0);
        for (at, symbol) in symbols.iter().enumerate() {
            let cost = begins[*symbol].0 + self.cost(&symbols[at + 1..]);
            least = least.min((cost, at));
            if self.least[*symbol].0 > 0 {
                break;
            }
        }
        least
    }

    /// Finds the cheapest way to each symbol in each state.
    fn find_ways(&mut self) {
        let grammar = &self.grammar;
        // For each index in each rule the cost of what is behind, and with each terminal at its beginning.
        let rests = grammar.symbols.iter().map(|symbols| {
            let rest = |at| {
                let rest = &symbols[at + 1..];
                let begins = self.begins.iter().map(|begins| self.begin(rest, begins).0);
                (self.cost(rest), begins.collect::<Vec<_>>())
            };
            (0..symbols.len()).map(rest).collect::<Vec<_>>()
        });
        let rests: Vec<_> = rests.collect();

        let start = (0, grammar.symbol("parse_toplevel").expect("a start symbol"), None);
        let mut ways = HashMap::from([(start, Way { cost: 0, from: None })]);
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((cost, node))) = open.pop() {
            if ways[&node].cost < cost {
                continue;
            }
            let mut add = |to: Node, cost: u32, rule, at| {
                if cost < NEVER && ways.get(&to).is_none_or(|way| cost < way.cost) {
                    ways.insert(to, Way { cost, from: Some((node, rule, at)) });
                    open.push(Reverse((cost, to)));
                }
            };
            for rule in &grammar.rules[node.1] {
                let (mut state, mut cost) = (node.0, cost);
                for (at, symbol) in grammar.symbols[*rule].iter().enumerate() {
                    let (rest, begins) = &rests[*rule][at];
                    if *symbol >= grammar.terminals {
                        match node.2 {
                            Some(_) if *rest == 0 => add((state, *symbol, node.2), cost, *rule, at),
                            Some(_) => {}
                            None => {
                                add((state, *symbol, None), cost + rest, *rule, at);
                                for (follow, begins) in begins.iter().enumerate() {
                                    add((state, *symbol, Some(follow)), cost + begins, *rule, at);
                                }
                            }
                        }
                    }
                    cost += self.least[*symbol].0;
                    let Some(after) = grammar.after(state, *symbol) else { break };
                    state = after;
                }
            }
        }
        self.ways = ways;
    }

    /// Returns the places: for each state and rule, and each rule around it, a statement that is as short as possible.
    pub fn places(&self) -> Vec<Place> {
        let grammar = &self.grammar;
        let mut found: BTreeMap<Key, (u32, Candidate)> = BTreeMap::new();
        let mut add = |key, cost, candidate: &dyn Fn() -> Candidate| {
            if cost < NEVER && found.get(&key).is_none_or(|(least, _)| cost < *least) {
                found.insert(key, (cost, candidate()));
            }
        };
        let alone: Vec<_> = (0..grammar.names.len()).map(|symbol| self.alone(symbol)).collect();
        let mut nodes: Vec<_> = self.ways.iter().collect();
        nodes.sort_by_key(|(node, way)| (way.cost, **node));
        for (node, way) in nodes {
            if self.names.contains(&node.1) {
                add(Key::State(*node), way.cost, &|| (*node, Vec::new()));
            }
            if node.2.is_some() {
                continue;
            }
            for rule in &grammar.rules[node.1] {
                let symbols = &grammar.symbols[*rule];
                let mut state = node.0;
                for (at, symbol) in symbols.iter().enumerate() {
                    let cost = way.cost + self.cost(symbols) - self.least[*symbol].0;
                    if self.is_name(*symbol, symbols) {
                        add(Key::Rule(state, *rule, at), cost, &|| (*node, vec![(*rule, at)]));
                    }
                    let inner = if symbols.len() > 1 { &alone[*symbol][..] } else { &[] };
                    for (last, path) in inner {
                        let cost = cost + self.cost(&grammar.symbols[*last]);
                        let key = Key::Within(*rule, at, *last);
                        add(key, cost, &|| (*node, [&[(*rule, at)], &path[..]].concat()));
                    }
                    let Some(after) = grammar.after(state, *symbol) else { break };
                    state = after;
                }
            }
        }
        let mut seen = HashSet::new();
        let places = found.into_values().map(|(_, candidate)| self.place(candidate));
        places.filter(|place| seen.insert((place.before.clone(), place.behind.clone()))).collect()
    }

    fn is_name(&self, symbol: usize, rule: &[usize]) -> bool {
        self.names.contains(&symbol) || symbol == self.ident && rule.len() > 1
    }

    /// Returns the rules with names that a symbol becomes by rules of one symbol, with those.
    fn alone(&self, symbol: usize) -> Vec<(usize, Vec<(usize, usize)>)> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([symbol]);
        let mut open = vec![(symbol, Vec::new())];
        while let Some((symbol, path)) = open.pop() {
            for rule in &self.grammar.rules[symbol] {
                let symbols = &self.grammar.symbols[*rule];
                for at in (0..symbols.len()).filter(|at| self.is_name(symbols[*at], symbols)) {
                    found.push((*rule, [&path[..], &[(*rule, at)]].concat()));
                }
                if let [only] = symbols[..]
                    && seen.insert(only)
                {
                    open.push((only, [&path[..], &[(*rule, 0)]].concat()));
                }
            }
        }
        found
    }

    fn place(&self, (node, path): Candidate) -> Place {
        let grammar = &self.grammar;
        let (mut before, mut behind) = self.around(node);
        let mut state = node.0;
        for (rule, at) in &path {
            let symbols = &grammar.symbols[*rule];
            for symbol in &symbols[..*at] {
                self.write(*symbol, &mut before);
                state = grammar.after(state, *symbol).expect("a symbol of a rule in this state");
            }
            let mut rest = Vec::new();
            symbols[at + 1..].iter().for_each(|symbol| self.write(*symbol, &mut rest));
            rest.append(&mut behind);
            behind = rest;
        }
        let mut rules = path;
        let mut above = node;
        while let Some((from, rule, at)) = self.ways[&above].from
            && rules.iter().all(|(rule, _)| grammar.symbols[*rule].len() < 2)
        {
            rules.insert(0, (rule, at));
            above = from;
        }
        let rules = rules.iter().map(|(rule, at)| {
            let symbols = grammar.symbols[*rule].iter().map(|symbol| &grammar.names[*symbol][..]);
            let mut symbols: Vec<_> = symbols.collect();
            symbols.insert(*at, "->");
            format!("{}: {}", grammar.names[grammar.made[*rule]], symbols.join(" "))
        });
        let text = |terminals: &[usize]| {
            terminals.iter().map(|it| self.text(*it)).collect::<Vec<_>>().join(" ")
        };
        Place {
            before: text(&before),
            behind: text(&behind),
            behind_next: (behind.first() == Some(&self.ident)).then(|| text(&behind[1..])),
            rules: rules.collect::<Vec<_>>().join("; "),
            state,
            next: behind.first().copied(),
        }
    }

    /// Returns the terminals before and behind a node.
    fn around(&self, node: Node) -> (Vec<usize>, Vec<usize>) {
        let mut ways = Vec::new();
        let mut at_node = node;
        while let Some((from, rule, at)) = self.ways[&at_node].from {
            ways.push((rule, at, if from.2.is_none() { at_node.2 } else { None }));
            at_node = from;
        }
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        for (rule, at, _) in ways.iter().rev() {
            let symbols = &self.grammar.symbols[*rule][..*at];
            for symbol in symbols {
                self.write(*symbol, &mut before);
            }
        }
        for (rule, at, follow) in ways {
            let symbols = &self.grammar.symbols[rule][at + 1..];
            match follow {
                Some(follow) => self.write_beginning(symbols, follow, &mut behind),
                None => {
                    for symbol in symbols {
                        self.write(*symbol, &mut behind);
                    }
                }
            }
        }
        (before, behind)
    }

    /// Writes the cheapest tokens of a symbol.
    fn write(&self, symbol: usize, out: &mut Vec<usize>) {
        if symbol < self.grammar.terminals {
            out.push(symbol);
        } else {
            let symbols = &self.grammar.symbols[self.least[symbol].1];
            for symbol in symbols {
                self.write(*symbol, out);
            }
        }
    }

    /// Writes the cheapest tokens of symbols that begin with a terminal.
    fn write_beginning(&self, symbols: &[usize], follow: usize, out: &mut Vec<usize>) {
        let begins = &self.begins[follow];
        let at = self.begin(symbols, begins).1;
        let symbol = symbols[at];
        if symbol < self.grammar.terminals {
            out.push(symbol);
        } else {
            self.write_beginning(&self.grammar.symbols[begins[symbol].1], follow, out);
        }
        symbols[at + 1..].iter().for_each(|symbol| self.write(*symbol, out));
    }
}
