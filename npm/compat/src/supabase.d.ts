import type { ParseResult as ParseResult16 } from "@pg-ast/parser/pg16";
import type { ParseResult as ParseResult17 } from "@pg-ast/parser/pg17";
import type { ParseResult as ParseResult18 } from "@pg-ast/parser/pg18";

export type SupportedVersion = 16 | 17 | 18;
export type ParseResult<V extends SupportedVersion = SupportedVersion> = { 16: ParseResult16; 17: ParseResult17; 18: ParseResult18 }[V];

export declare class ParseError extends Error {
    readonly name: "ParseError";
    type: "syntax" | "semantic" | "unknown";
    /** Where in the SQL, in characters, from 0 on. */
    position: number;
    constructor(message: string, details: { type: ParseError["type"]; position: number });
}
export declare class DeparseError extends Error {
    readonly name: "DeparseError";
}
export declare class ScanError extends Error {
    readonly name: "ScanError";
    type: "syntax" | "unknown";
    position: number;
    constructor(message: string, details: { type: ScanError["type"]; position: number });
}

export interface ScanToken {
    kind: string;
    text: string;
    /** Offsets in bytes. */
    start: number;
    end: number;
    keywordKind: "none" | "unreserved" | "col_name" | "type_func_name" | "reserved";
}

export type WrappedParseResult<V extends SupportedVersion> =
    | { tree: ParseResult<V>; error: undefined }
    | { tree: undefined; error: ParseError };
export type WrappedDeparseResult = { sql: string; error: undefined } | { sql: undefined; error: DeparseError };
export type WrappedScanResult = { tokens: ScanToken[]; error: undefined } | { tokens: undefined; error: ScanError };

export declare class PgParser<V extends SupportedVersion = 17> {
    readonly ready: Promise<void>;
    readonly version: V;
    constructor(options?: { version?: V });
    /** Returns the bytes of the module's memory. */
    getHeapSize(): Promise<number>;
    parse(sql: string): Promise<WrappedParseResult<V>>;
    deparse(tree: ParseResult<V>): Promise<WrappedDeparseResult>;
    scan(sql: string): Promise<WrappedScanResult>;
}

export declare function unwrapParseResult<V extends SupportedVersion>(
    result: WrappedParseResult<V> | Promise<WrappedParseResult<V>>,
): Promise<ParseResult<V>>;
export declare function unwrapDeparseResult(result: WrappedDeparseResult | Promise<WrappedDeparseResult>): Promise<string>;
export declare function unwrapScanResult(result: WrappedScanResult | Promise<WrappedScanResult>): Promise<ScanToken[]>;
export declare function getSupportedVersions(): readonly SupportedVersion[];
export declare function isSupportedVersion(version: number): version is SupportedVersion;
export declare function isParseResultVersion<V extends SupportedVersion>(result: ParseResult, version: V): result is ParseResult<V>;
export declare function unwrapNode<T extends object>(node: T): { type: keyof T; node: T[keyof T] };
