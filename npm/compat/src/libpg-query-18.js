// The API of libpg-query for PostgreSQL 18.

import { api } from "./libpg-query.js";

export { SqlError, formatSqlError, hasSqlDetails } from "./libpg-query.js";
// PL/pgSQL is in the larger module.
export const {
    fingerprint,
    fingerprintSync,
    loadModule,
    normalize,
    normalizeSync,
    parse,
    parsePlPgSQL,
    parsePlPgSQLSync,
    parseSync,
    scan,
    scanSync,
} = api(18, { tools: true });
