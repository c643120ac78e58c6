// With half of the stack that V8 has, each call on SQL of any depth returns a result or an error, and none traps: `tests/wasm` shows
// that for all shapes and calls of Rust, and this for the settings that the package is compiled with.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../src/index.js";
import { deepSql, SHAPES } from "./shapes.mjs";

const PIECES = [10, 48, 79, 98, 130, 198, 396, 498, 2000];
const CALLS = ["deparse", "normalize", "fingerprint", "tables", "analyze", "complete", "lint", "format", "concrete", "parsePlpgsql"];

if (process.argv.includes("run")) {
    const pg = await load(18, { tools: true });
    let results = 0;
    for (const shape of SHAPES) {
        for (const pieces of PIECES) {
            const sql = deepSql(shape, pieces);
            for (const call of CALLS) {
                try {
                    pg[call](sql);
                    results++;
                } catch (error) {
                    // The cause of the error is that of the engine if it was a trap.
                    if (error.cause !== undefined || error.kind !== "TooDeep") console.log(`${call} of ${pieces} ${shape[1]}: ${error.message}`);
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
