import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LAYERS, type SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import type { OsmNode } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { searchWithAirports } from "../../../src/worker/answers/geocode/airports.ts";
import type { Geodata } from "../../../src/worker/geodata/live.ts";
import { publish } from "./live-build.ts";

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
