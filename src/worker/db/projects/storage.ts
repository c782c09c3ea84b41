import { sql } from "drizzle-orm";
import { oneOf, open } from "../database.ts";
import { type Databases, databaseOf, everyDatabase } from "../databases.ts";

/** The size that D1 allows a database [bytes]. It rejects every write above it. */
export const DATABASE_LIMIT_BYTES = 10_000_000_000;

/** Tables whose rows grow with use, as they are named in figures. */
const TABLES = { user: "users", event: "events", trip: "trips", trip_location: "tripLocations" } as const;

export interface StorageFigures {
  /** The binding. */
  database: string;
  bytes: number;
  /** Approximate rows, as of the last count of the hourly run; absent: not counted yet. */
  rows?: Partial<Record<(typeof TABLES)[keyof typeof TABLES], number>>;
}

/** Size of a database, as it reports it with every result [bytes]. */
export async function databaseBytes(db: D1Database): Promise<number> {
  return (await open(db).run(sql`SELECT 1`)).meta.size_after;
}

/** The statistics for the planner of queries (db/statistics.ts) have the rows of each table: counting them would read them all. */
const ROWS = sql`SELECT tbl, max(CAST(stat AS INTEGER)) AS count FROM sqlite_stat1
  WHERE ${oneOf(sql`tbl`, Object.keys(TABLES))} GROUP BY tbl`;

/** Sizes of all databases, starting with the first. */
export function storageFigures(env: Databases): Promise<StorageFigures[]> {
  return Promise.all(
    everyDatabase(env).map(async (one) => {
      const [bytes, rows] = await Promise.all([databaseBytes(one.DB), rowsOf(one.DB)]);
      return { database: databaseOf(one), bytes, ...(rows && { rows }) };
    }),
  );
}

async function rowsOf(db: D1Database): Promise<StorageFigures["rows"]> {
  try {
    const rows = await open(db).all<{ tbl: keyof typeof TABLES; count: number }>(ROWS);
    return Object.fromEntries(rows.map(({ tbl, count }) => [TABLES[tbl], count]));
  } catch {
    // There are no statistics before the first hourly run.
    return undefined;
  }
}
