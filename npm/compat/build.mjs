// Writes what CommonJS loads: each entry as one file, which requires @pg-ast/parser.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
await build({
    entryPoints: ["libpg-query-17", "libpg-query-18", "supabase"].map((name) => `${here}src/${name}.js`),
    outdir: `${here}dist`,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["@pg-ast/parser"],
    logLevel: "warning",
});
