import { beforeAll, describe, expect, it } from "vitest";
import AREAS from "../../../../src/core/geocoding/parse/postal-areas.json" with { type: "json" };
import { COUNTRIES_BY_CODE, cityOfPostalCode } from "../../../../src/core/geocoding/parse/postal-areas.ts";
import { search } from "../../../../src/core/geocoding/search/search.ts";
import { countriesOfStreetWord } from "../../../../src/core/geocoding/words/street-languages.ts";
import { countryName } from "../../../../src/core/regions/region.ts";
import { type Built, FORWARD, worldBase } from "../index/demo-index.ts";

let base: Built;
beforeAll(async () => {
  base = await worldBase();
}, 240_000);

const first = async (text: string) => {
  const [found] = await search([base.index], text, FORWARD);
  return found && `${found.name}, ${found.context.countryCode} ${found.confidence}`;
};

describe("a postal code that no data has", () => {
  it.each([
    ["SW1A 1AA", "London, GB fallback"],
    ["sw1a1aa", "London, GB fallback"],
    ["BS1", "Bristol, GB fallback"],
    ["B1 1BB", "Birmingham, GB fallback"],
    ["K1A0B1", "Ottawa, CA fallback"],
    ["D02 X285", "Dublin, IE fallback"],
    ["1012 AB", "Amsterdam, NL fallback"],
    ["〒100-0001", "Tokyo, JP fallback"],
    ["110001, India", "New Delhi, IN fallback"],
    ["B-1000", "Brussels, BE fallback"],
    ["69002, France", "Lyon, FR fallback"],
    ["10118", "New York, US fallback"],
    ["10 High Street, OX1 4BG", "Oxford, GB fallback"],
    ["4 Rue des Planquettes 50250", "Saint-Lô, FR fallback"],
    ["280 impasse du reservoir38200", "Grenoble, FR fallback"],
  ])("is the city around it: %s", async (text, answer) => {
    expect(await first(text)).toBe(answer);
  });

  it("does not replace a city that is named, or an area that is known", async () => {
    expect(await first("1100 Lisboa")).toMatch(/^Lisbon, PT/);
    expect(await first("90210")).toBe("90210, US exact");
    expect(await first("280 impasse du reservoir38200 luzinay")).toBe("Luzinay, FR fallback");
    expect(await first("12345 Rue")).toBeUndefined();
  });
});

it("each city around postal codes is a city of its country in the base", async () => {
  const missing: string[] = [];
  for (const country of COUNTRIES_BY_CODE)
    for (const entry of AREAS[country as keyof typeof AREAS].split(",")) {
      const start = entry.split(" ").at(-1)!;
      const city = cityOfPostalCode(country, country === "GB" ? `${start}1` : start)!;
      const [found] = await search([base.index], `${city}, ${countryName(country)}`, {
        ...FORWARD,
        layers: new Set(["locality"]),
      });
      // Two towns of the country have these names, and neither is much larger.
      const isOne = found?.confidence === "exact" || /^(?:San Juan|Burlington|Fuzhou|Querétaro)$/.test(city);
      if (!isOne || (found.context.countryCode !== country && country !== "US")) missing.push(`${country} ${city}`);
    }
  expect(missing).toEqual([]);
});

it("a word for a street names the countries of its language, but for words of English", () => {
  expect([...(countriesOfStreetWord("rue") ?? [])]).toContain("HT");
  expect(countriesOfStreetWord("rue")?.has("US")).toBe(false);
  expect(countriesOfStreetWord("calle")?.has("PE")).toBe(true);
  expect(countriesOfStreetWord("avenue")).toBeUndefined();
  expect(countriesOfStreetWord("vienna")).toBeUndefined();
});

describe("a city and its state, which is also a town", () => {
  it.each([
    ["Itumbiara, Goiás", "Itumbiara, BR-GO exact"],
    ["Obninsk, Kaluga", "Obninsk, RU-KLU exact"],
    ["Teziutlán, Puebla", "Teziutlan, MX-PUE exact"],
    ["Omsk, Omsk", "Omsk, RU-OMS exact"],
    ["Unter den Linden 10, Berlin", "Berlin, DE-BE fallback"],
    ["Unit 4B, Mabini Avenue, Baguio", "Baguio, PH- fallback"],
  ])("%s", async (text, answer) => {
    const [found] = await search([base.index], text, FORWARD);
    const { countryCode, stateCode } = found.context;
    expect(`${found.name}, ${countryCode}-${stateCode} ${found.confidence}`).toBe(answer);
    expect(found.layer).toBe("locality");
  });
});
