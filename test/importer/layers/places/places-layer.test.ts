import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeEach, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { distance } from "../../../../src/core/geo/distance.ts";
import { PlaceIndex } from "../../../../src/core/places/place-index.ts";
import { ImportError } from "../../../../src/importer/common/import-error.ts";
import { footprintOf, footprintOfParts, POINT_FOOTPRINT } from "../../../../src/importer/layers/places/footprint.ts";
import { readOperatorPlaces } from "../../../../src/importer/layers/places/operator-places.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { readCsv } from "../../../../src/worker/wire/tables/csv.ts";
import { importPlaces } from "../../../core/places/import-places.ts";

/** A square way of about 111 × 111 m on the equator, its corner at (0, x / 1000). */
function square(id: number, x: number, tags: Tags): OsmElement[] {
  const corner = (k: number, dx: number, dy: number): OsmElement => ({
    type: "node",
    id: id * 10 + k,
    latitude: dy / 1000,
    longitude: (x + dx) / 1000,
    tags: {},
  });
  const refs = [0, 1, 2, 3, 0].map((k) => id * 10 + k);
  return [corner(0, 0, 0), corner(1, 1, 0), corner(2, 1, 1), corner(3, 0, 1), { type: "way", id, refs, tags }];
}

const sorted = (elements: OsmElement[]) => {
  const order = { node: 0, way: 1, relation: 2 };
  return elements.sort((a, b) => order[a.type] - order[b.type] || a.id - b.id);
};

describe("places from an extract", () => {
  it("are nodes, ways with their middle and size, and relations", async () => {
    const { places, counts } = await importPlaces(
      sorted([
        { type: "node", id: 1, latitude: 0.01, longitude: 0, tags: { amenity: "cafe", name: "Café Null" } },
        { type: "node", id: 2, latitude: 0.01, longitude: 0, tags: { amenity: "cafe" } },
        { type: "node", id: 3, latitude: 0.01, longitude: 0, tags: { amenity: "cafe", brand: "Latitude Coffee" } },
        { type: "node", id: 4, latitude: 0.01, longitude: 0, tags: { amenity: "bench", name: "Bench" } },
        { type: "node", id: 5, latitude: 0.01, longitude: 0, tags: { shop: "toys", name: "Gone", disused: "yes" } },
        ...square(10, 0, { leisure: "park", name: "Null Park" }),
        ...square(11, 5, {}),
        {
          type: "relation",
          id: 20,
          members: [{ type: "way", ref: 11, role: "outer" }],
          tags: { type: "multipolygon", amenity: "hospital", name: "General" },
        },
        { type: "way", id: 30, refs: [999], tags: { amenity: "school", name: "Nowhere" } },
      ]),
    );
    expect(counts).toMatchObject({
      places: 4,
      "left out: no name": 1,
      "left out: disused": 1,
      "left out: no geometry": 1,
    });
    const byName = new Map(places.map((place) => [place.name, place]));
    expect([...byName.keys()].sort()).toEqual(["Café Null", "General", "Latitude Coffee", "Null Park"]);
    expect(byName.get("Latitude Coffee")?.chain).toEqual({ slug: "latitude-coffee", name: "Latitude Coffee" });
    const park = byName.get("Null Park")!;
    expect(distance(park.location, { latitude: 0.0005, longitude: 0.0005 })).toBeLessThan(0.1);
    // A circle as large as 111.2 × 111.2 m.
    expect(park.footprint).toBe(63);
    expect(byName.get("Café Null")!.footprint).toBe(POINT_FOOTPRINT);
    expect(byName.get("General")!.id).toBe("706c61632000000000000014");
  });

  it("have the address that their tags tell, and their chain the domain that they share", async () => {
    const shop = (id: number, tags: Record<string, string>): OsmElement => ({
      type: "node",
      id,
      latitude: id / 1000,
      longitude: 0,
      tags: {
        shop: "bakery",
        name: "Null Bakery",
        brand: "Null Bakery",
        website: "https://www.null.example/",
        ...tags,
      },
    });
    const address = {
      "addr:housenumber": "5",
      "addr:street": "Meridian Road",
      "addr:city": "Null",
      "addr:postcode": "0",
    };
    const { places } = await importPlaces([shop(1, address), shop(2, { "addr:city": "Null" })]);
    const [first, second] = [...places].sort((a, b) => a.location.latitude - b.location.latitude);
    expect(first.address).toEqual({
      number: "5",
      street: "Meridian Road",
      city: "Null",
      stateCode: "",
      postalCode: "0",
    });
    expect(second.address).toBeUndefined();
    expect([first.chain?.domain, second.chain?.domain]).toEqual(["null.example", "null.example"]);
  });

  it("take an operator's list beside them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "operator-"));
    try {
      const file = join(folder, "ours.csv");
      writeFileSync(
        file,
        'name,latitude,longitude,categories,chain,id\n"Depot, North",10,20,warehouse-store,Bulk Parallel,D1\n',
      );
      const { objects, counts } = await importPlaces([], file);
      expect(counts["places of the operator"]).toBe(1);
      const index = new PlaceIndex(decodeEach(memorySource(objects)));
      const found = await index.near(
        { latitude: 10, longitude: 20 },
        { radius: 10, limit: 10, chains: new Set(["bulk-parallel"]) },
      );
      expect(found.map(({ place }) => [place.name, place.categories])).toEqual([
        ["Depot, North", ["shopping-retail", "warehouse-store"]],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("an operator's list of places", () => {
  const read = (text: string) => readOperatorPlaces(text, "ours.csv");

  it("keeps its ids when other things about a place change", () => {
    const [before] = read("id,name,latitude,longitude\nA,Old name,1,2\n");
    const [after] = read("name,longitude,latitude,id\nNew name,4,3,A\n");
    expect(after.key).toEqual(before.key);
    expect(read("name,latitude,longitude\nX,1,2\n")[0].key).not.toEqual(before.key);
  });

  it("takes several categories and any order of columns", () => {
    const [{ categories, chain }] = read(
      "Longitude,Latitude,Name,Categories\r\n2,1,Stop,gas-station; convenience-store\r\n",
    );
    expect(categories.length).toBe(2);
    expect(chain).toBeUndefined();
  });

  const mistakes: [what: string, text: string, message: RegExp][] = [
    ["no header", "", /no column name, latitude, longitude/],
    ["a missing column", "name,lat\nX,1\n", /no column latitude, longitude/],
    ["no name", "name,latitude,longitude\n,1,2\n", /line 2: the place has no name/],
    ["a latitude of 91", "name,latitude,longitude\n\nX,91,2\n", /line 3: "91", "2"/],
    ["a missing longitude", "name,latitude,longitude\nX,1,\n", /line 2/],
    [
      "an unknown category",
      "name,latitude,longitude,categories\nX,1,2,moon-base\n",
      /line 2: there is no category "moon-base"/,
    ],
    ["the same id twice", "name,latitude,longitude,id\nX,1,2,A\nY,3,4,A\n", /lines 2 and 3 are the same place/],
  ];
  for (const [what, text, message] of mistakes) {
    it(`is refused with ${what}, and the line is named`, () => {
      expect(() => read(text)).toThrow(message);
      expect(() => read(text)).toThrow(ImportError);
    });
  }
});

describe("CSV", () => {
  const cells = (text: string) => readCsv(text).map((row) => row.cells);
  const cases: [text: string, cells: string[][]][] = [
    ["", []],
    [
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a\rb", [["a"], ["b"]]],
    ['"a,b","c ""d"""\n', [["a,b", 'c "d"']]],
    ['"two\nlines",x\n', [["two\nlines", "x"]]],
    ["a,,\n", [["a", "", ""]]],
    ["a,b,", [["a", "b", ""]]],
    ["\ufeffa\n\n\nb\n", [["a"], ["b"]]],
    ['"open', [["open"]]],
    ['"a"b,c', [["ab", "c"]]],
  ];
  for (const [text, expected] of cases) it(JSON.stringify(text), () => expect(cells(text)).toEqual(expected));

  it("knows on which line a row starts", () => {
    expect(readCsv('a\n"b\nc"\nd').map(({ line }) => line)).toEqual([1, 2, 4]);
  });
});

describe("the footprint of a place", () => {
  const ring = (x: number, size: number): [number, number][] => [
    [x, 0],
    [x + size, 0],
    [x + size, size],
    [x, size],
    [x, 0],
  ];

  it("of parts is the area of all of them around the largest, without the holes", () => {
    const two = footprintOfParts([
      { outer: ring(0, 0.01), inner: [ring(0.002, 0.006)] },
      { outer: ring(0.02, 0.002), inner: [] },
    ]);
    expect(two?.center.longitude).toBeCloseTo(0.005, 6);
    const area = (100 - 36 + 4) * 111.195 ** 2;
    expect(two?.radius).toBeCloseTo(Math.sqrt(area / Math.PI), 0);
    expect(footprintOfParts([])).toBeUndefined();
  });

  it("of a line is that of a point in its middle, also across the 180th meridian", () => {
    expect(footprintOf([])).toBeUndefined();
    expect(footprintOf([[1, 2]])).toEqual({ center: { latitude: 2, longitude: 1 }, radius: POINT_FOOTPRINT });
    const across = footprintOf([
      [179.9, 0],
      [-179.7, 0],
    ]);
    expect(across?.center.longitude).toBeCloseTo(-179.9, 9);
    const square = footprintOf([
      [179.999, 0],
      [-179.999, 0],
      [-179.999, 0.002],
      [179.999, 0.002],
      [179.999, 0],
    ]);
    expect(square?.radius).toBeCloseTo(Math.sqrt((222.39 * 222.39) / Math.PI), 0);
  });
});
