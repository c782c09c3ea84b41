import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { GRID } from "../../../src/core/geocoding/entry/entry.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import type { NamesTile } from "../../../src/core/geocoding/index/names-tile.ts";
import { nameKey } from "../../../src/core/geocoding/index/tile-names.ts";
import type { Found } from "../../../src/core/geocoding/search/found.ts";
import { fold, tokensOf } from "../../../src/core/geocoding/words/normalise.ts";
import { isSameStreet } from "../../../src/core/geocoding/words/same-street.ts";
import { full } from "./cases.ts";
import { randomFrom, type SampledHouse } from "./sample.ts";

/** A question to a build, and what answers it. */
export interface Asked {
  text: string;
  near?: Coordinate;
  open?: boolean;
  /** Only places are asked for. */
  places?: true;
  /** Is it what was meant? */
  is: (found: Found) => boolean;
  /** A word that nothing in the data has: an answer to it is not exact. */
  wrong?: string;
}

/** Which half a question belongs to (FNV-1a; Fowler, Noll, Vo 1991): one may be looked at, the other is asked last. */
export function isUnseen(text: string): boolean {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return ((hash >>> 15) & 1) === 1;
}

/** What people get wrong when they type, in the longest word without digits; undefined where no word is long enough. */
export const MISTAKES: Record<string, (word: string, draw: () => number) => string> = {
  "wrong first letter": (word, draw) => otherLetter(word[0], draw) + word.slice(1),
  "swapped start": (word) => word[1] + word[0] + word.slice(2),
  "missing letter": (word, draw) => cutAt(word, 1 + Math.floor(draw() * (word.length - 1))),
  "doubled letter": (word, draw) => {
    const at = Math.floor(draw() * word.length);
    return word.slice(0, at) + word[at] + word.slice(at);
  },
  "wrong letter": (word, draw) => {
    const at = 1 + Math.floor(draw() * (word.length - 1));
    return word.slice(0, at) + otherLetter(word[at], draw) + word.slice(at + 1);
  },
  "swapped letters": (word, draw) => {
    const at = 1 + Math.floor(draw() * (word.length - 2));
    return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  },
};

const cutAt = (word: string, at: number) => word.slice(0, at) + word.slice(at + 1);

function otherLetter(letter: string, draw: () => number): string {
  const other = "abcdefghijklmnopqrstuvwxyz"[Math.floor(draw() * 26)];
  return other === letter.toLowerCase() ? otherLetter(letter, draw) : other;
}

/** The text with a mistake in its longest word of letters, and that word. */
export function mistake(
  text: string,
  make: (word: string, draw: () => number) => string,
  draw: () => number,
): { text: string; wrong: string } | undefined {
  const words = text.split(" ");
  const candidates = words.map((word, i) => ({ word, i })).filter(({ word }) => /^\p{L}{4,}$/u.test(word));
  if (candidates.length === 0) return undefined;
  const { word, i } = candidates.reduce((best, one) => (one.word.length > best.word.length ? one : best));
  const wrong = make(word, draw);
  if (fold(wrong) === fold(word)) return undefined;
  words[i] = wrong;
  return { text: words.join(" "), wrong: fold(wrong) };
}

export function houseAsked(house: SampledHouse, text: string, wrong?: string): Asked {
  const asks = full(house);
  return {
    text,
    wrong,
    is: (found) =>
      found.number === house.number &&
      // The same house under its street's name in another language, as Malta has two.
      ((distance(found.location, house.at) < 20 && found.confidence !== "fallback") ||
        isSameStreet(found.name, house.street)) &&
      (distance(found.location, house.at) < 100 ||
        full({
          ...house,
          city: found.context.city,
          stateCode: found.context.stateCode,
          postalCode: found.postalCode,
        }) === asks),
  };
}

/** An entry of a build. */
export interface Sampled {
  name: string;
  others: string[];
  city: string;
  countryCode: string;
  kind: string;
  at: Coordinate;
  key: string;
}

export async function everyEntry(index: AddressIndex): Promise<Sampled[]> {
  const out: Sampled[] = [];
  for (let tile = 0; ; tile++) {
    const names = await index.names(tile).catch(() => undefined);
    if (!names) break;
    for (let entry = 0; entry < names.count; entry++) out.push(sampled(names, entry));
  }
  return out;
}

function sampled(names: NamesTile, entry: number): Sampled {
  const { city, countryCode } = names.context(entry);
  const at = { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
  const key = nameKey(names, entry);
  return {
    name: names.name(entry),
    others: names.otherNames(entry),
    city,
    countryCode,
    kind: names.kind(entry),
    at,
    key,
  };
}

/** The place, or another of its name that the question means as well: in its town, or as near to who asks. */
export function placeAsked(place: Sampled, text: string, more: Partial<Asked> = {}): Asked {
  const words = tokensOf(place.name).join(" ");
  return {
    text,
    ...more,
    is: (found) =>
      (found.kind === "place" || found.kind === "locality") &&
      distance(found.location, place.at) < (more.near ? 6000 : 40_000) &&
      (tokensOf(found.name).join(" ") === words || distance(found.location, place.at) < 60),
  };
}

/** A corner that the lines of two streets have. */
export interface Crossing {
  names: [string, string];
  city: string;
  at: Coordinate;
}

/** Points where two streets of a build meet. */
export async function crossingsOf(index: AddressIndex): Promise<Crossing[]> {
  const corners = new Map<string, { name: string; city: string; at: Coordinate }[]>();
  for (let tile = 0; ; tile++) {
    const names = await index.names(tile).catch(() => undefined);
    if (!names) break;
    for (let entry = 0; entry < names.count; entry++) {
      if (names.kinds[entry] !== 0) continue;
      const { lines } = await index.details(tile, names, entry);
      const name = names.name(entry);
      for (const at of lines.flat()) {
        const key = `${at.latitude.toFixed(5)} ${at.longitude.toFixed(5)}`;
        const list = corners.get(key) ?? [];
        if (!list.some((other) => other.name === name)) list.push({ name, city: names.context(entry).city, at });
        corners.set(key, list);
      }
    }
  }
  return [...corners.values()]
    .filter((list) => list.length === 2)
    .map(([a, b]) => ({ names: [a.name, b.name], city: a.city || b.city, at: a.at }));
}

/** Questions for where two streets of a build meet. */
export async function junctionsOf(index: AddressIndex, most: number, seed: number): Promise<Asked[]> {
  const draw = randomFrom(seed);
  const both = await crossingsOf(index);
  const out: Asked[] = [];
  for (let i = 0; i < most && both.length > 0; i++) {
    const { names, city, at } = both[Math.floor(draw() * both.length)];
    if (city === "") continue;
    const [x, y] = draw() < 0.5 ? names : names.toReversed();
    const sign = [" / ", " & ", "/", " at ", " and ", " corner "][i % 6].replace(" corner ", " & ");
    const text = i % 6 === 5 ? `corner of ${x} and ${y}, ${city}` : `${x}${sign}${y}, ${city}`;
    const isPair = (found: Found) => names.every((name) => found.name.includes(name));
    // Streets may meet more than once, and so may streets of the same names in one town.
    out.push({ text, is: (found) => isPair(found) && distance(found.location, at) < 5000 });
  }
  return out;
}
