/*-------------------------------------------------------------------------
 *
 * shim_fingerprint.c
 *	  Text or tree to fingerprint; see shim.h.
 *
 * The hashing is libpg_query's own, which this file includes.  It is written
 * for trees that the parser made, as the deparser is; what is done about
 * others is a part of what deparse.c does: a NULL that is dereferenced, or is
 * taken for a string, raises an error.
 *
 *-------------------------------------------------------------------------
 */

/* Its globals under other names: libpg_query's build of it may be there, too. */
#undef pg_query_fingerprint_node
#define pg_query_fingerprint_node unhosted_fingerprint_node
#undef pg_query_fingerprint_with_opts
#define pg_query_fingerprint_with_opts unhosted_fingerprint_with_opts
#undef pg_query_fingerprint
#define pg_query_fingerprint unhosted_fingerprint
#undef pg_query_fingerprint_opts
#define pg_query_fingerprint_opts unhosted_fingerprint_opts
#undef pg_query_free_fingerprint_result
#define pg_query_free_fingerprint_result unhosted_free_fingerprint_result

/* The hash functions become a part of this file. */
#define XXH_INLINE_ALL

#include "shim_internal.h"
#include "unhosted.h"

static void
null_pointer(void)
{
	elog(ERROR, "NULL where the fingerprint needs a value");
}

static inline size_t
checked_strlen(const char *string)
{
	if (unlikely(string == NULL))
		null_pointer();
	return strlen(string);
}

#ifdef __GNUC__
/* What code compiled with -fsanitize=null calls; see deparse.c. */
static void __attribute__((used, noinline, cold))
__ubsan_handle_type_mismatch_v1_abort(const void *place, void *pointer)
{
	null_pointer();
}
#endif

/*
 * An error leaves the hash states behind, so they have to be a part of the
 * call's memory.
 */
#define malloc(size) palloc(size)
#define free(pointer) pfree(pointer)
#define strlen(string) checked_strlen(string)

#include "pg_query_fingerprint.c"

#undef malloc
#undef free
#undef strlen

#if PG_VERSION_NUM >= 180000
#define INIT_CONTEXT(context, options) _fingerprintInitContext(context, NULL, options, false)

StaticAssertDecl((int) SHIM_FINGERPRINT_IGNORE_ALIASES == PG_QUERY_FINGERPRINT_RANGEVAR_IGNORE_ALIASES &&
				 (int) SHIM_FINGERPRINT_INCLUDE_SCHEMA == PG_QUERY_FINGERPRINT_RANGEVAR_INCLUDE_SCHEMA &&
				 (int) SHIM_FINGERPRINT_FULL_RELNAME == PG_QUERY_FINGERPRINT_FULL_RELNAME,
				 "the options are libpg_query's");
#else
#define INIT_CONTEXT(context, options) _fingerprintInitContext(context, NULL, false)
#endif

uint64
shim_hash_node(const void *node, int options)
{
	FingerprintContext context;
	uint64		value;

#if PG_VERSION_NUM < 180000
	if (options != 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("fingerprints of PostgreSQL %d have no options", PG_VERSION_NUM / 10000)));
#endif

	INIT_CONTEXT(&context, options);
	_fingerprintNode(&context, node, NULL, NULL, 0);
	value = XXH3_64bits_digest(context.xxh_state);
	_fingerprintFreeContext(&context);
	return value;
}

void
shim_fingerprint(const char *sql, const ShimParseOptions *options,
				 int fingerprint_options,
				 size_t stack_bytes, ShimFingerprint *out)
{
	Frame		frame;

	memset(out, 0, sizeof(*out));
	if (!shim_thread_init())
	{
		out->error = &shim_out_of_memory;
		return;
	}

	shim_enter(&frame, stack_bytes);
	PG_TRY();
	{
		shim_enter_context(&out->context);
		out->value = shim_hash_node(shim_raw_parser(sql, strlen(sql), options), fingerprint_options);
	}
	PG_CATCH();
	{
		out->error = shim_catch_error(out->context);
	}
	PG_END_TRY();
	shim_leave(&frame);
}

void
shim_fingerprint_stmts(const RawStmt *const *stmts, size_t count,
					   int fingerprint_options,
					   size_t stack_bytes, ShimFingerprint *out)
{
	Frame		frame;

	memset(out, 0, sizeof(*out));
	if (!shim_thread_init())
	{
		out->error = &shim_out_of_memory;
		return;
	}

	shim_enter(&frame, stack_bytes);
	PG_TRY();
	{
		List	   *list = NIL;

		shim_enter_context(&out->context);
		for (size_t i = 0; i < count; i++)
			list = lappend(list, (void *) stmts[i]);
		out->value = shim_hash_node(list, fingerprint_options);
	}
	PG_CATCH();
	{
		out->error = shim_catch_error(out->context);
	}
	PG_END_TRY();
	shim_leave(&frame);
}

void
shim_fingerprint_free(ShimFingerprint *fingerprint)
{
	shim_free_context(fingerprint->context);
	memset(fingerprint, 0, sizeof(*fingerprint));
}
