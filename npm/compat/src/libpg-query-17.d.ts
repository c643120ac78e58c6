export interface SqlErrorDetails {
    message: string;
    /** Where in the SQL, in characters, from 0 on. */
    cursorPosition: number;
    fileName?: string;
    functionName?: string;
    lineNumber?: number;
    context?: string;
}

export interface SqlErrorFormatOptions {
    showPosition?: boolean;
    showQuery?: boolean;
    color?: boolean;
    maxQueryLength?: number;
}

export declare class SqlError extends Error {
    sqlDetails?: SqlErrorDetails;
    constructor(message: string, details?: SqlErrorDetails);
}

export declare function formatSqlError(
    error: Error & { sqlDetails?: SqlErrorDetails },
    query: string,
    options?: SqlErrorFormatOptions,
): string;
export declare function hasSqlDetails(error: any): error is Error & { sqlDetails: SqlErrorDetails };

/** Loads the module: before the first call of `parseSync`. */
export declare function loadModule(): Promise<void>;
export declare function parse(query: string): Promise<any>;
export declare function parseSync(query: string): any;
