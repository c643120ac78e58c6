// The page in Chromium, as `npm run build` has made it. `UPDATE=1` writes the screenshot of the README anew.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { launch } from "puppeteer-core";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const server = createServer(({ url }, response) => {
    // In a folder, as on many static hosts.
    const path = dist + (url === "/pages/" ? "/index.html" : url.replace(/^\/pages/, ""));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(readFileSync(path));
});

let browser, page, address;
const errors = [];

before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${server.address().port}/pages/`;
    const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
    browser = await launch({ executablePath, args: ["--no-sandbox"], defaultViewport: { width: 1280, height: 760 } });
});

after(async () => {
    await browser?.close();
    server.close();
    assert.deepEqual(errors, []);
});

beforeEach(async () => {
    await page?.close();
    page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(address);
    await shown("tree");
});

const shown = (panel) => page.waitForFunction((panel) => document.querySelector("#panel").dataset.shown === panel, {}, panel);
const open = async (panel) => {
    await page.click(`#panels button[data-panel=${panel}]`);
    await shown(panel);
};
const panelText = () => page.$eval("#panel", (panel) => panel.innerText);
const editorText = () => page.$eval(".cm-content", (content) => content.innerText);

/** Replaces all text in the editor by typing. */
async function type(text) {
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.press("Delete");
    await page.keyboard.type(text);
    await page.keyboard.press("Escape");
}

/** The part of an address behind `#`, as the page makes it. */
const linkOf = (state) => deflateRawSync(JSON.stringify(state)).toString("base64url");

/** Puts text there at once. */
async function paste(text) {
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
}

test("the first load shows a tree", async () => {
    assert.match(await panelText(), /SelectStmt/);
    // Each in a profile of its own, so that nothing is in a cache; the best one, since others run at the same time.
    const times = [];
    for (let load = 0; load < 5; load++) {
        const profile = await browser.createBrowserContext();
        const fresh = await profile.newPage();
        await fresh.goto(address);
        await fresh.waitForFunction(() => performance.getEntriesByName("shown").length > 0);
        times.push(await fresh.evaluate(() => Math.round(performance.getEntriesByName("shown")[0].startTime)));
        await profile.close();
    }
    console.log(`a tree after ${times.join(", ")} ms`);
    assert.ok(Math.min(...times) < 1000, `${times} ms`);
    if (process.env.UPDATE) {
        await page.waitForFunction(() => document.querySelector("#times").textContent.includes("lint"));
        await page.hover(".tree .row:has(+ ul .row)");
        const row = await page.waitForSelector("::-p-xpath(//span[contains(@class, 'row')][contains(., 'whereClause')])");
        await row.hover();
        await page.screenshot({ path: fileURLToPath(new URL("../screenshot.png", import.meta.url)) });
    }
});

test("the licences of what is in the page are beside it", () => {
    const text = readFileSync(`${dist}/LICENCES.txt`, "utf8");
    for (const part of ["PostgreSQL Global Development Group", "Lukas Fittl", "@codemirror/view", "@lezer/common"]) assert.ok(text.includes(part), part);
});

test("typing: the tree follows, and an error has a place, what was expected, and a fix", async () => {
    await type("SELECT 42 AS answer");
    await page.waitForFunction(() => document.querySelector("#panel").innerText.includes("ival=42"));
    await type("SELEC 1");
    await page.waitForFunction(() => document.querySelector("#panel").innerText.includes("syntax error"));
    assert.match(await panelText(), /Did you mean SELECT\?/);
    assert.match(await panelText(), /Expected: ABORT/);
    await page.waitForSelector(".cm-lintRange-error");
    await open("lint");
    await page.waitForSelector("#panel .finding button");
    await page.click("#panel .finding button");
    await page.waitForFunction(() => document.querySelector(".cm-content").innerText.startsWith("SELECT 1"));
});

test("hovering over the tree marks the range, a click selects it", async () => {
    await type("SELECT name FROM users WHERE id = 1");
    await page.waitForFunction(() => document.querySelector("#panel").innerText.includes('relname="users"'));
    const row = await page.waitForSelector("::-p-xpath(//span[contains(@class, 'row')][contains(., 'RangeVar')])");
    await row.hover();
    const marked = await page.waitForSelector(".cm-marked");
    assert.equal(await marked.evaluate((mark) => mark.textContent), "users");
    await row.click();
    assert.equal(await page.evaluate(() => getSelection().toString()), "users");
});

test("completion", async () => {
    await type("SELECT * FROM users u WHERE ");
    await page.keyboard.down("Control");
    await page.keyboard.press("Space");
    await page.keyboard.up("Control");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    const options = await page.$$eval(".cm-completionLabel", (labels) => labels.map((label) => label.textContent));
    assert.ok(options.includes("u"), options.join());
});

test("format", async () => {
    await type("select a,b from t where a=1");
    await page.click("#format");
    await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes("SELECT a, b"));
});

test("each panel", async () => {
    await type("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE RETURNING t.id");
    await open("facts");
    await page.waitForFunction(() => /[0-9a-f]{16}/.test(document.querySelector("#fingerprint")?.textContent));
    assert.match(await panelText(), /table\s+t/);
    await open("versions");
    await page.waitForFunction(() => document.querySelector("#panel").innerText.includes("RETURNING"));
    assert.match(await panelText(), /16\s+syntax error at or near "RETURNING"/);
    assert.match(await panelText(), /18\s+accepted/);
    await open("json");
    assert.match(await panelText(), /"MergeStmt"/);
    await open("concrete");
    assert.match(await panelText(), /MergeStmt/);
    assert.match(await page.$eval("#times", (times) => times.textContent), /concrete tree [\d.]+ (µs|ms)/);
});

test("the address has all of it", async () => {
    await type("DELETE FROM gone");
    await open("json");
    await page.waitForFunction(() => location.hash.length > 20 && document.querySelector("#panel").innerText.includes("gone"));
    await page.waitForFunction(() => document.querySelector("#times").textContent.includes("lint"));
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await shown("json");
    assert.match(await editorText(), /DELETE FROM gone/);
    assert.match(await panelText(), /DeleteStmt/);
    // Another one in the same page.
    await page.evaluate((hash) => void (location.hash = hash), await linkOf({ sql: "SELECT 'other'", version: 16, panel: "facts" }));
    await shown("facts");
    await page.waitForFunction(() => document.querySelector("#panel").innerText.includes("SELECT $1"));
    assert.match(await editorText(), /SELECT 'other'/);
    assert.equal(await page.$eval("#version", ({ value }) => value), "16");
});

test("an address that anybody may have written", async () => {
    const hashes = [
        "wrong", "%", "%E0%A4%A", "é😀", "A".repeat(100_000), "<script>alert(1)</script>",
        await linkOf(null), await linkOf([]), await linkOf({ sql: 5 }), await linkOf({ sql: ["SELECT 1"] }),
        await linkOf({ sql: "SELECT 1", version: 99, panel: "constructor" }),
        await linkOf({ sql: "SELECT 1", version: { a: 1 }, panel: { b: 2 } }),
        await linkOf({ sql: "SELECT 1", version: "__proto__", panel: "__proto__" }),
        // A few KB that would be a hundred MB.
        await linkOf({ sql: " ".repeat(100_000_000) }),
    ];
    for (const hash of hashes) {
        await page.goto("about:blank");
        await page.goto(`${address}#${hash}`);
        await shown("tree");
        assert.match(await panelText(), /SelectStmt/, hash.slice(0, 100));
        assert.equal(await page.$eval("#version", ({ value }) => value), "18");
    }
});

test("SQL is text in every panel, and never HTML", async () => {
    const html = `<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;
    const sqls = [
        `SELECT '${html}' AS "${html}", "${html}"."${html}" FROM "${html}" AS "${html}" WHERE "${html}" = NULL /* ${html} */`,
        `SELECT ${html}`,
        `DELETE FROM "${html}"; CREATE FUNCTION "${html}"() RETURNS int LANGUAGE sql AS '${html}'`,
    ];
    for (const sql of sqls) {
        await paste(sql);
        for (const panel of ["facts", "lint", "versions", "json", "concrete", "tree"]) {
            await open(panel);
            await page.waitForFunction(() => document.querySelector("#times").textContent.includes("lint"));
        }
        // The messages in the editor, and completion.
        for (const mark of await page.$$(".cm-lintRange")) await mark.hover().catch(() => {});
        await page.click(".cm-content");
        await page.keyboard.down("Control");
        await page.keyboard.press("End");
        await page.keyboard.press("Space");
        await page.keyboard.up("Control");
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.equal(await page.evaluate(() => window.attacked), undefined);
        assert.equal(await page.$$eval("img, script:not([src])", (found) => found.length), 0);
    }
});

test("SQL of any depth", async () => {
    await paste(`SELECT 1${" + 1".repeat(20_000)}`);
    await page.waitForFunction(() => document.querySelector("#panel").innerText.includes("A_Expr"));
    await paste(`SELECT ${"(".repeat(20_000)}1`);
    await page.waitForFunction(() => document.querySelector("#panel .wrong") !== null);
    for (const panel of ["facts", "lint", "versions", "json", "concrete"]) await open(panel);
});

test("a fix is for the text that it was found in", async () => {
    await type("SELEC 1");
    await open("lint");
    await page.waitForSelector("#panel .finding button");
    // The button stays until there are new findings.
    const text = await page.evaluate(async () => {
        const button = document.querySelector("#panel .finding button");
        document.querySelector(".cm-content").focus();
        document.execCommand("insertText", false, " ");
        // The editor has seen it, and the linter has not.
        await new Promise((resolve) => setTimeout(resolve, 20));
        button.click();
        return document.querySelector(".cm-content").innerText;
    });
    assert.match(text, /SELEC 1/);
});

test("10,000 lines do not freeze the page", async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `SELECT a${n}, b FROM t${n} WHERE c = ${n};`).join("\n");
    await page.evaluate(() => {
        window.longest = 0;
        let before = performance.now();
        setInterval(() => {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - before);
            before = now;
        }, 10);
    });
    await paste(lines);
    // While it is read, somebody types.
    await page.keyboard.type(" SELECT typed;", { delay: 20 });
    await page.waitForFunction(() => document.querySelectorAll("#panel .row").length > 1000, { timeout: 30_000 });
    assert.match(await panelText(), /\.\. 8001 more statements/);
    await page.waitForFunction(() => document.querySelector("#times").textContent.includes("lint"), { timeout: 60_000 });
    const longest = await page.evaluate(() => window.longest);
    console.log(`the page waited ${Math.round(longest)} ms at most`);
    assert.ok(longest < 2000, `${longest} ms`);
});
