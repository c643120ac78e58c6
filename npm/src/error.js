// Errors.

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
