// Trees: handles for what PostgreSQL's parser made.

import { DISPOSED } from "./instance.js";
import { ParseError } from "./error.js";
import { converter } from "./offsets.js";
import { list } from "./node.js";

export class Tree {
    #handle;
    #instance;
    #sql;
    #offsets;
    #ranges;
    #hasRanges;

    constructor(parser, instance, handle, stmts, sql, bytes, hasRanges) {
        this.reader = parser.reader;
        this.memory = instance.memory;
        this.parser = parser;
        this.stmtsAt = stmts;
        this.bytes = bytes;
        this.#handle = handle;
        this.#instance = instance;
        this.#sql = sql;
        this.#hasRanges = hasRanges;
    }

    /** The SQL that was parsed. */
    get sql() {
        return this.#sql;
    }

    /** The statements, each a `RawStmt`. */
    get stmts() {
        return list(this, this.stmtsAt);
    }

    /** All of the tree as plain objects, as libpg-query's `parseSync` returns it. */
    toJSON() {
        try {
            return this.reader.tree(this.memory, this.stmtsAt);
        } catch (error) {
            if (this.memory === DISPOSED) throw error;
            // Too deep for a function that calls itself.
            return JSON.parse(this.json());
        }
    }

    /** The same as text. It takes no stack, however deep the tree is. */
    json() {
        this.#call("to_json");
        return this.#instance.text();
    }

    /** Calls `visit` for each node, parents first, with its parent; the nodes below one are left out if it returns false. */
    walk(visit) {
        const { classes, links } = this.reader;
        const roots = this.stmts;
        const found = [];
        // For each node that is left: its place, its tag, its parent.
        const places = [];
        const tags = [];
        const parents = [];
        for (let index = roots.length - 1; index >= 0; index--) {
            places.push(roots[index].at);
            tags.push(roots[index].tag);
            parents.push(undefined);
        }
        while (places.length > 0) {
            const tag = tags.pop();
            const one = new classes[tag](this, places.pop());
            if (visit(one, parents.pop()) === false) continue;
            found.length = 0;
            links[tag](this.memory.i32, one.at, found);
            for (let index = found.length - 2; index >= 0; index -= 2) {
                places.push(found[index]);
                tags.push(found[index + 1]);
                parents.push(one);
            }
        }
    }

    /** All nodes, parents first. */
    *nodes() {
        const left = this.stmts.reverse();
        while (left.length > 0) {
            const one = left.pop();
            yield one;
            left.push(...one.children.reverse());
        }
    }

    /** The place of a node in the SQL, in UTF-16 units: its start and its end. `undefined` if it has none. */
    range(node) {
        if (!this.#hasRanges) throw new ParseError({ kind: "Unsupported", message: "parse with { ranges: true }" });
        this.#ranges ??= this.#allRanges();
        const range = this.#ranges.get(node.at * 4);
        return range && [this.offset(range[0]), this.offset(range[1])];
    }

    #allRanges() {
        this.#call("ranges");
        const { first, second, memory } = this.#instance;
        const numbers = memory.i32.slice(first >> 2, (first + second) >> 2);
        const ranges = new Map();
        for (let index = 0; index < numbers.length; index += 3) {
            const at = numbers[index] >>> 0;
            // A part of a node at the same place comes later, and has the same range.
            if (!ranges.has(at)) ranges.set(at, [numbers[index + 1], numbers[index + 2]]);
        }
        return ranges;
    }

    /** Converts an offset in bytes, such as a `location`, into one in UTF-16 units. */
    offset(bytes) {
        this.#offsets ??= converter(this.#sql, this.bytes);
        return this.#offsets(bytes);
    }

    /** The hash of the statements without their constants: 16 hexadecimal digits, those of libpg_query. */
    fingerprint() {
        this.#call("fingerprint");
        const { first, second } = this.#instance;
        return hex(first) + hex(second);
    }

    /** The names of the tables, each once, as they are written. */
    tables() {
        this.#call("tables");
        const names = this.#instance.text().split("\0");
        names.pop();
        return names;
    }

    /** What the statements name. */
    analyze() {
        this.#call("analyze");
        return JSON.parse(this.#instance.text());
    }

    /** PostgreSQL's warnings. */
    warnings() {
        this.#call("warnings");
        return JSON.parse(this.#instance.text()).map((warning) => {
            if (warning.cursor !== undefined) warning.cursor = this.offset(warning.cursor);
            return warning;
        });
    }

    /** The SQL of the tree. */
    deparse({ pretty = false } = {}) {
        const failed = this.#call("deparse", pretty ? 1 : 0);
        const text = this.#instance.text();
        if (failed) throw new ParseError(JSON.parse(text));
        return text;
    }

    #call(name, argument) {
        if (this.memory === DISPOSED) this.memory.i32;
        const instance = this.#instance;
        if (instance.isBroken) {
            throw new ParseError({ kind: "TooDeep", message: "another call trapped: parse again" });
        }
        const result = this.parser.guard(instance, () => instance.wasm[name](this.#handle, argument));
        instance.refresh();
        return result;
    }

    /** Frees the tree. Its nodes cannot be read any more. A second call does nothing. */
    dispose() {
        if (this.memory === DISPOSED) return;
        this.memory = DISPOSED;
        this.parser.free(this, this.#instance, this.#handle);
    }
}

if (Symbol.dispose) Tree.prototype[Symbol.dispose] = Tree.prototype.dispose;

function hex(half) {
    return half.toString(16).padStart(8, "0");
}
