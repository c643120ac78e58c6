// The API of libpg-query for PostgreSQL 17.

import { api } from "./libpg-query.js";

export { SqlError, formatSqlError, hasSqlDetails } from "./libpg-query.js";
export const { loadModule, parse, parseSync } = api(17);
