//! A proxy for PostgreSQL: it counts what a replica could answer and what it could not, and renames one table.
//!
//! ```text
//! cargo run --release -p pg_ast_examples --features effects --example proxy -- 6543 127.0.0.1:5432 orders app.orders_v2
//! psql -h 127.0.0.1 -p 6543
//! ```
//!
//! It reads each Query and Parse message of the protocol, and forwards all others unchanged. The
//! tree is read, changed in its place and dropped, so it is a view. SQL that cannot
//! be parsed goes to the server, which reports the error. `benches/proxy` measures such a proxy.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};

use pg_ast::view;
use pg_ast_effects::FindEffects as _;

/// The codes that a client sends instead of a startup message to request encryption, by TLS or by GSSAPI.
const ENCRYPTION: [u32; 2] = [80_877_103, 80_877_104];
/// The maximum size of a message in bytes.
const MAX_MESSAGE: usize = 64 << 20;

/// The table, and its new name.
pub(crate) struct Proxy {
    pub(crate) table: String,
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) reads: AtomicU64,
    pub(crate) writes: AtomicU64,
}

impl Proxy {
    /// The statement for the server, if it differs.
    pub(crate) fn rewrite(&self, sql: &str) -> Result<Option<String>, pg_ast::Error> {
        let mut tree = view::parse(sql)?;
        // A function of one's own may write.
        let writes = tree.effects().iter().any(|effects| !effects.writes.is_no());
        let mut renamed = false;
        tree.edit(|mut stmts, _| {
            // Names that a `WITH` defines are not tables, and are left as they are.
            stmts.walk_tables_mut(|table, _context| {
                if table.view().relname() == self.table && table.view().schemaname().is_empty() {
                    table.set_schemaname(&self.schema);
                    table.set_relname(&self.name);
                    renamed = true;
                }
            });
        });
        let counter = if writes { &self.writes } else { &self.reads };
        counter.fetch_add(1, Ordering::Relaxed);
        if renamed { tree.deparse().map(Some) } else { Ok(None) }
    }

    /// Forwards the client's messages until it sends no more.
    pub(crate) fn requests(&self, client: TcpStream, server: &mut TcpStream) -> io::Result<()> {
        let mut back = client.try_clone()?;
        let mut client = BufReader::new(client);
        // The startup message has no tag.
        let mut message = loop {
            let message = body(&mut client)?;
            let code = message.get(..4).map(|code| code.try_into().map_or(0, u32::from_be_bytes));
            if !code.is_some_and(|code| ENCRYPTION.contains(&code)) {
                break message;
            }
            back.write_all(b"N")?;
        };
        server.write_all(&with_length(None, &message))?;
        let mut tag = [0];
        while client.read(&mut tag)? == 1 {
            message = body(&mut client)?;
            // The place of the SQL: in Parse, the name of the statement precedes it.
            let start = match tag[0] {
                b'Q' => Some(0),
                b'P' => message.iter().position(|&byte| byte == 0).map(|end| end + 1),
                _ => None,
            };
            if let Some(start) = start
                && let Some(length) = message[start..].iter().position(|&byte| byte == 0)
                && let Ok(sql) = std::str::from_utf8(&message[start..start + length])
                && let Ok(Some(new)) = self.rewrite(sql)
            {
                message.splice(start..start + length, new.into_bytes());
            }
            server.write_all(&with_length(Some(tag[0]), &message))?;
        }
        Ok(())
    }
}

/// Reads a message after its tag: the length, which includes itself, and that many bytes.
fn body(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    reader.read_exact(&mut length)?;
    let length = (u32::from_be_bytes(length) as usize).checked_sub(4);
    let length = length.filter(|length| *length <= MAX_MESSAGE);
    let mut body = vec![0; length.ok_or_else(|| io::Error::other("a message of a wrong length"))?];
    reader.read_exact(&mut body)?;
    Ok(body)
}

fn with_length(tag: Option<u8>, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap_or(u32::MAX);
    tag.into_iter().chain(length.to_be_bytes()).chain(body.iter().copied()).collect()
}

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    let [port, server, table, new] = args.as_slice() else {
        eprintln!("usage: proxy PORT SERVER TABLE SCHEMA.TABLE");
        return ExitCode::from(2);
    };
    let Some((schema, name)) = new.split_once('.') else {
        eprintln!("{new} is not SCHEMA.TABLE");
        return ExitCode::from(2);
    };
    let (table, schema, name) = (table.clone(), schema.to_owned(), name.to_owned());
    let proxy = Arc::new(Proxy { table, schema, name, reads: 0.into(), writes: 0.into() });
    match listen(&proxy, port, server) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn listen(proxy: &Arc<Proxy>, port: &str, address: &str) -> io::Result<()> {
    for client in TcpListener::bind(format!("127.0.0.1:{port}"))?.incoming() {
        let (client, proxy) = (client?, Arc::clone(proxy));
        let mut server = TcpStream::connect(address)?;
        let (mut answers, mut back) = (server.try_clone()?, client.try_clone()?);
        thread::spawn(move || {
            io::copy(&mut answers, &mut back).and_then(|_| back.shutdown(Shutdown::Both))
        });
        thread::spawn(move || {
            if let Err(error) = proxy.requests(client, &mut server) {
                eprintln!("a connection ended: {error}");
            }
            let _ = server.shutdown(Shutdown::Both);
            let (reads, writes) = (&proxy.reads, &proxy.writes);
            println!(
                "{} reads, {} writes",
                reads.load(Ordering::Relaxed),
                writes.load(Ordering::Relaxed)
            );
        });
    }
    Ok(())
}
