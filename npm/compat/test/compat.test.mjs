// Programs that use these packages see no difference.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as supabase from "@supabase/pg-parser";
import * as peer17 from "libpg-query-17";
import * as peer18 from "libpg-query-18";
import * as ours17 from "@pg-ast/compat/17";
import * as ours18 from "@pg-ast/compat/18";
import * as ourSupabase from "@pg-ast/compat/supabase";
import { load } from "@pg-ast/parser";
import { statements } from "../../test/statements.mjs";

/** Fields that libpg_query has had since, and that this release of libpg-query does not know. */
const NEWER = new Set(["arg_location", "conninfo_location", "payload_location"]);

/** Those of PL/pgSQL. */
const NEWER_IN_BODIES = new Set(["location", "end", "stmtid"]);
const sql = statements(await load(18));

for (const [version, peer, ours] of [
    [17, peer17, ours17],
    [18, peer18, ours18],
]) {
    test(`libpg-query ${version}: the same names, trees and errors`, async () => {
        assert.throws(() => ours.parseSync("SELECT 1"), /Call `loadModule\(\)` first/);
        await Promise.all([peer.loadModule(), ours.loadModule()]);
        // Theirs is CommonJS, which node gives names of its own.
        const ofNode = ["default", "__esModule", "module.exports"];
        assert.deepEqual(Object.keys(ours).sort(), Object.keys(peer).filter((name) => !ofNode.includes(name)).sort());
        const wrong = ["SELEC 1", "SELECT 'é😀' FORM x", "SELECT '", "", "  ", null, undefined, 1, "SELECT 1 FROM FROM"];
        for (const text of [...sql, ...wrong]) {
            const [theirs, own] = [peer, ours].map(({ parseSync, formatSqlError, hasSqlDetails }) => {
                try {
                    return { stmts: known(parseSync(text).stmts) };
                } catch (error) {
                    // The line is that of another release's sources.
                    if (error.sqlDetails) delete error.sqlDetails.lineNumber;
                    const shown = [{}, { color: true }, { maxQueryLength: 10 }, { showPosition: false }, { showQuery: false }];
                    return {
                        // 17 has fields that are undefined.
                        ...{ name: error.name, message: error.message, has: hasSqlDetails(error) },
                        details: error.sqlDetails && known(error.sqlDetails),
                        shown: typeof text === "string" && shown.map((options) => formatSqlError(error, text, options)),
                    };
                }
            });
            assert.deepEqual(own, theirs, text);
        }
        assert.deepEqual(await ours.parse("SELECT 1"), ours.parseSync("SELECT 1"));
        await assert.rejects(ours.parse("SELEC 1"), ours.SqlError);
    });
}

test("libpg-query 18: fingerprints and normalized SQL of queries, tokens, PL/pgSQL", async () => {
    await Promise.all([peer18.loadModule(), ours18.loadModule()]);
    const both = (call, text) => {
        const [theirs, own] = [peer18, ours18].map((api) => {
            try {
                const result = api[call](text);
                if (call === "parsePlPgSQLSync") return known(result, NEWER_IN_BODIES).plpgsql_funcs.map((one) => one.PLpgSQL_function.action);
                return call === "scanSync" ? result.tokens : result;
            } catch (error) {
                return error.message;
            }
        });
        assert.deepEqual(own, theirs, `${call}: ${text}`);
    };
    let queries = 0;
    for (const text of [...sql, "SELECT 'é😀' -- é", "SELEC"]) {
        both("scanSync", text);
        // It is of a fork of libpg_query, which leaves more of them as they are.
        if (!/FUNCTION|PROCEDURE|SUBSCRIPTION|\bDO\b/.test(text)) both("normalizeSync", text);
        // Other statements have other ones in another release of libpg_query: see the README.
        if (!/^(SELECT|INSERT|UPDATE|DELETE|VALUES|WITH)\b/.test(text)) continue;
        queries++;
        both("fingerprintSync", text);
    }
    assert.ok(queries > 300, `${queries}`);
    both("parsePlPgSQLSync", "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$");
    both("parsePlPgSQLSync", "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGN $$");
    for (const call of ["fingerprintSync", "normalizeSync", "parsePlPgSQLSync"]) {
        assert.throws(() => ours18[call](null), TypeError);
        // Theirs returns the message instead.
        assert.throws(() => ours18[call]("SELECT '"), /unterminated quoted string/);
    }
    assert.equal(await ours18.fingerprint("SELECT 1"), await peer18.fingerprint("SELECT 1"));
});

test("@supabase/pg-parser: the same trees, errors and tokens; printed trees are the same trees", async () => {
    const theirs = new supabase.PgParser();
    const ours = new ourSupabase.PgParser();
    await ours.ready;
    assert.deepEqual(Object.keys(ourSupabase).sort(), Object.keys(supabase).sort());
    for (const text of [...sql.filter((_, index) => index % 3 === 0), "SELEC 1", "SELECT 'é' FORM x", "SELECT '"]) {
        const [expected, found] = [await theirs.parse(text), await ours.parse(text)];
        assert.deepEqual(found.error && plain(found.error), expected.error && plain(expected.error), text);
        if (!expected.tree) continue;
        assert.deepEqual(known(found.tree.stmts), expected.tree.stmts, text);
        const printed = await ours.deparse(found.tree);
        assert.equal(printed.error, undefined, text);
        assert.ok((await ours.parse(printed.sql)).tree, printed.sql);
        assert.deepEqual(await ours.scan(text), await theirs.scan(text), text);
    }
    assert.equal(await ourSupabase.unwrapDeparseResult(ours.deparse((await ours.parse("select  1")).tree)), "SELECT 1");
    assert.throws(() => new ourSupabase.PgParser({ version: 15 }), /unsupported version/);
});

test("pgsql-parser runs on it unedited, by an override of its dependency", async () => {
    // What `"overrides": { "libpg-query": "npm:@pg-ast/compat" }` makes of node_modules.
    const folder = mkdtempSync(join(tmpdir(), "pg-ast-compat-"));
    const modules = join(folder, "node_modules");
    const own = fileURLToPath(new URL("../", import.meta.url));
    mkdirSync(modules);
    for (const name of ["pgsql-parser", "pgsql-deparser", "@pgsql"]) {
        cpSync(join(own, "node_modules", name), join(modules, name), { recursive: true });
    }
    symlinkSync(own, join(modules, "libpg-query"));
    const theirs = createRequire(import.meta.url)("pgsql-parser");
    const ours = createRequire(join(folder, "program.js"))("pgsql-parser");
    await Promise.all([theirs.loadModule(), ours.loadModule()]);
    assert.notEqual(ours.parseSync, theirs.parseSync);
    let printed = 0;
    for (const text of sql) {
        const [expected, found] = [theirs, ours].map((parser) => {
            try {
                return { sql: parser.deparseSync(parser.parseSync(text)) };
            } catch (error) {
                return { error: error.message };
            }
        });
        assert.deepEqual(found, expected, text);
        if (found.sql) printed++;
    }
    assert.ok(printed > 1000, `${printed}`);
    rmSync(folder, { recursive: true });
});

function known(value, newer = NEWER) {
    return JSON.parse(JSON.stringify(value), (name, inner) => (newer.has(name) ? undefined : inner));
}

function plain({ name, message, type, position }) {
    return { name, message, type, position };
}
