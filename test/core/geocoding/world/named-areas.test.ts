import countries from "i18n-iso-countries";
import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import type { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import type { Found } from "../../../../src/core/geocoding/search/found.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { fold, tokensOf } from "../../../../src/core/geocoding/words/normalise.ts";
import { countryName } from "../../../../src/core/regions/region.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";
import { samples } from "../../../support/night.ts";
import { FORWARD, worldBase } from "../index/demo-index.ts";
import { randomFrom } from "../sample.ts";

let world: AddressIndex;
beforeAll(async () => {
  world = (await worldBase()).index;
}, 240_000);
const answersTo = (text: string): Promise<Found[]> => searchInTurns([[world]], text, FORWARD);
const first = async (text: string) => {
  const [found] = await answersTo(text);
  return found && `${found.name}, ${found.context.countryCode} ${found.layer} ${found.confidence}`;
};

const CODES = Object.keys(countries.getAlpha2Codes());
/** Rocks without people, and territories whose names are those of the country's other parts. */
const UNPEOPLED = new Set("AQ BV GS HM IO TF UM".split(" "));

function drawn<T>(list: readonly T[], count: number, seed: number): T[] {
  const draw = randomFrom(seed);
  return Array.from({ length: Math.min(count, list.length) }, () => list[Math.floor(draw() * list.length)]);
}

describe("a country that is named", () => {
  it("behind a town that no list has is the answer, and no town of its name", async () => {
    const forms = ["Qwrtzx, #", "Zyxwvut Vbnmkj, #", "Qwrtzx #", "12 Qkqjvz Street, Zyxwvut Vbnmkj, #"];
    const wrong: string[] = [];
    const known = CODES.filter((code) => !UNPEOPLED.has(code));
    for (const [i, code] of drawn(known, samples(60, 1000), 52).entries()) {
      const text = forms[i % forms.length].replace("#", countryName(code));
      const [found] = await answersTo(text);
      if (found !== undefined && found.context.countryCode !== code)
        wrong.push(`${text} → ${found.name}, ${found.context.countryCode}`);
    }
    expect(wrong).toEqual([]);
  }, 240_000);

  it("is found by its name in the languages of another list, at most one in fifty excepted", async () => {
    const all = countries.getSupportedLanguages().flatMap((language) =>
      CODES.filter((code) => !UNPEOPLED.has(code)).map((code) => ({
        code,
        name: countries.getName(code, language) ?? "",
      })),
    );
    const asked = drawn(
      all.filter(({ name }) => name.length > 3),
      samples(150, 5000),
      53,
    );
    const wrong: string[] = [];
    for (const { code, name } of asked) {
      const found = await answersTo(name);
      if (found[0]?.context.countryCode !== code)
        wrong.push(`${code} ${name} → ${found[0]?.name} ${found[0]?.confidence}`);
    }
    expect({ share: wrong.length / asked.length <= 0.02, wrong }).toEqual({ share: true, wrong });
  }, 240_000);

  it.each([
    ["Port Morant, Jamaica", "Jamaica, JM country fallback"],
    ["Central Coast, Australia", "Australia, AU country fallback"],
    ["South Penrith, Australia", "Australia, AU country fallback"],
    ["Philippines", "Philippines, PH country exact"],
    ["США", "United States, US country exact"],
    ["中華人民共和国", "China, CN country exact"],
    ["Turchia", "Türkiye, TR country exact"],
    ["Kongo", "Congo - Brazzaville, CG country fallback"],
    ["Akron, Czech Republic", "Czechia, CZ country fallback"],
    ["Akron, Tokushima Prefecture", "Tokushima, JP locality fallback"],
    ["Tokushima Prefecture, Japan", "Tokushima, JP state exact"],
    ["5 bis avenue Victor Hugo, Lunel, France", "Lunel, FR locality fallback"],
    ["12 Nguyễn Huệ, Hà Đông, Vietnam", "Hà Đông, VN locality fallback"],
    ["Comunidad de Madrid", "Madrid Province, ES state exact"],
    ["Estado de México", "Mexico State, MX state exact"],
    ["State of New York", "New York, US state exact"],
    ["Region Skåne", "Skåne, SE state exact"],
    ["12 Rue de la Gare, Luxembourg", "Luxembourg, LU locality fallback"],
  ])("%s", async (text, answer) => {
    expect(await first(text)).toBe(answer);
  });
});

describe("two or three capitals after a town", () => {
  it.each([
    ["Langford, WA", "Washington, US state fallback"],
    ["Bulleen, VIC", "Victoria, AU state fallback"],
    ["Chipinque de Arriba, JAL", "Jalisco, MX state fallback"],
    ["Perth, WA", "Perth, AU locality exact"],
  ])("are a code and no town: %s", async (text, answer) => {
    expect(await first(text)).toBe(answer);
  });

  it("are no word for a kind of state", async () => {
    expect(await first("Stoke-on-Trent, IL")).toMatch(/fallback$/);
  });

  it("with a mark are none", async () => {
    for (const text of ["Mỹ", "Bỉ"]) expect(await first(text)).toMatch(/fallback$/);
    expect(await first("New York, Mỹ")).toMatch(/^New York, US/);
  });
});

it("a town whose name has the words of another's in the other order is not that one, nor is that one exact", async () => {
  const named = Map.groupBy(
    worldCities().filter(({ name }) => tokensOf(name).length === 2),
    ({ name }) => fold(name),
  );
  const swapped = (name: string) => tokensOf(name).reverse().join(" ");
  const pairs = [...named].filter(([name]) => named.has(swapped(name)) && swapped(name) !== name);
  const wrong: string[] = [];
  for (const [name, cities] of drawn(pairs, samples(40, 400), 54)) {
    const [found] = await answersTo(cities[0].name);
    const isOther = found && named.get(swapped(name))!.some((one) => distance(one, found.location) < 20_000);
    if (isOther && !cities.some((one) => distance(one, found.location) < 20_000))
      wrong.push(`${name} → ${found.name} ${found.confidence}`);
  }
  expect(pairs.length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
}, 240_000);
