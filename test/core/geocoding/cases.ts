import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import type { Nearby } from "../../../src/core/geocoding/search/reverse.ts";
import type { Found } from "../../../src/core/geocoding/search/search.ts";
import { isSameStreet } from "../../../src/core/geocoding/words/same-street.ts";
import { FORWARD, TYPING } from "./index/demo-index.ts";
import { mistyped, randomFrom, type SampledHouse } from "./sample.ts";

const NUMBER_LAST = new Set(["DE", "AT", "IT", "ES", "PT", "NL"]);

/** The first line of an address, as it is written in its country. */
export function line({ number, street, countryCode }: SampledHouse): string {
  return NUMBER_LAST.has(countryCode) ? `${street} ${number}` : `${number} ${street}`;
}

/** The whole address, of what the house knows. */
export function full(house: SampledHouse): string {
  const { city, stateCode, postalCode, countryCode } = house;
  const rest = NUMBER_LAST.has(countryCode) ? [`${postalCode} ${city}`] : [city, `${stateCode} ${postalCode}`];
  return [line(house), ...rest.map((part) => part.trim())].filter((part) => part !== "").join(", ");
}

/**
 * Half of all houses are for tuning, the other half is reported: which one a house belongs to is decided by its address
 * (FNV-1a; Fowler, Noll, Vo 1991).
 */
export function isReported(house: SampledHouse): boolean {
  let hash = 0x811c9dc5;
  for (const letter of `${house.number} ${house.street} ${house.city} ${house.postalCode}`) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return ((hash >>> 16) & 1) === 1;
}

/** Farther apart than this [m], houses of one number are two houses, unless the query can not tell them apart either. */
const SAME_HOUSE = 50;

/**
 * A hit: the number and street asked for, at most 50 m away. The same address told of twice in the data counts when what
 * was asked reads the same for both.
 */
export function isHit({ house, asks }: Case, found: Found): boolean {
  if (found.number !== house.number || !isSameStreet(found.name, house.street)) return false;
  if (distance(found.location, house.at) <= SAME_HOUSE) return true;
  const { city, stateCode } = found.context;
  const { postalCode } = found;
  return asks({ ...house, city, stateCode, postalCode }) === asks(house);
}

/** Does the house of a reverse answer stand on the street that was meant? */
export function isOnStreet(house: SampledHouse, found: readonly Nearby[]): boolean {
  const address = found.find(({ kind }) => kind === "address");
  return address !== undefined && isSameStreet(address.name, house.street);
}

/** What is asked about a house: text and options, and among how many answers it has to be. */
export interface Case {
  house: SampledHouse;
  text: string;
  near?: Coordinate;
  /** What is asked of a house, but for mistakes. */
  asks: (house: SampledHouse) => string;
  /** Left out of the count that leaves out what a person would not ask so. */
  odd: boolean;
}

export interface Kind {
  name: "full" | "mistake" | "cut";
  label: string;
  goal: number;
  among: number;
  options: typeof FORWARD;
  make(house: SampledHouse, draw: () => number): Case | undefined;
}

/** Somewhere within 5 km: where the person who asks stands. */
export const around = (house: SampledHouse, draw: () => number) => destination(house.at, draw() * 360, draw() * 5000);

const cut = (house: SampledHouse) => full(house).slice(0, -4);

export const KINDS: readonly Kind[] = [
  {
    name: "full",
    label: "full, first",
    goal: 99.5,
    among: 1,
    options: FORWARD,
    make: (house) => ({ house, text: full(house), asks: full, odd: house.city === "" }),
  },
  {
    name: "mistake",
    label: "a mistake, of 5",
    goal: 92,
    among: 5,
    options: FORWARD,
    // Of "60th St" any mistake makes another street: counted, but told apart.
    make(house, draw) {
      const plain = mistyped(house.street, draw);
      const odd = plain === house.street;
      const street = odd ? mistyped(house.street, draw, { any: true }) : plain;
      return street === house.street ? undefined : { house, text: full({ ...house, street }), asks: full, odd };
    },
  },
  {
    name: "cut",
    label: "last 4 letters missing, of 10",
    goal: 99,
    among: 10,
    options: TYPING,
    // Of a house that knows no city the missing letters are those of its street or number: counted, but told apart.
    make: (house, draw) => ({
      house,
      text: cut(house),
      asks: cut,
      near: around(house, draw),
      odd: house.city.length < 4,
    }),
  },
];

/** The cases of one kind among houses; the same for the same seed. */
export function casesOf(kind: Kind, houses: readonly SampledHouse[], seed = 11): Case[] {
  const draw = randomFrom(seed);
  return houses.flatMap((house) => kind.make(house, draw) ?? []);
}
