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

// src/supabase.js
var supabase_exports = {};
__export(supabase_exports, {
  DeparseError: () => DeparseError,
  ParseError: () => ParseError,
  PgParser: () => PgParser,
  ScanError: () => ScanError,
  getSupportedVersions: () => getSupportedVersions,
  isParseResultVersion: () => isParseResultVersion,
  isSupportedVersion: () => isSupportedVersion,
  unwrapDeparseResult: () => unwrapDeparseResult,
  unwrapNode: () => unwrapNode,
  unwrapParseResult: () => unwrapParseResult,
  unwrapScanResult: () => unwrapScanResult
});
module.exports = __toCommonJS(supabase_exports);
var import_parser2 = require("@pg-ast/parser");

// src/libpg-query.js
var import_parser = require("@pg-ast/parser");
function characters(text, units) {
  let count = 0;
  for (const _ of text.slice(0, units)) count++;
  return count;
}

// src/supabase.js
var VERSIONS = [16, 17, 18];
var ParseError = class extends Error {
  name = "ParseError";
  constructor(message, { type, position }) {
    super(message);
    this.type = type;
    this.position = position;
  }
};
var DeparseError = class extends Error {
  name = "DeparseError";
};
var ScanError = class extends Error {
  name = "ScanError";
  constructor(message, { type, position }) {
    super(message);
    this.type = type;
    this.position = position;
  }
};
var PgParser = class {
  #parser;
  #withTools;
  constructor({ version = 17 } = {}) {
    if (!isSupportedVersion(version)) throw new Error(`unsupported version: ${version}`);
    this.version = version;
    this.#parser = (0, import_parser2.load)(version);
    this.ready = this.#parser.then(() => void 0);
  }
  async getHeapSize() {
    return (await this.#parser).memorySize;
  }
  async parse(sql) {
    const parser = await this.#parser;
    try {
      return { tree: parser.parseToJSON(sql), error: void 0 };
    } catch (error) {
      return { tree: void 0, error: new ParseError(error.message, details(error, sql)) };
    }
  }
  async deparse(tree) {
    this.#withTools ??= (0, import_parser2.load)(this.version, { tools: true });
    const parser = await this.#withTools;
    try {
      return { sql: parser.deparseJSON(tree), error: void 0 };
    } catch (error) {
      return { sql: void 0, error: new DeparseError(error.message) };
    }
  }
  async scan(sql) {
    const parser = await this.#parser;
    try {
      const bytes = byteOffsets(sql);
      const tokens = parser.scan(sql).map(({ token, keywordKind, range: [start, end] }) => ({
        kind: token,
        text: sql.slice(start, end),
        start: bytes(start),
        end: bytes(end),
        keywordKind: keywordKind === "NO_KEYWORD" ? "none" : keywordKind.replace(/_KEYWORD$/, "").toLowerCase()
      }));
      return { tokens, error: void 0 };
    } catch (error) {
      const { type, position } = details(error, sql);
      return { tokens: void 0, error: new ScanError(error.message, { type: type === "semantic" ? "unknown" : type, position }) };
    }
  }
};
function byteOffsets(sql) {
  const encoder = new TextEncoder();
  let units = 0;
  let bytes = 0;
  return (offset) => {
    bytes += encoder.encode(sql.slice(units, offset)).length;
    units = offset;
    return bytes;
  };
}
function details(error, sql) {
  const type = { "scan.l": "syntax", "gram.y": "semantic" }[error.source?.file] ?? "unknown";
  return { type, position: characters(sql, error.cursor ?? 0) };
}
async function unwrapParseResult(result) {
  const { tree, error } = await result;
  if (error) throw error;
  return tree;
}
async function unwrapDeparseResult(result) {
  const { sql, error } = await result;
  if (error) throw error;
  return sql;
}
async function unwrapScanResult(result) {
  const { tokens, error } = await result;
  if (error) throw error;
  return tokens;
}
function getSupportedVersions() {
  return VERSIONS;
}
function isSupportedVersion(version) {
  return VERSIONS.includes(version);
}
function isParseResultVersion(result, version) {
  return Math.floor((result.version ?? 0) / 1e4) === version;
}
function unwrapNode(node) {
  const [type, ...others] = Object.keys(node);
  if (type === void 0) throw new Error("node has no keys, expected a single key");
  if (others.length > 0) throw new Error(`node has multiple keys, expected a single key: ${[type, ...others].join(", ")}`);
  return { type, node: node[type] };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  DeparseError,
  ParseError,
  PgParser,
  ScanError,
  getSupportedVersions,
  isParseResultVersion,
  isSupportedVersion,
  unwrapDeparseResult,
  unwrapNode,
  unwrapParseResult,
  unwrapScanResult
});
