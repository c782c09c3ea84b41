import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { LANGUAGES } from "../../../src/core/geocoding/entry/entry.ts";
import { tokensOf } from "../../../src/core/geocoding/words/normalise.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import { baseShapes } from "../../../src/importer/world/base.ts";
import { firstLevelRegions } from "../../../src/importer/world/lists.ts";
import type { Question } from "./question.ts";

/** A state that a text may mean as well as a city of its name. */
interface State extends Coordinate {
  country: string;
  /** [km] */
  width: number;
}

/** The same for names that the search reads alike: St. Petersburg and Saint Petersburg, Georgetown and George Town. */
export function keyOf(name: string): string {
  let key = keys.get(name);
  if (key === undefined) {
    key = tokensOf(name)
      .map((word) => (word === "st" ? "saint" : word))
      .join("");
    keys.set(name, key);
  }
  return key;
}
const keys = new Map<string, string>();

let states: Map<string, State[]> | undefined;
let countries: Map<string, Set<string>> | undefined;

function middleOf(corners: readonly (readonly number[])[]): Coordinate & { width: number } {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [west, south, east, north] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
  return { ...middle, width: distance(middle, { latitude: north, longitude: east }) / 1000 };
}

export function statesNamed(name: string): readonly State[] {
  states ??= Map.groupBy(
    [
      ...firstLevelRegions().map(({ name, width = 100, ...one }) => ({ ...one, width, key: keyOf(name) })),
      ...baseShapes()
        .filter(({ kind }) => kind === "state")
        .map(({ name, country, rings }) => ({ ...middleOf(rings.flat()), country, key: keyOf(name) })),
    ],
    ({ key }) => key,
  );
  return states.get(keyOf(name)) ?? [];
}

/** The countries that are called so in any language of the API. */
export function countriesNamed(name: string): ReadonlySet<string> {
  if (!countries) {
    countries = new Map();
    for (const language of [...LANGUAGES, ...OTHERS])
      for (const code of CODES) {
        const key = keyOf(countryName(code, language));
        countries.set(key, (countries.get(key) ?? new Set()).add(code));
      }
  }
  return countries.get(keyOf(name)) ?? new Set();
}

const OTHERS =
  "af az be bg bn bs ca cs da el et fa fi gu he hr hu hy is ka kk km kn ky lo lt lv mk ml mn mr ms my ne no pa ro si sk sl sq sr sv sw ta te th uk ur uz".split(
    " ",
  );
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const CODES = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => countryName(code, "en") !== code);

/**
 * The question as a text of this name asks it: a country or a state around the city that is called so is right, too. None if the text names a
 * country or a state elsewhere: Jamaica is in Queens, and no state of the US is less known than a city of its name.
 */
export function withAreas(question: Question, name: string, city: Coordinate & { country: string }): Question[] {
  const named = countriesNamed(name);
  const around = statesNamed(name);
  const isIn = (state: State) => state.country === city.country && distance(state, city) <= 1000 * state.width;
  if ([...named].some((code) => code !== city.country) || !around.every(isIn)) return [];
  const country = named.size > 0 ? { orCountry: city.country } : {};
  return [{ ...question, at: [...question.at, ...around], ...country }];
}

/** The same of a text that also names the country: its states of the name are right. */
export function withStates(question: Question, name: string, country: string): Question {
  const states = statesNamed(name).filter((state) => state.country === country);
  const wide = Math.max(0, ...states.map(({ width }) => width));
  return states.length === 0
    ? question
    : { ...question, at: [...question.at, ...states], km: Math.max(question.km, wide) };
}
