import { haversine } from "../../geo/distance.ts";
import { type House, type Origin, PRECISIONS } from "../entry/entry.ts";
import { isSameStreet } from "../words/same-street.ts";

/** A house with the street that its source has it in. */
export interface StreetHouse {
  house: House & { origin: Origin };
  street: number;
}

/** Two sources have the same house where number and street agree, and their points are not farther apart [m]. */
export const SAME_HOUSE_METERS = 50;
/** The same in 1e-5 degrees of latitude, slightly more. */
const REACH = 46e-5;
/** Pairs of names that are remembered. */
const MAX_PAIRS = 200_000;

/**
 * Joins houses that several sources have: of each, the one with the better point remains (at equal precision that of the
 * earlier source), with the units, the ZIP+4 and the sources of the others.
 *
 * @param nameOf name of a street
 * @returns the houses that remain, in their order
 */
export function joinSameHouses(all: readonly StreetHouse[], nameOf: (street: number) => string): StreetHouse[] {
  const byNumber = new Map<string, number[]>();
  for (const [i, { house }] of all.entries()) {
    const list = byNumber.get(house.number.key);
    if (list) list.push(i);
    else byNumber.set(house.number.key, [i]);
  }
  const names = new SameNames(nameOf);
  const gone = new Set<number>();
  for (const list of byNumber.values()) {
    if (list.length < 2) continue;
    // The better points first: each takes in the houses around it that are not taken yet.
    const ranked = list.toSorted((a, b) => compareOrigins(all[a].house.origin, all[b].house.origin) || a - b);
    const north = list.toSorted((a, b) => all[a].house.location.latitude - all[b].house.location.latitude);
    for (const i of ranked) {
      if (gone.has(i)) continue;
      for (const other of around(all, north, i)) {
        if (other === i || gone.has(other) || !isSame(all[i], all[other], names)) continue;
        absorb(all[i].house, all[other].house);
        gone.add(other);
      }
    }
  }
  return gone.size === 0 ? [...all] : all.filter((_, i) => !gone.has(i));
}

/** Order of points: the more precise one first, then that of the earlier source. */
export function compareOrigins(a: Origin, b: Origin): number {
  return PRECISIONS.indexOf(a.precision) - PRECISIONS.indexOf(b.precision) || a.sources[0] - b.sources[0];
}

/** Those of a list by latitude that are within reach of one's latitude. */
function around(all: readonly StreetHouse[], north: readonly number[], i: number): number[] {
  const { latitude } = all[i].house.location;
  let low = 0;
  let high = north.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[north[middle]].house.location.latitude < latitude - REACH) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; at < north.length && all[north[at]].house.location.latitude <= latitude + REACH; at++)
    found.push(north[at]);
  return found;
}

function isSame(a: StreetHouse, b: StreetHouse, names: SameNames): boolean {
  const [from, to] = [a.house.location, b.house.location];
  return (
    haversine(from.latitude, from.longitude, to.latitude, to.longitude) <= SAME_HOUSE_METERS &&
    names.areSame(a.street, b.street)
  );
}

function absorb(house: StreetHouse["house"], other: StreetHouse["house"]): void {
  house.units = joined(house.units, other.units);
  house.plus4 ??= other.plus4;
  house.propertyType ??= other.propertyType;
  house.computed &&= other.computed;
  house.origin = { ...house.origin, sources: joined(house.origin.sources, other.origin.sources) };
}

export function joined<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  if (b.length === 0 || b.every((one) => a.includes(one))) return a;
  return [...new Set([...a, ...b])];
}

/** Whether two streets have the same name except for abbreviations, each pair compared once. */
class SameNames {
  readonly #nameOf: (street: number) => string;
  readonly #known = new Map<string, boolean>();

  constructor(nameOf: (street: number) => string) {
    this.#nameOf = nameOf;
  }

  areSame(a: number, b: number): boolean {
    if (a === b) return true;
    const [name, other] = [this.#nameOf(a), this.#nameOf(b)];
    if (name === other) return true;
    const key = name < other ? `${name}\n${other}` : `${other}\n${name}`;
    let same = this.#known.get(key);
    if (same === undefined) {
      same = isSameStreet(name, other);
      if (this.#known.size < MAX_PAIRS) this.#known.set(key, same);
    }
    return same;
  }
}
