/*-------------------------------------------------------------------------
 *
 * patches_merged.c
 *	  The functions that patches of libpg_query's deparser call: keywords that
 *	  the next word makes another token of; see patches.h.
 *
 * base_yylex makes other tokens of NULLS before FIRST and LAST, of WITHOUT
 * before TIME, and since 16 of FORMAT before JSON.  These are never names: not
 * in FROM nulls first, nor in CREATE TABLE t (format json).  Which word follows
 * a name is only known when all is printed; so this looks for them then, and only if
 * one of the names was printed at all.  (NOT and WITH are reserved, and quoted as names.)
 *
 * In the same way, the grammar takes WITH and WITHOUT behind IS JSON for WITH UNIQUE KEYS, whatever
 * follows: CREATE VIEW v AS SELECT a IS JSON WITH CHECK OPTION has no tree.
 *
 *-------------------------------------------------------------------------
 */

typedef struct PatchMerged
{
	const char *name;
	const char *next[2];
	bool		is_option;		/* may the token be the name of an option? */
} PatchMerged;

static const PatchMerged patch_merged[] = {
	{"nulls", {"first", "last"}, false},
	{"without", {"time", NULL}, false},
#if PG_VERSION_NUM >= 160000
	{"format", {"json", NULL}, true},
#endif
};

/* Notes that a keyword is printed as a name, quoted or not. */
static void
patch_note_keyword(const char *name)
{
	for (int i = 0; i < lengthof(patch_merged); i++)
		if (*name == *patch_merged[i].name && strcmp(name, patch_merged[i].name) == 0)
			patch_has_merged = true;
}

/* Returns whether a word is this text, which is in lower case, in any case. */
static bool
patch_is_text(const char *word, int length, const char *text)
{
	if (text == NULL || strlen(text) != (size_t) length)
		return false;
	while (length > 0 && (word[length - 1] | ('a' ^ 'A')) == text[length - 1])
		length--;
	return length == 0;
}

/*
 * Returns whether a word of the text is another token before the next word.  It is a name if it
 * is in lower case, or that of an option, which FORMAT may be as that token.
 */
static bool
patch_merges(const char *text, const char *word, int length, const char *next, int next_length)
{
	/* behind "(" or ", " */
	bool		is_option = word - text >= 2 &&
		(word[-1] == '(' || (word[-1] == ' ' && word[-2] == ','));

	for (int i = 0; i < lengthof(patch_merged); i++)
	{
		const PatchMerged *merged = &patch_merged[i];

		if (is_option && !merged->is_option ? patch_is_text(word, length, merged->name) :
			strncmp(word, merged->name, length) == 0 && merged->name[length] == '\0')
			return patch_is_text(next, next_length, merged->next[0]) ||
				patch_is_text(next, next_length, merged->next[1]);
	}
	return false;
}

/* Returns whether a word of the text is this one. */
static bool
patch_is_keyword(const char *word, int length, const char *keyword)
{
	return strncmp(word, keyword, length) == 0 && keyword[length] == '\0';
}

/* What may follow the last words: those of a predicate IS JSON. */
typedef enum PatchIsJson
{
	PATCH_NO_PREDICATE,
	PATCH_IS,					/* IS, IS NOT */
	PATCH_IS_JSON				/* with a type or without */
} PatchIsJson;

static PatchIsJson
patch_is_json(PatchIsJson before, const char *word, int length)
{
	if (patch_is_keyword(word, length, "IS") || (before == PATCH_IS && patch_is_keyword(word, length, "NOT")))
		return PATCH_IS;
	if (before == PATCH_IS && patch_is_keyword(word, length, "JSON"))
		return PATCH_IS_JSON;
	if (before == PATCH_IS_JSON &&
		(patch_is_keyword(word, length, "VALUE") || patch_is_keyword(word, length, "ARRAY") ||
		 patch_is_keyword(word, length, "OBJECT") || patch_is_keyword(word, length, "SCALAR")))
		return PATCH_IS_JSON;
	return PATCH_NO_PREDICATE;
}

static bool
patch_is_in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || IS_HIGHBIT_SET(c);
}

/* Returns the end of a comment. */
static const char *
patch_comment_end(const char *c)
{
	int			depth = 0;

	if (c[0] == '-')
		return c + strcspn(c, "\n");
	do
	{
		if (c[0] == '/' && c[1] == '*')
			depth++, c += 2;
		else if (c[0] == '*' && c[1] == '/')
			depth--, c += 2;
		else
			c++;
	} while (depth > 0 && *c != '\0');
	return c;
}

/*
 * Returns the end of a token that is not a word.  The deparser doubles quotes and backslashes in
 * strings.  A dollar sign here begins a parameter, or a string with dollar quotes.
 */
static const char *
patch_token_end(const char *c)
{
	const char *tag = c;
	const char *end;

	if (*c == '\'' || *c == '"')
	{
		end = strchr(c + 1, *c);
		return end == NULL ? c + 1 : end + 1;
	}
	if (*c != '$')
		return c + 1;
	for (c++; *c != '$' && patch_is_in_word(*c); c++)
		;
	if (*c != '$' || (tag[1] >= '0' && tag[1] <= '9'))
		return c;
	/* the tag again, which ends the string */
	for (end = c + 1; (end = strchr(end, '$')) != NULL; end++)
		if (strncmp(end, tag, c + 1 - tag) == 0)
			return end + (c + 1 - tag);
	return c + 1;
}

/*
 * Quotes the names that would be merged with the next word, from "start" on, and ends predicates before a WITH that is not
 * theirs.
 */
static void
patch_quote_merged(StringInfo str, int start)
{
	StringInfoData out;
	const char *copied = str->data + start;
	const char *c = copied;
	const char *last = NULL;	/* the last token, if it is a word */
	int			last_length = 0;
	const char *with = NULL;	/* the last word, if it is WITH or WITHOUT behind a predicate */
	PatchIsJson predicate = PATCH_NO_PREDICATE;

	initStringInfo(&out);
	while (*c != '\0')
	{
		const char *word = c;

		if ((unsigned char) *c <= ' ')
			c++;
		else if ((c[0] == '-' && c[1] == '-') || (c[0] == '/' && c[1] == '*'))
			c = patch_comment_end(c);
		else if (!patch_is_in_word(*c) || *c == '$')
		{
			c = patch_token_end(c);
			last = with = NULL;
			predicate = PATCH_NO_PREDICATE;
		}
		else
		{
			while (patch_is_in_word(*c))
				c++;
			if (last != NULL && patch_merges(str->data, last, last_length, word, (int) (c - word)))
			{
				appendBinaryStringInfo(&out, copied, (int) (last - copied));
				/* letters, as its name has */
				appendStringInfoChar(&out, '"');
				for (int i = 0; i < last_length; i++)
					appendStringInfoChar(&out, last[i] <= 'Z' ? last[i] + ('a' - 'A') : last[i]);
				appendStringInfoChar(&out, '"');
				copied = last + last_length;
			}
			last = word;
			last_length = (int) (c - word);
			if (with != NULL && !patch_is_keyword(last, last_length, "UNIQUE"))
			{
				appendBinaryStringInfo(&out, copied, (int) (with - copied));
				appendStringInfoString(&out, "WITHOUT UNIQUE KEYS ");
				copied = with;
			}
			with = predicate == PATCH_IS_JSON &&
				(patch_is_keyword(last, last_length, "WITH") || patch_is_keyword(last, last_length, "WITHOUT")) ? last : NULL;
			predicate = patch_is_json(predicate, last, last_length);
		}
	}
	if (out.len > 0)
	{
		appendStringInfoString(&out, copied);
		str->len = start;
		str->data[start] = '\0';
		appendStringInfoString(str, out.data);
	}
	pfree(out.data);
}
