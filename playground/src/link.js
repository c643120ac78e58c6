// The state of the page in the part of its address behind `#`: SQL, version and panel, compressed.

/** A longer link is not made: few programs would pass it on. */
const LONGEST_LINK = 100_000;

/** A link may be anybody's, and a few bytes may become gigabytes. */
const MOST_BYTES = 10_000_000;

/** Returns the link, or undefined if it would be too long. */
export async function encode(state) {
    const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    if (bytes.length * 4 > LONGEST_LINK * 3) return undefined;
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state, or undefined if there is none that can be read. */
export async function decode(text) {
    try {
        const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
        const state = await new Response(stream.pipeThrough(limited())).json();
        return typeof state?.sql === "string" ? state : undefined;
    } catch {
        return undefined;
    }
}

/** Ends with an error after too many bytes. */
function limited() {
    let left = MOST_BYTES;
    return new TransformStream({
        transform(chunk, controller) {
            left -= chunk.length;
            if (left < 0) throw new RangeError("too long");
            controller.enqueue(chunk);
        },
    });
}
