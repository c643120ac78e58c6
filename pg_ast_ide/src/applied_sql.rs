//! Migrations that have in one file what they do and what undoes it.

/// The comments before what undoes a migration: of goose, sql-migrate and dbmate.
const UNDOING: [&str; 3] = ["+goose down", "+migrate down", "migrate:down"];

/// Returns the part of a migration that a database gets. Some tools undo it by what stands in the same file, behind a comment.
///
/// ```
/// let sql = "-- migrate:up\nCREATE TABLE t (id int);\n-- migrate:down\nDROP TABLE t;\n";
/// assert_eq!(pg_ast_ide::applied_sql(sql), "-- migrate:up\nCREATE TABLE t (id int);\n");
/// assert_eq!(pg_ast_ide::applied_sql("SELECT 1"), "SELECT 1");
/// ```
#[must_use]
pub fn applied_sql(script: &str) -> &str {
    let mut end = 0;
    for line in script.split_inclusive('\n') {
        if let Some(comment) = line.trim().strip_prefix("--")
            && UNDOING.iter().any(|it| {
                let start = comment.trim_start().get(..it.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(it))
            })
        {
            return &script[..end];
        }
        end += line.len();
    }
    script
}
