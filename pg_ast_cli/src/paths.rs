//! Paths by their text alone, and patterns of them.

use std::env;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Returns the absolute path, without `.` and `..`. Links are not followed.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf> {
    let folder = env::current_dir().context("cannot tell the current folder")?;
    let mut absolute = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                absolute.pop();
            }
            part => absolute.push(part),
        }
    }
    Ok(absolute)
}

/// Returns a path as seen from a folder, with `/`; both are absolute.
pub(crate) fn relative(path: &Path, folder: &Path) -> String {
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| "..".into());
    let down = path.components().skip(common).map(|it| it.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Patterns of files, as in `.gitignore`.
#[derive(Debug)]
pub(crate) struct Patterns(Gitignore);

impl Patterns {
    /// Reads patterns that are relative to a folder.
    pub(crate) fn new<'a>(
        folder: &Path,
        patterns: impl IntoIterator<Item = &'a String>,
    ) -> Result<Self> {
        let mut builder = GitignoreBuilder::new(folder);
        for pattern in patterns {
            let added = builder.add_line(None, pattern);
            added.with_context(|| format!("invalid file pattern {pattern}"))?;
        }
        Ok(Self(builder.build()?))
    }

    /// Returns whether a file matches, or a folder that it is in. Files elsewhere do not.
    pub(crate) fn matches(&self, file: &Path) -> Result<bool> {
        let file = absolute(file)?;
        if !file.starts_with(self.0.path()) {
            return Ok(false);
        }
        Ok(self.0.matched_path_or_any_parents(&file, false).is_ignore())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative() {
        for (path, folder, expected) in [
            ("/a/b/c.sql", "/a", "b/c.sql"),
            ("/a/c.sql", "/a/b/d", "../../c.sql"),
            ("/a/c.sql", "/a", "c.sql"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(folder)), expected);
        }
        let here = env::current_dir().unwrap();
        assert_eq!(absolute(Path::new("a/./../b.sql")).unwrap(), here.join("b.sql"));
    }

    #[test]
    fn patterns_are_those_of_gitignore() -> Result<()> {
        let folder = env::current_dir()?;
        let patterns = ["tests/", "/top.sql", "*.gen.sql", "db/**/old", "!keep.gen.sql"];
        let patterns = patterns.map(str::to_owned);
        let patterns = Patterns::new(&folder, &patterns)?;
        for (path, expected) in [
            ("tests/a.sql", true),
            ("db/tests/a.sql", true),
            ("./top.sql", true),
            ("db/top.sql", false),
            ("db/a.gen.sql", true),
            ("db/keep.gen.sql", false),
            ("db/2020/old/a.sql", true),
            ("db/a.sql", false),
            ("../elsewhere/tests/a.sql", false),
        ] {
            assert_eq!(patterns.matches(Path::new(path))?, expected, "{path}");
        }
        assert!(Patterns::new(&folder, &["a{b".to_owned()]).is_err());
        Ok(())
    }
}
