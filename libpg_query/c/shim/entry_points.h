/*
 * For our files that include one of libpg_query's: what its own entry points
 * call.  They are compiled under other names, since the program may also contain
 * libpg_query's build of them, but never called, and their callees are not there.
 */
#ifndef ENTRY_POINTS_H
#define ENTRY_POINTS_H

#include "pg_query.h"
#include "pg_query_internal.h"

#undef pg_query_enter_memory_context
#define pg_query_enter_memory_context() NULL
#undef pg_query_exit_memory_context
#define pg_query_exit_memory_context(context) ((void) (context))
#undef pg_query_raw_parse
#define pg_query_raw_parse(...) ((PgQueryInternalParsetreeAndError) {0})
#undef pg_query_free_error
#define pg_query_free_error(error) ((void) 0)

#endif							/* ENTRY_POINTS_H */
