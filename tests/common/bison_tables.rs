//! Bison's tables of a version's grammar, as its C file has them: the rules and the states of the parser.

use std::path::Path;

#[path = "../../libpg_query/build/bison.rs"]
mod bison;

use bison::{constant, names, numbers, right_sides};

/// The symbols that a keyword becomes where it is a name.
pub const CLASSES: &[&str] = &[
    "unreserved_keyword",
    "col_name_keyword",
    "type_func_name_keyword",
    "reserved_keyword",
    "bare_label_keyword",
];

/// The tables.
pub struct BisonTables {
    /// The names of the symbols: first the terminals.
    pub names: Vec<String>,
    pub terminals: usize,
    /// The symbol that each rule makes, and those that it has.
    pub made: Vec<usize>,
    pub symbols: Vec<Vec<usize>>,
    /// The rules of each symbol.
    pub rules: Vec<Vec<usize>>,
    pub rows: Vec<i32>,
    no_row: i32,
    default_rules: Vec<usize>,
    gotos: Vec<i32>,
    default_gotos: Vec<i32>,
    table: Vec<i32>,
    check: Vec<i32>,
    mistake: i32,
}

/// What the parser does in a state.
#[derive(Clone, Copy)]
pub enum Action {
    Shift(usize),
    Reduce(usize),
    Mistake,
}

impl BisonTables {
    pub fn read(source: &Path) -> Result<Self, String> {
        let path = source.join("src/postgres/src_backend_parser_gram.c");
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let names: Vec<_> =
            names(&text)?.iter().map(|name| name.trim_matches('"').to_owned()).collect();
        let made: Vec<usize> = numbers(&text, "yyr1")?;
        let lengths: Vec<usize> = numbers(&text, "yyr2")?;
        let mut symbols = right_sides(&text)?;
        for (symbols, length) in symbols.iter_mut().zip(&lengths) {
            symbols.truncate(*length);
        }
        let mut rules = vec![Vec::new(); names.len()];
        for (rule, made) in made.iter().enumerate().skip(1) {
            rules[*made].push(rule);
        }
        let terminals = usize::try_from(constant(&text, "YYNTOKENS")?).map_err(|_| "a count")?;
        Ok(Self {
            names,
            terminals,
            made,
            symbols,
            rules,
            rows: numbers(&text, "yypact")?,
            no_row: constant(&text, "YYPACT_NINF")?,
            default_rules: numbers(&text, "yydefact")?,
            gotos: numbers(&text, "yypgoto")?,
            default_gotos: numbers(&text, "yydefgoto")?,
            table: numbers(&text, "yytable")?,
            check: numbers(&text, "yycheck")?,
            mistake: constant(&text, "YYTABLE_NINF")?,
        })
    }

    pub fn symbol(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it == name)
    }

    pub fn entry(&self, begin: i32, column: usize) -> Option<i32> {
        let column = i32::try_from(column).ok()?;
        let index = usize::try_from(begin + column).ok()?;
        (self.check.get(index) == Some(&column)).then(|| self.table[index])
    }

    pub fn action(&self, state: usize, terminal: usize) -> Action {
        let row = self.rows[state];
        let entry = if row == self.no_row { None } else { self.entry(row, terminal) };
        match entry {
            Some(entry) if entry > 0 => Action::Shift(entry.unsigned_abs() as usize),
            Some(entry) if entry < 0 && entry != self.mistake => {
                Action::Reduce(entry.unsigned_abs() as usize)
            }
            Some(_) => Action::Mistake,
            None if self.default_rules[state] == 0 => Action::Mistake,
            None => Action::Reduce(self.default_rules[state]),
        }
    }

    /// Returns the state after a symbol; none if the symbol cannot stand there.
    pub fn after(&self, state: usize, symbol: usize) -> Option<usize> {
        let Some(nonterminal) = symbol.checked_sub(self.terminals) else {
            return match self.action(state, symbol) {
                Action::Shift(state) => Some(state),
                _ => None,
            };
        };
        let entry = self.entry(self.gotos[nonterminal], state);
        usize::try_from(entry.unwrap_or(self.default_gotos[nonterminal])).ok()
    }

    /// Returns whether all that a keyword can be in a state is a name, whatever follows.
    pub fn is_only_name(&self, state: usize, keyword: usize) -> bool {
        let Action::Shift(after) = self.action(state, keyword) else { return false };
        self.rows[after] == self.no_row
            && CLASSES.contains(&self.names[self.made[self.default_rules[after]]].as_str())
    }

    /// Returns the terminals before which a keyword, a name in a state otherwise, is none. If any name may follow, then
    /// there are no special ones.
    pub fn not_before(&self, state: usize, keyword: usize, ident: usize) -> Vec<usize> {
        let (Action::Shift(after), Action::Shift(_)) =
            (self.action(state, keyword), self.action(state, ident))
        else {
            return Vec::new();
        };
        let is_class = |rule: usize| CLASSES.contains(&&self.names[self.made[rule]][..]);
        let row = self.rows[after];
        if row == self.no_row || !is_class(self.default_rules[after]) {
            return Vec::new();
        }
        let is_other = |terminal: &usize| match self.action(after, *terminal) {
            Action::Shift(_) => true,
            Action::Reduce(rule) => !is_class(rule),
            Action::Mistake => false,
        };
        let terminals: Vec<_> = (0..self.terminals).filter(is_other).collect();
        if terminals.contains(&ident) { Vec::new() } else { terminals }
    }
}
