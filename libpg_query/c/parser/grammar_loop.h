/*-------------------------------------------------------------------------
 *
 * grammar_loop.h
 *	  The body of yyparse up to the actions; see grammar.h.
 *
 * The names that begin with "yy" are used by the actions.
 *
 *-------------------------------------------------------------------------
 */
	const GrammarState *current;
	const GrammarRule *rule;
	Symbol		first_stack[YYINITDEPTH];
	Symbol	   *stack = first_stack;
	Symbol	   *last = first_stack + YYINITDEPTH - 1;
	/*
	 * If rules are recorded, each takes the path of a rule
	 * that fills the stack: otherwise this costs nothing.
	 */
	RangeLog   *const log = parse_log;
	Symbol	   *limit = log != NULL ? first_stack : last;
	/* The same for each token whose place is mapped. */
	const LocationMap *const map = parse_map;
	Symbol	   *shift_limit = map != NULL ? first_stack : last;
	Symbol	   *yysp = first_stack;
	Symbol	   *bottom;
	int			token = YYEMPTY;	/* the next token */
	YYSTYPE		yylval;
	YYLTYPE		yylloc;
	int			state = 0;
	int			yyn;
	int			yynerrs = 0;
	YYSTYPE		yyval;
	YYLTYPE		yyloc;

	yysp->state = state;

decide:
	current = &grammar_states[state];
	if (current->entry != GRAMMAR_NO_ENTRY)
	{
		const GrammarEntry *entry;

		if (token == YYEMPTY)
		{
			token = next_token(&yylval, &yylloc, yyscanner);
			token = token <= YYEOF ? YYEOF : YYTRANSLATE(token);
		}
		entry = grammar_find(grammar_entries, current, token);
		if (entry != NULL)
		{
			yyn = entry->action;
			if (yyn > 0)
			{
				/* the final state is only reached at the end of the input */
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
				if (unlikely(yysp >= shift_limit))
					goto shifted;
				goto decide;
			}
			if (yyn == 0)
				goto mistake;
			yyn = -yyn;
			goto reduce;
		}
	}
	/* 0 if there is none; see the switch */
	yyn = current->default_rule;

reduce:
	rule = grammar_rules + yyn;
	if (rule->keeps)
	{
		state = grammar_go(grammar_entries, rule, yysp[-1].state);
		yysp->state = state;
		goto decide;
	}
	bottom = yysp - rule->length;
	/* without symbols, it is undefined */
	yyval = bottom[1].value;
	/* YYLLOC_DEFAULT: the first symbol with a location; before 18, the first symbol */
	yyloc = -1;
	for (Symbol *symbol = bottom + 1; symbol <= yysp; symbol++)
	{
		yyloc = symbol->location;
		if (likely(yyloc >= 0) || PG_VERSION_NUM < 180000)
			break;
	}
