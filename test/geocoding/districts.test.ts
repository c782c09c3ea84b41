import { describe, expect, it } from "vitest";
import { distance } from "../../src/geo/distance.ts";
import { fold } from "../../src/geocoding/words/normalise.ts";
import { worldCities } from "../../src/importer/world/cities.ts";
import { districtsOfCities } from "../../src/importer/world/lists.ts";

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
