//! What libpg_query's grammar has besides PostgreSQL's: parameters where only a constant may stand.
//!
//! `pg_stat_statements` writes `$1` for each constant, also in `DATE '..'` and `SET a = '..'`, so libpg_query has rules for
//! these. In the tables, the terminal of a parameter has what PostgreSQL's own grammar has; all of it is in the column of
//! a second terminal, which the parser uses for normalized SQL alone. So a text is one terminal or the other, and
//! whoever reads the tables asks nothing else.

use std::collections::BTreeSet;

use crate::rows::Row;

/// The terminal of a parameter.
const PARAMETER: &str = "\"PARAM\"";

/// Its terminal in normalized SQL: Bison's for mistakes, which no rule has, and whose token no scanner returns. `parser.c`
/// knows the number of that token.
const OF_NORMALIZED: &str = "\"error\"";

/// PostgreSQL's own rules are `c_expr: PARAM opt_indirection` and `plassign_target: PARAM`.
const BEHIND: &str = "\"opt_indirection\"";
const MADE: &str = "\"plassign_target\"";

/// The parts of Bison's tables that are read here: for each rule, what it makes and of which symbols, and for each state,
/// which symbol it follows and which rule it applies by default.
pub(crate) struct Parts<'a> {
    pub(crate) names: &'a [String],
    pub(crate) made: &'a [usize],
    pub(crate) symbols: &'a [Vec<usize>],
    pub(crate) entered: &'a [usize],
    pub(crate) default_rules: &'a [i32],
}

/// What to do with the entries for a parameter.
pub(crate) struct Extensions {
    parameter: i32,
    of_normalized: i32,
    /// The states after a parameter in PostgreSQL's own grammar.
    own_states: BTreeSet<i32>,
    /// The rules whose symbol a parameter may follow in PostgreSQL's own grammar.
    followed: Vec<bool>,
}

impl Extensions {
    pub(crate) fn of(parts: &Parts<'_>) -> Result<Self, String> {
        let symbol = |name: &str| {
            let at = parts.names.iter().position(|found| found == name);
            at.ok_or_else(|| format!("the grammar has no symbol {name}"))
        };
        let (parameter, behind, made) = (symbol(PARAMETER)?, symbol(BEHIND)?, symbol(MADE)?);
        let is_own = |rule: usize| {
            let symbols = &parts.symbols[rule];
            !symbols.contains(&parameter)
                || *symbols == [parameter, behind]
                || (parts.made[rule] == made && *symbols == [parameter])
        };
        let own_states: BTreeSet<_> = (0..)
            .zip(parts.entered.iter().zip(parts.default_rules))
            .filter(|(_, (entered, rule))| {
                let made_there = usize::try_from(**rule).map(|rule| parts.made[rule]);
                **entered == parameter && (made_there == Ok(behind) || made_there == Ok(made))
            })
            .map(|(state, _)| state)
            .collect();
        if own_states.len() != 2 {
            return Err(format!("the grammar has {} states after a parameter", own_states.len()));
        }
        let rules: Vec<_> = (0..parts.made.len())
            .filter(|rule| is_own(*rule))
            .map(|rule| (parts.made[rule], &*parts.symbols[rule]))
            .collect();
        let follows = followed_by(parameter, &rules, parts.names.len());
        let column = |symbol| i32::try_from(symbol).map_err(|_| "too many symbols".to_owned());
        Ok(Self {
            parameter: column(parameter)?,
            of_normalized: column(symbol(OF_NORMALIZED)?)?,
            own_states,
            followed: parts.made.iter().map(|symbol| follows[*symbol]).collect(),
        })
    }

    /// Divides a state's entry for a parameter into those of the two terminals.
    pub(crate) fn divide(&self, mut row: Row) -> Row {
        assert!(!row.contains_key(&self.of_normalized), "the grammar has rules for mistakes");
        if let Some(action) = row.get(&self.parameter).copied() {
            row.insert(self.of_normalized, action);
            let rule = usize::try_from(-action).unwrap_or(0);
            let is_own =
                if rule > 0 { self.followed[rule] } else { self.own_states.contains(&action) };
            if !is_own && action != 0 {
                row.remove(&self.parameter);
            }
        }
        row
    }
}

/// Returns for each symbol whether a terminal may follow it.
fn followed_by(terminal: usize, rules: &[(usize, &[usize])], count: usize) -> Vec<bool> {
    let mut empty = vec![false; count];
    let mut begins = vec![false; count];
    let mut follows = vec![false; count];
    begins[terminal] = true;
    loop {
        let mut changed = false;
        let mut set = |flags: &mut Vec<bool>, symbol: usize| {
            changed |= !flags[symbol];
            flags[symbol] = true;
        };
        for (made, symbols) in rules {
            if symbols.iter().all(|symbol| empty[*symbol]) {
                set(&mut empty, *made);
            }
            // Whether the terminal may come behind the symbols from here on, and whether those may begin with it.
            let (mut behind, mut begin) = (follows[*made], false);
            for symbol in symbols.iter().rev() {
                if behind {
                    set(&mut follows, *symbol);
                }
                begin = begins[*symbol] || (empty[*symbol] && begin);
                behind = begins[*symbol] || (empty[*symbol] && behind);
            }
            if begin {
                set(&mut begins, *made);
            }
        }
        if !changed {
            return follows;
        }
    }
}
