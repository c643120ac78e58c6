/*
 * The deparser of deparse.c.  It throws; only shim.c calls it.
 */
#ifndef GUARDED_DEPARSE_H
#define GUARDED_DEPARSE_H

#include "postgres_deparse.h"

extern void guarded_deparse(StringInfo str, const struct RawStmt *stmt,
							PostgresDeparseOpts *opts);

#endif							/* GUARDED_DEPARSE_H */
