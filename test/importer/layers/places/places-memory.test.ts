import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PlacePacker, packPlaces } from "../../../../src/core/places/pack.ts";
import { placeKey } from "../../../../src/core/places/place.ts";
import type { PlaceRecord } from "../../../../src/core/places/tile.ts";
import { changed, PackedRings, PackedShape } from "../../../../src/core/regions/packed-shape.ts";
import { SpillFile } from "../../../../src/importer/frame/spill.ts";
import { ExternalSort } from "../../../../src/importer/sort/external-sort.ts";
import { randomFrom } from "../../../core/geocoding/sample.ts";

const folder = mkdtempSync(join(tmpdir(), "places-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("places that do not fit into memory", () => {
  const random = randomFrom(5);
  const chain = { slug: "corner", name: "Corner", domain: "corner.example" };
  const places = Array.from({ length: 12_000 }, (_, i): PlaceRecord => {
    const spread = i % 3 === 0 ? 2 : 0.05;
    return {
      key: placeKey("node", 1 + Math.floor(random() * 1e9)),
      name: `A place with a name of some length, number ${i}`,
      ...(i % 5 === 0 && { chain }),
      categories: [i % 40],
      location: { latitude: 48 + random() * spread, longitude: 8 + random() * spread },
      footprint: i % 100 === 0 ? 900 : 15,
      ...(i % 2 === 0 && { address: { number: `${i}`, street: "Road", city: "Town", stateCode: "", postalCode: "1" } }),
    };
  });

  it("make the same objects as those that do", () => {
    const airport = { iata: "ABC", place: places[5] };
    const expected = [...packPlaces(places, [airport])];
    const store = new SpillFile(join(folder, "places"));
    let runs = 0;
    const packer = new PlacePacker((name) => new ExternalSort({ path: join(folder, name), memory: 1 }), store);
    for (const place of places) packer.add(place);
    runs = readdirSync(folder).filter((name) => name.includes(".run-")).length;
    packer.addAirport(airport);
    const found = [...packer.finish((place) => place.chain?.domain)];
    store.close();
    expect(runs).toBeGreaterThan(1);
    expect(expected.filter(({ key }) => key.startsWith("places/tile/")).length).toBeGreaterThan(5);
    expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    for (const [i, { key, bytes }] of expected.entries())
      if (Buffer.compare(bytes, found[i].bytes) !== 0) expect.fail(`${key} differs`);
  });
});

describe("an outline that is packed", () => {
  const region = { kind: "county", rank: "import", code: "1", name: "Shire", country: "", state: "" } as const;

  it.each([
    [
      "on OpenStreetMap's grid",
      [
        [8.6543217, 49.1234567],
        [-179.9999999, -89.9999999],
        [180, 90],
        [8.6543217, 49.1234567],
      ],
    ],
    [
      "anywhere",
      [
        [8.654321712345, 49.1],
        [1 / 3, 2 / 3],
        [0, -0.1],
        [8.654321712345, 49.1],
      ],
    ],
  ])("has the same corners, %s", (_, ring) => {
    const shape = new PackedShape(region, new PackedRings([ring, ring.slice(1), []]));
    expect(shape.rings).toEqual([ring, ring.slice(1), []]);
  });

  it("keeps its outline when something else of it changes", () => {
    const shape = new PackedShape(
      region,
      new PackedRings([
        [
          [1, 2],
          [3, 4],
          [1, 2],
        ],
      ]),
    );
    const other = changed(shape, { country: "US", dma: { code: "501", name: "New York" } });
    expect(other).toMatchObject({
      ...region,
      country: "US",
      dma: { code: "501", name: "New York" },
      rings: shape.rings,
    });
    expect(other.packed).toBe(shape.packed);
  });
});
