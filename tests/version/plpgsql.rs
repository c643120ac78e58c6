//! x
use super::{NAME, c_route, pg};
use crate::common::corpus;
use pg_ast::serde_json::{self, Value};

#[test]
fn regression_statements() {
    let mut n = 0;
    for sql in corpus::statements() {
        let ours = pg::parse_plpgsql(&sql);
        if ours.as_ref().is_ok_and(|v| v.as_array().unwrap().is_empty()) {
            continue;
        }
        n += 1;
        let theirs = c_route::plpgsql(&sql);
        match (&ours, &theirs) {
            (Ok(o), Ok(t)) => match serde_json::from_str::<Value>(t) {
                Ok(v) => {
                    if v != *o {
                        println!("DIFF {sql}\n {o}\n {t}")
                    }
                }
                Err(e) => println!("INVALID {sql}\n  {o}\n {t}\n {e}"),
            },
            (Err(o), Err(t)) => {
                if o.message() != t.message {
                    println!("ERR {sql} {o:?} {t:?}")
                } else if !o.cursor().is_some() {
                    println!("NOCURSOR {o:?}")
                }
            }
            _ => println!("OTHER {sql} {ours:?} {theirs:?}"),
        }
    }
    println!("{NAME} {n}");
}
