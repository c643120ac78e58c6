"use strict";

const assert = require("node:assert");
const path = require("node:path");
const { options } = require("../src/options");

const none = options({}, undefined);
assert.deepStrictEqual(none, { command: "pgast", args: ["lsp"], cwd: undefined, initialization: {} });

const folder = path.resolve("/project");
const all = options({ path: "/bin/pgast", version: "16", schema: ["db/schema.sql"] }, folder);
assert.strictEqual(all.command, "/bin/pgast");
assert.strictEqual(all.cwd, folder);
assert.deepStrictEqual(all.initialization, {
  version: "16",
  schema: [path.join(folder, "db", "schema.sql")],
});
console.log("options: ok");
