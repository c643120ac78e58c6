/*
 * The entry points of libpg_query's own routes for tests
 * and benches: the same functions for every version.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "shim.h"

#include "pg_query.h"

/* Parse and free the tree: the cost of the C parser alone. */
extern bool shim_oracle_raw_parse(const char *sql);

/* Parsed SQL for the C deparser alone; NULL if it does not parse. */
typedef struct ShimOracleTree ShimOracleTree;

extern ShimOracleTree *shim_oracle_tree_new(const char *sql);

/*
 * Deparse the tree with libpg_query's own deparser,
 * and return the length of the SQL; -1 if that fails.
 */
extern long shim_oracle_tree_deparse(const ShimOracleTree *tree);
extern void shim_oracle_tree_free(ShimOracleTree *tree);

/* A result of libpg_query: a tree in Protobuf, or a string. */
typedef struct ShimOracle
{
	char	   *data;
	size_t		length;
	PgQueryError *error;		/* NULL on success */
} ShimOracle;

/* The options are those of pg_query.h; 15 has none. */
extern void shim_oracle_parse(const char *sql, int options, ShimOracle *out);

/* The tree in JSON. */
extern void shim_oracle_json(const char *sql, ShimOracle *out);

#ifdef SHIM_PLPGSQL
/* The functions in JSON, where that is well-formed. */
extern void shim_oracle_plpgsql(const char *sql, ShimOracle *out);
#endif

/* Before 17 the deparser has no options, and behaves as if they were 0. */
extern void shim_oracle_deparse(const char *tree, size_t length,
								const ShimDeparseOptions *options, ShimOracle *out);
extern void shim_oracle_free(ShimOracle *out);

/* The fingerprint in hexadecimal.  15 has no parse options, and only 18 has those of fingerprints. */
extern void shim_oracle_fingerprint(const char *sql, int options, int fingerprint_options,
									ShimOracle *out);

/* "utility_only" is supported since 17. */
extern void shim_oracle_normalize(const char *sql, bool utility_only, ShimOracle *out);

/* The tokens, in Protobuf. */
extern void shim_oracle_scan(const char *sql, ShimOracle *out);

/* The statements: the start and the length of each, as int32. */
extern void shim_oracle_split(const char *sql, bool with_scanner, ShimOracle *out);

#if PG_VERSION_NUM >= 170000
/*
 * The summary of SQL, as a SummaryResult of the .proto;
 * a truncate_limit of -1 leaves truncated_query empty.
 */
extern void shim_oracle_summary(const char *sql, int truncate_limit, ShimOracle *out);

/* One byte per statement: 1 if it is a utility statement. */
extern void shim_oracle_is_utility_stmt(const char *sql, ShimOracle *out);

/* The comments of SQL in the format of its own deparser. */
typedef struct ShimOracleComments
{
	ShimComment *comments;
	size_t		count;
	PgQueryError *error;		/* NULL on success */
	void	   *owner;			/* of the strings */
} ShimOracleComments;

extern void shim_oracle_comments(const char *sql, ShimOracleComments *out);
extern void shim_oracle_comments_free(ShimOracleComments *out);
#endif

#endif							/* ORACLE_H */
