//! Replaces files.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tempfile::Builder;

/// Replaces the text of a file: it has either the old text or the new one, whatever happens.
///
/// The text is written to a file beside it, which then takes its place, with its permissions, and its owner if this
/// user may set it. A symbolic link stays one. Other hard links to the file keep the old text.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    try_replace(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Replaces the text of a file that may not be there yet; see [`replace`].
pub(crate) fn write_or_create(path: &Path, text: &str) -> Result<()> {
    let created = OpenOptions::new().write(true).create_new(true).open(path).is_ok();
    let written = replace(path, text);
    if written.is_err() && created {
        // It is empty.
        let _ = fs::remove_file(path);
    }
    written
}

fn try_replace(path: &Path, text: &str) -> Result<()> {
    let path = path.canonicalize()?;
    // To open a pipe would wait for a reader.
    if !path.metadata()?.is_file() {
        bail!("it is not a regular file");
    }
    // Nothing is written here. But a file that this user must not write is not replaced, either.
    let old = OpenOptions::new().write(true).open(&path)?.metadata()?;
    let folder = path.parent().context("it is in no folder")?;
    check_limit(text.len())?;
    let mut builder = Builder::new();
    builder.prefix(".pgast-").suffix(".tmp");
    if let Some(mut new) = without_name(folder) {
        write(&mut new, text, &old)?;
        // It only has a name until it takes the place of the old one.
        if let Ok(named) = builder.make_in(folder, |name| link(&new, name)) {
            named.persist(&path)?;
            return Ok(());
        }
    }
    // Removed if anything fails.
    let mut new = builder.tempfile_in(folder)?;
    write(new.as_file_mut(), text, &old)?;
    new.persist(&path)?;
    Ok(())
}

fn write(new: &mut File, text: &str, old: &Metadata) -> io::Result<()> {
    new.write_all(text.as_bytes())?;
    set_owner_and_mode(new, old)?;
    new.sync_all()
}

/// Creates a file in a folder that has no name, where the system has such files: nothing is left of it if the program is
/// interrupted while it writes.
#[cfg(target_os = "linux")]
fn without_name(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    open(folder, flags, Mode::RUSR | Mode::WUSR).ok().map(File::from)
}

/// Gives a name to a file that has none.
#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{AtFlags, CWD, linkat};
    let number = file.as_raw_fd();
    linkat(CWD, format!("/proc/self/fd/{number}"), CWD, name, AtFlags::SYMLINK_FOLLOW)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn without_name(_folder: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _name: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns an error if the process may not write a file of this size: it would be killed, and leave the file.
#[cfg(unix)]
fn check_limit(size: usize) -> io::Result<()> {
    use rustix::process::{Resource, getrlimit};
    let most = getrlimit(Resource::Fsize).current;
    if most.is_some_and(|most| size as u64 > most) {
        return Err(io::Error::from(rustix::io::Errno::FBIG));
    }
    Ok(())
}

#[cfg(unix)]
fn set_owner_and_mode(new: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let mut permissions = old.permissions();
    let is = new.metadata()?;
    // Only a privileged user can give a file away; a member of a group can set it.
    if (is.uid(), is.gid()) != (old.uid(), old.gid())
        && fchown(new, Some(old.uid()), Some(old.gid())).is_err()
        && fchown(new, None, Some(old.gid())).is_err()
    {
        // Another group may do no more than others may.
        let mode = permissions.mode();
        permissions.set_mode((mode & !0o070) | ((mode & 0o007) << 3));
    }
    new.set_permissions(permissions)
}

#[cfg(not(unix))]
fn check_limit(_size: usize) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn set_owner_and_mode(new: &File, old: &Metadata) -> io::Result<()> {
    new.set_permissions(old.permissions())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_no_name_while_it_is_written() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let names = || -> Result<Vec<_>> {
            let names = fs::read_dir(folder.path())?.map(|entry| Ok(entry?.file_name()));
            names.collect()
        };
        let path = folder.path().join("a.sql");
        fs::write(&path, "old")?;
        let mut new = without_name(folder.path()).context("the system has no such files")?;
        write(&mut new, "new", &path.metadata()?)?;
        assert_eq!(names()?, ["a.sql"]);
        assert_eq!(fs::read_to_string(&path)?, "old");
        drop(new);
        assert_eq!(names()?, ["a.sql"]);

        replace(&path, "new")?;
        assert_eq!(names()?, ["a.sql"]);
        assert_eq!(fs::read_to_string(&path)?, "new");
        Ok(())
    }
}
