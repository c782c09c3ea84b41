import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";
import type { AddressIndex } from "./address-index.ts";
import { type Context, type EntryKind, GRID, type House, type Language } from "./entry.ts";
import { findHouse } from "./find-house.ts";
import { type Match, matchTile } from "./match.ts";
import type { NamesTile } from "./names-tile.ts";
import { tokensOf } from "./normalise.ts";
import { type ParsedQuery, parseQuery, type Word } from "./query.ts";
import { scoreOf } from "./rank.ts";

export const LAYERS = ["place", "address", "postalCode", "locality", "county", "state", "country"] as const;
export type Layer = (typeof LAYERS)[number];
export type Confidence = "exact" | "interpolated" | "fallback";

export interface SearchOptions {
  /** Nearer is better, and what is around is looked at first. */
  near?: Coordinate;
  layers: ReadonlySet<Layer>;
  /** ISO 3166-1 alpha-2, in the order the caller likes them. */
  countries?: readonly string[];
  limit: number;
  language: Language;
  /** The query is still being typed: its last word may be the beginning of one. */
  open: boolean;
}

/** An answer. What it is called around it (county, neighborhood, time zone) is for the regions to say. */
export interface Found {
  layer: Layer;
  kind: EntryKind;
  /** In the language asked for, where the data has it. */
  name: string;
  context: Context;
  postalCode: string;
  /** Of an address with a house number. */
  number?: string;
  unit?: string;
  location: Coordinate;
  confidence: Confidence;
  /** 0 … 1 */
  score: number;
  /** From `near` [m]. */
  distance?: number;
}

/**
 * What one request may cost at most, per index: tiles opened around a point, by words, regions' blocks, tiles of house
 * numbers; each at most 50 KB or so. Tested.
 */
export const BUDGET = { near: 7, words: 6, heads: 4, houses: 8 } as const;
/** How far away tiles count as around a point [m]. */
const AROUND = 40_000;
/** Streets whose house numbers are looked at. */
const STREETS = 24;

interface Hit extends Match {
  index: AddressIndex;
  /** Tile number; −1 for a block of the head. */
  tile: number;
  names: NamesTile;
  score: number;
}

/** Addresses, places and regions that a text may mean, the best first. */
export async function search(indexes: readonly AddressIndex[], text: string, options: SearchOptions): Promise<Found[]> {
  const query = parseQuery(text, options.open);
  if (query.words.length === 0 || options.limit < 1) return [];
  const hits = (await Promise.all(indexes.map((index) => hitsOf(index, query, options)))).flat();
  const best = strongest(hits, options);
  const found = await Promise.all(best.map((hit) => answerOf(hit, best, query, options)));
  return pick(
    found.filter((one) => one !== undefined),
    options,
  );
}

async function hitsOf(index: AddressIndex, query: ParsedQuery, options: SearchOptions): Promise<Hit[]> {
  const opened = new Map<string, { tile: number; names: NamesTile }>();
  const fine = options.layers.has("address") || options.layers.has("place");
  const coarse = options.layers.size > 2 || !fine;
  const open = async (tiles: readonly number[]) => {
    const fresh = tiles.filter((tile) => !opened.has(`${tile}`));
    const names = await Promise.all(fresh.map((tile) => index.names(tile)));
    fresh.forEach((tile, i) => {
      const one = names[i];
      if (one) opened.set(`${tile}`, { tile, names: one });
    });
  };
  const matches = (typos: boolean): Hit[] => {
    const hits: Hit[] = [];
    for (const { tile, names } of opened.values()) {
      for (const match of matchTile(names, query, typos)) {
        const hit = { ...match, index, tile, names, score: 0 };
        if (isWanted(hit, options)) hits.push(hit);
      }
    }
    return hits;
  };
  const words = query.words.filter((word) => word.weight > 0.5 || query.words.length === 1);
  await Promise.all([
    options.near && fine
      ? index.near(options.near, AROUND, BUDGET.near).then((near) => open(near.map(({ tile }) => tile)))
      : undefined,
    coarse ? openHeads(index, query.words, opened) : undefined,
  ]);
  let hits = matches(false);
  if (fine && !hits.some(isComplete)) {
    await open(await index.tilesWith(words.length > 0 ? words : query.words, BUDGET.words, false));
    hits = matches(false);
  }
  if (hits.some(isComplete)) return hits;
  if (fine) await open(await index.tilesWith(words.length > 0 ? words : query.words, BUDGET.words, true));
  return matches(true);
}

/** Everything asked for is there, and what is there was mostly asked for. */
function isComplete({ complete, coverage }: Match): boolean {
  return complete && coverage > 0;
}

/** Regions by their words: the last words of an address name its city; a single word may be anything. */
async function openHeads(
  index: AddressIndex,
  words: readonly Word[],
  opened: Map<string, { tile: number; names: NamesTile }>,
): Promise<void> {
  const telling = words.filter(({ weight, number, text }) => (weight > 0.5 && !number) || /^\d{4,}/.test(text));
  const chosen = (telling.length > 0 ? telling : words).slice(-BUDGET.heads);
  const heads = await Promise.all(chosen.map(({ text }) => index.head(text)));
  for (const head of heads) if (head) opened.set(`head ${head.block}`, { tile: -1, names: head.names });
}

function isWanted({ names, entry }: Hit, { layers, countries }: SearchOptions): boolean {
  if (!layers.has(layerOf(names.kind(entry)))) return false;
  return !countries || countries.includes(names.context(entry).countryCode);
}

function layerOf(kind: EntryKind): Layer {
  return kind === "street" ? "address" : kind;
}

/** The hits worth a closer look, by score; regions and places apart from streets, so that neither crowds out the other. */
function strongest(hits: Hit[], options: SearchOptions): Hit[] {
  for (const hit of hits) hit.score = score(hit, options);
  const anyComplete = hits.some(isComplete);
  const sorted = hits
    .filter((hit) => isPlausible(hit, anyComplete, options))
    .sort((a, b) => b.score - a.score || a.tile - b.tile || a.entry - b.entry);
  const streets = sorted
    .filter(({ names, entry }) => names.kinds[entry] === 0)
    .slice(0, Math.max(STREETS, options.limit * 2));
  const others = sorted.filter(({ names, entry }) => names.kinds[entry] !== 0).slice(0, options.limit * 2 + 4);
  return [...streets, ...others];
}

/**
 * A street is only an answer when most of what was asked fits it; a region also when it is but the end of an address nobody
 * knows.
 */
function isPlausible(hit: Hit, anyComplete: boolean, { open }: SearchOptions): boolean {
  const fine = hit.names.kind(hit.entry) === "street" || hit.names.kind(hit.entry) === "place";
  if (fine) return hit.missing <= (anyComplete ? 0.2 : 0.4) && hit.coverage >= (open ? 0.2 : 0.5);
  if (open) return hit.complete || (!anyComplete && hit.missing <= 0.5);
  return hit.coverage >= 0.99 || hit.complete;
}

function score(hit: Hit, { near, countries }: SearchOptions): number {
  const { names, entry } = hit;
  const distance =
    near && haversine(near.latitude, near.longitude, names.latitudes[entry] / GRID, names.longitudes[entry] / GRID);
  const rank = countries?.indexOf(names.context(entry).countryCode) ?? 0;
  return scoreOf({
    text: hit.text,
    confirmed: hit.confirmed,
    missing: hit.missing,
    distance,
    importance: names.importances[entry] / 255,
    countryRank: rank,
  });
}

async function answerOf(
  hit: Hit,
  all: readonly Hit[],
  query: ParsedQuery,
  options: SearchOptions,
): Promise<Found | undefined> {
  const { names, entry } = hit;
  const kind = names.kind(entry);
  const found: Found = {
    layer: layerOf(kind),
    kind,
    name: names.nameIn(entry, options.language) ?? names.name(entry),
    context: names.context(entry),
    postalCode: names.postalCode(entry),
    location: positionOf(hit),
    confidence: hit.complete ? "exact" : "fallback",
    score: hit.score,
  };
  if (hit.house !== undefined) {
    const house = findHouse(await housesOf(hit, all), hit.house);
    if (house?.confidence === "exact" && !(await hasHouse(hit, hit.house))) return undefined;
    if (house) {
      found.number = house.number;
      found.location = house.location;
      found.confidence = house.confidence;
      found.score += house.confidence === "exact" ? 0.1 : 0.03;
      if (query.unit !== undefined) found.unit = query.unit;
    } else {
      found.confidence = "fallback";
      found.score -= 0.08;
    }
  }
  if (options.near) {
    const { near } = options;
    found.distance = haversine(near.latitude, near.longitude, found.location.latitude, found.location.longitude);
  }
  return found;
}

function positionOf({ names, entry }: Hit): Coordinate {
  return { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
}

/** Parts of one street lie in several tiles, and under several postal codes: a number is looked for in all of them. */
async function housesOf(hit: Hit, all: readonly Hit[]): Promise<House[]> {
  const own = streetKey(hit);
  const parts = all.filter(
    (other) => other === hit || (other.names.kinds[other.entry] === 0 && streetKey(other) === own),
  );
  const details = await Promise.all(
    parts.slice(0, BUDGET.houses).map(({ index, tile, names, entry }) => index.details(tile, names, entry)),
  );
  return details.flatMap(({ houses }) => houses);
}

/** Is the number in this very part of the street? Else another part answers. */
async function hasHouse({ index, tile, names, entry }: Hit, key: string): Promise<boolean> {
  const { houses } = await index.details(tile, names, entry);
  return houses.some(({ number }) => number.key === key);
}

function streetKey({ names, entry }: Hit): string {
  const { city, stateCode, countryCode } = names.context(entry);
  return `${tokensOf(names.name(entry)).join(" ")}\n${city}\n${stateCode}\n${countryCode}`;
}

/** The best answers, each thing once: a street's parts are one street, a house told of by two sources one house. */
function pick(found: Found[], { limit, open }: SearchOptions): Found[] {
  const sorted = found.sort(
    (a, b) => b.score - a.score || (a.distance ?? 0) - (b.distance ?? 0) || compare(a.name, b.name),
  );
  const exact = sorted.some(({ confidence }) => confidence !== "fallback");
  const out: Found[] = [];
  for (const one of sorted) {
    if (out.length === limit) break;
    // A complete answer to a complete question makes regions around an unknown address needless.
    if (!open && exact && one.confidence === "fallback") continue;
    if (out.some((other) => isSame(one, other))) continue;
    out.push(one);
  }
  return out;
}

/** Within this distance the same name is the same thing [m]; regions of one name lie farther apart. */
const SAME_STREET = 5_000;
const SAME_PLACE = 200;
const SAME_REGION = 20_000;

function isSame(a: Found, b: Found): boolean {
  if (a.layer !== b.layer || a.kind !== b.kind || a.number !== b.number) return false;
  if (tokensOf(a.name).join(" ") !== tokensOf(b.name).join(" ")) return false;
  const apart = haversine(a.location.latitude, a.location.longitude, b.location.latitude, b.location.longitude);
  if (a.kind === "street")
    return a.number === undefined ? a.context.city === b.context.city && apart < SAME_STREET : apart < SAME_PLACE;
  return apart < (a.kind === "place" ? SAME_PLACE : SAME_REGION);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
