import {
  areasOf,
  type Bounds,
  isInBounds,
  LIVE_KEY,
  type LiveBuild,
  type PageNames,
  parseLiveList,
  sourcesOf,
  WORLD,
} from "../../core/geo/builds/manifest.ts";
import { SharedReads } from "../../core/geo/builds/shared-reads.ts";
import { UnreadableObject } from "../../core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../core/geo/distance.ts";
import { LIVE_LIST_MS } from "../../core/limits/capacity.ts";
import type { Credit, LeftOut } from "../platform/reports.ts";
import { within } from "../platform/within.ts";
import { BucketAway } from "./bucket-away.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import { PageReader } from "./page-reader.ts";
import { BuildSource, r2Reads } from "./r2-source.ts";

/** At this age the list is no longer used: a new build is live after at most this long. */
const STALE_MS = 9000;
/** How long a request waits for a list in place of one that is no longer used [ms]. */
const STALE_PATIENCE_MS = 1000;
/** Retry delay of a failed refresh. */
const RETRY_MS = 1000;
/** The name of the omitted data in a response if the list itself is damaged. */
const ALL_GEODATA = "geodata";

interface Kept {
  geodata: Geodata;
  etag: string | undefined;
  checkedAt: number;
}

const kept = new WeakMap<ObjectBucket, Kept>();
const reads = new SharedReads();

/** The caller that reads geodata: a request, or a Durable Object. */
export interface Asking {
  /** [ms] */
  now: number;
  /** Accepts work that may continue after the response; if undefined, that work is awaited. */
  waitUntil: ((work: Promise<unknown>) => void) | undefined;
  /** Called with the layers that are omitted from a response because their objects are damaged. */
  leftOut?: LeftOut;
  /** Called with the sources of the data in a response. */
  credit?: Credit;
}

/**
 * The live geodata: one list for the complete request, whatever is switched meanwhile. Get it once per request and pass
 * it on. Usually this needs no read; every 5 s there is one conditional read of `live.json`, which happens after the
 * response as long as the list is not older than 9 s. If R2 doesn't respond, or the list is damaged, the known list
 * stays in use. Without a known list, a damaged one is treated as if nothing were imported, and is reported in the
 * response.
 */
export async function openGeodata(bucket: ObjectBucket, asking: Asking): Promise<Geodata> {
  const geodata =
    freshList(bucket, asking) ??
    (await currentList(bucket, asking).catch((error: unknown) => {
      if (!(error instanceof UnreadableObject)) throw error;
      console.warn(error.message);
      asking.leftOut?.(ALL_GEODATA);
      return Geodata.of(bucket, []);
    }));
  return asking.leftOut || asking.credit ? geodata.reportingTo(asking.leftOut, asking.credit) : geodata;
}

/** The known list, if it was checked recently: nearly always, so no promise is created for it. */
function freshList(bucket: ObjectBucket, { now }: Asking): Geodata | undefined {
  const known = kept.get(bucket);
  return known && ageOf(known, now) < LIVE_LIST_MS ? known.geodata : undefined;
}

/** A clock that was set back must not freeze the list. */
const ageOf = ({ checkedAt }: Kept, now: number) => Math.abs(now - checkedAt);

async function currentList(bucket: ObjectBucket, { now, waitUntil }: Asking): Promise<Geodata> {
  const known = kept.get(bucket);
  if (!known) return (await lookUp(bucket, undefined, now)).geodata;
  const age = ageOf(known, now);
  const fresh = lookUp(bucket, known, now).catch((error: unknown) => {
    console.warn(`${LIVE_KEY} could not be read, the known builds stay in use: ${error}`);
    const again = { ...known, checkedAt: now - LIVE_LIST_MS + RETRY_MS };
    kept.set(bucket, again);
    return again;
  });
  if (!waitUntil) return (await fresh).geodata;
  // A bucket that hangs must not stop who has all data in memory.
  const soon = age < STALE_MS ? undefined : await within(STALE_PATIENCE_MS, fresh);
  if (!soon) waitUntil(fresh);
  return (soon ?? known).geodata;
}

async function lookUp(bucket: ObjectBucket, known: Kept | undefined, now: number): Promise<Kept> {
  const fresh = await reads.read(LIVE_KEY, () => readLive(bucket, known, now));
  kept.set(bucket, fresh);
  return fresh;
}

async function readLive(bucket: ObjectBucket, known: Kept | undefined, now: number): Promise<Kept> {
  r2Reads.count++;
  const condition = known?.etag ? { onlyIf: { etagDoesNotMatch: known.etag } } : undefined;
  const object = await bucket.get(LIVE_KEY, condition).catch(away);
  // The commands never delete the list: if it existed before, it is lost.
  if (!object && known && known.geodata.builds.length > 0) throw new UnreadableObject(LIVE_KEY, "it is missing");
  if (!object) return { geodata: Geodata.of(bucket, []), etag: undefined, checkedAt: now };
  // The condition did not hold: the list is unchanged.
  if (!object.arrayBuffer) {
    if (!known) throw new Error(`${LIVE_KEY} was returned without a body`);
    return { ...known, checkedAt: now };
  }
  const bytes = await object.arrayBuffer().catch(away);
  r2Reads.bytes += bytes.byteLength;
  const { builds, pages } = parseLiveList(new TextDecoder().decode(bytes));
  const geodata = Geodata.of(bucket, builds, known?.geodata, pages);
  return { geodata, etag: object.etag, checkedAt: now };
}

function away(cause: unknown): never {
  throw new BucketAway(LIVE_KEY, cause);
}

/** The date of a build's data: the oldest date among its sources [ms]; undefined if none has one. */
export function dataTime({ sources }: LiveBuild): number | undefined {
  const times = sources.map(({ date }) => Date.parse(date ?? "")).filter(Number.isFinite);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** A fixed list of builds and their sources. */
export class Geodata {
  readonly builds: readonly BuildSource[];
  /** Called with the name of a layer from which something was omitted. */
  readonly leftOut: LeftOut;
  readonly #credit: Credit;

  /** Sources of `before` whose builds are still live stay the same objects, so their cached data stays too. */
  static of(bucket: ObjectBucket, builds: readonly LiveBuild[], before?: Geodata, pages: PageNames = {}): Geodata {
    const reader = new PageReader(bucket, pages);
    const known = new Map(before?.builds.map((source) => [source.build.id, source]));
    return new Geodata(
      builds.map((build) => {
        const source = known.get(build.id) ?? new BuildSource(bucket, build);
        source.pages = reader;
        return source;
      }),
    );
  }

  private constructor(
    builds: readonly BuildSource[],
    leftOut: LeftOut = () => undefined,
    credit: Credit = () => undefined,
  ) {
    this.builds = builds;
    this.leftOut = leftOut;
    this.#credit = credit;
  }

  /** The same builds, for one request that reports omitted data and its sources. */
  reportingTo(leftOut?: LeftOut, credit?: Credit): Geodata {
    return new Geodata(this.builds, leftOut, credit);
  }

  /** Records that the response contains data of this layer of a build. */
  credit({ build }: BuildSource, layer: string): void {
    this.#credit(sourcesOf(build, layer));
  }

  /** The base data of countries, cities and time zones; undefined before it is built. */
  get world(): BuildSource | undefined {
    return this.builds.find(({ build }) => build.name === WORLD);
  }

  /**
   * Imported builds that contain the point and have the layer, the one with the smallest area first. Without the world.
   * With a `reach` [m] also those whose edge is that near, so that a point outside an import can find data inside.
   */
  at({ latitude, longitude }: Coordinate, layer: string, reach = 0): BuildSource[] {
    const found: BuildSource[] = [];
    const sizes: number[] = [];
    for (const source of this.builds) {
      if (source.build.name === WORLD || !source.has(layer)) continue;
      let size = Number.POSITIVE_INFINITY;
      for (const area of areasOf(source.build, layer))
        if (isInBounds(widened(area, reach), latitude, longitude)) size = Math.min(size, sizeOf(area));
      if (size === Number.POSITIVE_INFINITY) continue;
      // Inserted by size: there are rarely two, and this is part of most requests.
      let place = found.length;
      while (place > 0 && sizes[place - 1] > size) place--;
      found.splice(place, 0, source);
      sizes.splice(place, 0, size);
    }
    return found;
  }

  /** Imported builds that have the layer, by name. */
  with(layer: string): BuildSource[] {
    return this.builds.filter((source) => source.build.name !== WORLD && source.has(layer));
  }
}

/** An area extended by a number of meters on each side, slightly more at its corners. */
function widened(area: Bounds, metres: number): Bounds {
  if (metres === 0) return area;
  const [west, south, east, north] = area;
  const high = metres / METRES_PER_DEGREE;
  const far = Math.max(Math.abs(south), Math.abs(north)) + high;
  // Around a pole every longitude is near.
  const wide = far < 89 ? high / Math.cos(far * RADIANS) : 180;
  const width = east - west + (east < west ? 360 : 0);
  const turned = (longitude: number) => (((longitude % 360) + 540) % 360) - 180;
  const [left, right] = width + 2 * wide >= 360 ? [-180, 180] : [turned(west - wide), turned(east + wide)];
  return [left, south - high, right, north + high];
}

/** Square degrees: precise enough to order areas that contain the same point. */
function sizeOf([west, south, east, north]: Bounds): number {
  return (east - west + (east < west ? 360 : 0)) * (north - south);
}
