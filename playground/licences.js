// A plugin of vite: the licences of what is in the page, beside it.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ofParser = new URL("../npm/dist/LICENCES.txt", import.meta.url);

export function licences() {
    return {
        name: "licences",
        generateBundle() {
            const folders = new Set();
            for (const id of this.getModuleIds()) {
                const found = id.match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//);
                if (found) folders.add(found[1]);
            }
            const texts = [...folders].sort().map((folder) => {
                const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
                if (file === undefined) throw new Error(`${folder} has no file with its licence`);
                return `${folder.split("/node_modules/").at(-1)}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
            });
            const source = [readFileSync(fileURLToPath(ofParser), "utf8"), ...texts].join(`\n${"-".repeat(80)}\n\n`);
            this.emitFile({ type: "asset", fileName: "LICENCES.txt", source });
        },
    };
}
