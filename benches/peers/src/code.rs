//! The amount of generated code, and its compile time.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{folder, target};

/// A crate that consists of generated code.
struct Generated {
    package: &'static str,
    label: &'static str,
    /// Relative to this package's folder.
    manifest: &'static str,
    /// The module with the generated code, if the crate contains more.
    module: Option<&'static str>,
    /// The file in the output folder of the build script.
    file: &'static str,
}

const CRATES: [Generated; 3] = [
    Generated {
        package: "prost_structs",
        label: "prost",
        manifest: "prost_structs/Cargo.toml",
        module: None,
        file: "pg_query.rs",
    },
    Generated {
        package: "pg_ast",
        label: "prost with pg_ast's derives",
        manifest: "../../Cargo.toml",
        module: Some("pub mod protobuf {"),
        file: "pg18.rs",
    },
    Generated {
        package: "rust_protobuf_structs",
        label: "rust-protobuf",
        manifest: "rust_protobuf_structs/Cargo.toml",
        module: None,
        file: "messages/pg_query.rs",
    },
];

/// The number of compilations of each crate; the shortest time counts.
const TIMES: usize = 3;

/// Prints the table, and writes it to CODE.md.
pub fn run() -> Result<(), Box<dyn Error>> {
    let mut text = "\
        | | lines generated | lines expanded | of the whole crate | debug | release |\n\
        |---|--:|--:|--:|--:|--:|\n"
        .to_owned();
    for generated in &CRATES {
        eprintln!("looking at {}", generated.label);
        let lines = fs::read_to_string(generated.generated_file()?)?.lines().count();
        let expanded = generated.expanded()?;
        let within = generated.module.map_or(expanded.as_str(), |module| block(&expanded, module));
        let row = format!(
            "| {} | {lines} | {} | {} | {:.1} s | {:.1} s |\n",
            generated.label,
            within.lines().count(),
            expanded.lines().count(),
            generated.compile_time(false)?.as_secs_f64(),
            generated.compile_time(true)?.as_secs_f64(),
        );
        eprint!("{row}");
        text += &row;
    }
    let text = format!(
        "# Generated code\n\nThe messages of libpg_query's schema for PostgreSQL 18, by three generators. Lines are those of \
         the generator's file, and those of the compiler's `-Zunpretty=expanded`: of what is made from that file, and of \
         the crate. Times are those of one call of rustc for the crate alone, the shortest of {TIMES}; that of pg_ast has \
         the whole library in it, and not its messages alone.\n\n{text}"
    );
    println!("{text}");
    fs::write(folder().join("CODE.md"), text)?;
    Ok(())
}

/// Returns a block of expanded code: from the line that opens it, to its closing brace.
fn block<'a>(code: &'a str, opening: &str) -> &'a str {
    let Some(start) = code.find(opening) else { return "" };
    let indent = start - code[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let closing = format!("\n{}}}\n", " ".repeat(indent));
    let end = code[start..].find(&closing).map_or(code.len(), |at| start + at + closing.len());
    &code[start..end]
}

impl Generated {
    /// Returns `cargo` with a command, for the library of this crate.
    fn cargo(&self, command: &str, release: bool) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.args([command, "--lib", "--package", self.package, "--manifest-path"]);
        cargo.arg(folder().join(self.manifest));
        if release {
            cargo.arg("--release");
        }
        // Incremental compilation must not help, and debug information is disabled.
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", target());
        cargo.env_remove("CARGO_PROFILE_DEV_DEBUG");
        cargo
    }

    /// Returns the file that the build script wrote.
    fn generated_file(&self) -> Result<PathBuf, Box<dyn Error>> {
        let output = self
            .cargo("build", false)
            .arg("--message-format=json")
            .stderr(Stdio::inherit())
            .output()?;
        let messages = String::from_utf8(output.stdout)?;
        let of_crate = |line: &&str| {
            line.contains("\"build-script-executed\"")
                && (line.contains(&format!("/{}#", self.package))
                    || line.contains(&format!("#{}@", self.package)))
        };
        let message = messages.lines().find(of_crate).ok_or("no build script ran")?;
        let folder = message.split("\"out_dir\":\"").nth(1).and_then(|rest| rest.split('"').next());
        Ok(Path::new(folder.ok_or("the build script has no folder")?).join(self.file))
    }

    /// Returns the code of the crate with all macros expanded.
    fn expanded(&self) -> Result<String, Box<dyn Error>> {
        let output = self
            .cargo("rustc", false)
            // The flag is not available in the stable compiler. It uses a separate
            // folder, because build scripts of other crates read the variable.
            .env("CARGO_TARGET_DIR", target().join("expanded"))
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["--quiet", "--", "-Zunpretty=expanded"])
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(format!("{} does not expand", self.package).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Returns rustc's time for this crate, without its dependencies.
    fn compile_time(&self, release: bool) -> Result<Duration, Box<dyn Error>> {
        let mut shortest = Duration::MAX;
        let started = std::process::id();
        for time in 0..=TIMES {
            // An unused name: only this crate is compiled again.
            let name = format!("compiled_{started}_{time}");
            let compile = || {
                let mut cargo = self.cargo("rustc", release);
                cargo.args(["--quiet", "--", "--cfg", &name]).status()
            };
            let start = Instant::now();
            let status = compile()?;
            let first = start.elapsed();
            if !status.success() {
                return Err(format!("{} does not compile", self.package).into());
            }
            // A second run measures only cargo.
            let start = Instant::now();
            compile()?;
            // The first run may have compiled dependencies.
            if time > 0 {
                shortest = shortest.min(first.saturating_sub(start.elapsed()));
            }
        }
        Ok(shortest)
    }
}
