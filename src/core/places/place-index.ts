import type { DecodedSource } from "../geo/builds/tile-source.ts";
import { decodeCellList } from "../geo/cells/cell-list.ts";
import { cellAt } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";
import { Airports } from "./airports.ts";
import { rowsWithSlugs } from "./categories.ts";
import type { PlaceDetails } from "./details.ts";
import {
  AIRPORTS_KEY,
  DIRECTORIES_KEY,
  DIRECTORY_RESOLUTION,
  Directory,
  directoryKey,
  MAX_RADIUS,
  tileKey,
} from "./directory.ts";
import { decodeParts, IDS_KEY, idsKey, PlaceIds } from "./ids.ts";
import { KEY_FILTER_KEY, KeyFilter } from "./key-filter.ts";
import { OVERTURE, type Place, type PlaceKey, sourceNameOf } from "./place.ts";
import { type ComparedPlace, comparedName, isSamePlace } from "./same-place.ts";
import { PlaceTile } from "./tile.ts";

/** Maximum distance outside its footprint at which a visitor is still at a place [meters]. */
export const NEARBY = 75;

/** Tiles read concurrently: a Worker has six connections per request. */
const PARALLEL = 6;

export interface PlaceSearch {
  /** Meters, up to 10,000. */
  radius: number;
  limit: number;
  /** The place's chain must be one of these slugs. */
  chains?: ReadonlySet<string>;
  /**
   * The place must have one of these slugs, on any level of the category table (and match `chains`, when both are
   * given).
   */
  categories?: readonly string[];
  /** The place must have one of these slugs as well. */
  groups?: readonly string[];
  /** A further condition on the chain; a place without a chain fails it. */
  chainFilter?: (slug: string) => boolean;
}

export interface FoundPlace {
  place: Place;
  /** From the requested point to the place's location [meters]. */
  distance: number;
}

/**
 * Finds places near a point through a source of decoded objects: one directory, then tiles, nearest first. It caches
 * nothing itself.
 */
export class PlaceIndex {
  readonly #source: DecodedSource;

  constructor(source: DecodedSource) {
    this.#source = source;
  }

  /** The nearest places within the radius, by distance, then id. */
  async near(point: Coordinate, search: PlaceSearch): Promise<FoundPlace[]> {
    const radius = Math.min(search.radius, MAX_RADIUS);
    const directory = await this.#directory(point);
    if (!directory || search.limit < 1) return [];
    const tiles = directory.tilesWithin(point, radius);
    const filter = filterOf(search);
    let best: Hit[] = [];
    for (let next = 0; next < tiles.length; next += PARALLEL) {
      // No place of the remaining tiles can be nearer than its tile.
      const bound = best.length >= search.limit ? best[search.limit - 1].distance : radius;
      const batch = tiles.slice(next, next + PARALLEL).filter(({ distance }) => distance <= bound);
      if (batch.length === 0) break;
      for (const tile of await Promise.all(batch.map(({ cell }) => this.#tile(tileKey(cell))))) {
        if (tile) collect(tile, point, bound, filter, best);
      }
      best = best.sort(byDistance).slice(0, search.limit);
    }
    return best.map(({ tile, i, distance }) => ({ place: tile.place(i), distance }));
  }

  /**
   * The place a visitor is at: the one whose footprint is nearest, if it is within 75 m of it. Within several
   * footprints it is the smallest, the shop rather than the mall around it. `accepts` leaves places out, by a project's
   * place filters.
   */
  async at(point: Coordinate, accepts: (place: Place) => boolean = () => true): Promise<Place | undefined> {
    const directory = await this.#directory(point);
    const cell = directory?.tileOf(cellAt(point));
    const tile = cell === undefined ? undefined : await this.#tile(tileKey(cell));
    if (!tile) return undefined;
    const hits: (Hit & { outside: number })[] = [];
    const box = boxAround(point, NEARBY);
    for (let i = 0; i < tile.count; i++) {
      const footprint = tile.footprints[i];
      const slack = footprint / METRES_PER_UNIT;
      if (Math.abs(tile.latitudes[i] - box.latitude) > box.height + slack) continue;
      const distance = haversine(point.latitude, point.longitude, tile.latitudes[i] / 1e7, tile.longitudes[i] / 1e7);
      const outside = Math.max(0, distance - footprint);
      if (outside <= NEARBY) hits.push({ tile, i, distance, outside });
    }
    hits.sort((a, b) => a.outside - b.outside || tile.footprints[a.i] - tile.footprints[b.i] || byDistance(a, b));
    for (const { i } of hits) {
      const place = tile.place(i);
      if (accepts(place)) return place;
    }
    return undefined;
  }

  /** False where the build surely has no place of this key. */
  async mayHave(key: PlaceKey): Promise<boolean> {
    const filter = await this.#source.cached(KEY_FILTER_KEY, (bytes) => new KeyFilter(bytes), { weight: asRaw });
    return filter?.mayHave(key) ?? true;
  }

  /** A place by its key, with all its details; builds before version 3 have no lookup by key. */
  async withKey(key: PlaceKey): Promise<{ place: Place; details: PlaceDetails | undefined } | undefined> {
    const parts = await this.#source.cached(IDS_KEY, decodeParts, { weight: asRaw });
    if (parts === undefined) return undefined;
    const ids = await this.#source.cached(idsKey(key.low % parts), (bytes) => new PlaceIds(bytes), {
      weight: asRaw,
      required: true,
    });
    const cell = ids?.cellOf(key);
    const tile = cell === undefined ? undefined : await this.#tile(tileKey(cell));
    const i = tile?.indexOf(key) ?? -1;
    return tile && i >= 0 ? { place: tile.place(i), details: tile.details(i) } : undefined;
  }

  /** Airports with an IATA code, usually one. */
  async airports(iataCode: string): Promise<Place[]> {
    const airports = await this.#source.cached(AIRPORTS_KEY, (bytes) => new Airports(bytes), {
      weight: asRaw,
      required: true,
    });
    return airports?.withCode(iataCode) ?? [];
  }

  #directory(point: Coordinate): Promise<Directory | undefined> {
    const cell = cellAt(point, DIRECTORY_RESOLUTION);
    const required = async () => {
      const { hasLists } = this.#source;
      const list = await this.#source.cached(DIRECTORIES_KEY, decodeCellList, { required: hasLists });
      // Where the list is lost as well, the directory has to be treated as lost.
      return list ? list.has(cell) : hasLists;
    };
    return this.#source.cached(directoryKey(cell), (bytes) => new Directory(bytes), { weight: asRaw, required });
  }

  #tile(key: string): Promise<PlaceTile | undefined> {
    return this.#source.cached(key, (bytes) => new PlaceTile(bytes), { weight: asRaw, required: true });
  }
}

/** Columns are read in place, so a decoded object is as large as its bytes. */
const asRaw = (_: unknown, rawBytes: number) => rawBytes;

/**
 * Returns the nearest places of several builds (neighboring extracts overlap); a place that is in two of them is
 * returned once.
 */
export async function nearInAll(
  indexes: readonly PlaceIndex[],
  point: Coordinate,
  search: PlaceSearch,
): Promise<FoundPlace[]> {
  if (indexes.length === 1) return indexes[0].near(point, search);
  const more = { ...search, limit: search.limit + MORE };
  const lists = await Promise.all(indexes.map((index) => index.near(point, more)));
  const seen = new Set<string>();
  const found = lists
    .flat()
    .sort((a, b) => a.distance - b.distance || (a.place.id < b.place.id ? -1 : 1))
    .filter(({ place }) => !seen.has(place.id) && seen.add(place.id));
  return withoutOverruled(found).slice(0, search.limit);
}

/** Places of a build that are looked at beyond the limit, as another build may have the same ones. */
const MORE = 10;

/** Of Overture's places, only those that no other build has. */
function withoutOverruled(found: readonly FoundPlace[]): FoundPlace[] {
  const isOverture = ({ place }: FoundPlace) => sourceNameOf(place.id) === OVERTURE;
  const sure = found.filter((one) => !isOverture(one)).map(({ place }) => comparedOf(place));
  if (sure.length === 0 || sure.length === found.length) return [...found];
  return found.filter((one) => !isOverture(one) || !sure.some((other) => isSamePlace(comparedOf(one.place), other)));
}

const comparedOf = ({ name, location, chain, categories }: Place): ComparedPlace => ({
  location,
  names: [comparedName(name)],
  chain: chain?.slug,
  groups: categories,
});

interface Hit {
  tile: PlaceTile;
  i: number;
  distance: number;
}

function byDistance(a: Hit, b: Hit): number {
  return a.distance - b.distance || a.tile.highs[a.i] - b.tile.highs[b.i] || a.tile.lows[a.i] - b.tile.lows[b.i];
}

/** Selects places of a tile: created once per tile, so that the loop compares numbers only. */
type Filter = (tile: PlaceTile) => (i: number) => boolean;

function filterOf({ chains, categories, groups, chainFilter }: PlaceSearch): Filter {
  const rows = categories && rowsWithSlugs(categories);
  const groupRows = groups && rowsWithSlugs(groups);
  return (tile) => {
    const table = tile.chainTable;
    const inChains = table.map(({ slug }) => chains?.has(slug) ?? false);
    const passes = table.map(({ slug }) => chainFilter?.(slug) ?? true);
    return (i) => {
      const chain = tile.chains[i];
      if (chainFilter && passes[chain] !== true) return false;
      if (chains && inChains[chain] !== true) return false;
      return (!rows || tile.hasCategory(i, rows)) && (!groupRows || tile.hasCategory(i, groupRows));
    };
  };
}

/** Meters in 1e-7 degrees of latitude, a little less than true so that boxes are a little large. */
const METRES_PER_UNIT = 0.0111;

function boxAround({ latitude }: Coordinate, radius: number) {
  return { latitude: latitude * 1e7, height: radius / METRES_PER_UNIT };
}

/** Adds the tile's own places within the radius. Visitors belong to another tile and are found there. */
function collect(tile: PlaceTile, point: Coordinate, radius: number, filter: Filter, into: Hit[]): void {
  const accepts = filter(tile);
  const box = boxAround(point, radius);
  for (let i = 0; i < tile.home; i++) {
    if (Math.abs(tile.latitudes[i] - box.latitude) > box.height || !accepts(i)) continue;
    const distance = haversine(point.latitude, point.longitude, tile.latitudes[i] / 1e7, tile.longitudes[i] / 1e7);
    if (distance <= radius) into.push({ tile, i, distance });
  }
}
