import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { type Context, GRID, NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import type { NewEntry } from "../../../src/core/geocoding/index/names-tile.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { nameKey } from "../../../src/core/geocoding/index/tile-names.ts";
import type { WantedWords } from "../../../src/core/geocoding/index/word-index.ts";
import { LAYERS, type Layer, type SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../src/core/geocoding/words/house-number.ts";
import { answersTo } from "../../../src/worker/answers/geocode/answers.ts";
import { forwardAnswers } from "../../../src/worker/answers/geocode/forward.ts";
import type { Geodata } from "../../../src/worker/geodata/live.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { buildAddresses, FORWARD, TYPING, worldBase } from "./index/demo-index.ts";
import { publishAddresses, publishBase } from "./live-build.ts";

const CENTER = { latitude: 49.41, longitude: 8.69 };
const NUMBERS = ["5", "7", "10", "12"];
const STREETS = [
  "Hauptstraße",
  "Bismarckplatz",
  "Römerkreis",
  "Mainzer Weg",
  "Am Anger",
  "Schlossweg",
  "10er Gasse",
  "Pariser Weg",
  "Bank Street",
];
const ALL = { layers: new Set(LAYERS) };

/** A town whose streets each have a stop, a path and a shop of the street's name, well-known and near its center. */
function packTown(context: Partial<Context>, streets: readonly string[], entries: readonly NewEntry[] = []) {
  const collector = new AddressCollector();
  const own = collector.context({ ...NO_CONTEXT, ...context });
  for (const [s, name] of streets.entries()) {
    const street = collector.street(name, own, "69117");
    const at = destination(CENTER, s * 50, 400 + s * 300);
    collector.line(street, [at, destination(at, 90, 200)]);
    for (const [n, number] of NUMBERS.entries())
      collector.house(street, parseHouseNumber(number)!, destination(at, 90, n * 40));
    for (const [n, importance] of [60, 140, 250].entries()) {
      const spot = destination(at, 200, 100 + n * 400);
      const place = { ...NO_CONTEXT, ...context };
      collector.entry({ kind: "place", name, context: place, postalCode: "", importance, names: [], ...spot });
    }
  }
  for (const entry of entries) collector.entry({ ...entry, names: entry.names ?? [] });
  return new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
}

const HEIDELBERG = { city: "Heidelberg", countryCode: "DE" };
const region = (kind: "locality" | "postalCode", name: string, importance: number): NewEntry => ({
  kind,
  name,
  context: { ...NO_CONTEXT, ...(kind === "postalCode" ? HEIDELBERG : { countryCode: "DE" }) },
  postalCode: kind === "postalCode" ? name : "",
  importance,
  ...CENTER,
});

let town: AddressIndex;
let world: AddressIndex;
beforeAll(async () => {
  const hut = destination(CENTER, 0, 38_000);
  const own = [
    region("locality", "Heidelberg", 165),
    region("postalCode", "69117", 90),
    { ...region("locality", "Alte Hütte am Xylenberg", 20), kind: "place" as const, ...hut },
    ...["Gioia", "Bank of Germany"].map((name) => ({
      ...region("locality", name, 20),
      kind: "place" as const,
      ...hut,
    })),
    ...["Hauptbahnhof", "Heidelberg Hauptbahnhof"].map((name, i) => ({
      ...region("locality", name, 80 - 40 * i),
      context: { ...NO_CONTEXT, ...HEIDELBERG },
      kind: "place" as const,
    })),
  ];
  town = new AddressIndex(keepDecoded(memorySource(packTown(HEIDELBERG, STREETS, own))));
  world = new AddressIndex(keepDecoded(memorySource((await worldBase()).objects)), { regionsOnly: true });
}, 240_000);

const ask = (text: string, options: Partial<SearchOptions> = {}) =>
  searchInTurns([[town, world]], text, { ...FORWARD, ...options });

describe("a street", () => {
  it("comes before stops, paths and places of its name", async () => {
    for (const name of STREETS)
      for (const text of [name, `${name} 5`, `${name}, Heidelberg`, `${name} 10, Heidelberg`, `${name} 99`])
        for (const open of [false, true])
          for (const near of [undefined, CENTER, destination(CENTER, 180, 5000)]) {
            const found = await ask(text, { ...ALL, open, ...(near && { near }) });
            const [first] = found.filter((one) => one.name === name);
            expect([text, open, first?.kind]).toEqual([text, open, "street"]);
          }
  });

  it("comes before a path of its name that is nearer", async () => {
    const collector = new AddressCollector();
    for (const [n, city] of ["Heidelberg", "Eppelheim"].entries()) {
      const street = collector.street("Alte Brücke", collector.context({ ...NO_CONTEXT, city, countryCode: "DE" }), "");
      const at = destination(CENTER, 90, n * 3000);
      collector.line(street, [at, destination(at, 0, 500)], n === 0);
    }
    const both = collector.street("Uferweg", collector.context({ ...NO_CONTEXT, ...HEIDELBERG }), "");
    const road = destination(CENTER, 0, 200);
    collector.line(both, [CENTER, destination(CENTER, 180, 300), destination(CENTER, 180, 350)], true);
    collector.line(both, [road, destination(road, 0, 50)]);
    const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
    const paths = new AddressIndex(keepDecoded(memorySource(objects)));
    for (const near of [undefined, CENTER])
      for (const open of [false, true]) {
        const options = { ...FORWARD, ...ALL, open, near };
        const [street, path] = await searchInTurns([[paths]], "Alte Brücke", options);
        expect([street.context.city, path.context.city]).toEqual(["Eppelheim", "Heidelberg"]);
        const [mixed] = await searchInTurns([[paths]], "Uferweg", options);
        expect(distance(mixed.location, road)).toBeLessThan(60);
      }
  });

  it("comes after a place that has all the words", async () => {
    for (const near of [undefined, CENTER]) {
      const names = async (text: string) =>
        (await ask(text, { ...ALL, ...(near && { near }) })).map(({ name }) => name);
      expect((await names("Bank of Germany"))[0]).toBe("Bank of Germany");
      expect((await names("Heidelberg Hauptbahnhof")).slice(0, 2)).toEqual(["Heidelberg Hauptbahnhof", "Hauptbahnhof"]);
    }
  });

  it("is found in a far tile, if towns elsewhere only begin with its name", async () => {
    const near = destination(CENTER, 0, 80_000);
    for (const options of [{}, { near }])
      expect((await ask("Gioia", { ...ALL, ...options })).map(({ name }) => name)).toContain("Gioia");
  });

  const extract = join(EXTRACTS, "heidelberg.osm.pbf");
  it.skipIf(!existsSync(extract))(
    "comes before stops and places of its name in a real town",
    async () => {
      const { index } = await buildAddresses([extract]);
      const wrong: string[] = [];
      let asked = 0;
      for (const { name, spot } of await namesakesIn(index)) {
        for (const text of [name, `${name} 5`]) {
          for (const open of [false, true]) {
            asked++;
            const found = await searchInTurns([[index]], text, { ...FORWARD, ...ALL, open, near: spot });
            const isNamesake = (one: (typeof found)[number]) =>
              one.name === name && distance(one.location, spot) < 2000;
            const [street, place] = ["street", "place"].map((kind) =>
              found.findIndex((one) => one.kind === kind && isNamesake(one)),
            );
            if (place >= 0 && (street < 0 || place < street)) wrong.push(`${text} ${open}`);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(asked).toBeGreaterThan(50);
    },
    120_000,
  );
});

/** Places with the name of a street near them. */
async function namesakesIn(index: AddressIndex) {
  const streets = new Map<string, { latitude: number; longitude: number }[]>();
  const places: { key: string; name: string; spot: { latitude: number; longitude: number } }[] = [];
  for (let tile = 0; ; tile++) {
    const names = await index.names(tile).catch(() => undefined);
    if (!names) break;
    for (let entry = 0; entry < names.count; entry++) {
      const spot = { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
      const key = nameKey(names, entry);
      if (names.kinds[entry] === 0) streets.set(key, [...(streets.get(key) ?? []), spot]);
      else if (names.kinds[entry] === 1) places.push({ key, name: names.name(entry), spot });
    }
  }
  return places.filter(({ key, spot }) => streets.get(key)?.some((at) => distance(at, spot) < 1000));
}

describe("a few letters near a point", () => {
  it.each(["main", "10", "1", "69", "ha", "b", "r", "10 ", "xyl", "xy"])(
    "suggest near results before far ones: %s",
    async (text) => {
      const found = await ask(text, { ...TYPING, near: CENTER });
      const near = found.map(({ location }) => distance(location, CENTER) < 50_000);
      expect(near[0]).toBe(true);
      expect(near.lastIndexOf(true)).toBeLessThan(near.includes(false) ? near.indexOf(false) : near.length);
    },
  );

  it("of a house number suggest the nearest houses with it", async () => {
    const found = await ask("12", { ...TYPING, near: CENTER });
    const houses = found.filter(({ number }) => number === "12");
    expect(houses.map(({ name }) => name)).toContain("Hauptstraße");
    expect(houses[0]).toMatchObject({ layer: "address", confidence: "fallback", id: expect.any(String) });
    expect(new Set(houses.map(({ id }) => id)).size).toBe(houses.length);
    const away = houses.map(({ location }) => distance(location, CENTER));
    expect(away).toEqual(away.toSorted((a, b) => a - b));
    for (const options of [{ countries: ["FR"] }, { layers: new Set(["locality"] as const) }, { near: undefined }]) {
      const others = await ask("12", { ...TYPING, near: CENTER, ...options });
      expect(others.filter(({ number }) => number !== undefined)).toEqual([]);
    }
    const bounds = [8.0, 49.0, 8.1, 49.1] as const;
    expect((await ask("12", { ...TYPING, near: CENTER, bounds })).filter(({ number }) => number)).toEqual([]);
  });

  it("of a house number that none has suggest the nearest whose number begins so", async () => {
    const found = await ask("1", { ...TYPING, near: CENTER });
    const houses = found.filter(({ number }) => number !== undefined);
    expect(new Set(houses.map(({ number }) => number))).toEqual(new Set(["10", "12"]));
    expect((await ask("1b", { ...TYPING, near: CENTER })).filter(({ number }) => number)).toEqual([]);
  });

  it("of a house number read few streets of a large town, and count this work", async () => {
    const names = Array.from({ length: 600 }, (_, n) => `Weg ${"abcdefghij"[n % 10]}${n}`);
    const index = new AddressIndex(keepDecoded(memorySource(packTown(HEIDELBERG, names))));
    let read = 0;
    const details = index.details.bind(index);
    index.details = (...asked) => {
      read++;
      return details(...asked);
    };
    const pace = unpaced();
    const near = destination(CENTER, 0, 3000);
    const found = await searchInTurns([[index, index]], "12", { ...TYPING, near, pace });
    expect(found.filter(({ number }) => number === "12").length).toBeGreaterThan(3);
    expect(read).toBeLessThanOrEqual(150);
    const more = unpaced();
    await searchInTurns([[index]], "x", { ...TYPING, near, pace: more });
    expect(pace.spent).toBeGreaterThan(more.spent + 2 * 100);
  });

  it("that are the name of a city find it", async () => {
    for (const name of ["Rome", "Paris"]) {
      const [city, ...others] = await ask(name, { ...TYPING, near: CENTER });
      expect(city).toMatchObject({ name, kind: "locality", confidence: "exact" });
      expect(others.length).toBeGreaterThan(0);
    }
    expect((await ask("Mainz", { ...TYPING, near: CENTER }))[0].kind).toBe("locality");
    expect((await ask("ha", { ...TYPING, near: CENTER }))[0].name).toBe("Hauptstraße");
    const [first] = await ask("Hauptstraße 5, Erlangen", { ...TYPING, near: CENTER });
    expect(first.name).toBe("Erlangen");
  });
});

describe("a town", () => {
  it("comes before the state with its name, also while it is typed", async () => {
    for (const text of ["Schaan", "Ruggell", "Planken", "Zürich", "New York"])
      for (const open of [false, true])
        expect([text, (await ask(text, { open }))[0]]).toEqual([text, expect.objectContaining({ kind: "locality" })]);
    for (const text of ["Texas", "Georgia", "Portugal", "Bavaria", "Luxembourg"])
      expect((await ask(text))[0].kind).not.toBe("locality");
  });
});

describe("a large airport", () => {
  let base: Geodata;
  beforeAll(async () => {
    base = await publishBase();
  }, 120_000);
  const layersOf = async (query: object, byDefault: ReadonlySet<Layer> = ALL.layers) =>
    (await forwardAnswers(base, { limit: 10, lang: "en", ...query } as never, byDefault, undefined as never, 0)).map(
      ({ layer, countryCode }) => `${layer} ${countryCode}`,
    );

  it("is found by its own words without layers, if the project's default has places", async () => {
    const addresses = new Set(LAYERS.filter((layer) => layer !== "place"));
    for (const query of ["Heathrow", "LHR", "Flughafen Wien"])
      expect([query, (await layersOf({ query }, addresses)).filter((one) => one.startsWith("place"))]).toEqual([
        query,
        [],
      ]);
    expect((await layersOf({ query: "Heathrow" }))[0]).toBe("place GB");
    expect((await layersOf({ query: "Boston" }))[0]).toBe("locality US");
    expect(await layersOf({ query: "Heathrow", layers: new Set(["locality"]) })).toEqual(["locality US"]);
    expect((await layersOf({ city: "Heathrow" })).filter((one) => one.startsWith("place"))).toEqual([]);
    expect((await layersOf({ query: "Paris" })).filter((one) => one.startsWith("place"))).toEqual([]);
  });
});

describe("a house with another postal code in the text", () => {
  it("is found, is not exact, and `matched` lacks the code", async () => {
    const geodata = await publishAddresses(packTown(HEIDELBERG, STREETS));
    const asked = { ...FORWARD, now: 0 };
    const shown = async (text: string) => {
      const [{ formattedAddress, matched = [], confidence, number, postalCode }] = await answersTo(
        geodata,
        text,
        asked,
      );
      const parts = matched.map(([from, to]) => formattedAddress.slice(from, to));
      return { confidence, number, postalCode, parts: parts.join("|") };
    };
    const house = { number: "5", postalCode: "69117" };
    const wrong = await shown("Hauptstraße 5, 10115 Heidelberg");
    expect(wrong).toMatchObject({ ...house, confidence: "interpolated" });
    expect(wrong.parts).toMatch(/Hauptstraße 5/);
    expect(wrong.parts).toMatch(/Heidelberg/);
    expect(wrong.parts).not.toMatch(/69117/);
    const right = await shown("Hauptstraße 5, 69117 Heidelberg");
    expect(right).toMatchObject({ ...house, confidence: "exact" });
    expect(right.parts).toMatch(/69117/);
  });
});

describe("a text in Latin letters", () => {
  /** Records the words that are looked up. */
  class Recording extends AddressIndex {
    readonly asked: string[] = [];
    override tilesWith(wanted: WantedWords, ...more: [number, boolean]) {
      this.asked.push(...wanted.words.map(({ text }) => text));
      return super.tilesWith(wanted, ...more);
    }
  }
  const lookedUp = async (streets: readonly string[], text: string) => {
    const objects = packTown({ city: "Москва", countryCode: "RU" }, streets);
    const index = new Recording(keepDecoded(memorySource(objects)));
    const found = await searchInTurns([[index, world]], text, FORWARD);
    return { found, isCyrillic: index.asked.some((word) => /\p{Script=Cyrillic}/u.test(word)) };
  };

  it("is searched in the script of its country only where a build has the words", async () => {
    const { found, isCyrillic } = await lookedUp(["улица Фонвизина"], "ulitsa Fonvizina 5, Moscow");
    expect([found[0].number, isCyrillic]).toEqual(["5", true]);
    expect((await lookedUp(["Main Street"], "ulitsa Fonvizina 5, Moscow")).isCyrillic).toBe(false);
    expect((await lookedUp(["улица Фонвизина"], "ulitsa Qwxz 5, Moscow")).isCyrillic).toBe(false);
  });
});
