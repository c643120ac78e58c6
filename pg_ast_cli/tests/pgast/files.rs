//! Reading and writing of files: what cannot be read or written affects nothing else.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{folder, pgast};

#[test]
fn an_unreadable_file_does_not_affect_the_others() {
    let here = folder(&[("a.sql", "select 1"), ("c.sql", "select 'c' from c")]);
    fs::write(here.path().join("b.sql"), b"SELECT '\xff'").unwrap();
    let commands = [
        (vec!["check"], "2 files, 2 statements, 0 errors"),
        (vec!["lint"], "2 files, 0 findings"),
        (vec!["fmt", "--stdout"], "SELECT 1;\nSELECT 'c' FROM c;"),
        (vec!["fmt", "--check"], "c.sql is not formatted"),
        (vec!["split"], "select 'c' from c;"),
        (vec!["scan"], "FROM"),
        (vec!["normalize"], "select $1 from c;"),
        (vec!["fingerprint"], "select 'c' from c"),
        (vec!["tables"], "read     c"),
        (vec!["parse", "--sexp"], "(relname \"c\")"),
        (vec!["complete"], "FETCH"),
        (vec!["fmt"], "a.sql formatted\nc.sql formatted"),
    ];
    for (command, expected) in commands {
        let output =
            pgast(here.path()).args(&command).args(["a.sql", "b.sql", "none.sql", "c.sql"]);
        let output = output.assert().code(2).get_output().clone();
        let [out, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        assert!(out.contains(expected), "{command:?}: {out}");
        assert_eq!(
            errors,
            "error: b.sql is not UTF-8, from byte 8\n\
             error: cannot read none.sql: No such file or directory (os error 2)\n",
            "{command:?}"
        );
    }
    let read = |name| fs::read_to_string(here.path().join(name)).unwrap();
    assert_eq!([read("a.sql"), read("c.sql")], ["SELECT 1;\n", "SELECT 'c' FROM c;\n"]);
}

#[test]
fn digest_reads_the_others_as_well() {
    let here = folder(&[("a.sql", "select 1"), ("c.SQL", "select 2")]);
    let output =
        pgast(here.path()).args(["digest", "--json", "none.log", "a.sql"]).assert().code(2);
    let output = output.get_output().clone();
    let [out, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(out.contains("select $1"), "{out}");
    assert_eq!(errors, "error: cannot read none.log: No such file or directory (os error 2)\n");
    // The case of a name's ending does not matter.
    pgast(here.path())
        .args(["check", "."])
        .assert()
        .success()
        .stdout_eq("2 files, 2 statements, 0 errors (PostgreSQL 18)\n");
}

#[test]
fn compressed_logs_are_read() {
    let here = folder(&[("b.sql", "select 1")]);
    let log = "2026-01-01 LOG:  statement: SELECT 2\n".repeat(100);
    let packed = gzip(log.as_bytes());
    fs::write(here.path().join("a.log.gz"), &packed).unwrap();
    let expected = "101 statements of 1 kinds";
    let digest = |args: &[&str]| pgast(here.path()).arg("digest").args(args);
    digest(&["a.log.gz", "b.sql"]).assert().success().stdout_eq(format!("...\n{expected}\n"));
    // Told by its contents, also on standard input.
    digest(&["-", "b.sql"])
        .stdin(packed.as_slice())
        .assert()
        .success()
        .stdout_eq(format!("...\n{expected}\n"));
    // What comes before the cut is counted.
    fs::write(here.path().join("cut.log.gz"), &packed[..packed.len() - 12]).unwrap();
    let cut = digest(&["cut.log.gz"]).assert().code(2);
    let out = String::from_utf8_lossy(&cut.get_output().stdout).into_owned();
    assert!(out.contains("statements of 1 kinds"), "{out}");
    let error = String::from_utf8_lossy(&cut.get_output().stderr).into_owned();
    assert!(error.starts_with("error: cannot read cut.log.gz: "), "{error}");
    // Other programs have to unpack the rest.
    fs::write(here.path().join("a.log"), b"BZh9LOG:  statement: SELECT 1\n").unwrap();
    let output = digest(&["a.log", "b.sql"]).assert().code(2);
    let output = output.get_output().clone();
    let [out, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(out.contains("1 statements of 1 kinds"), "{out}");
    let expected = "error: cannot read a.log: it is compressed by bzip2; unpack it first, or pipe it in unpacked\n";
    assert_eq!(errors, expected);
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn statements_that_stay_are_reported() {
    let here = folder(&[("a.sql", "\nselect 1;\nselect 2 \\p\nunion select 3;\n")]);
    pgast(here.path())
        .args(["fmt", "a.sql"])
        .assert()
        .success()
        .stdout_eq("a.sql formatted\n")
        .stderr_eq(
            "a.sql:3: 1 statement left as it is, since its layout would not be the same SQL\n",
        );
    let text = fs::read_to_string(here.path().join("a.sql")).unwrap();
    assert_eq!(text, "SELECT 1;\nselect 2 \\p\nunion select 3;\n");
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::{Command, Output};

    use snapbox::cmd::cargo_bin;

    use crate::folder;

    const TEXT: &str = "create index i on t (a);\n";
    const FIXED: &str = "create index concurrently i on t (a);\n";

    /// Returns what a command prints as errors, and its exit code.
    fn run(command: &mut Command) -> (String, Option<i32>) {
        let Output { stderr, status, .. } = command.output().unwrap();
        (String::from_utf8(stderr).unwrap(), status.code())
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_keep_their_modes_and_links() {
        for (args, expected) in [
            (["fmt"].as_slice(), "CREATE INDEX i ON t (a);\n"),
            (&["lint", "--fix", "--unsafe-fixes"], FIXED),
        ] {
            let here = folder(&[("real/a.sql", TEXT)]);
            let (real, link) = (here.path().join("real/a.sql"), here.path().join("link.sql"));
            fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
            symlink("real/a.sql", &link).unwrap();
            fs::hard_link(&real, here.path().join("other.sql")).unwrap();
            let before = fs::metadata(&real).unwrap();
            let command = &mut Command::new(cargo_bin!("pgast"));
            run(command.args(args).arg("link.sql").current_dir(here.path()));
            assert_eq!(fs::read_to_string(&real).unwrap(), expected);
            assert_eq!(fs::read_link(&link).unwrap(), Path::new("real/a.sql"));
            let after = fs::metadata(&real).unwrap();
            assert_eq!(after.mode(), before.mode());
            assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
            // It is another file now.
            assert_eq!(fs::read_to_string(here.path().join("other.sql")).unwrap(), TEXT);
            assert_eq!(names(&here.path().join("real")), ["a.sql"]);
        }
    }

    /// A pipe is read, but not written to: that would wait for a reader.
    #[test]
    fn a_pipe_is_not_replaced() {
        let here = folder(&[]);
        let pipe = here.path().join("a.sql");
        let status = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(status.success());
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::write(pipe, TEXT))
        };
        let mut child = Command::new(cargo_bin!("pgast"))
            .args(["fmt", "a.sql"])
            .current_dir(here.path())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        writer.join().unwrap().unwrap();
        let start = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed().as_secs() > 60 {
                child.kill().unwrap();
                panic!("it waits");
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(errors, "error: cannot write a.sql: it is not a regular file\n");
    }

    #[test]
    fn at_a_size_limit_files_stay_as_they_are() {
        let text = TEXT.repeat(1_000);
        let here = folder(&[("a.sql", &text), ("b.sql", TEXT)]);
        for args in ["fmt", "lint --fix --unsafe-fixes"] {
            fs::write(here.path().join("b.sql"), TEXT).unwrap();
            // In blocks of 512 or 1024 bytes.
            let script = format!("ulimit -f 4; \"$0\" {args} a.sql b.sql");
            let command = &mut Command::new("sh");
            let command = command.args(["-c", &script]).arg(cargo_bin!("pgast"));
            let (errors, code) = run(command.current_dir(here.path()));
            assert_eq!(
                (errors.as_str(), code),
                ("error: cannot write a.sql: File too large (os error 27)\n", Some(2))
            );
            assert_eq!(fs::read_to_string(here.path().join("a.sql")).unwrap(), text);
            assert_ne!(fs::read_to_string(here.path().join("b.sql")).unwrap(), TEXT);
            assert_eq!(names(here.path()), ["a.sql", "b.sql"]);
        }
    }

    /// Sets modes, and returns what makes commands of a user to whom they matter: nothing is forbidden to root.
    fn for_a_user(here: &Path, modes: &[(&str, u32)]) -> impl Fn() -> Command {
        let user = (fs::metadata(here).unwrap().uid() == 0).then_some(65_534);
        let program = here.join("program");
        fs::copy(cargo_bin!("pgast"), &program).unwrap();
        for (name, mode) in modes {
            let path = here.join(name);
            fs::set_permissions(&path, Permissions::from_mode(*mode)).unwrap();
            chown(&path, user, user).unwrap();
        }
        let here = here.to_owned();
        move || {
            let mut command = Command::new(&program);
            command.current_dir(&here);
            if let Some(user) = user {
                command.uid(user).gid(user);
            }
            command
        }
    }

    #[test]
    fn an_unreadable_folder_does_not_affect_the_others() {
        let here = folder(&[("a.sql", TEXT), ("b/closed/x.sql", TEXT), ("c/a.sql", TEXT)]);
        let pgast = for_a_user(here.path(), &[("", 0o755), ("b/closed", 0o000)]);
        let output = pgast().args(["fmt", "--check", "."]).output().unwrap();
        let [out, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        assert_eq!(out, "a.sql is not formatted\nc/a.sql is not formatted\n");
        assert!(errors.starts_with("error: cannot read ./b/closed: "), "{errors}");
        assert_eq!(output.status.code(), Some(2));
        fs::set_permissions(here.path().join("b/closed"), Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn what_must_not_be_written_stays() {
        let here = folder(&[("a.sql", TEXT), ("closed/a.sql", TEXT)]);
        let modes = [("", 0o755), ("a.sql", 0o444), ("closed/a.sql", 0o644), ("closed", 0o555)];
        let pgast = for_a_user(here.path(), &modes);
        for name in ["a.sql", "closed/a.sql"] {
            let (errors, code) = run(pgast().args(["fmt", name]));
            assert!(errors.starts_with(&format!("error: cannot write {name}: ")), "{errors}");
            assert!(errors.contains("Permission denied"), "{errors}");
            assert_eq!(code, Some(2));
            assert_eq!(fs::read_to_string(here.path().join(name)).unwrap(), TEXT);
        }
        assert_eq!(names(&here.path().join("closed")), ["a.sql"]);
        fs::set_permissions(here.path().join("closed"), Permissions::from_mode(0o755)).unwrap();
    }
}
