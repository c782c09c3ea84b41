import { and, desc, eq, getTableColumns, gt, lt, sql } from "drizzle-orm";
import type { PackedCell } from "../../../core/geo/cells/cells.ts";
import { batch, listed, oneOf, open, upsert } from "../database.ts";
import { jsonTexts } from "../json-texts.ts";
import { pageOf } from "../page.ts";
import { type BeaconRow, beacon, beaconEpoch } from "../schema.ts";
import { nextEpoch } from "./epochs.ts";

export type { BeaconRow } from "../schema.ts";

/** The columns of a beacon set by a caller; the server sets the others. */
export type BeaconValues = Omit<BeaconRow, "scope" | "id" | "createdAt" | "updatedAt">;

/** A beacon by its _id, or by tag and externalId. */
export type BeaconName = { id: string } | { tag: string; externalId: string };

/** Resolution of the cell by which beacons are found: edges of about 200 m. */
export const BEACON_CELL_RESOLUTION = 9;

function named(scope: number, name: BeaconName) {
  return "id" in name
    ? and(eq(beacon.scope, scope), eq(beacon.id, name.id))
    : and(eq(beacon.scope, scope), eq(beacon.tag, name.tag), eq(beacon.externalId, name.externalId));
}

/** A beacon to write: with `id` and `createdAt` [ms] if it is new. */
export interface BeaconWrite {
  id: string;
  createdAt: number;
  values: BeaconValues;
}

/**
 * Creates beacons, or replaces those with the same pair of tag and externalId, or the same id; all or none. Returns the
 * new epoch of the scope's beacons.
 */
export async function writeBeacons(
  db: D1Database,
  scope: number,
  writes: readonly BeaconWrite[],
  now: number,
): Promise<number> {
  const rows = writes.map(({ id, createdAt, values }) =>
    JSON.stringify({ ...values, scope, id, createdAt, updatedAt: now }),
  );
  const pair = sql`(scope, tag, external_id) WHERE tag IS NOT NULL AND external_id IS NOT NULL`;
  const [epochs] = await batch<[{ epoch: number }]>(db, [
    nextEpoch(beaconEpoch, scope),
    ...jsonTexts(rows).map((text) =>
      upsert(beacon, getTableColumns(beacon), sql`json_each(${text})`, [pair, sql`(scope, id)`]),
    ),
  ]);
  return epochs.results[0].epoch;
}

export async function findBeacon(db: D1Database, scope: number, name: BeaconName): Promise<BeaconRow | undefined> {
  return open(db).select().from(beacon).where(named(scope, name)).get();
}

/** Deletes a beacon. Returns the new epoch; undefined: not found. */
export async function deleteBeacon(db: D1Database, scope: number, name: BeaconName): Promise<number | undefined> {
  const row = await open(db).select({ id: beacon.id }).from(beacon).where(named(scope, name)).get();
  if (!row) return undefined;
  const [epochs] = await batch<[{ epoch: number }]>(db, [
    nextEpoch(beaconEpoch, scope),
    sql`DELETE FROM ${beacon} WHERE ${named(scope, row)}`,
  ]);
  return epochs.results[0].epoch;
}

interface BeaconFilter {
  limit: number;
  createdBefore?: number;
  createdAfter?: number;
  tag?: string;
  externalId?: string;
}

/** Beacons of a scope, newest first. */
export async function listBeacons(
  db: D1Database,
  scope: number,
  { limit, createdBefore, createdAfter, tag, externalId }: BeaconFilter,
): Promise<{ rows: BeaconRow[]; hasMore: boolean }> {
  const { rows, hasMore } = await pageOf(limit, beacon.createdAt, (also, most) =>
    open(db)
      .select({ row: beacon, time: beacon.createdAt })
      .from(beacon)
      .where(
        and(
          eq(beacon.scope, scope),
          createdBefore === undefined ? undefined : lt(beacon.createdAt, createdBefore),
          createdAfter === undefined ? undefined : gt(beacon.createdAt, createdAfter),
          tag === undefined ? undefined : eq(beacon.tag, tag),
          externalId === undefined ? undefined : eq(beacon.externalId, externalId),
          also,
        ),
      )
      .orderBy(desc(beacon.createdAt), desc(beacon.id))
      .limit(most)
      .all(),
  );
  return { rows: rows.map(({ row }) => row), hasMore };
}

/** The positions of the enabled beacons in some areas; each area is a key range of cells (src/core/geo/cells/cells.ts). */
export async function beaconPositions(
  db: D1Database,
  scope: number,
  ranges: readonly (readonly [low: PackedCell, high: PackedCell])[],
  type?: BeaconRow["type"],
): Promise<{ id: string; latitude: number; longitude: number }[]> {
  return (
    open(db)
      .select({ id: beacon.id, latitude: beacon.latitude, longitude: beacon.longitude })
      .from(sql`${listed(ranges)} AS area`)
      // Areas first: a JOIN may start with all beacons of the scope.
      .crossJoin(beacon)
      .where(
        and(
          sql`${beacon.scope} = ${scope} AND ${beacon.cell} >= area.value ->> 0 AND ${beacon.cell} < area.value ->> 1`,
          eq(beacon.enabled, true),
          type && eq(beacon.type, type),
        ),
      )
      .all()
  );
}

export async function beaconsById(db: D1Database, scope: number, ids: readonly string[]): Promise<BeaconRow[]> {
  if (ids.length === 0) return [];
  return open(db)
    .select()
    .from(beacon)
    .where(and(eq(beacon.scope, scope), oneOf(beacon.id, ids)))
    .all();
}

export async function beaconsBySignal(db: D1Database, scope: number, signals: readonly string[]): Promise<BeaconRow[]> {
  if (signals.length === 0) return [];
  return open(db)
    .select()
    .from(beacon)
    .where(
      and(
        eq(beacon.scope, scope),
        // Only _ids, which are in the index: for complete rows SQLite would read all of the scope.
        sql`${beacon.id} IN (SELECT id FROM beacon WHERE scope = ${scope} AND ${oneOf(sql`signal`, signals)})`,
      ),
    )
    .all();
}

/**
 * The beacons with one of these pairs of tag and externalId. Each pair is looked up in its index: with IN, pairs would
 * be compared with every beacon of the scope (of 100,000 beacons, 10,000 pairs: 40 ms instead of 4).
 */
export async function beaconsByPair(
  db: D1Database,
  scope: number,
  pairs: readonly (readonly [tag: string, externalId: string])[],
): Promise<BeaconRow[]> {
  if (pairs.length === 0) return [];
  const ids = sql`SELECT b.id FROM ${listed(pairs)} AS pair CROSS JOIN ${beacon} AS b
    ON b.scope = ${scope} AND b.tag = pair.value->>0 AND b.external_id = pair.value->>1`;
  return open(db)
    .select()
    .from(beacon)
    .where(and(eq(beacon.scope, scope), sql`${beacon.id} IN (${ids})`))
    .all();
}
