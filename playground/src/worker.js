// The parser, in a worker: however long a call takes, the page does not wait.

import { load } from "@pg-ast/parser";
import { abstractTree, concreteTree } from "./trees.js";

/** The smaller module is enough for trees, and is there sooner. */
const small = (version) => load(version);
const whole = (version) => load(version, { tools: true });

// Most pages begin with the newest version. An error is that of the first call.
small(18).catch(() => {});

/** Text that is shown is cut at this length. */
const MOST_TEXT = 300_000;

const calls = {
    async tree({ sql, version }, time) {
        const pg = await small(version);
        const tree = time("parse", () => pg.parse(sql, { ranges: true }));
        try {
            return time("read the tree", () => abstractTree(tree));
        } finally {
            tree.dispose();
        }
    },
    async concrete({ sql, version }, time) {
        const pg = await whole(version);
        return concreteTree(time("concrete tree", () => pg.concrete(sql)));
    },
    async facts({ sql, version }, time) {
        const pg = await small(version);
        const tree = time("parse", () => pg.parse(sql));
        try {
            return {
                ...time("analyze", () => tree.analyze()),
                fingerprint: time("fingerprint", () => tree.fingerprint()),
                normalized: cut(time("normalize", () => pg.normalize(sql))),
                // The deparser of 16 has no layout.
                deparsed: cut(time("deparse", () => tree.deparse({ pretty: version > 16 }))),
            };
        } finally {
            tree.dispose();
        }
    },
    async lint({ sql, version }, time) {
        const pg = await whole(version);
        return time("lint", () => pg.lint(sql));
    },
    async json({ sql, version }, time) {
        const pg = await small(version);
        const object = time("parse to plain objects", () => pg.parseToJSON(sql));
        return cut(JSON.stringify(object, null, 2));
    },
    async versions({ sql }, time) {
        const rows = [];
        for (const version of [16, 17, 18]) {
            const pg = await small(version);
            try {
                const fingerprint = time(`PostgreSQL ${version}`, () => pg.fingerprint(sql));
                rows.push({ version, fingerprint });
            } catch (error) {
                rows.push({ version, error: plain(error) });
            }
        }
        return rows;
    },
    async format({ sql, version }, time) {
        const pg = await whole(version);
        return time("format", () => pg.format(sql)).text;
    },
    async complete({ sql, version, offset }) {
        const pg = await small(version);
        return pg.complete(sql, offset);
    },
};

function cut(text) {
    return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}\n.. ${text.length - MOST_TEXT} more characters`;
}

function plain({ message, cursor, kind, expected, suggestion }) {
    return { message, cursor, kind, expected, suggestion };
}

self.onmessage = async ({ data: { id, call, ...input } }) => {
    const times = [];
    const time = (name, f) => {
        const start = performance.now();
        try {
            return f();
        } finally {
            times.push([name, performance.now() - start]);
        }
    };
    try {
        self.postMessage({ id, result: await calls[call](input, time), times });
    } catch (error) {
        self.postMessage({ id, error: plain(error), times });
    }
};
