// The API of @supabase/pg-parser, for PostgreSQL 16 and 17 (and 18, which it does not have).

import { load } from "@pg-ast/parser";
import { byteOffsets, characters } from "./libpg-query.js";

const VERSIONS = [16, 17, 18];

export class ParseError extends Error {
    name = "ParseError";

    constructor(message, { type, position }) {
        super(message);
        this.type = type;
        this.position = position;
    }
}

export class DeparseError extends Error {
    name = "DeparseError";
}

export class ScanError extends Error {
    name = "ScanError";

    constructor(message, { type, position }) {
        super(message);
        this.type = type;
        this.position = position;
    }
}

export class PgParser {
    #parser;
    #withTools;

    constructor({ version = 17 } = {}) {
        if (!isSupportedVersion(version)) throw new Error(`unsupported version: ${version}`);
        this.version = version;
        this.#parser = load(version);
        this.ready = this.#parser.then(() => undefined);
    }

    async getHeapSize() {
        return (await this.#parser).memorySize;
    }

    async parse(sql) {
        const parser = await this.#parser;
        try {
            return { tree: parser.parseToJSON(sql, { defaults: true }), error: undefined };
        } catch (error) {
            return { tree: undefined, error: new ParseError(error.message, details(error, sql)) };
        }
    }

    async deparse(tree) {
        // Trees from JSON are in the larger module.
        this.#withTools ??= load(this.version, { tools: true });
        const parser = await this.#withTools;
        try {
            return { sql: parser.deparseJSON(tree), error: undefined };
        } catch (error) {
            return { sql: undefined, error: new DeparseError(error.message) };
        }
    }

    async scan(sql) {
        const parser = await this.#parser;
        try {
            const bytes = byteOffsets(sql);
            const tokens = parser.scan(sql).map(({ token, keywordKind, range: [start, end] }) => ({
                kind: token,
                text: sql.slice(start, end),
                start: bytes(start),
                end: bytes(end),
                keywordKind: keywordKind === "NO_KEYWORD" ? "none" : keywordKind.replace(/_KEYWORD$/, "").toLowerCase(),
            }));
            return { tokens, error: undefined };
        } catch (error) {
            const { type, position } = details(error, sql);
            return { tokens: undefined, error: new ScanError(error.message, { type: type === "semantic" ? "unknown" : type, position }) };
        }
    }
}

function details(error, sql) {
    const type = { "scan.l": "syntax", "gram.y": "semantic" }[error.source?.file] ?? "unknown";
    return { type, position: characters(sql, error.cursor ?? 0) };
}

export async function unwrapParseResult(result) {
    const { tree, error } = await result;
    if (error) throw error;
    return tree;
}

export async function unwrapDeparseResult(result) {
    const { sql, error } = await result;
    if (error) throw error;
    return sql;
}

export async function unwrapScanResult(result) {
    const { tokens, error } = await result;
    if (error) throw error;
    return tokens;
}

export function getSupportedVersions() {
    return VERSIONS;
}

export function isSupportedVersion(version) {
    return VERSIONS.includes(version);
}

export function isParseResultVersion(result, version) {
    return Math.floor((result.version ?? 0) / 10000) === version;
}

export function unwrapNode(node) {
    const [type, ...others] = Object.keys(node);
    if (type === undefined) throw new Error("node has no keys, expected a single key");
    if (others.length > 0) throw new Error(`node has multiple keys, expected a single key: ${[type, ...others].join(", ")}`);
    return { type, node: node[type] };
}
