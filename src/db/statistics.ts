/**
 * Counts of rows and of values, from which SQLite reckons which index a statement uses. Without them it believes that a scope has ten rows in
 * any table, and reads all of a scope's million users rather than look one up in a second index.
 *
 * 0x10012: all tables, with a limit of what is read of each; those that have changed tenfold since they were counted, or never were.
 */
const OPTIMIZE = ["PRAGMA optimize=0x10012", "PRAGMA optimize"];

/** Counts anew what has grown. Costs next to nothing where nothing has. */
export async function refreshStatistics(db: D1Database): Promise<void> {
  const [asked, plain] = OPTIMIZE;
  try {
    await db.prepare(asked).all();
  } catch {
    await db.prepare(plain).all();
  }
}
