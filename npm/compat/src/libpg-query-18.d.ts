export * from "./libpg-query-17.js";

export interface ScanToken {
    /** Offsets in bytes. */
    start: number;
    end: number;
    text: string;
    tokenType: number;
    tokenName: string;
    keywordKind: number;
    keywordName: string;
}

export interface ScanResult {
    version: number;
    tokens: ScanToken[];
}

export declare function fingerprint(query: string): Promise<string>;
export declare function fingerprintSync(query: string): string;
export declare function normalize(query: string): Promise<string>;
export declare function normalizeSync(query: string): string;
export declare function parsePlPgSQL(query: string): Promise<any>;
export declare function parsePlPgSQLSync(query: string): any;
export declare function scan(query: string): Promise<ScanResult>;
export declare function scanSync(query: string): ScanResult;
