// The package as others load it: by `require`, in a browser, through a bundler, with types.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pg-ast-npm-"));
after(() => rmSync(folder, { recursive: true }));

// As npm installs it: only the files that are published.
const installed = join(folder, "node_modules/@pg-ast/parser");
mkdirSync(installed, { recursive: true });
for (const name of ["package.json", ...JSON.parse(readFileSync(join(own, "package.json"))).files]) {
    cpSync(join(own, name), join(installed, name), { recursive: true });
}

test("the licences of what is in the modules go with them", () => {
    const text = readFileSync(join(installed, "dist/LICENCES.txt"), "utf8");
    for (const part of [
        /Portions Copyright \(c\) 1996-20\d\d, PostgreSQL Global Development Group/,
        /Portions Copyright \(c\) 1994, Regents of the University of California/,
        /without fee, and without a written agreement is hereby granted/,
        /Copyright \(c\) 2015, Lukas Fittl/,
        /Redistributions in binary form must reproduce the above copyright notice/,
        /^rowan [\d.]+ \(MIT OR Apache-2.0\)$/m,
        /^Rust's standard library/m,
    ]) {
        assert.match(text, part);
    }
    // Each package has a text, which is longer than its name.
    for (const part of text.split(/^-{80}$/m)) assert.ok(part.length > 400, part);
});

test("require", async () => {
    const { load, ParseError } = createRequire(join(folder, "program.cjs"))("@pg-ast/parser");
    const pg = await load();
    assert.deepEqual(pg.tables("SELECT * FROM t"), ["t"]);
    assert.throws(() => pg.parse("SELEC"), ParseError);
    assert.equal((await load(16)).deparse("select 1"), "SELECT 1");
});

test("import, and a module of the caller's", async () => {
    writeFileSync(
        join(folder, "program.mjs"),
        `import { readFileSync } from "node:fs";
        import { load } from "@pg-ast/parser";
        const wasm = readFileSync(new URL(import.meta.resolve("@pg-ast/parser/pg18.wasm")));
        console.log((await load()).deparse("select 1"), (await load(18, { wasm })).deparse("select 2"));`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8" });
    assert.equal(stdout, "SELECT 1 SELECT 2\n", stderr);
});

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves a folder, and calls `f` with its address. */
async function served(root, f) {
    const server = createServer(({ url }, response) => {
        const path = join(root, url === "/" ? "index.html" : new URL(url, "http://localhost").pathname);
        if (!existsSync(path)) return response.writeHead(404).end();
        response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(readFileSync(path));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
        await f(`http://127.0.0.1:${server.address().port}/`);
    } finally {
        server.close();
    }
}

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const page = (script) => `<!doctype html><title>waiting</title>${script}`;
const program = (name) => `import { load } from "${name}";
    const pg = await load(18);
    const tree = pg.parse("SELECT 'é' FROM t");
    document.title = [tree.stmts[0].stmt.nodeTag, ...tree.tables(), tree.toJSON().stmts.length, (await load(17)).fingerprint("SELECT 1")].join(" ");`;
const expected = "SelectStmt t 1 50fde20626009aba";

/** Opens a page in Chromium, and returns its title when the program has set it. */
async function titleIn(url) {
    const { launch } = await import("puppeteer-core");
    const browser = await launch({ executablePath: chromium, args: ["--no-sandbox"] });
    try {
        const tab = await browser.newPage();
        tab.on("pageerror", (error) => console.error(error));
        await tab.goto(url);
        await tab.waitForFunction(() => document.title !== "waiting", { timeout: 20_000 });
        return await tab.title();
    } finally {
        await browser.close();
    }
}

test("a browser, without a bundler", { skip: !chromium && "no Chromium" }, async () => {
    const map = {
        imports: { "@pg-ast/parser": "/src/index.js", "#load": "/src/load-web.js" },
    };
    writeFileSync(
        join(installed, "index.html"),
        page(`<script type="importmap">${JSON.stringify(map)}</script><script type="module">${program("@pg-ast/parser")}</script>`),
    );
    await served(installed, async (url) => assert.equal(await titleIn(url), expected));
});

test("vite", { skip: !chromium && "no Chromium" }, async () => {
    const { build } = await import("vite");
    writeFileSync(join(folder, "index.html"), page('<script type="module" src="/main.js"></script>'));
    writeFileSync(join(folder, "main.js"), program("@pg-ast/parser"));
    await build({ root: folder, logLevel: "error", build: { target: "esnext" } });
    const files = readdirSync(join(folder, "dist/assets"));
    assert.ok(files.some((name) => /^pg18-.*\.wasm$/.test(name)), files.join());
    await served(join(folder, "dist"), async (url) => assert.equal(await titleIn(url), expected));
});
