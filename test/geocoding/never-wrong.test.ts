import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { AddressIndex } from "../../src/geocoding/index/address-index.ts";
import { searchInTurns } from "../../src/geocoding/search/search-in-turns.ts";
import { houseNumberKey } from "../../src/geocoding/words/house-number.ts";
import { isSameStreet } from "../../src/geocoding/words/same-street.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { full, line } from "./cases.ts";
import { buildAddresses, demoAddresses, FORWARD } from "./demo-index.ts";
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

const behind = (house: SampledHouse, more: string) => full(house).replace(line(house), `${line(house)}${more}`);

/** Texts that returned another house as exact. */
async function wrongAnswers(index: AddressIndex, houses: readonly SampledHouse[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const house of houses) {
    for (const [what, write] of FORMS) {
      const text = write(house);
      for (const one of await searchInTurns([[index]], text, FORWARD)) {
        if (one.confidence !== "exact" || one.number === undefined) continue;
        const number = houseNumberKey(one.number);
        // "12Z" may be a house of the data, and "217-14" may be written 21714.
        const asked = houseNumberKey(text).includes(number) || houseNumberKey(text).includes(number.replace("-", ""));
        const own = number === houseNumberKey(house.number) && !CHANGED.has(what);
        if (
          (!own && !(asked && CHANGED.has(what) && number !== houseNumberKey(house.number))) ||
          !isSameStreet(one.name, house.street)
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
  "a fraction",
  "one digit more",
]);

/** A sample; EVERY_EXTRACT=1 takes every house of the demo world, and 400 of each extract. */
const EVERY = process.env.EVERY_EXTRACT !== undefined;

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

  for (const town of EVERY ? ["queens-village-ny", "vancouver", "heidelberg", "malta", "baltimore"] : []) {
    const path = join(EXTRACTS, `${town}.osm.pbf`);
    it.skipIf(!existsSync(path))(
      `in ${town}`,
      async () => {
        const built = await buildAddresses([path]);
        const houses = (await sampleHouses(built.index, 400, 33)).filter(({ number }) => /\d/.test(number));
        expect(await wrongAnswers(built.index, houses)).toEqual([]);
      },
      3_600_000,
    );
  }
});
