/// <reference lib="esnext.disposable" />

// The API. The nodes of each version are in `dist/pg16.d.ts`, `pg17.d.ts` and `pg18.d.ts`.

import type { Types as Types16 } from "../dist/pg16.js";
import type { Types as Types17 } from "../dist/pg17.js";
import type { Types as Types18 } from "../dist/pg18.js";

/** The start and the end of a part of a text, in UTF-16 units: `sql.slice(...range)` is that part. */
export type Range = [start: number, end: number];

/** What the types of a version's `Parser` and `Tree` depend on. */
export interface VersionTypes {
    node: unknown;
    stmt: unknown;
    json: unknown;
}

/** The types of each version. */
export interface Versions {
    16: Types16;
    17: Types17;
    18: Types18;
}

/** The versions of PostgreSQL. */
export const versions: readonly (keyof Versions)[];

export interface LoadOptions {
    /** Load the larger module, which also has the calls `lint`, `format`, `parsePlpgsql` and `concrete`. */
    tools?: boolean;
    /** The module, for programs that load it in a way of their own: its bytes, or compiled. */
    wasm?: WebAssembly.Module | BufferSource | Promise<WebAssembly.Module | BufferSource>;
}

/**
 * Loads a version of PostgreSQL's parser. All calls of the parser are synchronous.
 *
 * A second call for the same version returns the same parser. A version that there is not, and a module that is not the one of
 * the version, are a `TypeError`.
 *
 * ```js
 * const pg = await load(18);
 * pg.tables("SELECT * FROM users"); // ["users"]
 * ```
 */
export function load(version?: 18, options?: LoadOptions): Promise<Parser<Types18>>;
export function load<V extends keyof Versions>(version: V, options?: LoadOptions): Promise<Parser<Versions[V]>>;

export interface ParseOptions {
    /** Record the place of each node, for {@link Tree.range}. It takes a third of the time of a parse more. */
    ranges?: boolean;
    /** PostgreSQL's setting `standard_conforming_strings`; by default it is on. */
    standardConformingStrings?: boolean;
}

export interface ObjectOptions {
    /** Also numbers that are 0, strings that are empty, and what is `false`. A tree of some thousand levels is `TooDeep` then. */
    defaults?: boolean;
}

export interface DeparseOptions {
    /** Indented, over several lines. PostgreSQL 16's deparser has no layout, which is an `Unsupported` error. */
    pretty?: boolean;
}

export interface FormatOptions {
    /** The width that lines should have, in columns, up to 1000; 100 by default. */
    width?: number;
    /** The blanks of a level, up to 1000; 2 by default. */
    indent?: number;
    keywords?: "upper" | "lower" | "keep";
    commas?: "trailing" | "leading";
    style?: "block" | "river";
    columns?: "plain" | "aligned";
}

/**
 * The calls for one version of PostgreSQL. Each of them that takes SQL throws a {@link ParseError}, and a `TypeError` for what
 * is not a string. Half of a pair of surrogates is read as U+FFFD.
 */
export class Parser<T extends VersionTypes = VersionTypes> {
    private constructor();

    /** The version of PostgreSQL: 180001 for 18.1. */
    readonly versionNumber: number;

    /** The bytes that the module's memory takes: that of the trees, and some that is kept for the next call. */
    readonly memorySize: number;

    /** Whether `lint`, `format`, `parsePlpgsql` and `concrete` are there: `load(version, { tools: true })`. */
    readonly hasTools: boolean;

    /**
     * Parses SQL into a tree, which is read where PostgreSQL's parser made it.
     *
     * The tree takes memory of the module, 8 KB at least, until it is disposed of: by `using`, by {@link Tree.dispose}, or
     * when it is garbage.
     *
     * ```js
     * using tree = pg.parse("SELECT name FROM users");
     * const { stmt } = tree.stmts[0];
     * if (stmt?.nodeTag === "SelectStmt") stmt.targetList.length; // 1
     * ```
     */
    parse(sql: string, options?: ParseOptions): Tree<T>;

    /** Parses SQL into plain objects, which is what libpg-query's `parseSync` returns. Nothing has to be disposed of. */
    parseToJSON(sql: string, options?: ParseOptions & ObjectOptions): T["json"];

    /** Returns the hash of SQL without its constants: 16 hexadecimal digits, those of libpg_query. */
    fingerprint(sql: string): string;

    /** Returns the names of the tables, each once, as they are written. */
    tables(sql: string): string[];

    /** Returns what SQL names: tables, functions, columns in conditions. */
    analyze(sql: string): Analysis;

    /**
     * Returns SQL with `$1`, `$2`, .. instead of its constants.
     *
     * With `asLibpgQuery`, the result is that of libpg_query, byte for byte: it leaves constants of most utility statements, also
     * where they are secrets, and some of its results are not SQL.
     */
    normalize(sql: string, options?: { asLibpgQuery?: boolean }): string;

    /** Parses SQL and prints its tree: on one line without comments, or indented. */
    deparse(sql: string, options?: DeparseOptions): string;

    /** Prints a tree of plain objects, such as `parseToJSON` returns: what `parse` reads is the same tree. Needs `tools`. */
    deparseJSON(tree: T["json"], options?: DeparseOptions): string;

    /** Returns the tokens of SQL, with comments. */
    scan(sql: string): Token[];

    /** Returns the statements of a script, which are not parsed. */
    split(sql: string): Statement[];

    /** Returns what may follow at a place of SQL, in UTF-16 units; by default at its end. */
    complete(sql: string, offset?: number): Completion;

    /** Returns what is wrong or doubtful in a script, with fixes. Needs `tools`. */
    lint(sql: string): Finding[];

    /** Returns a script in its layout, with all of its tokens and comments. Needs `tools`. */
    format(sql: string, options?: FormatOptions): Formatted;

    /** Returns the PL/pgSQL functions of SQL as plain objects, in the format of libpg_query. Needs `tools`. */
    parsePlpgsql(sql: string): unknown[];

    /** Returns the concrete tree: every token and blank in its place, also of SQL that is wrong. Needs `tools`. */
    concrete(sql: string): ConcreteNode;
}

/** The tree of some SQL. */
export class Tree<T extends VersionTypes = VersionTypes> implements Disposable {
    private constructor();

    /** The SQL that was parsed. */
    readonly sql: string;

    /** The statements. */
    readonly stmts: T["stmt"][];

    /** Returns all of the tree as plain objects, as libpg-query's `parseSync` does. Locations are offsets in bytes there. */
    toJSON(): T["json"];

    /** Returns the same, with fields that have their default value as well, if that is wanted. */
    toObject(options?: ObjectOptions): T["json"];

    /**
     * Returns the same as text, however deep the tree is. Before PostgreSQL 18, libpg-query writes strings that are empty, as in
     * `COMMENT ON TABLE t IS ''`, which this text leaves out.
     */
    json(): string;

    /**
     * Calls `visit` for each node, parents first, with the node's parent. If it returns false, the nodes below are left out.
     */
    walk(visit: (node: T["node"], parent: T["node"] | undefined) => boolean | void): void;

    /** Iterates over all nodes, parents first. {@link walk} is faster. */
    nodes(): IterableIterator<T["node"]>;

    /**
     * Returns the place of a node in the SQL, in UTF-16 units; `undefined` if it has none.
     *
     * @throws ParseError if the SQL was parsed without `{ ranges: true }`
     * @throws TypeError if the node is of another tree
     */
    range(node: T["node"]): Range | undefined;

    /** Converts an offset in bytes, such as a `location`, into one in UTF-16 units. A negative one stays as it is. */
    offset(bytes: number): number;

    /** Returns the hash of the statements without their constants: 16 hexadecimal digits, those of libpg_query. */
    fingerprint(): string;

    /** Returns the names of the tables, each once, as they are written. */
    tables(): string[];

    /** Returns what the statements name. */
    analyze(): Analysis;

    /** Returns PostgreSQL's warnings. */
    warnings(): Warning[];

    /** Returns the SQL of the tree: on one line without comments, or indented. */
    deparse(options?: DeparseOptions): string;

    /** Frees the tree; reading it, or one of its nodes, is an error afterwards. A second call does nothing. */
    dispose(): void;

    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

/** What each node has. */
export interface NodeBase<T extends VersionTypes = VersionTypes> {
    /** PostgreSQL's name of the type. */
    readonly nodeTag: string;

    /** The tree that the node is of. */
    readonly tree: Tree<T>;

    /** The nodes in the fields of this one, in their order. */
    readonly children: T["node"][];

    /** Returns the node as a plain object, with its type around it: `{ RangeVar: { .. } }`. */
    toJSON(): object;
}

/** Why a call failed. */
export type ErrorKind =
    /** PostgreSQL's scanner or grammar rejects the SQL. */
    | "Syntax"
    /** The SQL contains a NUL. */
    | "Nul"
    /** An escape makes a string that is not Unicode. */
    | "InvalidEncoding"
    /** The SQL or the tree is nested too deeply. */
    | "TooDeep"
    /** The SQL or the tree is too large. */
    | "TooLarge"
    /** The tree cannot be printed. */
    | "Deparse"
    /** The call is not there. */
    | "Unsupported"
    /** There is no more memory. */
    | "OutOfMemory"
    /** The tree has been disposed of. */
    | "Disposed"
    | (string & {});

/** The error that calls throw. */
export class ParseError extends Error {
    kind: ErrorKind;
    /** Where in the SQL, in UTF-16 units. */
    cursor?: number;
    detail?: string;
    hint?: string;
    context?: string;
    /** Where PostgreSQL's code raised it. */
    source?: { file: string; line: number; function: string };
    /** What could have come at the cursor. */
    expected: Expected[];
    /** The keyword that was probably meant, and what to replace by it. */
    suggestion?: { keyword: string; range: Range };
}

/** A token that may come next; `text` is that of a keyword or a symbol. */
export interface Expected {
    kind: "Keyword" | "Symbol" | "Identifier" | "String" | "BitString" | "Number" | "Parameter" | "Operator" | "End";
    text?: string;
}

export interface Warning {
    severity: string;
    message: string;
    hint?: string;
    /** Where in the SQL, in UTF-16 units. */
    cursor?: number;
}

/** How a table or a function is used. */
export type Context = "Select" | "Dml" | "Ddl" | "Call";

export interface Analysis {
    tables: { name: string; schemaName?: string; tableName: string; context: Context }[];
    functions: { name: string; schemaName?: string; functionName: string; context: Context }[];
    /** The columns in conditions. */
    filterColumns: { schemaName?: string; tableName?: string; column: string }[];
    /** The tables by their aliases. */
    aliases: Record<string, string>;
    /** The names of the queries of `WITH`. */
    cteNames: string[];
    /** The type of each statement: `SelectStmt`. */
    statementTypes: string[];
}

export interface Token {
    /** PostgreSQL's name: `IDENT`, `SELECT`, `ASCII_40`. */
    token: string;
    /** PostgreSQL's number for it, which is another one in each version. */
    number: number;
    keywordKind: "NO_KEYWORD" | "UNRESERVED_KEYWORD" | "COL_NAME_KEYWORD" | "TYPE_FUNC_NAME_KEYWORD" | "RESERVED_KEYWORD";
    range: Range;
}

export interface Statement {
    range: Range;
    sql: string;
}

export interface Completion {
    /** The word at the place, which the completion replaces. */
    word: Range;
    /** The tokens that may come there. */
    expected: Expected[];
    /** The kinds of names that may come there: `Table`, `Column`, .. */
    names: string[];
    /** The tables that the statement names. */
    tables: { schemaName?: string; tableName: string; alias?: string }[];
}

export interface Finding {
    rule: string;
    message: string;
    range: Range;
    help?: string;
    expected: Expected[];
    fix?: Fix;
}

export interface Fix {
    title: string;
    /** Whether it may change what the SQL means. */
    isGuess: boolean;
    changes: { range: Range; text: string }[];
}

export interface Formatted {
    text: string;
    /** The errors of statements, which stay as they are. */
    errors: ParseError[];
}

/** A node of a concrete tree, or a token if it has no children. */
export interface ConcreteNode {
    kind: string;
    range: Range;
    children?: ConcreteNode[];
}
