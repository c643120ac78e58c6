"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { options } = require("./options");

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("pgast");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const { command, args, cwd, initialization } = options(
    { path: settings.get("path"), version: settings.get("version"), schema: settings.get("schema") },
    folder,
  );
  const server = { command, args, transport: TransportKind.stdio, options: { cwd } };
  client = new LanguageClient("pgast", "pgast", server, {
    documentSelector: [{ language: "sql" }],
    initializationOptions: initialization,
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const message = `cannot start \`${command} lsp\`: ${error.message ?? error}`;
    const action = await vscode.window.showErrorMessage(message, "Settings");
    if (action) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "pgast.path");
    }
  }
}

async function stop() {
  await client?.stop();
  client = undefined;
}

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("pgast.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const names = ["pgast.path", "pgast.version", "pgast.schema"];
      if (names.some((name) => event.affectsConfiguration(name))) {
        return restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
