//! Compiles the C library of one version into one static archive.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{env, fs, io, thread};

use crate::versions::{FOLDERS, GUARDED, ORACLE_PLPGSQL, OWN, OWN_PLPGSQL, RARELY_CALLED, Version};
use crate::{null_checks, patches, wasm};

/// What to compile, and the paths of all files.
pub(crate) struct Job<'a> {
    /// The compiler with the settings that a build script need not pass: target, output folder.
    pub(crate) compiler: cc::Build,
    pub(crate) version: &'a Version,
    /// Root of the C sources.
    pub(crate) source: &'a Path,
    /// The files of `source` that are replaced by patched copies for `Build::Library`.
    pub(crate) patched: &'a Path,
    /// The folder with the folders of our own C files.
    pub(crate) own: &'a Path,
    /// The header that renames the symbols; without it they keep their names.
    pub(crate) prefix_header: Option<&'a Path>,
    pub(crate) build: Build,
    /// Also compile PL/pgSQL's parser.
    pub(crate) plpgsql: bool,
    /// The number of versions that are compiled.
    pub(crate) versions: usize,
}

/// The library to build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// Our library.
    Library,
    /// Unmodified PostgreSQL and libpg_query, as a reference for tests and benches.
    Stock,
}

impl Job<'_> {
    /// Compiles everything and archives it as `lib{name}.a`.
    pub(crate) fn compile(&self, name: &str) -> io::Result<()> {
        self.command().objects(self.objects()?).compile(name);
        Ok(())
    }

    fn objects(&self) -> io::Result<Vec<PathBuf>> {
        let mut library = self.command();
        if self.build == Build::Stock {
            self.add_libpg_query(&mut library);
        } else {
            // The grammar takes as long as all other files together, so it starts first.
            library.files(OWN.iter().map(|file| self.own.join(file)));
            library.files(wasm::own_files().iter().map(|file| self.own.join(file)));
            if self.plpgsql {
                library.files(OWN_PLPGSQL.iter().map(|file| self.own.join(file)));
            }
        }
        library.files(self.version.more.iter().map(|file| self.own.join(file)));
        let files = self.postgres_files()?;
        if self.build == Build::Stock {
            return Ok(library.files(files).compile_intermediates());
        }
        let (rarely_called, files): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|path| RARELY_CALLED.iter().any(|name| path.ends_with(name)));
        library.files(files);
        // The compiler's flags are known now, so the threads do not probe the same flags at once.
        thread::scope(|scope| {
            let guarded: Vec<_> =
                GUARDED.iter().map(|file| scope.spawn(|| self.compile_guarded(file))).collect();
            let mut objects = library.compile_intermediates();
            objects.extend(
                self.command_for_rarely_called().files(rarely_called).compile_intermediates(),
            );
            for file in guarded {
                objects.extend(file.join().map_err(|_| io::Error::other("a compiler's thread"))??);
            }
            Ok(objects)
        })
    }

    /// Compiles a file with checks for NULL; c/deparse/deparse.c has the function that a failed check calls.
    ///
    /// The checks receive file names, and folders in them are of no use. Clang
    /// can strip them. GCC takes the names from the preprocessor's output,
    /// regardless of `-ffile-prefix-map`; so they are removed from that output.
    fn compile_guarded(&self, file: &str) -> io::Result<Vec<PathBuf>> {
        let path = self.own.join(file);
        let mut guarded = self.command();
        wasm::make_small(&mut guarded);
        // On Windows, the function that a failed check calls would be that of the first version for all of them.
        let by_compiler = !explicit_checks_wanted()
            && env::var_os("CARGO_CFG_WINDOWS").is_none()
            && !guarded.get_compiler().is_like_msvc()
            && guarded.is_flag_supported("-fsanitize=null").unwrap_or(false);
        if !by_compiler {
            return self.compile_with_checks(file);
        }
        guarded
            .flag("-fsanitize=null")
            .flag_if_supported("-fno-sanitize-recover=null")
            // If a failed check would abort the process: `zig cc` without optimisation.
            .flag_if_supported("-fno-sanitize-trap=null")
            .flag_if_supported("-fno-delete-null-pointer-checks");
        let output = self.prefix_header.and_then(Path::parent);
        match output.filter(|_| guarded.get_compiler().is_like_gnu()) {
            Some(folder) => {
                let expanded =
                    guarded.clone().file(&path).try_expand().map_err(io::Error::other)?;
                let bare = folder.join(format!("{}.{}.i", stem(file), self.version.name()));
                fs::write(&bare, with_bare_names(&expanded))?;
                guarded.file(bare);
            }
            None => {
                guarded.flag_if_supported("-fsanitize-undefined-strip-path-components=-1");
                guarded.file(path);
            }
        }
        Ok(guarded.compile_intermediates())
    }

    /// Returns the preprocessed code of a file, with the file names alone in its line markers.
    pub(crate) fn expanded(&self, file: &str) -> io::Result<String> {
        let mut guarded = self.command();
        guarded.define("EXPLICIT_NULL_CHECKS", None).file(self.own.join(file));
        let expanded = with_bare_names(&guarded.try_expand().map_err(io::Error::other)?);
        String::from_utf8(expanded).map_err(io::Error::other)
    }

    /// Compiles a file with checks inserted into the preprocessed code.
    fn compile_with_checks(&self, file: &str) -> io::Result<Vec<PathBuf>> {
        let expanded = self.expanded(file)?;
        let is_checked = |name: &str| {
            Path::new(name).extension().is_some_and(|extension| extension == "c")
                || name == "pg_list.h"
                || FOLDERS.iter().any(|folder| self.own.join(folder).join(name).exists())
        };
        let checked = null_checks::insert(&expanded, is_checked).map_err(io::Error::other)?;

        let folder = self.prefix_header.and_then(Path::parent).unwrap_or(self.patched);
        // MSVC decides by the extension.
        let path = folder.join(format!("{}.{}.checked.c", stem(file), self.version.name()));
        fs::write(&path, checked)?;
        // The symbols are already renamed.
        let mut compiler = self.command_without_header();
        wasm::make_small(&mut compiler);
        compiler.flag_if_supported("-fno-delete-null-pointer-checks").file(path);
        Ok(compiler.compile_intermediates())
    }

    fn add_libpg_query(&self, library: &mut cc::Build) {
        library.file(self.own.join("oracle/oracle.c"));
        let plpgsql = if self.plpgsql { ORACLE_PLPGSQL } else { &[] };
        let files = self.version.oracle_files().chain(plpgsql.iter().copied());
        library.files(files.map(|file| self.source.join(file)));
    }

    /// The compiler with the flags that PostgreSQL itself needs.
    fn command(&self) -> cc::Build {
        let mut build = self.command_without_header();
        if let Some(header) = self.prefix_header {
            if build.get_compiler().is_like_msvc() {
                build.flag(format!("/FI{}", header.display()));
            } else {
                build.flag("-include").flag(header);
            }
        }
        build
    }

    /// The same for large files that few statements call.
    fn command_for_rarely_called(&self) -> cc::Build {
        let mut build = self.command();
        if is_optimised() {
            build.opt_level(1);
        }
        wasm::make_small(&mut build);
        // They recurse.
        wasm::count_levels(&mut build);
        build
    }

    /// The same without the header that renames symbols.
    fn command_without_header(&self) -> cc::Build {
        let mut build = self.compiler.clone();
        build.warnings(false).extra_warnings(false);
        wasm::add_headers(&mut build, self.own);
        build.includes(FOLDERS.iter().map(|folder| self.own.join(folder)));
        if self.build == Build::Library {
            build.include(self.patched);
            // GCC searches the entire function for values that it already computed, before and after register
            // allocation, and the grammar is a function of 60,000 lines: 40 % of the time, for code that is no faster.
            build.flag_if_supported("-fno-gcse").flag_if_supported("-fno-gcse-after-reload");
            // Register allocation per loop, and the two options after
            // it, also take long, and make that function slower.
            build.flag_if_supported("-fira-region=one");
            build.flag_if_supported("-fno-expensive-optimizations");
            build.flag_if_supported("-fno-schedule-insns2");
        }
        build.includes(self.version.include.iter().map(|folder| self.source.join(folder)));
        // For the files of PostgreSQL that our files include.
        build.includes(self.version.compile.iter().map(|folder| self.source.join(folder)));
        if self.build == Build::Stock {
            build.includes(self.version.oracle_include.iter().map(|dir| self.source.join(dir)));
            // Tests call it for a twentieth of their time, and would wait longer for better code.
            if !is_optimised() {
                build.opt_level(0);
            }
        }
        if self.plpgsql {
            build.define("SHIM_PLPGSQL", None);
        }
        // Only if it is not the default, for the compiler's cache.
        if self.versions > 1 {
            build.define("POOLED_VERSIONS", &*self.versions.to_string());
        }
        for (folder, name) in self.folders() {
            // Neither messages nor debug information contain the build path.
            build.flag_if_supported(format!("-ffile-prefix-map={}={name}", folder.display()));
        }
        let tool = build.get_compiler();
        let ports = self.source.join("src/postgres/include/port");
        if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "windows") {
            build.include(ports.join("win32"));
        }
        if tool.is_like_msvc() {
            build.include(ports.join("win32_msvc"));
            // Our macros pass `__VA_ARGS__` on as several arguments, as the standard defines it.
            build.flag_if_supported("/Zc:preprocessor");
        } else {
            // PostgreSQL relies on both, see its configure.ac.
            build.flag("-fno-strict-aliasing").flag("-fwrapv");
        }
        build
    }

    /// The folders that files are compiled from, and their replacements in messages.
    fn folders(&self) -> Vec<(PathBuf, String)> {
        let mut folders = vec![
            (self.source.to_owned(), self.version.name()),
            (self.own.to_owned(), "c".to_owned()),
        ];
        // The folder of the header stands for the output; the last one is the compiler's working folder.
        let output = self.prefix_header.and_then(Path::parent).map(Path::to_owned);
        folders.extend(output.map(|folder| (folder, "out".to_owned())));
        folders.extend(env::current_dir().ok().map(|folder| (folder, ".".to_owned())));
        folders
    }

    /// Returns the `.c` files of PostgreSQL, ordered by name.
    fn postgres_files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in self.version.compile {
            for entry in fs::read_dir(self.source.join(folder))? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let is_stock = self.build == Build::Stock;
                if self.version.is_compiled(&name, self.plpgsql, is_stock) {
                    let patched = patches::target(self.patched, &path);
                    files.push(if !is_stock && patched.exists() { patched } else { path.clone() });
                }
            }
        }
        files.sort();
        Ok(files)
    }
}

/// Returns a file's name without its folder and extension.
fn stem(file: &str) -> Cow<'_, str> {
    Path::new(file).file_stem().unwrap_or_default().to_string_lossy()
}

/// Returns whether Cargo asks for more than a little optimisation.
fn is_optimised() -> bool {
    env::var("OPT_LEVEL").is_ok_and(|level| level == "2" || level == "3")
}

/// Returns whether a test requests the checks for MSVC, to run them on another system.
fn explicit_checks_wanted() -> bool {
    println!("cargo::rerun-if-env-changed=LIBPG_QUERY_EXPLICIT_CHECKS");
    env::var_os("LIBPG_QUERY_EXPLICIT_CHECKS").is_some()
}

/// Removes the folders from the line markers of preprocessed C: `# 12 "folder/file.h" 1`, or `#line 12 ..`.
fn with_bare_names(expanded: &[u8]) -> Vec<u8> {
    let mut bare = Vec::with_capacity(expanded.len());
    for line in expanded.split_inclusive(|&byte| byte == b'\n') {
        let quote = line.iter().position(|&byte| byte == b'"');
        match (quote, line.iter().rposition(|byte| b"/\\".contains(byte))) {
            (Some(quote), Some(slash)) if is_marker(line) && quote < slash => {
                bare.extend_from_slice(&line[..=quote]);
                bare.extend_from_slice(&line[slash + 1..]);
            }
            _ => bare.extend_from_slice(line),
        }
    }
    bare
}

fn is_marker(line: &[u8]) -> bool {
    line.starts_with(b"# ") || line.starts_with(b"#line ")
}
