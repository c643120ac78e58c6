// The state of the page in the part of its address behind `#`: SQL, version and panel, compressed.

export async function encode(state) {
    const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state, or undefined if there is none that can be read. */
export async function decode(text) {
    try {
        const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
        const state = await new Response(stream).json();
        return typeof state.sql === "string" ? state : undefined;
    } catch {
        return undefined;
    }
}
