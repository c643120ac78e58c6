// Loads a version of PostgreSQL's parser.

import { moduleAt } from "#load";
import { files } from "./files.js";
import { Parser } from "./parser.js";

export { ParseError } from "./error.js";
export { Node } from "./node.js";
export { Parser } from "./parser.js";
export { Tree } from "./tree.js";

/** The versions of PostgreSQL. */
export const versions = [16, 17, 18];

const readers = {
    16: () => import("../dist/pg16.js"),
    17: () => import("../dist/pg17.js"),
    18: () => import("../dist/pg18.js"),
};

const loaded = new Map();

/**
 * Loads a version of PostgreSQL's parser. A second call for the same version returns the same parser.
 */
export async function load(version = 18, { tools = false, wasm } = {}) {
    if (!Object.hasOwn(readers, version)) {
        throw new TypeError(`a version is one of ${versions.join(", ")}, and not ${String(version)}`);
    }
    const reader = readers[version];
    const name = tools ? `pg${version}-tools` : `pg${version}`;
    const make = async () => {
        const [module, { reader: nodes }] = await Promise.all([wasm ?? moduleAt(files[name]()), reader()]);
        return new Parser(await compiled(module), nodes);
    };
    // A module of the caller's is used as it is.
    if (wasm !== undefined) return make();
    if (!loaded.has(name)) {
        const parser = make();
        loaded.set(name, parser);
        // The next call tries again.
        parser.catch(() => loaded.delete(name));
    }
    return loaded.get(name);
}

function compiled(module) {
    return module instanceof WebAssembly.Module ? module : WebAssembly.compile(module);
}
