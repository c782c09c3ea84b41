import { ancestorOf, cellAt, cellCircle, DESCENDANT_REACH, type PackedCell } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Fence } from "../../tracking/types/fence.ts";
import { reachOf } from "./known-fences.ts";
import { isEnough, type Neighbourhood } from "./neighbourhood.ts";

/** Cells that have a neighbourhood, the coarsest first: edges of 9 km down to 460 m. A cell with too many geofences is divided. */
const RESOLUTIONS = [5, 6, 7, 8] as const;
const FINEST = RESOLUTIONS[RESOLUTIONS.length - 1];
/** Most geofences of a cell's neighbourhood. */
export const SHARED_FENCES = 600;
/** How far a device's own part of it reaches [m], and less where it would have more geofences: each of its updates looks at all of them. */
const OWN_RADIUS = 3_000;
const OWN_FENCES = 100;
/** Least by which a neighbourhood reaches farther than its cell [m], as accuracies do. */
const MIN_MARGIN = 250;
/** Memory of all geofences that are kept, and of their lists [bytes]. */
const MAX_BYTES = 64 * 2 ** 20;
/** Roughly what a circle takes with its names, a corner, one more value, and a geofence in a list [bytes]. */
const [CIRCLE_BYTES, CORNER_BYTES, VALUE_BYTES, LISTED_BYTES] = [600, 64, 64, 8];
/** What a cell takes without geofences [bytes]. */
const CELL_BYTES = 500;
/** Who has asked for so long [ms] was cut off: another one asks. */
const LOST_MS = 1_000;
/** How long who waits sleeps until it looks again [ms], at first and at most. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [2, 32];

/** A geofence, once for all cells that list it. */
interface Shared {
  key: string;
  fence: Fence;
  /** How many cells list it. */
  uses: number;
  bytes: number;
}

interface Known {
  listed: readonly Shared[];
  /** Absent: more geofences than fit; its children are asked for instead. */
  neighbourhood?: Neighbourhood;
}

/** What the index tells of the fences around a point: `radius` is less where there are more than SHARED_FENCES; below `least` [m] it is of no use. */
type Ask = (center: Coordinate, radius: number, least: number) => Promise<Neighbourhood>;

/**
 * Neighbourhoods of cells, for all trackers of an isolate whose devices are in them: the index is asked once per cell and change of the
 * scope's geofences, not once per device. Who asks while another one does waits for its answer.
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

  /** Roughly what is held [bytes]. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * A neighbourhood that is enough for a point; undefined where geofences are too dense for one, or `need` is too much.
   * @param need how far from the point fences matter [m]
   * @throws what `ask` throws
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
      // Nobody can wait for another request's promise.
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

  /** Which cells have too many is kept over changes: at worst a smaller neighbourhood is asked for. */
  #fresh(key: string, epoch: number): Known | undefined {
    const known = this.#cells.get(key);
    if (!known || (known.neighbourhood && known.neighbourhood.epoch < epoch)) return undefined;
    // Last used, last to go.
    this.#cells.delete(key);
    this.#cells.set(key, known);
    return known;
  }

  #put(scope: number, key: string, found: Neighbourhood, isWhole: boolean): Known {
    const before = this.#cells.get(key)?.neighbourhood;
    // Another one has asked later and was answered first.
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

  /** The geofence as it is listed elsewhere, if it has not changed. */
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

/** The part of a neighbourhood around a point, in its order. @param need how far it is to reach at least [m] */
function partOf({ center, radius, epoch, fences }: Neighbourhood, point: Coordinate, need: number): Neighbourhood {
  let reach = Math.min(radius - distance(center, point), Math.max(OWN_RADIUS, 2 * need));
  let near: { fence: Fence; away: number }[] = [];
  for (const fence of fences) {
    const { shape } = fence;
    // Of a polygon, to the circle around it: it may be farther away.
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

function fenceBytes({ shape, metadata, userIds, operatingHours }: Fence): number {
  const corners = shape.type === "polygon" ? shape.ring.length : 0;
  const values = Object.keys(metadata ?? {}).length + (userIds?.length ?? 0) + (operatingHours ? 20 : 0);
  return CIRCLE_BYTES + CORNER_BYTES * corners + VALUE_BYTES * values;
}
