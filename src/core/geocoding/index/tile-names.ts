import type { NameKind } from "../entry/entry.ts";
import { isStreetType } from "../words/abbreviations.ts";
import { tokensOf, writtenOut } from "../words/normalise.ts";
import { vowelsOf } from "../words/vowels.ts";
import type { NamesTile } from "./names-tile.ts";

/** Words of a name beyond these are not compared: matching uses one bit for each. */
const MAX_WORDS = 30;

/** One of an entry's names, as matching needs it. */
export interface Name {
  words: readonly string[];
  /** The weight of each word: lower for words for kinds of streets. */
  weights: readonly number[];
  /** Their sum. */
  weight: number;
  /** The words with ü, ø, å in two letters, where the name has such: "muenchen". */
  written: readonly string[] | undefined;
  /** The vowels of each word, where the script has them as marks (vowels.ts). */
  vowels: readonly (string | undefined)[] | undefined;
  /** The first word is a code, which is matched letter for letter: "drive" is not the airport DRV. */
  coded: boolean;
  /** What the name is: the name people use today, a short one, another, a former one, a code. */
  kind: NameKind;
}

interface Kept {
  names: (readonly Name[] | undefined)[];
  keys: (string | undefined)[];
  postalCodes: Map<number, readonly string[]>;
}

/** Computed when an entry is first matched closely, and cached as long as its tile is. */
const kept = new WeakMap<NamesTile, Kept>();

function cachedOf(tile: NamesTile): Kept {
  let known = kept.get(tile);
  if (!known) {
    known = { names: new Array(tile.count), keys: new Array(tile.count), postalCodes: new Map() };
    kept.set(tile, known);
  }
  return known;
}

/** All names of an entry, its own first. */
export function namesOf(tile: NamesTile, entry: number): readonly Name[] {
  const { names } = cachedOf(tile);
  names[entry] ??= readNames(tile, entry);
  return names[entry];
}

function readNames(tile: NamesTile, entry: number): Name[] {
  const texts = [tile.name(entry), ...tile.otherNames(entry)];
  const kinds = tile.kindsOfNames(entry);
  // Airports have their codes as names: "LAX", "LAX Airport"; so have states and countries: "Calle" is not Chile, CL.
  const kind = tile.kind(entry);
  const code = kind === "place" ? /^[A-Z]{3}$/ : kind === "country" || kind === "state" ? /^[A-Z]{2}$/ : undefined;
  const codes = code ? texts.filter((text) => code.test(text)) : [];
  return texts.map((text, i) =>
    nameOf(
      text,
      codes.some((code) => text === code || text.startsWith(`${code} `)),
      i === 0 ? "main" : kinds[i - 1],
    ),
  );
}

function nameOf(text: string, coded: boolean, kind: NameKind): Name {
  const words = tokensOf(text).slice(0, MAX_WORDS);
  const weights = words.map((word) => (isStreetType(word) ? 0.4 : 1));
  return {
    words,
    weights,
    weight: weights.reduce((sum, weight) => sum + weight, 0),
    written: writtenOut(text, words),
    vowels: vowelsOf(text, words),
    coded,
    kind,
  };
}

/** The same for two entries of one name, however it is written. */
export function nameKey(tile: NamesTile, entry: number): string {
  const { keys } = cachedOf(tile);
  keys[entry] ??= namesOf(tile, entry)[0].words.join(" ");
  return keys[entry];
}

/** The words of an entry's postal code: ["v6b", "2e2"]; [] without one. */
export function postalWords(tile: NamesTile, entry: number): readonly string[] {
  const { postalCodes } = cachedOf(tile);
  const text = tile.postalCodes[entry];
  let words = postalCodes.get(text);
  if (!words) {
    words = tokensOf(tile.postalCode(entry));
    postalCodes.set(text, words);
  }
  return words;
}
