/*-------------------------------------------------------------------------
 *
 * plpgsql_params.c
 *	  Finds the places of a function's parameters, which the tree lacks.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#if PG_VERSION_NUM >= 160000
#include "gramparse.h"
#else
#include "parser/gramparse.h"
#endif

#include "utils/guc.h"
#include "utils/memutils.h"

/* The tokens of the header. */
typedef struct Header
{
	core_yyscan_t scanner;
	core_yy_extra_type extra;
	int			token;
	int			start;			/* of the token ... */
	int			end;			/* ... and its end, in the scanned text */
	int			offset;			/* from the scanned text to the whole one */
	const char *text;			/* the whole one */
} Header;

static void
advance(Header *header)
{
	core_YYSTYPE value;
	YYLTYPE		location;

	do
		header->token = core_yylex(&value, &location, header->scanner);
#if PG_VERSION_NUM < 180000
	while (header->token == SQL_COMMENT || header->token == C_COMMENT);
#else
	while (false);
#endif
	header->start = location;
	/* flex has put a NUL at the end of the token */
	header->end = location + (int) strlen(header->extra.scanbuf + location);
}

/* The place of a type is that of its tree, up to an end in the scanned text. */
static void
place_type(const Header *header, PLpgSQL_type *type, int end)
{
	int			start = type->tree != NULL ? type->tree->location : -1;

	if (start < 0 || header->offset + end <= start)
		return;
	type->location = start;
	type->end = header->offset + end;
	type->text = MemoryContextAllocZero(plpgsql_compile_state->context, type->end - start + 1);
	memcpy(type->text, header->text + start, type->end - start);
}

/* Places the parameters of a list, whose parenthesis is the current token: those of RETURNS TABLE, or the others. */
static void
place_list(Header *header, const List *params, bool is_table)
{
	int			depth = 0;
	int			start = -1;
	int			end = -1;
	int			type_end = -1;
	ListCell   *cell = list_head(params);

	for (; header->token != 0; advance(header))
	{
		bool		closes = header->token == ')' || header->token == ']';

		if (depth == 1 && (header->token == ',' || closes))
		{
			while (cell != NULL &&
				   (((PLpgSQL_param *) lfirst(cell))->mode == FUNC_PARAM_TABLE) != is_table)
				cell = lnext(params, cell);
			if (cell != NULL && start >= 0)
			{
				PLpgSQL_param *param = lfirst(cell);

				param->location = header->offset + start;
				param->end = header->offset + end;
				place_type(header, param->datatype, type_end >= 0 ? type_end : end);
				cell = lnext(params, cell);
			}
			start = -1;
			type_end = -1;
		}
		else if (depth == 1 && type_end < 0 && (header->token == DEFAULT || header->token == '='))
			type_end = end;
		else if (depth >= 1 && start < 0)
			start = header->start;
		end = header->end;
		if (header->token == '(' || header->token == '[')
			depth++;
		else if (closes && --depth == 0)
		{
			advance(header);
			return;
		}
	}
}

void
plpgsql_place_params(const char *text, const RawStmt *raw, const List *params, PLpgSQL_type *returns)
{
	const CreateFunctionStmt *stmt = (const CreateFunctionStmt *) raw->stmt;
	MemoryContext caller_context;
	Header		header;
	char	   *copy;
	int			end = 0;
	int			length;
	int			log_level = log_min_messages;

	if (stmt->options != NIL)
		length = ((const DefElem *) linitial(stmt->options))->location - raw->stmt_location;
	else
		length = raw->stmt_len > 0 ? raw->stmt_len : (int) strlen(text + raw->stmt_location);

	caller_context = MemoryContextSwitchTo(plpgsql_compile_tmp_cxt);
	copy = palloc(length + 1);
	memcpy(copy, text + raw->stmt_location, length);
	copy[length] = '\0';
	/* warnings have been collected before */
	log_min_messages = ERROR;
	header.text = text;
	header.offset = raw->stmt_location;
	header.scanner = scanner_init(copy, &header.extra, &ScanKeywords, ScanKeywordTokens);
	for (advance(&header); header.token != 0 && header.token != '('; advance(&header))
		;
	place_list(&header, params, false);
	if (header.token == RETURNS)
		advance(&header);
	if (header.token == TABLE)
	{
		advance(&header);
		place_list(&header, params, true);
	}
	else
	{
		for (; header.token != 0; advance(&header))
			end = header.end;
		place_type(&header, returns, end);
	}
	scanner_finish(header.scanner);
	log_min_messages = log_level;
	MemoryContextSwitchTo(caller_context);
}
