/*-------------------------------------------------------------------------
 *
 * shim_deparse.c
 *	  Deparses trees; see shim.h.
 *
 *-------------------------------------------------------------------------
 */
#include "shim_internal.h"

#include "guarded_deparse.h"
#include "lib/stringinfo.h"

/* Locations are compared as size_t, as in libpg_query: a negative one is a very large one. */
static size_t
place_of(const PostgresDeparseComment *comment)
{
	return comment->match_location;
}

static int
compare_comments(const void *a, const void *b)
{
	const PostgresDeparseComment *left = *(PostgresDeparseComment *const *) a;
	const PostgresDeparseComment *right = *(PostgresDeparseComment *const *) b;

	if (place_of(left) != place_of(right))
		return place_of(left) < place_of(right) ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* Returns all comments, sorted by location, and then in the given order. */
static PostgresDeparseComment **
sorted_comments(const ShimDeparseOptions *options)
{
	size_t		count = options->comment_count;
	/* no overflow: the caller has an array of an equally large struct */
	PostgresDeparseComment *comments = palloc(sizeof(PostgresDeparseComment) * count);
	PostgresDeparseComment **sorted = palloc(sizeof(PostgresDeparseComment *) * count);

	for (size_t i = 0; i < count; i++)
	{
		comments[i].match_location = options->comments[i].match_location;
		comments[i].newlines_before_comment = options->comments[i].newlines_before;
		comments[i].newlines_after_comment = options->comments[i].newlines_after;
		/* the deparser only reads it */
		comments[i].str = (char *) options->comments[i].text;
		sorted[i] = &comments[i];
	}
	/* libc's, since the worst case of PostgreSQL's is quadratic */
	(qsort) (sorted, count, sizeof(*sorted), compare_comments);
	return sorted;
}

/* Returns how many comments have a location before "place". */
static size_t
comments_before(PostgresDeparseComment *const *comments, size_t count, size_t place)
{
	size_t		low = 0;

	while (low < count)
	{
		size_t		middle = low + (count - low) / 2;

		if (place_of(comments[middle]) < place)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/*
 * Ends one of several statements in a layout: with a semicolon, and on a line
 * of its own.
 */
static void
end_stmt_line(StringInfo str, bool is_last)
{
	bool		has_newline = str->len > 1 && str->data[str->len - 1] == '\n';

	if (has_newline)
		str->data[--str->len] = '\0';
	appendStringInfoChar(str, ';');
	if (has_newline || !is_last)
		appendStringInfoChar(str, '\n');
}

/*
 * The counterpart of libpg_query's pg_query_deparse_protobuf_opts.
 */
static void
deparse_all(StringInfo str, const RawStmt *const *stmts, size_t count,
			const ShimDeparseOptions *options)
{
	PostgresDeparseOpts opts = {0};
	PostgresDeparseComment **comments = NULL;
	size_t		printed = 0;

#if PG_VERSION_NUM < 170000
	if (options->pretty_print || options->commas_start_of_line || options->comment_count > 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the deparser of PostgreSQL %d has no layouts and keeps no comments",
						PG_VERSION_NUM / 10000)));
#endif

	opts.pretty_print = options->pretty_print;
	opts.indent_size = options->indent_size;
	opts.max_line_length = options->max_line_length;
	opts.trailing_newline = options->trailing_newline;
	opts.commas_start_of_line = options->commas_start_of_line;

	if (options->comment_count > 0)
	{
		comments = sorted_comments(options);
		opts.comments = comments;
		opts.comment_count = options->comment_count;
	}

	for (size_t i = 0; i < count; i++)
	{
		const RawStmt *stmt = stmts[i];
		bool		is_last = i == count - 1;

		if (stmt == NULL || !IsA(stmt, RawStmt))
			elog(ERROR, "a statement to deparse is no RawStmt");

		/* every statement gets the comments of its own part of the SQL, and the last one the rest */
		if (count > 1 && options->comment_count > 0)
		{
			size_t		end = (size_t) stmt->stmt_location + stmt->stmt_len;
			size_t		last = is_last ? options->comment_count :
				comments_before(comments, options->comment_count, end);

			/* the statements of a changed tree may be in another order */
			last = Max(printed, last);
			opts.comments = comments + printed;
			opts.comment_count = last - printed;
			printed = last;
		}

		guarded_deparse(str, stmt, &opts);
		if (opts.pretty_print && count > 1)
			end_stmt_line(str, is_last);
		else if (!is_last)
			appendStringInfoString(str, "; ");
	}
}

void
shim_deparse(const RawStmt *const *stmts, size_t count,
			 const ShimDeparseOptions *options,
			 size_t stack_bytes, ShimDeparse *out)
{
	SHIM_TRY(out, stack_bytes);
	{
		StringInfoData str;

		initStringInfo(&str);

		/*
		 * The deparser reads the last character of the output so far,
		 * and some malformed trees make it do so when there is none.
		 */
		appendStringInfoChar(&str, '\n');
		deparse_all(&str, stmts, count, options);
		out->text = str.data + 1;
		out->length = str.len - 1;
	}
	SHIM_END_TRY(out);
}

SHIM_FREE(shim_deparse_free, ShimDeparse)
