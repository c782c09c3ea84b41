import type { Pace } from "../../geo/pace.ts";
import { GRID } from "../entry/entry.ts";
import type { AddressIndex } from "../index/address-index.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { tokensOf } from "../words/normalise.ts";
import { nearestOf, skeletonOf } from "../words/skeleton.ts";
import { inScriptOf, isForeignIn, isLatin, kindInScriptOf } from "../words/transliterate.ts";
import type { Anchor } from "./named-region.ts";

/** Tiles around a city whose words are compared. */
const MAX_TILES = 6;
/** How far they are from its center [m]. */
const MAX_AWAY = 15_000;
const WORD = /[\p{L}\p{M}'’]+/gu;
/** Time to find the consonants of a word [microseconds]. */
const WORD_COST = 2;
/** The article is a part of the word: التحرير. */
const ARTICLE = "ال";

/**
 * The text in the script of the country that its city is in, or undefined if it already is: "ulitsa Fonvizina 10, Moscow" →
 * "улица фонвизина 10, Moscow". Words that streets around the city's center have are found by their consonants; the other
 * ones are written letter by letter.
 */
export async function inOtherScript(
  indexes: readonly AddressIndex[],
  text: string,
  anchors: readonly Anchor[],
  pace: Pace | undefined,
): Promise<string | undefined> {
  const anchor = anchors.find(({ regions }) => regions.length > 0);
  if (!anchor) return undefined;
  const { context, town } = anchor.regions[0];
  const { countryCode } = context;
  const named = namesOf(anchors, countryCode);
  const isNamed = (word: string) => tokensOf(word).every((token) => named.has(token));
  const isForeign = (word: string) => isForeignIn(countryCode, word) && !isNamed(word);
  if (!text.match(WORD)?.some(isForeign)) return undefined;
  const center = { latitude: town.latitude / GRID, longitude: town.longitude / GRID };
  const tiles = await Promise.all(
    indexes.map(async (index) => {
      const near = await index.near(center, MAX_AWAY, MAX_TILES);
      return Promise.all(near.map(({ tile }) => index.names(tile)));
    }),
  );
  const words: ReadonlyMap<string, readonly string[]>[] = [];
  for (const tile of tiles.flat()) {
    if (!tile) continue;
    const turn = kept.has(tile) ? undefined : pace?.spend(WORD_COST * tile.words.words.length);
    if (turn) await turn;
    words.push(bySkeleton(tile));
  }
  const withSkeleton = (skeleton: string) => words.flatMap((one) => one.get(skeleton) ?? []);
  const rewritten = rewrite(text, countryCode, isForeign, withSkeleton);
  return rewritten.replace(WORD, (word) => named.get(tokensOf(word)[0]) ?? word);
}

/**
 * Words of the regions that a text names, each with what replaces it: in a country with Latin letters the region's own name,
 * for the first word of "Нью-Йорк".
 */
function namesOf(anchors: readonly Anchor[], country: string): Map<string, string | undefined> {
  const named = new Map<string, string | undefined>();
  for (const { words, regions } of anchors) {
    const [region] = regions;
    const isForeign = region && isLatin(country) && words.some((word) => isForeignIn(country, word));
    const own = isForeign ? region.names.name(region.entry) : undefined;
    for (const [i, word] of words.entries())
      if (!named.has(word)) named.set(word, own === undefined || i === 0 ? own : "");
  }
  return named;
}

function rewrite(
  text: string,
  country: string,
  isForeign: (word: string) => boolean,
  withSkeleton: (skeleton: string) => readonly string[],
): string {
  const isOurs = (word: string) => !isForeignIn(country, word);
  const kindOf = (word: string) => (isForeign(word) ? kindInScriptOf(country, word) : undefined);
  const kind = text
    .match(WORD)
    ?.map(kindOf)
    .find((one) => one);
  // "улица Баха" is Bachstraße: the kind may be the end of the name.
  const end = kind ? skeletonOf(kind) : "";
  let isJoined = false;
  const inLetters = (word: string) => {
    const skeleton = skeletonOf(word);
    const letters = inScriptOf(country, word) ?? word;
    if (skeleton === "") return letters;
    const compounds = end === "" ? [] : withSkeleton(joined(skeleton, end)).filter(isOurs);
    const compound = nearestOf(`${word}${kind}`, compounds);
    isJoined ||= compound !== undefined;
    return compound ?? nearestOf(word, withSkeleton(skeleton).filter(isOurs)) ?? letters;
  };
  const rewritten = text.replace(WORD, (word) =>
    isForeign(word) && kindOf(word) === undefined ? inLetters(word) : word,
  );
  return rewritten.replace(WORD, (word) => {
    const own = kindOf(word);
    return own === undefined ? word : isJoined && own === kind ? "" : own;
  });
}

const joined = (a: string, b: string) => (a.at(-1) === b[0] ? a + b.slice(1) : a + b);

/** Computed once per tile, and cached as long as the tile is. */
const kept = new WeakMap<NamesTile, ReadonlyMap<string, readonly string[]>>();

function bySkeleton(tile: NamesTile): ReadonlyMap<string, readonly string[]> {
  const known = kept.get(tile);
  if (known) return known;
  const made = new Map<string, string[]>();
  const add = (skeleton: string, word: string) => {
    if (skeleton === "") return;
    const list = made.get(skeleton);
    if (list) list.push(word);
    else made.set(skeleton, [word]);
  };
  for (const word of tile.words.words) {
    add(skeletonOf(word), word);
    if (word.startsWith(ARTICLE)) add(skeletonOf(word.slice(ARTICLE.length)), word);
  }
  kept.set(tile, made);
  return made;
}
