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
export function api(version) {
    let parser;
    let loading;

    function loadModule() {
        loading ??= load(version).then((loaded) => void (parser = loaded));
        return loading;
    }

    function parseSync(query) {
        if (query === null || query === undefined) throw new Error("Query cannot be null or undefined");
        if (typeof query !== "string") throw new Error(`Query must be a string, got ${typeof query}`);
        if (query.trim() === "") throw new Error("Query cannot be empty");
        if (parser === undefined) throw new Error("WASM module not initialized. Call `loadModule()` first.");
        try {
            return parser.parseToJSON(query);
        } catch (error) {
            throw sqlError(error, query);
        }
    }

    async function parse(query) {
        await loadModule();
        return parseSync(query);
    }

    return { loadModule, parse, parseSync };
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
