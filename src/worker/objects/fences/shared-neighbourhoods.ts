import { ancestorOf, cellAt, cellCircle, DESCENDANT_REACH, type PackedCell } from "../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import { reachOf } from "./known-fences.ts";
import { isEnough, type Neighbourhood } from "./neighbourhood.ts";

/**
 * Resolutions of cells with a neighborhood, coarsest first: edges of 9 km down to 460 m. A cell with too many geofences
 * is divided.
 */
const RESOLUTIONS = [5, 6, 7, 8] as const;
const FINEST = RESOLUTIONS[RESOLUTIONS.length - 1];
/** Maximum number of geofences in a cell's neighborhood. */
export const SHARED_FENCES = 600;
/** Radius of a device's own part of it [m]. Smaller if there are too many geofences: each update checks all of them. */
const OWN_RADIUS = 3_000;
const OWN_FENCES = 100;
/** Minimum margin of a neighborhood around its cell [m], in the range of location accuracies. */
const MIN_MARGIN = 250;
/** Maximum memory for all cached geofences and their lists [bytes]. */
const MAX_BYTES = 64 * 2 ** 20;
/** Approximate size of a circle with its names, a corner, one more value, and a list entry [bytes]. */
const [CIRCLE_BYTES, CORNER_BYTES, VALUE_BYTES, LISTED_BYTES] = [600, 64, 64, 8];
/** Size of a cell without geofences [bytes]. */
const CELL_BYTES = 500;
/** A request pending for longer than this [ms] is considered lost, and another caller requests again. */
const LOST_MS = 1_000;
/** Initial and maximum polling interval of waiting callers [ms]. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [2, 32];

/** A geofence, stored once for all cells that list it. */
interface Shared {
  key: string;
  fence: Fence;
  /** Number of cells that list it. */
  uses: number;
  bytes: number;
}

interface Known {
  listed: readonly Shared[];
  /** Absent if there are too many geofences; the child cells are requested instead. */
  neighbourhood?: Neighbourhood;
}

/**
 * Queries the index for the fences around a point. `radius` is reduced if there are more than SHARED_FENCES; a radius
 * below `least` [m] is useless.
 */
type Ask = (center: Coordinate, radius: number, least: number) => Promise<Neighbourhood>;

/**
 * Neighborhoods of cells, shared by all trackers of an isolate. The index is queried once per cell and change of the
 * scope's geofences, not once per device. Concurrent callers wait for the same response.
 */
export class SharedNeighbourhoods {
  readonly #cells = new Map<string, Known>();
  readonly #fences = new Map<string, Shared>();
  readonly #asking = new Map<string, { at: number }>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = MAX_BYTES) {
    this.#most = most;
  }

  /** Approximate memory use [bytes]. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * A neighborhood that suffices for a point. undefined if geofences are too dense, or if `need` is too large.
   * @param need distance from the point within which fences matter [m]
   * @throws the errors of `ask`
   */
  async around(
    scope: number,
    epoch: number,
    point: Coordinate,
    need: number,
    ask: Ask,
  ): Promise<Neighbourhood | undefined> {
    const finest = cellAt(point, FINEST);
    for (const resolution of RESOLUTIONS) {
      const { neighbourhood } = await this.#of(scope, ancestorOf(finest, resolution), epoch, ask);
      if (neighbourhood)
        return isEnough(neighbourhood, epoch, point, need) ? partOf(neighbourhood, point, need) : undefined;
    }
    return undefined;
  }

  async #of(scope: number, cell: PackedCell, epoch: number, ask: Ask): Promise<Known> {
    const key = `${scope} ${cell}`;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const known = this.#fresh(key, epoch);
      if (known) return known;
      const other = this.#asking.get(key);
      if (!other || Math.abs(Date.now() - other.at) >= LOST_MS) break;
      // A request can't await another request's promise, so poll.
      await new Promise((wake) => setTimeout(wake, pause));
    }
    const own = { at: Date.now() };
    this.#asking.set(key, own);
    try {
      const { center, radius } = reachOf(cell);
      const least = cellCircle(cell).radius * DESCENDANT_REACH + MIN_MARGIN;
      const found = await ask(center, radius, least);
      return this.#put(scope, key, found, found.radius >= least);
    } finally {
      if (this.#asking.get(key) === own) this.#asking.delete(key);
    }
  }

  /** Keep across changes which cells have too many geofences: at worst a smaller neighborhood is requested. */
  #fresh(key: string, epoch: number): Known | undefined {
    const known = this.#cells.get(key);
    if (!known || (known.neighbourhood && known.neighbourhood.epoch < epoch)) return undefined;
    // Move the entry to the end: the least recently used one is evicted first.
    this.#cells.delete(key);
    this.#cells.set(key, known);
    return known;
  }

  #put(scope: number, key: string, found: Neighbourhood, isWhole: boolean): Known {
    const before = this.#cells.get(key)?.neighbourhood;
    // A later request got its response first.
    if (before && before.epoch > found.epoch) return this.#cells.get(key) as Known;
    const listed = isWhole ? found.fences.map((fence) => this.#share(scope, fence)) : [];
    const known: Known = { listed };
    if (isWhole) known.neighbourhood = { ...found, fences: listed.map(({ fence }) => fence) };
    this.#forget(key);
    this.#cells.set(key, known);
    this.#bytes += bytesOf(known);
    for (const oldest of this.#cells.keys()) {
      if (this.#bytes <= this.#most) break;
      this.#forget(oldest);
    }
    return known;
  }

  /** The same geofence as listed by other cells, if it has not changed. */
  #share(scope: number, fence: Fence): Shared {
    const key = `${scope} ${fence.id}`;
    let shared = this.#fences.get(key);
    if (shared?.fence.revision !== fence.revision) {
      shared = { key, fence, uses: 0, bytes: fenceBytes(fence) };
      this.#fences.set(key, shared);
      this.#bytes += shared.bytes;
    }
    shared.uses++;
    return shared;
  }

  #forget(key: string): void {
    const known = this.#cells.get(key);
    if (!known) return;
    this.#cells.delete(key);
    this.#bytes -= bytesOf(known);
    for (const shared of known.listed) {
      if (--shared.uses > 0) continue;
      this.#bytes -= shared.bytes;
      if (this.#fences.get(shared.key) === shared) this.#fences.delete(shared.key);
    }
  }
}

/**
 * The part of a neighborhood around a point, in its order.
 * @param need minimum radius [m]
 */
function partOf({ center, radius, epoch, fences }: Neighbourhood, point: Coordinate, need: number): Neighbourhood {
  let reach = Math.min(radius - distance(center, point), Math.max(OWN_RADIUS, 2 * need));
  let near: { fence: Fence; away: number }[] = [];
  for (const fence of fences) {
    const { shape } = fence;
    // For a polygon, the distance to its enclosing circle: the polygon itself may be farther away.
    const away = distance(shape.center, point) - (shape.type === "circle" ? shape.radius : shape.reach);
    if (away <= reach) near.push({ fence, away });
  }
  if (near.length > OWN_FENCES) {
    reach = Math.max(need, Float64Array.from(near, ({ away }) => away).sort()[OWN_FENCES]);
    near = near.filter(({ away }) => away <= reach);
  }
  return { center: point, radius: reach, epoch, fences: near.map(({ fence }) => fence) };
}

const bytesOf = ({ listed }: Known) => CELL_BYTES + LISTED_BYTES * 2 * listed.length;

function fenceBytes({ shape, metadata, userIds, segments, operatingHours }: Fence): number {
  const corners = shape.type === "polygon" ? shape.ring.length : 0;
  const users = (userIds?.length ?? 0) + (segments?.length ?? 0);
  const values = Object.keys(metadata ?? {}).length + users + (operatingHours ? 20 : 0);
  return CIRCLE_BYTES + CORNER_BYTES * corners + VALUE_BYTES * values;
}
