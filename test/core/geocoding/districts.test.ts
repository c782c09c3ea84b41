import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../src/core/geo/distance.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { fold } from "../../../src/core/geocoding/words/normalise.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { districtsOfCities } from "../../../src/importer/world/lists.ts";
import { FORWARD, worldBase } from "./index/demo-index.ts";

const CITIES: Readonly<Record<string, string>> = { "JP 13": "Tokyo", "KR 11": "Seoul", "CN BJ": "Beijing" };
/** GeoNames' points of the towns where districts of Beijing have their offices; that of Fangshan is in Liangxiang. */
const SEATS = ["Fengtai", "Haidian", "Mentougou", "Fangshan", "Tongzhou", "Shunyi", "Changping", "Daxing", "Yanqing"];
const CALLED: Readonly<Record<string, string>> = { Fangshan: "Liangxiang" };

describe("districts of large cities", () => {
  const districts = districtsOfCities();

  it("are where GeoNames has the towns of their offices, to 4 km", () => {
    const towns = worldCities().filter(({ country }) => country === "CN");
    for (const name of SEATS) {
      const district = districts.find((one) => one.country === "CN" && one.name === name)!;
      const called = towns.filter((town) => fold(town.name) === fold(CALLED[name] ?? name));
      expect([name, Math.min(...called.map((town) => distance(town, district))) < 4000]).toEqual([name, true]);
    }
  });

  it("are in their city, each in a place of its own", () => {
    for (const one of districts) {
      const name = CITIES[`${one.country} ${one.state}`];
      const city = worldCities().find((other) => other.country === one.country && other.name === name)!;
      expect([one.local, distance(city, one) < (name === "Beijing" ? 90_000 : 20_000)]).toEqual([one.local, true]);
      const same = districts.filter((other) => other !== one && distance(other, one) < 500);
      expect(same.map(({ local }) => local)).toEqual([]);
    }
    expect(new Set(districts.map(({ local, country, state }) => `${country} ${state} ${local}`)).size).toBe(64);
  });
});

/** What people write for a district of a city. */
const FORMS: Readonly<Record<string, (name: string, local: string) => string[]>> = {
  JP: (name, local) => [
    `東京都${local}`,
    `東京都 ${local}`,
    `${name}, Tokyo`,
    `${name}-ku, Tokyo`,
    `${name} City, Tokyo`,
    `${name}-ku, Tokyo, Japan`,
  ],
  KR: (name, local) => [
    `서울특별시 ${local}`,
    `서울특별시${local}`,
    `서울 ${local}`,
    `서울시 ${local}`,
    `${local}, 서울`,
    `${name}, Seoul`,
    `${name.replace("-gu", "")}, Seoul`,
    `${name}, Seoul, South Korea`,
  ],
  CN: (name, local) => [
    `北京市${local}`,
    `北京${local}`,
    `北京市 ${local}`,
    `${name} District, Beijing`,
    `${name}, Beijing`,
  ],
};

/** The old town of a district of Beijing, which GeoNames has, is as far from its office [m]. */
const REACH = 15_000;

describe("without an import, a district", () => {
  let world: AddressIndex;
  beforeAll(async () => {
    world = (await worldBase()).index;
  }, 240_000);

  it("is the first result in every written form", async () => {
    const missed: string[] = [];
    for (const one of districtsOfCities()) {
      for (const text of FORMS[one.country](one.name, one.local)) {
        const [found] = await searchInTurns([[world]], text, FORWARD);
        if (found?.kind !== "locality" || distance(found.location, one) > REACH)
          missed.push(`${text} → ${found?.name} ${found?.kind} ${found?.confidence}`);
      }
    }
    expect(missed).toEqual([]);
  }, 60_000);

  it.each([
    ["東京都渋谷区", "Shibuya exact"],
    ["Shibuya, Tokyo", "Shibuya exact"],
    ["Shibuya-ku, Tokyo", "Shibuya exact"],
    ["Shibuya", "Shibuya exact"],
    ["서울특별시 강남구", "Gangnam-gu exact"],
    ["서울 강남구", "Gangnam-gu exact"],
    ["Gangnam, Seoul", "Gangnam-gu exact"],
    ["Gangnam-gu, Seoul", "Gangnam-gu exact"],
    ["北京市朝阳区", "Chaoyang exact"],
    ["Chaoyang District, Beijing", "Chaoyang exact"],
    ["大阪市", "Osaka exact"],
  ])("%s is %s", async (text, expected) => {
    const [found] = await searchInTurns([[world]], text, FORWARD);
    expect(`${found.name} ${found.confidence}`).toBe(expected);
  });
});
