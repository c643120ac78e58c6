// What the right side shows.

import { expectedText, isError } from "./editor.js";

/** More statements than anybody scrolls through. */
const MOST_STATEMENTS = 2000;

/** More rows of a table than anybody reads. */
const MOST_ROWS = 500;

/** Makes an element. */
export function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children.filter((child) => child !== undefined && child !== ""));
    return made;
}

function table(head, rows) {
    const cells = (name, items) => element("tr", {}, ...items.map((item) => element(name, {}, item ?? "")));
    return element("table", {}, cells("th", head), ...rows.map((row) => cells("td", row)));
}

function titled(title, ...children) {
    return element("div", {}, element("h2", { textContent: title }), ...children);
}

/** A tree whose branches are made when they are opened: two levels are, from the start. */
export function treePanel(nodes, { onHover, onSelect }) {
    const list = (nodes, depth) => element("ul", {}, ...nodes.map((node) => item(node, depth)));
    const item = (node, depth) => {
        const { field, tag, range, values, children, isCut } = node;
        const toggle = element("span", { className: "toggle", textContent: children.length > 0 ? "▸" : "" });
        const row = element(
            "span",
            { className: "row" },
            toggle,
            field ? element("span", { className: "field", textContent: `${field}: ` }) : "",
            element("span", { className: "tag", textContent: tag }),
            values.length > 0 ? ` ${values.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" ")}` : "",
            isCut ? " ..": "",
        );
        const all = element("li", {}, row);
        let below;
        const open = (isOpen) => {
            if (children.length === 0) return;
            toggle.textContent = isOpen ? "▾" : "▸";
            below?.remove();
            below = isOpen ? list(children, depth + 1) : undefined;
            if (below) all.append(below);
        };
        row.addEventListener("mouseenter", () => onHover(range));
        row.addEventListener("mouseleave", () => onHover(undefined));
        row.addEventListener("click", (event) => {
            if (event.target === toggle || !range) open(!below);
            else onSelect(range);
        });
        toggle.addEventListener("mouseenter", () => onHover(range));
        // Many statements: each can be opened.
        if (depth < 6 && nodes.length < 20) open(true);
        return all;
    };
    if (nodes.length === 0) return element("p", { className: "quiet", textContent: "No statement." });
    const more = nodes.length - MOST_STATEMENTS;
    return element("div", { className: "tree" }, list(nodes.slice(0, MOST_STATEMENTS), 0), more > 0 ? `.. ${more} more statements` : "");
}

export function factsPanel({ tables, functions, filterColumns, aliases, cteNames, statementTypes, fingerprint, normalized, deparsed }) {
    const name = ({ schemaName, tableName, column }) => [schemaName, tableName, column].filter(Boolean).join(".");
    const rows = [
        ...tables.map(({ name, context }) => ["table", name, context]),
        ...functions.map(({ name, context }) => ["function", name, context]),
        ...Object.entries(aliases).map(([alias, table]) => ["alias", `${alias} of ${table}`, ""]),
        ...cteNames.map((name) => ["query of WITH", name, ""]),
        ...filterColumns.map((column) => ["column in a condition", name(column), ""]),
        ...statementTypes.slice(0, 100).map((name) => ["statement", name, ""]),
    ];
    const more = rows.length - MOST_ROWS;
    return element(
        "div",
        {},
        titled("Fingerprint", element("pre", { id: "fingerprint", textContent: fingerprint })),
        titled("Normalized", element("pre", { textContent: normalized })),
        titled(
            "Names",
            table(["what", "name", "used in"], rows.slice(0, MOST_ROWS)),
            more > 0 ? `.. ${more} more` : "",
        ),
        titled("Printed from the tree", element("pre", { textContent: deparsed })),
    );
}

export function lintPanel(findings, { onHover, onSelect, onFix }) {
    if (findings.length === 0) return element("p", { className: "quiet", textContent: "Nothing found." });
    const shown = findings.slice(0, 200).map(({ rule, message, range, help, expected, fix }) => {
        const finding = element(
            "div",
            { className: "finding" },
            element("div", { className: isError(rule) ? "wrong" : "", textContent: message }),
            element("div", { className: "quiet", textContent: [rule, help, expectedText(expected)].filter(Boolean).join(" · ") }),
        );
        if (fix) finding.append(element("button", { textContent: fix.title, onclick: (event) => (event.stopPropagation(), onFix(fix)) }));
        finding.addEventListener("mouseenter", () => onHover(range));
        finding.addEventListener("mouseleave", () => onHover(undefined));
        finding.addEventListener("click", () => onSelect(range));
        return finding;
    });
    return element("div", {}, ...shown, findings.length > 200 ? `.. ${findings.length - 200} more` : "");
}

export function versionsPanel(rows) {
    return table(
        ["PostgreSQL", "result", "fingerprint"],
        rows.map(({ version, fingerprint, error }) => [
            String(version),
            error ? element("span", { className: "wrong", textContent: `${error.message}${error.cursor === undefined ? "" : `, at ${error.cursor}`}` }) : "accepted",
            fingerprint ? element("code", { textContent: fingerprint }) : "",
        ]),
    );
}

export function jsonPanel(text) {
    return element("pre", { textContent: text });
}

export function errorPanel({ message, expected, suggestion }) {
    return element(
        "div",
        {},
        element("p", { className: "wrong", textContent: message }),
        suggestion ? element("p", { textContent: `Did you mean ${suggestion.keyword}?` }) : "",
        element("p", { className: "quiet", textContent: expectedText(expected) }),
    );
}
