import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import type { WireAddress } from "../../../src/worker/wire/address.ts";

import { keyOf } from "./namesakes.ts";

/** A question to the geocoder with its answer: a point, and for a house its number. */
export interface Question {
  /** The kind of question, by which figures are reported. */
  set: string;
  query: string;
  near?: Coordinate;
  /** What is at this point is asked instead. */
  reverse?: Coordinate;
  /** As the parameter; else the default ones. */
  layers?: string;
  /** It is still being typed. */
  open?: boolean;
  /** The answer may be any of the first of these. */
  among?: number;
  /** Any of these points is right: namesakes in one state are not told apart. */
  at: readonly Coordinate[];
  /** How far off is still right [km]. */
  km: number;
  number?: string;
  /** The answer is this country, wherever its middle is. */
  country?: string;
  /** This country is right as well: it has the name of its city. */
  orCountry?: string;
  /** What is right, where neither position nor number decide it. */
  is?: (answer: WireAddress) => boolean;
  /** The country or town that decides which half a question belongs to. */
  from: string;
}

/** What came of a question. */
export interface Outcome {
  right: boolean;
  /** The first answer is wrong, and `exact`. */
  wrongExact: boolean;
  /** The first answer is more than 500 km off. */
  far: boolean;
}

/** [m] */
const FAR = 500_000;

/** Hong Kong and Singapore are cities and countries of one name. */
const isCityState = ({ countryCode, city, state }: WireAddress, country: string | undefined) =>
  country !== undefined &&
  countryCode === country &&
  [city, state].some((name) => name !== undefined && keyOf(countryName(country)).startsWith(keyOf(name)));

/** 1727號 is number 1727. */
const digits = (number = "") => number.toLowerCase().replace(/[^\p{L}\p{N}]|[號号]$/gu, "");

export function judge(
  { at, km, number, country, orCountry, from, among = 1, is }: Question,
  answers: readonly WireAddress[],
): Outcome {
  const away = (one: Coordinate) => Math.min(...at.map((point) => distance(point, one)));
  const isCountry = (one: WireAddress, code = "") => one.layer === "country" && one.countryCode === code;
  const isRight = (one: WireAddress) =>
    is?.(one) ??
    ((isCountry(one, country ?? orCountry) ||
      (country === undefined && away(one) <= 1000 * km) ||
      isCityState(one, country)) &&
      (number === undefined || digits(one.number) === digits(number)));
  const [first] = answers;
  const right = answers.slice(0, among).some(isRight);
  const wrong = first !== undefined && !isRight(first);
  return {
    right,
    wrongExact: wrong && !right && first.confidence === "exact",
    // The country around an unknown town is coarse, not far.
    far: wrong && away(first) > FAR && first.countryCode !== country && !isCountry(first, from),
  };
}
