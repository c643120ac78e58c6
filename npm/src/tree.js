// Trees: handles for what PostgreSQL's parser made.

import { DISPOSED } from "./instance.js";
import { ParseError, tooDeep } from "./error.js";
import { converter } from "./offsets.js";
import { list } from "./node.js";
import { hex, strings } from "./strings.js";

// The properties that begin with `_` are of this package alone. Private ones (`#handle`) would take a quarter of the time
// of a small parse.
export class Tree {
    constructor(parser, instance, handle, stmts, sql, bytes, hasRanges) {
        this.sql = sql;
        /** The reader of the version. */
        this.reader = parser.reader;
        /** The views of the memory that the nodes are in. */
        this.memory = instance.memory;
        this._parser = parser;
        this._instance = instance;
        this._handle = handle;
        this._stmts = stmts;
        this._bytes = bytes;
        this._hasRanges = hasRanges;
        this._ranges = undefined;
        this._offsets = undefined;
        this._garbage = undefined;
        this._place = 0;
    }

    /** The statements, each a `RawStmt`. */
    get stmts() {
        // Also of a tree that is empty.
        if (this.memory === DISPOSED) DISPOSED.i32;
        return list(this, this._stmts);
    }

    /** All of the tree as plain objects, as libpg-query's `parseSync` returns it. */
    toJSON() {
        return this.toObject();
    }

    /** The same, with fields that have their default value as well, if that is wanted. */
    toObject({ defaults = false } = {}) {
        if (this.memory === DISPOSED) DISPOSED.i32;
        try {
            return this.reader.tree(this.memory, this._stmts, defaults);
        } catch (error) {
            if (defaults) throw tooDeep(error);
            // Too deep for functions that call themselves.
            return JSON.parse(this.json());
        }
    }

    /** The same as text. It takes no stack, however deep the tree is. */
    json() {
        this._call("to_json");
        return this._instance.text();
    }

    [Symbol.for("nodejs.util.inspect.custom")]() {
        return this.memory === DISPOSED ? "Tree (disposed of)" : this.toJSON();
    }

    /** Calls `visit` for each node, parents first, with its parent; the nodes below one are left out if it returns false. */
    walk(visit) {
        const { make, links } = this.reader;
        // For each node that is left its place and its tag, and its parent; the next one is the last.
        const left = [];
        const parents = [];
        for (const stmt of this.stmts.reverse()) {
            left.push(stmt.at, stmt.tag);
            parents.push(undefined);
        }
        while (left.length > 0) {
            const tag = left.pop();
            const node = make[tag](this, left.pop());
            if (visit(node, parents.pop()) === false) continue;
            const start = left.length;
            links[tag](this.memory.i32, node.at, left);
            for (let low = start, high = left.length - 2; low < high; low += 2, high -= 2) {
                const [at, of] = [left[low], left[low + 1]];
                left[low] = left[high];
                left[low + 1] = left[high + 1];
                left[high] = at;
                left[high + 1] = of;
            }
            for (let index = start; index < left.length; index += 2) parents.push(node);
        }
    }

    /** All nodes, parents first. */
    *nodes() {
        const left = this.stmts.reverse();
        while (left.length > 0) {
            const node = left.pop();
            yield node;
            for (const child of node.children.reverse()) left.push(child);
        }
    }

    /** The place of a node in the SQL, in UTF-16 units: its start and its end. `undefined` if it has none. */
    range(node) {
        if (!this._hasRanges) throw new ParseError({ kind: "Unsupported", message: "parse with { ranges: true }" });
        if (this.memory === DISPOSED) DISPOSED.i32;
        if (node.tree !== this) throw new TypeError("the node is of another tree");
        this._ranges ??= this._allRanges();
        const range = this._ranges.get(node.at * 4);
        return range && [this.offset(range[0]), this.offset(range[1])];
    }

    _allRanges() {
        this._call("ranges");
        const { first, second, memory } = this._instance;
        const numbers = memory.i32.slice(first >>> 2, (first + second) >>> 2);
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
        this._offsets ??= converter(this.sql, this._bytes);
        return this._offsets(bytes);
    }

    /** The hash of the statements without their constants: 16 hexadecimal digits, those of libpg_query. */
    fingerprint() {
        this._call("fingerprint");
        const { first, second } = this._instance;
        return hex(first) + hex(second);
    }

    /** The names of the tables, each once, as they are written. */
    tables() {
        this._call("tables");
        const { first, second, memory } = this._instance;
        return strings(memory.u8, first, first + second);
    }

    /** What the statements name. */
    analyze() {
        this._call("analyze");
        return JSON.parse(this._instance.text());
    }

    /** PostgreSQL's warnings. */
    warnings() {
        this._call("warnings");
        return JSON.parse(this._instance.text()).map((warning) => {
            if (warning.cursor !== undefined) warning.cursor = this.offset(warning.cursor);
            return warning;
        });
    }

    /** The SQL of the tree. */
    deparse({ pretty = false } = {}) {
        const failed = this._call("deparse", pretty ? 1 : 0);
        const text = this._instance.text();
        if (failed) throw new ParseError(JSON.parse(text));
        return text;
    }

    _call(name, argument = 0) {
        if (this.memory === DISPOSED) DISPOSED.i32;
        const instance = this._instance;
        if (instance.isBroken) {
            throw new ParseError({ kind: "TooDeep", message: "another call trapped: parse again" });
        }
        let result;
        try {
            result = instance.wasm[name](this._handle, argument);
        } catch (error) {
            throw instance.broken(error);
        }
        instance.refresh();
        return result;
    }

    /** Frees the tree. Its nodes cannot be read any more. A second call does nothing. */
    dispose() {
        if (this.memory === DISPOSED) return;
        this.memory = DISPOSED;
        this._garbage.delete(this._place);
        this._instance.free(this._handle);
    }
}

if (Symbol.dispose) Tree.prototype[Symbol.dispose] = Tree.prototype.dispose;
