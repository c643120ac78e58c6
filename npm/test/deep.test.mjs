// With half of the stack that V8 has, each call on SQL of any depth returns a result or an error, and none traps: `tests/wasm` shows
// that for all shapes and calls of Rust, and this for the settings that the package is compiled with.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../src/index.js";

/** The beginning, what is repeated, the middle, and what is repeated after it. */
const SHAPES = [
    ["SELECT * FROM ", "(SELECT * FROM ", "t", ") x"],
    ["SELECT ", "NOT ", "true", ""],
    ["SELECT 1", " + 1", "", ""],
    ["SELECT 1", "::int", "", ""],
    ["SELECT 1", " UNION SELECT 1", "", ""],
    ["SELECT 1 FROM t", " JOIN t ON true", "", ""],
    ["SELECT ", "f(", "1", ")"],
    ["SELECT ", "CASE WHEN a THEN ", "1", " END"],
    ["SELECT ", "ARRAY[", "1", "]"],
    ["SELECT ", "EXISTS (SELECT ", "1", ")"],
    ["SELECT a", "[1]", "", ""],
    ["SELECT ", "json_object('a': ", "1", ")"],
    ["SELECT a", ' COLLATE "C"', "", ""],
    ["SELECT a", " IS NULL", "", ""],
    ["SELECT ", "ROW(", "1", ")"],
];
const PIECES = [10, 48, 79, 98, 130, 198, 396, 498, 2000];
const CALLS = ["deparse", "normalize", "fingerprint", "tables", "analyze", "complete", "lint", "format", "concrete", "parsePlpgsql"];

if (process.argv.includes("run")) {
    const pg = await load(18, { tools: true });
    let results = 0;
    for (const [begin, before, middle, behind] of SHAPES) {
        for (const pieces of PIECES) {
            const sql = begin + before.repeat(pieces) + middle + behind.repeat(pieces);
            for (const call of CALLS) {
                try {
                    pg[call](sql);
                    results++;
                } catch (error) {
                    // The cause of the error is that of the engine if it was a trap.
                    if (error.cause !== undefined || error.kind !== "TooDeep") console.log(`${call} of ${pieces} ${before}: ${error.message}`);
                }
            }
        }
    }
    console.log(`${results > 1000 ? "many" : results} results`);
} else {
    test("no call traps with half of the stack", () => {
        const { stdout, stderr } = spawnSync(process.execPath, ["--stack-size=492", fileURLToPath(import.meta.url), "run"], { encoding: "utf8" });
        assert.equal(stdout, "many results\n", stderr);
    });
}
