import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import { LANGUAGES } from "../../../../src/core/geocoding/entry/entry.ts";
import type { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";
import { cityAliases } from "../../../../src/importer/world/lists.ts";
import { FORWARD, worldBase } from "../index/demo-index.ts";
import { EXONYMS, exonymCities } from "./exonyms.ts";

let world: AddressIndex;
beforeAll(async () => {
  world = (await worldBase()).index;
}, 240_000);

describe("without an import, a city is found by its names in other languages", () => {
  it("in ten languages, at least 92 of 100 first", async () => {
    const find = exonymCities(worldCities(), cityAliases());
    expect(EXONYMS.length).toBeGreaterThan(200);
    for (const language of LANGUAGES) {
      const asked = EXONYMS.filter((one) => one.language === language);
      const missed: string[] = [];
      for (const { name, country, english } of asked) {
        const [found] = await searchInTurns([[world]], name, FORWARD);
        if (!found || distance(found.location, find(country, english)) > 30_000) missed.push(name);
      }
      expect(missed.length / asked.length, `${language}: ${missed.join(", ")}`).toBeLessThanOrEqual(0.08);
    }
  }, 120_000);

  it.each([
    ["Moscow", "ru", "Москва"],
    ["Moskau", "de", "Moskau"],
    ["Krakow", "ja", "クラクフ"],
    ["Geneva", "de", "Genf"],
    ["Chelyabinsk", "ru", "Челябинск"],
  ] as const)("and shown in the requested one: %s in %s is %s", async (text, language, name) => {
    const [found] = await searchInTurns([[world]], text, { ...FORWARD, language });
    expect(found.name).toBe(name);
  });
});

describe("without an import, a city is found by", () => {
  it.each([
    ["its name in letters without capitals", "ბათუმი", "GE", "Batumi"],
    ["another spelling in kana", "ジュネーブ", "CH", "Genève"],
    ["its official name in China", "泰安", "CN", "Tai’an"],
    ["that name in Japanese", "濮陽", "CN", "Puyang Chengguanzhen"],
    ["that name in Korean", "타이안", "CN", "Tai’an"],
    ["its name in Arabic", "ناشيك", "IN", "Nashik"],
    ["the name of a town without a known population", "Bad Krozingen", "DE", "Bad Krozingen"],
  ])("%s: %s", async (_, text, country, name) => {
    const [found] = await searchInTurns([[world]], text, FORWARD);
    expect([found?.context.countryCode, found?.name]).toEqual([country, name]);
  });

  it("a name that is in its language's script", () => {
    const scripts = {
      ar: /\p{sc=Arab}/u,
      ru: /\p{sc=Cyrl}/u,
      ja: /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u,
      ko: /\p{sc=Hang}/u,
      zh: /\p{sc=Han}/u,
    };
    const names = [...cityAliases().values()].flat();
    for (const [language, script] of Object.entries(scripts))
      expect(names.filter(([one, name]) => one === language && !script.test(name))).toEqual([]);
  });
});

describe("without an import, a state is found by its names in other languages", () => {
  it.each([
    ["広東省", "CN"],
    ["미나스제라이스 주", "BR"],
    ["Гуандун", "CN"],
    ["مقاطعة غيونغي", "KR"],
    ["بافاريا", "DE"],
    ["부슈뒤론 주", "FR"],
    ["สวัสดี", undefined],
  ])("%s", async (text, country) => {
    const [found] = await searchInTurns([[world]], text, FORWARD);
    expect([found?.context.countryCode, found?.kind]).toEqual([country, country && "state"]);
  });

  it("in no more bytes than the data may have", async () => {
    const sizes = [...(await worldBase()).objects.values()].map((bytes) => bytes.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_500_000);
  });
});
