/*-------------------------------------------------------------------------
 *
 * oracle.c
 *	  Entry points into libpg_query's own code, for measurements and comparisons.
 *
 * Nothing here is part of the library: see the feature protobuf-oracle.
 *
 *-------------------------------------------------------------------------
 */
#include "oracle.h"

#include "pg_query_fingerprint.h"
#include "pg_query_internal.h"

#include "lib/stringinfo.h"
#include "parser/parser.h"
#include "postgres_deparse.h"

#if PG_VERSION_NUM >= 160000
#define RAW_PARSE(sql) pg_query_raw_parse(sql, PG_QUERY_PARSE_DEFAULT)
#else
#define RAW_PARSE(sql) pg_query_raw_parse(sql)
#endif

struct ShimOracleTree
{
	MemoryContext context;
	List	   *stmts;
};

bool
shim_oracle_raw_parse(const char *sql)
{
	MemoryContext context = pg_query_enter_memory_context();
	PgQueryInternalParsetreeAndError result = RAW_PARSE(sql);
	bool		ok = result.error == NULL;

	if (result.error)
		pg_query_free_error(result.error);
	free(result.stderr_buffer);
	pg_query_exit_memory_context(context);
	return ok;
}

ShimOracleTree *
shim_oracle_tree_new(const char *sql)
{
	MemoryContext context = pg_query_enter_memory_context();
	PgQueryInternalParsetreeAndError result = RAW_PARSE(sql);
	ShimOracleTree *tree = NULL;

	free(result.stderr_buffer);
	if (result.error)
	{
		pg_query_free_error(result.error);
		pg_query_exit_memory_context(context);
		return NULL;
	}

	tree = malloc(sizeof(ShimOracleTree));
	if (tree == NULL)
	{
		pg_query_exit_memory_context(context);
		return NULL;
	}
	tree->context = context;
	tree->stmts = result.tree;
	MemoryContextSwitchTo(TopMemoryContext);
	return tree;
}

long
shim_oracle_tree_deparse(const ShimOracleTree *tree)
{
	MemoryContext context = pg_query_enter_memory_context();
	volatile long length = -1;

	PG_TRY();
	{
		StringInfoData str;
		ListCell   *lc;

		initStringInfo(&str);
		foreach(lc, tree->stmts)
		{
			deparseRawStmt(&str, lfirst(lc));
			if (lnext(tree->stmts, lc))
				appendStringInfoString(&str, "; ");
		}
		length = str.len;
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
	}
	PG_END_TRY();

	pg_query_exit_memory_context(context);
	return length;
}

void
shim_oracle_tree_free(ShimOracleTree *tree)
{
	if (tree == NULL)
		return;
	MemoryContextDelete(tree->context);
	free(tree);
}

void
shim_oracle_parse(const char *sql, int options, ShimOracle *out)
{
#if PG_VERSION_NUM >= 160000
	PgQueryProtobufParseResult result = pg_query_parse_protobuf_opts(sql, options);
#else
	PgQueryProtobufParseResult result = pg_query_parse_protobuf(sql);
#endif

	free(result.stderr_buffer);
	out->data = result.parse_tree.data;
	out->length = result.parse_tree.len;
	out->error = result.error;
}

void
shim_oracle_json(const char *sql, ShimOracle *out)
{
	PgQueryParseResult result = pg_query_parse(sql);

	free(result.stderr_buffer);
	out->data = result.parse_tree;
	out->length = result.parse_tree ? strlen(result.parse_tree) : 0;
	out->error = result.error;
}

#ifdef SHIM_PLPGSQL
void
shim_oracle_plpgsql(const char *sql, ShimOracle *out)
{
	PgQueryPlpgsqlParseResult result = pg_query_parse_plpgsql(sql);

	out->data = result.plpgsql_funcs;
	out->length = result.plpgsql_funcs ? strlen(result.plpgsql_funcs) : 0;
	out->error = result.error;
}
#endif

void
shim_oracle_deparse(const char *tree, size_t length,
					const ShimDeparseOptions *options, ShimOracle *out)
{
	PgQueryProtobuf protobuf = {.len = length,.data = (char *) tree};
	PgQueryDeparseResult result;
#if PG_VERSION_NUM >= 170000
	size_t		count = options->comment_count;
	PostgresDeparseComment *comments = calloc(count + 1, sizeof(PostgresDeparseComment));
	PostgresDeparseOpts opts = {
		.comments = calloc(count + 1, sizeof(PostgresDeparseComment *)),
		.comment_count = count,
		.pretty_print = options->pretty_print,
		.indent_size = options->indent_size,
		.max_line_length = options->max_line_length,
		.trailing_newline = options->trailing_newline,
		.commas_start_of_line = options->commas_start_of_line,
	};

	for (size_t i = 0; i < count; i++)
	{
		comments[i].match_location = options->comments[i].match_location;
		comments[i].newlines_before_comment = options->comments[i].newlines_before;
		comments[i].newlines_after_comment = options->comments[i].newlines_after;
		comments[i].str = (char *) options->comments[i].text;
		opts.comments[i] = &comments[i];
	}
	result = pg_query_deparse_protobuf_opts(protobuf, opts);
	free(opts.comments);
	free(comments);
#else
	result = pg_query_deparse_protobuf(protobuf);
#endif

	out->data = result.query;
	out->length = result.query ? strlen(result.query) : 0;
	out->error = result.error;
}

void
shim_oracle_free(ShimOracle *out)
{
	free(out->data);
	if (out->error)
		pg_query_free_error(out->error);
	memset(out, 0, sizeof(*out));
}

void
shim_oracle_fingerprint(const char *sql, int options, int fingerprint_options, ShimOracle *out)
{
#if PG_VERSION_NUM >= 180000
	PgQueryFingerprintResult result = pg_query_fingerprint_opts(sql, options, fingerprint_options);
#elif PG_VERSION_NUM >= 160000
	PgQueryFingerprintResult result = pg_query_fingerprint_opts(sql, options);
#else
	PgQueryFingerprintResult result = pg_query_fingerprint(sql);
#endif

	free(result.stderr_buffer);
	out->data = result.fingerprint_str;
	out->length = result.fingerprint_str ? strlen(result.fingerprint_str) : 0;
	out->error = result.error;
}

void
shim_oracle_normalize(const char *sql, bool utility_only, ShimOracle *out)
{
#if PG_VERSION_NUM >= 170000
	PgQueryNormalizeResult result =
		utility_only ? pg_query_normalize_utility(sql) : pg_query_normalize(sql);
#else
	PgQueryNormalizeResult result = pg_query_normalize(sql);
#endif

	out->data = result.normalized_query;
	out->length = result.normalized_query ? strlen(result.normalized_query) : 0;
	out->error = result.error;
}

void
shim_oracle_scan(const char *sql, ShimOracle *out)
{
	PgQueryScanResult result = pg_query_scan(sql);

	free(result.stderr_buffer);
	out->data = result.pbuf.data;
	out->length = result.pbuf.len;
	out->error = result.error;
}

void
shim_oracle_split(const char *sql, bool with_scanner, ShimOracle *out)
{
	PgQuerySplitResult result =
		with_scanner ? pg_query_split_with_scanner(sql) : pg_query_split_with_parser(sql);
	int32	   *places = calloc(result.n_stmts + 1, 2 * sizeof(int32));

	for (int i = 0; result.error == NULL && i < result.n_stmts; i++)
	{
		places[2 * i] = result.stmts[i]->stmt_location;
		places[2 * i + 1] = result.stmts[i]->stmt_len;
	}
	out->data = (char *) places;
	out->length = result.error ? 0 : result.n_stmts * 2 * sizeof(int32);
	out->error = result.error;
	result.error = NULL;
	pg_query_free_split_result(result);
}

#if PG_VERSION_NUM >= 170000
void
shim_oracle_summary(const char *sql, int truncate_limit, ShimOracle *out)
{
	PgQuerySummaryParseResult result =
		pg_query_summary(sql, PG_QUERY_PARSE_DEFAULT, truncate_limit);

	free(result.stderr_buffer);
	out->data = result.summary.data;
	out->length = result.summary.len;
	out->error = result.error;
}

void
shim_oracle_is_utility_stmt(const char *sql, ShimOracle *out)
{
	PgQueryIsUtilityResult result = pg_query_is_utility_stmt(sql);

	out->error = result.error;
	out->length = result.error ? 0 : result.length;
	out->data = malloc(out->length + 1);
	for (size_t i = 0; i < out->length; i++)
		out->data[i] = result.items[i];
	free(result.items);
}

void
shim_oracle_comments(const char *sql, ShimOracleComments *out)
{
	PgQueryDeparseCommentsResult *result = malloc(sizeof(PgQueryDeparseCommentsResult));

	*result = pg_query_deparse_comments_for_query(sql);
	out->error = result->error;
	out->owner = result;
	out->count = result->error ? 0 : result->comment_count;
	out->comments = calloc(out->count + 1, sizeof(ShimComment));
	for (size_t i = 0; i < out->count; i++)
	{
		const PostgresDeparseComment *comment = result->comments[i];

		out->comments[i] = (ShimComment)
		{
			.match_location = comment->match_location,
			.newlines_before = comment->newlines_before_comment,
			.newlines_after = comment->newlines_after_comment,
			.text = comment->str,
		};
	}
}

void
shim_oracle_comments_free(ShimOracleComments *out)
{
	PgQueryDeparseCommentsResult *result = out->owner;

	if (result->error)
		pg_query_free_error(result->error);
	else
		pg_query_free_deparse_comments_result(*result);
	free(result);
	free(out->comments);
	memset(out, 0, sizeof(*out));
}
#endif
