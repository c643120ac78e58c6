//! `pgast parse`.

use std::io::Write;

use anyhow::Result;
use pg_ast::{Error, Version, with_version};

use super::outline;
use crate::Outcome;
use crate::args::{Output, Parse};
use crate::report::{Diagnostic, Report};

pub(crate) fn run(args: &Parse, version: Version, out: &mut dyn Write) -> Result<Outcome> {
    args.inputs.each(|source| {
        let written = if args.form.protobuf {
            protobuf(version, &source.text).map(|bytes| out.write_all(&bytes))
        } else {
            json(version, &source.text).map(|json| {
                if args.form.json {
                    writeln!(out, "{json}")
                } else if args.form.sexp {
                    outline::sexp(&json, out)
                } else {
                    outline::outline(&json, out)
                }
            })
        };
        match written {
            Ok(written) => {
                written?;
                Ok(Outcome::Fine)
            }
            Err(error) => {
                let diagnostic = Diagnostic::of_error(&error, &source.text, source.text.len());
                let mut stderr = anstream::stderr().lock();
                Report::new(Output::Full).file(&source).print(&mut stderr, &diagnostic)?;
                Ok(Outcome::Found)
            }
        }
    })
}

fn json(version: Version, sql: &str) -> Result<String, Error> {
    with_version!(version, pg => Ok(pg::view::parse(sql)?.to_json()))
}

fn protobuf(version: Version, sql: &str) -> Result<Vec<u8>, Error> {
    with_version!(version, pg => Ok(pg::view::parse(sql)?.encode_to_vec()))
}
