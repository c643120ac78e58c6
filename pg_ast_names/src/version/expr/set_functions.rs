//! PostgreSQL's own functions that return rows, for a catalog that does not know them.

use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::function_names::FunctionRow;
use super::lookup::column_names::{NamedColumns, RowType};

/// Those that return the same columns in all versions, each with their names; with none if it returns values. From `pg_proc` of
/// PostgreSQL 15, and in its order.
const FUNCTIONS: &[(&str, &str)] = &[
    ("aclexplode", "grantor grantee privilege_type is_grantable"),
    ("generate_series", ""),
    ("generate_subscripts", ""),
    ("json_array_elements", "value"),
    ("json_array_elements_text", "value"),
    ("json_each", "key value"),
    ("json_each_text", "key value"),
    ("json_object_keys", ""),
    ("jsonb_array_elements", "value"),
    ("jsonb_array_elements_text", "value"),
    ("jsonb_each", "key value"),
    ("jsonb_each_text", "key value"),
    ("jsonb_object_keys", ""),
    ("jsonb_path_query", ""),
    ("jsonb_path_query_tz", ""),
    (
        "pg_event_trigger_dropped_objects",
        "classid objid objsubid original normal is_temporary object_type schema_name object_name object_identity address_names address_args",
    ),
    ("pg_event_trigger_table_rewrite_oid", "oid"),
    ("pg_get_keywords", "word catcode barelabel catdesc baredesc"),
    ("pg_get_object_address", "classid objid objsubid"),
    ("pg_identify_object", "type schema name identity"),
    ("pg_identify_object_as_address", "type object_names object_args"),
    ("pg_listening_channels", ""),
    ("pg_ls_archive_statusdir", "name size modification"),
    ("pg_ls_dir", ""),
    ("pg_ls_logdir", "name size modification"),
    ("pg_ls_tmpdir", "name size modification"),
    ("pg_ls_waldir", "name size modification"),
    ("pg_options_to_table", "option_name option_value"),
    ("pg_partition_ancestors", "relid"),
    ("pg_partition_tree", "relid parentrelid isleaf level"),
    (
        "pg_sequence_parameters",
        "start_value minimum_value maximum_value increment cycle_option cache_size data_type",
    ),
    ("pg_snapshot_xip", ""),
    ("pg_stat_file", "size access modification change creation isdir"),
    ("pg_tablespace_databases", ""),
    ("pg_timezone_abbrevs", "abbrev utc_offset is_dst"),
    ("pg_timezone_names", "name abbrev utc_offset is_dst"),
    ("pg_walfile_name_offset", "file_name file_offset"),
    ("regexp_matches", ""),
    ("regexp_split_to_table", ""),
    ("string_to_table", ""),
    ("ts_debug", "alias description token dictionaries dictionary lexemes"),
    ("ts_parse", "tokid token"),
    ("ts_stat", "word ndoc nentry"),
    ("ts_token_type", "tokid alias description"),
];

/// Returns what a function of PostgreSQL's own returns.
pub(crate) fn result<'a>(name: &QualifiedName) -> FunctionRow<'a> {
    if name.schema.as_deref().is_some_and(|schema| schema != "pg_catalog") {
        return FunctionRow::Unknown;
    }
    let found = FUNCTIONS.binary_search_by(|(own, _)| (*own).cmp(&name.name));
    let Some((_, columns)) = found.ok().and_then(|index| FUNCTIONS.get(index)) else {
        return FunctionRow::Unknown;
    };
    let mut names = columns.split_whitespace();
    match (names.next(), names.next()) {
        (None, _) => FunctionRow::Scalar(None),
        (Some(only), None) => FunctionRow::Scalar(Some(Arc::from(only))),
        _ => {
            let columns = NamedColumns::named(columns.split_whitespace());
            FunctionRow::Row(RowType::Columns(Rc::new(columns)))
        }
    }
}
