/*-------------------------------------------------------------------------
 *
 * grammar_end.h
 *	  The body of yyparse from the end of the actions on; see grammar.h.
 *
 *-------------------------------------------------------------------------
 */
		case 0:
			goto mistake;
		GRAMMAR_NO_ACTION
			break;
		/* those that keep their value are done with before */
		default:
			pg_unreachable();
	}

	yysp = bottom + 1;
	yysp->value = yyval;
	yysp->location = yyloc;
	state = grammar_go(entries, rule, bottom->state);
	yysp->state = state;
	if (likely(yysp < limit))
		goto decide;
	if (notes != NULL)
	{
		int			flags = grammar_flags[rule - grammar_rules];
		int			start = yyloc;

#if PG_VERSION_NUM < 180000
		start = -1;
		for (int i = 0; i < rule->length && start < 0; i++)
			start = *symbol_start(notes, yysp - stack + i);
#endif
		if (flags != 0 || notes->arena->mark_used)
		{
			NotedRule	noted = {
				.bottom = bottom,
				.index = yysp - stack,
				.length = rule->length,
				.start = start,
				.flags = flags,
				.text = pg_yyget_extra(yyscanner)->core_yy_extra.scanbuf,
			};

			note_rule(notes, &noted);
		}
#if PG_VERSION_NUM < 180000
		*symbol_start(notes, yysp - stack) = start;
#endif
	}
	goto full;

shifted:
	if (notes != NULL)
		note_shift(notes, yysp - stack, yylloc, yyscanner);

full:
	if (yysp >= last)
	{
		Size		size = last - stack + 1;
		Size		used = yysp - stack + 1;
		Symbol	   *larger;

		if (size >= YYMAXDEPTH)
			goto exhausted;
		size = Min(size * 2, YYMAXDEPTH);
		larger = palloc(size * sizeof(Symbol));
		memcpy(larger, stack, used * sizeof(Symbol));
		if (stack != first_stack)
			pfree(stack);
		stack = larger;
		last = stack + size - 1;
		limit = notes != NULL ? stack : last;
		yysp = stack + used - 1;
	}
	goto decide;

	/* Neither of the two returns. */
mistake:
	yyerror(&yylloc, yyscanner, YY_("syntax error"));
	return 1;

exhausted:
	yyerror(&yylloc, yyscanner, YY_("memory exhausted"));
	return 2;
