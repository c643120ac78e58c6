// Trees and errors are those of libpg-query.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as peer17 from "libpg-query";
import * as peer18 from "libpg-query-18";
import { load } from "../src/index.js";
import { statements } from "./statements.mjs";

/** Fields that libpg_query has had since, and that this release of libpg-query does not know. */
const NEWER = new Set(["arg_location", "conninfo_location"]);

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
            assert.deepEqual(tree.toJSON(), JSON.parse(tree.json()), sql);
            // Each node by its own fields.
            for (const stmt of tree.stmts) assert.deepEqual(plain(stmt), tree.toJSON().stmts[tree.stmts.findIndex((one) => one.at === stmt.at)], sql);
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

/** A node as a plain object, made by reading its typed fields one after the other. */
function plain(node) {
    const object = {};
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(node)))) {
        if (get === undefined || name === "nodeTag" || name === "tag") continue;
        // The value of a constant also has a name by its type, and that one is in JSON.
        if (node.nodeTag === "A_Const" && name === "val") continue;
        const value = node[name];
        if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
        // What JSON leaves out.
        if (value === 0 || value === false || value === "") continue;
        object[name] = Array.isArray(value) ? value.map(inNode) : typeof value === "object" ? child(node, name, value) : value;
    }
    return object;
}

/** The fields that have a node of any type have its type around it. */
function child(parent, name, node) {
    const json = parent.tree.reader.json(parent.tree.memory, parent.at, parent.tag)[parent.nodeTag];
    const isWrapped = json !== undefined && json[name] !== null && Object.keys(json[name] ?? {})[0] === node.nodeTag;
    return isWrapped ? inNode(node) : plain(node);
}

function inNode(node) {
    if (node === undefined) return {};
    if (typeof node === "number") return node;
    return { [node.nodeTag]: plain(node) };
}
