import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { boroughOf, isWrittenBeside } from "../../../src/core/regions/boroughs.ts";
import { RegionIndex, tilesFrom } from "../../../src/core/regions/region-index.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import type { OsmElement, OsmNode, Tags } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { runLayer } from "./extract-harness.ts";

const [LATITUDE, LONGITUDE] = [49.25, -123.1];
const METRE = 1 / 111_195;
/** So many metres east and north of the middle. */
const at = (east: number, north: number) => ({
  latitude: LATITUDE + north * METRE,
  longitude: LONGITUDE + (east * METRE) / Math.cos((LATITUDE * Math.PI) / 180),
});
const node = (id: number, east: number, north: number, tags: Tags): OsmNode => ({
  type: "node",
  id,
  ...at(east, north),
  tags,
});

const PARTS = [
  node(1, 0, 0, { place: "suburb", name: "Fairview" }),
  node(2, 1200, 0, { place: "neighbourhood", name: "Cambie" }),
  node(3, 0, 1400, { place: "quarter", name: "Yaletown" }),
  node(4, -3000, 0, { place: "village", name: "Village" }),
  node(5, 0, -200, { place: "city", name: "Vancouver" }),
  node(6, 400, 400, { place: "borough", name: "West Side" }),
  node(7, 9000, 0, { place: "suburb", name: "Far" }),
  node(8, 300, 0, { place: "square", name: "Square" }),
  node(9, -500, -500, { place: "suburb" }),
];
/** A neighborhood with a boundary, in which the point of another is. */
const SQUARE: [east: number, north: number][] = [
  [8000, -1000],
  [8800, -1000],
  [8800, 1000],
  [8000, 1000],
];
const DRAWN: OsmElement[] = [
  ...SQUARE.map(([east, north], i) => node(20 + i, east, north, {})),
  { type: "way", id: 30, refs: [20, 21, 22, 23, 20], tags: {} },
  {
    type: "relation",
    id: 40,
    members: [{ type: "way", ref: 30, role: "outer" }],
    tags: { type: "boundary", boundary: "administrative", admin_level: "10", name: "Drawn" },
  },
];

let folder: string;
let index: RegionIndex;
let counts: Record<string, number>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "graticule-places-"));
  const path = join(folder, "places.osm.pbf");
  await writePbf(path, [...PARTS, ...DRAWN], { bounds: [-123.3, 49.1, -122.9, 49.4] });
  const built = await runLayer(osmRegions, [path]);
  counts = built.counts;
  index = new RegionIndex([tilesFrom(memorySource(built.objects))]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

const around = async (east: number, north: number) => {
  const { neighborhood, borough } = await index.regionsAt(at(east, north));
  return [neighborhood?.name, borough?.name];
};

describe("a neighborhood that is a point", () => {
  it.each<[east: number, north: number, neighborhood: string | undefined]>([
    [0, 0, "Fairview"],
    [590, 0, "Fairview"],
    [620, 0, "Cambie"],
    [2100, 0, "Cambie"],
    [2350, 0, undefined],
    [0, 690, "Fairview"],
    [0, 720, "Yaletown"],
    [-1480, 0, "Fairview"],
    [-1520, 0, undefined],
    [0, -2300, "Fairview"],
    [0, -2550, undefined],
    [8900, 0, "Far"],
    [8700, 0, "Drawn"],
  ])("is what is nearer to it than to another, within its reach: %d m east, %d m north", async (east, north, name) => {
    expect((await around(east, north))[0]).toBe(name);
  });

  it("is the nearest of all at every point that it holds", async () => {
    const points = PARTS.filter(({ tags }) => /suburb|quarter|neighbourhood|village/.test(tags.place) && tags.name);
    let held = 0;
    for (let east = -2900; east <= 2900; east += 290) {
      for (let north = -2900; north <= 2900; north += 310) {
        const point = at(east, north);
        const [name] = await around(east, north);
        if (!name) continue;
        held++;
        const away = points.map((one) => ({ name: one.tags.name, away: distance(point, one) }));
        away.sort((a, b) => a.away - b.away);
        // Within a metre of a middle line either is right.
        const isNearest = away.some((one) => one.name === name && one.away < away[0].away + 2);
        expect([east, north, name, isNearest]).toEqual([east, north, name, true]);
      }
    }
    expect(held).toBeGreaterThan(100);
  });

  it("counts no city, square or point without a name", () => {
    expect(counts["neighborhood around a point"]).toBe(4);
    expect(counts["borough around a point"]).toBe(1);
  });

  it("is beside a borough, which only other boroughs end", async () => {
    expect(await around(620, 0)).toEqual(["Cambie", "West Side"]);
    expect(await around(5500, 0)).toEqual([undefined, "West Side"]);
  });

  it("across the 180th meridian is one area", async () => {
    const path = join(folder, "fiji.osm.pbf");
    const suva: OsmNode = {
      type: "node",
      id: 1,
      latitude: -17,
      longitude: 179.995,
      tags: { place: "suburb", name: "Edge" },
    };
    const other: OsmNode = { ...suva, id: 2, longitude: -179.99, tags: { place: "suburb", name: "Beyond" } };
    await writePbf(path, [suva, other], { bounds: [179.9, -17.1, -179.9, -16.9] });
    const fiji = new RegionIndex([tilesFrom(memorySource((await runLayer(osmRegions, [path])).objects))]);
    const nameAt = async (longitude: number) => (await fiji.regionsAt({ latitude: -17, longitude })).neighborhood?.name;
    expect([await nameAt(179.99), await nameAt(-179.999), await nameAt(-179.995)]).toEqual(["Edge", "Edge", "Beyond"]);
  });
});

describe("a borough of New York", () => {
  const queens = { county: { code: "36081", name: "Queens County" } };

  it("is its county, unless the data draws it", () => {
    expect(boroughOf(queens)?.name).toBe("Queens");
    expect(boroughOf({ ...queens, borough: { code: "", name: "Queens Borough" } })?.name).toBe("Queens Borough");
    expect(boroughOf({ county: { code: "36059", name: "Nassau County" } })).toBeUndefined();
    expect(boroughOf({})).toBeUndefined();
  });

  it("is written beside New York, not beside a part of itself", () => {
    expect(isWrittenBeside(queens, "Queens", "New York")).toBe(true);
    expect(isWrittenBeside(queens, "Queens", "Queens Village")).toBe(false);
    expect(isWrittenBeside({ ...queens, borough: { code: "", name: "Queens" } }, "Queens", "Elsewhere")).toBe(true);
  });
});
