import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { isStreetType } from "../../../src/core/geocoding/words/abbreviations.ts";
import { fold, tokensOf } from "../../../src/core/geocoding/words/normalise.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import { type City, worldCities } from "../../../src/importer/world/cities.ts";
import {
  citiesInLanguages,
  firstLevelRegions,
  natureForGeocoding,
  zipCodes,
} from "../../../src/importer/world/lists.ts";
import { usShapes } from "../../../src/importer/world/states.ts";
import { stateOfZip } from "../../../src/importer/world/zip-states.ts";
import { mistyped, randomFrom } from "../../core/geocoding/sample.ts";
import { countriesNamed, keyOf, withAreas, withStates } from "./namesakes.ts";
import type { Question } from "./question.ts";

/** Questions that need no import, from the lists of the world base: the same for the same seed. */

interface Lists {
  cities: readonly City[];
  /** Cities by folded name, the largest first. */
  byName: ReadonlyMap<string, readonly City[]>;
}

const STREETS: Readonly<Record<string, readonly string[]>> = {
  DE: ["Hauptstraße 50", "Lindenallee 7"],
  AT: ["Bahnhofstraße 12"],
  FR: ["12 rue de la Gare", "5 bis avenue Victor Hugo"],
  ES: ["Calle Mayor 5, 2º izq", "Av. de la Constitución 12"],
  MX: ["Calle 5 de Mayo 102", "Av. Juárez 245"],
  AR: ["San Martín 1234"],
  CO: ["Carrera 7 # 71-21", "Calle 26 # 68B-70"],
  BR: ["Rua das Flores, 123", "Av. Brasil, 1.500"],
  PT: ["Rua da Paz, 12"],
  IT: ["Via Roma, 50", "Corso Garibaldi 3"],
  NL: ["Kerkstraat 12"],
  PL: ["ul. Warszawska 5/7"],
  RU: ["ул. Ленина, д. 5"],
  UA: ["вул. Шевченка, 12"],
  TR: ["Atatürk Caddesi No:17 D:5"],
  SE: ["Storgatan 10"],
  IN: ["12 MG Road", "Plot 14, Sector 18"],
  VN: ["12 Nguyễn Huệ"],
  ID: ["Jl. Sudirman No. 52"],
};
const ENGLISH = ["50 Oxford Street", "221B Baker St", "1234 N Main St Apt 5", "Unit 3/100 Miller St"];

/** The most of each kind; the sum is some thousands. */
export function baseQuestions(seed: number, most = 400): Question[] {
  const cities = worldCities();
  const byName = new Map<string, City[]>();
  for (const city of cities) byName.set(fold(city.name), [...(byName.get(fold(city.name)) ?? []), city]);
  const lists = { cities, byName };
  const draw = randomFrom(seed);
  return [
    ...usCities(lists),
    ...plainCities(lists, draw, most),
    ...citiesAndCountries(lists, draw, most),
    ...exonyms(lists, draw, most),
    ...addresses(lists, draw, most),
    ...states(lists, draw, most),
    ...statesAlone(lists, draw, most),
    ...codes(draw, most),
  ];
}

const pick = <T>(list: readonly T[], draw: () => number): T => list[Math.floor(draw() * list.length)];

/** "City, ST" of the 2,400 largest. */
function usCities({ cities, byName }: Lists): Question[] {
  return cities
    .filter(({ country, state }) => country === "US" && state !== "")
    .slice(0, 2400)
    .map(({ name, state }) => ({
      set: "US city, state",
      query: `${name}, ${state}`,
      at: byName.get(fold(name))!.filter((one) => one.state === state && one.country === "US"),
      km: 30,
      from: "US",
    }));
}

/** Cities by names that the search reads alike, the largest first. */
function byKey(byName: Lists["byName"]): Lists["byName"] {
  let found = keys.get(byName);
  if (!found) {
    const all = [...byName.values()].flat().sort((a, b) => b.population - a.population);
    found = Map.groupBy(all, ({ name }) => keyOf(name));
    keys.set(byName, found);
  }
  return found;
}
const keys = new WeakMap<Lists["byName"], Lists["byName"]>();

/** Whether no namesake has a third of its people. */
const isFamous = ({ byName }: Lists, city: City) => {
  const [first, second] = byKey(byName).get(keyOf(city.name))!;
  return first === city && (second === undefined || second.population * 3 < city.population);
};

function plainCities(lists: Lists, draw: () => number, most: number): Question[] {
  const large = lists.cities.slice(0, 4 * most).filter((city) => isFamous(lists, city));
  return large
    .filter(() => draw() < 0.4)
    .flatMap((city) =>
      withAreas({ set: "city", query: city.name, at: [city], km: 40, from: city.country }, city.name, city),
    );
}

/** Ways to write a city and its country, or its state, that mean the same. */
const ORDERS: readonly [set: string, write: (city: string, area: string) => string][] = [
  ["city, country", (city, area) => `${city}, ${area}`],
  ["city country", (city, area) => `${city} ${area}`],
  ["country, city", (city, area) => `${area}, ${city}`],
  ["CITY, COUNTRY", (city, area) => `${city}, ${area}`.toUpperCase()],
  ["city, country without accents", (city, area) => `${city}, ${area}`.normalize("NFD").replace(/\p{M}/gu, "")],
];

function citiesAndCountries({ cities, byName }: Lists, draw: () => number, most: number): Question[] {
  const known = cities.filter(({ population }) => population > 30_000);
  const out: Question[] = [];
  for (let i = 0; i < 2 * most; i++) {
    const city = pick(known, draw);
    const [order, write] = ORDERS[i % ORDERS.length];
    const isCode = i % 7 === 6;
    const isMistyped = i % 7 === 5;
    const area = isCode ? city.country : countryName(city.country);
    const name = isMistyped ? mistyped(city.name, draw, { any: true }) : city.name;
    if (isMistyped && (name === city.name || byName.has(fold(name)) || [...city.name].length < 6)) continue;
    const at = byName.get(fold(city.name))!.filter(({ country }) => country === city.country);
    const set = isCode ? "city, country code" : isMistyped ? "city with a typo, country" : order;
    const query = isCode ? `${name}, ${area}` : write(name, area);
    out.push(withStates({ set, query, at, km: 30, from: city.country }, name, city.country));
  }
  return out;
}

/** Names in the languages of the API, with and without the country. */
function exonyms(lists: Lists, draw: () => number, most: number): Question[] {
  const names = citiesInLanguages();
  const known = lists.cities.filter((city) => city.population > 150_000 && names.has(`${city.country} ${city.name}`));
  const out: Question[] = [];
  for (let i = 0; i < most; i++) {
    const city = pick(known, draw);
    const [, name] = pick(names.get(`${city.country} ${city.name}`)!, draw);
    if (fold(name) === fold(city.name) || name.length < 3 || !isFamous(lists, city)) continue;
    const others = lists.byName.get(fold(name)) ?? [];
    if (others.some((one) => one.population * 3 > city.population)) continue;
    const at = [city, ...others.filter(({ country }) => country === city.country)];
    const query = i % 2 === 0 ? name : `${name}, ${countryName(city.country)}`;
    const question = { set: i % 2 === 0 ? "exonym" : "exonym, country", query, at, km: 40, from: city.country };
    out.push(...withAreas(question, name, city));
  }
  return out;
}

/** Streets of cities that nobody imported: the city is the answer. */
function addresses({ cities, byName }: Lists, draw: () => number, most: number): Question[] {
  const known = cities.filter(({ population }) => population > 20_000);
  const out: Question[] = [];
  while (out.length < 2 * most) {
    const city = pick(known, draw);
    if (tokensOf(city.name).every((word) => word.length < 4)) continue;
    const line = pick(STREETS[city.country] ?? ENGLISH, draw);
    const isAmerican = city.country === "US" || city.country === "CA";
    const area = isAmerican ? city.state : countryName(city.country);
    const isSmall = byKey(byName).get(keyOf(city.name))!.length > 1;
    const named = isSmall || out.length % 3 > 0;
    const comma = out.length % 2 === 0 ? "," : "";
    const set = `address not imported${comma ? "" : " without commas"}`;
    const query = `${comma ? line : line.replaceAll(",", "")}${comma} ${city.name}${named ? `${comma} ${area}` : ""}`;
    const inCountry = byName.get(fold(city.name))!.filter((one) => one.country === city.country);
    const at = isAmerican ? inCountry.filter(({ state }) => state === city.state) : inCountry;
    out.push({ set, query, at, km: 40, from: city.country });
  }
  return out;
}

/**
 * Cities with a country, or a state of the US, that they are not in, with and without a street: the named area is right, `from` its country; a city
 * there would have to be called like another one.
 */
export function contradictedQuestions(seed: number, most: number): Question[] {
  const draw = randomFrom(seed);
  const cities = worldCities();
  const known = cities.filter(({ population }) => population > 60_000);
  const large = [...new Set(known.slice(0, 2000).map(({ country }) => country))];
  const states = usShapes().filter(({ kind, country }) => kind === "state" && country === "US");
  const placesIn = (country: string, state = "") =>
    cities.filter((one) => one.country === country && (state === "" || one.state === state));
  const out: Question[] = [];
  while (out.length < most) {
    const city = pick(known, draw);
    const state = draw() < 0.3 ? pick(states, draw) : undefined;
    const country = state ? "US" : pick(large, draw);
    const words = tokensOf(city.name).filter((word) => word.length > 2);
    const isThere = placesIn(country, state?.code).some(({ name }) =>
      tokensOf(name).some((word) => words.includes(word)),
    );
    if (city.country === country || words.length === 0 || isThere) continue;
    const line = pick([...(STREETS[city.country] ?? ENGLISH), ""], draw);
    const area = state ? (draw() < 0.5 ? state.code : state.name) : countryName(country);
    const query = [line, city.name, area].filter((part) => part !== "").join(", ");
    out.push({ set: state?.code ?? "", query, at: [], km: 0, from: country });
  }
  return out;
}

/** A town of this name in the country is right, too. */
function states({ byName }: Lists, draw: () => number, most: number): Question[] {
  const regions = firstLevelRegions().filter(({ name }) => !tokensOf(name).every((word) => isStreetType(word)));
  const out: Question[] = [];
  for (let i = 0; i < most / 2; i++) {
    const { country, name, latitude, longitude, width } = pick(regions, draw);
    const query = `${name}, ${countryName(country)}`;
    const towns = (byKey(byName).get(keyOf(name)) ?? []).filter((one) => one.country === country);
    const at = [{ latitude, longitude }, ...towns];
    out.push({ set: "state, country", query, at, km: 60 + (width ?? 100), from: country });
  }
  return out;
}

/** States whose name is no city's that more people think of; a town of this name in the state is right, too. */
function statesAlone({ byName }: Lists, draw: () => number, most: number): Question[] {
  const regions = firstLevelRegions();
  const names = Map.groupBy(regions, ({ name }) => keyOf(name));
  const large = new Set([...usShapes(), ...natureForGeocoding()].map(({ name }) => keyOf(name)));
  const known = regions.filter(({ name, width = 0 }) => {
    // Florida is rather in the US than in Uruguay, Flores an island, and Mali a country.
    if (large.has(keyOf(name)) || countriesNamed(name).size > 0) return false;
    const isCity = (byKey(byName).get(keyOf(name)) ?? []).some(({ population }) => population > MAX_NAMESAKE);
    return (
      width > 60 &&
      !isCity &&
      names.get(keyOf(name))!.length === 1 &&
      !tokensOf(name).every((word) => isStreetType(word))
    );
  });
  return Array.from({ length: most / 2 }, () => {
    const { country, name, latitude, longitude, width = 0 } = pick(known, draw);
    const towns = (byKey(byName).get(keyOf(name)) ?? []).filter((one) => one.country === country);
    return { set: "state", query: name, at: [{ latitude, longitude }, ...towns], km: 60 + width, from: country };
  });
}

/** People of a city that a state of its name is as well known as. */
const MAX_NAMESAKE = 50_000;

function codes(draw: () => number, most: number): Question[] {
  const zips = zipCodes();
  const states = new Map(
    usShapes().flatMap(({ kind, code, name }) => (kind === "state" ? [[code, name] as const] : [])),
  );
  const out: Question[] = [];
  const FORMS: readonly ((code: string, state: string) => string)[] = [
    (code) => code,
    (code) => `${code}-1234`,
    (code) => `${code}, USA`,
    (code, state) => `${state} ${code}`,
    (code, state) => `${code}, ${state}`,
    (code, state) => `${states.get(state)} ${code}`,
  ];
  for (let i = 0; i < most; i++) {
    const { code, latitude, longitude } = pick(zips, draw);
    const state = stateOfZip(code);
    if (state === undefined) continue;
    const at: Coordinate[] = [{ latitude, longitude }];
    out.push({ set: "ZIP code", query: FORMS[i % FORMS.length](code, state), at, km: 30, from: "US" });
  }
  return out.filter(({ at: [point] }) => distance(point, { latitude: 0, longitude: 0 }) > 1000);
}
