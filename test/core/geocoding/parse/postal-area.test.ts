import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import AREAS from "../../../../src/core/geocoding/parse/postal-areas.json" with { type: "json" };
import { COUNTRIES_BY_CODE, cityOfPostalCode } from "../../../../src/core/geocoding/parse/postal-areas.ts";
import FORMS from "../../../../src/core/geocoding/parse/postal-forms.json" with { type: "json" };
import { readPostalCode } from "../../../../src/core/geocoding/parse/postal-forms.ts";
import { search } from "../../../../src/core/geocoding/search/search.ts";
import { countriesOfStreetWord } from "../../../../src/core/geocoding/words/street-languages.ts";
import { countryName } from "../../../../src/core/regions/region.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";
import { keyOf } from "../../../support/geocoding/namesakes.ts";
import { samples } from "../../../support/night.ts";
import { type Built, FORWARD, worldBase } from "../index/demo-index.ts";
import { randomFrom } from "../sample.ts";

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
    expect(await first("L-1111 Luxembourg")).toMatch(/^Luxembourg, LU/);
    expect(await first("10111 Tallinn")).toBe("Tallinn, EE fallback");
    expect(await first("12 Collins St, Melbourne VIC 3000")).toBe("Melbourne, AU fallback");
  });
});

/** A code as its country writes them; undefined where it has none. */
function codeOf(country: string, draw: () => number): string | undefined {
  const [form] = Object.entries(FORMS.forms).find(([, countries]) => countries.split(" ").includes(country)) ?? [];
  for (let i = 0; form && i < 200; i++) {
    const letter = () => "ABCDEFGHJKLMNPRSTUVWXYZ"[Math.floor(draw() * 23)];
    const code = form.replace(/[A9]/g, (sign) => (sign === "A" ? letter() : `${Math.floor(draw() * 10)}`));
    if (readPostalCode(code).some((one) => one.country === country)) return code;
  }
  return undefined;
}

const WRITTEN: readonly ((city: string, code: string, country: string) => string)[] = [
  (city, code) => `${code} ${city}`,
  (city, code) => `${city} ${code}`,
  (city, code) => `${city}, ${code}`,
  (city, code) => `${code}, ${city}`,
  (city, code) => `12 Collins St, ${code} ${city}`,
  (city, code) => `12 Collins St, ${city} ${code}`,
  (city, code, country) => `${code} ${city}, ${country}`,
  (city, code, country) => `${city} ${code}, ${country}`,
  (city, code, country) => `12 Collins St, ${code} ${city}, ${country}`,
  (city, code) => `${code} ${city}, Collins Street 12`,
];

it("a city that is named with any code of its country is the answer, with its country too", async () => {
  const draw = randomFrom(52);
  const names = Map.groupBy(worldCities(), ({ name }) => keyOf(name));
  const known = worldCities().filter(
    ({ population, name }) => population > 200_000 && names.get(keyOf(name))!.length === 1,
  );
  const wrong: string[] = [];
  for (let i = 0; i < samples(120, 1500); i++) {
    const at = Math.floor(draw() * known.length);
    const { name, country } = known[at];
    const code = codeOf(country, draw);
    if (code === undefined) continue;
    const text = WRITTEN[i % WRITTEN.length](name, code, countryName(country));
    const [found] = await search([base.index], text, FORWARD);
    const isOfCity = found !== undefined && distance(found.location, known[at]) < 60_000;
    if (!isOfCity) wrong.push(`${text} → ${found?.name}, ${found?.context.countryCode}`);
  }
  expect(wrong).toEqual([]);
}, 240_000);

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
