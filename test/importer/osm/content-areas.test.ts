import { describe, expect, it } from "vitest";
import { RADIANS } from "../../../src/core/geo/distance.ts";
import { CellCounter, cellOf, contentOf, isFar } from "../../../src/importer/osm/read/content-areas.ts";
import { seeded } from "../../core/routing/graph/random-town.ts";

function random(seed: number): (below: number) => number {
  const next = seeded(seed);
  return (below) => Math.floor(next() * below);
}

type Place = readonly [latitude: number, longitude: number];

const cellsOf = (places: readonly Place[]) => {
  const counter = new CellCounter();
  for (const [latitude, longitude] of places) counter.add(Math.round(latitude * 1e7), Math.round(longitude * 1e7));
  return counter.cells;
};
const contentAt = (...files: (readonly Place[])[]) => contentOf(files.map(cellsOf));
const clusterAt = ({ clusters }: ReturnType<typeof contentOf>, [latitude, longitude]: Place) =>
  clusters?.[cellOf(Math.round(latitude * 1e7), Math.round(longitude * 1e7))] ?? 1;

/** So many nodes around a place. */
const town = (latitude: number, longitude: number, nodes = 400): Place[] =>
  Array.from({ length: nodes }, (_, i): Place => [latitude + (i % 20) / 1000, longitude + Math.floor(i / 20) / 1000]);

describe("the clusters of nodes", () => {
  it("are those of a comparison of all pairs of cells, also at the poles and the 180th meridian", () => {
    const pick = random(7);
    for (let round = 0; round < 60; round++) {
      const [spread, middle] = [[8, 40, 179][pick(3)], pick(360) - 180];
      const places = Array.from({ length: 4 + pick(60) }, (): Place => {
        const latitude = Math.max(-89.5, Math.min(89.5, (pick(1800) - 900) / 10));
        return [latitude, ((middle + pick(2 * spread) - spread + 540) % 360) - 180];
      });
      const cells = places.map(([latitude, longitude]) => [Math.floor(latitude) + 90, Math.floor(longitude) + 180]);
      const near = (a: number[], b: number[]) => {
        const apart = Math.abs(a[1] - b[1]);
        const reach = (row: number) => Math.min(180, Math.ceil(3 / Math.cos((row - 89.5) * RADIANS)));
        const columns = Math.min(apart, 360 - apart);
        return Math.abs(a[0] - b[0]) <= 3 && columns <= Math.max(reach(a[0]), reach(b[0]));
      };
      const group = cells.map((_, i) => i);
      for (let changed = true; changed; ) {
        changed = false;
        for (const [i, a] of cells.entries())
          for (const [j, b] of cells.entries())
            if (group[i] > group[j] && near(a, b)) {
              group[i] = group[j];
              changed = true;
            }
      }
      const content = contentAt(places);
      for (const i of cells.keys())
        for (const j of cells.keys()) {
          const together = clusterAt(content, places[i]) === clusterAt(content, places[j]);
          expect(together, JSON.stringify([places[i], places[j]])).toBe(group[i] === group[j]);
        }
    }
  });
});

describe("what an extract covers", () => {
  it.each<[string, Place]>([
    ["null island", [0, 0]],
    ["swapped axes", [12.5, 41.9]],
    ["a lost sign", [-41.9, 12.5]],
    ["the north pole", [90, 0]],
    ["the south pole", [-90, -180]],
    ["the 180th meridian", [41.9, 180]],
    ["the −180th", [41.9, -180]],
    ["degrees that were divided", [41.9e-7, 12.5e-7]],
    ["no place on Earth", [120, 12]],
  ])("is not stretched by a node at %s", (_, stray) => {
    const plain = contentAt(town(41.9, 12.5)).files[0];
    const content = contentAt([...town(41.9, 12.5), stray]);
    expect(content.files[0]).toEqual(plain);
    if (content.clusters) expect(isFar(clusterAt(content, stray))).toBe(true);
    expect(isFar(clusterAt(content, [41.9, 12.5]))).toBe(false);
  });

  it.each<[string, Place[]]>([
    ["null island", [[0, 0]]],
    [
      "both poles",
      [
        [89.9999, 30],
        [-90, 12],
      ],
    ],
    ["the 180th meridian", [[-41.9, 180]]],
  ])("is the likely place where there are as few nodes as at %s", (_, strays) => {
    const content = contentAt([...strays, [41.9, 12.5]]);
    expect(content.files[0].areas).toEqual([[12.5, 41.9, 12.5, 41.9]]);
    for (const stray of strays) expect(isFar(clusterAt(content, stray))).toBe(true);
  });

  it("is two areas where it is a country and an island on the other side of the Earth", () => {
    const { files, clusters } = contentAt([...town(47, 2), ...town(-21.1, 55.5, 60)]);
    expect(files[0].areas).toHaveLength(2);
    expect(files[0].bounds).toEqual([2, -21.1, 55.502, 47.019]);
    expect([...new Set(clusters)].some(isFar)).toBe(true);
    expect(isFar(clusterAt({ files, clusters }, [-21.1, 55.5]))).toBe(false);
  });

  it("holds a single node where there is nothing else, wherever that is", () => {
    for (const place of [
      [0, 0],
      [90, 0],
      [41.9, 180],
      [12, 34],
    ] as Place[])
      expect(contentAt([place]).files[0].bounds).toEqual([place[1], place[0], place[1], place[0]]);
    expect(contentAt([]).files[0]).toEqual({ areas: [], bounds: undefined });
  });

  it("leaves out nothing of what is spread thinly over the Earth", () => {
    const pick = random(3);
    const lighthouses = Array.from({ length: 500 }, (): Place => [pick(140) - 70 + 0.5, pick(360) - 180 + 0.5]);
    const content = contentAt(lighthouses);
    for (const place of lighthouses) expect(isFar(clusterAt(content, place))).toBe(false);
    expect(content.files[0].areas.length).toBeLessThanOrEqual(32);
  });

  it("is never 0, 0 alone, however many nodes a program wrote there", () => {
    const zeros = Array.from({ length: 900 }, (): Place => [0, 0]);
    const content = contentAt([...town(48, 2), ...zeros]);
    expect(isFar(clusterAt(content, [0, 0]))).toBe(true);
    expect(isFar(clusterAt(content, [48, 2]))).toBe(false);
    expect(content.files[0].bounds?.[1]).toBe(48);
  });

  it("keeps a small file that is imported with a large one, and what is at home around 0, 0", () => {
    const small = [[-33.9, 151.2]] as Place[];
    const both = contentAt(town(41.9, 12.5, 4000), small);
    expect(isFar(clusterAt(both, small[0]))).toBe(false);
    expect(both.files[1].bounds).toEqual([151.2, -33.9, 151.2, -33.9]);
    const gulf = contentAt([...town(-0.01, -0.01), [0, 0]]);
    expect(isFar(clusterAt(gulf, [0, 0]))).toBe(false);
  });

  it("is a narrow box across the 180th meridian", () => {
    const { areas, bounds } = contentAt([...town(-17, 179.5), ...town(-17, -179.9)]).files[0];
    expect(areas).toEqual([[179.5, -17, -179.881, -16.981]]);
    expect(bounds).toEqual(areas[0]);
  });
});
