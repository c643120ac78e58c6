// Node, deno and bun: a module is read from a file.

import { readFile } from "node:fs/promises";

export const moduleAt = async (url) => WebAssembly.compile(await readFile(url));
