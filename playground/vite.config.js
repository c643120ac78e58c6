import { fileURLToPath } from "node:url";
import { licences } from "./licences.js";

// `./`: the page works in any folder of a web server.
export default {
    base: "./",
    plugins: [licences()],
    build: { target: "esnext", chunkSizeWarningLimit: 1500 },
    worker: { format: "es" },
    optimizeDeps: { exclude: ["@pg-ast/parser"] },
    // The package is a link to a folder beside this one.
    server: { fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] } },
};
