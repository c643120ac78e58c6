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
	goto set_state;

	/* Neither of the two returns. */
mistake:
	yyerror(&yylloc, yyscanner, YY_("syntax error"));
	return 1;

exhausted:
	yyerror(&yylloc, yyscanner, YY_("memory exhausted"));
	return 2;
