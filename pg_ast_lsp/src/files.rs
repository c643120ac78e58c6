//! The files of the workspace, and their URIs.

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of files that are read: more make the editor wait.
const FILES: usize = 4_000;
/// The maximum number of bytes of a file, and of all files.
const FILE_BYTES: u64 = 4 << 20;
const ALL_BYTES: u64 = 64 << 20;
/// The maximum number of folders that are looked into.
const FOLDERS: usize = 20_000;

/// Returns the URIs and texts of the scripts in a folder and below. Hidden folders and those of packages are left out.
pub(crate) fn scripts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    let (mut bytes, mut looked_at) = (0, 0);
    while let Some(folder) = folders.pop() {
        looked_at += 1;
        if looked_at > FOLDERS {
            break;
        }
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            // A link may lead back.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if !name.starts_with('.') && !["node_modules", "target"].contains(&&*name) {
                    folders.push(path);
                }
                continue;
            }
            let is_script = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("sql"));
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            if !kind.is_file() || !is_script || size > FILE_BYTES || bytes + size > ALL_BYTES {
                continue;
            }
            if let (Some(uri), Ok(text)) = (uri(&path), fs::read_to_string(&path)) {
                bytes += size;
                found.push((uri, text));
            }
            if found.len() == FILES {
                return found;
            }
        }
    }
    found
}

/// Returns the text of a file; `None` if it is gone, too long or no text.
pub(crate) fn read(uri: &str) -> Option<String> {
    let path = path(uri)?;
    if fs::metadata(&path).ok()?.len() > FILE_BYTES {
        return None;
    }
    fs::read_to_string(path).ok()
}

/// Returns the path of a URI of a file.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [left.next()?, left.next()?];
        bytes.push(u8::from_str_radix(core::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/c:/folder` on Windows.
    let is_drive = cfg!(windows) && text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &text[1..] } else { &text }))
}

/// Returns the URI of a path, as editors write it.
pub(crate) fn uri(path: &Path) -> Option<String> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let text = path.to_str()?.replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let mut uri = "file://".to_owned();
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            byte => {
                uri.push('%');
                let digits = [byte >> 4, byte & 15].map(usize::from);
                uri.extend(digits.map(|digit| char::from(DIGITS[digit])));
            }
        }
    }
    Some(uri)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{path, uri};

    #[test]
    #[cfg(unix)]
    fn uris_and_paths_agree() {
        for text in ["/a/b.sql", "/with space/ä%20.sql", "/a:b/c+d.sql"] {
            let uri = uri(Path::new(text)).unwrap();
            assert_eq!(path(&uri).unwrap(), Path::new(text), "{uri}");
        }
        assert_eq!(path("file:///a%3Ab").unwrap(), Path::new("/a:b"));
        for wrong in ["untitled:1", "file:///%", "file:///%zz", "file:///%ff"] {
            assert_eq!(path(wrong), None);
        }
    }
}
