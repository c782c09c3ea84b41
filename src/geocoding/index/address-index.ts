import type { DecodedSource } from "../../geo/builds/tile-source.ts";
import { decodeCellList } from "../../geo/cells/cell-list.ts";
import { cellAt } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { Word } from "../parse/query.ts";
import { otherTypes } from "../words/abbreviations.ts";
import { similarPrefixes } from "../words/similar-prefixes.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";
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
  PAIRS_KEY,
  POSITIONS_KEY,
  pairsKey,
  tilesKey,
  WORDS_KEY,
  wordsKey,
} from "./layout.ts";
import { NamesTile } from "./names-tile.ts";
import { decodeSources, SOURCES_KEY } from "./sources.ts";
import { AREA_RESOLUTION, type NearTile, TileDirectory } from "./tile-directory.ts";
import { TilePositions } from "./tile-positions.ts";
import { TileSet } from "./tile-set.ts";
import { WordBlock } from "./word-block.ts";
import { FilterHead, type FilterShard, openFilterShard, type Probe, qualityOf } from "./word-filter.ts";

/** Blocks of the word index that one word may open. */
const BLOCKS_PER_WORD = 3;
/** Words that one unfinished word may stand for. */
const WORDS_PER_PREFIX = 200;

/** Blocks of the word index that are all looked at for a word whose first letter is wrong: those of a city. */
const ALL_BLOCKS = 8;

/** Ways to write the first word of a pair that are looked up; each may open a block. */
const FORMS_OF_PAIR = 3;

/** Words, and which of them follow each other in a street's name. */
export interface WantedWords {
  words: readonly Word[];
  pairs: readonly (readonly [Word, Word])[];
}

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

  /** @param regionsOnly for the world base, which has no tiles: they are not looked for */
  constructor(source: DecodedSource, { regionsOnly = false } = {}) {
    this.#source = source;
    this.#regionsOnly = regionsOnly;
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
      const block = search(prefixes, letters.join(""));
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
  async tilesWith({ words, pairs }: WantedWords, most: number, typos: boolean, near?: Coordinate): Promise<WordTile[]> {
    if (this.#regionsOnly) return [];
    const [firsts, firstPairs, distance] = await Promise.all([
      this.#firsts(WORDS_KEY),
      pairs.length > 0 ? this.#firsts(PAIRS_KEY) : undefined,
      near && this.#distances(),
    ]);
    if (!firsts || firsts.length === 0) return [];
    const [sets, pairSets] = await Promise.all([
      Promise.all(words.map((word) => this.#tilesOfWord(firsts, word, typos))),
      Promise.all(firstPairs ? pairs.map((pair) => this.#tilesOfPair(firstPairs, pair)) : []),
    ]);
    const parts = sets.map((tiles, i) => ({
      tiles,
      worth: words[i].weight * (words[i].number && words[i].text.length < 4 ? 0.5 : 1),
    }));
    const all = [...parts, ...pairSets.map((tiles) => ({ tiles, worth: 1 }))];
    return bestTiles(all, most, (tile) => (near && distance ? distance(tile, near) : tile));
  }

  /** Prefetches the house numbers of a tile that will probably be needed, together with its names. */
  expect(tile: number): void {
    // The error shows when they are needed.
    this.#houses(tile).catch(() => undefined);
  }

  /** Prefetches the data that `tilesWith` reads first, in case the results around a point are not enough. */
  expectWords({ words, pairs }: WantedWords): void {
    if (this.#regionsOnly) return;
    const ask = async () => {
      const distances = this.#distances();
      const [firsts = [], firstPairs = []] = await Promise.all([this.#firsts(WORDS_KEY), this.#firsts(PAIRS_KEY)]);
      const blocks = firsts.length > 0 ? words.map(({ text }) => wordsKey(blockOf(firsts, text))) : [];
      const pairBlocks = (firstPairs.length > 0 ? pairs : []).map(([first, second]) =>
        pairsKey(blockOf(firstPairs, `${first.text} ${second.text}`)),
      );
      await Promise.all([distances, ...[...blocks, ...pairBlocks].map((key) => this.#block(key))]);
    };
    // The error shows when they are needed.
    ask().catch(() => undefined);
  }

  #houses(tile: number): Promise<DetailsTile | undefined> {
    return this.#source.cached(housesKey(tile), (bytes) => new DetailsTile(bytes), {
      ...REQUIRED,
      weight: weightOfDetails,
    });
  }

  async #tilesOfPair(firsts: readonly string[], [first, second]: readonly [Word, Word]): Promise<TileSet> {
    const tiles = new TileSet();
    if (firsts.length === 0) return tiles;
    const beginnings = [first.text, ...first.forms].slice(0, FORMS_OF_PAIR);
    await Promise.all(
      beginnings.map(async (beginning) => {
        for (const [n, form] of [second.text, ...second.forms].entries()) {
          const pair = `${beginning} ${form}`;
          // Forms outside the block of the first one would each cost a read, and almost never exist.
          const block = blockOf(firsts, pair);
          if (n > 0 && block !== blockOf(firsts, `${beginning} ${second.text}`)) continue;
          const table = await this.#block(pairsKey(block));
          if (!table) continue;
          for (let i = table.lowerBound(pair); i < table.words.length; i++) {
            if (table.words[i] !== pair && !(second.open && n === 0 && table.words[i].startsWith(pair))) break;
            table.addTo(tiles, i);
          }
        }
      }),
    );
    return tiles;
  }

  async #tilesOfWord(firsts: readonly string[], word: Word, typos: boolean): Promise<TileSet> {
    const tiles = new TileSet();
    const forms = [word.text, ...word.forms, ...(typos ? word.joined : [])];
    const tables = await Promise.all(forms.map((form) => this.#words(blockOf(firsts, form))));
    for (const [n, form] of forms.entries()) {
      const table = tables[n];
      const at = table?.indexOf(form) ?? -1;
      if (table && at >= 0) table.addTo(tiles, at);
    }
    if (word.open) {
      await this.#walk(firsts, word.text, (table, i) => {
        if (!table.words[i].startsWith(word.text)) return false;
        table.addTo(tiles, i);
        return true;
      });
    }
    if (tiles.size > 0 || !typos || word.mistakes === 0) return tiles;
    for (const form of otherTypes(word.text)) {
      const table = await this.#words(blockOf(firsts, form));
      const at = table?.indexOf(form) ?? -1;
      if (table && at >= 0) table.addTo(tiles, at);
    }
    if (tiles.size > 0) return tiles;
    const beginning = word.text.slice(0, 2);
    const close: { table: WordBlock; i: number; distance: number }[] = [];
    const all = word.text.length * 1000;
    await this.#walk(
      firsts,
      beginning,
      (table, i) => {
        if (!table.words[i].startsWith(beginning)) return false;
        const distance = mistakesOf(word.text, table.words[i], word.mistakes, word.open);
        if (distance <= word.mistakes) close.push({ table, i, distance });
        return true;
      },
      all,
    );
    // Only if few blocks hold all words can each be searched for words with another first letter.
    if (close.length === 0 && firsts.length <= ALL_BLOCKS) await this.#beginningWrong(firsts, word, close);
    close.sort((a, b) => a.distance - b.distance);
    for (const { table, i } of close.slice(0, 20)) table.addTo(tiles, i);
    return tiles;
  }

  async #beginningWrong(
    firsts: readonly string[],
    word: Word,
    close: { table: WordBlock; i: number; distance: number }[],
  ): Promise<void> {
    const tables = await Promise.all(firsts.map((_, block) => this.#words(block)));
    for (const table of tables) {
      for (let i = 0; i < (table?.words.length ?? 0); i++)
        if (hasWrongStart(word.text, table!.words[i], word.open)) close.push({ table: table!, i, distance: 1 });
    }
  }

  /** Words from a beginning on, until `visit` has enough or the bound of blocks is reached. */
  async #walk(
    firsts: readonly string[],
    beginning: string,
    visit: (table: WordBlock, i: number) => boolean,
    most = WORDS_PER_PREFIX,
  ): Promise<void> {
    let left = most;
    const first = blockOf(firsts, beginning);
    let end = first + 1;
    while (end < Math.min(first + BLOCKS_PER_WORD, firsts.length) && firsts[end].startsWith(beginning)) end++;
    // All together: deciding for each whether the next is needed would take another round trip.
    const blocks = Array.from({ length: end - first }, (_, i) => this.#words(first + i));
    for (const table of await Promise.all(blocks)) {
      if (!table) return;
      for (let i = table.lowerBound(beginning); i < table.words.length; i++) {
        if (left-- <= 0 || !visit(table, i)) return;
      }
    }
  }

  #words(block: number): Promise<WordBlock | undefined> {
    return this.#block(wordsKey(block));
  }

  #block(key: string): Promise<WordBlock | undefined> {
    return this.#source.cached(key, (bytes) => new WordBlock(bytes), { ...REQUIRED, weight: weightOfBlock });
  }

  #firsts(key: string): Promise<string[] | undefined> {
    return this.#source.cached(key, decodePrefixes, { required: this.#isImport, weight: asTexts });
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
const weightOfNames = (_: NamesTile, rawBytes: number) => 6 * rawBytes;

/** Houses are read in place; the extent of each street is stored with them once a point was requested. */
const weightOfDetails = (_: DetailsTile, rawBytes: number) => 3 * rawBytes;

/** Each word as a string of some 32 bytes with its place in two lists. */
const weightOfBlock = ({ words }: WordBlock, rawBytes: number) => rawBytes + 44 * words.length;
const asTexts = (texts: readonly string[]) => 48 * texts.length;

const openDirectory = (bytes: Uint8Array) => new TileDirectory(bytes);
const weightOfDirectory = ({ weight }: TileDirectory) => weight;
const openPositions = (bytes: Uint8Array) => new TilePositions(bytes);

/** Filters and positions are read in place, so their weight is the number of their bytes. */
/** Objects with lists of codes, from a few bytes each. */
const asCities = (_: unknown, rawBytes: number) => 15 * rawBytes;
const asRaw = (_: unknown, rawBytes: number) => rawBytes;

/** The block that would contain a word. */
function blockOf(firsts: readonly string[], word: string): number {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firsts[middle] <= word) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function search(sorted: readonly string[], text: string): number | undefined {
  const at = blockOf(sorted, text);
  return sorted[at] === text ? at : undefined;
}
