//! A PostgreSQL of the test's own, which is started with other settings for each log.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use tempfile::{TempDir, tempdir};

use crate::syslog::Socket;

/// The major version.
const MAJOR: u32 = 15;
/// The environment variable with the folder of `initdb` and `postgres`.
const BIN: &str = "PG_BIN";
const USER: &str = "tester";
pub(crate) const PREFIX: &str = "%m [%p] %q%u@%d ";

pub(crate) struct Cluster {
    bin: PathBuf,
    folder: TempDir,
    /// PostgreSQL does not run as root.
    user: Option<(u32, u32)>,
    phases: AtomicUsize,
}

/// The logs of a server.
pub(crate) struct Phase(PathBuf);

impl Phase {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// A server that runs.
pub(crate) struct Server<'a> {
    cluster: &'a Cluster,
    port: u16,
}

fn text(what: &str) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{what}: {error}")
}

impl Cluster {
    /// Makes the files of a server; the error is why there is none.
    pub(crate) fn new() -> Result<Self, String> {
        let bin = bin()?;
        let folder = tempdir().map_err(text("a folder"))?;
        let user = other_user(folder.path())?;
        let cluster = Self { bin, folder, user, phases: AtomicUsize::new(0) };
        let data = cluster.data();
        let initdb = cluster
            .command("initdb")
            .args([
                "--auth=trust",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C",
                "--username",
                USER,
            ])
            .arg("--pgdata")
            .arg(data)
            .output();
        succeeded("initdb", &initdb.map_err(text("initdb"))?)?;
        Ok(cluster)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.bin.join(name));
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command.env("LC_ALL", "C").current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Starts a server with settings and an environment, calls a function with it, and ends it.
    pub(crate) fn run(
        &self,
        settings: &[&str],
        environment: &[(&str, &str)],
        syslog: Option<&Socket>,
        work: impl FnOnce(&Server<'_>),
    ) -> Phase {
        let number = self.phases.fetch_add(1, Ordering::Relaxed);
        let logs = self.folder.path().join(format!("logs{number}"));
        fs::create_dir(&logs).unwrap();
        if let Some((user, group)) = self.user {
            chown(&logs, Some(user), Some(group)).unwrap();
        }
        // The port is free unless another process takes it.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let destination = if syslog.is_some() { ",syslog" } else { "" };
        let common = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\nfsync = off\n\
             autovacuum = off\nlog_checkpoints = off\nlogging_collector = on\nlog_rotation_size = 0\n\
             log_directory = '{}'\nlog_filename = 'log.log'\nlog_line_prefix = '{PREFIX}'\n\
             log_destination = 'stderr,csvlog,jsonlog{destination}'\n",
            logs.display()
        );
        fs::write(self.data().join("postgresql.conf"), common + &settings.join("\n") + "\n")
            .unwrap();
        let start = self
            .command("pg_ctl")
            .args(["start", "-w", "-t", "60", "-l", "/dev/null", "-D"])
            .arg(self.data())
            .envs(environment.iter().copied())
            .stdout(Stdio::null())
            .status();
        assert!(
            start.unwrap().success(),
            "{}",
            fs::read_to_string(logs.join("log.log")).unwrap_or_default()
        );
        let server = Server { cluster: self, port };
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let reader = syslog.map(|socket| {
                let is_over = &is_over;
                scope.spawn(move || socket.read(|| is_over.load(Ordering::Relaxed)))
            });
            let ended = End(&is_over);
            work(&server);
            // It waits until the logs are written.
            drop(server);
            drop(ended);
            if let Some(log) = reader.map(|reader| reader.join().unwrap()) {
                fs::write(logs.join("log.syslog"), log).unwrap();
            }
        });
        Phase(logs)
    }
}

/// Says that it is over, also after a panic.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Server<'_> {
    fn client(&self, name: &str) -> Command {
        let mut command = self.cluster.command(name);
        command.args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", USER]);
        command
    }

    /// Runs a script with `psql`, which goes on after errors.
    pub(crate) fn script(&self, sql: &str) {
        let path = self.cluster.folder.path().join("script.sql");
        fs::write(&path, sql).unwrap();
        let output = self
            .client("psql")
            .args(["-X", "-q", "-d", "postgres", "-f"])
            .arg(path)
            .output()
            .unwrap();
        succeeded("psql", &output).unwrap();
    }

    /// Runs statements in several sessions at once.
    pub(crate) fn bench(&self, mode: &str, sessions: u64, transactions: u64, stmts: &[&str]) {
        let path = self.cluster.folder.path().join("bench.sql");
        fs::write(&path, format!("\\set id random(10, 90)\n{}\n", stmts.join("\n"))).unwrap();
        let output = self
            .client("pgbench")
            .args([
                "-n",
                "-M",
                mode,
                "-c",
                &sessions.to_string(),
                "-t",
                &transactions.to_string(),
                "-f",
            ])
            .arg(path)
            .arg("postgres")
            .output()
            .unwrap();
        succeeded("pgbench", &output).unwrap();
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let mut stop = self.cluster.command("pg_ctl");
        stop.args(["stop", "-w", "-m", "fast", "-D"]).arg(self.cluster.data());
        let _ = stop.stdout(Stdio::null()).status();
    }
}

fn succeeded(what: &str, output: &Output) -> Result<(), String> {
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{what}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn bin() -> Result<PathBuf, String> {
    let mut folders: Vec<PathBuf> = std::env::var_os(BIN).into_iter().map(PathBuf::from).collect();
    // Where Debian, Red Hat, and Homebrew have it.
    folders.push(format!("/usr/lib/postgresql/{MAJOR}/bin").into());
    folders.push(format!("/usr/pgsql-{MAJOR}/bin").into());
    folders.push(format!("/opt/homebrew/opt/postgresql@{MAJOR}/bin").into());
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let is_right = |folder: &PathBuf| {
        let output = Command::new(folder.join("postgres")).arg("--version").output();
        let version = format!(" {MAJOR}.");
        ["initdb", "pg_ctl", "psql", "pgbench"].iter().all(|name| folder.join(name).exists())
            && output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&version))
    };
    folders.into_iter().find(is_right).ok_or(format!(
        "no initdb, pg_ctl, psql and pgbench of PostgreSQL {MAJOR} (on Debian: the package postgresql-{MAJOR}; {BIN} names \
         another folder)"
    ))
}

/// PostgreSQL does not run as root: then the folder is passed to the user `postgres`, or `nobody`.
fn other_user(folder: &Path) -> Result<Option<(u32, u32)>, String> {
    if !rustix::process::geteuid().is_root() {
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
    chown(folder, Some(user), Some(group)).map_err(text("chown"))?;
    Ok(Some((user, group)))
}
