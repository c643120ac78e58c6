// Starts `pgast lsp` as the extension does, and speaks to it with the library that the extension uses. PGAST names the program.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const rpc = require("vscode-languageserver-protocol/node");
const { options } = require("../src/options");

const deadline = setTimeout(() => {
  console.error("no answer");
  process.exit(1);
}, 60_000);

async function main() {
  const { command, args, initialization } = options({ path: process.env.PGAST, version: "18" }, undefined);
  const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  connection.listen();
  const { capabilities } = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions: initialization,
  });
  assert.strictEqual(capabilities.textDocumentSync, rpc.TextDocumentSyncKind.Incremental);
  assert.ok(capabilities.renameProvider.prepareProvider);
  connection.sendNotification(rpc.InitializedNotification.type, {});

  const uri = "file:///a.sql";
  const diagnostics = new Promise((resolve) => {
    connection.onNotification(rpc.PublishDiagnosticsNotification.type, resolve);
  });
  const text = "CREATE TABLE IF NOT EXISTS t (a int);\nSELECT b FORM t;\nSELECT t.a FROM t;\n";
  connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "sql", version: 1, text },
  });
  const found = (await diagnostics).diagnostics;
  assert.deepStrictEqual(found.map((it) => [it.code, it.range.start.line]), [["syntax-error", 1]]);

  const position = { line: 2, character: 9 };
  const textDocument = { uri };
  const [definition] = await connection.sendRequest(rpc.DefinitionRequest.type, { textDocument, position });
  assert.deepStrictEqual(definition.range.start, { line: 0, character: 30 });
  const items = await connection.sendRequest(rpc.CompletionRequest.type, { textDocument, position });
  assert.ok(items.some((it) => it.label === "a"));
  await assert.rejects(
    connection.sendRequest(rpc.RenameRequest.type, { textDocument, position, newName: "" }),
    /this is not a name/,
  );

  await connection.sendRequest(rpc.ShutdownRequest.type);
  connection.sendNotification(rpc.ExitNotification.type);
  assert.strictEqual(await ended, 0);
  clearTimeout(deadline);
  console.log("server: ok");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
