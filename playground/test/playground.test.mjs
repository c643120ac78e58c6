// The page in Chromium, as `npm run build` has made it. `UPDATE=1` writes the screenshot of the README anew.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
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
    const time = await page.evaluate(() => performance.getEntriesByName("shown")[0].startTime);
    assert.match(await panelText(), /SelectStmt/);
    console.log(`a tree after ${Math.round(time)} ms`);
    assert.ok(time < 10_000, `${time} ms`);
    if (process.env.UPDATE) {
        await page.waitForFunction(() => document.querySelector("#times").textContent.includes("lint"));
        await page.hover(".tree .row:has(+ ul .row)");
        const row = await page.waitForSelector("::-p-xpath(//span[contains(@class, 'row')][contains(., 'whereClause')])");
        await row.hover();
        await page.screenshot({ path: fileURLToPath(new URL("../screenshot.png", import.meta.url)) });
    }
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
    // One that nobody can read is no error.
    await page.goto("about:blank");
    await page.goto(`${address}#wrong`);
    await shown("tree");
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
    await page.waitForFunction(() => document.querySelectorAll("#panel .row").length > 1000, { timeout: 30_000 });
    await page.waitForFunction(() => document.querySelector("#times").textContent.includes("lint"), { timeout: 60_000 });
    const longest = await page.evaluate(() => window.longest);
    console.log(`the page waited ${Math.round(longest)} ms at most`);
    assert.ok(longest < 2000, `${longest} ms`);
});
