// Browsers: a module is fetched.

export async function moduleAt(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    // Some servers do not know the type of the file, without which it cannot be compiled while it arrives.
    if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
}
