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
		/* rules that keep their value are handled before */
		default:
			pg_unreachable();
	}

	yysp = bottom + 1;
	yysp->value = yyval;
	yysp->location = yyloc;
	state = grammar_go(grammar_entries, rule, bottom->state);
	yysp->state = state;
	if (likely(yysp < limit))
		goto decide;
	if (log != NULL)
	{
		RangeEvent *event = add_event(log, EVENT_RULE | (uint32) (rule - grammar_rules));

		event->of.value = yyval.node;
		event->token = token;
		if (yysp < last)
			goto decide;
	}
	goto full;

shifted:
	if (map != NULL)
	{
		yysp->location = map_location(map, yysp->location);
		if (yysp < last)
			goto decide;
	}

full:
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
		limit = log != NULL ? stack : last;
		shift_limit = map != NULL ? stack : last;
		yysp = stack + used - 1;
	}
	goto decide;

	/* Neither of these returns. */
mistake:
	yyerror(&yylloc, yyscanner, YY_("syntax error"));
	return 1;

exhausted:
	yyerror(&yylloc, yyscanner, YY_("memory exhausted"));
	return 2;
