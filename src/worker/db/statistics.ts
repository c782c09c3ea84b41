import { sql } from "drizzle-orm";
import { open } from "./database.ts";

/**
 * Counts of rows and of values, from which SQLite estimates which index a statement should use. Without them it assumes
 * that a scope has ten rows in any table, and reads all of a scope's million users rather than look one up in a second
 * index.
 *
 * 0x10012: all tables, with a limit on the rows read of each; only those that have grown tenfold since they were
 * counted, or never were.
 */
const OPTIMIZE = [sql`PRAGMA optimize=0x10012`, sql`PRAGMA optimize`];

/** Updates the counts of tables that have grown. Costs next to nothing if none has. */
export async function refreshStatistics(db: D1Database): Promise<void> {
  const [asked, plain] = OPTIMIZE;
  try {
    await open(db).all(asked);
  } catch {
    await open(db).all(plain);
  }
}
