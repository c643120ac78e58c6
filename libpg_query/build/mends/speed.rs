//! Mends of code with superlinear time, a stack that grows with the input, or wasted time.

use std::ops::RangeInclusive;

use super::{Mend, NEWEST};

/// A change of the scanner, for every version.
const fn scan(find: &'static str, replace: &'static str, why: &'static str) -> Mend {
    let file = "src/postgres/src_backend_parser_scan.c";
    Mend { file, versions: 15..=NEWEST, function: "", find, count: 1, replace, why }
}

/// A change of PL/pgSQL's filter between scanner and grammar, for the versions whose scanner passes comments
/// on: each was a call that ends in the next one, which not every compiler turns into a jump.
const fn filter(find: &'static str, replace: &'static str) -> Mend {
    let file = "src/postgres/src_pl_plpgsql_src_pl_scanner.c";
    let (function, why) = ("internal_yylex", "the stack grows with each comment");
    Mend { file, versions: 15..=17, function, find, count: 1, replace, why }
}

/// A change of libpg_query's normalize, for every version.
const fn normalize(
    function: &'static str,
    find: &'static str,
    replace: &'static str,
    why: &'static str,
) -> Mend {
    let file = "src/pg_query_normalize.c";
    Mend { file, versions: 15..=NEWEST, function, find, count: 1, replace, why }
}

/// A change of the walk of normalize, which has another name in 15.
const fn walk(
    versions: RangeInclusive<u32>,
    function: &'static str,
    find: &'static str,
    replace: &'static str,
    why: &'static str,
) -> Mend {
    let file = "src/postgres/src_backend_nodes_nodeFuncs.c";
    Mend { file, versions, function, find, count: 1, replace, why }
}

const UNKNOWN_NODE: &str =
    "elog(ERROR, \"unrecognized node type: %d\",\n\t\t\t\t (int) nodeTag(node));";

/// A change of the deparser of the versions with layouts.
const fn deparse(find: &'static str, replace: &'static str, why: &'static str) -> Mend {
    let file = "src/postgres_deparse.c";
    Mend { file, versions: 17..=NEWEST, function: "", find, count: 1, replace, why }
}

/// The scanner's mends are explained in `c/scan_progress.h`, the deparser's in `c/deparse_parts.h`.
pub(super) const MENDS: &[Mend] = &[
    scan(
        "}; /* end struct yyguts_t */",
        "ScanProgress progress; };",
        "a scanner's place for what follows",
    ),
    scan(
        "yyext->scanbuflen = slen;",
        "yyext->scanbuflen = slen; \
         ((struct yyguts_t *) scanner)->progress.long_runs = has_long_run(str, slen); \
         ((struct yyguts_t *) scanner)->progress.places = take_places(); \
         ((struct yyguts_t *) scanner)->progress.log = parse_log;",
        "runs of operator characters are read again for each token; normalize scans twice",
    ),
    scan(
        "yy_bp = yy_cp;",
        "yy_bp = yy_cp; SCAN_FAST(); if (unlikely(yyg->progress.long_runs)) \
         begin_match(&yyg->progress, yy_cp, YY_START == INITIAL, YY_START == xc);",
        "runs of operator characters are read again for each token; see also c/scan_fast.h",
    ),
    scan("palloc(slen + 2)", "palloc(slen + 2 + COPY_SLACK)", "see c/scan_fast.h"),
    scan(
        "SET_YYLLOC();\n\n\t\t\t\t\t/* Is it a keyword? */",
        "SET_YYLLOC(); word:;\n\n\t\t\t\t\t/* Is it a keyword? */",
        "see c/scan_fast.h",
    ),
    scan(
        "pos = pg_mbstrlen_with_len(yyextra->scanbuf, location) + 1;",
        "pos = characters_before(&((struct yyguts_t *) yyscanner)->progress, \
         yyextra->scanbuf, location) + 1;",
        "the place of each warning is counted from the start",
    ),
    filter("if (num_pushbacks", "again: if (num_pushbacks"),
    filter("token = internal_yylex(auxdata);", "goto again;"),
    walk(
        15..=15,
        "raw_expression_tree_walker",
        UNKNOWN_NODE,
        "walk_was_incomplete = true;\nbreak;",
        "the callers catch it, for each node",
    ),
    walk(
        16..=NEWEST,
        "raw_expression_tree_walker_impl",
        UNKNOWN_NODE,
        "walk_was_incomplete = true;\nbreak;",
        "the callers catch it, for each node",
    ),
    walk(
        15..=NEWEST,
        "",
        "#include \"miscadmin.h\"",
        "#include \"stack_check.h\"",
        "two calls for each node to look at the stack",
    ),
    normalize(
        "const_record_walker",
        "switch (nodeTag(node))",
        "switch (walk_node(node, jstate))",
        "constants that a fingerprint ignores, and secrets, stay",
    ),
    normalize(
        "fill_in_constant_lengths",
        "strlen(yyextra.scanbuf + loc)",
        "constant_length(yyextra.scanbuf + loc)",
        "the text is scanned twice",
    ),
    normalize(
        "const_record_walker",
        "List *fp_and_param_refs_list = NIL;",
        "List *fp_and_param_refs_list = NIL; Targets targets = {0};",
        "each item of GROUP BY is compared with each target",
    ),
    normalize(
        "const_record_walker",
        "foreach(lc, stmt->targetList)",
        "if (stmt->groupClause == NIL) WALK_UNGROUPED_TARGETS(); else foreach(lc, stmt->targetList)",
        "the parameters of each target are noted where nobody asks for them",
    ),
    normalize(
        "const_record_walker",
        "foreach(lc2, fp_and_param_refs_list) {",
        "fppr = TAKE_TARGET(&targets, fp_and_param_refs_list, fp); foreach(lc2, NIL) {",
        "each item of GROUP BY is compared with each target, also when the list of targets is freed",
    ),
    deparse(
        "\tbool mergeable;",
        "\tbool mergeable; struct DeparseStatePart *prev, *next, *run_end;",
        "parts are in arrays",
    ),
    deparse("\tList *parts;", "\tDeparseStatePart *first, *last;", "parts are in arrays"),
    deparse(
        "\tList *result_parts;",
        "\tDeparseStatePartGroup result; size_t comments_done;",
        "parts are in arrays",
    ),
    // The header replaces the text between `#if 0` and `#endif`.
    deparse(
        "// Returns current active part group, and initializes the first one (including an empty \
         part) if needed\nstatic DeparseStatePartGroup *",
        "#include \"deparse_parts.h\"\n#if 0",
        "parts are in arrays",
    ),
    deparse(
        "static void\ndeparseMarkCurrentPartNonMergable(",
        "#endif\nstatic void deparseMarkCurrentPartNonMergable(",
        "parts are in arrays",
    ),
    deparse(
        "static void\ndeparseRemoveTrailingEmptyPart(",
        "#if 0\ndeparseRemoveTrailingEmptyPart(",
        "parts are in arrays",
    ),
    deparse(
        "static void\ndeparseAppendCommaAndPart(",
        "#endif\nstatic void deparseAppendCommaAndPart(",
        "parts are in arrays",
    ),
    deparse(
        "static void\ndeparseAppendPartGroup(",
        "#if 0\ndeparseAppendPartGroup(",
        "parts are in arrays, and each node is compared with each comment",
    ),
    deparse(
        "/*\n * Append a SQL string literal representing \"val\" to buf.",
        "#endif\n/* Append a SQL string literal representing \"val\" to buf.",
        "parts are in arrays, and each node is compared with each comment",
    ),
];
