import type { DecodedSource } from "../../geo/builds/tile-source.ts";
import { decodeCellList } from "../../geo/cells/cell-list.ts";
import { cellAt } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { similarPrefixes } from "../words/similar-prefixes.ts";
import { AIRPORTS_KEY, airportsOfCity, decodeAirportCities } from "./airport-cities.ts";
import { bestTiles, type WordTile } from "./best-tiles.ts";
import { COVERAGE_KEY, type Coverage, decodeCoverage } from "./coverage.ts";
import { type Details, DetailsTile } from "./details-tile.ts";
import {
  ALL_TILES_KEY,
  AREAS_KEY,
  decodePrefixes,
  FILTER_KEY,
  FINEST_TILE,
  filterKey,
  HEAD_KEY,
  headKey,
  housesKey,
  namesKey,
  POSITIONS_KEY,
  tilesKey,
} from "./layout.ts";
import { NamesTile } from "./names-tile.ts";
import { decodeSources, SOURCES_KEY } from "./sources.ts";
import { AREA_RESOLUTION, type NearTile, TileDirectory } from "./tile-directory.ts";
import { TilePositions } from "./tile-positions.ts";
import { FilterHead, type FilterShard, openFilterShard, type Probe, qualityOf } from "./word-filter.ts";
import { asTexts, blockOf, type WantedWords, WordIndex } from "./word-index.ts";

/** An object that another object of the build names has to exist. */
const REQUIRED = { required: true } as const;

/** Computed when the surroundings of a point are first requested from a tile. */
const boundsOf = new WeakMap<DetailsTile, Float64Array>();

/**
 * Addresses, streets and regions of one build, read through a source of tiles. It caches nothing itself: create one per
 * request.
 */
export class AddressIndex {
  readonly #source: DecodedSource;
  readonly #regionsOnly: boolean;
  readonly #words: WordIndex;

  /** @param regionsOnly for the world base, which has no tiles: they are not looked for */
  constructor(source: DecodedSource, { regionsOnly = false } = {}) {
    this.#source = source;
    this.#regionsOnly = regionsOnly;
    this.#words = new WordIndex(source, () => this.#isImport());
  }

  /** Whether its places are in the blocks of regions, because it has no tiles. */
  get hasPlacesInHeads(): boolean {
    return this.#regionsOnly;
  }

  /** The codes of the airports of the city at a position that do not have its name: of the world base only. */
  async airportsOf(city: Coordinate): Promise<readonly string[]> {
    const cities = await this.#source.cached(AIRPORTS_KEY, decodeAirportCities, { weight: asCities });
    return cities ? airportsOfCity(cities, city) : [];
  }

  /** Names of the sources of houses, by the numbers in their origins; [] in builds from before there were any. */
  async sources(): Promise<readonly string[]> {
    return (await this.#source.cached(SOURCES_KEY, decodeSources)) ?? [];
  }

  names(tile: number): Promise<NamesTile | undefined> {
    return this.#source.cached(namesKey(tile), (bytes) => new NamesTile(bytes), {
      weight: weightOfNames,
      required: true,
    });
  }

  /** Houses and lines of one entry of a tile. */
  async details(tile: number, names: NamesTile, entry: number, wanted?: (first: number) => boolean): Promise<Details> {
    if (!names.hasDetails(entry)) return { houses: [], lines: [] };
    const details = await this.#houses(tile);
    const origin = { latitude: names.latitudes[entry] / 1e5, longitude: names.longitudes[entry] / 1e5 };
    return details?.read(names.details[entry], names.details[entry + 1], origin, wanted) ?? { houses: [], lines: [] };
  }

  /** [south, west, north, east] of each entry's houses and lines, one after the other [degrees]. */
  async streetBounds(tile: number, names: NamesTile): Promise<Float64Array> {
    const details = await this.#houses(tile);
    if (!details) return new Float64Array(4 * names.count).fill(Number.NaN);
    let bounds = boundsOf.get(details);
    if (!bounds) {
      bounds = new Float64Array(4 * names.count).fill(Number.NaN);
      for (let entry = 0; entry < names.count; entry++) {
        const origin = { latitude: names.latitudes[entry] / 1e5, longitude: names.longitudes[entry] / 1e5 };
        const { houses, lines } = details.read(names.details[entry], names.details[entry + 1], origin);
        let [south, west, north, east] = [90, 180, -90, -180];
        for (const { latitude, longitude } of [...houses.map(({ location }) => location), ...lines.flat()]) {
          south = Math.min(south, latitude);
          west = Math.min(west, longitude);
          north = Math.max(north, latitude);
          east = Math.max(east, longitude);
        }
        bounds.set([south, west, north, east], 4 * entry);
      }
      boundsOf.set(details, bounds);
    }
    return bounds;
  }

  /** Number of addresses by state; empty if it has none. */
  async coverage(): Promise<Coverage> {
    return (await this.#source.cached(COVERAGE_KEY, decodeCoverage)) ?? new Map();
  }

  /**
   * How well the build has each of some words, 0 … 1, and how large the build is. Undefined where it has no word
   * filter.
   */
  async holds(probes: readonly Probe[]): Promise<{ qualities: number[]; entries: number } | undefined> {
    const head = await this.#source.cached(FILTER_KEY, (bytes) => new FilterHead(bytes), { weight: asRaw });
    if (!head) return undefined;
    const { entries, only, shards } = head;
    if (only) return { entries, qualities: probes.map((probe) => qualityOf(probe, () => only)) };
    const read = new Map<number, FilterShard | undefined>();
    await Promise.all(
      head.shardsOf(probes).map(async (shard) => {
        read.set(
          shard,
          await this.#source.cached(filterKey(shard), openFilterShard, { weight: asRaw, required: true }),
        );
      }),
    );
    return { entries, qualities: probes.map((probe) => qualityOf(probe, (key) => read.get(key.shard % shards))) };
  }

  /** The nearest tiles that reach into a circle. @param radius at most TILE_REACH [m] */
  async near(point: Coordinate, radius: number, most: number): Promise<NearTile[]> {
    return (await this.#directory(point))?.near(point, radius, most) ?? [];
  }

  async tileAt(point: Coordinate): Promise<number | undefined> {
    return (await this.#directory(point))?.tileOf(cellAt(point, FINEST_TILE));
  }

  /** Regions that may begin with a word: the block of the longest prefix that has one. */
  async head(word: string): Promise<{ block: number; names: NamesTile } | undefined> {
    const prefixes = await this.#source.cached(HEAD_KEY, decodePrefixes, { ...REQUIRED, weight: asTexts });
    if (!prefixes) return undefined;
    for (let letters = [...word]; letters.length > 0; letters = letters.slice(0, -1)) {
      const block = blockOfPrefix(prefixes, letters.join(""));
      if (block === undefined) continue;
      const names = await this.#source.cached(headKey(block), (bytes) => new NamesTile(bytes), {
        weight: weightOfNames,
        required: true,
      });
      return names && { block, names };
    }
    return undefined;
  }

  /** Blocks of regions that may contain a word with one wrong letter, those with the most similar prefix first. */
  async headsLike(word: string, most: number): Promise<{ block: number; names: NamesTile }[]> {
    const prefixes = (await this.#source.cached(HEAD_KEY, decodePrefixes, REQUIRED)) ?? [];
    const blocks = similarPrefixes(prefixes, word).slice(0, most);
    const read = await Promise.all(
      blocks.map(async (block) => {
        const names = await this.#source.cached(headKey(block), (bytes) => new NamesTile(bytes), {
          weight: weightOfNames,
          required: true,
        });
        return names && { block, names };
      }),
    );
    return read.filter((one) => one !== undefined);
  }

  /**
   * The tiles with most of the words and bigrams, with higher weights for rare ones; among equals the nearest or,
   * without a point, the one with the most entries. With `typos`, similar words with the same prefix replace a word
   * that no tile has.
   */
  async tilesWith(wanted: WantedWords, most: number, typos: boolean, near?: Coordinate): Promise<WordTile[]> {
    if (this.#regionsOnly) return [];
    const [parts, distance] = await Promise.all([this.#words.tilesOf(wanted, typos), near && this.#distances()]);
    if (!parts) return [];
    return bestTiles(parts, most, (tile) => (near && distance ? distance(tile, near) : tile));
  }

  /** Prefetches the data that `tilesWith` reads first, in case the results around a point are not enough. */
  expectWords(wanted: WantedWords): void {
    if (this.#regionsOnly) return;
    // The error shows when they are needed.
    Promise.all([this.#distances(), this.#words.prefetch(wanted)]).catch(() => undefined);
  }

  /** Prefetches what a house of a tile will probably need, together with the tile's names: its numbers, its sources. */
  expect(tile: number): void {
    // The error shows when they are needed.
    Promise.all([this.#houses(tile), this.sources()]).catch(() => undefined);
  }

  #houses(tile: number): Promise<DetailsTile | undefined> {
    return this.#source.cached(housesKey(tile), (bytes) => new DetailsTile(bytes), {
      ...REQUIRED,
      weight: weightOfDetails,
    });
  }

  /** The tiles around a point; in a build of version 2, all of them. */
  async #directory(point: Coordinate): Promise<TileDirectory | undefined> {
    if (this.#regionsOnly) return undefined;
    const area = cellAt(point, AREA_RESOLUTION);
    const areas = () => this.#source.cached(AREAS_KEY, decodeCellList);
    const directory = await this.#source.cached(tilesKey(area), openDirectory, {
      weight: weightOfDirectory,
      required: async () => (await areas())?.has(area),
    });
    return directory ?? ((await areas()) ? undefined : this.#allTiles());
  }

  /** Tells how far a tile is from a point. */
  async #distances(): Promise<((tile: number, from: Coordinate) => number) | undefined> {
    const found =
      (await this.#source.cached(POSITIONS_KEY, openPositions, { weight: asRaw })) ?? (await this.#allTiles());
    return found && ((tile, from) => found.distance(tile, from));
  }

  #allTiles(): Promise<TileDirectory | undefined> {
    return this.#source.cached(ALL_TILES_KEY, openDirectory, { weight: weightOfDirectory, required: this.#isImport });
  }

  /** A build that covers an area has tiles and words; the world base data covers none and has only the head. */
  readonly #isImport = async (): Promise<boolean | undefined> => {
    const coverage = await this.#source.cached(COVERAGE_KEY, decodeCoverage);
    return coverage ? coverage.size > 0 : this.#source.hasLists;
  };
}

/**
 * Columns, words, and the names that were parsed for matching: without the last, 3.4 times the raw bytes were measured.
 */
const weightOfNames = ({ size }: NamesTile) => 6 * size;

/** Houses are read in place; the extent of each street is stored with them once a point was requested. */
const weightOfDetails = (_: DetailsTile, rawBytes: number) => 3 * rawBytes;

const openDirectory = (bytes: Uint8Array) => new TileDirectory(bytes);
const weightOfDirectory = ({ weight }: TileDirectory) => weight;
const openPositions = (bytes: Uint8Array) => new TilePositions(bytes);

/** Objects with lists of codes, from a few bytes each. */
const asCities = (_: unknown, rawBytes: number) => 15 * rawBytes;
/** Filters and positions are read in place, so their weight is the number of their bytes. */
const asRaw = (_: unknown, rawBytes: number) => rawBytes;

function blockOfPrefix(sorted: readonly string[], text: string): number | undefined {
  const at = blockOf(sorted, text);
  return sorted[at] === text ? at : undefined;
}
