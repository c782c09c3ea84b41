import { expect, it } from "vitest";
import { keepDecoded } from "../../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { nearby } from "../../../../src/core/geocoding/search/reverse.ts";
import { search } from "../../../../src/core/geocoding/search/search.ts";
import { full, isReported, line } from "../cases.ts";
import { type SampledHouse, sampleHouses } from "../sample.ts";
import { ColdSource } from "./cold-source.ts";
import { demoAddresses, FORWARD, TYPING } from "./demo-index.ts";

const { index, objects } = await demoAddresses();
const sample = (await sampleHouses(index, 200, 33)).filter(isReported).slice(0, 60);

it.each<[string, (cold: AddressIndex, house: SampledHouse) => Promise<unknown>]>([
  ["forward", (cold, house) => search([cold], full(house), FORWARD)],
  ["a keystroke", (cold, house) => search([cold], line(house).slice(0, -3), { ...TYPING, near: house.at })],
  ["reverse", (cold, house) => nearby([cold], house.at, "en")],
])("%s of an address waits for three rounds of reads, with nothing in memory", async (_, ask) => {
  const rounds = new Map<number, string[]>();
  for (const house of sample) {
    const source = new ColdSource(objects);
    await ask(new AddressIndex(keepDecoded(source)), house);
    rounds.set(source.rounds, [...(rounds.get(source.rounds) ?? []), full(house)]);
  }
  const tooMany = [...rounds].filter(([count]) => count > 3).flatMap(([, houses]) => houses);
  expect(tooMany).toEqual([]);
  expect(rounds.has(3)).toBe(true);
});
