/*
 * For our files that include one of libpg_query's: functions that only
 * its own entry points need.  They are compiled, but never called.
 */
#ifndef UNHOSTED_H
#define UNHOSTED_H

#include "pg_query.h"
#include "pg_query_internal.h"

#define pg_query_enter_memory_context() (NULL)
#define pg_query_exit_memory_context(context) ((void) (context))
#define pg_query_raw_parse(...) ((PgQueryInternalParsetreeAndError) {0})

#endif							/* UNHOSTED_H */
