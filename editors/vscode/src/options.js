"use strict";

const path = require("node:path");

/**
 * Returns how the server is started, by the settings and the folder of the workspace.
 *
 * @param {{ path?: string, version?: string, schema?: string[] }} settings
 * @param {string | undefined} folder
 */
function options(settings, folder) {
  const initialization = {};
  if (settings.version) {
    initialization.version = settings.version;
  }
  if (settings.schema?.length) {
    initialization.schema = settings.schema.map((file) => path.resolve(folder ?? ".", file));
  }
  const command = settings.path || "pgast";
  return { command, args: ["lsp"], cwd: folder, initialization };
}

module.exports = { options };
