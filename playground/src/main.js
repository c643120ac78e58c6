// The page: the editor on the left, a panel on the right, and what is in both in the address.

import { call, latest } from "./calls.js";
import { applyFix, makeEditor, markRange, selectRange, showFindings } from "./editor.js";
import { decode, encode } from "./link.js";
import { errorPanel, factsPanel, element, jsonPanel, lintPanel, treePanel, versionsPanel } from "./panels.js";

const EXAMPLE = `-- Try it: hover over the tree, misspell a keyword, press Format.
SELECT c.name, count(*) AS orders, sum(o.total)
FROM customers c
JOIN orders o ON o.customer_id = c.id
WHERE o.placed_at > now() - interval '30 days'
GROUP BY c.name
HAVING sum(o.total) > 1000
ORDER BY orders DESC
LIMIT 10;
`;

const at = (id) => document.getElementById(id);

const actions = {
    onHover: (range) => markRange(editor, range),
    onSelect: (range) => selectRange(editor, range),
};

/** Each panel: its name, its title, the call, and what shows the result. */
const PANELS = [
    ["tree", "Tree", (nodes) => treePanel(nodes, actions)],
    ["concrete", "Concrete tree", (nodes) => treePanel(nodes, actions)],
    ["facts", "Facts", factsPanel],
    ["lint", "Lint", (findings, sql) => lintPanel(findings, { ...actions, onFix: (fix) => applyFix(editor, fix, sql) })],
    ["versions", "Versions", versionsPanel],
    ["json", "JSON", jsonPanel],
];

const VERSIONS = ["18", "17", "16"];
at("version").append(...VERSIONS.map((version) => element("option", { textContent: version })));

/** Returns the version and the panel of an address, which anybody may have written. */
function stateOf(saved) {
    const version = VERSIONS.find((version) => version === String(saved?.version)) ?? VERSIONS[0];
    const [panel] = PANELS.find(([name]) => name === saved?.panel) ?? PANELS[0];
    return { version: Number(version), panel };
}

const saved = await decode(location.hash.slice(1));
const state = stateOf(saved);

const tabs = PANELS.map(([name, title]) => {
    const tab = element("button", { textContent: title, role: "tab" });
    tab.dataset.panel = name;
    tab.addEventListener("click", () => {
        state.panel = name;
        showState();
        update();
    });
    return tab;
});
at("panels").append(...tabs);

function showState() {
    at("version").value = String(state.version);
    for (const tab of tabs) tab.setAttribute("aria-selected", String(tab.dataset.panel === state.panel));
}

const sqlNow = () => editor.state.doc.toString();

/** Shows the panel, then the diagnostics, then the address: each of the newest text. */
const refresh = latest(async () => {
    const { version, panel } = state;
    const sql = sqlNow();
    const [, , show] = PANELS.find(([name]) => name === panel);
    const { result, error, times } = await call(panel, { sql, version });
    if (panel === state.panel) {
        at("panel").replaceChildren(error ? errorPanel(error) : show(result, sql));
        at("panel").dataset.shown = panel;
        performance.mark("shown");
    }
    at("times").textContent = times.map(([name, time]) => `${name} ${shown(time)}`).join(" · ");

    const linted = await call("lint", { sql, version });
    // Offsets are those of the text that was sent.
    if (linted.result && sql === sqlNow()) {
        showFindings(editor, linted.result, sql);
        const count = linted.result.length;
        at("status").textContent = count === 0 ? "" : `${count} finding${count === 1 ? "" : "s"}`;
    }
    if (panel !== "lint") at("times").textContent += linted.times.map(([name, time]) => ` · ${name} ${shown(time)}`).join("");
    const link = await encode({ sql, version, panel });
    // A former one would be of another text.
    writeAddress(link === undefined ? location.pathname : `#${link}`);
});

let written = location.hash;

/** Writes the address, unless somebody else has written another one, which comes first. */
function writeAddress(address) {
    if (location.hash !== written) return;
    history.replaceState(null, "", address);
    written = location.hash;
}

let timer;
function update(delay = 0) {
    clearTimeout(timer);
    timer = setTimeout(refresh, delay);
}

function shown(milliseconds) {
    return milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : `${milliseconds.toFixed(1)} ms`;
}

async function format() {
    const sql = sqlNow();
    const { result } = await call("format", { sql, version: state.version });
    // Nobody has typed meanwhile.
    if (result !== undefined && sql === sqlNow()) {
        editor.dispatch({ changes: { from: 0, to: sql.length, insert: result } });
    }
}

const editor = makeEditor(at("editor"), {
    doc: saved?.sql ?? EXAMPLE,
    onChange: () => update(80),
    onFormat: format,
    complete: async (sql, offset) => (await call("complete", { sql, version: state.version, offset })).result,
});

at("version").addEventListener("change", ({ target }) => {
    state.version = Number(target.value);
    update();
});
at("format").addEventListener("click", format);
at("share").addEventListener("click", async () => {
    const link = await encode({ sql: sqlNow(), ...state });
    if (link === undefined) {
        at("status").textContent = "The SQL is too long for a link.";
        return;
    }
    writeAddress(`#${link}`);
    const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    at("status").textContent = isCopied ? "The link is in the clipboard." : "The link is in the address bar.";
});
// Another link, in the same page.
addEventListener("hashchange", async () => {
    const saved = await decode(location.hash.slice(1));
    written = location.hash;
    if (saved === undefined) return;
    Object.assign(state, stateOf(saved));
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: saved.sql } });
    showState();
    update();
});
showState();
update();
