//! A separate PostgreSQL, in a temporary folder.

use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

/// The user of the database.
pub(crate) const USER: &str = "bench";
/// The maximum time for the start of PostgreSQL.
const STARTUP: Duration = Duration::from_secs(30);

/// A running server.
pub(crate) struct Server {
    process: Child,
    pub(crate) port: u16,
    tools: Tools,
    // Dropped last.
    folder: TempDir,
}

/// The folder of PostgreSQL's programs.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    folder: PathBuf,
    /// Another user for the server, which refuses to run as root: user and group.
    user: Option<(u32, u32)>,
}

impl Tools {
    /// Finds them; an error names the missing one.
    pub(crate) fn find() -> Result<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<_> = std::env::split_paths(&path).collect();
        // On Debian they are outside of the path, the newest last.
        let mut debian: Vec<_> = fs::read_dir("/usr/lib/postgresql")
            .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
            .unwrap_or_default();
        debian.sort();
        folders.extend(debian.into_iter().rev());
        let all = ["initdb", "postgres", "pgbench"];
        let has_all = |folder: &PathBuf| all.iter().all(|tool| folder.join(tool).exists());
        let folder =
            folders.into_iter().find(has_all).context("no initdb, postgres and pgbench")?;
        // SAFETY: the call has no conditions.
        let is_root = unsafe { libc::geteuid() } == 0;
        let user = if is_root { Some(other_user()?) } else { None };
        Ok(Self { folder, user })
    }

    pub(crate) fn command(&self, name: &str) -> Command {
        Command::new(self.folder.join(name))
    }

    /// Returns a command of the server, with the server's user.
    fn server_command(&self, name: &str) -> Command {
        let mut command = self.command(name);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        // English messages, and the sort order of C.
        command.env("LC_ALL", "C").stdin(Stdio::null());
        command
    }

    pub(crate) fn version(&self) -> Result<String> {
        let output = self.command("postgres").arg("--version").output()?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// The user `postgres`, or `nobody`.
fn other_user() -> Result<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd")?;
    let find = |name: &str| {
        let mut fields =
            users.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.split(':');
        let id = fields.nth(1)?.parse().ok()?;
        Some((id, fields.next()?.parse().ok()?))
    };
    find("postgres").or_else(|| find("nobody")).context("no user that PostgreSQL could run as")
}

impl Server {
    /// Creates a database, starts PostgreSQL, and fills the tables.
    pub(crate) fn start(tools: Tools, scale: u32) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("pg_ast_proxy").tempdir()?;
        if let Some((user, group)) = tools.user {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group))?;
        }
        let data = folder.path().join("data");
        let log = folder.path().join("log");
        run(tools
            .server_command("initdb")
            .current_dir(folder.path())
            .args(["--auth=trust", "--no-sync", "--encoding=UTF8", "--username", USER, "--pgdata"])
            .arg(&data))?;
        // The port is free unless another process takes it.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = tools
            .server_command("postgres")
            .current_dir(folder.path())
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            // The disk is not measured.
            .args(["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "autovacuum=off"])
            .args(["-c", &format!("port={port}")])
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log)?)
            .spawn()
            .context("cannot start postgres")?;
        let mut server = Self { process, port, tools, folder };
        server.wait(&log)?;
        server.fill(scale)?;
        Ok(server)
    }

    fn wait(&mut self, log: &Path) -> Result<()> {
        let start = Instant::now();
        loop {
            let mut ping = self.pgbench();
            // After the server answers, this fails because the tables are missing.
            let output = ping.args(["-n", "-i", "-I", "d", "postgres"]).output()?;
            if output.status.success() {
                return Ok(());
            }
            if self.process.try_wait()?.is_some() || start.elapsed() > STARTUP {
                bail!("postgres does not start: {}", fs::read_to_string(log).unwrap_or_default());
            }
            sleep(Duration::from_millis(100));
        }
    }

    /// Creates the tables of pgbench, and one for the join.
    fn fill(&self, scale: u32) -> Result<()> {
        run(self.pgbench().args(["-i", "-q", "-s", &scale.to_string(), "postgres"]))?;
        for sql in crate::pgbench::TABLES {
            let script = self.folder.path().join("tables.sql");
            fs::write(&script, sql)?;
            run(self.pgbench().args(["-n", "-t", "1", "-f"]).arg(&script).arg("postgres"))?;
        }
        Ok(())
    }

    /// Returns pgbench for the server, or for a proxy on another port.
    pub(crate) fn pgbench(&self) -> Command {
        self.pgbench_by(self.port)
    }

    pub(crate) fn pgbench_by(&self, port: u16) -> Command {
        let mut command = self.tools.command("pgbench");
        command.args(["-h", "127.0.0.1", "-U", USER, "-p", &port.to_string()]);
        command.env("LC_ALL", "C").stdin(Stdio::null());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Ok(id) = i32::try_from(self.process.id()) else { return };
        // SAFETY: the call has no conditions, and the process is a child that has not been waited for.
        unsafe { libc::kill(id, libc::SIGINT) };
        if let Err(error) = self.process.wait() {
            eprintln!("postgres does not end: {error}");
        }
    }
}

/// Runs a command; its output is only used on failure.
pub(crate) fn run(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
