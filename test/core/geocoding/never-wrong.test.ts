import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../src/core/geo/distance.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { houseNumberKey } from "../../../src/core/geocoding/words/house-number.ts";
import { isSameStreet } from "../../../src/core/geocoding/words/same-street.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { full, line } from "./cases.ts";
import { buildAddresses, demoAddresses, FORWARD } from "./index/demo-index.ts";
import { COUNTRY_FORMS, formsOf, hasStreet, written } from "./parse/country-forms.ts";
import { type SampledHouse, sampleHouses } from "./sample.ts";

/** What people write around or instead of a house number; each may be the house, but no other one. */
const FORMS: readonly [what: string, write: (house: SampledHouse) => string][] = [
  ["complete", (house) => full(house)],
  ["without commas", (house) => full(house).replaceAll(",", "")],
  ["an apartment after a dash", (house) => behind(house, " - apto 4")],
  ["an apartment after a comma", (house) => behind(house, ", Apt 4B")],
  ["a floor and a door", (house) => behind(house, ", 3. tv")],
  ["a floor in Spanish", (house) => behind(house, ", 2º izq")],
  ["a Russian apartment", (house) => behind(house, ", кв. 5")],
  ["a Russian building", (house) => behind(house, " к7")],
  ["a Russian building written out", (house) => behind(house, ", корп. 2")],
  ["a Russian structure", (house) => behind(house, " стр. 1")],
  ["a back building", (house) => behind(house, " - Hinterhaus")],
  ["a range", (house) => full({ ...house, number: `${house.number}-${Number.parseInt(house.number, 10) + 4}` })],
  ["a letter", (house) => full({ ...house, number: `${house.number}Z` })],
  ["a fraction", (house) => full({ ...house, number: `${house.number} 1/2` })],
  ["a unit before the city", (house) => withCity(house, " - apto 4, ")],
  ["a missing number and a unit", (house) => withCity({ ...house, number: `${house.number}777` }, " - apto 4, ")],
  ["one digit more", (house) => full({ ...house, number: house.number.replace(/^\d+/, "$&7") })],
  ["a unit before it", (house) => `Unit 12, ${full(house)}`],
  ["a building before it", (house) => `Bldg 3, ${full(house)}`],
  ["another postal code", (house) => full({ ...house, postalCode: "99999" })],
  ["another street", (house) => full({ ...house, street: `${house.street} Extension` })],
  [
    "another kind of street",
    (house) => full({ ...house, street: house.street.replace(/(Street|Avenue|straße)$/, "Way") }),
  ],
  ["no city", (house) => line(house)],
];

/** "Rua Formosa, 332 - apto 4, Porto" */
const withCity = ({ street, number, city }: SampledHouse, unit: string) => `${street}, ${number}${unit}${city}`;

const behind = (house: SampledHouse, more: string) => full(house).replace(line(house), `${line(house)}${more}`);

/** The units of every country, written after or before this house's number. */
const UNITS = [...new Set(Object.values(COUNTRY_FORMS).flatMap(({ units }) => formsOf(units)))]
  // A number in two parts may be another house of the data.
  .filter((form) => !/N[-/]\d|\dN|\d\/N/.test(form));

function withUnit(house: SampledHouse, form: string): string {
  const text = written(form, house.number, house.street);
  return hasStreet(form) ? full(house).replace(line(house), () => text) : full({ ...house, number: text });
}

/** Two units for each house, in turn. */
function* writtenForms(house: SampledHouse, at: number): Generator<readonly [what: string, text: string]> {
  for (const [what, write] of FORMS) yield [what, write(house)];
  for (const step of [0, 1]) {
    const form = UNITS[(2 * at + step) % UNITS.length];
    yield [form, withUnit(house, form)];
  }
}

/** A house of this number that is so near is that of the street in another language [m]. */
const SAME_STREET = 20;

/** Texts that returned another house as exact. */
async function wrongAnswers(index: AddressIndex, houses: readonly SampledHouse[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [at, house] of houses.entries()) {
    for (const [what, text] of writtenForms(house, at)) {
      for (const one of await searchInTurns([[index]], text, FORWARD)) {
        if (one.confidence !== "exact" || one.layer !== "address") continue;
        if (one.number === undefined) {
          wrong.push(`${what}: ${text} → ${one.name}, ${one.context.city}, without its number`);
          continue;
        }
        const number = houseNumberKey(one.number);
        // "12Z" may be a house of the data, and "217-14" may be written 21714.
        const asked = houseNumberKey(text).includes(number) || houseNumberKey(text).includes(number.replace("-", ""));
        const own = number === houseNumberKey(house.number) && !CHANGED.has(what);
        if (
          (!own && !(asked && CHANGED.has(what) && number !== houseNumberKey(house.number))) ||
          // A street may be called by its English name: "Bastion Street" for Triq is-Sur.
          !(isSameStreet(one.name, house.street) || distance(one.location, house.at) < SAME_STREET)
        )
          wrong.push(`${what}: ${text} → ${one.number} ${one.name}, ${one.context.city}`);
      }
    }
  }
  return wrong;
}

/** Forms that name another house than the sampled one. */
const CHANGED = new Set([
  "a Russian building",
  "a Russian building written out",
  "a Russian structure",
  "a range",
  "a letter",
  "a missing number and a unit",
  "a fraction",
  "one digit more",
]);

/** A sample; EVERY_EXTRACT=1 takes every house of the demo world, and 400 of each extract. */
const EVERY = process.env.EVERY_EXTRACT !== undefined;

const everyExtract = () =>
  [EXTRACTS, join(EXTRACTS, "small")]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((path) => path.endsWith(".osm.pbf"));

describe("no written form of a house returns another house as exact", () => {
  let index: AddressIndex;
  beforeAll(async () => {
    index = (await demoAddresses()).index;
  }, 60_000);

  it("in the demo world", async () => {
    const houses = await sampleHouses(index, EVERY ? 100_000 : 25, 33);
    expect(houses.length).toBeGreaterThanOrEqual(25);
    expect(await wrongAnswers(index, houses)).toEqual([]);
  }, 3_600_000);

  for (const path of EVERY ? everyExtract() : [join(EXTRACTS, "small/melbourne.osm.pbf")]) {
    it.skipIf(!existsSync(path))(
      `in ${basename(path, ".osm.pbf")}`,
      async () => {
        const built = await buildAddresses([path]);
        const houses = (await sampleHouses(built.index, EVERY ? 400 : 40, 33)).filter(({ number }) =>
          /\d/.test(number),
        );
        expect(await wrongAnswers(built.index, houses)).toEqual([]);
      },
      3_600_000,
    );
  }
});
