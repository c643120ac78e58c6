//! Replaces files.

use std::fs::{File, Metadata, OpenOptions};
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

fn try_replace(path: &Path, text: &str) -> Result<()> {
    let path = path.canonicalize()?;
    // Nothing is written here. But a file that this user must not write is not replaced, either.
    let old = OpenOptions::new().write(true).open(&path)?.metadata()?;
    if !old.is_file() {
        bail!("it is not a regular file");
    }
    let folder = path.parent().context("it is in no folder")?;
    check_limit(text.len())?;
    // Removed if anything fails.
    let mut new = Builder::new().prefix(".pgast-").suffix(".tmp").tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    set_owner_and_mode(new.as_file(), &old)?;
    new.as_file().sync_all()?;
    new.persist(&path)?;
    Ok(())
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
