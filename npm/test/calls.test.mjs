// The calls, by what a user expects of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { ParseError, load, versions } from "../src/index.js";
import { statements } from "./statements.mjs";

const pg = await load(18);

test("a tree is read by its fields", () => {
    const tree = pg.parse("SELECT name AS n, 1 FROM app.users WHERE id = $1");
    const select = tree.stmts[0].stmt;
    assert.equal(select.nodeTag, "SelectStmt");
    assert.equal(select.targetList[0].name, "n");
    assert.equal(select.targetList[1].val.val.ival, 1);
    assert.equal(select.targetList[1].val.ival.ival, 1);
    assert.equal(select.fromClause[0].schemaname, "app");
    assert.equal(select.fromClause[0].alias, undefined);
    assert.equal(select.whereClause.kind, "AEXPR_OP");
    assert.equal(select.op, "SETOP_NONE");
    assert.equal(select.all, false);
    assert.match(inspect(select.fromClause[0]), /^{\s*RangeVar: {/);
    assert.deepEqual(select.whereClause.rexpr.toJSON(), { ParamRef: { number: 1, location: 46 } });
    tree.dispose();
});

test("a walk visits each node once, parents first, and leaves out what it is told to", () => {
    const tree = pg.parse("SELECT a FROM t WHERE b IN (SELECT c FROM u)");
    const tags = [];
    tree.walk((node, parent) => {
        tags.push(node.nodeTag);
        assert.equal(parent === undefined, node.nodeTag === "RawStmt");
        if (parent) assert.ok(parent.children.some((child) => child.at === node.at));
    });
    assert.deepEqual(tags, [...tree.nodes()].map((node) => node.nodeTag));
    assert.equal(tags.filter((tag) => tag === "RangeVar").length, 2);
    const tables = [];
    tree.walk((node) => {
        if (node.nodeTag === "RangeVar") tables.push(node.relname);
        return node.nodeTag !== "SubLink";
    });
    assert.deepEqual(tables, ["t"]);
    tree.dispose();
});

test("text of other languages: ranges, cursors and tokens are in UTF-16 units", () => {
    const sql = "SELECT 'é😀', \"größe\" FROM \"日本\" WHERE x = 1";
    const tree = pg.parse(sql, { ranges: true });
    const found = {};
    tree.walk((node) => {
        const range = tree.range(node);
        if (range) (found[node.nodeTag] ??= []).push(sql.slice(...range));
    });
    assert.deepEqual(found.ColumnRef, ['"größe"', "x"]);
    assert.deepEqual(found.RangeVar, ['"日本"']);
    assert.deepEqual(found.A_Expr, ["x = 1"]);
    assert.equal(tree.stmts[0].stmt.targetList[0].val.val.sval, "é😀");
    assert.deepEqual(tree.tables(), ['"日本"'].map((name) => name.replaceAll('"', "")));
    const where = tree.stmts[0].stmt.whereClause;
    assert.equal(tree.offset(where.location), sql.indexOf("="));
    tree.dispose();

    const wrong = "SELECT '😀' FORM é";
    const error = caught(() => pg.parse(wrong));
    assert.equal(wrong.slice(error.cursor), "é");
    assert.deepEqual(pg.scan("a")[0], { token: "IDENT", number: 258, keywordKind: "NO_KEYWORD", range: [0, 1] });
    assert.deepEqual(pg.scan("SELECT '😀', é").map(({ range }) => range), [[0, 6], [7, 11], [11, 12], [13, 14]]);
    assert.deepEqual(pg.split("SELECT '😀';SELECT 2").map(({ sql }) => sql), ["SELECT '😀'", "SELECT 2"]);
});

test("ranges need to be asked for", () => {
    const tree = pg.parse("SELECT 1");
    assert.equal(caught(() => tree.range(tree.stmts[0])).kind, "Unsupported");
    tree.dispose();
});

test("errors are objects", () => {
    const error = caught(() => pg.parse("SELEC 1"));
    assert.ok(error instanceof ParseError && error instanceof Error);
    assert.equal(error.message, 'syntax error at or near "SELEC"');
    assert.equal(error.kind, "Syntax");
    assert.equal(error.cursor, 0);
    assert.deepEqual(error.suggestion, { keyword: "SELECT", range: [0, 5] });
    assert.ok(error.expected.some(({ kind, text }) => kind === "Keyword" && text === "SELECT"));
    assert.equal(error.source.function, "scanner_yyerror");
    assert.equal(caught(() => pg.parse("SELECT '\0'")).kind, "Nul");
});

test("facts", () => {
    assert.deepEqual(pg.tables("SELECT * FROM s.a JOIN b USING (id); DELETE FROM c"), ["s.a", "b", "c"]);
    assert.equal(pg.fingerprint("SELECT 1"), pg.fingerprint("SELECT 2"));
    assert.equal(pg.fingerprint("SELECT 1"), "50fde20626009aba");
    assert.equal(pg.normalize("SELECT 'a' FROM t WHERE b = 1"), "SELECT $1 FROM t WHERE b = $2");
    assert.equal(pg.deparse("select  1 ;"), "SELECT 1");
    assert.match(pg.deparse("select a from t where b", { pretty: true }), /\n/);
    const facts = pg.analyze("INSERT INTO s.t SELECT lower(x.a) FROM u x WHERE x.b = 1");
    assert.deepEqual(facts.tables.map(({ name, context }) => [name, context]).sort(), [["s.t", "Dml"], ["u", "Select"]]);
    assert.deepEqual(facts.functions.map(({ name }) => name), ["lower"]);
    assert.deepEqual(facts.aliases, { x: "u" });
    assert.deepEqual(facts.filterColumns, [{ tableName: "x", column: "b" }]);
    const completion = pg.complete("SELECT * FROM users u WHERE u.");
    assert.deepEqual(completion.tables, [{ tableName: "users", alias: "u" }]);
    assert.ok(completion.names.includes("Column"));
    for (const offset of [-1, 0, 8, 9, 10, 99]) assert.ok(Array.isArray(pg.complete("SELECT '😀', a", offset).expected));
    const tree = pg.parse(String.raw`SELECT 'a\'b'`, { standardConformingStrings: false });
    assert.equal(tree.warnings().length, 1);
    tree.dispose();
});

test("a tree that has been disposed of is an error to read", () => {
    let node;
    {
        const tree = pg.parse("SELECT a FROM t");
        node = tree.stmts[0].stmt;
        tree.dispose();
        tree.dispose();
        for (const read of [() => tree.stmts, () => tree.toJSON(), () => tree.tables(), () => node.targetList, () => node.toJSON()]) {
            assert.equal(caught(read).kind, "Disposed");
        }
    }
    if (Symbol.dispose) assert.equal(typeof pg.parse("")[Symbol.dispose], "function");
});

test("trees that nobody disposes of do not pile up", () => {
    const sql = `SELECT ${Array.from({ length: 300 }, (_, n) => `column${n}`).join(", ")}`;
    const kept = [];
    for (let count = 0; count < 20_000; count++) {
        const tree = pg.parse(sql);
        if (count % 1000 === 0) kept.push(tree);
    }
    assert.ok(process.memoryUsage().external < 2 ** 31, `${process.memoryUsage().external} bytes`);
    // Those that are in use are still there, whichever instance they are of.
    for (const tree of kept) {
        assert.equal(tree.stmts[0].stmt.targetList.length, 300);
        assert.equal(tree.deparse(), sql);
        tree.dispose();
    }
});

test("memory that grows while a tree is read", () => {
    const tree = pg.parse("SELECT a, b FROM t");
    const select = tree.stmts[0].stmt;
    const large = Array.from({ length: 50 }, () => pg.parse(`SELECT '${"x".repeat(500_000)}'`));
    assert.equal(select.targetList[1].val.fields[0].sval, "b");
    for (const other of large) other.dispose();
    tree.dispose();
});

test("hostile text returns an error or a tree", () => {
    const texts = ["", ";", " ", "\uD800", "SELECT '\uDFFF'", "/*", "'", '"', "$$", "E'\\uD800'", "U&'\\D800'", "SELECT 1 /* ü", "\uFEFFSELECT 1",
        "(".repeat(20_000), "SELECT ".repeat(1000), `SELECT ${"-".repeat(10_000)}1`, `SELECT ${"a.".repeat(10_000)}b`, "SELECT $99999999999"];
    for (const sql of statements(pg)) {
        const middle = sql.length >> 1;
        texts.push(sql.slice(0, middle), `${sql.slice(0, middle)})${sql.slice(middle)}`, `${sql.slice(0, middle)} 'é${sql.slice(middle)}`);
    }
    for (const sql of texts) {
        for (const call of ["parseToJSON", "fingerprint", "normalize", "scan", "split", "complete", "tables", "deparse"]) {
            try {
                pg[call](sql);
            } catch (error) {
                assert.ok(error instanceof ParseError, `${call}: ${error.stack}`);
                assert.ok(error.cursor === undefined || (error.cursor >= 0 && error.cursor <= sql.length), sql);
            }
        }
    }
});

test("deep SQL is a tree, or the error TooDeep", () => {
    const levels = 50_000;
    const chain = `SELECT 1${" + 1".repeat(levels)}`;
    const tree = pg.parse(chain);
    let count = 0;
    tree.walk(() => void count++);
    assert.ok(count > 2 * levels);
    assert.equal([...tree.nodes()].length, count);
    assert.equal(tree.toJSON().stmts.length, 1);
    assert.equal(tree.fingerprint().length, 16);
    assert.equal(caught(() => tree.deparse()).kind, "TooDeep");
    tree.dispose();
    assert.equal(caught(() => pg.parse(`SELECT ${"(".repeat(50_000)}1${")".repeat(50_000)}`)).kind, "TooDeep");
});

test("a call near the end of JavaScript's stack reports TooDeep, and the next one works", () => {
    const kinds = new Set();
    const deepen = () => {
        try {
            deepen();
        } catch {
            // Here, there is nearly nothing left.
        }
        try {
            pg.parse("SELECT 1").dispose();
        } catch (error) {
            kinds.add(error.kind);
        }
    };
    deepen();
    for (const kind of kinds) assert.ok(kind === "TooDeep" || kind === undefined, kind);
    assert.equal(pg.deparse("SELECT 1"), "SELECT 1");
});

test("each version is its own", async () => {
    assert.deepEqual(versions, [16, 17, 18]);
    for (const version of versions) {
        const parser = await load(version);
        assert.equal(Math.floor(parser.versionNumber / 10000), version);
        assert.equal(parser, await load(version));
        assert.equal(parser.hasTools, false);
    }
    const old = await load(16);
    const sql = "MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE RETURNING *";
    assert.equal(caught(() => old.parse(sql)).kind, "Syntax");
    pg.parse(sql).dispose();
    await assert.rejects(load(14), TypeError);
});

function caught(call) {
    try {
        call();
    } catch (error) {
        return error;
    }
    assert.fail("no error");
}
