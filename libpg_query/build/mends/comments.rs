//! Mends for comments: between the parts of a string before 18, and those that the deparser of 17 drops.

use super::{Mend, deparse};

const DROPPED: &str = "for (int i = 0; i < state->opts.comment_count; i++)
\t\t{
\t\t\tif (state->opts.comments[i]->match_location < raw_stmt->stmt_location)
\t\t\t\tstate->emitted_comments = bms_add_member(state->emitted_comments, i);
\t\t}";

pub(super) const MENDS: &[Mend] = &[
    Mend {
        file: "src/postgres/src_backend_parser_scan.c",
        versions: 15..=17,
        function: "",
        find: "yyless(0);\n\t\t\t\t\tBEGIN(INITIAL);",
        count: 1,
        replace: "yyless(0); if (continue_string(&yyg->yy_c_buf_p, &yyg->yy_hold_char)) \
                  { BEGIN(yyextra->state_before_str_stop); break; }\n\t\t\t\t\tBEGIN(INITIAL);",
        why: "a comment between the parts of a string; see c/scan_fast.h",
    },
    // The shim selects the comments of each statement.
    deparse(17..=17, "deparseRawStmtOpts", DROPPED, "\n\n\n\n", "comments before a statement"),
    deparse(
        17..=17,
        "deparseRawStmtOpts",
        "deparseStmt(state, raw_stmt->stmt);",
        "deparseStmt(state, raw_stmt->stmt); if (state->opts.comment_count > 0) { \
         deparseStateIncreaseNestingLevel(state); deparseAppendCommentsIfNeeded(state, INT_MAX); \
         deparseRemoveTrailingEmptyPart(state); deparseStateDecreaseNestingLevel(state, NULL); }",
        "comments after the last node of a statement",
    ),
];
