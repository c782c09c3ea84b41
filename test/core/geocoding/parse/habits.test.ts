import { describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { HABITS } from "../../../../src/core/geocoding/habits/all.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { fold } from "../../../../src/core/geocoding/words/normalise.ts";
import { samples } from "../../../support/night.ts";
import { FORWARD } from "../index/demo-index.ts";
import { COUNTRIES, type CountryCases } from "./habits-cases.ts";

const rows = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((form) => form.trim()));

/** A town of these streets in straight lines, each house on each of them, among other numbers. */
function townOf({ country, city, postalCode, streets, numbers }: CountryCases): AddressIndex {
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city, countryCode: country });
  const own = rows(numbers).map(([number]) => number);
  for (const [s, [name]] of rows(streets).entries()) {
    const street = collector.street(name, context, postalCode);
    const latitude = 45 + s * 0.002;
    collector.line(street, [
      { latitude, longitude: 9 },
      { latitude, longitude: 9.01 },
    ]);
    for (const [n, number] of [...own, "2", "301"].entries())
      collector.house(street, parseHouseNumber(number)!, { latitude, longitude: 9 + n * 0.0003 });
  }
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  return new AddressIndex(keepDecoded(memorySource(objects)));
}

/** Every form of every street with every form of every number in every line. */
function* questions({ city, postalCode, streets, numbers, lines }: CountryCases) {
  for (const [street, ...others] of rows(streets))
    for (const form of [street, ...others])
      for (const [number, ...writings] of rows(numbers))
        for (const writing of [number, ...writings])
          for (const line of lines) {
            const parts: Record<string, string> = { S: form, N: writing, C: city, P: postalCode };
            yield { text: line.replace(/[SNCP]/g, (part) => parts[part]).replace(",,", ","), street, number };
          }
}

describe("an address as people of the country write it is found", () => {
  it.each(COUNTRIES)("$country", async (cases) => {
    const index = townOf(cases);
    const missed: string[] = [];
    // By day one question in three.
    const some = [...questions(cases)].filter((_, i) => i % samples(3, 1) === 0);
    const asked = some.length;
    let exactAndWrong = 0;
    for (const { text, street, number } of some) {
      const found = await searchInTurns([[index]], text, FORWARD);
      const [first] = found;
      if (first?.name !== street || first.number !== number)
        missed.push(`${text} → ${first?.number} ${first?.name} ${first?.confidence}`);
      if (found.some((one) => one.confidence === "exact" && (one.name !== street || one.number !== number)))
        exactAndWrong++;
    }
    const share = 1 - missed.length / asked;
    if (process.env.SHOW)
      console.log(
        cases.country,
        asked,
        (100 * share).toFixed(1),
        exactAndWrong,
        missed.slice(0, Number(process.env.SHOW)),
      );
    expect(share, missed.slice(0, 10).join("\n")).toBeGreaterThanOrEqual(0.97);
    expect(exactAndWrong).toBe(0);
  });
});

describe("the table of habits", () => {
  it("has at least thirty countries, each with its source", () => {
    const countries = new Set(HABITS.flatMap(({ countries }) => countries.split(" ")));
    expect(countries.size).toBeGreaterThanOrEqual(30);
    for (const { countries: own, source } of HABITS) expect([own, source.length > 10]).toEqual([own, true]);
    for (const { country } of COUNTRIES) expect(countries).toContain(country);
  });

  it("is folded, as names are before they are compared", () => {
    for (const { types = "", words = "", ends = "", silent = "" } of HABITS)
      for (const column of [types, words, ends, silent]) expect(column).toBe(fold(column));
  });
});
