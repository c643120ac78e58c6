// Builds the package: the modules and their licences, the readers and their types, and what CommonJS loads.
//
//   node build.mjs             all of it, for PostgreSQL 16, 17 and 18
//   node build.mjs 18          one version
//   node build.mjs 18 core     without the larger module
//
// It needs Rust with the target wasm32-unknown-unknown, and Clang (docs/platforms.md).

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { reader } from "./codegen/reader.mjs";
import { types } from "./codegen/types.mjs";
import { licences } from "./licences.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${here}../target`;
const arguments_ = process.argv.slice(2);
const isCore = arguments_.includes("core");
const wanted = arguments_.filter((argument) => argument !== "core");
const versions = wanted.length > 0 ? wanted : ["16", "17", "18"];

const environment = {
    ...process.env,
    // Node 20 does not know the newer encoding of exceptions, and everything else knows this one as well.
    LIBPG_QUERY_WASM_EXCEPTIONS: "legacy",
};

/** The features of WebAssembly that the modules use: no engine that is older than they are is supported. */
const features = [
    "bulk-memory",
    "bulk-memory-opt",
    "exception-handling",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
];

/** Exports that nobody calls: what Rust's functions for C are by default, and what is only for the build. */
const notExported = new Set(["libpg_query_malloc", "libpg_query_realloc", "libpg_query_free", "libpg_query_strtod", "layout", "__data_end", "__heap_base"]);

function run(command, ...rest) {
    execFileSync(command, rest, { cwd: here, env: environment, stdio: "inherit" });
}

/** Calls a program of binaryen, which prints what it removes. */
function binaryen(program, ...rest) {
    const path = `${here}node_modules/binaryen/bin/${program}`;
    const enabled = features.map((feature) => `--enable-${feature}`);
    execFileSync(process.execPath, [path, ...enabled, ...rest], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
}

/** Compiles a module, and returns its layout: where the fields of its nodes are. */
function compile(name, cargoFeatures) {
    run(
        "cargo", "build", "--locked", "--release", "--manifest-path", "wasm/Cargo.toml",
        "--target", "wasm32-unknown-unknown", "--target-dir", target, "--features", cargoFeatures,
    );
    const built = `${target}/wasm32-unknown-unknown/release/pg_ast_npm.wasm`;
    const to = `${here}dist/${name}.wasm`;
    const module = new WebAssembly.Module(readFileSync(built));
    const layout = layoutOf(module);
    const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
    const roots = exports.filter((name) => !notExported.has(name)).map((name) => ({ name, export: name, root: true }));
    writeFileSync(`${here}build/exports.json`, JSON.stringify(roots));
    binaryen("wasm-metadce", built, `--graph-file=${here}build/exports.json`, "-o", to);
    binaryen(
        "wasm-opt", "-Oz", "--strip-debug", "--strip-producers", "--strip-target-features",
        // In pieces without zeroes, data is smaller, but not when it is compressed.
        "--skip-pass=memory-packing",
        // A function with all that only it calls has a frame of kilobytes, and node 20 traps where a tree is two hundred levels deep.
        "--one-caller-inline-max-function-size=0",
        to, "-o", to,
    );
    const bytes = readFileSync(to);
    console.log(`${name}.wasm: ${kilobytes(bytes)} KB, ${kilobytes(gzipSync(bytes, { level: 9 }))} KB gzipped`);
    return layout;
}

function kilobytes(bytes) {
    return Math.round(bytes.length / 1000);
}

function layoutOf(module) {
    const { exports } = new WebAssembly.Instance(module);
    exports.layout();
    const [at, length] = new Uint32Array(exports.memory.buffer, exports.out(), 2);
    return Buffer.from(exports.memory.buffer, at, length).toString();
}

mkdirSync(`${here}dist`, { recursive: true });
mkdirSync(`${here}build`, { recursive: true });
for (const version of versions) {
    const name = `pg${version}`;
    const layout = compile(name, name);
    // The reader is that of both modules.
    if (!isCore && compile(`${name}-tools`, `${name},tools`) !== layout) {
        throw new Error(`${name}: the two modules have different layouts`);
    }
    writeFileSync(`${here}build/${name}.layout.json`, layout);
    run("cargo", "run", "--locked", "-q", "--manifest-path", "../Cargo.toml", "-p", "libpg_query_tools", "--", "npm", name);
    const schema = JSON.parse(readFileSync(`${here}build/${name}.schema.json`, "utf8"));
    writeFileSync(`${here}dist/${name}.js`, reader(JSON.parse(layout)));
    writeFileSync(`${here}dist/${name}.d.ts`, types(JSON.parse(layout), schema));
}

// Those of the newest version, which has the latest years.
const newest = `pg${versions.toSorted((a, b) => a - b).at(-1)}`;
const ofC = readFileSync(`${here}build/${newest}.licences.txt`, "utf8");
writeFileSync(`${here}dist/LICENCES.txt`, licences(ofC, isCore ? newest : `${newest},tools`));

const readers = ["16", "17", "18"].map((version) => `${here}dist/pg${version}.js`);

// CommonJS: one file, which finds the modules beside it, and the readers in it.
await build({
    entryPoints: [`${here}src/index.js`],
    outfile: `${here}dist/index.cjs`,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    alias: { "#load": `${here}src/load-files.js` },
    // Those that have not been built yet.
    external: readers.filter((path) => !existsSync(path)),
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    logLevel: "warning",
});
// The types of the nodes are in ES modules.
const declarations = readFileSync(`${here}src/index.d.ts`, "utf8");
const ofCommonJs = declarations.replace(/(from "\.\.\/dist\/pg\d+\.js");/g, '$1 with { "resolution-mode": "import" };');
writeFileSync(`${here}dist/index.d.cts`, ofCommonJs);
