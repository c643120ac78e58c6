// Browsers: the module is fetched from beside this file. Bundlers know `new URL("..", import.meta.url)`, and copy the file.

const urls = {
    pg16: () => new URL("../dist/pg16.wasm", import.meta.url),
    "pg16-tools": () => new URL("../dist/pg16-tools.wasm", import.meta.url),
    pg17: () => new URL("../dist/pg17.wasm", import.meta.url),
    "pg17-tools": () => new URL("../dist/pg17-tools.wasm", import.meta.url),
    pg18: () => new URL("../dist/pg18.wasm", import.meta.url),
    "pg18-tools": () => new URL("../dist/pg18-tools.wasm", import.meta.url),
};

export async function moduleOf(name) {
    const response = await fetch(urls[name]());
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    // Some servers do not know the type of the file, without which it cannot be compiled while it arrives.
    if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
}
