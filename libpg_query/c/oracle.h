/*
 * What tests and benches call of libpg_query's own routes, beside the
 * functions of pg_query.h.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "pg_query.h"

/* Parse and throw the tree away: the cost of the C parser alone. */
extern bool shim_oracle_raw_parse(const char *sql);

/* A parsed text, for the C deparser alone; NULL if it does not parse. */
typedef struct ShimOracleTree ShimOracleTree;

extern ShimOracleTree *shim_oracle_tree_new(const char *sql);

/*
 * Deparse the tree with libpg_query's own deparser, and return the length of
 * the text; -1 if that fails.
 */
extern long shim_oracle_tree_deparse(const ShimOracleTree *tree);
extern void shim_oracle_tree_free(ShimOracleTree *tree);

#endif							/* ORACLE_H */
