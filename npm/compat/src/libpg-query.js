// The API of libpg-query, for a version of PostgreSQL.

import { load } from "@pg-ast/parser";

/** An error of the SQL, with its place. */
export class SqlError extends Error {
    constructor(message, details) {
        super(message);
        this.name = "SqlError";
        this.sqlDetails = details;
    }
}

/** Whether an error is one of the SQL. */
export function hasSqlDetails(error) {
    const details = error instanceof Error ? error.sqlDetails : undefined;
    return typeof details === "object" && details !== null && "message" in details && "cursorPosition" in details;
}

/** An error as text, with its place in the SQL. */
export function formatSqlError(error, query, { showPosition = true, showQuery = true, color = false, maxQueryLength } = {}) {
    const [red, yellow, reset] = color ? ["\x1b[31m", "\x1b[33m", "\x1b[0m"] : ["", "", ""];
    const lines = [`${red}Error: ${error.message}${reset}`];
    const details = error.sqlDetails;
    const place = details?.cursorPosition;
    const hasPlace = place !== undefined && place >= 0;
    if (hasPlace) lines.push(`Position: ${place}`);
    if (details) {
        const source = [
            ["file", details.fileName],
            ["function", details.functionName],
            ["line", details.lineNumber],
        ].filter(([, value]) => value);
        if (source.length > 0) lines.push(`Source: ${source.map(([name, value]) => `${name}: ${value}`).join(", ")}`);
    }
    if (!showQuery) return lines.join("\n");
    const isLong = maxQueryLength && query.length > maxQueryLength;
    if (!details) {
        lines.push(`Query: ${isLong ? `${query.slice(0, maxQueryLength)}...` : query}`);
    } else if (showPosition && hasPlace) {
        const start = isLong ? Math.max(0, place - Math.floor(maxQueryLength / 2)) : 0;
        const end = isLong ? Math.min(query.length, start + maxQueryLength) : query.length;
        const before = start > 0 ? "..." : "";
        lines.push(before + query.slice(start, end) + (end < query.length ? "..." : ""));
        lines.push(`${" ".repeat(place - start + before.length)}${yellow}^${reset}`);
    }
    return lines.join("\n");
}

/** Returns the functions of libpg-query for a version of PostgreSQL. */
export function api(version, options) {
    let parser;
    let loading;

    function loadModule() {
        loading ??= load(version, options).then((loaded) => void (parser = loaded));
        return loading;
    }

    function loaded() {
        if (parser === undefined) throw new Error("WASM module not initialized. Call `loadModule()` first.");
        return parser;
    }

    /** Returns the function that loads the module before it calls another one. */
    const later = (f) => async (query) => {
        await loadModule();
        return f(query);
    };

    function parseSync(query) {
        if (query === null || query === undefined) throw new Error("Query cannot be null or undefined");
        // Since 18, blanks are a query without statements.
        const isOlder = version < 18;
        if (isOlder && typeof query !== "string") throw new Error(`Query must be a string, got ${typeof query}`);
        if (query === "" || (isOlder && query.trim() === "")) throw new Error("Query cannot be empty");
        if (typeof query !== "string") throw new TypeError(`Expected a string, got ${typeof query}`);
        try {
            return loaded().parseToJSON(query);
        } catch (error) {
            throw error.kind === undefined ? error : sqlError(error, query);
        }
    }

    /** The other calls have errors without a place. */
    const simple = (f) => (query) => {
        const parser = loaded();
        if (typeof query !== "string") throw new TypeError(`Expected a string, got ${typeof query}`);
        if (query === "") throw new Error("Invalid input: query cannot be null or empty");
        try {
            return f(parser, query);
        } catch (error) {
            throw new Error(error.message);
        }
    };
    const fingerprintSync = simple((parser, query) => parser.fingerprint(query));
    const normalizeSync = simple((parser, query) => parser.normalize(query, { asLibpgQuery: true }));
    const parsePlPgSQLSync = simple((parser, query) => ({ plpgsql_funcs: parser.parsePlpgsql(query) }));
    const scanSync = simple((parser, query) => ({ version: parser.versionNumber, tokens: tokens(parser, query) }));
    return {
        ...{ loadModule, parseSync, fingerprintSync, normalizeSync, parsePlPgSQLSync, scanSync },
        ...{ parse: later(parseSync), fingerprint: later(fingerprintSync), normalize: later(normalizeSync) },
        ...{ parsePlPgSQL: later(parsePlPgSQLSync), scan: later(scanSync) },
    };
}

/** The tokens that libpg-query names. */
const NAMED_TOKENS = new Set(
    ("IDENT SCONST ICONST FCONST PARAM TYPECAST NOT_EQUALS LESS_EQUALS GREATER_EQUALS SQL_COMMENT C_COMMENT " +
        "ASCII_40 ASCII_41 ASCII_42 ASCII_44 ASCII_59 ASCII_61").split(" "),
);

const KEYWORD_KINDS = ["NO_KEYWORD", "UNRESERVED_KEYWORD", "COL_NAME_KEYWORD", "TYPE_FUNC_NAME_KEYWORD", "RESERVED_KEYWORD"];

function tokens(parser, query) {
    const bytes = byteOffsets(query);
    return parser.scan(query).map(({ token, number, keywordKind, range: [start, end] }) => ({
        ...{ start: bytes(start), end: bytes(end), text: query.slice(start, end), tokenType: number },
        ...{ tokenName: NAMED_TOKENS.has(token) ? token : "UNKNOWN" },
        ...{ keywordKind: KEYWORD_KINDS.indexOf(keywordKind), keywordName: keywordKind },
    }));
}

/** Returns a function that converts offsets in UTF-16 units, which ascend, into those in bytes. */
export function byteOffsets(text) {
    const encoder = new TextEncoder();
    let units = 0;
    let bytes = 0;
    return (offset) => {
        bytes += encoder.encode(text.slice(units, offset)).length;
        units = offset;
        return bytes;
    };
}

function sqlError(error, query) {
    return new SqlError(error.message, {
        message: error.message,
        cursorPosition: characters(query, error.cursor ?? 0),
        fileName: error.source?.file,
        functionName: error.source?.function,
        lineNumber: error.source?.line,
        context: error.context,
    });
}

/** PostgreSQL counts characters. */
export function characters(text, units) {
    let count = 0;
    for (const _ of text.slice(0, units)) count++;
    return count;
}
