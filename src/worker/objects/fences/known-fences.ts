import { ancestorOf, cellAt, cellCircle, DESCENDANT_REACH, type PackedCell } from "../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import { signedDistance } from "../../../core/geo/shapes/polygon.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import { fenceOfRow } from "./fence-row.ts";
import { type FenceRecord, isWanted, type NearQuery } from "./fence-store.ts";

/** All geofences of a scope within `radius` [m] of `center`, in the order of the index. */
export interface FenceArea {
  center: Coordinate;
  radius: number;
  /** Epoch of the scope's geofences when this was read. */
  epoch: number;
  records: readonly FenceRecord[];
}

/** A geofence that was changed, or deleted (then without a shape). */
export interface FenceChange {
  id: string;
  fence?: Fence;
}

/**
 * Resolutions of cached cells, coarsest first: edges of 23 km down to 460 m. A cell with too many geofences is divided.
 */
const RESOLUTIONS = [4, 5, 6, 7, 8] as const;
const FINEST = RESOLUTIONS[RESOLUTIONS.length - 1];
/** Maximum number of geofences in an area. */
export const MAX_IN_AREA = 300;
/** Margin of an area around its cell [m], for searches around points near the cell's edge. */
const MARGIN = 3_000;
/** Maximum number of cached corners of all shapes. With the other fields of the geofences, this is about 20 MB. */
const MAX_WEIGHT = 300_000;
/** Weight of an area without geofences. */
const EMPTY_WEIGHT = 5;

interface Known {
  scope: number;
  cell: PackedCell;
  weight: number;
  /** Absent if the area has too many geofences; its child cells are requested instead. */
  area?: FenceArea & { fences: readonly Fence[] };
}

/**
 * An isolate's cache of geofences by area, like the trackers' caches for their devices. The index is queried once per
 * area, not once per call. An area is valid until a geofence in it or near it changes.
 */
export class KnownFences {
  readonly #known = new Map<string, Known>();
  readonly #epochs = new Map<number, number>();
  #weight = 0;

  get size(): number {
    return this.#known.size;
  }

  /** The epoch up to which changes of a scope have been applied; 0 = nothing is cached. */
  epochOf(scope: number): number {
    return this.#epochs.get(scope) ?? 0;
  }

  /** The cached area around a point, or the cell to request. Areas are valid at `epochOf`. */
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

  /**
   * Caches the index's response for a cell. Returns false if it is outdated: newer changes have been applied meanwhile.
   */
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

  /** Applies changes of the scope's geofences. `undefined` means too many to list: any may have changed. */
  advance(scope: number, epoch: number, changes: readonly FenceChange[] | undefined): void {
    if (epoch <= this.epochOf(scope)) return;
    this.#epochs.set(scope, epoch);
    for (const [key, known] of this.#known) {
      const { area } = known;
      // Keep the information that a cell has too many geofences: at worst a smaller area is requested.
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

/** Center and radius [m] of a cell's area, which contains all its descendants and a margin around them. */
export function reachOf(cell: PackedCell): { center: Coordinate; radius: number } {
  const { center, radius } = cellCircle(cell);
  return { center, radius: radius * DESCENDANT_REACH + Math.min(MARGIN, radius) };
}

/** The geofences of an area that contain the point. */
export function fencesAt({ fences }: { fences: readonly Fence[] }, point: Coordinate): Fence[] {
  return fences.filter((fence) => distanceTo(fence, point, 0) <= 0);
}

/**
 * The records of geofences nearest to a point, as the index would find them. undefined if the area may not have all of
 * them.
 */
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

/** Does a change affect a cached area? */
function concerns({ center, radius, records }: FenceArea, { id, fence }: FenceChange): boolean {
  if (records.some((record) => record.id === id)) return true;
  if (!fence) return false;
  const { shape } = fence;
  const reach = shape.type === "circle" ? shape.radius : shape.reach;
  return distance(center, shape.center) <= radius + reach;
}

/** Distance to the edge [m], 0 or less inside. Beyond `most`, the distance to the enclosing circle. */
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
