//! The table of pins. `libpg_query_tools text` finds the texts, and checks that our files exist.

use std::ops::RangeInclusive;

use super::{Part, Pin};

/// The end of the versions that have a text, if the newest has it.
const NEWEST: u32 = u32::MAX;
const ALL: RangeInclusive<u32> = 15..=NEWEST;

// Files of upstream ...
const BITS: &str = "src/postgres/include/nodes/nodes.h";
const DEPARSER: &str = "src/postgres_deparse.c";
const ELOG: &str = "src/postgres/src_backend_utils_error_elog.c";
const GRAMMAR: &str = "src/postgres/src_backend_parser_gram.c";
const MEMNODES: &str = "src/postgres/include/nodes/memnodes.h";
const MEMUTILS: &str = "src/postgres/include/utils/memutils.h";
const MCXT: &str = "src/postgres/src_backend_utils_mmgr_mcxt.c";
const NORMALIZE: &str = "src/pg_query_normalize.c";
const PARSER: &str = "src/postgres/src_backend_parser_parser.c";
const PG_LIST: &str = "src/postgres/include/nodes/pg_list.h";
const PL_COMPILER: &str = "src/postgres/src_pl_plpgsql_src_pl_comp.c";
const PL_NAMES: &str = "src/postgres/src_pl_plpgsql_src_pl_funcs.c";
const SCANNER: &str = "src/postgres/src_backend_parser_scan.c";
const SCANSUP: &str = "src/postgres/src_backend_parser_scansup.c";
const STRINGINFO: &str = "src/postgres/src_common_stringinfo.c";

// ... and of ours, from the root of the repository. Who moves one changes it here alone.
const ARENA: &str = "libpg_query/c/arena/arena.c";
const AUTOMATON: &str = "libpg_query/c/parser/automaton.h";
const GUARDS: &str = "libpg_query/c/deparse/deparse.c";
const PARTS: &str = "libpg_query/c/deparse/deparse_parts.h";
const LOOP: &str = "libpg_query/c/parser/grammar_loop.h";
const LOOP_END: &str = "libpg_query/c/parser/grammar_end.h";
const LOOK_AHEAD: &str = "libpg_query/c/parser/grammar.h";
const PATCHED_NAMES: &str = "libpg_query/c/deparse/patches_expressions.c";
const PATCHED_STATEMENTS: &str = "libpg_query/c/deparse/patches_statements.c";
const NORMALIZE_ALL: &str = "libpg_query/c/shim/normalize_all.h";
const NORMALIZE_TOKENS: &str = "libpg_query/c/shim/normalize_tokens.h";
const SHIM_NORMALIZE: &str = "libpg_query/c/shim/shim_normalize.c";
const UNIT: &str = "libpg_query/c/parser/parser.c";
const REPLAY: &str = "libpg_query/c/parser/range_replay.h";
const FAST: &str = "libpg_query/c/parser/scan_fast.h";
const PROGRESS: &str = "libpg_query/c/parser/scan_progress.h";
const SHIM: &str = "libpg_query/c/shim/shim.c";
const SHIM_DEPARSE: &str = "libpg_query/c/shim/shim_deparse.c";
const PLPGSQL_JSON: &str = "pg_ast/version/plpgsql/json_fields.rs";
const PLPGSQL_HEADER: &str = "libpg_query/c/plpgsql/plpgsql_header.c";
const PLPGSQL_NAMES: &str = "libpg_query/c/plpgsql/plpgsql_names.c";
const PLPGSQL_SIGNATURE: &str = "libpg_query/c/plpgsql/plpgsql_signature.c";
const SHIM_SCAN: &str = "libpg_query/c/shim/shim_scan.c";
const STACK_CHECK: &str = "libpg_query/c/stack/stack_check.h";
const BUILD_GRAMMAR: &str = "libpg_query/build/grammar.rs";
const ERRORS: &str = "pg_ast/version/ffi/errors.rs";
const ERROR: &str = "pg_ast/types/error.rs";
const FINGERPRINT_RULES: &str = "codegen/fingerprint_rules.rs";
const STATEMENT_RULES: &str = "codegen/statement_rules.rs";
const SERDE: &str = "codegen/json_forms.rs";
const HASHING: &str = "pg_ast/foundation/hashing.rs";
const JSON: &str = "pg_ast/formats/json.rs";
const PSQL: &str = "pg_ast/text/psql/lex.rs";
const SHARED: &str = "pg_ast/convert/shared_nodes.rs";
const DEPARSE: &str = "pg_ast/version/print/deparse.rs";
const FINGERPRINT: &str = "pg_ast/version/facts/fingerprint/rules.rs";
const SPLIT: &str = "pg_ast/version/read/scan.rs";
const SPLIT_SCRIPT: &str = "pg_ast/version/read/script.rs";
const SUMMARY: &str = "pg_ast/version/facts/summary.rs";
const STATEMENTS: &str = "pg_ast/version/facts/statements.rs";
const MAKE: &str = "pg_ast/version/tree/make.rs";
const TRUNCATE: &str = "pg_ast/version/print/truncate/cut_parts.rs";
const LINT_CHECK: &str = "pg_ast_lint/src/check.rs";

/// A part of a file that all versions have.
const fn all(
    file: &'static str,
    part: Part,
    ours: &'static [&'static str],
    why: &'static str,
) -> Pin {
    Pin { file, part, versions: ALL, ours, why }
}

/// The original of a function of arena.c.
const fn memory(versions: RangeInclusive<u32>, function: &'static str) -> Pin {
    let why = "it has its own version of this function";
    Pin { file: MCXT, part: Part::Function(function), versions, ours: &[ARENA], why }
}

/// A function of the grammar that `make.rs` has in Rust.
const fn made(function: &'static str) -> Pin {
    all(GRAMMAR, Part::Function(function), &[MAKE], "it makes the same nodes")
}

/// A symbol of the grammar whose words a patch of the deparser prints.
const fn printed(symbol: &'static str, ours: &'static [&'static str]) -> Pin {
    all(GRAMMAR, Part::Symbol(symbol), ours, "it prints what this symbol accepts")
}

/// A part of the scanner whose rules ours know, too.
const fn scanned(part: Part, ours: &'static [&'static str], why: &'static str) -> Pin {
    all(SCANNER, part, ours, why)
}

/// The files that know the scanner's rules.
const LEXICAL: &[&str] =
    &[FAST, PROGRESS, UNIT, NORMALIZE_TOKENS, PATCHED_NAMES, PSQL, SPLIT_SCRIPT];

#[rustfmt::skip]
pub(crate) const PINS: &[Pin] = &[
    // Cut out by the build.
    Pin { file: DEPARSER, part: Part::Cut("deparseGetCurrentPartGroup(DeparseState"), versions: 17..=NEWEST,
          ours: &[PARTS], why: "it has its own versions of these functions" },
    Pin { file: DEPARSER, part: Part::Cut("deparseRemoveTrailingEmptyPart(DeparseState"), versions: 17..=NEWEST,
          ours: &[PARTS], why: "it has its own versions of these functions" },
    Pin { file: DEPARSER, part: Part::Cut("deparseAppendPartGroup(DeparseState"), versions: 17..=NEWEST,
          ours: &[PARTS], why: "it has its own versions of these functions, up to deparseStateDecreaseNestingLevel()" },
    all(GRAMMAR, Part::Cut("yynewstate:"), &[LOOP, BUILD_GRAMMAR], "it replaces Bison's skeleton before the actions"),
    all(GRAMMAR, Part::Cut("yyerrlab:"), &[LOOP_END, BUILD_GRAMMAR], "it replaces Bison's skeleton after the actions"),

    // The parser.
    all(PARSER, Part::Function("base_yylex"), &[LOOK_AHEAD, AUTOMATON],
        "next_token() knows which tokens need the next one"),
    all(PARSER, Part::Function("raw_parser"), &[AUTOMATON, SHIM], "they know the parse modes and their tokens"),
    all(GRAMMAR, Part::Actions, &[BUILD_GRAMMAR, REPLAY], "changes() and makes_several() read the actions' wording"),
    all(GRAMMAR, Part::Between("typedef union YYSTYPE\n", "\n}"), &[BUILD_GRAMMAR],
        "pointers() knows which members are strings"),
    all(GRAMMAR, Part::Function("base_yyerror"), &[ERRORS, ERROR], "they know the grammar's messages"),
    all(GRAMMAR, Part::Function("check_qualified_name"), &[AUTOMATON], "it rejects the same names"),
    all(GRAMMAR, Part::Function("check_func_name"), &[AUTOMATON], "it rejects the same names"),
    all(GRAMMAR, Part::Function("makeRecursiveViewSelect"), &[SHARED, UNIT], "a node is in two places"),
    all(GRAMMAR, Part::Function("extractArgTypes"), &[SHARED, UNIT], "a node is in two places"),
    all(GRAMMAR, Part::Symbol("set_clause"), &[SHARED, UNIT], "a node is in two places"),
    all(GRAMMAR, Part::Function("TableFuncTypeName"), &[SHARED, UNIT], "a type is copied"),
    all("src/postgres/src_backend_nodes_makefuncs.c", Part::Function("makeAlias"), &[UNIT], "it has its own version of this function"),

    // The scanner. Its patterns are not in the sources, only the automaton that flex made of them.
    scanned(Part::Characters, LEXICAL, "they know the classes of characters"),
    scanned(Part::Automaton, LEXICAL, "they know its patterns"),
    scanned(Part::Between("do_action:", "case YY_END_OF_BUFFER:"), LEXICAL, "they do what these actions do"),
    scanned(Part::Macro("YY_DO_BEFORE_ACTION"), &[FAST], "FAST_TOKEN() ends a token like flex"),
    scanned(Part::Macro("SET_YYLLOC"), &[FAST], "FAST_TOKEN() sets the location"),
    scanned(Part::Function("process_integer_literal"), &[FAST, MAKE], "they read numbers like it"),
    scanned(Part::Function("scanner_init"), &[UNIT, PROGRESS], "the length and the buffer of the input are replaced"),
    scanned(Part::Function("scanner_errposition"), &[PROGRESS], "characters_before() counts like it"),
    scanned(Part::Function("scanner_yyerror"), &[ERRORS, ERROR], "they know the scanner's messages"),
    scanned(Part::Function("check_escape_warning"), &[FAST, LINT_CHECK], "they know its message, and when there is none"),
    scanned(Part::Function("check_string_escape_warning"), &[FAST, LINT_CHECK], "they know its message, and when there is none"),
    all(SCANSUP, Part::Function("downcase_truncate_identifier"), &[UNIT], "downcase_word() replaces it"),
    all(SCANSUP, Part::Function("downcase_identifier"), &[UNIT], "downcase_word() replaces it"),
    all(SCANSUP, Part::Function("truncate_identifier"), &[UNIT, FAST], "they know which names it changes"),
    all(SCANSUP, Part::Function("scanner_isspace"), &[FAST], "it has the same blanks"),
    all("src/postgres/src_common_kwlookup.c", Part::Function("ScanKeywordLookup"), &[UNIT, GUARDS],
        "keyword_lookup() replaces it"),

    // Memory.
    memory(ALL, "palloc"),
    memory(ALL, "palloc0"),
    memory(ALL, "MemoryContextAlloc"),
    memory(ALL, "MemoryContextAllocZero"),
    memory(15..=16, "MemoryContextAllocZeroAligned"),
    memory(ALL, "MemoryContextAllocExtended"),
    memory(ALL, "pfree"),
    memory(ALL, "repalloc"),
    memory(ALL, "MemoryContextStrdup"),
    memory(ALL, "pstrdup"),
    memory(16..=NEWEST, "GetMemoryChunkContext"),
    memory(ALL, "MemoryContextSetParent"),
    memory(18..=NEWEST, "MemoryContextSetIdentifier"),
    memory(ALL, "MemoryContextReset"),
    memory(ALL, "MemoryContextDeleteChildren"),
    memory(ALL, "MemoryContextDelete"),
    all("src/postgres/src_backend_utils_mmgr_aset.c", Part::Function("AllocSetContextCreateInternal"), &[ARENA],
        "it has its own version of this function"),
    all(MEMNODES, Part::Between("typedef struct MemoryContextData\n", "} MemoryContextData;"), &[ARENA],
        "it fills these fields"),
    all(MEMUTILS, Part::Macro("MaxAllocSize"), &[ARENA, "libpg_query/c/arena/arena.h"], "chunks have 32 bits for sizes"),
    all(MEMUTILS, Part::Macro("AllocSizeIsValid"), &[ARENA, "libpg_query/c/arena/arena.h"], "chunks have 32 bits for sizes"),
    Pin { file: MEMUTILS, part: Part::Between("static inline MemoryContext\nGetMemoryChunkContext", "\n}"),
          versions: 15..=15, ours: &["libpg_query/c/arena/arena.h"], why: "it reads the word before a chunk" },
    Pin { file: "src/postgres/src_backend_tcop_postgres.c", part: Part::Function("stack_is_too_deep"),
          versions: 15..=17, ours: &[STACK_CHECK, "libpg_query/c/stack/stack_depth.c"], why: "they know its limit" },
    Pin { file: "src/postgres/src_backend_utils_misc_stack_depth.c", part: Part::Function("stack_is_too_deep"),
          versions: 18..=NEWEST, ours: &[STACK_CHECK, SHIM], why: "they know its limit" },

    // Errors. Their levels and codes are asserted in shim.c, when it is compiled.
    all(ELOG, Part::Function("errstart"), &[SHIM], "log_min_messages keeps warnings from being made"),
    all(ELOG, Part::Function("errfinish"), &[SHIM], "warnings go through emit_log_hook, and leave data in ErrorContext"),
    all(ELOG, Part::Function("EmitErrorReport"), &[SHIM], "warnings go through emit_log_hook"),
    all(ELOG, Part::Function("CopyErrorData"), &[SHIM], "it copies an error before it flushes the state"),
    all(ELOG, Part::Function("FlushErrorState"), &[SHIM], "it copies an error before it flushes the state"),

    // The deparser. What else it casts and calls is checked by the tools; see deparser.rs there.
    Pin { file: DEPARSER, part: Part::Between("#ifndef PG_QUERY_DEPARSE_NO_STRICT_CHECKS\n", "\n#endif"),
          versions: 18..=NEWEST, ours: &[GUARDS], why: "its guards rely on these checks" },
    all(BITS, Part::Macro("castNode"), &[GUARDS], "casts of nodes are checked by their assertion"),
    all(BITS, Part::Between("castNodeImpl(NodeTag type", "}"), &[GUARDS], "casts of nodes are checked by their assertion"),
    all(PG_LIST, Part::Macro("lfirst"), &[GUARDS], "the macros of lists are guarded"),
    all(PG_LIST, Part::Macro("foreach"), &[GUARDS], "the macros of lists are guarded"),
    all(PG_LIST, Part::Macro("for_each_from"), &[GUARDS], "the macros of lists are guarded"),
    all(PG_LIST, Part::Macro("forboth"), &[GUARDS], "the macros of lists are guarded"),
    all(PG_LIST, Part::Macro("linitial"), &[GUARDS], "the macros of lists are guarded"),
    all(PG_LIST, Part::Macro("llast"), &[GUARDS], "the macros of lists are guarded"),
    all("src/postgres/src_backend_utils_adt_ruleutils.c", Part::Function("quote_identifier"), &[GUARDS],
        "guard_quote_identifier() knows which names need no quotes"),
    all(STRINGINFO, Part::Function("initStringInfo"), &[GUARDS], "guard_make_buffer() replaces it"),
    all(STRINGINFO, Part::Function("appendStringInfoString"), &[GUARDS], "guard_append_string() replaces it"),
    all(STRINGINFO, Part::Function("appendStringInfoChar"), &[GUARDS], "guard_append_char() replaces it"),
    printed("ColId", &[PATCHED_NAMES]),
    printed("ColLabel", &[PATCHED_NAMES]),
    printed("param_name", &[PATCHED_NAMES]),
    printed("type_function_name", &[PATCHED_NAMES]),
    printed("opt_boolean_or_string", &[PATCHED_NAMES]),
    printed("NonReservedWord_or_Sconst", &[PATCHED_NAMES]),
    printed("utility_option_name", &[PATCHED_NAMES]),
    printed("createdb_opt_name", &[PATCHED_NAMES]),
    printed("any_operator", &[PATCHED_NAMES]),
    printed("qual_Op", &[PATCHED_NAMES]),
    printed("xml_whitespace_option", &[PATCHED_NAMES]),
    printed("opt_interval", &[PATCHED_NAMES]),
    printed("ConstInterval", &[PATCHED_NAMES]),
    printed("AexprConst", &[PATCHED_NAMES]),
    printed("relation_expr_opt_alias", &[PATCHED_STATEMENTS]),
    printed("TableLikeOption", &[PATCHED_STATEMENTS]),
    printed("zone_value", &[PATCHED_STATEMENTS]),
    printed("old_aggr_elem", &[PATCHED_STATEMENTS]),
    Pin { versions: 16..=NEWEST, ..printed("grant_role_opt", &[PATCHED_STATEMENTS]) },
    printed("parameter_name", &[PATCHED_STATEMENTS]),
    printed("copy_opt_item", &[PATCHED_STATEMENTS]),
    printed("copy_generic_opt_elem", &[PATCHED_STATEMENTS]),
    printed("copy_generic_opt_arg", &[PATCHED_STATEMENTS]),
    printed("AlterExtensionContentsStmt", &[PATCHED_STATEMENTS]),
    printed("SecLabelStmt", &[PATCHED_STATEMENTS]),
    all("src/pg_query_deparse.c", Part::File, &[SHIM_DEPARSE, DEPARSE],
        "they print several statements, and find comments, like it"),

    // Nodes made in Rust.
    made("makeIntConst"),
    made("makeFloatConst"),
    Pin { versions: 15..=16, ..made("makeStringConst") },
    Pin { file: "src/postgres/src_backend_nodes_makefuncs.c", versions: 17..=NEWEST, ..made("makeStringConst") },
    made("makeBoolAConst"),
    made("makeNullAConst"),
    made("makeParamRef"),
    made("makeColumnRef"),
    made("makeAndExpr"),
    made("makeOrExpr"),
    made("makeNotExpr"),
    made("makeTypeCast"),

    // libpg_query's calls.
    all(NORMALIZE, Part::Function("const_record_walker"), &[SHIM_NORMALIZE, NORMALIZE_ALL], "its macros change this function"),
    all(NORMALIZE, Part::Function("fill_in_constant_lengths"), &[SHIM_NORMALIZE], "its macros change this function"),
    all(NORMALIZE, Part::Function("generate_normalized_query"), &[SHIM_NORMALIZE, NORMALIZE_ALL],
        "replace_constants() does the same"),
    all(NORMALIZE, Part::Function("RecordConstLocation"), &[NORMALIZE_ALL], "it calls this function"),
    Pin { file: "src/postgres/src_backend_nodes_nodeFuncs.c", part: Part::Function("raw_expression_tree_walker"),
          versions: 15..=15, ours: &[NORMALIZE_ALL], why: "it walks what this leaves out" },
    Pin { file: "src/postgres/src_backend_nodes_nodeFuncs.c", part: Part::Function("raw_expression_tree_walker_impl"),
          versions: 16..=NEWEST, ours: &[NORMALIZE_ALL], why: "it walks what this leaves out" },
    all("src/pg_query_scan.c", Part::File, &[SHIM_SCAN], "token_end() finds the ends of tokens like it"),
    all("src/pg_query_split.c", Part::File, &[SPLIT], "it splits SQL like it"),
    Pin { file: PL_COMPILER, part: Part::Function("plpgsql_compile_callback"), versions: 18..=NEWEST,
          ours: &[PLPGSQL_HEADER], why: "it makes the same variables before the body" },
    Pin { file: PL_COMPILER, part: Part::Function("add_dummy_return"), versions: 18..=NEWEST,
          ours: &[PLPGSQL_JSON], why: "it adds the same RETURN" },
    all("src/pg_query_json_plpgsql.c", Part::File, &[PLPGSQL_JSON], "it writes the same JSON"),
    Pin { file: "src/postgres/src_backend_commands_functioncmds.c", part: Part::Function("interpret_function_parameter_list"),
          versions: 18..=NEWEST, ours: &[PLPGSQL_SIGNATURE], why: "it checks the same" },
    all(PL_NAMES, Part::Function("plpgsql_ns_lookup"), &[PLPGSQL_NAMES], "it finds the same names"),
    all(PL_NAMES, Part::Function("plpgsql_ns_lookup_label"), &[PLPGSQL_NAMES], "it finds the same labels"),
    all(PL_NAMES, Part::Function("plpgsql_ns_find_nearest_loop"), &[PLPGSQL_NAMES], "it finds the same loops"),
    all("src/pg_query_fingerprint.c", Part::File, &[HASHING, FINGERPRINT, FINGERPRINT_RULES], "they hash the same"),
    Pin { file: "src/pg_query_fingerprint_defs.c", part: Part::File, versions: 15..=15,
          ours: &[FINGERPRINT_RULES, FINGERPRINT], why: "they know which fields are not hashed" },
    Pin { file: "src/include/pg_query_fingerprint_defs.c", part: Part::File, versions: 16..=NEWEST,
          ours: &[FINGERPRINT_RULES, FINGERPRINT], why: "they know which fields are not hashed" },
    all("src/pg_query_outfuncs_json.c", Part::File, &[JSON, SERDE], "they write the same JSON"),
    Pin { versions: 17..=NEWEST, ..all("src/pg_query_summary.c", Part::File, &[STATEMENT_RULES, SUMMARY],
        "they find the same names") },
    Pin { versions: 17..=NEWEST, ..all("src/pg_query_summary_statement_type.c", Part::File, &[STATEMENT_RULES],
        "it has the same statements") },
    Pin { versions: 17..=NEWEST, ..all("src/pg_query_summary_truncate.c", Part::File, &[STATEMENT_RULES, TRUNCATE],
        "they cut the same parts") },
    Pin { versions: 17..=NEWEST, ..all("src/pg_query_is_utility_stmt.c", Part::File, &[STATEMENTS], "it has the same statements") },
];
