// Trees as the page shows them: plain data, of which the page makes elements when they are opened.

/** More nodes than anybody looks at. */
const MOST_NODES = 20_000;

/** More levels than anybody opens, and fewer than end the stack. */
const MOST_LEVELS = 1000;

/** Fields that the page does not show: the place of a node is what hovering shows. */
const HIDDEN = new Set(["location", "stmt_location", "stmt_len", "val"]);

/** Returns the statements of a tree: of each node its tag, its range, its values, and the nodes below by their fields. */
export function abstractTree(tree) {
    let left = MOST_NODES;
    const describe = (node, field, level = 0) => {
        const described = { field, tag: node.nodeTag, range: tree.range(node), values: [], children: [] };
        if (--left < 0 || level === MOST_LEVELS) return { ...described, isCut: true };
        for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(node)))) {
            if (get === undefined || name === "nodeTag" || name === "tag") continue;
            // A constant has its value by two names.
            if (HIDDEN.has(name) && (name !== "val" || node.nodeTag === "A_Const")) continue;
            const value = node[name];
            if (value === undefined || value === 0 || value === false || value === "") continue;
            if (Array.isArray(value)) {
                value.forEach((item, index) => {
                    if (left < 0) described.isCut = true;
                    else if (typeof item === "object") described.children.push(describe(item, `${name}[${index}]`, level + 1));
                    else if (item !== undefined) described.values.push([`${name}[${index}]`, item]);
                });
            } else if (typeof value === "object") {
                described.children.push(describe(value, name, level + 1));
            } else {
                described.values.push([name, value]);
            }
        }
        return described;
    };
    return tree.stmts.map((stmt) => describe(stmt));
}

/** Returns a concrete tree in the same form. */
export function concreteTree(root) {
    let left = MOST_NODES;
    const describe = ({ kind, range, children = [] }) => {
        const described = { tag: kind, range, values: [], children: [] };
        if (--left < 0) return { ...described, isCut: true };
        described.children = children.map(describe);
        return described;
    };
    return [describe(root)];
}
