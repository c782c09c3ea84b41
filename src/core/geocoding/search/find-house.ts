import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import type { House, Origin } from "../entry/entry.ts";
import { numberFormsOf, otherSuffixes } from "../habits/numbers.ts";
import { type HouseNumber, houseNumberKey, isNumberMark, parseHouseNumber, spans } from "../words/house-number.ts";

export interface FoundHouse {
  location: Coordinate;
  /** As the data writes it; for an interpolated one as the caller wrote it. */
  number: string;
  confidence: "exact" | "interpolated";
  /** Units that the source lists at this number. */
  units: readonly string[];
  /** Where the point is from; absent in builds from before version 4. */
  origin?: Origin;
  /** The unit that was requested as a part of the number: 288 of "288-1388". */
  unit?: string;
}

/** Two known numbers are not adjacent if they are farther apart than this: in numbers, and on the ground [m]. */
export const NUMBERS_APART = 200;
export const METRES_APART = 1500;

/** A range of house numbers is not longer than this. */
const MAX_RANGE = 100;

/** The number requested is parsed once, as it is the same for every street that is searched. */
let lastAsked: { text: string; key: string; number: HouseNumber | undefined } | undefined;

function requestedNumber(text: string): { key: string; number: HouseNumber | undefined } {
  if (lastAsked?.text !== text) lastAsked = { text, key: houseNumberKey(text), number: parseHouseNumber(text) };
  return lastAsked;
}

/** Whether a house of the country has a number of its quarter and one of its street, and people write both or either. */
export const hasTwoNumbers = (country: string): boolean => numberFormsOf(country).slash === "two numbers";

/** Which houses `findHouse` needs to see for a number, by their first number. */
export function housesAround(requested: string, country = ""): (first: number) => boolean {
  const { number } = requestedNumber(requested);
  // A query may contain the second number of a Czech house.
  if (!number || hasTwoNumbers(country) || /\/|^\p{L}/u.test(number.key)) return () => true;
  if (number.second !== undefined) {
    const house = houseBehindUnit(number);
    return (first) => first === number.first || first === house;
  }
  const block = /^\d{4,5}$/.test(number.key) ? Math.floor(number.first / 100) : Number.NaN;
  return (first) => first === block || Math.abs(first - number.first) <= NUMBERS_APART;
}

/**
 * Finds a number among the houses of a street: the house itself; its range; or the point between the next lower and the
 * next higher known number of the same parity (and, for "217-14", the same block). Undefined if neither is known. A
 * number that is not in the data is never exact.
 *
 * @param isBlock the houses are in no order: between two of them there is nothing, but a block has its houses
 */
export function findHouse(
  houses: readonly House[],
  requested: string,
  country = "",
  isBlock = false,
): FoundHouse | undefined {
  const { key, number } = requestedNumber(requested);
  const seen = houses.find((house) => house.number.key === key && !house.computed);
  if (seen) return asSeen(seen);
  // "22105 Jamaica Avenue" for 221-05: in Queens the hyphen is often left out.
  const whole = /^\d+$/.test(key);
  const unhyphened = whole
    ? houses.find(({ number: own, computed }) => !computed && withoutHyphen(own) === key)
    : undefined;
  if (unhyphened) return asSeen(unhyphened);
  const other = byHabit(houses, key, country);
  if (other) return other;
  const computed = houses.find((house) => house.number.key === key);
  if (computed) return between(computed.location, requested, computed);
  if (!number) return undefined;
  const [, letters = "", bare = ""] = /^(\p{L}{1,5})(\d.*)$/u.exec(key) ?? [];
  // "n 12" is 12.
  if (isNumberMark(letters)) return findHouse(houses, bare, country, isBlock);
  const unlettered = houses.find((house) => house.number.key === bare);
  if (unlettered) return between(unlettered.location, unlettered.number.text, unlettered);
  if (isBlock || /^\d+-\d+-\d/.test(key)) {
    const inside = houses.find((house) => house.number.key.startsWith(`${key}-`));
    return inside && between(inside.location, requested, inside);
  }
  const dashed = byDash(houses, number, country);
  if (dashed) return dashed;
  const range = whole ? houses.find((house) => spans(house.number, number.first)) : undefined;
  if (range) return between(range.location, requested, range);
  const behind = houseBehindUnit(number);
  const building = houses.find(({ number: own, computed: made }) => !made && own.key === `${behind}`);
  if (building) return asSeen(building, `${number.first}`);
  if (number.second !== undefined) {
    const block = houses.filter((house) => house.number.first === number.first && house.number.second !== undefined);
    const inBlock = interpolate(block, (house) => house.number.second!, number.second, requested);
    if (inBlock || number.second <= number.first || number.second - number.first > MAX_RANGE) return inBlock;
    // "12-16" is at least house 12.
    const begin = houses.find((house) => house.number.key === `${number.first}`);
    return begin && between(begin.location, requested, begin);
  }
  return interpolate(
    houses.filter((house) => house.number.second === undefined && house.number.first > 0),
    (house) => house.number.first,
    number.first,
    requested,
  );
}

/** A number that a country writes in two parts, or with a letter for a word: "12 B" is 12 bis in France, where there is no 12 B. */
function byHabit(houses: readonly House[], key: string, country: string): FoundHouse | undefined {
  const { slash } = numberFormsOf(country);
  const [first, second, more] = key.split("/");
  const known = (number: string) => houses.find((house) => !house.computed && house.number.key === number);
  if (slash === "two numbers") {
    // Of "Vodičkova 32/12" people write both or either.
    if (second !== undefined) {
      const half = known(second) ?? known(first);
      return half && between(half.location, half.number.text, half);
    }
    const parts = (side: number) =>
      houses.find(
        ({ number, computed }) => !computed && number.key.split("/")[1] && number.key.split("/")[side] === key,
      );
    return asSeen(parts(1) ?? parts(0));
  }
  const [, bare, suffix] = /^(\d+)(\p{L}+)$/u.exec(key) ?? [];
  if (bare !== undefined)
    return asSeen(
      otherSuffixes(suffix, country)
        .map((other) => known(bare + other))
        .find((house) => house !== undefined),
    );
  if (second === undefined || !/^\d/.test(first)) return undefined;
  if (slash === "unit first") return asSeen(known(second), first);
  return slash === "unit" ? asSeen(known(first), more === undefined ? second : `${second}/${more}`) : undefined;
}

/** The house of "12-2", which is no range; unless the data has such numbers itself, and lacks this one. */
function byDash(houses: readonly House[], { key, first, second }: HouseNumber, country: string) {
  if (numberFormsOf(country).dash !== "unit" || second === undefined || second >= first || !/^\d+-\d+$/.test(key))
    return undefined;
  if (houses.some(({ number, computed }) => !computed && number.first === first && number.key !== `${first}`))
    return undefined;
  return asSeen(
    houses.find(({ number, computed }) => !computed && number.key === `${first}`),
    `${second}`,
  );
}

function asSeen(house: House | undefined, unit?: string): FoundHouse | undefined {
  if (!house) return undefined;
  const { location, number, units, origin } = house;
  return {
    location,
    number: number.text,
    confidence: "exact",
    units,
    ...(origin && { origin }),
    ...(unit !== undefined && { unit }),
  };
}

/** Canada writes "288-1388 West Broadway" for unit 288 of 1388: the second is no part of a block or range. */
export function houseBehindUnit({ first, second }: HouseNumber): number | undefined {
  return second !== undefined && second >= 100 && Math.abs(second - first) > 100 ? second : undefined;
}

/** "221-05" → "22105": only where the second part has two digits, as in Queens. */
function withoutHyphen({ text, second }: HouseNumber): string | undefined {
  return second !== undefined && /^\d{2,3}-\d{2}$/.test(text) ? text.replace("-", "") : undefined;
}

/** A point next to known houses, or between them. */
function between(location: Coordinate, number: string, ...known: House[]): FoundHouse {
  const sources = [...new Set(known.flatMap(({ origin }) => origin?.sources ?? []))];
  return {
    location,
    number,
    confidence: "interpolated",
    units: [],
    ...(sources.length > 0 && { origin: { precision: "interpolated", sources } }),
  };
}

function interpolate(
  houses: readonly House[],
  valueAt: (house: House) => number,
  value: number,
  requested: string,
): FoundHouse | undefined {
  let low: House | undefined;
  let high: House | undefined;
  for (const house of houses) {
    const own = valueAt(house);
    // 12A for 12: the same number with a letter that was not requested is the nearest match there is.
    if (own === value) return between(house.location, requested, house);
    if ((own - value) % 2 !== 0) continue;
    if (own < value && (!low || own > valueAt(low))) low = house;
    if (own > value && (!high || own < valueAt(high))) high = house;
  }
  if (!low || !high || valueAt(high) - valueAt(low) > NUMBERS_APART) return undefined;
  const [a, b] = [low.location, high.location];
  if (haversine(a.latitude, a.longitude, b.latitude, b.longitude) > METRES_APART) return undefined;
  const share = (value - valueAt(low)) / (valueAt(high) - valueAt(low));
  const location = {
    latitude: a.latitude + share * (b.latitude - a.latitude),
    longitude: a.longitude + share * (b.longitude - a.longitude),
  };
  return between(location, requested, low, high);
}
