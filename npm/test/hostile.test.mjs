// What nobody should do, and what may come from anywhere: as an ES module, and as CommonJS.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as modules from "../src/index.js";
import { deepSql, SHAPES } from "./shapes.mjs";

const common = createRequire(import.meta.url)("../dist/index.cjs");
const apis = { "ES module": modules, CommonJS: common };
const NO_SQL = [undefined, null, 5, NaN, 5n, true, {}, [], ["SELECT 1"], Symbol("sql"), () => "SELECT 1", new String("SELECT 1"), { length: 8, charCodeAt: () => 65 }];

for (const [name, api] of Object.entries(apis)) {
    const pg = await api.load(18, { tools: true });

    test(`${name}: what is no SQL is a TypeError`, () => {
        const calls = ["parse", "parseToJSON", "fingerprint", "tables", "analyze", "deparse", "normalize", "scan", "split", "complete", "lint", "format", "parsePlpgsql", "concrete"];
        for (const call of calls) {
            for (const value of NO_SQL) assert.throws(() => pg[call](value), TypeError, `${call} of ${String(value)}`);
        }
        for (const value of [undefined, Symbol("tree"), () => 1, 5n]) assert.throws(() => pg.deparseJSON(value), TypeError);
        for (const value of [null, 5, "SELECT", [], { stmts: 5 }, { stmts: [{ stmt: { NoNode: {} } }] }]) {
            assert.throws(() => pg.deparseJSON(value), api.ParseError, JSON.stringify(value));
        }
        assert.equal(pg.deparse("select 1"), "SELECT 1");
    });

    test(`${name}: settings that there are not`, async () => {
        for (const version of [0, 14, 19, 18.5, -18, NaN, "constructor", "__proto__", {}, Symbol("18"), null]) {
            await assert.rejects(api.load(version), TypeError);
        }
        for (const width of [-1, 1.5, NaN, Infinity, 2 ** 32, "80", null, Symbol("80")]) {
            assert.throws(() => pg.format("SELECT 1", { width }), RangeError);
            assert.throws(() => pg.format("SELECT 1", { indent: width }), RangeError);
        }
        for (const value of [null, 5, "title", Symbol("upper")]) {
            for (const setting of ["keywords", "commas", "style", "columns"]) {
                assert.throws(() => pg.format("SELECT 1", { [setting]: value }), TypeError);
            }
        }
        for (const offset of [NaN, -Infinity, Infinity, 1.5, "3", null, {}]) assert.ok(pg.complete("SELECT é", offset).expected);
    });

    test(`${name}: a module that is not one of ours, or of another version`, async () => {
        const other = readFileSync(new URL("../dist/pg17.wasm", import.meta.url));
        await assert.rejects(api.load(18, { wasm: other }), TypeError);
        const empty = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
        await assert.rejects(api.load(18, { wasm: empty }), TypeError);
        await assert.rejects(api.load(18, { wasm: new Uint8Array(8) }), WebAssembly.CompileError);
        await assert.rejects(api.load(18, { wasm: "pg18.wasm" }), TypeError);
        assert.equal((await api.load(17, { wasm: Promise.resolve(other) })).deparse("select 1"), "SELECT 1");
    });

    test(`${name}: after a tree has been disposed of`, () => {
        const tree = pg.parse("SELECT a FROM t WHERE b = 1", { ranges: true });
        const [raw] = tree.stmts;
        assert.deepEqual(tree.range(raw.stmt), [0, 27]);
        const nodes = tree.nodes();
        nodes.next();
        tree.dispose();
        tree.dispose();
        const reads = {
            stmts: () => tree.stmts,
            toJSON: () => tree.toJSON(),
            json: () => tree.json(),
            walk: () => tree.walk(() => {}),
            nodes: () => nodes.next(),
            range: () => tree.range(raw.stmt),
            fingerprint: () => tree.fingerprint(),
            tables: () => tree.tables(),
            analyze: () => tree.analyze(),
            warnings: () => tree.warnings(),
            deparse: () => tree.deparse(),
            "a field": () => raw.stmt_len,
            "a node": () => raw.stmt,
            children: () => raw.children,
            "a node's toJSON": () => raw.toJSON(),
        };
        for (const [read, f] of Object.entries(reads)) assert.throws(f, { name: "ParseError", kind: "Disposed" }, read);
        // Its memory is another tree's now.
        const other = pg.parse("DELETE FROM x");
        assert.throws(() => raw.stmt, { kind: "Disposed" });
        assert.equal(other.stmts[0].stmt.nodeTag, "DeleteStmt");
        other.dispose();

        const walked = pg.parse("SELECT 1");
        assert.throws(() => walked.walk(() => walked.dispose()), { kind: "Disposed" });
    });

    test(`${name}: a node of another tree`, async () => {
        const older = await api.load(17);
        const [tree, sibling, other] = [pg.parse("SELECT 1", { ranges: true }), pg.parse("SELECT 1", { ranges: true }), older.parse("SELECT 1")];
        for (const node of [sibling.stmts[0], other.stmts[0], {}, undefined, null, 5]) assert.throws(() => tree.range(node), TypeError);
        for (const each of [tree, sibling, other]) each.dispose();
    });

    test(`${name}: halves of characters, NUL and marks of byte order`, () => {
        const sql = "SELECT '\uD83D', \"\uDE00\" FROM \"\uD83D\uDE00\" WHERE x";
        const tree = pg.parse(sql, { ranges: true });
        const { targetList, fromClause, whereClause } = tree.stmts[0].stmt;
        // In UTF-8 there is no half.
        assert.equal(targetList[0].val.val.sval, "\uFFFD");
        assert.equal(fromClause[0].relname, "\uD83D\uDE00");
        assert.equal(sql.slice(...tree.range(targetList[1])), '"\uDE00"');
        assert.equal(sql.slice(...tree.range(whereClause)), "x");
        tree.dispose();

        assert.throws(() => pg.parse("SELECT 'é\0'"), (error) => error.kind === "Nul" && error.cursor === 9);
        for (const call of ["normalize", "scan", "split", "complete", "lint", "format", "concrete"]) {
            try {
                pg[call]("SELECT '\0' \uD83D");
            } catch (error) {
                assert.ok(error instanceof api.ParseError, `${call}: ${error.stack}`);
            }
        }
        const marks = pg.parse("SELECT '\uFEFFa', '\uFEFF' AS \"\uFEFFb\"");
        assert.deepEqual(marks.stmts[0].stmt.targetList.map(({ val }) => val.val.sval), ["\uFEFFa", "\uFEFF"]);
        assert.equal(marks.stmts[0].stmt.targetList[1].name, "\uFEFFb");
        assert.equal(marks.deparse(), "SELECT '\uFEFFa', '\uFEFF' AS \"\uFEFFb\"");
        marks.dispose();
    });

    // It takes a minute.
    test(`${name}: 100,000 levels`, { skip: api === common && "as the ES module" }, () => {
        const levels = 100_000;
        for (const shape of SHAPES) {
            const sql = deepSql(shape, levels);
            for (const call of ["parseToJSON", "fingerprint", "tables", "analyze", "deparse", "normalize", "scan", "split", "complete", "lint", "format", "concrete"]) {
                try {
                    pg[call](sql);
                } catch (error) {
                    assert.ok(error instanceof api.ParseError, `${call} of ${shape[1]}: ${error.stack}`);
                    // The cause of the error is that of the engine if it was a trap.
                    assert.equal(error.cause, undefined, `${call} of ${shape[1]}: ${error.message}`);
                }
            }
        }
        const tree = pg.parse(`SELECT 1${" + 1".repeat(levels)}`);
        assert.throws(() => tree.stmts[0].toJSON(), { kind: "TooDeep" });
        assert.throws(() => tree.toObject({ defaults: true }), { kind: "TooDeep" });
        tree.dispose();
        let nested = { A_Const: { ival: {} } };
        for (let level = 0; level < levels; level++) nested = { List: { items: [nested] } };
        assert.throws(() => pg.deparseJSON({ stmts: [{ stmt: nested }] }), { kind: "TooDeep" });
    });

    test(`${name}: 10 MB of SQL, and the memory afterwards`, () => {
        const statement = "INSERT INTO t (a, b) VALUES (1, 'é'), (2, 'b');\n";
        const count = Math.ceil(10_000_000 / statement.length);
        const sql = statement.repeat(count);
        const tree = pg.parse(sql);
        assert.equal(tree.stmts.length, count);
        assert.deepEqual(tree.tables(), ["t"]);
        const last = tree.stmts.at(-1);
        assert.equal(tree.offset(last.stmt_location), sql.lastIndexOf("INSERT"));
        tree.dispose();
        assert.equal(pg.split(sql).length, count);
        assert.equal(pg.parse(`SELECT '${"x".repeat(10_000_000)}'`).stmts[0].stmt.targetList[0].val.val.sval.length, 10_000_000);
        pg.parse("SELECT 1").dispose();
        // What takes more than 64 MB is given back.
        assert.ok(pg.memorySize <= 2 ** 26, `${pg.memorySize} bytes`);
    });

    test(`${name}: 100,000 trees that are dropped, and as many that are disposed of`, () => {
        const before = pg.memorySize;
        for (let count = 0; count < 100_000; count++) pg.parse(`SELECT a FROM t WHERE b = ${count}`).dispose();
        assert.ok(pg.memorySize < before + 2 ** 23, `${pg.memorySize - before} bytes more`);
        // Nothing waits here, so no registry is asked. All of them have 800 MB.
        const { external } = process.memoryUsage();
        for (let count = 0; count < 100_000; count++) pg.parse(`SELECT a FROM t WHERE b = ${count}`);
        const more = process.memoryUsage().external - external;
        assert.ok(more < 500_000_000, `${more} bytes more`);
    });

    test(`${name}: an instance that has trapped is not called again`, () => {
        const [tree, other] = [pg.parse("SELECT a FROM t"), pg.parse("SELECT b")];
        const handle = tree._handle;
        // No tree of ours: there is no other way.
        tree._handle = 0x7ffffff0;
        assert.throws(() => tree.fingerprint(), (error) => error.kind === "TooDeep" && error.cause instanceof WebAssembly.RuntimeError);
        tree._handle = handle;
        for (const each of [tree, other]) {
            assert.throws(() => each.fingerprint(), { kind: "TooDeep" });
            each.dispose();
            each.dispose();
            assert.throws(() => each.stmts, { kind: "Disposed" });
        }
        assert.equal(pg.fingerprint("SELECT 1"), "50fde20626009aba");
    });
}

test("both at once do not disturb each other", async () => {
    const [one, two] = [await modules.load(18), await common.load(18)];
    const [a, b] = [one.parse("SELECT 1"), two.parse("SELECT 2")];
    assert.equal(a.stmts[0].stmt.targetList[0].val.ival.ival + b.stmts[0].stmt.targetList[0].val.ival.ival, 3);
    assert.throws(() => two.parse("SELEC"), common.ParseError);
    assert.equal(await modules.load(18), one);
    for (const tree of [a, b]) tree.dispose();
});
