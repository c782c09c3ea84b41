import { ringCentroid } from "../../geo/polygon.ts";
import { cityNames } from "../../geocoding/city-names.ts";
import { AddressCollector } from "../../geocoding/collector.ts";
import { COVERAGE_KEY, coverageOf, encodeCoverage } from "../../geocoding/coverage.ts";
import { ADDRESSES_VERSION, LANGUAGES, NO_CONTEXT } from "../../geocoding/entry.ts";
import { packHead } from "../../geocoding/pack-head.ts";
import { countryName } from "../../regions/region.ts";
import type { RegionShape } from "../../regions/region-shape.ts";
import type { Layer } from "../layer.ts";
import { BASE_SOURCES, baseShapes } from "../world/base.ts";
import { GEONAMES, worldCities } from "../world/cities.ts";
import { importanceOf } from "./settlements.ts";

/** What can be found without any import: countries, states of the US and Canada, US counties, cities. */
export const worldAddresses: Layer = {
  name: "addresses",
  formatVersion: ADDRESSES_VERSION,
  summary: "names of countries, states, counties and cities, for geocoding",
  reads: {},
  async build(_input, out, progress) {
    const collector = new AddressCollector();
    const states = new Map<string, string>();
    const shapes = baseShapes();
    for (const { kind, country, code, name } of shapes) if (kind === "state") states.set(`${country}-${code}`, name);
    const seen = new Set<string>();
    for (const shape of shapes) {
      const key = `${shape.kind} ${shape.country} ${shape.code}`;
      if (seen.has(key)) continue;
      seen.add(key);
      addRegion(collector, shape, states);
      out.count(shape.kind);
    }
    for (const { name, country, state, latitude, longitude, population, rank } of worldCities()) {
      const context = {
        ...NO_CONTEXT,
        stateCode: state,
        state: states.get(`${country}-${state}`) ?? "",
        countryCode: country,
      };
      const importance = importanceOf(population) + (rank === "capital" ? 12 : rank === "seat" ? 4 : 0);
      const names = cityNames(country, name);
      collector.entry({ kind: "locality", name, context, postalCode: "", latitude, longitude, importance, names });
      out.count("city");
    }
    for (const source of [...BASE_SOURCES, GEONAMES]) out.source(source);
    progress.expect(0, "objects");
    await out.write(COVERAGE_KEY, encodeCoverage(coverageOf(collector)));
    for (const { key, bytes } of packHead(collector.entries)) {
      await out.write(key, bytes);
      progress.advance();
    }
  },
};

/** What countries are also called, beside their names in the languages of the API. */
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
  SE: ["Sverige"],
  TR: ["Turkey"],
  UA: ["Україна"],
  US: ["USA", "US", "America"],
};

const IMPORTANCE = { country: 255, state: 215, county: 120 } as const;

function addRegion(collector: AddressCollector, shape: RegionShape, states: ReadonlyMap<string, string>): void {
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
  const inLanguages =
    kind === "country"
      ? LANGUAGES.map((language) => [language, countryName(code, language)] as const).filter(
          ([, other]) => other !== name,
        )
      : [];
  // What is no language's is kept as English, behind the English name itself.
  const aliases = kind === "country" ? (COUNTRY_ALIASES[code] ?? []) : kind === "state" && code !== "" ? [code] : [];
  const names =
    aliases.length === 0 ? inLanguages : [...inLanguages, ...[name, ...aliases].map((one) => ["en", one] as const)];
  collector.entry({
    kind,
    name,
    context,
    postalCode: "",
    ...ringCentroid(largest),
    importance: IMPORTANCE[kind],
    names,
  });
}
