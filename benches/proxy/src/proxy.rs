//! The proxy: it reads each Query and each Parse, and forwards all other messages unchanged.

use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use bytes::{BufMut as _, BytesMut};
use hdrhistogram::Histogram;
use postgres_protocol::message::frontend;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;

use crate::engine::{Engine, Key, Kind};

/// Codes that a client sends instead of a startup message; see PostgreSQL's manual, "Message Formats".
const CANCEL_REQUEST: u32 = 80_877_102;
const SSL_REQUEST: u32 = 80_877_103;
const GSS_REQUEST: u32 = 80_877_104;
/// The maximum size of a message in bytes.
const MAX_MESSAGE: usize = 64 << 20;

/// The longest measured time, a minute.
const MOST_NANOS: u64 = 60_000_000_000;

/// The measurements of a proxy.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Measured {
    /// Statements that it processed.
    pub(crate) queries: u64,
    /// Statements that write, have a key, or were changed: this shows that the work is done.
    pub(crate) writes: u64,
    pub(crate) keys: u64,
    pub(crate) rewritten: u64,
    /// Statements that the parser rejected.
    pub(crate) refused: u64,
    /// Nanoseconds per statement in the engine: the mean, the median and the 99th percentile.
    pub(crate) mean: f64,
    pub(crate) p50: u64,
    pub(crate) p99: u64,
    /// Processor time of the process, in microseconds.
    pub(crate) cpu: u64,
}

struct Proxy {
    engine: Engine,
    server: u16,
    measured: Mutex<(Measured, Histogram<u64>)>,
}

/// Prints its port, works until standard input ends, and prints its measurements.
pub(crate) fn serve(kind: Kind, server: u16, threads: usize) -> Result<()> {
    let runtime =
        runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let histogram = Histogram::new_with_max(MOST_NANOS, 3)?;
    let proxy = Arc::new(Proxy {
        engine: Engine::new(kind),
        server,
        measured: Mutex::new((Measured::default(), histogram)),
    });
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    println!("{}", listener.local_addr()?.port());
    std::io::stdout().flush()?;
    let accepting = Arc::clone(&proxy);
    runtime.spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let proxy = Arc::clone(&accepting);
            tokio::spawn(async move {
                // The client notices the end of its connection.
                if let Err(error) = proxy.connection(client).await {
                    eprintln!("a connection ended: {error:#}");
                }
            });
        }
    });
    std::io::stdin().read_to_end(&mut Vec::new())?;
    let Ok(measured) = proxy.measured.lock() else { bail!("a thread has panicked") };
    let (measured, histogram) = &*measured;
    let measured = Measured {
        mean: histogram.mean(),
        p50: histogram.value_at_quantile(0.5),
        p99: histogram.value_at_quantile(0.99),
        cpu: processor_time()?,
        ..*measured
    };
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

/// Returns the microseconds of this process, in its own code and in the kernel.
fn processor_time() -> Result<u64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is to memory for the result of the call.
    if unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) } != 0 {
        bail!("getrusage: {}", std::io::Error::last_os_error());
    }
    // SAFETY: the call has succeeded, so all of it is initialised.
    let usage = unsafe { usage.assume_init() };
    let micros = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
    Ok((micros(usage.ru_utime) + micros(usage.ru_stime)).try_into()?)
}

impl Proxy {
    async fn connection(&self, client: TcpStream) -> Result<()> {
        client.set_nodelay(true)?;
        let server = TcpStream::connect(("127.0.0.1", self.server)).await?;
        server.set_nodelay(true)?;
        let (client_read, client_write) = client.into_split();
        let (server_read, server_write) = server.into_split();
        self.requests(BufReader::new(client_read), client_write, server_write, server_read).await
    }

    /// Forwards the startup, then all messages; the server's answers are unchanged.
    async fn requests(
        &self,
        mut client: BufReader<OwnedReadHalf>,
        mut back: OwnedWriteHalf,
        mut server: OwnedWriteHalf,
        mut answers: OwnedReadHalf,
    ) -> Result<()> {
        loop {
            let length = client.read_u32().await?;
            let code = client.read_u32().await?;
            if code == SSL_REQUEST || code == GSS_REQUEST {
                back.write_all(b"N").await?;
                continue;
            }
            let rest = (length as usize).checked_sub(8).filter(|rest| *rest <= MAX_MESSAGE);
            let mut message = vec![0; rest.context("a startup message of a wrong length")?];
            client.read_exact(&mut message).await?;
            server.write_u32(length).await?;
            server.write_u32(code).await?;
            server.write_all(&message).await?;
            if code == CANCEL_REQUEST {
                return Ok(());
            }
            break;
        }
        let answers = async { tokio::io::copy(&mut answers, &mut back).await.map(|_| ()) };
        tokio::select! {
            result = self.messages(&mut client, &mut server) => result,
            result = answers => Ok(result?),
        }
    }

    async fn messages(
        &self,
        client: &mut BufReader<OwnedReadHalf>,
        server: &mut OwnedWriteHalf,
    ) -> Result<()> {
        let mut message = Vec::new();
        let mut out = BytesMut::new();
        loop {
            let tag = match client.read_u8().await {
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(()),
                tag => tag?,
            };
            let length = client.read_u32().await?;
            let rest = (length as usize).checked_sub(4).filter(|rest| *rest <= MAX_MESSAGE);
            message.resize(rest.context("a message of a wrong length")?, 0);
            client.read_exact(&mut message).await?;
            if !self.rewritten(tag, &message, &mut out)? {
                out.put_u8(tag);
                out.put_u32(length);
                out.put_slice(&message);
            }
            // Messages that arrived together are sent together.
            if client.buffer().is_empty() {
                server.write_all_buf(&mut out).await?;
            }
        }
    }

    /// Writes the message with new SQL, if it has changed.
    fn rewritten(&self, tag: u8, message: &[u8], out: &mut BytesMut) -> Result<bool> {
        match tag {
            b'Q' => {
                let (sql, _) = text(message)?;
                let Some(sql) = self.route(sql) else { return Ok(false) };
                frontend::query(&sql, out)?;
                Ok(true)
            }
            b'P' => {
                let (name, rest) = text(message)?;
                let (sql, types) = text(rest)?;
                let Some(sql) = self.route(sql) else { return Ok(false) };
                let types = types.get(2..).unwrap_or_default().chunks_exact(4);
                let types = types.map(|oid| u32::from_be_bytes([oid[0], oid[1], oid[2], oid[3]]));
                frontend::parse(name, &sql, types, out)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn route(&self, sql: &str) -> Option<String> {
        let start = Instant::now();
        let route = self.engine.route(sql);
        let time = start.elapsed();
        let mut measured = self.measured.lock().ok()?;
        let (measured, histogram) = &mut *measured;
        histogram.saturating_record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        measured.queries += 1;
        let Some(route) = route else {
            measured.refused += 1;
            return None;
        };
        measured.writes += u64::from(route.writes);
        // A shard would be chosen here.
        measured.keys += u64::from(matches!(route.key, Some(Key::Number(_) | Key::Param(_))));
        measured.rewritten += u64::from(route.sql.is_some());
        route.sql
    }
}

/// Returns a string of the protocol, which ends with NUL, and the bytes after it.
fn text(message: &[u8]) -> Result<(&str, &[u8])> {
    let end = message.iter().position(|&byte| byte == 0).context("a string without an end")?;
    Ok((std::str::from_utf8(&message[..end])?, &message[end + 1..]))
}
