/*-------------------------------------------------------------------------
 *
 * plpgsql_hooks.h
 *	  What PostgreSQL's files for PL/pgSQL call in place of the catalog,
 *	  and to record places; see patches/plpgsql.patch.
 *
 * PostgreSQL's code does not need to know the places of what it makes: the
 * grammar has only starts, and no tree of an expression's SQL.  Here are the
 * calls that add them, and those that look up what a database knows.
 *
 * They do nothing, or what PostgreSQL does, unless shim_plpgsql_parse or
 * shim_plpgsql_body is running.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PLPGSQL_HOOKS_H
#define PLPGSQL_HOOKS_H

#include "common/kwlookup.h"
#include "lib/stringinfo.h"

#include "plpgsql_tree.h"
#include "plpgsql_words.h"

/* Its scanner looks up only those that are not reserved. */
#undef ScanKeywordLookup
#define ScanKeywordLookup(word, keywords) plpgsql_unreserved_number(word, strlen(word), keywords)

/* Whether shim_plpgsql_parse is running on this thread. */
extern bool plpgsql_has_places(void);

/* ----- Places; starts and ends are offsets in the body ----- */

/* The scanner has returned a token, or takes the last one back. */
extern void plpgsql_note_token(int start, int length);
extern void plpgsql_untake_token(void);

/* The place of something, from its start up to the last token before the grammar's next one. */
extern int plpgsql_start_at(int start);
extern int plpgsql_end_before(bool has_next);

/* For a struct with a place, in an action of the grammar. */
#define PLACE(node, start) PLACE_BEFORE(node, start, yychar != YYEMPTY)
#define PLACE_BEFORE(node, start, has_next) \
	((node)->location = plpgsql_start_at(start), (node)->end = plpgsql_end_before(has_next))

extern PLpgSQL_stmt *plpgsql_place_stmt(PLpgSQL_stmt *stmt, int start, bool has_next);
/* The outermost block ends with a semicolon, if there is one. */
extern void plpgsql_end_block(PLpgSQL_stmt *block, int semicolon);
extern PLpgSQL_stmt *plpgsql_null_stmt(int lineno);
extern PLpgSQL_expr *plpgsql_place_expr(PLpgSQL_expr *expr, int start, int end);
extern PLpgSQL_type *plpgsql_place_type(PLpgSQL_type *type, int start);
extern void plpgsql_place_datum(PLpgSQL_datum *datum, int start, bool has_next);
extern PLpgSQL_datum *plpgsql_place_loop_variable(PLpgSQL_datum *datum, int start);
extern int plpgsql_note_loop_variable(int lineno, bool has_next);

/* The declarations of a block; all but aliases place their variable as well. */
extern void plpgsql_start_decls(void);
extern void plpgsql_add_decl(PLpgSQL_decl_type kind, const char *name, int dno, int start,
							 bool has_next);
extern List *plpgsql_take_decls(void);

extern bool plpgsql_start_cursor_args(void);
extern void plpgsql_add_cursor_arg(const char *name, PLpgSQL_expr *expr, int start);
extern List *plpgsql_take_cursor_args(void);

/* Before the expression of a WHEN is rewritten; returns whether its text is still needed. */
extern bool plpgsql_keep_written(PLpgSQL_case_when *when);

/* initStringInfo for the text of an expression, which is copied before the next one is parsed. */
extern void plpgsql_init_text(StringInfo text);
/* In place of PostgreSQL's, since plpgsql_parse_sql has its own. */
extern void plpgsql_no_error_callback(void *arg);

/* raw_parser for an expression that was placed; keeps the tree. */
extern void plpgsql_parse_sql(const char *sql, RawParseMode mode, int start);

/* The last of a chain of conditions, of which the given one is the first. */
extern PLpgSQL_condition *plpgsql_last_condition(PLpgSQL_condition *first);

/* The number of a line; linear in the whole. */
extern int plpgsql_line_at(const char *text, int location);

/* The namespace: an item was added, the innermost block ends; and what PostgreSQL's functions look up. */
extern void plpgsql_add_name(PLpgSQL_nsitem *item);
extern void plpgsql_end_names(void);
extern PLpgSQL_nsitem *plpgsql_find_name(bool localmode, const char *name1, const char *name2,
										 const char *name3, int *names_used);
extern PLpgSQL_nsitem *plpgsql_find_label(const char *name);
extern PLpgSQL_nsitem *plpgsql_find_loop(void);
extern PLpgSQL_recfield *plpgsql_find_field(const PLpgSQL_rec *rec, const char *name);
extern void plpgsql_add_field(PLpgSQL_recfield *field);

/* ----- What a database knows ----- */

/* The type of a text that begins at an offset of the body. */
extern PLpgSQL_type *plpgsql_own_datatype(const char *text, int start);
extern PLpgSQL_type *plpgsql_own_datatype_of(Oid type, int32 typmod, Oid collation);
extern PLpgSQL_type *plpgsql_own_array_of(PLpgSQL_type *element);
/* Of %TYPE and %ROWTYPE. */
extern PLpgSQL_type *plpgsql_own_variable_type(List *names);
extern PLpgSQL_type *plpgsql_own_row_type(List *names);
extern Oid plpgsql_own_collation(List *names);
extern List *plpgsql_take_collation(void);
extern const char *plpgsql_type_text(Oid type);

#define plpgsql_find_collation(names, missing_ok) \
	(plpgsql_has_places() ? plpgsql_own_collation(names) : get_collation_oid(names, missing_ok))
#define plpgsql_format_type(type) \
	(plpgsql_has_places() ? plpgsql_type_text(type) : format_type_be(type))

/*
 * A variable of an unknown type is a record as well as a scalar: it
 * may have fields, and stand where only a scalar may.
 */
static inline bool
plpgsql_is_unknown(const PLpgSQL_datum *datum)
{
	const PLpgSQL_rec *rec = (const PLpgSQL_rec *) datum;

	/* libpg_query does not set the field */
	return plpgsql_has_places() && datum->dtype == PLPGSQL_DTYPE_REC && rec->datatype != NULL &&
		rec->datatype->unknown;
}

/* Whether a variable can only be a record. */
static inline bool
plpgsql_is_record(const PLpgSQL_datum *datum)
{
	return datum->dtype == PLPGSQL_DTYPE_REC && !plpgsql_is_unknown(datum);
}

/* Whether a variable is a record if this token is the next one, which is only looked at for unknown types. */
#define plpgsql_is_record_before(datum, next) \
	(plpgsql_is_record(datum) || (plpgsql_is_unknown(datum) && (next) != ','))

#endif							/* PLPGSQL_HOOKS_H */
