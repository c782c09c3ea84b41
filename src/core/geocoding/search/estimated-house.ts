import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { House } from "../entry/entry.ts";
import { type HouseNumber, parseHouseNumber } from "../words/house-number.ts";
import { hasTwoNumbers, houseBehindUnit, METRES_APART, NUMBERS_APART } from "./find-house.ts";

/** A house is not beside a known one if the numbers between them make it farther than this [m]. */
const MAX_OFF = 300;
/** Distance from one number to the next where only one is known [m]. */
const PER_NUMBER = 10;

interface EstimatedHouse {
  location: Coordinate;
  /** How far the house may be from it [m]. */
  off: number;
}

interface Known {
  value: number;
  location: Coordinate;
}

/**
 * Where a house is whose number `findHouse` does not know: between the next lower and the next higher number of either
 * side of the street, or beside the nearest one. Undefined if none is near.
 */
export function estimateHouse(
  houses: readonly House[],
  requested: string,
  country: string,
): EstimatedHouse | undefined {
  const asked = parseHouseNumber(requested);
  // The first number of a Czech house says nothing about its place along the street.
  if (!asked || asked.first === 0 || hasTwoNumbers(country)) return undefined;
  const inBlocks = asked.second !== undefined && houseBehindUnit(asked) === undefined;
  const valueAt = (number: HouseNumber) =>
    inBlocks ? number.first * 100 + (number.second ?? 0) : (houseBehindUnit(number) ?? number.first);
  const value = valueAt(asked);
  const known = houses
    .filter(({ number }) => number.first > 0 && (!inBlocks || number.second !== undefined))
    .map(({ number, location }): Known => ({ value: valueAt(number), location }))
    .sort((a, b) => a.value - b.value);
  const above = known.findIndex((one) => one.value > value);
  const [low, high] = above < 0 ? [known.at(-1)] : [known[above - 1] as Known | undefined, known[above]];
  if (low && high && distance(low.location, high.location) <= METRES_APART) return between(low, high, value);
  const nearest = !low || (high && high.value - value < value - low.value) ? high : low;
  return nearest && beside(nearest, known, value);
}

function between(low: Known, high: Known, value: number): EstimatedHouse {
  const share = (value - low.value) / (high.value - low.value);
  const [a, b] = [low.location, high.location];
  const location = {
    latitude: a.latitude + share * (b.latitude - a.latitude),
    longitude: a.longitude + share * (b.longitude - a.longitude),
  };
  return { location, off: distance(a, b) / 2 };
}

/** At a known house, as far off as the spacing of the numbers around it says. */
function beside(nearest: Known, known: readonly Known[], value: number): EstimatedHouse | undefined {
  const around = known.filter((one) => Math.abs(one.value - value) <= NUMBERS_APART);
  const toNearest = (one: Known) => Math.abs(one.value - nearest.value);
  const farthest = around.reduce((a, b) => (toNearest(b) > toNearest(a) ? b : a), nearest);
  const numbers = toNearest(farthest);
  const perNumber = numbers === 0 ? PER_NUMBER : distance(nearest.location, farthest.location) / numbers;
  const off = perNumber * Math.abs(value - nearest.value);
  return off <= MAX_OFF ? { location: nearest.location, off } : undefined;
}
