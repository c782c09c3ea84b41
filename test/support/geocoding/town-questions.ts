import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { houseNumberKey } from "../../../src/core/geocoding/words/house-number.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { mistyped, randomFrom, type SampledHouse, sampleHouses } from "../../core/geocoding/sample.ts";
import { EXTRACTS } from "../../core/regions/extract-harness.ts";
import type { Question } from "./question.ts";

/** Extracts whose houses are asked for. */
export const TOWNS = [
  "geocoding/santa-maria-br",
  "geocoding/istanbul-kadikoy-tr",
  "geocoding/cairo-nasr-city-eg",
  "geocoding/karachi-pk",
  "geocoding/ho-chi-minh-city-vn",
  "geocoding/taichung-tw",
  "geocoding/tokyo-shibuya-jp",
  "queens-village-ny",
  "vancouver",
  "heidelberg",
  "monaco",
  "malta",
  "baltimore",
].map((name) => join(EXTRACTS, `${name}.osm.pbf`));

/** Countries that write the number first; in others it follows the street. */
const NUMBER_FIRST = new Set("US CA GB IE AU NZ FR MC MT PK IN VN".split(" "));

const line = ({ number, street, countryCode }: SampledHouse) =>
  NUMBER_FIRST.has(countryCode) ? `${number} ${street}` : `${street} ${number}`;

/** Ways to write a whole house. */
const FORMS: readonly [set: string, write: (house: SampledHouse, town: string) => string][] = [
  ["address", (house, town) => `${line(house)}, ${town}`],
  ["address, country", (house, town) => `${line(house)}, ${town}, ${countryName(house.countryCode)}`],
  ["address without commas", (house, town) => `${line(house)} ${town}`.replaceAll(",", "")],
  ["town first", (house, town) => `${town}, ${line(house)}`],
  ["other order", (house, town) => `${house.street}, ${house.number}, ${town}`],
  ["ADDRESS", (house, town) => `${line(house)}, ${town}`.toUpperCase()],
  ["postal code", (house, town) => `${line(house)}, ${house.postalCode} ${town}`],
];

const addressOf = ({ street, number, city }: SampledHouse) => `${houseNumberKey(number)}\n${street}\n${city}`;

/** Some houses of a town, in all forms, with a typo and cut. */
export async function townQuestions(
  path: string,
  index: AddressIndex,
  most: number,
  seed: number,
): Promise<Question[]> {
  const from = basename(path, ".osm.pbf");
  const draw = randomFrom(seed);
  const all = await sampleHouses(index, Infinity, seed);
  const houses = all.slice(0, most).filter(({ city }) => city !== "");
  const byAddress = Map.groupBy(all, addressOf);
  const around = ({ at }: SampledHouse): Coordinate => destination(at, draw() * 360, draw() * 5000);
  return houses.flatMap((house, i): Question[] => {
    const { number, city, stateCode, countryCode } = house;
    const town = stateCode !== "" && ["US", "CA", "BR"].includes(countryCode) ? `${city}, ${stateCode}` : city;
    // All buildings of a university have one number.
    const own = { at: byAddress.get(addressOf(house))!.map((one) => one.at), km: 0.15, number, from };
    const [form, write] = FORMS[i % FORMS.length];
    const street = mistyped(house.street, draw);
    const out: Question[] = [{ set: `town: ${form}`, query: write(house, town), ...own }];
    if (street !== house.street)
      out.push({ set: "town: typo", query: FORMS[0][1]({ ...house, street }, town), among: 5, ...own });
    const cut = FORMS[0][1](house, town).slice(0, -4);
    out.push({ set: "town: cut", query: cut, near: around(house), open: true, among: 10, ...own });
    return out;
  });
}

interface WrittenForm {
  country: string;
  lat: number;
  lon: number;
  street: string | null;
  number: string;
  city: string;
  postcode: string | null;
  queries: string[];
}

const readForms = (): WrittenForm[] =>
  JSON.parse(readFileSync(join(EXTRACTS, "geocoding/written-forms.json"), "utf8")) as WrittenForm[];

/** The houses of the written forms as nodes. */
export const formHouses = (): OsmElement[] =>
  readForms().map(({ lat, lon, street, number, city, postcode, country, queries }, i) => ({
    type: "node",
    id: 1 + i,
    latitude: lat,
    longitude: lon,
    tags: {
      "addr:housenumber": number,
      ...(street === null ? { "addr:place": queries[0].replace(/[ ,]+\d.*$/, "") } : { "addr:street": street }),
      "addr:city": city,
      "addr:country": country,
      ...(postcode !== null && { "addr:postcode": postcode }),
    },
  }));

export function formQuestions(): Question[] {
  return readForms().flatMap(({ country, lat, lon, number, queries }) =>
    queries.map((query) => {
      const isCode = /^[\d\p{L} -]{5,9}$/u.test(query) && !/\p{L}{3}/u.test(query) && !/\s\d+\p{L}?$/u.test(query);
      return {
        set: "written form",
        query,
        at: [{ latitude: lat, longitude: lon }],
        km: isCode ? 5 : 0.15,
        ...(!isCode && { number }),
        from: country,
      };
    }),
  );
}

/** The questions that are given, without an import. */
export function givenQuestions(): Question[] {
  const given = JSON.parse(readFileSync(join(EXTRACTS, "geocoding/world-queries.json"), "utf8")) as {
    set: string;
    query: string;
    lat: number;
    lon: number;
    km: number;
    layers?: string;
  }[];
  return given.map(({ set, query, lat, lon, km, layers }) => ({
    set: `given: ${set}`,
    query,
    ...(layers && { layers }),
    at: [{ latitude: lat, longitude: lon }],
    km,
    from: "given",
  }));
}
