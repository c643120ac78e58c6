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
const rounds = Number(process.argv[3] ?? 80);
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

/** Adds the times of single rounds over all statements, for some milliseconds. */
function time(call, statements, milliseconds, times = []) {
    const end = performance.now() + milliseconds;
    let before;
    do {
        before = performance.now();
        for (const sql of statements) call(sql);
        times.push(performance.now() - before);
    } while (before < end);
}

/** The time that a quarter of the rounds did not exceed: others ran while something else did on this machine. */
function quartile(times) {
    times.sort((a, b) => a - b);
    return times[times.length >> 2];
}

const table = {};
const products = {};
for (const [name, statements] of Object.entries(groups)) {
    for (const call of Object.values(calls)) time(call, statements, 100);
    const times = Object.fromEntries(Object.keys(calls).map((call) => [call, []]));
    for (let round = 0; round < rounds; round++) {
        for (const [call, f] of Object.entries(calls)) time(f, statements, 8, times[call]);
    }
    const best = Object.fromEntries(Object.entries(times).map(([call, times]) => [call, quartile(times)]));
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
