// Offsets: PostgreSQL counts bytes of UTF-8, JavaScript units of UTF-16.

const same = (offset) => offset;

/**
 * Returns the function that converts an offset in bytes into one in UTF-16 units. An offset within a character is that
 * of its start.
 */
export function converter(sql, bytes) {
    if (bytes === sql.length) return same;
    let units;
    return (offset) => {
        units ??= table(sql, bytes);
        return offset < 0 ? offset : units[Math.min(offset, bytes)];
    };
}

/** The units before each byte. */
function table(sql, bytes) {
    const units = new Uint32Array(bytes + 1);
    let at = 0;
    for (let index = 0; index < sql.length;) {
        const code = sql.codePointAt(index);
        const length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        units.fill(index, at, at + length);
        at += length;
        index += code < 0x10000 ? 1 : 2;
    }
    units[bytes] = sql.length;
    return units;
}

/**
 * Converts the offsets in a result: the names `cursor` and `range`, and `word`, which is a range as well.
 */
export function convert(value, to) {
    if (to === same || typeof value !== "object" || value === null) return value;
    for (const [name, inner] of Object.entries(value)) {
        if (name === "cursor") value.cursor = to(inner);
        else if (name === "range" || name === "word") value[name] = inner.map(to);
        else convert(inner, to);
    }
    return value;
}
