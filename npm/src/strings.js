// C strings. The same names come again and again, so strings are kept by their bytes: finding one is faster than making it.

const SLOTS = 4096;
const LONGEST = 32;
const kept = new Array(SLOTS).fill("");
// What looks like a byte order mark is part of the text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the string whose bytes, up to a zero, begin at an address that is not null. */
export function string(u8, at) {
    let hash = 0;
    let end = at;
    let bits = 0;
    for (let byte; (byte = u8[end]) !== 0 && byte !== undefined; end++) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        bits |= byte;
    }
    if (bits > 127) return decoder.decode(u8.subarray(at, end));
    const length = end - at;
    if (length > LONGEST) return ascii(u8, at, end);
    const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
    const found = kept[slot];
    if (found.length === length) {
        let index = 0;
        while (index < length && found.charCodeAt(index) === u8[at + index]) index++;
        if (index === length) return found;
    }
    return (kept[slot] = ascii(u8, at, end));
}

/** Returns the strings between two addresses, each with a zero behind it. */
export function strings(u8, at, end) {
    const found = [];
    while (at < end) {
        const text = string(u8, at);
        found.push(text);
        const next = at + text.length;
        // Other characters than those of ASCII have more bytes.
        at = (u8[next] === 0 ? next : u8.indexOf(0, next)) + 1;
    }
    return found;
}

function ascii(u8, at, end) {
    if (end - at > 256) return decoder.decode(u8.subarray(at, end));
    return String.fromCharCode.apply(null, u8.subarray(at, end));
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns the eight hexadecimal digits of a number of 32 bits. */
export function hex(number) {
    return bytes[number >>> 24] + bytes[(number >>> 16) & 255] + bytes[(number >>> 8) & 255] + bytes[number & 255];
}
