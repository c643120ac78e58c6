//! Packs the tables of PostgreSQL's scanner in a tenth of the space.
//!
//! flex's fast tables have an entry for each state and each byte. Most bytes are alike: no state tells one letter that
//! begins no special token from another. So here each byte has a class, and a state has an entry for each
//! class: the next state. The loop in `scan.c` that reads the tables is changed to match; its actions stay. The build
//! fails if the input is not in flex's format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::patches;

const FILE: &str = "src/postgres/src_backend_parser_scan.c";

/// Changes to `scan.c`: words that occur so often, and what replaces them.
const CHANGES: &[(usize, &str, &str)] = &[
    (
        1,
        "typedef const struct yy_trans_info *yy_state_type;",
        "typedef const unsigned short *yy_state_type;",
    ),
    (
        2,
        "yy_current_state = yy_start_state_list[yyg->yy_start];",
        "yy_current_state = scan_states + scan_starts[yyg->yy_start];",
    ),
    (
        1,
        "const struct yy_trans_info *yy_trans_info;\n\n\t\tYY_CHAR yy_c;\n",
        "unsigned short yy_next;\n",
    ),
    (
        1,
        "for ( yy_c = YY_SC_TO_UI(*yy_cp);\n\t\t      (yy_trans_info = &yy_current_state[yy_c])->\n\
         \t\tyy_verify == yy_c;\n\t\t      yy_c = YY_SC_TO_UI(*++yy_cp) )\n\
         \t\t\tyy_current_state += yy_trans_info->yy_nxt;\n",
        "for ( ; (yy_next = yy_current_state[scan_classes[YY_SC_TO_UI(*yy_cp)]]) != 0; ++yy_cp )\n\
         \t\t\tyy_current_state = scan_states + yy_next;\n",
    ),
    (1, "yy_act = yy_current_state[-1].yy_nxt;", "yy_act = yy_current_state[0];"),
    (
        1,
        "yy_current_state += yy_current_state[(*yy_cp ? YY_SC_TO_UI(*yy_cp) : 256)].yy_nxt;",
        "yy_current_state = scan_states + \
         yy_current_state[scan_classes[*yy_cp ? YY_SC_TO_UI(*yy_cp) : 256]];",
    ),
    (
        1,
        "\tconst struct yy_trans_info *yy_trans_info;\n\n\tyy_trans_info = ",
        "\tunsigned short yy_next = ",
    ),
    (1, "&yy_current_state[(unsigned int) yy_c];\n", "yy_current_state[scan_classes[yy_c]];\n"),
    (
        1,
        "yy_current_state += yy_trans_info->yy_nxt;\n",
        "yy_current_state = scan_states + yy_next;\n",
    ),
    (1, "(yy_trans_info->yy_verify != yy_c)", "(yy_next == 0)"),
];

/// The bytes; 0 is what flex writes at the end of its buffer, and 256 a real NUL.
pub(crate) const COLUMNS: usize = 257;

/// Writes the changed scanner and its tables into the folder of patched files.
pub(crate) fn write(source: &Path, folder: &Path) -> Result<(), String> {
    let path = source.join(FILE);
    let patched = patches::target(folder, FILE);
    let path = if patched.exists() { patched.clone() } else { path };
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;

    let (before, tables, after) =
        divided(&text).ok_or("the scanner does not have flex's tables")?;
    let header = folder.join("scanner_tables.h");
    let scanner = Scanner::read(tables).ok_or("the scanner's tables are not in flex's format")?;
    fs::write(&header, scanner.header()?).map_err(|e| format!("{}: {e}", header.display()))?;
    let mut text = [before, "#include \"scanner_tables.h\"", after].concat();
    for (count, find, replace) in CHANGES {
        if text.matches(find).count() != *count {
            return Err(format!("the scanner does not have {count} of `{find}`"));
        }
        text = text.replace(find, replace);
    }
    fs::write(&patched, text).map_err(|e| format!("{}: {e}", patched.display()))
}

/// Divides the text into the tables and what is around them.
pub(crate) fn divided(text: &str) -> Option<(&str, &str, &str)> {
    let begin = text.find("struct yy_trans_info\n\t{")?;
    let list = begin + text[begin..].find("yy_start_state_list[")?;
    let end = list + text[list..].find("}\n;")? + "}\n;".len();
    Some((&text[..begin], &text[begin..end], &text[end..]))
}

/// flex's automaton. A state is the index of its first entry.
pub(crate) struct Scanner {
    /// The byte and the distance to the next state of each entry.
    entries: Vec<(i32, i32)>,
    /// The state that each start condition begins with.
    pub(crate) starts: Vec<usize>,
}

impl Scanner {
    pub(crate) fn read(tables: &str) -> Option<Self> {
        let (_, rest) = tables.split_once("yy_transition[")?;
        let (entries, rest) = rest.split_once("] =")?.1.split_once("};")?;
        let entry = |text: &str| {
            let (byte, distance) = text.split_once('}')?.0.split_once(',')?;
            Some((byte.trim().parse().ok()?, distance.trim().parse().ok()?))
        };
        let starts = rest.split("&yy_transition[").skip(1);
        Some(Self {
            entries: entries.split('{').skip(2).map(entry).collect::<Option<_>>()?,
            starts: starts.map(|s| s.split_once(']')?.0.parse().ok()).collect::<Option<_>>()?,
        })
    }

    /// Returns the state after a byte.
    pub(crate) fn next(&self, state: usize, byte: usize) -> Option<usize> {
        let (verify, distance) = *self.entries.get(state + byte)?;
        let next = state.checked_add_signed(isize::try_from(distance).ok()?)?;
        (usize::try_from(verify) == Ok(byte)).then_some(next)
    }

    /// Returns the rule that a state ends.
    pub(crate) fn rule(&self, state: usize) -> Option<usize> {
        let (_, rule) = self.entries.get(state.checked_sub(1)?)?;
        usize::try_from(*rule).ok()
    }

    /// Returns all states that a text can lead to.
    pub(crate) fn states(&self) -> BTreeSet<usize> {
        let mut states = BTreeSet::new();
        let mut todo = self.starts.clone();
        while let Some(state) = todo.pop() {
            if states.insert(state) {
                todo.extend((0..COLUMNS).filter_map(|byte| self.next(state, byte)));
            }
        }
        states
    }

    /// The tables that the changed loop reads.
    fn header(&self) -> Result<String, String> {
        let states: Vec<_> = self.states().into_iter().collect();
        let mut classes = BTreeMap::new();
        let mut of_byte = Vec::new();
        for byte in 0..COLUMNS {
            let column: Vec<_> = states.iter().map(|state| self.next(*state, byte)).collect();
            let class = classes.len() + 1;
            of_byte.push(*classes.entry(column).or_insert(class));
        }
        let mut columns: Vec<_> =
            classes.into_iter().map(|(column, class)| (class, column)).collect();
        columns.sort_unstable();

        // In front of the entries of a state is its rule. There is no first state, so that 0 is none.
        let size = columns.len() + 1;
        let index = |state: usize| states.binary_search(&state).map_or(0, |at| (at + 1) * size);
        if of_byte.len() != COLUMNS || columns.len() > 255 || (states.len() + 1) * size > 65_535 {
            return Err("the scanner has too many states".to_owned());
        }
        let mut rows = vec![0; size];
        for (at, state) in states.iter().enumerate() {
            rows.push(self.rule(*state).ok_or("a state of the scanner has no rule")?);
            rows.extend(columns.iter().map(|(_, column)| column[at].map_or(0, index)));
        }
        let starts: Vec<_> = self.starts.iter().map(|state| index(*state)).collect();
        Ok([
            table("unsigned char scan_classes", &of_byte),
            table("unsigned short scan_starts", &starts),
            table("unsigned short scan_states", &rows),
        ]
        .concat())
    }
}

fn table(name: &str, numbers: &[usize]) -> String {
    let mut table = format!("static const {name}[] = {{");
    for (index, number) in numbers.iter().enumerate() {
        let space = if index % 20 == 0 { '\n' } else { ' ' };
        // Writing to a String cannot fail.
        let _ = write!(table, "{space}{number},");
    }
    table + "\n};\n"
}
