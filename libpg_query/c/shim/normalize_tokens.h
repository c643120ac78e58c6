/*-------------------------------------------------------------------------
 *
 * normalize_tokens.h
 *	  The tokens of SQL, from the places that the parser's scan has recorded,
 *	  and the constants that they make; a part of shim_normalize.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NORMALIZE_TOKENS_H
#define NORMALIZE_TOKENS_H

/* Its place; "start" is -1 after the last token. */
typedef struct Token
{
	int			start;
	int			end;
} Token;

/* Before 18, the scanner has tokens for comments. */
static inline bool
is_comment_at(const char *sql, int start)
{
	return (sql[start] == '-' && sql[start + 1] == '-') ||
		(sql[start] == '/' && sql[start + 1] == '*');
}

static inline bool
starts_token(int place)
{
	return (places[place / 64].starts >> (place % 64)) & 1;
}

/* Returns a token of which only the start is known. */
static inline Token
ended(Token token)
{
	if (token.start >= 0)
		token.end = next_place(token.start + 1, true);
	return token;
}

/* Returns the first token that starts at "place" or later, and is not a comment. */
static Token
token_at(const char *sql, int place)
{
	Token		token = {-1, -1};

	do
	{
		token.start = next_place(place, false);
		token.end = -1;
		token = ended(token);
		place = token.end;
	} while (token.end >= 0 && is_comment_at(sql, token.start));
	if (token.end < 0)
		token.start = -1;
	return token;
}

/* Returns the last token that starts before "place", and is not a comment. */
static Token
token_before(const char *sql, int place)
{
	Token		token = {-1, -1};

	do
		place--;
	while (place >= 0 && (!starts_token(place) || is_comment_at(sql, place)));
	if (place >= 0)
		token = token_at(sql, place);
	return token;
}

/* Returns whether a token is a word, which is in lower case here. */
static bool
token_is(const char *sql, Token token, const char *word)
{
	const char *text = sql + token.start;
	size_t		length = strlen(word);

	if (token.start < 0 || token.end - token.start != (int) length)
		return false;
	for (size_t i = 0; i < length; i++)
		if ((text[i] | ('a' - 'A')) != word[i])
			return false;
	return true;
}

/* Returns whether a token is a string of any kind. */
static bool
is_string(const char *sql, Token token)
{
	const char *text = sql + token.start;

	if (token.start < 0)
		return false;
	switch (text[0])
	{
		case '\'':
			return true;
		case '$':
			return text[1] < '0' || text[1] > '9';
		case 'b':
		case 'B':
		case 'e':
		case 'E':
		case 'x':
		case 'X':
			return text[1] == '\'';
		case 'u':
		case 'U':
			return text[1] == '&' && text[2] == '\'';
		default:
			return false;
	}
}

/* Returns whether a token is a parameter. */
static inline bool
is_parameter(const char *token)
{
	return token[0] == '$' && token[1] >= '0' && token[1] <= '9';
}

static inline bool
is_in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || (unsigned char) c >= 0x80;
}

/*
 * Returns the place of the constant at "location", whose first token starts
 * there; "start" is -1 if there is none.
 */
static Token
constant_at(const char *sql, int location)
{
	const Token none = {-1, -1};
	Token		token = {location, -1};
	Token		constant;
	int			open = 0;

	if (location < 0 || !starts_token(location))
		return none;
	constant = token = ended(token);
	switch (sql[location])
	{
		case '+':
		case '-':
		case '(':

			/*
			 * The grammar folds signs into a number, also through
			 * parentheses: -(5) is the constant -5.  A path of JSON_TABLE
			 * is located at its own.
			 */
			do
			{
				if (sql[token.start] == '(')
					open++;
				token = token_at(sql, token.end);
				if (token.start < 0)
					return none;
			} while (sql[token.start] == '(' || sql[token.start] == '-' || sql[token.start] == '+');
			if (is_string(sql, token))
				token.end = constant_at(sql, token.start).end;
			else if (sql[token.start] != '.' && (sql[token.start] < '0' || sql[token.start] > '9'))
				return none;
			constant.end = token.end;
			for (; open > 0; open--)
			{
				token = token_at(sql, token.end);
				if (token.start < 0 || sql[token.start] != ')')
					return none;
				constant.end = token.end;
			}
			break;
		case 'u':
		case 'U':
			/* a string, or a name that is the value of a setting */
			if (sql[location + 1] != '&' || (sql[location + 2] != '\'' && sql[location + 2] != '"'))
				break;
			/* the scanner has looked for what follows */
			while (scanner_isspace(sql[constant.end - 1]))
				constant.end--;
			token = token_at(sql, token.end);
			if (token_is(sql, token, "uescape"))
			{
				token = token_at(sql, token.end);
				if (token.start >= 0)
					constant.end = token.end;
			}
			break;
		case '\'':
			/* the scanner makes two tokens of N'..', the first of which may be in a name */
			if (location > 0 && (sql[location - 1] == 'n' || sql[location - 1] == 'N') &&
				starts_token(location - 1))
			{
				token = token_before(sql, location - 1);
				if (token.start < 0 || sql[token.start] != '.')
					constant.start--;
			}
			break;
	}
	return constant;
}

#endif							/* NORMALIZE_TOKENS_H */
