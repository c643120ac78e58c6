//! `ALTER TABLE`.

use pg_ast::Version;
use pg_ast_lint::{Options, Rule, lint};

use crate::{becomes, finds, has_no_fix, passes};

#[test]
fn required_columns() {
    let rule = Rule::AddRequiredColumn;
    finds(rule, "ALTER TABLE t ADD COLUMN a int NOT NULL", &["NOT NULL"]);
    finds(
        rule,
        "ALTER TABLE t ADD a int DEFAULT NULL NOT NULL, ADD b int PRIMARY KEY",
        &["NOT NULL", "PRIMARY KEY"],
    );
    passes(rule, "ALTER TABLE t ADD a int NOT NULL DEFAULT 0");
    passes(rule, "ALTER TABLE t ADD a int NULL");
    passes(rule, "ALTER TABLE t ADD a bigserial NOT NULL");
    passes(rule, "ALTER TABLE t ADD a bigint GENERATED ALWAYS AS IDENTITY NOT NULL");
    passes(rule, "ALTER TABLE t ADD a int GENERATED ALWAYS AS (b + 1) STORED NOT NULL");
    passes(rule, "CREATE TABLE t (a int NOT NULL)");
    passes(rule, "CREATE TABLE s.t (); ALTER TABLE s.t ADD a int NOT NULL");
    finds(rule, "CREATE TABLE s.t (); ALTER TABLE t ADD a int NOT NULL", &["NOT NULL"]);
}

#[test]
fn not_null_on_old_columns() {
    let rule = Rule::SetNotNull;
    finds(rule, "ALTER TABLE t ALTER a SET NOT NULL", &["ALTER a SET NOT NULL"]);
    for version in Version::ALL {
        let options = Options::default().version(*version);
        let found = lint("ALTER TABLE t ALTER a SET NOT NULL", &options);
        let help = found[0].help.as_deref().unwrap_or_default();
        assert_eq!(help.contains("NOT VALID"), version.major() >= 18, "{version}: {help}");
    }
    passes(rule, "ALTER TABLE t ALTER a SET DEFAULT 1");
    passes(rule, "CREATE TABLE t (a int); ALTER TABLE t ALTER a SET NOT NULL");
    #[cfg(feature = "pg18")]
    becomes(
        rule,
        "ALTER TABLE t ADD CONSTRAINT a_set NOT NULL a",
        "ALTER TABLE t ADD CONSTRAINT a_set NOT NULL a NOT VALID",
    );
    finds(Rule::DropNotNull, "ALTER TABLE t ALTER a DROP NOT NULL", &["ALTER a DROP NOT NULL"]);
    passes(Rule::DropNotNull, "ALTER TABLE t ALTER a DROP DEFAULT");
}

#[test]
fn defaults_of_new_columns() {
    let rule = Rule::VolatileDefault;
    finds(rule, "ALTER TABLE t ADD a uuid DEFAULT gen_random_uuid()", &["gen_random_uuid()"]);
    finds(rule, "ALTER TABLE t ADD a float DEFAULT (1 + random())", &["1 + random()"]);
    finds(rule, "ALTER TABLE t ADD a date DEFAULT app.now()", &["app.now()"]);
    passes(
        rule,
        "ALTER TABLE t ADD a timestamptz DEFAULT now(), ADD b date DEFAULT pg_catalog.now()",
    );
    passes(rule, "ALTER TABLE t ADD a timestamptz DEFAULT CURRENT_TIMESTAMP, ADD b int DEFAULT -1");
    passes(rule, "ALTER TABLE t ALTER a SET DEFAULT random()");
    passes(rule, "CREATE TABLE t (a float DEFAULT random())");
}

#[test]
fn columns_that_are_computed() {
    let rule = Rule::GeneratedColumn;
    finds(
        rule,
        "ALTER TABLE t ADD a int GENERATED ALWAYS AS (b) STORED",
        &["GENERATED ALWAYS AS (b) STORED"],
    );
    #[cfg(feature = "pg18")]
    passes(rule, "ALTER TABLE t ADD a int GENERATED ALWAYS AS (b) VIRTUAL");
    passes(rule, "CREATE TABLE t (a int GENERATED ALWAYS AS (b) STORED)");

    let rule = Rule::AddSerialColumn;
    finds(rule, "ALTER TABLE t ADD COLUMN a bigserial", &["a bigserial"]);
    let identity = "a int GENERATED ALWAYS AS IDENTITY";
    finds(rule, &format!("ALTER TABLE t ADD {identity}"), &[identity]);
    passes(rule, "ALTER TABLE t ADD a bigint, ADD b app.serial");
    passes(rule, "CREATE TABLE t (a bigserial)");
}

#[test]
fn changed_columns() {
    let rule = Rule::ChangeColumnType;
    finds(
        rule,
        "ALTER TABLE t ALTER COLUMN a TYPE bigint USING a::bigint, DROP b",
        &["ALTER COLUMN a TYPE bigint USING a::bigint"],
    );
    passes(rule, "ALTER TABLE t ALTER a SET STATISTICS 5");
    passes(rule, "CREATE TABLE t (a int); ALTER TABLE public.t ALTER a TYPE bigint");

    finds(Rule::DropColumn, "ALTER TABLE t DROP COLUMN IF EXISTS a", &["DROP COLUMN IF EXISTS a"]);
    passes(Rule::DropColumn, "ALTER TABLE t DROP CONSTRAINT a");
    passes(Rule::DropColumn, "CREATE TEMP TABLE t AS SELECT 1 AS a; ALTER TABLE t DROP a");
}

#[test]
fn names() {
    finds(Rule::RenameColumn, "ALTER TABLE t RENAME a TO b", &["ALTER TABLE t RENAME a TO b"]);
    passes(Rule::RenameColumn, "ALTER VIEW t RENAME a TO b");
    passes(Rule::RenameColumn, "ALTER TABLE t RENAME TO u");
    finds(Rule::RenameTable, "ALTER TABLE t RENAME TO u", &["ALTER TABLE t RENAME TO u"]);
    passes(Rule::RenameTable, "ALTER INDEX t RENAME TO u; ALTER TABLE t RENAME CONSTRAINT a TO b");
    // A new table is new by its new name, and that alone.
    passes(
        Rule::RenameTable,
        "CREATE TABLE t (); ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME TO v",
    );
    let again = "ALTER TABLE t RENAME TO w";
    finds(
        Rule::RenameTable,
        &format!("CREATE TABLE t (); ALTER TABLE t RENAME TO u; {again}"),
        &[again],
    );
}

#[test]
fn constraints_that_look_at_all_rows() {
    let rule = Rule::ForeignKeyValidates;
    becomes(
        rule,
        "ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES u (id) ON DELETE CASCADE -- to u\n;",
        "ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES u (id) ON DELETE CASCADE NOT VALID -- to u\n;",
    );
    becomes(
        rule,
        "alter table t add foreign key (a) references u deferrable, add b int",
        "alter table t add foreign key (a) references u deferrable not valid, add b int",
    );
    has_no_fix(rule, "ALTER TABLE t ADD a int DEFAULT 1 REFERENCES u");
    let script =
        "CREATE TABLE c PARTITION OF t DEFAULT; ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u";
    for version in Version::ALL {
        let found = lint(script, &Options::default().version(*version));
        assert_eq!(found[0].rule, rule);
        assert_eq!(found[0].fix.is_some(), version.major() >= 18, "{version}");
    }
    passes(rule, "ALTER TABLE t ADD a int REFERENCES u");
    passes(rule, "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u NOT VALID");
    passes(rule, "CREATE TABLE t (a int); ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u");

    let rule = Rule::CheckValidates;
    becomes(
        rule,
        "ALTER TABLE t ADD CHECK (a > 0) NO INHERIT",
        "ALTER TABLE t ADD CHECK (a > 0) NO INHERIT NOT VALID",
    );
    has_no_fix(rule, "ALTER TABLE t ADD a int CHECK (a > 0)");
    passes(
        rule,
        "ALTER TABLE t ADD CHECK (a > 0) NOT VALID; ALTER TABLE t VALIDATE CONSTRAINT t_a_check",
    );
    passes(rule, "CREATE TABLE t (a int CHECK (a > 0))");
    #[cfg(feature = "pg18")]
    passes(rule, "ALTER TABLE t ADD CHECK (a > 0) NOT ENFORCED");
}

#[test]
fn constraints_have_the_names_that_postgresql_chooses() {
    let rule = Rule::ValidateInTransaction;
    for (constraint, name) in [
        ("CHECK (a > 0)", "t_a_check"),
        ("CHECK (a > 0 AND s.a < b)", "t_check"),
        ("CHECK (a IS NOT NULL AND a > 0)", "t_a_check"),
        ("CHECK (a > 0) NOT VALID, ADD CHECK (a < 9)", "t_a_check1"),
        ("CHECK (f())", "t_check"),
        ("FOREIGN KEY (a, b) REFERENCES u", "t_a_b_fkey"),
        ("CONSTRAINT c CHECK (a > 0)", "c"),
    ] {
        let script = |name: &str| {
            format!(
                "BEGIN; ALTER TABLE s.t ADD {constraint} NOT VALID; \
                 ALTER TABLE s.t VALIDATE CONSTRAINT {name}; COMMIT"
            )
        };
        finds(rule, &script(name), &[&format!("VALIDATE CONSTRAINT {name}")]);
        passes(rule, &script("t_other"));
    }
}

#[test]
fn constraints_that_build_indexes() {
    let rule = Rule::UniqueLocks;
    finds(rule, "ALTER TABLE t ADD CONSTRAINT u UNIQUE (a)", &["CONSTRAINT u UNIQUE (a)"]);
    finds(rule, "ALTER TABLE t ADD a int UNIQUE", &["UNIQUE"]);
    passes(rule, "ALTER TABLE t ADD CONSTRAINT u UNIQUE USING INDEX i");
    passes(rule, "CREATE TABLE t (a int); ALTER TABLE t ADD UNIQUE (a)");

    let rule = Rule::PrimaryKeyLocks;
    finds(rule, "ALTER TABLE t ADD PRIMARY KEY (a)", &["PRIMARY KEY (a)"]);
    passes(rule, "ALTER TABLE t ADD PRIMARY KEY USING INDEX i");
    passes(rule, "CREATE TABLE t (a int PRIMARY KEY)");
}

#[test]
fn alter_table_twice() {
    let rule = Rule::PreferIfExists;
    becomes(rule, "ALTER TABLE t ADD COLUMN a int", "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int");
    becomes(rule, "alter table t add a int", "alter table t add if not exists a int");
    becomes(
        rule,
        "ALTER TABLE t DROP /* old */ COLUMN \"drop\"",
        "ALTER TABLE t DROP /* old */ COLUMN IF EXISTS \"drop\"",
    );
    becomes(
        rule,
        "ALTER TABLE t DROP CONSTRAINT c CASCADE",
        "ALTER TABLE t DROP CONSTRAINT IF EXISTS c CASCADE",
    );
    becomes(rule, "ALTER TABLE t DROP a", "ALTER TABLE t DROP IF EXISTS a");
    passes(rule, "ALTER TABLE t ADD CONSTRAINT u UNIQUE USING INDEX i");
    passes(rule, "BEGIN; ALTER TABLE t ADD a int; COMMIT");
}
