// The calls of one version of PostgreSQL.

import { Instance } from "./instance.js";
import { ParseError, tooDeep } from "./error.js";
import { convert, converter } from "./offsets.js";
import { Tree } from "./tree.js";

/** An instance may take so many bytes before there is another one. */
const LARGEST = 64 << 20;

export class Parser {
    #module;
    #instance;

    constructor(module, reader) {
        this.#module = module;
        this.reader = reader;
        this.#instance = new Instance(module);
        const found = this.#instance.wasm.version();
        if (found !== reader.version) {
            throw new TypeError(`the module is that of PostgreSQL ${found}, and its nodes are those of ${reader.version}`);
        }
        /** Whether `lint`, `format`, `parsePlpgsql` and `concrete` are there. */
        this.hasTools = this.#instance.wasm.lint !== undefined;
    }

    /** The version of PostgreSQL: 180001 for 18.1. */
    get versionNumber() {
        return this.reader.version;
    }

    /** The bytes that the module's memory takes. */
    get memorySize() {
        return this.#instance.size;
    }

    /** The instance for the next call. */
    #current() {
        const instance = this.#instance;
        // The trees of a former instance keep it; when they are garbage, so is all of it, without waiting for the registry. And
        // memory never shrinks.
        if (instance.isBroken || instance.size > LARGEST) {
            this.#instance = new Instance(this.#module);
        }
        return this.#instance;
    }

    /** Parses SQL into a tree. */
    parse(sql, options) {
        const instance = this.#current();
        const bytes = instance.write(sql);
        const flags = options === undefined ? 0 : flagsOf(options);
        let handle;
        try {
            handle = instance.wasm.parse(bytes, flags);
        } catch (error) {
            throw instance.broken(error);
        }
        instance.refresh();
        if (handle === 0) throw this.#error(instance, sql, bytes);
        const tree = new Tree(this, instance, handle, instance.first, sql, bytes, (flags & 1) !== 0);
        instance.register(tree, handle);
        instance.tidy();
        return tree;
    }

    /** The SQL as plain objects: what libpg-query's `parseSync` returns. */
    parseToJSON(sql, options) {
        const tree = this.parse(sql, options);
        try {
            return tree.toObject(options);
        } finally {
            tree.dispose();
        }
    }

    /** The fingerprint of SQL. */
    fingerprint(sql) {
        return this.#with(sql, (tree) => tree.fingerprint());
    }

    /** The names of the tables of SQL. */
    tables(sql) {
        return this.#with(sql, (tree) => tree.tables());
    }

    /** What SQL names. */
    analyze(sql) {
        return this.#with(sql, (tree) => tree.analyze());
    }

    /** Parses SQL and prints its tree: on one line, without comments, or indented. */
    deparse(sql, options) {
        return this.#with(sql, (tree) => tree.deparse(options));
    }

    #with(sql, f) {
        const tree = this.parse(sql);
        try {
            return f(tree);
        } finally {
            tree.dispose();
        }
    }

    /** Prints a tree of plain objects, in libpg-query's format. */
    deparseJSON(tree, { pretty = false } = {}) {
        let json;
        try {
            json = JSON.stringify(tree);
        } catch (error) {
            throw error instanceof RangeError ? tooDeep(error) : error;
        }
        return this.#text("deparse_json", json, pretty ? 1 : 0);
    }

    /** SQL with `$1`, `$2`, .. instead of its constants. */
    normalize(sql, { asLibpgQuery = false } = {}) {
        return this.#text("normalize", sql, asLibpgQuery ? 1 : 0);
    }

    /** The tokens of SQL. */
    scan(sql) {
        return this.#json("scan", sql);
    }

    /** The statements of SQL that is not parsed. */
    split(sql) {
        return this.#json("split", sql).map((range) => {
            const [start, end] = range.map(this.#offsets);
            return { range: [start, end], sql: sql.slice(start, end) };
        });
    }

    /** What may come at a place of SQL, in UTF-16 units, and of what kinds the names there are. */
    complete(sql, offset = sql.length) {
        let at = Math.max(0, Math.min(offset, sql.length));
        // Within a pair of surrogates is within a character.
        if (sql.codePointAt(at - 1) > 0xffff) at--;
        const before = new TextEncoder().encode(sql.slice(0, at)).length;
        return this.#json("complete", sql, before);
    }

    /** What the linter finds in SQL, with fixes. */
    lint(sql) {
        return this.#json("lint", sql);
    }

    /** SQL in its layout, with all of its comments, and the errors of statements that stay as they are. */
    format(sql, { width = 100, indent = 2, keywords = "upper", commas = "trailing", style = "block", columns = "plain" } = {}) {
        count("width", width);
        count("indent", indent);
        const choices =
            choice("keywords", keywords, ["upper", "lower", "keep"]) |
            (choice("commas", commas, ["trailing", "leading"]) << 2) |
            (choice("style", style, ["block", "river"]) << 3) |
            (choice("columns", columns, ["plain", "aligned"]) << 4);
        const result = this.#json("format", sql, width, indent, choices);
        result.errors = result.errors.map((error) => new ParseError(error));
        return result;
    }

    /** The PL/pgSQL functions of SQL as plain objects, in the format of libpg_query. */
    parsePlpgsql(sql) {
        return JSON.parse(this.#text("parse_plpgsql", sql));
    }

    /** The concrete tree: every token and blank in its place, also of SQL that is wrong. */
    concrete(sql) {
        const root = JSON.parse(this.#text("concrete", sql));
        const node = ([kind, start, end, children]) => {
            const range = [this.#offsets(start), this.#offsets(end)];
            return children ? { kind, range, children: children.map(node) } : { kind, range };
        };
        return node(root);
    }

    #offsets;

    /** Calls a function that leaves a text, or an error. */
    #text(name, sql, ...rest) {
        const instance = this.#current();
        const call = instance.wasm[name];
        if (call === undefined) {
            throw new ParseError({ kind: "Unsupported", message: `${name} needs load(version, { tools: true })` });
        }
        const bytes = instance.write(sql);
        let failed;
        try {
            failed = call(bytes, ...rest);
        } catch (error) {
            throw instance.broken(error);
        }
        instance.refresh();
        if (failed) throw this.#error(instance, sql, bytes);
        this.#offsets = converter(sql, bytes);
        const text = instance.text();
        instance.tidy();
        return text;
    }

    #json(name, sql, ...rest) {
        return convert(JSON.parse(this.#text(name, sql, ...rest)), this.#offsets);
    }

    #error(instance, sql, bytes) {
        return new ParseError(convert(JSON.parse(instance.text()), converter(sql, bytes)));
    }
}

function flagsOf({ ranges = false, standardConformingStrings = true }) {
    return (ranges ? 1 : 0) | (standardConformingStrings ? 0 : 2);
}

/** Checks a number of columns. */
function count(name, value) {
    if (!Number.isInteger(value) || value < 0 || value > 1000) {
        throw new RangeError(`${name} is a whole number up to 1000, and not ${String(value)}`);
    }
}

function choice(name, value, values) {
    const index = values.indexOf(value);
    if (index < 0) throw new TypeError(`${name} is one of ${values.join(", ")}, and not ${String(value)}`);
    return index;
}
