// The statements that the tests have, which cover each node type and each constant of the grammar.

import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../tests/statements/", import.meta.url);

/** Returns all statements of `tests/statements`, as a parser's `split` finds them. */
export function statements(parser) {
    const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
    return files.flatMap((name) => parser.split(readFileSync(new URL(name, folder), "utf8")).map(({ sql }) => sql.trim()));
}
