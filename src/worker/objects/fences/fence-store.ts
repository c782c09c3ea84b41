import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { ancestors, cellAt, type PackedCell, resolutionOf } from "../../../core/geo/cells/cells.ts";
import { lookupAround } from "../../../core/geo/cells/cover-lookup.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { haversine } from "../../../core/geo/distance.ts";
import { signedDistance } from "../../../core/geo/shapes/polygon.ts";
import { isActive } from "../../../core/tracking/match-fences.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { GeofenceRow } from "../../db/schema.ts";
import { fenceOfRow } from "./fence-row.ts";

export type SqlValue = string | number | null | Uint8Array<ArrayBuffer>;

/** The part of a Durable Object's SQL that the store needs; tests put node:sqlite in its place. */
export interface Sql {
  exec(query: string, ...bindings: SqlValue[]): { toArray(): Record<string, unknown>[] };
}

/** A geofence as stored in the database, without its covering. */
export type FenceRecord = Omit<GeofenceRow, "cover">;

/** A fence and the distance from a point to its edge [m]: 0 when the point is inside. */
export interface NearFence {
  fence: Fence;
  distance: number;
}

export interface NearQuery {
  limit: number;
  /** [m]; absent = any distance */
  radius?: number;
  tags?: readonly string[];
  metadata?: Readonly<Record<string, string | number | boolean>>;
  /** Omits fences that end before this time [ms]; if absent, they are included. */
  activeAt?: number;
  /** Omits fences that are limited to other users; if absent, they are included. */
  forUser?: FenceUser;
}

/** What limits of fences compare: its names, and the segments that it is known to be in. */
export type FenceUser = Partial<Pick<UserState, "_id" | "deviceId" | "userId" | "segments">>;

export function isWanted(fence: Fence, { tags, metadata, activeAt, forUser }: NearQuery): boolean {
  if (tags && !tags.includes(fence.tag ?? "")) return false;
  if (metadata && !hasAll(fence.metadata, metadata)) return false;
  if (activeAt !== undefined && (fence.disableAfter ?? Number.POSITIVE_INFINITY) <= activeAt) return false;
  return forUser === undefined || isActive(fence, forUser, activeAt ?? Number.NEGATIVE_INFINITY);
}

const MEMORY_VERTICES = 300_000;
/** Radius of the first search around a point [m]: the largest, and the smallest where geofences are known to be dense. */
const [FIRST_RADIUS, MIN_RADIUS] = [500, 20];
/** Cells in which the distance of the last geofence of a search is remembered (edges of 460 m), and their maximum number. */
const [REACH_RESOLUTION, MAX_REACHES] = [8, 2_000];
/** A search begins at this multiple of the distance that an earlier one near it needed. */
const REACH_MARGIN = 1.25;
/** Maximum factor by which a search area grows per step. */
const MAX_GROWTH = 8;
const WHOLE_EARTH = 20_100_000;
const DIRECT_TAG_COUNT = 2_000;

/**
 * The geofences of one scope and the cells that cover them, in SQLite:
 *
 *     fence (n, id, kind 0 circle | 1 polygon, lat, lon, radius, tag, doc, cover)     cell (cell, n)
 *
 * A point finds its fences by the keys of its cell and that cell's ancestors; an area by key ranges, as all descendants
 * of a cell are one range (src/core/geo/cells/cells.ts).
 */
export class FenceStore {
  readonly #sql: Sql;
  readonly #memory = new Map<number, Fence>();
  #vertices = 0;
  /** The resolutions that occur among the cells; only keys of these are looked up. */
  #resolutions: number[] | undefined;
  /** How far searches had to go [m], by cell and by the order of magnitude of what was wanted: hints only. */
  readonly #reaches = new BoundedMap<string, number>(MAX_REACHES);

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS fence (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, radius REAL NOT NULL, tag TEXT, doc TEXT NOT NULL, cover TEXT NOT NULL)",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS fence_tag ON fence (tag) WHERE tag IS NOT NULL");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS cell (cell INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (cell, n)) WITHOUT ROWID",
    );
    sql.exec("CREATE TABLE IF NOT EXISTS resolution (resolution INTEGER PRIMARY KEY)");
  }

  put({ cover, ...record }: GeofenceRow): void {
    this.remove(record.id);
    const { shape } = fenceOfRow(record);
    const circle = shape.type === "circle";
    const { n } = this.#sql
      .exec(
        "INSERT INTO fence (id, kind, lat, lon, radius, tag, doc, cover) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING n",
        record.id,
        circle ? 0 : 1,
        shape.center.latitude,
        shape.center.longitude,
        circle ? shape.radius : shape.reach,
        record.tag,
        JSON.stringify(record),
        cover,
      )
      .toArray()[0] as { n: number };
    for (const cell of JSON.parse(cover) as PackedCell[]) {
      this.#sql.exec("INSERT OR IGNORE INTO cell VALUES (?, ?)", cell, n);
      const resolution = resolutionOf(cell);
      if (this.#usedResolutions().includes(resolution)) continue;
      this.#sql.exec("INSERT OR IGNORE INTO resolution VALUES (?)", resolution);
      this.#resolutions = undefined;
    }
  }

  remove(id: string): void {
    const row = this.#sql.exec("SELECT n, cover FROM fence WHERE id = ?", id).toArray()[0] as
      | { n: number; cover: string }
      | undefined;
    if (!row) return;
    this.#forget(row.n);
    this.#sql.exec("DELETE FROM cell WHERE cell IN (SELECT value FROM json_each(?)) AND n = ?", row.cover, row.n);
    this.#sql.exec("DELETE FROM fence WHERE n = ?", row.n);
  }

  clear(): void {
    for (const table of ["fence", "cell", "resolution"]) this.#sql.exec(`DELETE FROM ${table}`);
    this.#memory.clear();
    this.#vertices = 0;
    this.#resolutions = undefined;
  }

  /** The fences that contain the point. */
  at(point: Coordinate): Fence[] {
    const resolutions = this.#usedResolutions();
    if (resolutions.length === 0) return [];
    const keys = ancestors(cellAt(point)).filter((cell) => resolutions.includes(resolutionOf(cell)));
    const rows = this.#rowsUnder(keys) as ShapeRow[];
    const found: Fence[] = [];
    const seen = new Set<number>();
    for (const row of rows) {
      if (seen.has(row.n)) continue;
      seen.add(row.n);
      if (this.#distanceTo(row, point) <= 0) found.push(this.#load(row.n));
    }
    return found;
  }

  /** The whole record of a stored fence. */
  record(id: string): FenceRecord {
    const { doc } = this.#sql.exec("SELECT doc FROM fence WHERE id = ?", id).toArray()[0] as { doc: string };
    return JSON.parse(doc) as FenceRecord;
  }

  /** The fences nearest to a point, nearest first; a fence that contains the point has distance 0. */
  near(point: Coordinate, query: NearQuery): NearFence[] {
    const limit = Math.min(query.radius ?? WHOLE_EARTH, WHOLE_EARTH);
    if (query.tags) {
      const few = this.#sql
        .exec(
          `SELECT n, kind, lat, lon, radius FROM fence WHERE tag IN (SELECT value FROM json_each(?)) LIMIT ${DIRECT_TAG_COUNT + 1}`,
          JSON.stringify(query.tags),
        )
        .toArray() as ShapeRow[];
      if (few.length <= DIRECT_TAG_COUNT) return this.#pick(this.#nearest(few, point, limit), query);
    }
    return this.#widen(point, limit, query.limit, (near) => this.#pick(near, query));
  }

  /**
   * All fences within `radius` of a point, in insertion order. If there are more than `most`, returns the nearest
   * `most` and reduces the radius accordingly. Returns none if that radius is less than `least` [m].
   */
  around(
    point: Coordinate,
    { radius, most, least }: { radius: number; most: number; least: number },
  ): { radius: number; fences: Fence[] } {
    const near = this.#widen(point, Math.min(radius, WHOLE_EARTH), most + 1, (all) => all);
    // The list is complete only up to the distance of the first omitted fence.
    const complete = near.length > most ? near[most].distance : radius;
    if (complete < least) return { radius: complete, fences: [] };
    // Events of an update follow this order, regardless of where the device was when its geofences were requested.
    const first = near.slice(0, most).sort((a, b) => a.n - b.n);
    return { radius: complete, fences: first.map(({ n }) => this.#load(n)) };
  }

  /** Widens the search, up to `limit` [m], until `pick` finds enough items. */
  #widen<T>(point: Coordinate, limit: number, wanted: number, pick: (near: NearRow[]) => T[]): T[] {
    const place = `${cellAt(point, REACH_RESOLUTION)} ${Math.ceil(Math.log2(wanted))}`;
    const known = (this.#reaches.get(place) ?? FIRST_RADIUS) * REACH_MARGIN;
    for (let radius = Math.min(Math.max(known, MIN_RADIUS), FIRST_RADIUS, limit); ; ) {
      const rows = this.#touching(point, radius);
      // If all candidates together are too few, skip computing distances.
      const near = rows.length >= wanted || radius >= limit ? this.#nearest(rows, point, radius) : [];
      const last = near[wanted - 1];
      if (last) this.#reaches.set(place, last.distance);
      const found = near.length >= wanted || radius >= limit ? pick(near) : [];
      if (found.length >= wanted || radius >= limit) return found;
      // Estimated radius that contains enough fences at the local density, plus a margin.
      const reached = Math.sqrt(wanted / Math.max(1, rows.length)) * 1.5;
      radius = Math.min(radius * Math.min(MAX_GROWTH, Math.max(2, reached)), limit);
    }
  }

  /**
   * The records of all fences within `radius` of a point, in insertion order. If there are more than `most`, returns
   * none and a smaller radius.
   */
  area(center: Coordinate, radius: number, most: number): { radius: number; records: FenceRecord[] } {
    const near = this.near(center, { radius, limit: most + 1 });
    if (near.length > most) return { radius: near[most].distance, records: [] };
    const ids = JSON.stringify(near.map(({ fence }) => fence.id));
    const rows = this.#sql
      .exec("SELECT doc FROM fence WHERE id IN (SELECT value FROM json_each(?)) ORDER BY n", ids)
      .toArray();
    return { radius, records: rows.map(({ doc }) => JSON.parse(doc as string) as FenceRecord) };
  }

  /** Rows whose covering touches the circle: a superset of the fences within `radius` of the point. */
  #touching(point: Coordinate, radius: number): ShapeRow[] {
    const rows: ShapeRow[] = [];
    const seen = new Set<number>();
    const take = (more: Record<string, unknown>[]) => {
      for (const row of more as ShapeRow[]) {
        if (seen.has(row.n)) continue;
        seen.add(row.n);
        rows.push(row);
      }
    };
    if (radius >= WHOLE_EARTH / 2) {
      take(this.#sql.exec("SELECT n, kind, lat, lon, radius FROM fence").toArray());
      return rows;
    }
    const { keys, ranges } = lookupAround(point, radius);
    for (const [low, high] of ranges) {
      take(
        this.#sql
          .exec(
            // A geofence has several cells but must be returned only once.
            "SELECT n, kind, lat, lon, radius FROM fence WHERE n IN (SELECT n FROM cell WHERE cell >= ? AND cell < ?)",
            low,
            high,
          )
          .toArray(),
      );
    }
    for (let i = 0; i < keys.length; i += 50) take(this.#rowsUnder(keys.slice(i, i + 50)));
    return rows;
  }

  /** Rows whose covering contains one of the cells. */
  #rowsUnder(keys: readonly PackedCell[]): Record<string, unknown>[] {
    return this.#sql
      .exec(
        `SELECT n, kind, lat, lon, radius FROM fence WHERE n IN (SELECT n FROM cell WHERE cell IN (${marks(keys.length)}))`,
        ...keys,
      )
      .toArray();
  }

  /** The rows within `radius` of a point, nearest first. */
  #nearest(rows: ShapeRow[], point: Coordinate, radius: number): NearRow[] {
    const near: NearRow[] = [];
    for (const row of rows) {
      // Check the circle around a polygon first: most rows then don't need their ring.
      if (haversine(point.latitude, point.longitude, row.lat, row.lon) - row.radius > radius * 1.01 + 1) continue;
      const distance = Math.max(0, this.#distanceTo(row, point));
      if (distance <= radius) near.push({ n: row.n, distance });
    }
    return near.sort((a, b) => a.distance - b.distance || a.n - b.n);
  }

  #pick(near: readonly NearRow[], query: NearQuery): NearFence[] {
    const found: NearFence[] = [];
    for (const { n, distance } of near) {
      const fence = this.#load(n);
      if (!isWanted(fence, query)) continue;
      found.push({ fence, distance });
      if (found.length === query.limit) break;
    }
    return found;
  }

  /** Distance from the point to the fence's edge [m], 0 or less inside. */
  #distanceTo(row: ShapeRow, point: Coordinate): number {
    if (row.kind === 0) return haversine(point.latitude, point.longitude, row.lat, row.lon) - row.radius;
    const { shape } = this.#load(row.n);
    return shape.type === "polygon"
      ? signedDistance(shape.ring, point.latitude, point.longitude)
      : Number.POSITIVE_INFINITY;
  }

  #load(n: number): Fence {
    const known = this.#memory.get(n);
    if (known) return known;
    const { doc } = this.#sql.exec("SELECT doc FROM fence WHERE n = ?", n).toArray()[0] as { doc: string };
    const fence = fenceOfRow(JSON.parse(doc) as FenceRecord);
    this.#vertices += weightOf(fence);
    for (const [oldest] of this.#memory) {
      if (this.#vertices <= MEMORY_VERTICES) break;
      this.#forget(oldest);
    }
    this.#memory.set(n, fence);
    return fence;
  }

  #forget(n: number): void {
    const fence = this.#memory.get(n);
    if (!fence) return;
    this.#vertices -= weightOf(fence);
    this.#memory.delete(n);
  }

  #usedResolutions(): number[] {
    this.#resolutions ??= this.#sql
      .exec("SELECT resolution FROM resolution")
      .toArray()
      .map((row) => row.resolution as number);
    return this.#resolutions;
  }
}

type ShapeRow = {
  n: number;
  kind: number;
  lat: number;
  lon: number;
  radius: number;
};

interface NearRow {
  n: number;
  /** [m] */
  distance: number;
}

function weightOf(fence: Fence): number {
  return 10 + (fence.shape.type === "polygon" ? fence.shape.ring.length : 0);
}

function hasAll(metadata: Fence["metadata"], wanted: NonNullable<NearQuery["metadata"]>): boolean {
  for (const key in wanted) if (metadata?.[key] !== wanted[key]) return false;
  return true;
}

/** "?, ?, ?": the same string for the same number, so that a statement is prepared only once. */
function marks(n: number): string {
  markTexts[n] ??= Array.from({ length: n }, () => "?").join(", ");
  return markTexts[n];
}

const markTexts: string[] = [];
