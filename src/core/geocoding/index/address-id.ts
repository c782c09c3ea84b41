import { type Coordinate, isCoordinate } from "../../geo/coordinate.ts";
import type { Context, Origin, Precision } from "../entry/entry.ts";
import { fold } from "../words/normalise.ts";
import type { AddressIndex } from "./address-index.ts";
import type { NamesTile } from "./names-tile.ts";
import { nameKey } from "./tile-names.ts";

/**
 * The id of a house: 32 hexadecimal digits that encode where to look for it and how to recognize it.
 *
 *     61646472  2a7f  1c3d  9b04e1  5d20a  77c13
 *     "addr"    │     │     street  number town and postal code, each as a hash
 *               └─────┴─ the square of 0.01 degrees that contains it
 *
 * Ids are not stored. An id stays the same in every import in which the house keeps its street, number, town and postal
 * code, and does not move out of its square. A house that moved a few hundred meters, or got another postal code, is
 * still found by its old id, and returned with the new one.
 */
const PREFIX = "61646472";
const PATTERN = /^61646472([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{6})([0-9a-f]{5})([0-9a-f]{5})$/;
/** Squares to a degree. */
const SQUARES = 100;
/** How far around the middle of its square a house is looked for [m]: the square itself, and as much around it. */
const REACH = 1_500;
/** The most tiles that are looked through. */
const TILES = 8;

export interface HouseKey {
  street: string;
  number: string;
  town: string;
}

export function houseId(names: NamesTile, entry: number, number: string, at: Coordinate): string {
  const {
    street,
    number: own,
    town,
  } = keysOf(nameKey(names, entry), number, names.context(entry), names.postalCode(entry));
  return (
    PREFIX +
    hex(Math.floor((at.latitude + 90) * SQUARES), 4) +
    hex(Math.floor((at.longitude + 180) * SQUARES), 4) +
    street +
    own +
    town
  );
}

function keysOf(street: string, number: string, { city, countryCode }: Context, postalCode: string): HouseKey {
  return {
    street: streetKey(street),
    number: hex(textHash(fold(number).replace(/\s/g, "")) >>> 12, 5),
    town: hex(textHash(`${fold(city)}\n${postalCode}\n${countryCode}`) >>> 12, 5),
  };
}

const streetKey = (street: string) => hex(textHash(street) >>> 8, 6);
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

/** FNV-1a (Fowler, Noll, Vo 1991) over UTF-16 units, its bits mixed at the end as MurmurHash3 does (Appleby 2011). */
export function textHash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h = Math.imul(h ^ (unit & 0xff), 0x01000193);
    h = Math.imul(h ^ (unit >>> 8), 0x01000193);
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Where the house of an id is to be looked for; undefined when it is no id of a house. */
export function placeOfId(id: string): (HouseKey & { around: Coordinate }) | undefined {
  const parts = PATTERN.exec(id);
  if (!parts) return undefined;
  const latitude = (Number.parseInt(parts[1], 16) + 0.5) / SQUARES - 90;
  const longitude = (Number.parseInt(parts[2], 16) + 0.5) / SQUARES - 180;
  if (!isCoordinate(latitude, longitude)) return undefined;
  return { around: { latitude, longitude }, street: parts[3], number: parts[4], town: parts[5] };
}

export interface HouseById {
  id: string;
  name: string;
  number: string;
  context: Context;
  postalCode: string;
  location: Coordinate;
  precision?: Precision;
  /** Names of the sources that have it, that of the point first. */
  sources?: readonly string[];
}

/**
 * The house of an id, or its current form: the same street and number nearby. Undefined if there is none, or if two
 * inexact matches are possible.
 */
export async function houseWithId(indexes: readonly AddressIndex[], id: string): Promise<HouseById | undefined> {
  const sought = placeOfId(id);
  if (!sought) return undefined;
  const found = (await Promise.all(indexes.map((index) => housesWith(index, sought)))).flat();
  const same = found.find((house) => house.id === id) ?? found.find((house) => house.id.endsWith(sought.town));
  if (same) return same;
  return new Set(found.map((house) => house.id)).size === 1 ? found[0] : undefined;
}

async function namesOf(index: AddressIndex, { sources }: Origin): Promise<string[]> {
  const names = await index.sources();
  return sources.flatMap((source) => names[source] ?? []);
}

async function housesWith(index: AddressIndex, sought: HouseKey & { around: Coordinate }): Promise<HouseById[]> {
  const tiles = await index.near(sought.around, REACH, TILES);
  const lists = await Promise.all(
    tiles.map(async ({ tile }) => {
      const names = await index.names(tile);
      if (!names) return [];
      const out: HouseById[] = [];
      for (let entry = 0; entry < names.count; entry++) {
        if (names.kinds[entry] !== 0 || streetKey(nameKey(names, entry)) !== sought.street) continue;
        const context = names.context(entry);
        const postalCode = names.postalCode(entry);
        for (const { number, location, computed, origin } of (await index.details(tile, names, entry)).houses) {
          if (computed || keysOf("", number.text, context, postalCode).number !== sought.number) continue;
          const own = houseId(names, entry, number.text, location);
          const known = origin && { precision: origin.precision, sources: await namesOf(index, origin) };
          out.push({ id: own, name: names.name(entry), number: number.text, context, postalCode, location, ...known });
        }
      }
      return out;
    }),
  );
  return lists.flat();
}
