// The modules. Bundlers know `new URL("..", import.meta.url)`, and copy the file: so each has one of its own.

export const files = {
    pg16: () => new URL("../dist/pg16.wasm", import.meta.url),
    "pg16-tools": () => new URL("../dist/pg16-tools.wasm", import.meta.url),
    pg17: () => new URL("../dist/pg17.wasm", import.meta.url),
    "pg17-tools": () => new URL("../dist/pg17-tools.wasm", import.meta.url),
    pg18: () => new URL("../dist/pg18.wasm", import.meta.url),
    "pg18-tools": () => new URL("../dist/pg18-tools.wasm", import.meta.url),
};
