import { or, type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Rows one of whose names has a part. SQLite folds the case of ASCII letters alone, so a part in another script is
 * looked for as it is written, too.
 */
export function hasInName(part: string, id: SQLWrapper, names: readonly SQLWrapper[]): SQL | undefined {
  const within = (text: SQLWrapper) =>
    sql`(instr(lower(${text}), ${part.toLowerCase()}) > 0 OR instr(${text}, ${part}) > 0)`;
  return or(sql`${id} = ${part}`, ...names.map(within));
}
