import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Matches rows whose metadata (a JSON column) has every pair of the filter, with the same type: 1 is neither "1" nor
 * true. The filter is one bound JSON string, so no string of a caller becomes part of the SQL.
 */
export function metadataMatches(column: SQLWrapper, filter: Readonly<Record<string, string | number | boolean>>): SQL {
  return sql`NOT EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify(filter)}) wanted WHERE NOT EXISTS (
      SELECT 1 FROM json_each(coalesce(${column}, '{}')) had
      WHERE had.key = wanted.key AND had.value = wanted.value
        AND replace(had.type, 'real', 'integer') = replace(wanted.type, 'real', 'integer')))`;
}
