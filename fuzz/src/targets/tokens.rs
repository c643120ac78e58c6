//! Changes bodies by the tokens of PL/pgSQL's grammar: most are wrong then, in as many ways as the grammar has.

/// What a body is written in, with blanks between.
const WORDS: &str = "
    ALIAS AND ARRAY ASSERT ATOMIC BACKWARD BEGIN BY CALL CASE CHAIN CLOSE COLLATE COMMIT CONSTANT
    CONTINUE CURRENT CURSOR DEBUG DECLARE DEFAULT DETAIL DIAGNOSTICS DO ELSE ELSEIF ELSIF END
    ERRCODE ERROR EXCEPTION EXECUTE EXIT FETCH FIRST FOR FOREACH FORWARD FROM GET HINT IF IN INFO
    INSERT INTO IS LAST LOG LOOP MERGE MESSAGE MOVE NEXT NO NOT NOTICE NULL OPEN OR PERFORM PRIOR
    QUERY RAISE RELATIVE RETURN REVERSE ROLLBACK ROW_COUNT SCROLL SELECT SLICE SQLSTATE STACKED
    STRICT THEN TO TYPE UPDATE USING WARNING WHEN WHILE %ROWTYPE %TYPE ; := = ( ) [ ] , .. . << >>
    <<l>> # $1 => * 1 'a' $a$b$a$ int text record refcursor void x new found l
";
/// What is the same to the grammar as a blank.
const COMMENTS: [&str; 2] = ["-- c\n", "/* c */"];

/// Applies some changes to a body. `number` returns numbers below its argument, which select the changes.
pub fn mutate(body: &str, number: &mut dyn FnMut(usize) -> usize) -> String {
    let mut tokens = tokens(body);
    let changes = 1 + number(2);
    for _ in 0..changes {
        change(&mut tokens, number);
    }
    tokens.concat()
}

fn change(tokens: &mut Vec<&str>, number: &mut dyn FnMut(usize) -> usize) {
    let is_blank = |token: &str| token.trim().is_empty();
    let places: Vec<_> = (0..tokens.len()).filter(|at| !is_blank(tokens[*at])).collect();
    let words: Vec<&str> = WORDS.split_whitespace().chain(COMMENTS).collect();
    if places.is_empty() {
        tokens.push(words[number(words.len())]);
        return;
    }
    let mut place = || places[number(places.len())];
    let (at, other) = (place(), place());
    match number(6) {
        0 => {
            tokens.remove(at);
        }
        1 => {
            let double = [tokens[at], " "];
            tokens.splice(at..at, double);
        }
        2 => tokens.swap(at, other),
        3 => tokens[at] = words[number(words.len())],
        4 => {
            let inserted = words[number(words.len())];
            tokens.splice(at..at, [inserted, " "]);
        }
        _ => tokens[at] = tokens[other],
    }
}

/// Splits a body into its tokens and what is between them.
fn tokens(body: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut end = 0;
    for token in pg_ast::scan_lossy(body).scan.tokens {
        let range = token.range();
        tokens.extend([&body[end..range.start], &body[range.clone()]]);
        end = range.end;
    }
    tokens.push(&body[end..]);
    tokens.retain(|token| !token.is_empty());
    tokens
}
