import { and, desc, eq } from "drizzle-orm";
import { open } from "../database.ts";
import { beaconImport, geofenceImport } from "../schema.ts";

/** The histories of imports, by what was imported. */
const HISTORIES = { beacons: beaconImport, geofences: geofenceImport };
export type Imported = keyof typeof HISTORIES;

/** The result of one row of a file. */
export interface ImportedRow {
  /** Its number, from 1 and without the header row; returned for geofences. */
  row?: number;
  /** Line in a CSV file where it starts, from 1. */
  line?: number;
  status: "created" | "updated" | "unchanged" | "failed";
  _id?: string;
  tag?: string;
  externalId?: string;
  description?: string;
  /** Why it failed: the column and the problem. */
  param?: string;
  message?: string;
}

/** The stored result of an import. */
export interface KeptImport {
  _id: string;
  /** [ms] */
  createdAt: number;
  live: boolean;
  filename?: string;
  /** Format of the file; returned for geofences. */
  format?: "csv" | "geojson";
  /** Unknown columns or properties. */
  ignored?: string[];
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** The first hundred failed rows. */
  failures: ImportedRow[];
}

export async function keepImport(db: D1Database, of: Imported, scope: number, done: KeptImport): Promise<void> {
  await open(db)
    .insert(HISTORIES[of])
    .values({ scope, id: done._id, createdAt: done.createdAt, doc: JSON.stringify(done) });
}

/** Imports of a scope, newest first. */
export async function listImports(
  db: D1Database,
  of: Imported,
  scope: number,
  limit: number,
): Promise<{ imports: KeptImport[]; hasMore: boolean }> {
  const history = HISTORIES[of];
  const rows = await open(db)
    .select({ doc: history.doc })
    .from(history)
    .where(eq(history.scope, scope))
    .orderBy(desc(history.createdAt), desc(history.id))
    .limit(limit + 1)
    .all();
  return {
    imports: rows.slice(0, limit).map(({ doc }) => JSON.parse(doc) as KeptImport),
    hasMore: rows.length > limit,
  };
}

export async function findImport(
  db: D1Database,
  of: Imported,
  scope: number,
  id: string,
): Promise<KeptImport | undefined> {
  const history = HISTORIES[of];
  const row = await open(db)
    .select({ doc: history.doc })
    .from(history)
    .where(and(eq(history.scope, scope), eq(history.id, id)))
    .get();
  return row && (JSON.parse(row.doc) as KeptImport);
}
