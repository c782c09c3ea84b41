import { type Bounds, isInBounds } from "../../geo/builds/manifest.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { Pace } from "../../geo/pace.ts";
import { type EntryKind, GRID, type House, type Language } from "../entry/entry.ts";
import type { AddressIndex } from "../index/address-index.ts";
import { BUDGET } from "../index/budget.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { type ParsedQuery, pairsOf, parseQuery } from "../parse/query.ts";
import type { Match } from "./explain.ts";
import { likeliestOf } from "./likeliest.ts";
import { matchEntry, matchTile, noBest } from "./match.ts";
import { isCode, type Span } from "./named-region.ts";
import { regionWords, withoutTypes } from "./region-words.ts";
import type { Evidence } from "./sums.ts";
import { type Town, townsOf } from "./towns.ts";

export const LAYERS = ["place", "address", "postalCode", "locality", "county", "state", "country"] as const;
export type Layer = (typeof LAYERS)[number];
export type Confidence = "exact" | "interpolated" | "fallback";

export interface SearchOptions {
  /** Nearer results are better, and tiles around this point are searched first. */
  near?: Coordinate;
  layers: ReadonlySet<Layer>;
  /** ISO 3166-1 alpha-2, in the caller's order of preference. */
  countries?: readonly string[];
  /** Only results in these bounds are returned; for a street, any part may be inside. */
  bounds?: Bounds;
  limit: number;
  language: Language;
  /** The query is still being typed: its last word may be the beginning of one. */
  open: boolean;
  /**
   * The caller specified no layers: large airports, and places of a kind in a town ("hospital krems"), are results even
   * if `layers` lacks places.
   */
  defaultLayers?: boolean;
  /** Called with what was weighed, and the regions that words may name, of each pass: for the fit, and to explain a result. */
  observe?: (hits: readonly Hit[], spans: readonly Span[]) => void;
  /** Keeps a large search from holding up others; without one it runs through. */
  pace?: Pace;
}

/** A tile with less than this share of the weight of the best one is not opened. */
const FAR_BEHIND = 0.8;
/** Words of a town's own name that are looked up in addition to those of the query. */
const MAX_TOWN_WORDS = 2;
/** Tiles within this distance are around a point [m]. */
const AROUND = 40_000;
export interface Hit extends Match {
  index: AddressIndex;
  /** Tile number; −1 for a block of the head. */
  tile: number;
  names: NamesTile;
  score: number;
  /** A region that the query names whole. */
  anchor?: true;
  /** It was matched with the states and countries around it. */
  placed?: true;
  evidence?: Evidence;
  houses?: Promise<readonly House[]>;
  /** The street's name and city: the same for all parts of a street. */
  key?: string;
}

/** A tile that was opened, and the hits in it: for words as written, and with mistakes allowed. */
interface Opened {
  tile: number;
  names: NamesTile;
  /** Of a block of regions: all hits, also in layers that are not requested. */
  matches?: Hit[];
  strict?: Hit[];
  forgiving?: Hit[];
}

/** The search of one index: the tiles it has opened so far, and the hits in them. */
export class IndexSearch {
  readonly #index: AddressIndex;
  #query: ParsedQuery;
  readonly #options: SearchOptions;
  readonly #opened = new Map<string, Opened>();
  readonly #fine: boolean;
  readonly #coarse: boolean;
  readonly #bestStrict = noBest();
  readonly #bestForgiving = noBest();
  #towns: readonly Town[] = [];
  #spans: readonly Span[] = [];
  #areas: readonly Span[] = [];

  constructor(index: AddressIndex, query: ParsedQuery, options: SearchOptions) {
    this.#index = index;
    this.#query = query;
    this.#options = options;
    this.#coarse = [...options.layers].some((layer) => layer !== "address" && layer !== "place");
    this.#fine = options.layers.has("address") || options.layers.has("place");
  }

  /** Opens the tiles around the caller's point, and the regions that match words of the query. */
  async openAround(): Promise<void> {
    const { near } = this.#options;
    const { words } = this.#query;
    await Promise.all([
      near && this.#fine ? this.#index.expectWords(this.#wanted) : undefined,
      near && this.#fine
        ? this.#index.near(near, AROUND, BUDGET.near).then((tiles) => this.#open(tiles.map(({ tile }) => tile)))
        : undefined,
      this.#coarse || words.length > 1 || (this.#index.hasPlacesInHeads && this.#options.layers.has("place"))
        ? this.#openHeads()
        : undefined,
    ]);
  }

  /** The towns in the query that are in this index. */
  towns(): Town[] {
    const matches: Hit[] = [];
    for (const opened of this.#opened.values()) if (opened.tile === -1) matches.push(...this.#inHead(opened));
    return townsOf(matches, this.#query.words);
  }

  /** Lets addresses be found by the names that other indexes use for their towns: call it before tiles are matched. */
  expectTowns(towns: readonly Town[]): void {
    this.#towns = towns;
  }

  get query(): ParsedQuery {
    return this.#query;
  }

  /** The blocks of regions that were opened for words of the query. */
  get heads(): NamesTile[] {
    return [...this.#opened.values()].filter(({ tile }) => tile === -1).map(({ names }) => names);
  }

  /** Takes the regions that words of the query may name: call it before `hits`. */
  takeSpans(spans: readonly Span[]): void {
    this.#spans = spans;
    this.#areas = spans.map(areaOf).filter((one) => one.regions.length > 0 || isCode(one));
    let named = 0;
    for (const { strength, mask } of spans) if (strength >= SURE) named |= mask;
    const words = this.#query.words.map((word, i) => (named & (1 << i) ? { ...word, mistakes: 0 } : word));
    this.#query = { ...this.#query, words };
  }

  /** Opens the tiles with most of the query's words, wherever they are. */
  async openByWords(typos: boolean): Promise<void> {
    if (!this.#fine) return;
    const { words } = this.#query;
    const most = BUDGET.words + this.#opened.size;
    const tiles = await this.#index.tilesWith(this.#wanted, most, typos, this.#options.near);
    const fresh = tiles.filter(({ tile }) => !this.#opened.has(`${tile}`)).slice(0, BUDGET.words);
    const chosen = fresh.filter(({ weight }) => weight > fresh[0].weight * FAR_BEHIND).map(({ tile }) => tile);
    // They probably have the street, so house numbers are read together with names: waiting for the names would take
    // another round trip and save few bytes.
    if (words.some(({ number }) => number)) for (const tile of chosen) this.#index.expect(tile);
    await this.#open(chosen);
  }

  /** Words to look up in the word index. */
  get #wanted() {
    const { words } = this.#query;
    const telling = words.filter(({ weight }) => weight > 0.5);
    return { words: [...(telling.length > 0 ? telling : words), ...this.#townWords()], pairs: pairsOf(words) };
  }

  /** Opens regions that may be meant by words that no region has: with one letter wrong. */
  async openSimilar(): Promise<void> {
    const heads = [...this.#opened.values()].filter(({ tile }) => tile === -1);
    const unknown = this.#query.words.filter(
      ({ text, number, mistakes, weight }) =>
        mistakes > 0 &&
        !number &&
        weight > 0.5 &&
        text.length >= 4 &&
        !heads.some(({ names }) => names.words.indexOf(text) >= 0),
    );
    const [first] = unknown;
    if (!first || unknown.length > 2 || !this.#coarse) return;
    const most = Math.floor(BUDGET.similar / unknown.length);
    const similar = await Promise.all(unknown.map(({ text }) => this.#index.headsLike(text, most)));
    for (const { block, names } of similar.flat()) {
      if (!this.#opened.has(`head ${block}`)) this.#opened.set(`head ${block}`, { tile: -1, names });
    }
  }

  /** Opens the tiles that another search has opened. */
  async openSame(other: IndexSearch): Promise<void> {
    await this.#open([...other.#opened.values()].map(({ tile }) => tile).filter((tile) => tile >= 0));
  }

  async hits(typos: boolean): Promise<Hit[]> {
    const hits: Hit[] = [];
    for (const opened of this.#opened.values()) {
      const known = typos ? "forgiving" : "strict";
      if (!opened[known]) {
        const turn = this.#options.pace?.spend(this.#costOf(opened.names, typos));
        if (turn) await turn;
      }
      opened[known] ??= this.#hitsOf(opened, typos);
      for (const hit of opened[known]) hits.push(hit);
    }
    return this.#spans.length === 0 ? hits : this.#withNamed(hits, typos);
  }

  /** Adds the regions that the query names whole, the likeliest of each name. */
  #withNamed(hits: readonly Hit[], typos: boolean): Hit[] {
    const heads = new Set(this.heads);
    const out: Hit[] = [];
    const known = new Map<number, Hit>();
    let named = 0;
    for (const { mask } of this.#areas) named |= mask;
    for (const hit of hits) {
      const isHead = hit.tile === -1 && hit.names.kinds[hit.entry] > 1;
      // The same region is in the blocks of several words.
      const key = keyOf(hit.names, hit.entry);
      if (isHead && known.has(key)) continue;
      out.push(hit);
      if (!isHead) continue;
      // Towns and districts were matched before the states around them were known.
      if (!hit.anchor && hit.missed & named && !hit.placed) {
        Object.assign(hit, matchEntry(hit.names, hit.entry, this.#query, typos, this.#areas));
        hit.placed = true;
      }
      known.set(key, hit);
    }
    for (const { names, entry, town } of likeliestOf(this.#spans)) {
      const key = keyOf(names, entry);
      const same = known.get(key);
      if (!same && !heads.has(names)) continue;
      const own = (1 << town.to) - (1 << town.from);
      const match = matchEntry(names, entry, this.#query, typos, this.#areas, own);
      if (same) {
        // A whole name where it stands is surer than words of it elsewhere.
        if (!same.anchor || match.text > same.text) Object.assign(same, match, { names });
        same.anchor = true;
        continue;
      }
      const hit: Hit = { ...match, index: this.#index, tile: -1, names, score: 0, anchor: true };
      known.set(key, hit);
      if (isWanted(hit, this.#options)) out.push(hit);
    }
    return out;
  }

  /**
   * Approximate time to search a tile [microseconds]: without typos it depends on the entries with the words, with
   * typos on the tile's words, each of which is compared with each word of the query.
   */
  #costOf({ count, words: { words } }: NamesTile, typos: boolean): number {
    const asked = this.#query.words.length;
    return 100 + asked * (0.05 * count + (typos ? 0.15 * words.length : 0));
  }

  #hitsOf(opened: Opened, typos: boolean): Hit[] {
    const isHead = opened.tile === -1;
    const matches = isHead && !typos ? this.#inHead(opened) : this.#matches(opened.tile, opened.names, typos);
    return matches.filter((hit) => isWanted(hit, this.#options));
  }

  /** Matches in a block of regions, without typos: they do not depend on towns or anchors, so they are found once. */
  #inHead(opened: Opened): Hit[] {
    opened.matches ??= this.#matches(opened.tile, opened.names, false);
    return opened.matches;
  }

  #matches(tile: number, names: NamesTile, typos: boolean): Hit[] {
    const best = typos ? this.#bestForgiving : this.#bestStrict;
    const towns = tile === -1 ? [] : this.#towns;
    const areas = tile === -1 ? [] : this.#areas;
    const query = tile === -1 && typos ? withoutTypes(this.#query) : this.#query;
    return matchTile(names, query, typos, best, towns, areas).map(
      (match): Hit => ({ ...match, index: this.#index, tile, names, score: 0 }),
    );
  }

  /** The data's name of the largest town that the query calls by another name. */
  #townWords(): ParsedQuery["words"] {
    const asked = new Set(this.#query.words.map(({ text }) => text));
    const [largest] = this.#towns;
    const own = largest?.names[0] ?? [];
    if (own.every((word) => asked.has(word))) return [];
    return parseQuery(own.filter((word) => !asked.has(word)).join(" "), false).words.slice(0, MAX_TOWN_WORDS);
  }

  async #open(tiles: readonly number[]): Promise<void> {
    const fresh = tiles.filter((tile) => !this.#opened.has(`${tile}`));
    const names = await Promise.all(fresh.map((tile) => this.#index.names(tile)));
    fresh.forEach((tile, i) => {
      const one = names[i];
      if (one) this.#opened.set(`${tile}`, { tile, names: one });
    });
  }

  /** Opens regions by their words, from the end: the last words of an address are its city; a single word may be anything. */
  async #openHeads(): Promise<void> {
    const { words } = this.#query;
    // The regions of an address are at its end; any words of another text may be one.
    const most = words.some(({ number }) => number) ? BUDGET.addressHeads : BUDGET.heads;
    const first = regionWords(words).slice(0, most);
    // "Aarhus" and "Århus" begin differently.
    const spellings = first.flatMap(({ text, umlauts, written }) =>
      [text, umlauts, written].filter(
        (one, i) => one !== undefined && (i === 0 || one.slice(0, 2) !== text.slice(0, 2)),
      ),
    );
    const heads = await Promise.all(spellings.map((text) => this.#index.head(text as string)));
    for (const head of heads) if (head) this.#opened.set(`head ${head.block}`, { tile: -1, names: head.names });
  }
}

/** A number for the kind and position of an entry, below 2⁵³. */
const keyOf = ({ kinds, latitudes, longitudes }: NamesTile, entry: number) =>
  ((latitudes[entry] + 90 * GRID) * 361 * GRID + longitudes[entry] + 180 * GRID) * 8 + kinds[entry];

/** Words that name a region so surely are no misspelled other words. */
const SURE = 0.3;

/** The states and countries that a span means: Tokyo is also the state around its districts. */
const areaOf = (span: Span): Span => ({
  ...span,
  regions: span.regions.filter(({ kind }) => kind === "state" || kind === "country"),
});

/** The entry matches the entire query, and the query covers part of its name. */
export function isComplete({ complete, coverage }: Match): boolean {
  return complete && coverage > 0;
}

/** Importance of a large airport in the world base data. */
const LARGE_AIRPORT = 145;

/** "Heathrow" is London Heathrow Airport, rather than a suburb of that name. */
export function isLargeAirport({ tile, names, entry, complete, telling, leads }: Hit): boolean {
  const isAirport = tile === -1 && names.kind(entry) === "place" && names.importances[entry] >= LARGE_AIRPORT;
  // The first word is the city.
  return isAirport && complete && telling && !leads;
}

function isWanted(hit: Hit, options: SearchOptions): boolean {
  const { names, entry } = hit;
  const { layers, countries, bounds } = options;
  if (!layers.has(layerOf(names.kind(entry))) && !(options.defaultLayers && isLargeAirport(hit))) return false;
  if (bounds && !isInBounds(bounds, names.latitudes[entry] / GRID, names.longitudes[entry] / GRID)) {
    // A street is stored at one of its points; its houses may be elsewhere. Their positions are checked when they are
    // read.
    const wide = names.kinds[entry] === 0 ? widened(bounds) : bounds;
    if (!isInBounds(wide, names.latitudes[entry] / GRID, names.longitudes[entry] / GRID)) return false;
  }
  return !countries || countries.includes(names.context(entry).countryCode);
}

export const isInArea = ({ latitude, longitude }: Coordinate, { bounds }: SearchOptions): boolean =>
  !bounds || isInBounds(bounds, latitude, longitude);

/** Maximum extent of a part of a street from its stored position [degrees]. */
const STREET_PART = 0.05;

function widened([west, south, east, north]: Bounds): Bounds {
  return [west - STREET_PART, south - STREET_PART, east + STREET_PART, north + STREET_PART];
}

export function layerOf(kind: EntryKind): Layer {
  return kind === "street" ? "address" : kind;
}
