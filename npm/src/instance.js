// An instance of the module: its memory, SQL on its way in, text on its way out.

import { ParseError } from "./error.js";
import { Garbage, registryOf } from "./garbage.js";

const encoder = new TextEncoder();
// What looks like a byte order mark is part of the text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** SQL up to this length is copied by a loop, which is faster than a call of the encoder. */
const SHORT = 96;

/** A larger buffer for SQL is given back after a call. */
const KEPT = 1 << 20;

/** The views of a tree that has been disposed of: whatever is read, it is an error. */
export const DISPOSED = {
    get i32() {
        throw new ParseError({ kind: "Disposed", message: "the tree has been disposed of" });
    },
    get u8() {
        return this.i32;
    },
    get f64() {
        return this.i32;
    },
};

/** The views of an instance's memory. They are made anew when it grows, in the same object, which trees keep. */
class Memory {
    constructor(memory) {
        this.memory = memory;
        this.update();
    }

    update() {
        const { buffer } = this.memory;
        this.u8 = new Uint8Array(buffer);
        this.i32 = new Int32Array(buffer);
        this.f64 = new Float64Array(buffer);
    }
}

export class Instance {
    constructor(module) {
        this.wasm = new WebAssembly.Instance(module, {}).exports;
        this.memory = new Memory(this.wasm.memory);
        this.out = this.wasm.out() >> 2;
        this.buffer = 0;
        this.capacity = 0;
        /** Trees that have not been disposed of. */
        this.live = 0;
        /** Whether a call has trapped: nobody knows what state the memory is in. */
        this.isBroken = false;
        this.registry = registryOf(this);
        this.garbage = new Garbage(this.registry);
        this.refresh();
    }

    /** Registers a tree, to be freed when it is garbage. */
    register(tree, handle) {
        this.live++;
        if (this.garbage.isFull) this.garbage = new Garbage(this.registry);
        tree._garbage = this.garbage;
        tree._place = this.garbage.add(handle);
    }

    /** Frees a tree. */
    free(handle) {
        this.live--;
        if (this.isBroken) return;
        try {
            this.wasm.free(handle);
        } catch (error) {
            throw this.broken(error);
        }
    }

    /** Returns the error of a call that has trapped where the stack ends. Nothing is called after that. */
    broken(error, kind = "TooDeep", message = "the SQL or the tree is nested too deeply") {
        this.isBroken = true;
        return new ParseError({ kind, message: `${message}: ${error.message}`, cause: error });
    }

    /** Makes the views anew if the memory has grown, which leaves the old ones empty: after each call. */
    refresh() {
        if (this.memory.u8.length === 0) this.memory.update();
    }

    /** The bytes that the memory takes. */
    get size() {
        return this.memory.u8.length;
    }

    /** Makes room for SQL of so many bytes. */
    reserve(length) {
        if (length > this.capacity) {
            try {
                this.buffer = this.wasm.input(length);
            } catch (error) {
                throw this.broken(error, "OutOfMemory", "no memory for the SQL");
            }
            this.capacity = length;
            this.refresh();
        }
        return this.buffer;
    }

    /**
     * Writes SQL for the next call, and returns its length in bytes: that of the string if, and only if, all of it is
     * ASCII.
     */
    write(sql) {
        if (typeof sql !== "string") throw new TypeError(`SQL is a string, and not ${sql === null ? "null" : `of the type ${typeof sql}`}`);
        const { length } = sql;
        const at = this.reserve(length < SHORT ? SHORT : length * 3);
        const { u8 } = this.memory;
        if (length < SHORT) {
            let index = 0;
            for (; index < length; index++) {
                const code = sql.charCodeAt(index);
                if (code > 127) break;
                u8[at + index] = code;
            }
            if (index === length) return length;
            this.reserve(length * 3);
        }
        return encoder.encodeInto(sql, this.memory.u8.subarray(this.buffer, this.buffer + length * 3)).written;
    }

    /** Gives a large buffer back. */
    tidy() {
        if (this.capacity > KEPT) {
            this.wasm.input(0);
            this.capacity = 0;
        }
    }

    /** The first of the two numbers that the last call has left, and the second. */
    get first() {
        return this.memory.i32[this.out] >>> 0;
    }

    get second() {
        return this.memory.i32[this.out + 1] >>> 0;
    }

    /** The text that the last call has left. */
    text() {
        this.refresh();
        const at = this.first;
        return decoder.decode(this.memory.u8.subarray(at, at + this.second));
    }
}
