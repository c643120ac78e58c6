//! What pg_ast says of functions, beside what the server says.

use std::fmt::Write as _;

use pg_ast::Version;

use super::connection::MAJOR;
use super::functions::{Function, parsed};
use super::verdict::{Judged, Mistake, Stub, Verdict, message};

/// A function, and both answers.
struct Difference {
    function: Function,
    server: Option<Mistake>,
    ours: Option<Mistake>,
}

/// The differences of a version.
pub struct Tally {
    version: Version,
    compared: usize,
    /// Valid, and rejected.
    rejected: Vec<Difference>,
    /// Wrong, and accepted.
    accepted: Vec<Difference>,
    /// The same, where the server made it depend on what kind of type a stub is.
    accepted_stubs: usize,
    /// The same, where the grammar takes more than the server's.
    accepted_extensions: usize,
    /// Another message, detail or hint.
    message: Vec<Difference>,
    /// Another place.
    place: Vec<Difference>,
}

/// Returns the versions that are compiled.
pub fn enabled() -> Vec<Version> {
    Version::ALL.to_vec()
}

/// Whether a version's grammar is the one of the server.
fn is_same(version: Version) -> bool {
    version.major() == MAJOR
}

/// Whether the server rejects what the SQL of this version has, or what only its database knows.
fn is_extension(version: Version, server: &Mistake) -> bool {
    // Normalized SQL has parameters where PostgreSQL's grammar has constants, and libpg_query's takes them there: `date $1`.
    // Its scanner reads them before a name as well, and that of 15 numbers.
    server.message.starts_with("syntax error at or near \"$")
        || server.message.starts_with("trailing junk after parameter")
        || version.major() == 15
            && server.message.starts_with("trailing junk after numeric literal")
        || version.major() > MAJOR && server.message.contains("\"pg_routine_oid\"")
        // Before 17, a name alone before `%TYPE` may be that of a type.
        || version.major() < 17 && server.message == "syntax error at or near \"%\""
}

impl Tally {
    pub fn new(version: Version, both: &[(&Function, &Judged)]) -> Self {
        let mut tally = Self {
            version,
            compared: 0,
            rejected: Vec::new(),
            accepted: Vec::new(),
            accepted_stubs: 0,
            accepted_extensions: 0,
            message: Vec::new(),
            place: Vec::new(),
        };
        for (function, judged) in both {
            tally.compare(function, judged);
        }
        tally
    }

    fn compare(&mut self, function: &Function, judged: &Judged) {
        let server = match &judged.verdict {
            Verdict::Valid => None,
            Verdict::Wrong(mistake) => Some(mistake.clone()),
            Verdict::Header(_) | Verdict::Unknown(_) => return,
        };
        self.compared += 1;
        let ours = parsed(self.version, &function.sql).err().map(|error| mistake(&error));
        let has_types = judged.stubs.iter().any(|stub| matches!(stub, Stub::Type { .. }));
        let list = match (&server, &ours) {
            (None, Some(_)) => &mut self.rejected,
            (Some(_), None) if has_types => {
                self.accepted_stubs += 1;
                return;
            }
            (Some(server), None) if is_extension(self.version, server) => {
                self.accepted_extensions += 1;
                return;
            }
            (Some(_), None) => &mut self.accepted,
            (Some(server), Some(_))
                if !is_same(self.version) || has_types || is_extension(self.version, server) =>
            {
                return;
            }
            (Some(server), Some(ours)) if server.message != ours.message => &mut self.message,
            (Some(server), Some(ours)) if server.place != ours.place => &mut self.place,
            // With a place, the server says no line.
            (Some(server), Some(ours)) if server.place.is_none() && server.line != ours.line => {
                &mut self.place
            }
            (None, None) | (Some(_), Some(_)) => return,
        };
        list.push(Difference { function: function.clone(), server, ours });
    }

    fn lists(&self) -> [(&'static str, &[Difference]); 4] {
        [
            ("valid, rejected", &self.rejected),
            ("wrong, accepted", &self.accepted),
            ("another message", &self.message),
            ("another place", &self.place),
        ]
    }

    pub fn summary(&self) -> String {
        let counts = self.lists().map(|(what, list)| format!("{what} {}", list.len())).join(", ");
        format!(
            "{} compared: {counts}; wrong, and accepted with stubs {}, or as extensions {}",
            self.compared, self.accepted_stubs, self.accepted_extensions
        )
    }

    /// Returns all differences, for a person.
    pub fn report(&self, title: &str) -> String {
        let mut report = String::new();
        for (what, list) in self.lists() {
            for Difference { function, server, ours } in list {
                let _ = writeln!(
                    report,
                    "==== {title}: {what}\n{}\nserver: {server:?}\npg_ast: {ours:?}\n{}",
                    function.source, function.sql
                );
            }
        }
        report
    }

    /// Returns what may not be.
    pub fn mistakes(&self, title: &str) -> Vec<String> {
        let lists = self.lists().into_iter().filter(|(_, list)| !list.is_empty());
        let text = |(what, list): (&str, &[Difference])| {
            let Difference { function, server, ours } = &list[0];
            format!(
                "{title}, {}: {what} {}, first in {}\nserver: {server:?}\npg_ast: {ours:?}\n{}",
                self.version,
                list.len(),
                function.source,
                function.sql
            )
        };
        lists.map(text).collect()
    }
}

fn mistake(error: &pg_ast::Error) -> Mistake {
    let place = error.cursor();
    let line = error.context().and_then(|context| {
        let mut lines = context.lines();
        let line = lines.find(|line| line.starts_with("compilation of PL/pgSQL function"))?;
        line.rsplit_once("near line ")?.1.parse().ok()
    });
    let parts = [error.detail(), error.hint()].map(Option::unwrap_or_default);
    Mistake { message: message(error.message(), parts[0], parts[1]), place, line }
}
