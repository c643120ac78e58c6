//! The statements of a script, with what is kept of them from one check to the next.

use core::cell::RefCell;
use core::ops::Range;
use std::collections::HashMap;
use std::rc::Rc;

use pg_ast::{Error, ParseResult, ScriptStmt};
use pg_ast_names::DdlCatalog;

use crate::Finding;
use crate::body::Body;
use crate::events::Event;
use crate::stmt_facts::StmtFacts;

/// A statement of a script.
pub(crate) struct Unit {
    pub(crate) range: Range<usize>,
    pub(crate) result: Result<Rc<Parsed>, Error>,
    /// The range of the data of a `COPY`.
    pub(crate) copy_data: Option<Range<usize>>,
}

/// A correct statement: all that follows from its text.
pub(crate) struct Parsed {
    pub(crate) tree: ParseResult,
    pub(crate) body: Option<Body>,
    pub(crate) facts: StmtFacts,
    /// What the statements in a `DO` say, which run with the script.
    pub(crate) facts_of_do: Option<StmtFacts>,
    /// What was found by what stands for all else that it depends on, and the number of the check that needed it last.
    kept: RefCell<HashMap<Key, (u64, Rc<Kept>)>>,
}

/// What stands for the script around a statement, and for the statements before it.
type Key = (u64, u64);

/// What a check finds in a statement, with places in its text, and what the statement changes for those after it.
pub(crate) struct Kept {
    pub(crate) found: Vec<Finding>,
    pub(crate) events: Vec<Event>,
    /// What the database has after the statement.
    pub(crate) catalog: DdlCatalog,
}

impl Parsed {
    pub(crate) fn new(text: &str, tree: ParseResult) -> Self {
        let body = Body::of(text, &tree);
        let (facts, facts_of_do) =
            (StmtFacts::of(&tree), body.as_ref().and_then(Body::facts_of_do));
        Self { tree, body, facts, facts_of_do, kept: RefCell::default() }
    }

    /// Returns what is known already.
    pub(crate) fn found(&self, key: Key, check: Option<u64>) -> Option<Rc<Kept>> {
        let mut kept = self.kept.borrow_mut();
        let (needed, found) = kept.get_mut(&key)?;
        *needed = check?;
        Some(found.clone())
    }

    pub(crate) fn keep(&self, key: Key, check: Option<u64>, found: Kept) {
        if let Some(check) = check {
            self.kept.borrow_mut().insert(key, (check, Rc::new(found)));
        }
    }

    /// Forgets what a check has not needed.
    pub(crate) fn forget(&self, check: u64) {
        self.kept.borrow_mut().retain(|_, (needed, _)| *needed == check);
    }
}

/// Takes over the statements of a script.
pub(crate) fn units_of(script: &str, stmts: Vec<ScriptStmt>) -> Vec<Unit> {
    let unit = |ScriptStmt { range, result, copy_data, .. }: ScriptStmt| {
        let text = script.get(range.clone()).unwrap_or_default();
        let result = result.map(|tree| Rc::new(Parsed::new(text, tree)));
        Unit { range, result, copy_data }
    };
    stmts.into_iter().map(unit).collect()
}
