/*-------------------------------------------------------------------------
 *
 * grammar_loop.h
 *	  The body of yyparse up to the actions; see grammar.h.
 *
 * The names that begin with "yy" are those that the actions use.
 *
 *-------------------------------------------------------------------------
 */
	const GrammarEntry *const entries = grammar_entries + GRAMMAR_PADDING;
	const GrammarRule *rule;
	Symbol		first_stack[YYINITDEPTH];
	Symbol	   *stack = first_stack;
	Symbol	   *last = first_stack + YYINITDEPTH - 1;
	/*
	 * Where rules are noted, each goes the way of one that fills the stack: else
	 * this costs nothing.
	 */
	RangeLog   *const log = parse_log;
	Symbol	   *limit = log != NULL ? first_stack : last;
	Symbol	   *yysp = first_stack;
	Symbol	   *bottom;
	int			token = YYEMPTY;	/* the next one */
	YYSTYPE		yylval;
	YYLTYPE		yylloc;
	int			state = 0;
	int			yyn;
	int			yynerrs = 0;
	YYSTYPE		yyval;
	YYLTYPE		yyloc;

	yysp->state = state;

decide:
	yyn = grammar_states[state].entry;
	if (yyn != YYPACT_NINF)
	{
		const GrammarEntry *entry;

		if (token == YYEMPTY)
		{
			token = next_token(&yylval, &yylloc, yyscanner);
			token = token <= YYEOF ? YYEOF : YYTRANSLATE(token);
		}
		entry = entries + yyn + token;
		if (entry->check == token)
		{
			yyn = entry->action;
			if (yyn > 0)
			{
				/* the final state is where the end of the text leads, and nothing else */
				if (unlikely(token == YYEOF))
				{
					if (yyn == YYFINAL)
						return 0;
				}
				else
					token = YYEMPTY;
				yysp++;
				yysp->value = yylval;
				yysp->location = yylloc;
				state = yyn;
				yysp->state = state;
				if (unlikely(yysp >= last))
					goto full;
				goto decide;
			}
			if (yyn == 0 || yyn == YYTABLE_NINF)
				goto mistake;
			yyn = -yyn;
			goto reduce;
		}
	}
	/* it is 0 where there is none; see the switch */
	yyn = grammar_states[state].default_rule;

reduce:
	rule = grammar_rules + yyn;
	if (rule->keeps)
	{
		state = grammar_go(entries, rule, yysp[-1].state);
		yysp->state = state;
		goto decide;
	}
	bottom = yysp - rule->length;
	/* without a symbol, it is anything */
	yyval = bottom[1].value;
	/* YYLLOC_DEFAULT: where the first symbol is that is anywhere; before 18, the first symbol */
	yyloc = -1;
	for (Symbol *symbol = bottom + 1; symbol <= yysp; symbol++)
	{
		yyloc = symbol->location;
		if (likely(yyloc >= 0) || PG_VERSION_NUM < 180000)
			break;
	}
