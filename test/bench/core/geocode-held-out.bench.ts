import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { distance } from "../../../src/core/geo/distance.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import type { Found } from "../../../src/core/geocoding/search/found.ts";
import { LAYERS, type SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { houseNumberKey } from "../../../src/core/geocoding/words/house-number.ts";
import { isSameStreet } from "../../../src/core/geocoding/words/same-street.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";
import {
  type Asked,
  everyEntry,
  houseAsked,
  junctionsOf,
  MISTAKES,
  mistake,
  placeAsked,
  type Sampled,
} from "../../core/geocoding/asked.ts";
import { around, full, line } from "../../core/geocoding/cases.ts";
import { buildAddresses, worldBase } from "../../core/geocoding/index/demo-index.ts";
import { COUNTRY_FORMS, formsOf, hasStreet, written } from "../../core/geocoding/parse/country-forms.ts";
import { randomFrom, type SampledHouse, sampleHouses } from "../../core/geocoding/sample.ts";
import { EXTRACTS } from "../../core/regions/extract-harness.ts";
import type { Report } from "../bench.ts";

export const name = "geocode-held-out";
export const summary =
  "Geocoding in towns that no test uses: complete, with a typo, cut off, corners, places, written forms, city names.";

/** The goals: share of texts with the right result among the first ones [%]. */
const GOALS = { complete: 99, typo: 97, truncated: 97, corners: 97, places: 92, forms: 95, "city names": 95 } as const;
type Class = keyof typeof GOALS;
/** The number of results among which the right one counts, as in `npm run bench -- geocode`. */
const AMONG: Record<Class, number> = {
  complete: 1,
  typo: 5,
  truncated: 10,
  corners: 1,
  places: 1,
  forms: 1,
  "city names": 1,
};

const HOUSES = 150;
const DEFAULT_SEED = 20261126;
const ALL: SearchOptions = { layers: new Set(LAYERS), limit: 10, language: "en", open: false };
/** Forward geocoding by default has no places. */
const DEFAULT: SearchOptions = { ...ALL, layers: new Set(LAYERS.filter((layer) => layer !== "place")) };
/** A first result farther than this from the house is in another part of the world [m]. */
const FAR = 500_000;

interface Question extends Asked {
  house?: SampledHouse;
}

interface Sum {
  asked: number;
  hits: number;
  wrong: number;
  far: number;
}

/**
 * Words: a folder with extracts, or an extract or OpenAddresses file (default: `small` and `milan-small` of the data);
 * `show` for misses, `only=CLASS`, `without=CITY` for the villages around a city, and `seed=N` for another selection.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const show = words.includes("show");
  const only = words.find((word) => word.startsWith("only="))?.slice(5);
  const without = words.find((word) => word.startsWith("without="))?.slice(8);
  const seed = Number(words.find((word) => word.startsWith("seed="))?.slice(5) ?? DEFAULT_SEED);
  const world = await worldBase();
  const totals = new Map<Class, Sum>();
  for (const path of extractsIn(words)) {
    const { index } = await buildFrom(path);
    const town = path.replace(/^.*\//, "").replace(".osm.pbf", "");
    const houses = (await sampleHouses(index, HOUSES * 4, seed))
      .filter(({ city, number, street }) => city !== "" && city !== without && /^\d/.test(number) && street !== "")
      .slice(0, HOUSES);
    const asked = await questionsOf(index, world.index, houses, seed);
    for (const label of Object.keys(GOALS) as Class[]) {
      if (only !== undefined && only !== label) continue;
      const sum: Sum = { asked: 0, hits: 0, wrong: 0, far: 0 };
      for (const one of asked[label]) await ask(one, label, [index, world.index], sum, show && `${town} ${label}`);
      if (sum.asked === 0) continue;
      report({ case: town, metric: `${label}, ${sum.asked}`, value: (100 * sum.hits) / sum.asked, unit: "%" });
      const total = totals.get(label) ?? { asked: 0, hits: 0, wrong: 0, far: 0 };
      totals.set(label, {
        asked: total.asked + sum.asked,
        hits: total.hits + sum.hits,
        wrong: total.wrong + sum.wrong,
        far: total.far + sum.far,
      });
    }
  }
  for (const [label, { asked, hits }] of totals)
    report({
      case: "all",
      metric: `${label}, ${asked}`,
      value: (100 * hits) / asked,
      unit: "%",
      baseline: GOALS[label],
    });
  const sums = [...totals.values()];
  const sum = (key: keyof Sum) => sums.reduce((all, one) => all + one[key], 0);
  report({ case: "all", metric: `wrong and exact, of ${sum("asked")}`, value: sum("wrong"), unit: "", baseline: 0 });
  report({ case: "all", metric: "farther than 500 km", value: sum("far"), unit: "", baseline: 0 });
}

/** An extract, or an OpenAddresses file, which is unpacked first. */
async function buildFrom(path: string) {
  if (!path.endsWith(".zip")) return buildAddresses([path]);
  const cache = await mkdtemp(join(tmpdir(), "graticule-held-out-"));
  try {
    const { addresses } = await findSources([path], { cache, reporter: silent });
    return await buildAddresses([], addresses);
  } finally {
    await rm(cache, { recursive: true });
  }
}

function extractsIn(words: readonly string[]): string[] {
  const folder = words.find((word) => existsSync(word));
  const all = (path: string) =>
    readdirSync(path)
      .filter((file) => file.endsWith(".osm.pbf"))
      .sort()
      .map((file) => join(path, file));
  if (folder !== undefined) return /\.(?:osm\.pbf|zip)$/.test(folder) ? [folder] : all(folder);
  return [...all(join(EXTRACTS, "small")), join(EXTRACTS, "milan-small.osm.pbf")].filter((path) => existsSync(path));
}

async function questionsOf(
  index: AddressIndex,
  world: AddressIndex,
  houses: readonly SampledHouse[],
  seed: number,
): Promise<Record<Class, Question[]>> {
  const draw = randomFrom(seed);
  const entries = await everyEntry(index);
  const kinds = Object.values(MISTAKES);
  const shuffle = <T>(list: readonly T[]) =>
    list
      .map((one) => [draw(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  // The name of a street or a town means it, and not its stop (ranking.test.ts).
  const others = new Set(entries.filter(({ kind }) => kind !== "place").map(({ key }) => key));
  const isPlace = ({ kind, name: own, key }: Sampled) => kind === "place" && own.length > 3 && !others.has(key);
  const places = shuffle(entries.filter(isPlace)).slice(0, HOUSES);
  const names = await otherNames(world, houses);
  return {
    complete: houses.map((house) => ({ ...houseAsked(house, full(house)), house })),
    typo: houses.flatMap((house) => {
      const made = mistake(house.street, kinds[Math.floor(draw() * kinds.length)], draw);
      return made ? [{ ...houseAsked(house, full({ ...house, street: made.text })), house }] : [];
    }),
    truncated: houses.map((house) => {
      const text = full(house).slice(0, -4);
      const is = (found: Found) =>
        houseAsked(house, text).is(found) ||
        (found.number === house.number &&
          isSameStreet(found.name, house.street) &&
          distance(found.location, house.at) < 5000);
      return { text, near: around(house, draw), open: true, is, house };
    }),
    corners: await junctionsOf(index, HOUSES, seed),
    places: places.map((one) => placeAsked(one, one.name, { near: around({ at: one.at } as SampledHouse, draw) })),
    forms: houses.flatMap((house) => formsAsked(house, draw)),
    "city names": houses.flatMap((house) =>
      (names.get(house.city) ?? []).map((city) => ({ ...houseAsked(house, full({ ...house, city })), house })),
    ),
  };
}

/** A house in three of the written forms of its country. */
function formsAsked(house: SampledHouse, draw: () => number): Question[] {
  const forms = formsOf(COUNTRY_FORMS[house.countryCode]?.units ?? "");
  if (forms[0] === "") return [];
  return [0, 1, 2].map(() => {
    const form = forms[Math.floor(draw() * forms.length)];
    const text = written(form, house.number, house.street);
    const whole = hasStreet(form) ? full(house).replace(line(house), () => text) : full({ ...house, number: text });
    return { ...houseAsked(house, whole), house };
  });
}

/** Up to two other names of each city in the world base data. */
async function otherNames(world: AddressIndex, houses: readonly SampledHouse[]): Promise<Map<string, string[]>> {
  const out = new Map<string, string[]>();
  for (const { city, countryCode, at } of houses) {
    if (out.has(city)) continue;
    const found = await searchInTurns([[world]], `${city}, ${countryCode}`, { ...DEFAULT, near: at, limit: 1 });
    const [first] = found;
    const others =
      first?.kind === "locality" && distance(first.location, at) < 60_000 ? await namesOfTown(world, first) : [];
    out.set(city, others.filter((other) => other !== city).slice(0, 2));
  }
  return out;
}

async function namesOfTown(world: AddressIndex, town: Found): Promise<string[]> {
  const head = await world.head(town.name.toLowerCase());
  if (!head) return [];
  for (let entry = 0; entry < head.names.count; entry++)
    if (head.names.name(entry) === town.name && head.names.context(entry).countryCode === town.context.countryCode)
      return head.names.otherNames(entry).filter((other) => /^\p{Script=Latin}[\p{L} '-]{3,}$/u.test(other));
  return [];
}

async function ask(one: Question, label: Class, indexes: readonly AddressIndex[], sum: Sum, show: string | false) {
  const options = label === "places" ? ALL : DEFAULT;
  const found = await searchInTurns([indexes], one.text, { ...options, near: one.near, open: one.open ?? false });
  sum.asked++;
  const isHit = found.slice(0, AMONG[label]).some(one.is);
  if (isHit) sum.hits++;
  const { house } = one;
  const isWrong = house !== undefined && found.some((other) => !one.is(other) && isWrongHouse(other, house));
  const isFar = house !== undefined && found[0] !== undefined && distance(found[0].location, house.at) > FAR;
  if (isWrong) sum.wrong++;
  if (isFar) sum.far++;
  if (!show || (isHit && !isWrong && !isFar)) return;
  const results = found
    .slice(0, 3)
    .map((other) => `${other.number ?? ""} ${other.name} (${other.context.city}) ${other.confidence}`);
  console.log(show, isWrong ? "WRONG" : "", isFar ? "FAR" : "", "|", one.text, "→", results.join("; "));
}

const isWrongHouse = ({ confidence, number, name: street }: Found, house: SampledHouse): boolean =>
  confidence === "exact" &&
  number !== undefined &&
  (houseNumberKey(number) !== houseNumberKey(house.number) || !isSameStreet(street, house.street));
