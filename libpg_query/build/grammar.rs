//! Builds PostgreSQL's grammar with another automaton around its actions.
//!
//! `gram.c` is Bison's output: tables, the actions as one `switch`, and a skeleton that runs
//! them. `c/parser/grammar_loop.h` and `grammar_end.h` replace the skeleton, and do the same with one
//! stack instead of three. This module builds the tables in their format, with libpg_query's extensions apart
//! (`extensions.rs`), and changes the actions to find their symbols there. The build fails if the input is not in the
//! format of Bison 2.3.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::bison::{constant, names, numbers, right_sides};
use crate::extensions::{Extensions, Parts};
use crate::patches;
use crate::rows::{self, Packed, Place, Row};

pub(crate) const FILE: &str = "src/postgres/src_backend_parser_gram.c";

/// Changes to `gram.c`, in words that occur once.
const CHANGES: &[(&str, &str)] = &[
    (
        "| yyparse.  |\n`----------*/\n",
        "| yyparse.  |\n`----------*/\n#include \"grammar_tables.h\"\n",
    ),
    ("{\n  /* The look-ahead symbol.  */\n", "{\n#include \"grammar_loop.h\"\n#if 0\n"),
    ("  switch (yyn)\n    {\n", "#endif\n  switch (yyn)\n    {\n"),
    ("      default: break;\n    }\n", "#include \"grammar_end.h\"\n#if 0\n    }\n"),
    ("  return YYID (yyresult);\n}\n", "#endif\n}\n"),
];

/// Symbols that `automaton.h` finds by name.
const FLAGS: &[(&str, &[&str])] = &[
    // The symbol of a keyword that is used as a name.
    (
        "SYMBOL_IS_KEYWORD",
        &[
            "unreserved_keyword",
            "col_name_keyword",
            "type_func_name_keyword",
            "reserved_keyword",
            "bare_label_keyword",
        ],
    ),
    // The symbols in which check_func_name and check_qualified_name of gram.y reject a '*' and a subscript.
    ("SYMBOL_IS_CHECKED", &["func_name", "qualified_name"]),
    // The symbols whose places are kept.
    ("SYMBOL_IS_NOTED", &["qualified_name", "ColId", "common_table_expr"]),
    ("SYMBOL_IS_TABLE", &["qualified_name", "common_table_expr"]),
];

/// Writes the changed grammar and its tables into the folder of patched files.
pub(crate) fn write(source: &Path, folder: &Path) -> Result<(), String> {
    let path = source.join(FILE);
    let patched = patches::target(folder, FILE);
    let path = if patched.exists() { patched.clone() } else { path };
    let mut text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;

    let tables = Tables::read(&text)?;
    text = with_places(&text);
    for (find, replace) in CHANGES {
        if text.matches(find).count() != 1 {
            return Err(format!("the grammar does not have one `{find}`"));
        }
        text = text.replace(find, replace);
    }
    let header = folder.join("grammar_tables.h");
    fs::write(&header, tables.header()).map_err(|e| format!("{}: {e}", header.display()))?;
    let header = folder.join("grammar_names.h");
    fs::write(&header, tables.names()?).map_err(|e| format!("{}: {e}", header.display()))?;
    fs::write(&patched, text).map_err(|e| format!("{}: {e}", patched.display()))
}

/// Bison's tables, by name.
pub(crate) struct Tables {
    ntokens: i32,
    pact_ninf: i32,
    table_ninf: i32,
    pact: Vec<i32>,
    defact: Vec<i32>,
    /// The symbol that each rule makes, and the number of its own.
    pub(crate) r1: Vec<usize>,
    pub(crate) r2: Vec<i32>,
    /// The symbols of each rule.
    rhs: Vec<Vec<usize>>,
    pgoto: Vec<i32>,
    defgoto: Vec<i32>,
    table: Vec<i32>,
    check: Vec<i32>,
    /// The action of each rule, if it has one.
    pub(crate) actions: Vec<Option<String>>,
    /// The name of each symbol in gram.y, in quotes: first the terminals, then the others.
    pub(crate) names: Vec<String>,
    /// The symbol that each state follows.
    entered: Vec<usize>,
    /// The members of a symbol's value that point to nodes, lists and similar data.
    pointers: Vec<String>,
    /// What is only in the grammar of normalized SQL.
    extensions: Extensions,
}

impl Tables {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let r2: Vec<i32> = numbers(text, "yyr2")?;
        let mut actions = vec![None; r2.len()];
        let (_, switch) = text.split_once("  switch (yyn)\n    {\n").ok_or("no actions")?;
        let (switch, _) =
            switch.split_once("      default: break;\n").ok_or("no end of actions")?;
        for case in switch.split("    break;\n").filter(|case| case.contains("case ")) {
            let (head, body) = case.split_once(":\n").ok_or("an action without a number")?;
            let number = head.rsplit(' ').next().and_then(|number| number.parse::<usize>().ok());
            let place = number.and_then(|number| actions.get_mut(number));
            *place.ok_or_else(|| format!("an action of no rule: {head}"))? = Some(body.to_owned());
        }
        let (r1, rhs) = (numbers(text, "yyr1")?, right_sides(text)?);
        let (defact, names, entered) =
            (numbers(text, "yydefact")?, names(text)?, numbers(text, "yystos")?);
        let extensions = Extensions::of(&Parts {
            names: &names,
            made: &r1,
            symbols: &rhs,
            entered: &entered,
            default_rules: &defact,
        })?;
        Ok(Self {
            ntokens: constant(text, "YYNTOKENS")?,
            pact_ninf: constant(text, "YYPACT_NINF")?,
            table_ninf: constant(text, "YYTABLE_NINF")?,
            pact: numbers(text, "yypact")?,
            defact,
            r1,
            rhs,
            r2,
            pgoto: numbers(text, "yypgoto")?,
            defgoto: numbers(text, "yydefgoto")?,
            table: numbers(text, "yytable")?,
            check: numbers(text, "yycheck")?,
            actions,
            names,
            entered,
            pointers: pointers(text)?,
            extensions,
        })
    }

    /// Returns whether a rule has one symbol, whose value becomes its own: `a_expr: c_expr { $$ = $1; }`.
    fn keeps(&self, rule: usize) -> bool {
        let Some(action) = &self.actions[rule] else { return self.r2[rule] == 1 };
        let code = bare(action);
        let assigned = code.strip_prefix("(yyval.").and_then(|code| code.split_once(") = (yyvsp["));
        let same =
            assigned.is_some_and(|(member, value)| value == format!("(1) - (1)].{member});"));
        self.r2[rule] == 1 && same
    }

    /// Returns whether a rule makes a list longer: `expr_list: expr_list ',' a_expr`. All rules of a list that begin with
    /// itself are such: behind it, they have terminals, and at most one other symbol.
    fn extends_list(&self, rule: usize) -> bool {
        let list = self.r1[rule];
        let begins = |rule: &usize| self.rhs[*rule].first() == Some(&list);
        let extends = |rule: usize| {
            let rest = &self.rhs[rule][1..];
            let items =
                rest.iter().filter(|symbol| **symbol >= self.ntokens.unsigned_abs() as usize);
            !rest.is_empty()
                && items.clone().count() <= 1
                && items.into_iter().all(|item| *item != list)
        };
        let mut of_list = (0..self.r1.len()).filter(|rule| self.r1[*rule] == list);
        begins(&rule) && of_list.all(|rule| !begins(&rule) || extends(rule))
    }

    /// Returns whether a rule's value may be a node or list of one of its symbols, changed by the rule.
    /// Values that it only passes on do not count, as in `where_clause: WHERE a_expr { $$ = $2; }`.
    fn changes(&self, rule: usize) -> bool {
        let Some(action) = &self.actions[rule] else { return false };
        let code = bare(action);
        match self.assigned_pointers(&code)[..] {
            [] => false,
            [(_, value)] if code.matches(';').count() == 1 => {
                let value = value.split_once("*) ").map_or(value, |(_, value)| value);
                // `VariableResetStmt: RESET reset_rest` passes on a node that was not a statement before.
                !value.starts_with("(yyvsp[") || value.ends_with("stmt);")
            }
            _ => true,
        }
    }

    /// Returns whether a rule's value is a pointer. Otherwise it is another value, or none: then
    /// what was in its place before is still there.
    fn has_pointer(&self, rule: usize) -> bool {
        let action = self.actions[rule].as_ref();
        action.is_some_and(|action| !self.assigned_pointers(&bare(action)).is_empty())
    }

    /// Returns what an action assigns to the pointers in a rule's value: their names, and the code from there on.
    fn assigned_pointers<'a>(&self, code: &'a str) -> Vec<(&'a str, &'a str)> {
        let assigned = code.split("(yyval.").skip(1).filter_map(|rest| rest.split_once(") = "));
        assigned.filter(|(member, _)| self.pointers.iter().any(|name| name == member)).collect()
    }

    /// Returns whether a rule's value is a list of one of its symbols,
    /// changed by the rule: `set_clause: set_target '=' a_expr`.
    fn changes_item(&self, rule: usize) -> bool {
        let Some(action) = &self.actions[rule] else { return false };
        let code = bare(action);
        let item = code.split_once("(yyval.list) = list_make1(");
        let item = item.and_then(|(_, item)| item.split_once(");")).map(|(item, _)| item);
        item.is_some_and(|item| item.starts_with("(yyvsp[") && code.contains(&format!("{item}->")))
    }

    /// Returns whether a rule's action has more than one call that makes a node; names do not count.
    fn makes_several(&self, rule: usize) -> bool {
        let calls = self.actions[rule].iter().flat_map(|action| action.split("make").skip(1));
        let calls = calls.filter(|call| call.starts_with(|c: char| c.is_ascii_uppercase()));
        calls.filter(|call| !call.starts_with("String(")).count() > 1
    }

    /// Returns the entries of a row that begins at a place of `table`. The C code knows one value for a mistake.
    fn row(&self, begin: i32, columns: i32) -> Row {
        let entry = |column: i32| {
            let index = usize::try_from(begin + column).ok()?;
            let value = *self.table.get(index).filter(|_| self.check[index] == column)?;
            Some((column, if value == self.table_ninf { 0 } else { value }))
        };
        (0..columns).filter_map(entry).collect()
    }

    /// Packs the rows of the states, which have a column for each terminal, and those of the nonterminals, which have one
    /// for each state.
    fn packed(&self) -> (Packed, Vec<Option<Place>>, Vec<Place>) {
        let states = i32::try_from(self.pact.len()).expect("a count of states");
        let with_row =
            || self.pact.iter().zip(&self.defact).filter(|(pact, _)| **pact != self.pact_ninf);
        let row = |pact: i32| self.extensions.divide(self.row(pact, self.ntokens));
        let actions: Vec<_> = with_row().map(|(pact, defact)| (row(*pact), -defact)).collect();
        let gotos: Vec<_> = self.pgoto.iter().map(|pgoto| self.row(*pgoto, states)).collect();
        let (mut packed, actions, gotos) = rows::pack(&actions, &gotos);
        // Not every compiler stops at a number that does not fit.
        assert!(
            actions.iter().all(|place| u16::try_from(place.base).is_ok()),
            "the grammar's bases do not fit GrammarState"
        );
        packed.extend(&actions, usize::try_from(self.ntokens).expect("a count of terminals"));
        packed.extend(&gotos, self.pact.len());
        let mut actions = actions.into_iter();
        let has_row = self.pact.iter().map(|pact| *pact != self.pact_ninf);
        let actions = has_row.map(|has| if has { actions.next() } else { None }).collect();
        (packed, actions, gotos)
    }

    /// The additional tables that `automaton.h` reads.
    fn names(&self) -> Result<String, String> {
        let is_missing = |name: &&&str| !self.names.contains(&format!("\"{name}\""));
        if let Some(missing) = FLAGS.iter().flat_map(|(_, names)| *names).find(is_missing) {
            return Err(format!("the grammar has no symbol `{missing}`"));
        }
        let list = |symbols: &[usize]| {
            symbols.iter().map(usize::to_string).collect::<Vec<_>>().join(",\n")
        };
        let flags = self.names.iter().map(|quoted| {
            let name = quoted.trim_matches('"');
            let flags = FLAGS.iter().filter(|(_, names)| names.contains(&name));
            flags.fold("0".to_owned(), |flags, (flag, _)| format!("{flags} | {flag}"))
        });
        Ok(format!(
            "static const char *const grammar_symbols[] = {{\n{},\n}};\n\
             static const uint8 grammar_symbol_flags[] = {{\n{},\n}};\n\
             static const uint16 grammar_made[] = {{\n{},\n}};\n\
             static const uint16 grammar_entered[] = {{\n{},\n}};\n\
             static const bool grammar_extends[] = {{\n{},\n}};\n",
            self.names.join(",\n"),
            flags.collect::<Vec<_>>().join(",\n"),
            list(&self.r1),
            list(&self.entered),
            list(
                &(0..self.r1.len())
                    .map(|rule| usize::from(self.extends_list(rule)))
                    .collect::<Vec<_>>()
            ),
        ))
    }

    /// The tables that `grammar_loop.h` reads.
    fn header(&self) -> String {
        let mut header = String::new();
        let mut line = |text: String| writeln!(header, "{text}").expect("writing to a String");
        let (packed, states, gotos) = self.packed();
        line("static const GrammarEntry grammar_entries[] = {".to_owned());
        for entry in &packed.entries {
            let (column, action) = entry.unwrap_or((-1, 0));
            line(format!("{{{column}, {action}}},"));
        }
        line("};\nstatic const GrammarState grammar_states[] = {".to_owned());
        for (place, defact) in states.iter().zip(&self.defact) {
            match place {
                Some(Place { entry, base }) => line(format!("{{{entry}, {defact}, {base}}},")),
                None => line(format!("{{GRAMMAR_NO_ENTRY, {defact}, 0}},")),
            }
        }
        line("};\nstatic const GrammarRule grammar_rules[] = {".to_owned());
        let nonterminal =
            |rule: usize| self.r1[rule].checked_sub(self.ntokens.unsigned_abs() as usize);
        for (rule, length) in self.r2.iter().enumerate() {
            let nonterminal = nonterminal(rule).unwrap_or(0);
            let (entry, defgoto) = (gotos[nonterminal].entry, self.defgoto[nonterminal]);
            let keeps = u8::from(self.keeps(rule));
            line(format!("{{{entry}, {defgoto}, {length}, {keeps}}},"));
        }
        line("};\n#define GRAMMAR_NO_ACTION \\".to_owned());
        for rule in 2..self.r2.len() {
            if self.actions[rule].is_none() && !self.keeps(rule) {
                line(format!("case {rule}: \\"));
            }
        }
        line("\nstatic const uint8 grammar_flags[] = {".to_owned());
        for rule in 0..self.r2.len() {
            let flag = |is, name| if is { name } else { "0" };
            let changes = flag(self.changes(rule), "RULE_CHANGES");
            let item = flag(self.changes_item(rule), "RULE_CHANGES_ITEM");
            let several = flag(self.makes_several(rule), "RULE_MAKES_SEVERAL");
            let pointer = flag(self.has_pointer(rule), "RULE_HAS_POINTER");
            line(format!("{changes} | {item} | {several} | {pointer},"));
        }
        line("};".to_owned());
        header
    }
}

/// Returns an action's statements on one line.
fn bare(action: &str) -> String {
    let code = action.lines().filter(|line| !line.starts_with("#line")).collect::<String>();
    code.trim().trim_start_matches('{').trim_end_matches(";}").trim().to_owned()
}

/// Returns the members of `YYSTYPE` that point to results of actions: all pointers except those to strings.
fn pointers(text: &str) -> Result<Vec<String>, String> {
    let (_, members) = text.split_once("typedef union YYSTYPE\n").ok_or("no YYSTYPE")?;
    let (members, _) = members.split_once("\n}").ok_or("no end of YYSTYPE")?;
    let members = members.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once('*'));
    let strings = ["str", "keyword"];
    let names = members.map(|(_, name)| name.to_owned());
    Ok(names.filter(|name| !strings.contains(&name.as_str())).collect())
}

/// Rewrites the actions for a single stack of symbols: `yyvsp[(1) - (2)]`
/// and `yylsp[(1) - (2)]` become parts of `yysp[(1) - (2)]`.
fn with_places(text: &str) -> String {
    let mut places = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(at) = rest.find("sp[(") {
        let (before, after) = rest.split_at(at);
        let end = after.find(']').map_or(after.len(), |end| end + 1);
        let (stack, member) = if before.ends_with("(yyv") {
            (&before[..before.len() - 1], ".value")
        } else if before.ends_with("(yyl") {
            (&before[..before.len() - 1], ".location")
        } else {
            (before, "")
        };
        places.extend([stack, &after[..end], member]);
        rest = &after[end..];
    }
    places + rest
}
