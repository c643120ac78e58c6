//! The socket that a server writes its syslog to, if no other program has it.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

/// The path that the C library has.
const PATH: &str = "/dev/log";

pub(crate) struct Socket(UnixDatagram);

impl Socket {
    /// Opens the socket; the error is why not.
    pub(crate) fn open() -> Result<Self, String> {
        if fs::symlink_metadata(PATH).is_ok() {
            return Err(format!("{PATH} is another program's"));
        }
        let text = |error: std::io::Error| format!("{PATH}: {error}");
        let socket = Self(UnixDatagram::bind(PATH).map_err(text)?);
        fs::set_permissions(PATH, Permissions::from_mode(0o666)).map_err(text)?;
        socket.0.set_read_timeout(Some(Duration::from_millis(500))).map_err(text)?;
        Ok(socket)
    }

    /// Reads what there is until nothing comes any more, and returns it as rsyslog writes it to files.
    pub(crate) fn read(&self, is_over: impl Fn() -> bool) -> String {
        let mut log = String::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let ended = is_over();
            match self.0.recv(&mut buffer) {
                Ok(length) => {
                    let message = String::from_utf8_lossy(&buffer[..length]).into_owned();
                    log += &line(&message);
                }
                Err(_) if ended => return log,
                Err(_) => {}
            }
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = fs::remove_file(PATH);
    }
}

/// `<134>Jan  1 10:00:00 postgres[1]: text`, with the name of a host.
fn line(message: &str) -> String {
    const TIME: usize = "Jan  1 10:00:00".len();
    let (_, message) = message.split_once('>').unwrap();
    let (time, rest) = message.split_at(TIME);
    let mut line = format!("{time} host");
    for c in rest.trim_end_matches('\n').chars() {
        if c.is_ascii_control() {
            let _ = write!(line, "#{:03o}", u32::from(c));
        } else {
            line.push(c);
        }
    }
    line + "\n"
}
