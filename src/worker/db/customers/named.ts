import { or, type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Rows with a name that contains a part. SQLite ignores case only for ASCII letters, so a part in another script is
 * also matched exactly.
 */
export function hasInName(part: string, id: SQLWrapper, names: readonly SQLWrapper[]): SQL | undefined {
  const within = (text: SQLWrapper) =>
    sql`(instr(lower(${text}), ${part.toLowerCase()}) > 0 OR instr(${text}, ${part}) > 0)`;
  return or(sql`${id} = ${part}`, ...names.map(within));
}
