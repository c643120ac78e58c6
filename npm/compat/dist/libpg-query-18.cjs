var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/libpg-query-18.js
var libpg_query_18_exports = {};
__export(libpg_query_18_exports, {
  SqlError: () => SqlError,
  formatSqlError: () => formatSqlError,
  hasSqlDetails: () => hasSqlDetails,
  loadModule: () => loadModule,
  parse: () => parse,
  parseSync: () => parseSync
});
module.exports = __toCommonJS(libpg_query_18_exports);

// src/libpg-query.js
var import_parser = require("@pg-ast/parser");
var SqlError = class extends Error {
  constructor(message, details) {
    super(message);
    this.name = "SqlError";
    this.sqlDetails = details;
  }
};
function hasSqlDetails(error) {
  const details = error instanceof Error ? error.sqlDetails : void 0;
  return typeof details === "object" && details !== null && "message" in details && "cursorPosition" in details;
}
function formatSqlError(error, query, { showPosition = true, showQuery = true, color = false, maxQueryLength } = {}) {
  const [red, yellow, reset] = color ? ["\x1B[31m", "\x1B[33m", "\x1B[0m"] : ["", "", ""];
  const lines = [`${red}Error: ${error.message}${reset}`];
  const details = error.sqlDetails;
  const place = details?.cursorPosition;
  const hasPlace = place !== void 0 && place >= 0;
  if (hasPlace) lines.push(`Position: ${place}`);
  if (details) {
    const source = [
      ["file", details.fileName],
      ["function", details.functionName],
      ["line", details.lineNumber]
    ].filter(([, value]) => value);
    if (source.length > 0) lines.push(`Source: ${source.map(([name, value]) => `${name}: ${value}`).join(", ")}`);
  }
  if (!showQuery) return lines.join("\n");
  const isLong = maxQueryLength && query.length > maxQueryLength;
  if (!details) {
    lines.push(`Query: ${isLong ? `${query.slice(0, maxQueryLength)}...` : query}`);
  } else if (showPosition && hasPlace) {
    const start = isLong ? Math.max(0, place - Math.floor(maxQueryLength / 2)) : 0;
    const end = isLong ? Math.min(query.length, start + maxQueryLength) : query.length;
    const before = start > 0 ? "..." : "";
    lines.push(before + query.slice(start, end) + (end < query.length ? "..." : ""));
    lines.push(`${" ".repeat(place - start + before.length)}${yellow}^${reset}`);
  }
  return lines.join("\n");
}
function api(version) {
  let parser;
  let loading;
  function loadModule2() {
    loading ??= (0, import_parser.load)(version).then((loaded) => void (parser = loaded));
    return loading;
  }
  function parseSync2(query) {
    if (query === null || query === void 0) throw new Error("Query cannot be null or undefined");
    if (typeof query !== "string") throw new Error(`Query must be a string, got ${typeof query}`);
    if (query.trim() === "") throw new Error("Query cannot be empty");
    if (parser === void 0) throw new Error("WASM module not initialized. Call `loadModule()` first.");
    try {
      return parser.parseToJSON(query);
    } catch (error) {
      throw sqlError(error, query);
    }
  }
  async function parse2(query) {
    await loadModule2();
    return parseSync2(query);
  }
  return { loadModule: loadModule2, parse: parse2, parseSync: parseSync2 };
}
function sqlError(error, query) {
  return new SqlError(error.message, {
    message: error.message,
    cursorPosition: characters(query, error.cursor ?? 0),
    fileName: error.source?.file,
    functionName: error.source?.function,
    lineNumber: error.source?.line,
    context: error.context
  });
}
function characters(text, units) {
  let count = 0;
  for (const _ of text.slice(0, units)) count++;
  return count;
}

// src/libpg-query-18.js
var { loadModule, parse, parseSync } = api(18);
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  SqlError,
  formatSqlError,
  hasSqlDetails,
  loadModule,
  parse,
  parseSync
});
