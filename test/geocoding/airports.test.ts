import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildKey } from "../../src/geo/manifest.ts";
import { LAYERS, type SearchOptions } from "../../src/geocoding/search.ts";
import { type Geodata, openGeodata } from "../../src/geodata/live.ts";
import { searchWithAirports } from "../../src/http/geocode/airports.ts";
import { addressesLayer } from "../../src/importer/addresses/addresses-layer.ts";
import type { OsmNode } from "../../src/importer/osm/element.ts";
import { writePbf } from "../../src/importer/osm/write-pbf.ts";
import { placesLayer } from "../../src/importer/places/places-layer.ts";
import { FakeBucket } from "../geodata/fake-bucket.ts";
import { EXTRACTS, runLayer } from "../regions/extract-harness.ts";

/** A coast of towns 40 km apart, each with a Lindenweg and a Seaside Road, and an airport with two codes at its end. */
const TOWNS = 40;
const AIRPORT = { latitude: 45, longitude: 30 };

function* coast(): Generator<OsmNode> {
  for (let i = 0; i < TOWNS; i++) {
    const at = { latitude: 45, longitude: 10 + i * 0.5 };
    for (const [k, street] of ["Lindenweg", "Seaside Road"].entries()) {
      const tags = { "addr:street": street, "addr:housenumber": "1", "addr:city": `Town ${i}` };
      yield { type: "node", id: 1000 + 2 * i + k, ...at, tags };
    }
  }
  const names = { name: "Flughafen Endstadt", "name:fr": "Aéroport du Bout" };
  yield { type: "node", id: 5000, ...AIRPORT, tags: { aeroway: "aerodrome", iata: "LIN; SEA", ...names } };
}

/** Both layers of one build, live. */
async function publish(extract: string): Promise<Geodata> {
  const bucket = new FakeBucket();
  const id = basename(extract);
  for (const layer of [addressesLayer, placesLayer])
    for (const [key, bytes] of (await runLayer(layer, [extract])).objects) bucket.put(buildKey(id, key), bytes);
  const build = { name: id, id, areas: [[-180, -90, 180, 90]], sources: [], previous: [] };
  const layers = { addresses: addressesLayer.formatVersion, places: placesLayer.formatVersion };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  return openGeodata(bucket, { now: 0, waitUntil: undefined });
}

const ALL: SearchOptions = { layers: new Set(LAYERS), limit: 10, language: "en", open: true };
let geodata: Geodata;
const ask = async (text: string, options: Partial<SearchOptions> = {}) =>
  (await searchWithAirports(geodata, text, { ...ALL, ...options })).map(({ name }) => name);

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "graticule-airports-"));
  await writePbf(join(folder, "coast.osm.pbf"), coast());
  geodata = await publish(join(folder, "coast.osm.pbf"));
  await rm(folder, { recursive: true });
}, 60_000);

describe("an airport", () => {
  const near = { latitude: 45, longitude: 12 };

  it.each(["LIN", "lin", " sea", "SEA"])(
    "is the first answer to its code: %j, however much begins so nearer by",
    async (code) => {
      for (const options of [{}, { near }, { open: false }, { near, open: false }])
        expect((await ask(code, options))[0]).toBe("Flughafen Endstadt");
      expect((await ask(code, { near })).length).toBeGreaterThan(1);
      expect((await ask(code, { near, limit: 1 })).length).toBe(1);
    },
  );

  it("is told once, with its distance from where one is, and in the language asked for", async () => {
    const found = await searchWithAirports(geodata, "LIN", { ...ALL, near, language: "fr" });
    const airports = found.filter(({ layer }) => layer === "place");
    expect(airports).toHaveLength(1);
    expect(airports[0]).toMatchObject({ name: "Aéroport du Bout", confidence: "exact", location: AIRPORT });
    expect(airports[0].distance).toBeCloseTo(1_413_000, -5);
  });

  it.each(["SEA Airport", "lin airport", "Flughafen LIN", "Flughafen Endstadt SEA"])(
    "is also found as %j",
    async (text) => {
      for (const open of [true, false]) expect((await ask(text, { open }))[0]).toBe("Flughafen Endstadt");
    },
  );

  it("is no answer where places were not asked for, or another country was", async () => {
    expect(await ask("LIN", { layers: new Set(["address"]) })).not.toContain("Flughafen Endstadt");
    expect(await ask("LIN", { countries: ["US"] })).toEqual([]);
  });
});

for (const [file, code, name] of [
  ["malta.osm.pbf", "MLA", "Malta International Airport"],
  ["milan-small.osm.pbf", "LIN", "Milano Linate"],
] as const) {
  const path = join(EXTRACTS, file);
  describe(`${name}${existsSync(path) ? "" : " (skipped: no extract)"}`, () => {
    it.skipIf(!existsSync(path))(
      "is found by its code, alone and with words",
      async () => {
        geodata = await publish(path);
        for (const text of [code, `${code} airport`, name]) {
          for (const open of [true, false]) expect([text, (await ask(text, { open }))[0]]).toEqual([text, name]);
        }
      },
      120_000,
    );
  });
}
