// Runs the program in node, as other programs in JavaScript would.
//
//   node run.mjs module.wasm report tests/statements/*.sql      prints what `main.rs` prints
//   node --stack-size=492 run.mjs module.wasm deep 60 400       every call on SQL of so many pieces; nothing may trap
//   node --stack-size=492 run.mjs module.wasm deepest

import { readFileSync, writeSync } from "node:fs";
import { WASI } from "node:wasi";

const [path, call, ...rest] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));

// wasm32-unknown-unknown imports nothing.
function instantiate() {
    if (WebAssembly.Module.imports(module).length === 0) return new WebAssembly.Instance(module).exports;
    const wasi = new WASI({ version: "preview1" });
    const instance = new WebAssembly.Instance(module, wasi.getImportObject());
    wasi.initialize(instance);
    return instance.exports;
}

let wasm = instantiate();

function result(at) {
    return Buffer.from(wasm.memory.buffer, at, wasm.length()).toString();
}

function print(text) {
    for (let bytes = Buffer.from(text), at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

// Returns how many calls trapped.
function deep(pieces) {
    let traps = 0;
    for (let shape = 0; shape < wasm.shapes(); shape++) {
        for (let verb = 0; verb < wasm.verbs(); verb++) {
            try {
                wasm.run(shape, verb, pieces);
            } catch (error) {
                wasm = instantiate();
                print(`trap with ${pieces} pieces: ${result(wasm.names(shape, verb))}: ${error}\n`);
                traps++;
            }
        }
    }
    return traps;
}

if (call === "deep") {
    const traps = rest.map((pieces) => deep(Number(pieces))).reduce((sum, traps) => sum + traps, 0);
    print(`${wasm.shapes() * wasm.verbs() * rest.length} calls, ${traps} traps\n`);
    process.exitCode = traps === 0 ? 0 : 1;
} else if (call === "deepest") {
    print(result(wasm.deepest()));
} else {
    for (const file of rest) {
        const script = readFileSync(file);
        const at = wasm.input(script.length);
        new Uint8Array(wasm.memory.buffer, at, script.length).set(script);
        print(result(wasm[`${call}_of_text`]()));
    }
}
