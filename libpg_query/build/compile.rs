//! Compiles the C library of one version into one static archive.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::mends;
use crate::versions::{GUARDED, ORACLE_PLPGSQL, OWN, OWN_PLPGSQL, Version};

/// What is compiled, and where everything lies.
pub(crate) struct Job<'a> {
    /// The compiler, with what a build script need not say: target, folder for the output.
    pub(crate) compiler: cc::Build,
    pub(crate) version: &'a Version,
    /// Root of the C sources.
    pub(crate) source: &'a Path,
    /// The files of `source` that are mended for `Build::Library`.
    pub(crate) mended: &'a Path,
    /// Folder of our own C files.
    pub(crate) shim: &'a Path,
    /// The header that renames the symbols, unless they are wanted as they are.
    pub(crate) prefix_header: Option<&'a Path>,
    pub(crate) build: Build,
    /// Compile PL/pgSQL's parser as well.
    pub(crate) plpgsql: bool,
}

/// Which library is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// Ours.
    Library,
    /// PostgreSQL and libpg_query as they are, for tests and benches to compare with.
    Stock,
}

impl Job<'_> {
    /// Compiles everything and archives it as `lib{name}.a`.
    pub(crate) fn compile(&self, name: &str) -> io::Result<()> {
        let mut library = self.command();
        library.files(self.version.more.iter().map(|file| self.shim.join(file)));
        library.files(self.postgres_files()?);
        match self.build {
            Build::Library => self.add_own(&mut library),
            Build::Stock => self.add_libpg_query(&mut library),
        }
        library.compile(name);
        Ok(())
    }

    fn add_own(&self, library: &mut cc::Build) {
        let mut guarded = self.command();
        // See c/deparse.c, which has the function that a failed check calls.
        guarded
            .flag_if_supported("-fsanitize=null")
            .flag_if_supported("-fno-sanitize-recover=null")
            .flag_if_supported("-fno-delete-null-pointer-checks")
            .files(GUARDED.iter().map(|file| self.shim.join(file)));

        library.objects(guarded.compile_intermediates());
        library.files(OWN.iter().map(|file| self.shim.join(file)));
        if self.plpgsql {
            library.file(self.shim.join(OWN_PLPGSQL));
        }
    }

    fn add_libpg_query(&self, library: &mut cc::Build) {
        library.file(self.shim.join("oracle.c"));
        let plpgsql = if self.plpgsql { ORACLE_PLPGSQL } else { &[] };
        let files = self.version.oracle_files().chain(plpgsql.iter().copied());
        library.files(files.map(|file| self.source.join(file)));
    }

    /// The compiler with the flags that PostgreSQL itself needs.
    fn command(&self) -> cc::Build {
        let mut build = self.compiler.clone();
        build.warnings(false).extra_warnings(false);
        build.include(self.shim);
        if self.build == Build::Library {
            build.include(self.mended);
        }
        build.includes(self.version.include.iter().map(|folder| self.source.join(folder)));
        // For the files of PostgreSQL that ours include.
        build.includes(self.version.compile.iter().map(|folder| self.source.join(folder)));
        if self.build == Build::Stock {
            build.includes(self.version.oracle_include.iter().map(|dir| self.source.join(dir)));
        }
        if self.plpgsql {
            build.define("SHIM_PLPGSQL", None);
        }
        let tool = build.get_compiler();
        if tool.is_like_msvc() {
            let win32 = self.source.join("src/postgres/include/port");
            build.include(win32.join("win32")).include(win32.join("win32_msvc"));
            if let Some(header) = self.prefix_header {
                build.flag(format!("/FI{}", header.display()));
            }
        } else {
            // PostgreSQL relies on both, see its configure.ac.
            build.flag("-fno-strict-aliasing").flag("-fwrapv");
            if let Some(header) = self.prefix_header {
                build.flag("-include").flag(header);
            }
        }
        build
    }

    /// The `.c` files of PostgreSQL, in the order of their names.
    fn postgres_files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in self.version.compile {
            for entry in fs::read_dir(self.source.join(folder))? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let is_stock = self.build == Build::Stock;
                if self.version.is_compiled(&name, self.plpgsql, is_stock) {
                    let mended = mends::target(self.mended, &path);
                    files.push(if !is_stock && mended.exists() { mended } else { path.clone() });
                }
            }
        }
        files.sort();
        Ok(files)
    }
}
