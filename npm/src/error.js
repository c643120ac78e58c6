// Errors.

/** The error of a tree that JavaScript's stack is too small for. */
export function tooDeep(cause) {
    return new ParseError({ kind: "TooDeep", message: "the tree is nested too deeply", cause });
}

/** An error of a call. */
export class ParseError extends Error {
    constructor({ kind, message, expected, ...rest }) {
        super(message);
        this.kind = kind;
        this.expected = expected ?? [];
        Object.assign(this, rest);
    }

    get name() {
        return "ParseError";
    }
}
