//! A PostgreSQL of the test's own, and as much of its protocol as the test needs: SQL, and the fields of errors.

use std::fmt::Display;
use std::fs;
use std::io::{BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub use super::protocol::{Description, Fields};
use super::protocol::{described_columns, fields, message, parameter_types, read_message, row};

/// The major version whose messages and positions are compared.
pub const MAJOR: u32 = 15;
/// The environment variable with the folder of `initdb` and `postgres`; for another version, its number follows.
const BIN: &str = "PG_BIN";
const USER: &str = "tester";
const DATABASE: &str = "postgres";

/// A running server, and a session in it. Both end with this value.
pub struct Server {
    major: u32,
    process: Child,
    bin: PathBuf,
    folder: PathBuf,
    port: u16,
    session: Session,
}

/// A session.
pub struct Session {
    stream: BufReader<TcpStream>,
    transaction: u8,
    warnings: Vec<Fields>,
}

impl std::ops::Deref for Server {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl std::ops::DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

fn text(what: &str) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{what}: {error}")
}

impl Server {
    /// Starts a server with an empty database; the error is why there is none.
    pub fn start() -> Result<Self, String> {
        Self::of(MAJOR)
    }

    /// Starts a server of a major version.
    pub fn of(major: u32) -> Result<Self, String> {
        Self::with(major, false)
    }

    /// Starts a standby of a major version, which no primary sends anything to.
    pub fn standby(major: u32) -> Result<Self, String> {
        Self::with(major, true)
    }

    fn with(major: u32, is_standby: bool) -> Result<Self, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let bin = bin(major)?;
        let name = format!(
            "pg_ast_server_{}_{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).map_err(text("a folder"))?;
        let user = other_user(&folder)?;
        let command = |name: &str| {
            let mut command = Command::new(bin.join(name));
            #[cfg(unix)]
            if let Some((user, group)) = user {
                use std::os::unix::process::CommandExt as _;
                command.uid(user).gid(group);
            }
            // English messages.
            command.env("LC_ALL", "C").current_dir(&folder).stdin(Stdio::null());
            command
        };
        let data = folder.join("data");
        let output = command("initdb")
            .args([
                "--auth=trust",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C",
                "--username",
                USER,
            ])
            .arg("--pgdata")
            .arg(&data)
            .output()
            .map_err(text("initdb"))?;
        if !output.status.success() {
            return Err(format!("initdb: {}", String::from_utf8_lossy(&output.stderr)));
        }
        if is_standby {
            fs::write(data.join("standby.signal"), "").map_err(text("a file"))?;
        }
        // The port is free unless another process takes it.
        let listener = TcpListener::bind("127.0.0.1:0").map_err(text("a port"))?;
        let port = listener.local_addr().map_err(text("a port"))?.port();
        drop(listener);
        let log = fs::File::create(folder.join("log")).map_err(text("a log"))?;
        let mut process = command("postgres")
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            .args(["-c", "fsync=off", "-c", "autovacuum=off", "-c", "log_min_messages=panic"])
            // Without statistics, the server expects so many rows of its catalogs that it compiles queries, for half a second each.
            .args(["-c", "jit=off"])
            .args(["-c", &format!("port={port}")])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(text("postgres"))?;
        match session(port, DATABASE, Duration::from_secs(60)) {
            Ok(session) => Ok(Self { major, process, bin, folder, port, session }),
            Err(error) => {
                let _ = process.kill();
                let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
                let _ = fs::remove_dir_all(&folder);
                Err(format!("{error}: {log}"))
            }
        }
    }

    /// Returns the major version.
    pub fn major(&self) -> u32 {
        self.major
    }

    /// Empties the database, drops all other ones and all roles, and opens a new session.
    pub fn renew(&mut self) {
        self.session = self.in_database("template1");
        let databases = "SELECT datname FROM pg_database WHERE datname NOT LIKE 'template_'";
        for database in self.query(databases).expect("the databases") {
            self.query(&format!("DROP DATABASE \"{}\" WITH (FORCE)", database[0]))
                .expect("dropped");
        }
        let roles = "SELECT rolname FROM pg_roles WHERE oid >= 16384";
        for role in self.query(roles).expect("the roles") {
            self.query(&format!("DROP ROLE \"{}\"", role[0])).expect("dropped");
        }
        self.query(&format!("CREATE DATABASE {DATABASE} TEMPLATE template0")).expect("created");
        self.session = self.in_database(DATABASE);
    }

    /// Opens another session.
    pub fn another(&self) -> Session {
        self.in_database(DATABASE)
    }

    /// Opens a session in another database.
    pub fn in_database(&self, name: &str) -> Session {
        session(self.port, name, Duration::from_secs(10)).expect("another session")
    }

    /// Returns the definitions of a database, as `pg_dump` writes them.
    pub fn dump(&self, database: &str) -> Result<String, String> {
        let port = self.port.to_string();
        let output = Command::new(self.bin.join("pg_dump"))
            .args(["--schema-only", "--host=127.0.0.1", "--username", USER, "--port", &port])
            .arg(database)
            .output()
            .map_err(text("pg_dump"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Session {
    /// Runs texts of SQL one after the other, and returns the error of each.
    pub fn run(&mut self, texts: &[&str]) -> Vec<Option<Fields>> {
        let mut sent = Vec::new();
        for sql in texts {
            message(&mut sent, Some(b'Q'), &[sql.as_bytes(), b"\0"].concat());
        }
        self.stream.get_mut().write_all(&sent).expect("the server reads");
        texts.iter().map(|_| self.reply().expect("the server answers")).collect()
    }

    /// Prepares statements one after the other, which runs none of them, and returns the error of each.
    pub fn prepare(&mut self, texts: &[String]) -> Vec<Option<Fields>> {
        let mut sent = Vec::new();
        for sql in texts {
            // The statement has no name, and its parameters no types.
            let body = [b"\0", sql.as_bytes(), b"\0\0\0"].concat();
            message(&mut sent, Some(b'P'), &body);
            message(&mut sent, Some(b'S'), b"");
        }
        self.stream.get_mut().write_all(&sent).expect("the server reads");
        texts.iter().map(|_| self.reply().expect("the server answers")).collect()
    }

    /// Prepares statements one after the other, which runs none of them, and returns what each is, or its error.
    ///
    /// If a transaction is open, it goes on after errors.
    pub fn descriptions(&mut self, texts: &[String]) -> Vec<Result<Description, Fields>> {
        let is_open = self.transaction == b'T';
        let mut sent = Vec::new();
        for sql in texts {
            if is_open {
                message(&mut sent, Some(b'Q'), b"SAVEPOINT described\0");
            }
            message(&mut sent, Some(b'P'), &[b"\0", sql.as_bytes(), b"\0\0\0"].concat());
            message(&mut sent, Some(b'D'), b"S\0");
            message(&mut sent, Some(b'S'), b"");
            if is_open {
                message(&mut sent, Some(b'Q'), b"ROLLBACK TO described; RELEASE described\0");
            }
        }
        self.stream.get_mut().write_all(&sent).expect("the server reads");
        let mut found = Vec::new();
        for _ in texts {
            if is_open {
                self.reply().expect("the server answers");
            }
            found.push(self.description().expect("the server answers"));
            if is_open {
                self.reply().expect("the server answers");
            }
        }
        found
    }

    /// Reads what a statement is, up to the end of the reply.
    fn description(&mut self) -> std::io::Result<Result<Description, Fields>> {
        let mut found = Ok(Description::default());
        loop {
            let (tag, body) = read_message(&mut self.stream)?;
            match (tag, &mut found) {
                (b'E', _) => found = Err(fields(&body)),
                (b't', Ok(found)) => found.parameters = parameter_types(&body),
                (b'T', Ok(found)) => found.columns = Some(described_columns(&body)),
                (b'Z', _) => {
                    self.transaction = body.first().copied().unwrap_or(b'I');
                    return Ok(found);
                }
                _ => {}
            }
        }
    }

    /// Runs a query, and returns its rows, with an empty text for NULL; or its error.
    pub fn query(&mut self, sql: &str) -> Result<Vec<Vec<String>>, Fields> {
        let mut sent = Vec::new();
        message(&mut sent, Some(b'Q'), &[sql.as_bytes(), b"\0"].concat());
        self.stream.get_mut().write_all(&sent).expect("the server reads");
        let mut rows = Vec::new();
        let error = self.rows(&mut rows).expect("the server answers");
        error.map_or(Ok(rows), Err)
    }

    /// Returns whether a transaction is open: `I` if not, `T`, or `E` after an error in it.
    pub fn transaction(&self) -> u8 {
        self.transaction
    }

    /// Returns the warnings and notices of the last query.
    pub fn warnings(&self) -> &[Fields] {
        &self.warnings
    }

    /// Reads up to the end of a reply.
    fn reply(&mut self) -> std::io::Result<Option<Fields>> {
        self.rows(&mut Vec::new())
    }

    /// Reads up to the end of a reply, and adds its rows.
    fn rows(&mut self, rows: &mut Vec<Vec<String>>) -> std::io::Result<Option<Fields>> {
        let mut error = None;
        self.warnings.clear();
        loop {
            let (tag, body) = read_message(&mut self.stream)?;
            match tag {
                b'E' => error = Some(fields(&body)),
                b'N' => self.warnings.push(fields(&body)),
                b'D' => rows.push(row(&body)),
                // No data is sent for COPY.
                b'G' => {
                    let mut sent = Vec::new();
                    message(&mut sent, Some(b'f'), b"\0");
                    self.stream.get_mut().write_all(&sent)?;
                }
                b'Z' => {
                    self.transaction = body.first().copied().unwrap_or(b'I');
                    return Ok(error);
                }
                _ => {}
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGINT is a fast shutdown, SIGKILL would leave shared memory behind.
        #[cfg(unix)]
        // SAFETY: the process is a child that was not waited for, so the number is still its own.
        unsafe {
            libc::kill(self.process.id().cast_signed(), libc::SIGINT);
        }
        #[cfg(not(unix))]
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Connects, as soon as the server lets it.
fn session(port: u16, database: &str, patience: Duration) -> Result<Session, String> {
    let start = Instant::now();
    loop {
        match connect(port, database) {
            Ok(stream) => {
                let stream = BufReader::new(stream);
                return Ok(Session { stream, transaction: b'I', warnings: Vec::new() });
            }
            Err(error) if start.elapsed() > patience => return Err(format!("no session: {error}")),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn connect(port: u16, database: &str) -> std::io::Result<TcpStream> {
    let other = |error: &dyn Display| std::io::Error::other(error.to_string());
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let mut sent = Vec::new();
    let parameters = format!("user\0{USER}\0database\0{database}\0\0");
    message(&mut sent, None, &[&196_608_u32.to_be_bytes(), parameters.as_bytes()].concat());
    stream.write_all(&sent)?;
    loop {
        match read_message(&mut stream)? {
            (b'Z', _) => return Ok(stream),
            (b'E', body) => return Err(other(&fields(&body).get(b'M'))),
            _ => {}
        }
    }
}

/// Returns the folder of a PostgreSQL of that version.
fn bin(major: u32) -> Result<PathBuf, String> {
    let variable = if major == MAJOR { BIN.to_owned() } else { format!("{BIN}_{major}") };
    let mut folders: Vec<PathBuf> =
        std::env::var_os(&variable).into_iter().map(PathBuf::from).collect();
    // Where Debian, Red Hat, and Homebrew have it.
    folders.push(format!("/usr/lib/postgresql/{major}/bin").into());
    folders.push(format!("/usr/pgsql-{major}/bin").into());
    folders.push(format!("/opt/homebrew/opt/postgresql@{major}/bin").into());
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let is_right = |folder: &PathBuf| {
        let output = Command::new(folder.join("postgres")).arg("--version").output();
        let version = format!(" {major}.");
        folder.join("initdb").exists()
            && output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&version))
    };
    folders.into_iter().find(is_right).ok_or(format!(
        "no initdb and postgres of PostgreSQL {major} (on Debian: the package postgresql-{major}; {variable} names another \
         folder)"
    ))
}

/// PostgreSQL does not run as root: then the folder is passed to the user `postgres`, or `nobody`.
#[cfg(unix)]
fn other_user(folder: &Path) -> Result<Option<(u32, u32)>, String> {
    // SAFETY: the call has no conditions.
    if unsafe { libc::geteuid() } != 0 {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").map_err(text("users"))?;
    let find = |name: &str| {
        let mut all = users.lines();
        let line = all.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let mut fields = line.split(':').skip(1).map(str::parse);
        Some((fields.next()?.ok()?, fields.next()?.ok()?))
    };
    let (user, group) = find("postgres").or_else(|| find("nobody")).ok_or("no other user")?;
    std::os::unix::fs::chown(folder, Some(user), Some(group)).map_err(text("chown"))?;
    Ok(Some((user, group)))
}

#[cfg(not(unix))]
fn other_user(_: &Path) -> Result<Option<(u32, u32)>, String> {
    Ok(None)
}
