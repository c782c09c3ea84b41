import { beforeAll, describe, expect, it } from "vitest";
import type { Bounds } from "../../../../src/core/geo/builds/manifest.ts";
import { LINE, POINT, POLYGON, ringArea } from "../../../../src/core/maps/tiles/mvt.ts";
import { importBasemap, Sketch } from "./import-basemap.ts";

/** A box of some 2 km on the equator; one tile of zoom 15 is 0.011° wide. */
const BOX: Bounds = [0, 0, 0.02, 0.02];
const HERE: [number, number] = [0.005, 0.005];

async function draw(make: (sketch: Sketch) => void, bounds = BOX) {
  const sketch = new Sketch();
  // An extract is taken to reach as far as its nodes.
  sketch.node(bounds[0], bounds[1], {});
  sketch.node(bounds[2], bounds[3], {});
  make(sketch);
  return importBasemap(sketch.elements, bounds);
}

describe("house numbers", () => {
  it("stand at their points and in the middle of their buildings, at the greatest zoom alone", async () => {
    const map = await draw((sketch) => {
      sketch.node(0.004, 0.004, { "addr:housenumber": "12a", "addr:street": "Main Street" });
      sketch.node(0.006, 0.004, { "addr:housenumber": "1-3;5;7;9;11", "addr:street": "Main Street" });
      sketch.way(
        [
          [0.005, 0.005],
          [0.0054, 0.005],
          [0.0054, 0.0054],
          [0.005, 0.0054],
          [0.005, 0.005],
        ],
        { building: "yes", "addr:housenumber": "14" },
      );
    });
    const numbers = async (zoom: number) =>
      (await map.features("buildings", zoom, ...HERE)).flatMap(({ properties }) => properties.addr_housenumber ?? []);
    expect((await numbers(15)).sort()).toEqual(["12a", "14"]);
    expect(await numbers(14)).toEqual([]);
  });
});

describe("roads", () => {
  /** Roads with these numbers, side by side. */
  const NUMBERS = ["I 80", "US 101;CA 1", "CA 1", "NY 9A", "CA-34", "A 5"];
  let numbered: ReturnType<typeof draw>;
  beforeAll(() => {
    numbered = draw((sketch) => {
      for (const [i, ref] of NUMBERS.entries()) {
        const latitude = 0.002 + i * 0.001;
        const line = [0.001, 0.008].map((longitude): [number, number] => [longitude, latitude]);
        sketch.way(line, { highway: "trunk", ref, name: `Road ${i}` });
      }
    });
    return numbered;
  });

  it.each([
    ["I 80", "80", "US:I"],
    ["US 101;CA 1", "101", "US:US"],
    ["CA 1", "1", "US:CA"],
    ["NY 9A", "9A", "US:NY"],
    ["CA-34", "CA-34", "other"],
    ["A 5", "A5", "other"],
  ])("of the number %s have the shield %s of %s", async (ref, text, network) => {
    const roads = await (await numbered).features("roads", 15, ...HERE);
    const road = roads.find(({ properties }) => properties.name === `Road ${NUMBERS.indexOf(ref)}`);
    expect([road?.properties.shield_text, road?.properties.network]).toEqual([text, network]);
  });

  it("carry class, name, number and what renderers order them by", async () => {
    const map = await draw((sketch) => {
      sketch.way(
        [
          [0.001, 0.004],
          [0.008, 0.004],
        ],
        {
          ...{
            highway: "motorway",
            ref: "I 90;US 12",
            name: "Interstate 90",
            "name:es": "Interestatal 90",
            bridge: "yes",
          },
        },
      );
      sketch.way(
        [
          [0.001, 0.005],
          [0.008, 0.005],
        ],
        { highway: "residential", name: "Main Street", oneway: "-1" },
      );
      sketch.way(
        [
          [0.001, 0.006],
          [0.008, 0.006],
        ],
        { highway: "primary_link", tunnel: "yes" },
      );
      sketch.way(
        [
          [0.001, 0.007],
          [0.008, 0.007],
        ],
        { highway: "footway" },
      );
      sketch.way(
        [
          [0.001, 0.003],
          [0.008, 0.003],
        ],
        { railway: "rail", service: "yard" },
      );
      sketch.way(
        [
          [0.001, 0.002],
          [0.008, 0.002],
        ],
        { route: "ferry", name: "Old ferry" },
      );
      sketch.way(
        [
          [0.001, 0.001],
          [0.008, 0.001],
        ],
        { highway: "proposed" },
      );
    });
    const roads = await map.features("roads", 15, ...HERE);
    const kinds = roads.map(({ properties }) => properties);
    expect(kinds).toContainEqual({
      kind: "highway",
      kind_detail: "motorway",
      sort_rank: 400,
      is_bridge: true,
      oneway: "yes",
      name: "Interstate 90",
      "name:es": "Interestatal 90",
      ref: "I 90",
      shield_text: "90",
      network: "US:I",
    });
    expect(kinds).toContainEqual(
      expect.objectContaining({ kind: "minor_road", kind_detail: "residential", name: "Main Street", oneway: "-1" }),
    );
    expect(kinds).toContainEqual(expect.objectContaining({ kind: "major_road", is_link: true, is_tunnel: true }));
    expect(kinds).toContainEqual(expect.objectContaining({ kind: "rail", kind_detail: "rail", service: "yard" }));
    expect(kinds).toContainEqual(expect.objectContaining({ kind: "ferry", name: "Old ferry" }));
    expect(kinds.map(({ kind }) => kind)).toEqual(["major_road", "path", "minor_road", "rail", "ferry", "highway"]);
    expect(roads.every(({ type }) => type === LINE)).toBe(true);
  });

  it("show from zooms that suit their class, names and bridges later", async () => {
    const map = await draw((sketch) => {
      sketch.way(
        [
          [0.0001, 0.004],
          [0.019, 0.004],
        ],
        { highway: "motorway", name: "A 1", ref: "A 1", bridge: "yes" },
      );
      sketch.way(
        [
          [0.0001, 0.005],
          [0.019, 0.005],
        ],
        { highway: "residential", name: "Main Street" },
      );
    });
    const far = await map.features("roads", 11, ...HERE);
    expect(far.map(({ properties }) => properties)).toEqual([
      {
        kind: "highway",
        kind_detail: "motorway",
        sort_rank: 400,
        name: "A 1",
        ref: "A 1",
        shield_text: "A1",
        network: "other",
      },
    ]);
    const near = await map.features("roads", 13, ...HERE);
    expect(near.map(({ properties }) => [properties.kind, properties.name, properties.is_bridge])).toEqual([
      ["minor_road", undefined, undefined],
      ["highway", "A 1", true],
    ]);
  });

  it("that continue each other under one name are one line", async () => {
    const map = await draw((sketch) => {
      for (let i = 0; i < 5; i++) {
        sketch.way(
          [
            [0.001 * i, 0.004],
            [0.001 * (i + 1), 0.004],
          ],
          { highway: "residential", name: "Long Street" },
        );
      }
    });
    const [road, ...others] = await map.features("roads", 15, ...HERE);
    expect(others).toEqual([]);
    expect(road.parts.length).toBe(1);
  });

  it("end where the extract ends, even when their nodes lie beyond", async () => {
    const map = await draw((sketch) => {
      sketch.way(
        [
          [0.015, 0.004],
          [0.03, 0.004],
        ],
        { highway: "residential" },
      );
    });
    expect(await map.features("roads", 15, 0.0195, 0.005)).toHaveLength(1);
    expect(await map.features("roads", 15, 0.025, 0.005)).toHaveLength(0);
  });
});

describe("areas", () => {
  it("are land use, water and buildings, small ones on large ones", async () => {
    const map = await draw((sketch) => {
      sketch.square(0.001, 0.001, 0.001, { leisure: "pitch" });
      sketch.square(0.0005, 0.0005, 0.008, { landuse: "residential" });
      sketch.square(0.003, 0.003, 0.002, { natural: "water", water: "pond", name: "Duck Pond" });
      sketch.square(0.006, 0.006, 0.0004, { building: "yes", "building:levels": "4" });
      sketch.square(0.007, 0.006, 0.0004, { building: "no" });
    });
    const landuse = await map.features("landuse", 15, ...HERE);
    expect(landuse.map(({ properties }) => properties.kind)).toEqual(["residential", "pitch"]);
    expect((await map.features("buildings", 15, ...HERE)).map(({ properties }) => properties)).toEqual([
      { kind: "building", height: 12 },
    ]);
    const water = await map.features("water", 15, ...HERE);
    expect(water.map(({ type, properties }) => [type, properties.kind, properties.name])).toEqual([
      [POLYGON, "water", undefined],
      [POINT, "water", "Duck Pond"],
    ]);
  });

  it("made of several ways keep their holes, and rings run as the format wants", async () => {
    const map = await draw((sketch) => {
      const south = sketch.way(
        [
          [0.001, 0.005],
          [0.001, 0.001],
          [0.008, 0.001],
          [0.008, 0.005],
        ],
        {},
      );
      const north = sketch.way(
        [
          [0.008, 0.005],
          [0.008, 0.008],
          [0.001, 0.008],
          [0.001, 0.005],
        ],
        {},
      );
      const island = sketch.square(0.004, 0.004, 0.001, {});
      sketch.relation([south, north, island], { type: "multipolygon", natural: "water", water: "lake" });
    });
    const [lake] = await map.features("water", 15, ...HERE);
    expect(lake.parts.map((ring) => Math.sign(ringArea(ring)))).toEqual([1, -1]);
  });

  it("too small for a zoom are left out, and equal ones are one feature", async () => {
    const map = await draw((sketch) => {
      for (let i = 0; i < 10; i++) sketch.square(0.001 + i * 0.0008, 0.001, 0.0004, { building: "yes" });
      sketch.square(0.001, 0.003, 0.000_01, { building: "yes" });
    });
    expect(await map.features("buildings", 15, ...HERE)).toHaveLength(11);
    const [together, ...others] = await map.features("buildings", 14, ...HERE);
    expect([together.parts.length, others.length]).toEqual([10, 0]);
    expect(await map.features("buildings", 12, ...HERE)).toEqual([]);
  });
});

describe("names", () => {
  it("of places tell their kind, people and the languages that differ", async () => {
    const map = await draw((sketch) => {
      sketch.node(0.004, 0.004, {
        place: "town",
        name: "Köln",
        "name:en": "Cologne",
        "name:de": "Köln",
        population: "12,000",
      });
      sketch.node(0.006, 0.004, { place: "suburb", name: "Deutz" });
      sketch.node(0.007, 0.004, { place: "village" });
    });
    const places = (await map.features("places", 15, ...HERE)).map(({ properties }) => properties);
    expect(places).toContainEqual(
      expect.objectContaining({ kind: "locality", kind_detail: "town", name: "Köln", "name:en": "Cologne" }),
    );
    expect(places.find(({ kind }) => kind === "locality")).not.toHaveProperty("name:de");
    expect(places).toContainEqual(expect.objectContaining({ kind: "macrohood", kind_detail: "suburb", name: "Deutz" }));
    expect(places).toHaveLength(2);
  });

  it("of what is worth a visit say from which zoom they fit", async () => {
    const map = await draw((sketch) => {
      sketch.node(0.004, 0.004, { amenity: "cafe", name: "Café Null" });
      sketch.node(0.005, 0.004, { amenity: "cafe" });
      sketch.node(0.006, 0.004, { railway: "station", name: "Central" });
      sketch.square(0.001, 0.005, 0.004, { leisure: "park", name: "Null Park" });
    });
    const pois = (await map.features("pois", 15, ...HERE)).map(({ properties }) => properties);
    expect(pois).toEqual(
      expect.arrayContaining([
        { kind: "cafe", name: "Café Null", min_zoom: 17 },
        { kind: "station", name: "Central", min_zoom: 13 },
        expect.objectContaining({ kind: "park", name: "Null Park" }),
      ]),
    );
    expect(pois).toHaveLength(3);
    expect(await map.features("pois", 13, ...HERE)).toHaveLength(1);
  });
});

describe("borders", () => {
  it("are drawn once, for the highest level, and not at sea", async () => {
    const map = await draw((sketch) => {
      const shared = sketch.way(
        [
          [0.005, 0.001],
          [0.005, 0.008],
        ],
        {},
      );
      const sea = sketch.way(
        [
          [0.006, 0.001],
          [0.006, 0.008],
        ],
        { maritime: "yes" },
      );
      sketch.relation([shared, sea], { type: "boundary", boundary: "administrative", admin_level: "4" });
      sketch.relation([shared, sea], { type: "boundary", boundary: "administrative", admin_level: "2" });
      sketch.relation([shared], { type: "boundary", boundary: "administrative", admin_level: "8" });
    });
    const borders = await map.features("boundaries", 14, ...HERE);
    expect(borders.map(({ properties }) => properties)).toEqual([{ kind: "country", kind_detail: 2 }]);
  });
});

describe("the archive of an import", () => {
  it("is the same bytes every time", async () => {
    const make = (sketch: Sketch) => {
      sketch.square(0.001, 0.001, 0.004, { landuse: "forest", name: "Wood" });
      sketch.way(
        [
          [0.001, 0.004],
          [0.018, 0.014],
        ],
        { highway: "primary", name: "High Street" },
      );
    };
    expect((await draw(make)).bytes).toEqual((await draw(make)).bytes);
  });

  it("begins at the zoom where the extract is a few pixels large, and ends at 15", async () => {
    const { archive, counts } = await draw((sketch) => sketch.square(0.001, 0.001, 0.004, { landuse: "forest" }));
    expect([archive.header.minZoom, archive.header.maxZoom]).toEqual([10, 15]);
    expect(archive.header.bounds).toEqual(BOX);
    expect(counts).toMatchObject({ earth: 1, landuse: 1, tiles: archive.header.addressed });
  });

  it("crosses the 180th meridian in one piece", async () => {
    const map = await draw(
      (sketch) => {
        sketch.way(
          [
            [179.995, 0.004],
            [-179.995, 0.004],
          ],
          { highway: "primary" },
        );
      },
      [179.99, 0, -179.99, 0.01],
    );
    for (const longitude of [179.998, -179.998]) {
      const [road] = await map.features("roads", 15, longitude, 0.004);
      expect(road.parts).toHaveLength(1);
      // No line across the whole world.
      expect(await map.features("roads", 15, 0, 0.004)).toEqual([]);
    }
    expect(await map.features("earth", 15, 179.998, 0.004)).toHaveLength(1);
  });
});
