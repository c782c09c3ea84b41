import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../src/core/geo/distance.ts";
import type { EntryKind, NameKind } from "../../../src/core/geocoding/entry/entry.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { namesOf } from "../../../src/core/geocoding/index/tile-names.ts";
import { fold, tokensOf } from "../../../src/core/geocoding/words/normalise.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { morePlaces } from "../../../src/importer/world/lists.ts";
import { baseRegions } from "../../../src/worker/geodata/addresses.ts";
import { samples } from "../../support/night.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { publishBase } from "./live-build.ts";

/** A name that people use today: the one that is shown, or one in a language of the country. */
const OF_TODAY = /^(?:main|local)$/;

/** What the world base has under a name: before any model weighs it. */

let index: AddressIndex;
beforeAll(async () => {
  index = baseRegions(await publishBase())!;
}, 180_000);

interface Known {
  kind: EntryKind;
  name: string;
  as: NameKind;
  country: string;
  latitude: number;
  longitude: number;
}

/** Entries with exactly this name, and what kind of name it is. */
async function entriesCalled(text: string): Promise<Known[]> {
  const words = tokensOf(text);
  const head = await index.head(words[0]);
  if (!head) return [];
  const { names } = head;
  return Array.from({ length: names.count }, (_, i) => i).flatMap((i) => {
    const found = namesOf(names, i).find((one) => one.words.join(" ") === words.join(" "));
    const at = { latitude: names.latitudes[i] / 1e5, longitude: names.longitudes[i] / 1e5 };
    return found
      ? [{ ...at, kind: names.kind(i), name: names.name(i), as: found.kind, country: names.context(i).countryCode }]
      : [];
  });
}

describe("kinds of names in the world base", () => {
  it.each([
    ["Venice", "Venice", "main", "Dayton", "other"],
    ["Konstantinopel", "", "main", "Istanbul", "other"],
  ])("%s is the name of %s, and another name of a larger place", async (text, own, _, larger, kind) => {
    const found = await entriesCalled(text);
    if (own !== "")
      expect(found.find(({ name, kind: layer }) => name === own && layer === "locality")?.as).toMatch(OF_TODAY);
    const other = found.find(({ name }) => name === larger);
    if (other) expect(other.as).toBe(kind);
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([
    ["USA", "country", "short"],
    ["DE", "country", "code"],
    ["Bundesrepublik Deutschland", "country", "other"],
    ["Deutschland", "country", "main"],
    ["Frankfurt", "locality", "short"],
    ["Praha", "locality", "local"],
    ["LAX", "place", "code"],
    ["TX", "state", "code"],
    ["Texas", "state", "main"],
  ])("%s is the name of a %s: %s", async (text, layer, as) => {
    const found = await entriesCalled(text);
    expect(found.map(({ kind, as }) => `${kind} ${as}`)).toContain(`${layer} ${as}`);
  });
});

describe("islands and regions without a country of their own", () => {
  it.each([
    ["Java", -7.3, 110, "ID"],
    ["Crete", 35.2, 24.9, "GR"],
    ["Creta", 35.2, 24.9, "GR"],
    ["Sicily", 37.5, 14.1, "IT"],
    ["Bali", -8.4, 115.1, "ID"],
    ["Hokkaido", 43.3, 142.8, "JP"],
    ["Oahu", 21.45, -158, "US"],
    ["Borneo", 1, 114, "ID"],
    ["Korsika", 42.2, 9.1, "FR"],
    ["Majorca", 39.6, 2.95, "ES"],
    ["Minorca", 40, 4.1, "ES"],
    ["Patagonia", -43, -69, "AR"],
    ["Siebenbürgen", 46.5, 24.5, "RO"],
    ["Jutland", 56, 9.3, "DK"],
    ["Connacht", 53.7, -9, "IE"],
    ["Ambon", -3.6, 128.2, "ID"],
    ["Galápagos", -0.6, -90.5, "EC"],
  ])("%s is found as a state, or as the state that it is", async (text, latitude, longitude, country) => {
    const found = (await entriesCalled(text)).filter(({ kind }) => kind === "state" || kind === "locality");
    const near = found.filter((one) => distance(one, { latitude, longitude }) < 250_000);
    expect(near.map((one) => one.country)).toContain(country);
  });
});

describe("towns that GeoNames' list lacks, and parts of cities", () => {
  it.each([
    ["Kreuzberg", 52.5, 13.4, "DE"],
    ["Wimbledon", 51.42, -0.21, "GB"],
    ["Navi Mumbai", 19.04, 73.02, "IN"],
    ["Kuujjuarapik", 55.28, -77.77, "CA"],
  ])("%s is found", async (text, latitude, longitude, country) => {
    const found = (await entriesCalled(text)).filter((one) => distance(one, { latitude, longitude }) < 10_000);
    expect(found.map((one) => one.country)).toContain(country);
  });

  it("are no second entry of a city of their name", () => {
    const cities = Map.groupBy(worldCities(), ({ country, name }) => `${country} ${fold(name)}`);
    const twice = morePlaces().filter((one) =>
      (cities.get(`${one.country} ${fold(one.name)}`) ?? []).some((city) => distance(city, one) < 12_000),
    );
    expect(twice.map(({ name }) => name)).toEqual([]);
  });
});

describe("names in other scripts", () => {
  it.each([
    ["दिल्ली", 28.6, 77.2],
    ["ঢাকা", 23.8, 90.4],
    ["சென்னை", 13.1, 80.3],
    ["హైదరాబాదు", 17.4, 78.5],
    ["ಬೆಂಗಳೂರು", 13, 77.6],
    ["തിരുവനന്തപുരം", 8.5, 76.9],
    ["กรุงเทพมหานคร", 13.75, 100.5],
    ["ភ្នំពេញ", 11.6, 104.9],
    ["ရန်ကုန်", 16.8, 96.2],
    ["ວຽງຈັນ", 18, 102.6],
    ["አዲስ አበባ", 9, 38.7],
    ["თბილისი", 41.7, 44.8],
    ["महाराष्ट्र", 19.5, 76],
    ["বাংলাদেশ", 23.8, 90],
    ["საქართველო", 42, 43.5],
    ["ไทย", 13, 101],
  ])("%s is there", async (text, latitude, longitude) => {
    const found = await entriesCalled(text);
    const near = found.filter((one) => distance(one, { latitude, longitude }) < 500_000);
    expect(near.map(({ as }) => as)).toContainEqual(expect.stringMatching(OF_TODAY));
  });
});

const PLACES = join(EXTRACTS, "natural-earth/populated-places.geojson.gz");
describe.skipIf(!existsSync(PLACES))("the names of Natural Earth (skipped: no data)", () => {
  it("in seven languages are names of large cities of the base", async () => {
    const { features } = JSON.parse(gunzipSync(readFileSync(PLACES)).toString());
    const large = features.filter(
      ({ properties: { pop_max: people } }: { properties: { pop_max: number } }) => people > 500_000,
    );
    const step = Math.ceil(large.length / samples(60, 400));
    let [asked, known] = [0, 0];
    for (const { properties: one } of large.filter((_: unknown, i: number) => i % step === 0)) {
      for (const language of ["en", "de", "es", "fr", "pt", "ru", "zh"]) {
        const name = one[`name_${language}`];
        if (!name) continue;
        asked++;
        if ((await entriesCalled(name)).some((found) => distance(found, one) < 50_000)) known++;
      }
    }
    expect(asked).toBeGreaterThan(300);
    expect(known / asked).toBeGreaterThan(0.9);
  });

  it.each([
    ["Баже", -31.33, -54.1],
    ["科隆", 9.36, -79.9],
    ["达迈尔", 17.59, 33.96],
    ["濮阳", 35.7, 114.98],
    ["Mazar-i-Sharif", 36.7, 67.1],
    ["ศรีสะเกษ", 15.12, 104.32],
    ["Λαμία", 38.9, 22.43],
  ])("%s is a name of today of a smaller city", async (text, latitude, longitude) => {
    const found = (await entriesCalled(text)).filter((one) => distance(one, { latitude, longitude }) < 30_000);
    expect(found.map(({ as }) => as)).toContainEqual(expect.stringMatching(OF_TODAY));
  });

  it("of Puyang in Henan are no names of the one in Zhejiang", async () => {
    const found = await entriesCalled("濮陽");
    expect(found.filter(({ latitude }) => latitude < 32)).toEqual([]);
  });
});
