import { ancestorOf, cellAt, cellCircle, DESCENDANT_REACH, type PackedCell } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { signedDistance } from "../../geo/shapes/polygon.ts";
import type { Fence } from "../../tracking/types/fence.ts";
import { fenceOfRow } from "./fence-row.ts";
import { type FenceRecord, hasAll, type NearQuery } from "./fence-store.ts";

/** All geofences of a scope that come closer to `center` than `radius` [m], in the order of the index. */
export interface FenceArea {
  center: Coordinate;
  radius: number;
  /** Of the scope's geofences, at which this was true. */
  epoch: number;
  records: readonly FenceRecord[];
}

/** A geofence that was changed, or deleted: then without a shape. */
export interface FenceChange {
  id: string;
  fence?: Fence;
}

/** Cells for which areas are kept, the coarsest first: edges of 23 km down to 460 m. A cell with too many geofences is divided. */
const RESOLUTIONS = [4, 5, 6, 7, 8] as const;
const FINEST = RESOLUTIONS[RESOLUTIONS.length - 1];
/** Most geofences of an area. */
export const MAX_IN_AREA = 300;
/** So much farther than its cell an area reaches [m], for searches around points near the cell's edge. */
const MARGIN = 3_000;
/** Corners of all shapes that are kept, and as many more for what else a geofence has: some 20 MB. */
const MAX_WEIGHT = 300_000;
/** An area without geofences. */
const EMPTY_WEIGHT = 5;

interface Known {
  scope: number;
  cell: PackedCell;
  weight: number;
  /** Absent: more geofences than an area may have; its children are asked instead. */
  area?: FenceArea & { fences: readonly Fence[] };
}

/**
 * What an isolate knows of the geofences around places it was asked about, as trackers do for their devices: the object that has them
 * all is asked once per area, not once per call. An area counts until one of the geofences in it, or near it, changes.
 */
export class KnownFences {
  readonly #known = new Map<string, Known>();
  readonly #epochs = new Map<number, number>();
  #weight = 0;

  get size(): number {
    return this.#known.size;
  }

  /** The epoch up to which changes of a scope were told; 0 = nothing is kept of it. */
  epochOf(scope: number): number {
    return this.#epochs.get(scope) ?? 0;
  }

  /** What is known around a point: an area, or the cell that is to be asked about. Areas are those of `epochOf`. */
  around(scope: number, point: Coordinate): { area?: Known["area"]; ask?: PackedCell } {
    const finest = cellAt(point, FINEST);
    for (const resolution of RESOLUTIONS) {
      const cell = ancestorOf(finest, resolution);
      const key = keyOf(scope, cell);
      const known = this.#known.get(key);
      if (!known) return { ask: cell };
      this.#known.delete(key);
      this.#known.set(key, known);
      if (known.area) return { area: known.area };
    }
    return {};
  }

  /** Keeps what the index told about a cell; false where it is too old: changes were told meanwhile that it did not know. */
  put(scope: number, cell: PackedCell, area: FenceArea): boolean {
    if (area.epoch < this.epochOf(scope)) return false;
    if (!this.#epochs.has(scope)) this.#epochs.set(scope, area.epoch);
    const isWhole = area.radius >= reachOf(cell).radius;
    const fences = isWhole ? area.records.map(fenceOfRow) : [];
    const weight = EMPTY_WEIGHT + fences.reduce((sum, fence) => sum + weightOf(fence), 0);
    this.#delete(keyOf(scope, cell));
    this.#known.set(keyOf(scope, cell), { scope, cell, weight, ...(isWhole && { area: { ...area, fences } }) });
    this.#weight += weight;
    for (const oldest of this.#known.keys()) {
      if (this.#weight <= MAX_WEIGHT) break;
      this.#delete(oldest);
    }
    return true;
  }

  /** The scope's geofences have changed: these, or, if there are too many to be told, any. */
  advance(scope: number, epoch: number, changes: readonly FenceChange[] | undefined): void {
    if (epoch <= this.epochOf(scope)) return;
    this.#epochs.set(scope, epoch);
    for (const [key, known] of this.#known) {
      const { area } = known;
      // Which cells have too many is kept: at worst a smaller area is asked for.
      if (known.scope !== scope || !area) continue;
      if (!changes || changes.some((change) => concerns(area, change))) this.#delete(key);
    }
  }

  #delete(key: string): void {
    const known = this.#known.get(key);
    if (!known) return;
    this.#known.delete(key);
    this.#weight -= known.weight;
  }
}

/** Centre and radius [m] of the area of a cell: all its descendants are in it, and points around them. */
export function reachOf(cell: PackedCell): { center: Coordinate; radius: number } {
  const { center, radius } = cellCircle(cell);
  return { center, radius: radius * DESCENDANT_REACH + Math.min(MARGIN, radius) };
}

/** The geofences of an area that hold a point of it. */
export function fencesAt({ fences }: { fences: readonly Fence[] }, point: Coordinate): Fence[] {
  return fences.filter((fence) => distanceTo(fence, point, 0) <= 0);
}

/** The records of geofences nearest to a point, as the index would find them; undefined where the area may not have all. */
export function searchArea(
  { center, radius, records, fences }: FenceArea & { fences: readonly Fence[] },
  point: Coordinate,
  query: NearQuery,
): FenceRecord[] | undefined {
  const complete = radius - distance(center, point);
  const most = Math.min(query.radius ?? complete, complete);
  const near: { n: number; far: number }[] = [];
  for (const [n, fence] of fences.entries()) {
    const far = Math.max(0, distanceTo(fence, point, most));
    if (far > most || !isWanted(fence, query)) continue;
    near.push({ n, far });
  }
  if (near.length < query.limit && (query.radius === undefined || query.radius > complete)) return undefined;
  near.sort((a, b) => a.far - b.far);
  return near.slice(0, query.limit).map(({ n }) => records[n]);
}

function isWanted({ tag, metadata, disableAfter }: Fence, { tags, metadata: wanted, activeAt }: NearQuery): boolean {
  if (tags && !tags.includes(tag ?? "")) return false;
  if (wanted && !hasAll(metadata, wanted)) return false;
  return activeAt === undefined || (disableAfter ?? Number.POSITIVE_INFINITY) > activeAt;
}

/** Does a change touch what is known of an area? */
function concerns({ center, radius, records }: FenceArea, { id, fence }: FenceChange): boolean {
  if (records.some((record) => record.id === id)) return true;
  if (!fence) return false;
  const { shape } = fence;
  const reach = shape.type === "circle" ? shape.radius : shape.reach;
  return distance(center, shape.center) <= radius + reach;
}

/** Distance to the edge [m], 0 or less inside; of what is farther than `most` by the circle around it, that of the circle. */
function distanceTo({ shape }: Fence, point: Coordinate, most: number): number {
  const far = distance(shape.center, point);
  if (shape.type === "circle") return far - shape.radius;
  const atLeast = far - shape.reach;
  return atLeast > most * 1.01 + 1 ? atLeast : signedDistance(shape.ring, point.latitude, point.longitude);
}

function weightOf({ shape }: Fence): number {
  return 30 + (shape.type === "polygon" ? 2 * shape.ring.length : 0);
}

const keyOf = (scope: number, cell: PackedCell) => `${scope} ${cell}`;
