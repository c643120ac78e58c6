/*-------------------------------------------------------------------------
 *
 * terminals.h
 *	  SQL as the terminals that the grammar receives; a part of parser.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TERMINALS_H
#define TERMINALS_H

/* Returns the terminals of SQL as the grammar receives them; see shim.h. */
void
grammar_terminals(const char *sql, RawParseMode mode, ShimTerminals *out)
{
	/* depends on the mode, as in raw_parser */
	static const int mode_tokens[] = {
		[RAW_PARSE_DEFAULT] = 0,
		[RAW_PARSE_TYPE_NAME] = MODE_TYPE_NAME,
		[RAW_PARSE_PLPGSQL_EXPR] = MODE_PLPGSQL_EXPR,
		[RAW_PARSE_PLPGSQL_ASSIGN1] = MODE_PLPGSQL_ASSIGN1,
		[RAW_PARSE_PLPGSQL_ASSIGN2] = MODE_PLPGSQL_ASSIGN2,
		[RAW_PARSE_PLPGSQL_ASSIGN3] = MODE_PLPGSQL_ASSIGN3,
	};
	base_yy_extra_type extra;
	core_yyscan_t scanner;
	YYSTYPE		value;
	YYLTYPE		location = 0;
	const char *end;
	size_t		room = 64;
	ShimTerminal *terminals = palloc(room * sizeof(ShimTerminal));

	out->terminals = terminals;
	scanner = scanner_init(sql, &extra.core_yy_extra, &ScanKeywords, ScanKeywordTokens);
	scan_for_grammar(scanner);
	extra.have_lookahead = false;
	parser_init(&extra);
	for (int token = mode_tokens[mode];; token = 0)
	{
		if (token == 0)
			token = next_token(&value, &location, scanner);
		if (token <= YYEOF)
			break;
		/* of a filtered token whose end is not that of what has been read */
		end = extra.have_lookahead ? extra.lookahead_end : ((struct yyguts_t *) scanner)->yy_c_buf_p;
		if (out->count == room)
		{
			room *= 2;
			out->terminals = terminals = repalloc(terminals, room * sizeof(ShimTerminal));
		}
		terminals[out->count] = (ShimTerminal)
		{
			.symbol = YYTRANSLATE(token),
			.start = location,
			.end = end - extra.core_yy_extra.scanbuf,
		};
		/* only after it is written: an error of the scanner keeps those before it */
		out->count++;
	}
	scanner_finish(scanner);
}

#endif							/* TERMINALS_H */
