import type { Coordinate } from "../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import { CATEGORIES } from "./categories.ts";

/** Two sources have the same place if their points are not farther apart [m], and the names are similar. */
export const SAME_PLACE_METERS = 60;

/** Words that say what a place is, or who runs it, but not which one it is: in names of all kinds of sources. */
const GENERIC = new Set(
  // Folded as names are.
  (
    "the and of at in on a an la le les el los las il lo gli i de du des del della di da do dos das der die das den dem und et y e o " +
    "inc llc ltd ltda gmbh ag kg ug sa srl spa sas sarl bv nv oy ab as co corp company plc eirl me epp cia " +
    "restaurant restaurante ristorante cafe caffe kaffee coffee bar pub grill kitchen bistro pizzeria pizza trattoria osteria bakery backerei " +
    "panaderia padaria boulangerie hotel hostel hostal hospedaje motel inn pharmacy pharmacie apotheke farmacia drogaria drugstore store shop " +
    "tienda loja negozio laden market markt mercado supermarket supermercado supermarkt supermarche office buro clinic clinica praxis salon " +
    "studio center centre centro zentrum club school escuela escola schule church iglesia igreja kirche bank banco banque banca gas station"
  )
    .replace(/([aou])e/g, "$1")
    .split(" "),
);

/** A name as it is compared. Compute it once for each place. */
export interface ComparedName {
  /** Words that distinguish it; all of them where none does. */
  words: readonly string[];
  joined: string;
  /** All words. */
  whole: string;
  numbers: string;
}

/** Letters that do not decompose, written out: as in chains.ts. */
const LETTERS: Record<string, string> = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ı: "i" };

export function comparedName(name: string): ComparedName {
  const isAscii = !/[^ -~]/.test(name);
  const plain = isAscii
    ? name.replace(/['`.]/g, "").toLowerCase()
    : name
        .normalize("NFKD")
        .replace(/[\p{M}'’`.]/gu, "")
        .toLowerCase()
        .replace(/[ßøæœłđı]/g, (letter) => LETTERS[letter]);
  // "Mueller" for "Müller"; other words lose the letter in all sources.
  const folded = plain.replace(/([aou])e/g, "$1");
  const all = folded.match(isAscii ? /[a-z\d]+/g : /[\p{L}\p{N}]+/gu) ?? [];
  const own = all.filter((word) => !GENERIC.has(word));
  const words = own.length > 0 ? own : all;
  return {
    words,
    joined: words.join(""),
    whole: all.join(""),
    numbers: words.filter((word) => /\d/.test(word)).join(" "),
  };
}

/** Names with fewer characters in common are not spellings of each other: share of pairs of letters (Dice 1945). */
const MIN_DICE = 0.72;
/** Shorter names are the same only letter by letter. */
const MIN_SPELLING = 5;
/** A longer difference is not a slip: Central Park, Central Parking. */
const MAX_SLIP = 2;
/** A part of a name stands for all of it, if it has this share of its letters, or is more than one short word. */
const MIN_PART = 0.5;
const MIN_WORD = 4;

/** @param sameKind both are in one group of categories */
export function areSimilarNames(a: ComparedName, b: ComparedName, sameKind: boolean): boolean {
  if (a.whole === b.whole) return a.whole !== "";
  // "Hauptbahnhof" and "Hauptbahnhof Apotheke": what says the kind is a part of the name, where the kinds differ.
  if (!sameKind) return false;
  if (a.joined === b.joined) return a.joined !== "";
  if (a.numbers !== b.numbers && a.numbers !== "" && b.numbers !== "") return false;
  const [short, long] = a.joined.length <= b.joined.length ? [a, b] : [b, a];
  if (short.joined === "") return false;
  if (short.words.every((word) => long.words.includes(word))) {
    if (short.joined.length >= MIN_PART * long.joined.length) return true;
    return short.words.length > 1 || short.joined.length >= MIN_WORD;
  }
  if (short.joined.length < MIN_SPELLING || long.joined.length - short.joined.length > MAX_SLIP) return false;
  const isClose = short.words.some((word) => long.words.some((other) => word.slice(0, 3) === other.slice(0, 3)));
  return isClose && dice(short.joined, long.joined) >= MIN_DICE;
}

function dice(a: string, b: string): number {
  const pairs = new Map<string, number>();
  for (let i = 1; i < a.length; i++) {
    const pair = a.slice(i - 1, i + 1);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let i = 1; i < b.length; i++) {
    const pair = b.slice(i - 1, i + 1);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length - 2);
}

/** A place as it is compared with those of other sources. */
export interface ComparedPlace {
  location: Coordinate;
  /** All names that it is known by. */
  names: readonly ComparedName[];
  chain: string | undefined;
  /** First levels of its categories. */
  groups: readonly string[];
}

export const groupsOf = (rows: readonly number[]): string[] => [...new Set(rows.map((row) => CATEGORIES[row].path[0]))];

export function isSamePlace(a: ComparedPlace, b: ComparedPlace): boolean {
  const north = (a.location.latitude - b.location.latitude) * METRES_PER_DEGREE;
  if (Math.abs(north) > SAME_PLACE_METERS) return false;
  const degrees = Math.abs(a.location.longitude - b.location.longitude);
  const turn = Math.min(degrees, 360 - degrees);
  const east = turn * METRES_PER_DEGREE * Math.cos(a.location.latitude * RADIANS);
  if (north * north + east * east > SAME_PLACE_METERS ** 2) return false;
  const sameKind = a.groups.some((group) => b.groups.includes(group));
  if (sameKind && a.chain !== undefined && a.chain === b.chain) return true;
  return a.names.some((name) => b.names.some((other) => areSimilarNames(name, other, sameKind)));
}
