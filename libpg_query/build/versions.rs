//! The PostgreSQL versions, as data. A new version needs an entry here, a feature in
//! Cargo.toml, a package in sources/Cargo.toml and a line in src/lib.rs; the rest is generated.

/// The layout and the compilation of the sources of one PostgreSQL version.
pub(crate) struct Version {
    /// The major version of PostgreSQL.
    pub(crate) major: u32,
    /// Include directories, relative to the root of the sources.
    pub(crate) include: &'static [&'static str],
    /// Directories whose `.c` files are compiled, relative to the root of the sources.
    pub(crate) compile: &'static [&'static str],
    /// Files of these directories that other files include, by the start of their names.
    pub(crate) included: &'static [&'static str],
    /// Our own files that this version needs in addition to `OWN`.
    pub(crate) more: &'static [&'static str],
    /// The additional include directories of the feature `protobuf-oracle` ...
    pub(crate) oracle_include: &'static [&'static str],
    /// ... and its files.
    pub(crate) oracle: &'static [&'static [&'static str]],
    /// True if the sources are configured for 64-bit systems only, and lack the parts for Windows.
    pub(crate) only_64_bit_unix: bool,
    /// The Protobuf description of the parse tree.
    pub(crate) proto: &'static str,
}

/// Every supported version.
pub(crate) const VERSIONS: &[Version] = &[
    Version {
        major: 15,
        include: &[".", "src", "vendor", "src/postgres/include"],
        compile: POSTGRES,
        included: &[TCOP, "guc-file"],
        more: &["stack/stack_depth.c"],
        oracle_include: &[],
        oracle: &[ROUTES, PROTOBUF_C],
        only_64_bit_unix: true,
        proto: PROTO,
    },
    Version {
        major: 16,
        include: &[".", "src", "vendor", "src/include", "src/postgres/include"],
        compile: POSTGRES,
        included: &[TCOP],
        more: &["stack/stack_depth.c"],
        oracle_include: &[],
        oracle: &[ROUTES, PROTOBUF_C],
        only_64_bit_unix: false,
        proto: PROTO,
    },
    Version {
        major: 17,
        include: &[".", "src", "vendor", "src/include", "src/postgres/include"],
        compile: POSTGRES,
        included: &[TCOP],
        more: &["stack/stack_depth.c"],
        oracle_include: &[],
        oracle: &[ROUTES, SUMMARY, PROTOBUF_C],
        only_64_bit_unix: false,
        proto: PROTO,
    },
    Version {
        major: 18,
        include: &[".", "src", "vendor", "src/include", "src/postgres/include"],
        compile: POSTGRES,
        included: &[],
        more: &[],
        oracle_include: &["vendor/upb", "vendor/upb/third_party/utf8_range"],
        oracle: &[ROUTES, SUMMARY, UPB],
        only_64_bit_unix: false,
        proto: PROTO,
    },
];

/// The folders of our own C files, which include each other by name ...
pub(crate) const FOLDERS: &[&str] =
    &["arena", "deparse", "oracle", "parser", "plpgsql", "shim", "stack", "wasm"];
/// ... the files ...
pub(crate) const OWN: &[&str] = &[
    "parser/parser.c",
    "arena/arena.c",
    "shim/shim.c",
    "shim/shim_deparse.c",
    "shim/shim_expect.c",
    "shim/shim_normalize.c",
    "shim/shim_scan.c",
];
/// ... those for WebAssembly alone ...
pub(crate) const OWN_WASM: &[&str] =
    &["wasm/wasm_setjmp.c", "wasm/wasm_stack.c", "wasm/wasm_tag.c"];
/// ... with the symbols that only these define ...
pub(crate) const SYMBOLS_WASM: &[&str] = &["stack_levels_left", "stack_too_deep"];
/// ... and those that must be safe for trees of any shape, which need their own flags.
pub(crate) const GUARDED: &[&str] = &["deparse/deparse.c"];

/// Large files of PostgreSQL that few grammar rules call.
pub(crate) const RARELY_CALLED: &[&str] =
    &["src_backend_nodes_copyfuncs.c", "src_backend_nodes_equalfuncs.c"];
/// Files of PostgreSQL that arena.c replaces, by the start of their names ...
const REPLACED: &[&str] = &["src_backend_utils_mmgr_"];
/// ... and those that parser.c includes.
const IN_PARSER: &[&str] = &[
    "src_backend_nodes_list.c",
    "src_backend_nodes_makefuncs.c",
    "src_backend_nodes_value.c",
    "src_backend_parser_gram.c",
    "src_backend_parser_parser.c",
    "src_backend_parser_scan.c",
    "src_backend_parser_scansup.c",
    "src_common_keywords.c",
    "src_common_kwlookup.c",
];

/// The paths that are the same in all versions.
const POSTGRES: &[&str] = &["src/postgres"];
const PROTO: &str = "protobuf/pg_query.proto";
/// Files that only libpg_query's own call for PL/pgSQL needs, by the start of their names.
const CALLED_BY_ORACLE: &[&str] = &[
    "src_backend_commands_functioncmds.",
    "src_backend_optimizer_util_var.",
    "src_backend_parser_parse_coerce.",
    "src_backend_parser_parse_collate.",
    "src_backend_parser_parse_expr.",
    "src_backend_utils_adt_oid.",
    "src_common_hashfn.",
];
/// PL/pgSQL's own parser, which the feature `plpgsql` compiles ...
const PLPGSQL: &str = "src_pl_plpgsql_";
/// ... with files that only it calls, by the start of their names. A version
/// that calls one from elsewhere does not link without that feature.
const CALLED_BY_PLPGSQL: &[&str] = &[
    "src_backend_access_common_tupdesc.",
    "src_backend_catalog_pg_proc.",
    "src_backend_parser_parse_node.",
    "src_backend_parser_parse_type.",
    "src_backend_utils_adt_arrayfuncs.",
    "src_backend_utils_adt_arrayutils.",
    "src_backend_utils_adt_format_type.",
    "src_backend_utils_adt_name.",
    "src_backend_utils_adt_regproc.",
    "src_backend_utils_adt_varlena.",
    "src_backend_utils_cache_funccache.",
    "src_backend_utils_cache_lsyscache.",
    "src_backend_utils_fmgr_funcapi.",
];
/// Our own files of that feature ...
pub(crate) const OWN_PLPGSQL: &[&str] = &[
    "plpgsql/plpgsql_header.c",
    "plpgsql/plpgsql_literal.c",
    "plpgsql/plpgsql_names.c",
    "plpgsql/plpgsql_options.c",
    "plpgsql/plpgsql_params.c",
    "plpgsql/plpgsql_parse.c",
    "plpgsql/plpgsql_places.c",
    "plpgsql/plpgsql_signature.c",
    "plpgsql/plpgsql_types.c",
    "plpgsql/plpgsql_typmods.c",
];
/// ... and libpg_query's, for comparison in tests.
pub(crate) const ORACLE_PLPGSQL: &[&str] =
    &["src/pg_query_json_plpgsql.c", "src/pg_query_parse_plpgsql.c"];
/// A part of stack_depth.c.
const TCOP: &str = "src_backend_tcop_postgres";
/// libpg_query's own functions, for comparison in tests.
const ROUTES: &[&str] = &[
    "src/pg_query.c",
    "src/pg_query_deparse.c",
    "src/pg_query_fingerprint.c",
    "src/pg_query_normalize.c",
    "src/pg_query_outfuncs_json.c",
    "src/pg_query_outfuncs_protobuf.c",
    "src/pg_query_parse.c",
    "src/pg_query_readfuncs_protobuf.c",
    "src/pg_query_scan.c",
    "src/pg_query_split.c",
    "src/postgres_deparse.c",
    "vendor/xxhash/xxhash.c",
];
/// The functions that 17 introduced.
const SUMMARY: &[&str] = &[
    "src/pg_query_is_utility_stmt.c",
    "src/pg_query_raw_tree_walker_supports.c",
    "src/pg_query_summary.c",
    "src/pg_query_summary_statement_type.c",
    "src/pg_query_summary_truncate.c",
];
/// The Protobuf route before 18, written with protobuf-c ...
const PROTOBUF_C: &[&str] = &["protobuf/pg_query.pb-c.c", "vendor/protobuf-c/protobuf-c.c"];
/// ... and with upb since.
const UPB: &[&str] = &[
    "protobuf/pg_query.upb_minitable.c",
    "vendor/upb/upb.c",
    "vendor/upb/third_party/utf8_range/utf8_range.c",
];

impl Version {
    /// `pg18`: the name of the feature, the module and the folder, and the prefix of every C symbol.
    pub(crate) fn name(&self) -> String {
        format!("pg{}", self.major)
    }

    /// The files of the feature `protobuf-oracle`.
    pub(crate) fn oracle_files(&self) -> impl Iterator<Item = &'static str> {
        self.oracle.iter().copied().flatten().copied()
    }

    /// Returns whether a file of the compiled directories is compiled separately.
    ///
    /// `stock` is unmodified PostgreSQL, with all of its files.
    pub(crate) fn is_compiled(&self, file: &str, plpgsql: bool, stock: bool) -> bool {
        let starts = |names: &[&str]| names.iter().any(|start| file.starts_with(start));
        let is_left_out = starts(REPLACED)
            || starts(IN_PARSER)
            || starts(CALLED_BY_ORACLE)
            || !plpgsql && starts(CALLED_BY_PLPGSQL);
        // Spelt the same in every package.
        #[allow(clippy::case_sensitive_file_extension_comparisons)]
        let is_c = file.ends_with(".c");
        let is_part = starts(self.included) || !plpgsql && file.starts_with(PLPGSQL);
        is_c && !is_part && (stock || !is_left_out)
    }
}
