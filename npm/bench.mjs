// Time of the calls, compared with libpg-query's `parseSync`, over the six groups of `benches/README.md`.
//
//   npm install --no-save libpg-query@17 && node bench.mjs 17
//
// Prints microseconds per statement, and the geometric mean of the quotients. In each round, every call is measured once, so
// that a change of the machine's speed falls on all of them.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as peer from "libpg-query";
import { load } from "./src/index.js";

const version = Number(process.argv[2] ?? 17);
const rounds = Number(process.argv[3] ?? 15);
const pg = await load(version);
await peer.loadModule();

const folder = new URL("../benches/sql/", import.meta.url);
const file = (name) =>
    readFileSync(new URL(`${name}.sql`, folder), "utf8")
        .split(";\n")
        .map((sql) => sql.trim().replace(/;+$/, ""))
        .filter((sql) => sql !== "");
const rows = Array.from({ length: 1000 }, (_, n) => `(${n}, 'name ${n}', ${n}.5, true, NULL, now())`);
const groups = {
    simple: file("simple"),
    pgbench: file("pgbench"),
    orm: file("orm"),
    analytic: file("analytic"),
    insert1000: [`INSERT INTO t (id, name, price, sold, note, at) VALUES ${rows.join(", ")}`],
    ddl: file("ddl"),
};

let nodes = 0;
const calls = {
    "libpg-query: parseSync": (sql) => peer.parseSync(sql),
    "parse to a handle": (sql) => pg.parse(sql).dispose(),
    "parse, tables and fingerprint": (sql) => {
        const tree = pg.parse(sql);
        tree.tables();
        tree.fingerprint();
        tree.dispose();
    },
    "parse and walk every node": (sql) => {
        const tree = pg.parse(sql);
        tree.walk((node) => {
            nodes += node.nodeTag === "A_Const" ? 1 : 0;
        });
        tree.dispose();
    },
    "parse to plain objects": (sql) => pg.parseToJSON(sql),
};

/** Repeats a call on all statements for some milliseconds, and returns the time of one round over them. */
function time(call, statements, milliseconds) {
    const start = performance.now();
    let count = 0;
    let passed;
    do {
        for (const sql of statements) call(sql);
        count++;
        passed = performance.now() - start;
    } while (passed < milliseconds);
    return passed / count;
}

const table = {};
const products = {};
for (const [name, statements] of Object.entries(groups)) {
    for (const call of Object.values(calls)) time(call, statements, 150);
    const best = Object.fromEntries(Object.keys(calls).map((call) => [call, Infinity]));
    for (let round = 0; round < rounds; round++) {
        for (const [call, f] of Object.entries(calls)) best[call] = Math.min(best[call], time(f, statements, 30));
    }
    const base = best["libpg-query: parseSync"];
    for (const [call, milliseconds] of Object.entries(best)) {
        (table[call] ??= {})[name] = Number(((milliseconds * 1000) / statements.length).toFixed(1));
        products[call] = (products[call] ?? 1) * (milliseconds / base);
    }
}
for (const call of Object.keys(calls)) {
    table[call].quotient = Number(Math.pow(products[call], 1 / Object.keys(groups).length).toFixed(3));
}
console.log(`node ${process.version}, PostgreSQL ${version}, ${pathToFileURL(process.argv[1]).pathname.split("/").pop()}`);
console.table(table);
