// Trees and errors are those of libpg-query.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as peer17 from "libpg-query";
import * as peer18 from "libpg-query-18";
import { load } from "../src/index.js";
import { statements } from "./statements.mjs";

/** Fields that libpg_query has had since, and that this release of libpg-query does not know. */
const NEWER = new Set(["arg_location", "conninfo_location", "payload_location"]);

for (const [version, peer] of [
    [17, peer17],
    [18, peer18],
]) {
    test(`PostgreSQL ${version}: trees and errors of all statements`, async () => {
        const pg = await load(version);
        await peer.loadModule();
        let trees = 0;
        let errors = 0;
        const different = [];
        for (const sql of statements(pg)) {
            const [theirs, ours] = [() => peer.parseSync(sql), () => pg.parseToJSON(sql)].map(result);
            if (theirs.error === undefined) trees++;
            else errors++;
            try {
                assert.deepEqual(ours.error, theirs.error, sql);
                // `version` is that of PostgreSQL's sources, of which they may have a later release.
                if (theirs.value) assert.deepEqual(known(ours.value.stmts), theirs.value.stmts, sql);
            } catch {
                different.push(sql);
            }
        }
        assert.deepEqual(different, []);
        assert.ok(trees > 1200 && errors < 200, `${trees} trees and ${errors} errors`);
    });
}

for (const version of [16, 17, 18]) {
    test(`PostgreSQL ${version}: what JavaScript reads is what Rust reads`, async () => {
        const pg = await load(version);
        for (const sql of statements(pg)) {
            const tree = result(() => pg.parse(sql)).value;
            if (tree === undefined) continue;
            // Rust cannot tell an empty string from none, and libpg_query does before 18.
            const [ours, theirs] = [JSON.stringify(tree), tree.json()].map((text) => JSON.parse(text, (_, value) => (value === "" ? undefined : value)));
            assert.deepEqual(ours, theirs, sql);
            const { stmts } = tree.toJSON();
            tree.stmts.forEach((stmt, index) => agree(stmt, stmts[index], sql));
            tree.dispose();
        }
    });
}

function known(value) {
    return JSON.parse(JSON.stringify(value), (name, inner) => (NEWER.has(name) ? undefined : inner));
}

/** The value of a call, or the message of its error. */
function result(call) {
    try {
        return { value: call() };
    } catch (error) {
        return { error: error.message };
    }
}

/** Checks that the typed fields of a node have what its plain object has: what is left out there is a default. */
function agree(node, object, sql) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(node)))) {
        if (get === undefined || name === "nodeTag" || name === "tag") continue;
        // JSON names it by its type, as another field does.
        if (node.nodeTag === "A_Const" && name === "val") continue;
        const value = node[name];
        const inJson = object[name];
        const place = `${node.nodeTag}.${name} of ${sql}`;
        if (inJson === undefined) {
            const isEmpty = !value || (Array.isArray(value) && value.length === 0);
            assert.ok(isEmpty, place);
        } else if (Array.isArray(value)) {
            assert.equal(value.length, inJson.length, place);
            value.forEach((item, index) => agreeWrapped(item, inJson[index], place));
        } else if (typeof value === "object") {
            // A field for any node has the type around it.
            if (Object.keys(inJson)[0] === value.nodeTag) agreeWrapped(value, inJson, place);
            else agree(value, inJson, sql);
        } else {
            assert.equal(value ?? "", inJson, place);
        }
    }
}

function agreeWrapped(item, object, place) {
    if (item === undefined) assert.deepEqual(object, {}, place);
    else if (typeof item === "number") assert.equal(item, object, place);
    else agree(item, object[item.nodeTag], place);
}
