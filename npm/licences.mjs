// The licences of what is compiled into the modules, whose texts have to go with them: dist/LICENCES.txt.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const manifest = fileURLToPath(new URL("wasm/Cargo.toml", import.meta.url));
const output = (command, ...rest) => execFileSync(command, rest, { encoding: "utf8", maxBuffer: 1 << 28 });

/** Returns the licences of C, which the build has written for a version, and those of Rust packages with some features. */
export function licences(ofC, features) {
    return [ofC, ...crates(features), standardLibrary()].join(`\n${"-".repeat(80)}\n\n`);
}

/** Each package of others that is in a module, with its licences. */
function crates(features) {
    const { packages, resolve } = JSON.parse(
        output(
            "cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", manifest,
            "--filter-platform", "wasm32-unknown-unknown", "--features", features,
        ),
    );
    const byId = new Map(packages.map((item) => [item.id, item]));
    const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
    const isMacro = (id) => byId.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
    // What only a build script or a macro needs is not in the module.
    const inModule = new Set([resolve.root]);
    for (const id of inModule) {
        for (const { pkg, dep_kinds } of nodes.get(id).deps) {
            if (dep_kinds.some(({ kind }) => kind === null) && !isMacro(pkg)) inModule.add(pkg);
        }
    }
    return [...inModule]
        .map((id) => byId.get(id))
        .filter(({ source }) => source !== null)
        .sort((a, b) => a.name.localeCompare(b.name))
        .map(({ name, version, license, manifest_path }) => {
            const folder = dirname(manifest_path);
            const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|unlicense)/i.test(file));
            // Of several licences, which are ours to choose from, the shortest one.
            const mit = files.filter((file) => /mit/i.test(file));
            const texts = (mit.length > 0 ? mit : files).map((file) => readFileSync(join(folder, file), "utf8").trim());
            if (texts.length === 0) throw new Error(`${name} has no file with its licence`);
            return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
        });
}

function standardLibrary() {
    const path = join(output("rustc", "--print", "sysroot").trim(), "share/doc/rust/licenses/MIT.txt");
    if (!existsSync(path)) throw new Error(`there is no licence of Rust's standard library at ${path}`);
    const text = readFileSync(path, "utf8").replace("<year> <copyright holders>", "The Rust Project contributors");
    return `Rust's standard library (MIT OR Apache-2.0)\n\n${text}`;
}
