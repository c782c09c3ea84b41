import type { Coordinate } from "../geo/coordinate.ts";
import type { Chain } from "./chains.ts";

/** The parts of a place's address; "" for missing parts. */
export interface PlaceAddress {
  number: string;
  street: string;
  city: string;
  stateCode: string;
  postalCode: string;
}

/** The order is part of the format of tiles. */
export const ADDRESS_PARTS = ["number", "street", "city", "stateCode", "postalCode"] as const;

/** A point of interest. */
export interface Place {
  /** 24 hexadecimal digits, the same in every import (see `placeId`). */
  id: string;
  name: string;
  chain?: Chain;
  /** Slugs of its category paths, groups first. */
  categories: string[];
  location: Coordinate;
  /** Its address, as complete as in the data; absent if the data has none. */
  address?: PlaceAddress;
  /** Radius of the place [meters]: that of a circle of the same area. */
  footprint: number;
}

/** Source of a place. An operator's own ids are numbers derived from their text. */
export type PlaceSource = "node" | "way" | "relation" | "operator" | "overture";
const SOURCES: readonly PlaceSource[] = ["node", "way", "relation", "operator", "overture"];

/** Two 32-bit halves of a place's 64-bit key: the source in the upper 4 bits, then 60 bits of its id there. */
export interface PlaceKey {
  high: number;
  low: number;
}

export function placeKey(source: PlaceSource, id: number): PlaceKey {
  const high = SOURCES.indexOf(source) * 0x10000000 + (Math.floor(id / 0x100000000) & 0xfffffff);
  return { high: high >>> 0, low: id >>> 0 };
}

/** "plac" in ASCII, so that a place's id is recognizable in a log. */
const ID_PREFIX = "706c6163";

/** The place's `_id`: 24 hexadecimal digits, readable back into the OSM element it stands for. */
export function placeId({ high, low }: PlaceKey): string {
  return ID_PREFIX + high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

/** Which OSM element (or operator's number) an `_id` stands for; undefined when it is not a place's. */
export function placeSourceOf(id: string): { source: PlaceSource; id: number } | undefined {
  if (!/^706c6163[0-4][0-9a-f]{15}$/.test(id)) return undefined;
  const number = Number.parseInt(id.slice(9), 16);
  return Number.isSafeInteger(number) ? { source: SOURCES[Number(id[8])], id: number } : undefined;
}

export const OVERTURE = "Overture";

const SOURCE_NAMES: Readonly<Record<PlaceSource, string>> = {
  node: "OpenStreetMap",
  way: "OpenStreetMap",
  relation: "OpenStreetMap",
  operator: "operator",
  overture: OVERTURE,
};

/** Who has the place of an `_id`; undefined for ids of other things. */
export function sourceNameOf(id: string): string | undefined {
  const known = placeSourceOf(id);
  return known && SOURCE_NAMES[known.source];
}

/** Returns the key from which an `_id` was derived; undefined if it is not a place's id. */
export function placeKeyOf(id: string): PlaceKey | undefined {
  if (!placeSourceOf(id)) return undefined;
  return { high: Number.parseInt(id.slice(8, 16), 16), low: Number.parseInt(id.slice(16), 16) };
}

/** 52 bits from a text: two FNV-1a streams with different starts, finished as in MurmurHash3. */
export function hash52(text: string): number {
  const half = (start: number) => {
    let h = start;
    for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return ((h ^ (h >>> 16)) >>> 6) & 0x3ffffff;
  };
  return half(0x811c9dc5) * 0x4000000 + half(0x01234567);
}
