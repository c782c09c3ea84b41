import { and, desc, eq } from "drizzle-orm";
import { open } from "./database.ts";
import { beaconImport } from "./schema.ts";

/** The result of one row of a file; `line` is where it starts, from 1. */
export interface ImportedRow {
  line: number;
  status: "created" | "updated" | "unchanged" | "failed";
  _id?: string;
  tag?: string;
  externalId?: string;
  /** Why it failed: the column, and what is wrong with it. */
  param?: string;
  message?: string;
}

/** The result of an import, as it is stored. */
export interface BeaconImport {
  _id: string;
  /** [ms] */
  createdAt: number;
  live: boolean;
  filename?: string;
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** The rows that failed, the first hundred. */
  failures: ImportedRow[];
}

export async function keepImport(db: D1Database, scope: number, done: BeaconImport): Promise<void> {
  await open(db)
    .insert(beaconImport)
    .values({ scope, id: done._id, createdAt: done.createdAt, doc: JSON.stringify(done) });
}

/** Imports of a scope, newest first. */
export async function listImports(
  db: D1Database,
  scope: number,
  limit: number,
): Promise<{ imports: BeaconImport[]; hasMore: boolean }> {
  const rows = await open(db)
    .select({ doc: beaconImport.doc })
    .from(beaconImport)
    .where(eq(beaconImport.scope, scope))
    .orderBy(desc(beaconImport.createdAt), desc(beaconImport.id))
    .limit(limit + 1)
    .all();
  return {
    imports: rows.slice(0, limit).map(({ doc }) => JSON.parse(doc) as BeaconImport),
    hasMore: rows.length > limit,
  };
}

export async function findImport(db: D1Database, scope: number, id: string): Promise<BeaconImport | undefined> {
  const row = await open(db)
    .select({ doc: beaconImport.doc })
    .from(beaconImport)
    .where(and(eq(beaconImport.scope, scope), eq(beaconImport.id, id)))
    .get();
  return row && (JSON.parse(row.doc) as BeaconImport);
}
