// SQL that is deep in many ways.

/** The beginning, what is repeated, the middle, and what is repeated after it. */
export const SHAPES = [
    ["SELECT ", "(", "1", ")"],
    ["", "(SELECT ", "1", ")"],
    ["SELECT * FROM ", "(SELECT * FROM ", "t", ") x"],
    ["SELECT ", "NOT ", "true", ""],
    ["SELECT ", "- ", "1", ""],
    ["SELECT 1", " + 1", "", ""],
    ["SELECT 1", "::int", "", ""],
    ["SELECT 1", " UNION SELECT 1", "", ""],
    ["SELECT 1 FROM t", " JOIN t ON true", "", ""],
    ["SELECT ", "f(", "1", ")"],
    ["SELECT ", "CASE WHEN a THEN ", "1", " END"],
    ["SELECT ", "ARRAY[", "1", "]"],
    ["SELECT ", "EXISTS (SELECT ", "1", ")"],
    ["SELECT a", "[1]", "", ""],
    ["SELECT ", "json_object('a': ", "1", ")"],
    ["SELECT a", ' COLLATE "C"', "", ""],
    ["SELECT a", " IS NULL", "", ""],
    ["SELECT ", "ROW(", "1", ")"],
    ["", "/* ", "", " */"],
    ["", "BEGIN; ", "", ""],
];

export function deepSql([begin, before, middle, behind], pieces) {
    return begin + before.repeat(pieces) + middle + behind.repeat(pieces);
}
