// What all nodes have, and the functions that generated readers use.
//
// A node is the address of a C struct, in words of 32 bits, and its tree. It is read when it is asked.

import { tooDeep } from "./error.js";
import { string } from "./strings.js";

export class Node {
    /** The node as a plain object, as libpg-query returns it: with its type around it. */
    toJSON() {
        try {
            return this.tree.reader.json(this.tree.memory, this.at, this.tag);
        } catch (error) {
            throw error instanceof RangeError ? tooDeep(error) : error;
        }
    }

    /** What `console.log` shows in node, deno and bun: not the tree and its memory. */
    [Symbol.for("nodejs.util.inspect.custom")]() {
        return this.toJSON();
    }

    /** The nodes in the fields of this one, in their order. */
    get children() {
        const { tree } = this;
        const { make, links } = tree.reader;
        const found = [];
        links[this.tag](tree.memory.i32, this.at, found);
        const nodes = [];
        for (let index = 0; index < found.length; index += 2) {
            nodes.push(make[found[index + 1]](tree, found[index]));
        }
        return nodes;
    }
}

/** The node at an address, which may be null. */
export function node(tree, at) {
    if (at === 0) return undefined;
    const word = at >>> 2;
    return tree.reader.make[tree.memory.i32[word]](tree, word);
}

/** The items of the list at an address: an empty cell is `undefined`. */
export function list(tree, at) {
    if (at === 0) return [];
    const { i32 } = tree.memory;
    const { layout, tags } = tree.reader;
    const word = at >>> 2;
    const length = i32[word + layout.length];
    const cells = i32[word + layout.elements] >>> 2;
    const items = new Array(length);
    const isPointers = i32[word] === tags.List;
    for (let index = 0; index < length; index++) {
        const cell = i32[cells + index];
        items[index] = isPointers ? node(tree, cell) : cell;
    }
    return items;
}

/** The string at an address; `undefined` for null. */
export function text(tree, at) {
    return at === 0 ? undefined : string(tree.memory.u8, at);
}

/** A character; `undefined` for zero. */
export function char(byte) {
    return byte === 0 ? undefined : String.fromCharCode(byte);
}

/** Adds the nodes in a list to what is still to be visited: for each its place and its tag. */
export function pushList(i32, at, layout, tags, found) {
    if (at === 0) return;
    const word = at >>> 2;
    // The items of the other lists are numbers.
    if (i32[word] !== tags.List) return;
    const length = i32[word + layout.length];
    const cells = i32[word + layout.elements] >>> 2;
    for (let index = 0; index < length; index++) {
        const cell = i32[cells + index] >>> 2;
        if (cell !== 0) found.push(cell, i32[cell]);
    }
}
