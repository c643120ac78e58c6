/*-------------------------------------------------------------------------
 *
 * oracle.c
 *	  Entries into libpg_query's own code, to measure and compare with.
 *
 * Nothing here is part of the library: see the feature protobuf-oracle.
 *
 *-------------------------------------------------------------------------
 */
#include "oracle.h"

#include "pg_query_internal.h"

#include "lib/stringinfo.h"
#include "parser/parser.h"

struct ShimOracleTree
{
	MemoryContext context;
	List	   *stmts;
};

bool
shim_oracle_raw_parse(const char *sql)
{
	MemoryContext context = pg_query_enter_memory_context();
	PgQueryInternalParsetreeAndError result = pg_query_raw_parse(sql, PG_QUERY_PARSE_DEFAULT);
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
	PgQueryInternalParsetreeAndError result = pg_query_raw_parse(sql, PG_QUERY_PARSE_DEFAULT);
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
		PostgresDeparseOpts opts = {0};
		StringInfoData str;
		ListCell   *lc;

		initStringInfo(&str);
		foreach(lc, tree->stmts)
		{
			deparseRawStmtOpts(&str, lfirst(lc), &opts);
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
