//! Our own functions in PL/pgSQL: the valid ones have a result, and the wrong ones the message and the place that a server
//! has for them.
//!
//! `tests/server.rs` compares what is recorded of the wrong ones with a server.

#![cfg(feature = "plpgsql")]

use pg_ast::Error;

use super::pg::plpgsql;
use super::{MAJOR, NAME};
use crate::common::plpgsql::{Case, valid, wrong};
use crate::common::split::split;

/// The version of the server whose messages are recorded.
const RECORDED: u32 = 15;

/// Returns the first error.
fn parse(sql: &str) -> Result<(), Error> {
    let parsed = plpgsql::parse(sql)?;
    parsed.functions.into_iter().try_for_each(|it| it.function.map(drop))
}

fn expected(error: &Error) -> String {
    let mut message = error.message().to_owned();
    for (label, more) in [("DETAIL", error.detail()), ("HINT", error.hint())] {
        if let Some(more) = more {
            message.extend([" / ", label, ": ", more]);
        }
    }
    let line = error.context().and_then(|context| {
        let mut lines = context.lines();
        let line = lines.find(|line| line.starts_with("compilation of PL/pgSQL function"))?;
        line.rsplit_once("near line ")?.1.parse().ok()
    });
    Case::expected(&message, error.cursor(), line)
}

#[test]
fn as_on_a_server() {
    let texts = valid().into_iter().flat_map(|(_, sql)| split(&sql));
    let texts: Vec<_> = texts.collect();
    assert!(texts.len() > 200, "{}", texts.len());
    let rejected = texts.iter().filter_map(|sql| Some((parse(sql).err()?, sql)));
    let rejected: Vec<_> =
        rejected.map(|(error, sql)| format!("{sql}\n{}", expected(&error))).collect();

    let cases: Vec<_> = wrong().into_iter().flat_map(|(_, cases)| cases).collect();
    assert!(cases.len() > 200, "{}", cases.len());
    let (mut accepted, mut others) = (Vec::new(), Vec::new());
    for case in cases {
        match parse(&case.sql).map_err(|error| expected(&error)) {
            Ok(()) => accepted.push(case.sql),
            // Messages differ between versions.
            Err(error) if error != case.expected && MAJOR == RECORDED => {
                others.push(format!("{}\nserver: {}\npg_ast: {error}", case.sql, case.expected));
            }
            Err(_) => {}
        }
    }
    assert!(
        rejected.is_empty() && accepted.is_empty() && others.is_empty(),
        "{NAME}\nvalid, and rejected:\n{}\nwrong, and accepted:\n{}\nother errors:\n{}",
        rejected.join("\n"),
        accepted.join("\n"),
        others.join("\n")
    );
}

/// Before 17, a name alone before `%TYPE` may be that of a type, and a type is not looked up.
#[test]
fn a_type_of_a_type() {
    let result = parse("DO $$ DECLARE x y%TYPE; BEGIN NULL; END $$");
    assert_eq!(result.is_ok(), MAJOR < 17, "{result:?}");
}

/// The variables of a function that are PL/pgSQL's own: those that it has, and no others.
#[test]
fn own_variables() {
    let names = |sql: &str| {
        let parsed = plpgsql::parse(sql).unwrap();
        let function = parsed.functions[0].function.as_ref().unwrap();
        let own = [function.found_varno, function.new_varno, function.old_varno];
        own.map(|dno| dno.and_then(|dno| function.variable_name(dno)).map(str::to_owned))
    };
    let found = || Some("found".to_owned());
    let new_and_old = [Some("new".to_owned()), Some("old".to_owned())];
    let header = |result: &str, params: &str| {
        format!("CREATE FUNCTION f({params}) RETURNS {result} LANGUAGE plpgsql AS 'BEGIN END'")
    };
    let [new, old] = new_and_old;
    assert_eq!(names(&header("trigger", "")), [found(), new, old]);
    assert_eq!(names(&header("int", "a int")), [found(), None, None]);
    assert_eq!(names(&header("event_trigger", "")), [found(), None, None]);
    assert_eq!(names("DO 'BEGIN END'"), [found(), None, None]);
}
