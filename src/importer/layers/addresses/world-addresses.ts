import { ringCentroid } from "../../../core/geo/shapes/polygon.ts";
import { importanceOfArea } from "../../../core/geocoding/entry/areas.ts";
import { ADDRESSES_VERSION, type Context, LANGUAGES, NO_CONTEXT } from "../../../core/geocoding/entry/entry.ts";
import { AIRPORTS_KEY, encodeAirportCities } from "../../../core/geocoding/index/airport-cities.ts";
import { COVERAGE_KEY, encodeCoverage } from "../../../core/geocoding/index/coverage.ts";
import type { Names } from "../../../core/geocoding/index/entry-record.ts";
import { HeadBuilder } from "../../../core/geocoding/index/pack-head.ts";
import { cityNames } from "../../../core/geocoding/parse/city-names.ts";
import { isSubdivisionCode } from "../../../core/geocoding/parse/subdivision-codes.ts";
import { countryName } from "../../../core/regions/region.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";
import type { Layer, LayerOutput } from "../../frame/layer.ts";
import { sortersIn } from "../../frame/spill.ts";
import { airportCities } from "../../world/airport-cities.ts";
import { BASE_SOURCES, baseShapes, releaseBaseShapes } from "../../world/base.ts";
import { type City, GEONAMES, urbanWeights, worldCities } from "../../world/cities.ts";
import {
  airportsWithService,
  type CityAliases,
  citiesInLanguages,
  cityAliases,
  districtsOfCities,
  firstLevelRegions,
  LIST_SOURCES,
  morePlaces,
  stateAliases,
  statesInLanguages,
  zipCodes,
} from "../../world/lists.ts";
import { localNameOf } from "../../world/local-scripts.ts";
import { townNames } from "../../world/map-names.ts";
import { localNames, namesInMoreLanguages, officialNames } from "../../world/official-names.ts";
import { peopleFinder } from "../../world/people.ts";
import { stateFinder } from "../../world/state-shapes.ts";
import { baseStateCountries } from "../../world/states.ts";
import { stateOfZip } from "../../world/zip-states.ts";
import { importanceOf } from "./records/settlements.ts";
import { WorldEntries } from "./world-entries.ts";
import { addIslands } from "./world-islands.ts";

/** Entries that are found without any import: countries, states of the US and Canada, US counties, cities. */
export const worldAddresses: Layer = {
  name: "addresses",
  formatVersion: ADDRESSES_VERSION,
  summary: "names of countries, states, counties and cities, for geocoding",
  reads: {},
  async build({ resources }, out, progress) {
    const head = new HeadBuilder(sortersIn(resources, 0.1));
    // What the names come from takes 150 MB, and is not held while the blocks are packed.
    const airports = addAll(new WorldEntries(head), out);
    for (const source of [...BASE_SOURCES, ...LIST_SOURCES, GEONAMES]) out.source(source);
    progress.expect(0, "objects");
    await out.write(AIRPORTS_KEY, airports);
    await out.write(COVERAGE_KEY, encodeCoverage(new Map()));
    for (const { key, bytes } of head.finish()) {
      await out.write(key, bytes);
      progress.advance();
    }
  },
};

/** @returns the cities of airports */
function addAll(entries: WorldEntries, out: LayerOutput): Uint8Array {
  const states = new Map<string, string>();
  // The states of other countries are in a list, with their names (addFirstLevel).
  const shapes = baseShapes().filter(({ kind, country }) => kind !== "state" || baseStateCountries.has(country));
  for (const { kind, country, code, name } of shapes) if (kind === "state") states.set(`${country}-${code}`, name);
  const seen = new Set<string>();
  for (const shape of [...shapes, TOKELAU]) {
    const key = `${shape.kind} ${shape.country} ${shape.code}`;
    if (seen.has(key)) continue;
    seen.add(key);
    addRegion(entries, shape, states);
    out.count(shape.kind);
  }
  const cities = worldCities();
  const peopleIn = peopleFinder(cities);
  addFirstLevel(entries, out, peopleIn);
  addIslands(entries, out, peopleIn);
  addAirports(entries, out);
  addZipCodes(entries, out, states);
  const inLanguages = citiesInLanguages();
  const aliases = cityAliases();
  const local = townNames();
  // Valencia in Spain has fewer people than the one in Venezuela, but a larger urban area.
  const weights = urbanWeights(cities);
  const contextOf = contextFinder(states);
  for (const [i, city] of cities.entries()) {
    const { id, name, country, latitude, longitude, rank } = city;
    const importance = importanceOf(weights[i] || UNKNOWN_PEOPLE) + (rank === "capital" ? 12 : rank === "seat" ? 4 : 0);
    const known = namesOfCity(name, cityNames(country, name), inLanguages.get(`${country} ${name}`) ?? []);
    const onMaps = local.of(`${id}`, country, name).name;
    const { names, aliases: others } = withLocalName(country, name, known, withLocal(onMaps, name, aliases.get(id)));
    const at = { latitude: rounded(latitude), longitude: rounded(longitude) };
    const entry = { name, context: contextOf(city), postalCode: "", ...at, importance, names };
    entries.entry({ kind: "locality", ...entry, aliases: others });
    out.count("city");
  }
  for (const place of morePlaces()) {
    const { name, latitude, longitude, people, aliases } = place;
    const entry = { name, context: contextOf(place), postalCode: "", latitude, longitude, names: [], aliases };
    entries.entry({ kind: "locality", ...entry, importance: importanceOf(people / PART_OF_CITY) });
    out.count("town or part of a city");
  }
  releaseBaseShapes();
  return encodeAirportCities(airportCities(airportsWithService(), cities));
}

/** A tenth of the cities have no number of people in the list, Ganzhou and Maoming among them: half of the others have more than this. */
const UNKNOWN_PEOPLE = 10_000;

/** The atlas does not draw it. */
const TOKELAU: RegionShape = {
  kind: "country",
  rank: "base",
  code: "TK",
  name: "",
  country: "TK",
  state: "",
  rings: [
    [
      [-172.53, -8.53],
      [-172.53, -9.44],
      [-171.18, -9.44],
      [-171.18, -8.53],
    ],
  ],
};

/** A settlement, and what its state is found by. */
type Settled = Pick<City, "country" | "state" | "latitude" | "longitude">;

/** Returns what finds the state and country of a place. */
function contextFinder(states: ReadonlyMap<string, string>): (place: Settled) => Context {
  const stateAt = stateFinder();
  const names = new Map(firstLevelRegions().map(({ country, code, name }) => [`${country}-${code}`, name]));
  return ({ country, state, latitude, longitude }) => {
    const area = state === "" ? stateAt(country, [longitude, latitude]) : undefined;
    const key = `${country}-${state}`;
    return {
      ...NO_CONTEXT,
      stateCode: area?.code ?? state,
      state: area?.name ?? states.get(key) ?? (state === "" ? "" : (names.get(key) ?? "")),
      countryCode: country,
    };
  };
}

/** A city is meant rather than a part of one with as many people. */
const PART_OF_CITY = 3;

/** The middle of a city is not known better than to 100 m, and blocks are packed. */
const rounded = (degrees: number) => Math.round(degrees * 1000) / 1000;

/** The first name of a language is the one that is shown, so what is no language's comes after the city's own. */
function namesOfCity(name: string, own: Names, more: Names): Names {
  if (more.length === 0) return own;
  const english: Names = own.some(([language]) => language === "en") ? [] : [["en", name]];
  const known = new Set([name, ...own.map(([, other]) => other)]);
  return [...own, ...english, ...more.filter(([, other]) => !known.has(other))];
}

/**
 * Names in languages that the API does not have only help to find the city, but for the one that addresses there have: a query for
 * Tbilisi finds those in თბილისი.
 */
function withLocalName(country: string, name: string, known: Names, aliases: CityAliases) {
  const first = known.findIndex(([language]) => language === "en");
  const own = cityNames(country, name);
  const isShown = (i: number) => known[i][0] !== "en" || i === first || own.some(([, other]) => other === known[i][1]);
  const shown = known.filter((_, i) => isShown(i));
  const hidden = known.filter((_, i) => !isShown(i)).map(([, other, kind]) => ["", other, kind] as const);
  const others: CityAliases = [...hidden, ...aliases];
  const local = localNameOf(country, others);
  if (!local || shown.some(([, other]) => other === local[1])) return { names: shown, aliases: others };
  const [language] = local;
  const isKnown = language !== "en" && shown.some(([one]) => one === language);
  const english: Names = shown.some(([one]) => one === "en") ? [] : [["en", name]];
  const more: Names = language === "en" || isKnown ? [["en", local[1], "local"]] : [local];
  return { names: [...shown, ...english, ...more], aliases: others };
}

/** The other names of a city with the one on its own maps as such: Praha, and also Halle of Halle (Saale). */
function withLocal(onMaps: string, name: string, aliases: CityAliases = []): CityAliases {
  const plain = name.replace(/ \(.+\)$/, "");
  const own: CityAliases = [
    ["", onMaps, "local"],
    ["", plain, "short"],
  ];
  const fresh = own.filter(([, one], i) => one !== name && own.findIndex(([, other]) => other === one) === i);
  const others = aliases.filter(([language, other]) => language !== "" || !fresh.some(([, one]) => one === other));
  return [...fresh, ...others];
}

/** A city in addresses, which do not always write the whole title of a metropolis. */
const CITY_ENDS: Record<string, string> = { CN: "市", JP: "市", KR: "시" };

/** The width of a province that the atlas does not draw. */
const DEFAULT_WIDTH_KM = 100;

const LOCAL_STATES: Record<string, string> = { "CN BJ": "北京市", "JP 13": "東京都", "KR 11": "서울특별시" };

function addFirstLevel(entries: WorldEntries, out: LayerOutput, peopleIn: ReturnType<typeof peopleFinder>): void {
  const inLanguages = statesInLanguages();
  const others = stateAliases();
  for (const { country, code, name, english, latitude, longitude, width } of firstLevelRegions()) {
    const context = { ...NO_CONTEXT, countryCode: country, stateCode: code };
    const own: Names = english === undefined ? [] : [["en", english]];
    const names = namesOfCity(name, own, (code !== "" && inLanguages.get(`${country} ${code}`)) || []);
    const widthKm = width ?? DEFAULT_WIDTH_KM;
    const importance = importanceOfArea(widthKm * 1000, peopleIn({ latitude, longitude }, widthKm, country));
    const written = isSubdivisionCode(code, country) ? [["", code, "code"] as const] : [];
    // "서울 강남구"
    const local = LOCAL_STATES[`${country} ${code}`]?.slice(0, 2);
    const short =
      local === undefined ? [] : [local, `${local}${CITY_ENDS[country]}`].map((one) => ["", one, "short"] as const);
    const aliases = [...(others.get(`${country} ${code}`) ?? []), ...short, ...written];
    entries.entry({ kind: "state", name, context, postalCode: "", latitude, longitude, importance, names, aliases });
    out.count("state");
  }
  const states = new Map(firstLevelRegions().map((one) => [`${one.country} ${one.code}`, one.english ?? one.name]));
  for (const { country, state, name, local, latitude, longitude } of districtsOfCities()) {
    const language = country === "JP" ? "ja" : country === "KR" ? "ko" : "zh";
    const context = {
      ...NO_CONTEXT,
      countryCode: country,
      stateCode: state,
      state: states.get(`${country} ${state}`) ?? "",
    };
    const names: Names = [
      ["en", name],
      [language, local],
    ];
    const importance = IMPORTANCE.district;
    const aliases = formsOfDistrict(country, name, local).map((form) => ["", form] as const);
    entries.entry({
      kind: "locality",
      name,
      context,
      postalCode: "",
      latitude,
      longitude,
      importance,
      names,
      aliases,
    });
    out.count("district");
  }
}

/** What people write for Shibuya, Gangnam-gu and Chaoyang, in letters and in their own script. */
function formsOfDistrict(country: string, name: string, local: string): string[] {
  const short = local.slice(0, -1);
  const own = [...short].length > 1 ? [short] : [];
  if (country === "KR") return [name.replace(/-gu$/, ""), ...own];
  return country === "JP" ? [`${name}-ku`, `${name} City`, ...own] : [`${name} District`, ...own];
}

/** Airports are found by name and by code: "LAX", "LAX Airport". */
function addAirports(entries: WorldEntries, out: LayerOutput): void {
  for (const { iata, country, size, name, latitude, longitude } of airportsWithService()) {
    const codes = [iata, `${iata} Airport`].map((text) => ["en", text, "code"] as const);
    const names: Names = [["en", name], ...codes];
    const context = { ...NO_CONTEXT, countryCode: country };
    const importance = IMPORTANCE.airport + 25 * size;
    entries.entry({ kind: "place", name, context, postalCode: "", latitude, longitude, importance, names });
    out.count("airport");
  }
}

/** ZIP codes are found without an import, as areas with a state. */
function addZipCodes(entries: WorldEntries, out: LayerOutput, states: ReadonlyMap<string, string>): void {
  for (const { code, latitude, longitude } of zipCodes()) {
    const stateCode = stateOfZip(code);
    if (stateCode === undefined) continue;
    const context = { ...NO_CONTEXT, countryCode: "US", stateCode, state: states.get(`US-${stateCode}`) ?? "" };
    const importance = IMPORTANCE.zipCode;
    entries.entry({
      kind: "postalCode",
      name: code,
      context,
      postalCode: code,
      latitude,
      longitude,
      importance,
      names: [],
    });
    out.count("ZIP codes");
  }
}

/** Other names of countries, besides those in the languages of the API. */
const COUNTRY_ALIASES: Record<string, readonly string[]> = {
  AE: ["UAE"],
  CZ: ["Česko", "Czech Republic"],
  DK: ["Danmark"],
  FI: ["Suomi"],
  GB: ["UK", "Great Britain"],
  GR: ["Ελλάδα"],
  HU: ["Magyarország"],
  IT: ["Italia"],
  KR: ["Korea"],
  NL: ["Nederland", "Holland"],
  NO: ["Norge"],
  PL: ["Polska"],
  RU: ["РФ"],
  SA: ["KSA"],
  SE: ["Sverige"],
  TH: ["ประเทศไทย"],
  TR: ["Turkey"],
  UA: ["Україна"],
  US: ["USA", "US", "America", "EEUU"],
};

/** Many a province is called after its seat, which is what people mean. */
const IMPORTANCE = {
  country: 255,
  state: 215,
  county: 120,
  district: 150,
  airport: 70,
  zipCode: 60,
} as const;

function addRegion(entries: WorldEntries, shape: RegionShape, states: ReadonlyMap<string, string>): void {
  const { kind, code, country, rings } = shape;
  if (kind !== "country" && kind !== "state" && kind !== "county") return;
  const largest = rings.reduce((best, ring) => (ring.length > best.length ? ring : best));
  const name = kind === "country" ? countryName(code) : shape.name;
  const context = {
    ...NO_CONTEXT,
    countryCode: country,
    ...(kind === "state" && { stateCode: code }),
    ...(kind === "county" && { stateCode: shape.state, state: states.get(`${country}-${shape.state}`) ?? "" }),
  };
  const inLanguages: Names =
    kind === "state"
      ? (statesInLanguages().get(`${country} ${code}`) ?? [])
      : kind === "country"
        ? LANGUAGES.map((language) => [language, countryName(code, language)] as const).filter(
            ([, other]) => other !== name,
          )
        : [];
  // Names without a language are stored as English, after the English name itself.
  const short = kind === "country" ? (COUNTRY_ALIASES[code] ?? []).map((one) => ["en", one, "short"] as const) : [];
  const official = kind === "country" ? officialNames(code).map((one) => ["en", one, "other"] as const) : [];
  const codes = kind !== "county" && code !== "" ? [["en", code, "code"] as const] : [];
  const more = [...short, ...official, ...codes];
  const names: Names = more.length === 0 ? inLanguages : [...inLanguages, ["en", name], ...more];
  entries.entry({
    kind,
    name,
    context,
    postalCode: "",
    ...ringCentroid(largest),
    importance: IMPORTANCE[kind],
    names,
    aliases:
      kind === "state"
        ? (stateAliases().get(`${country} ${code}`) ?? [])
        : kind === "country"
          ? [
              ...localNames(code).map((local) => ["", local, "local"] as const),
              ...namesInMoreLanguages(code).map((other) => ["", other] as const),
            ]
          : [],
  });
}
