// The calls of the larger module.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, versions } from "../src/index.js";
import { statements } from "./statements.mjs";

const pg = await load(18, { tools: true });

test("the smaller module has none of these calls", async () => {
    const small = await load(18);
    for (const call of ["lint", "format", "parsePlpgsql", "concrete"]) {
        assert.throws(() => small[call]("SELECT 1"), { kind: "Unsupported" });
    }
    assert.ok(pg.hasTools);
});

test("lint", () => {
    const sql = "SELECT 'é'; DELETE FROM t";
    const findings = pg.lint(sql);
    assert.equal(findings.length, 1);
    assert.equal(findings[0].rule, "delete-without-where");
    assert.equal(sql.slice(...findings[0].range), "t");
    const [wrong] = pg.lint("SELEC 1");
    assert.deepEqual(wrong.fix.changes, [{ range: [0, 5], text: "SELECT" }]);
});

test("format", () => {
    const { text, errors } = pg.format("select a,b -- é\nfrom t where x=1;");
    assert.match(text, /^SELECT a/);
    assert.match(text, /-- é/);
    assert.deepEqual(errors, []);
    assert.match(pg.format("SELECT a FROM t", { keywords: "lower" }).text, /^select a from t/);
    assert.equal(pg.format("SELEC é 1").errors[0].kind, "Syntax");
    assert.throws(() => pg.format("SELECT 1", { keywords: "title" }), TypeError);
});

test("PL/pgSQL", () => {
    const sql = "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$";
    assert.ok(pg.parsePlpgsql(sql)[0].PLpgSQL_function);
    assert.throws(() => pg.parsePlpgsql("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGN $$"), { kind: "Syntax" });
});

test("concrete trees", () => {
    const sql = "SELECT 'é' /* c */ FORM t";
    const leaves = (node) => (node.children ? node.children.flatMap(leaves) : [sql.slice(...node.range)]);
    assert.equal(leaves(pg.concrete(sql)).join(""), sql);
});

for (const version of versions) {
    test(`PostgreSQL ${version}: each of these calls, for all statements`, async () => {
        const parser = await load(version, { tools: true });
        assert.ok(parser.hasTools);
        let printed = 0;
        for (const sql of statements(parser)) {
            const leaves = (node) => (node.children ? node.children.flatMap(leaves) : [sql.slice(...node.range)]);
            assert.equal(leaves(parser.concrete(sql)).join(""), sql);
            for (const { range } of parser.lint(sql)) assert.ok(range[0] <= range[1] && range[1] <= sql.length, sql);
            const { text } = parser.format(sql);
            try {
                const before = parser.fingerprint(sql);
                assert.equal(parser.fingerprint(text), before, sql);
                // These trees do not tell an empty string from none.
                if (!sql.includes("''")) assert.equal(parser.fingerprint(parser.deparseJSON(parser.parseToJSON(sql))), before, sql);
                printed++;
            } catch (error) {
                // Some are of another version.
                if (error.kind !== "Syntax") throw error;
            }
            try {
                parser.parsePlpgsql(sql);
            } catch (error) {
                assert.equal(error.kind, "Syntax", `${sql}: ${error.message}`);
            }
        }
        assert.ok(printed > 1200, `${printed}`);
    });
}
