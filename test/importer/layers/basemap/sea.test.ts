import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ringArea } from "../../../../src/core/maps/tiles/mvt.ts";
import { EXTENT, MAX_ZOOM, WORLD_SIZE } from "../../../../src/core/maps/tiles/plane.ts";
import { tileOfId } from "../../../../src/core/maps/tiles/tile-id.ts";
import { FINENESS } from "../../../../src/importer/layers/basemap/features/feature.ts";
import {
  joinCoastlines,
  placesAlong,
  seaProbe,
  seaWithin,
} from "../../../../src/importer/layers/basemap/steps/coastline.ts";
import { addSea } from "../../../../src/importer/layers/basemap/steps/sea-tiles.ts";
import { worldBasemap } from "../../../../src/importer/layers/basemap/world-basemap.ts";
import { islandsForMaps } from "../../../../src/importer/world/lists.ts";
import { keptLayer } from "../../../support/worlds/kept-layers.ts";
import { opened } from "./import-basemap.ts";
import { spoolOf } from "./spool-of.ts";

const BOX = { left: 0, top: 0, right: 1000, bottom: 1000 };
const areaOf = (rings: readonly (readonly number[])[]) => rings.reduce((sum, ring) => sum + ringArea(ring) / 2, 0);

/** An island as a closed coastline: land on the left, so counter-clockwise on the screen. */
function island(x: number, y: number, radii: readonly number[]): number[] {
  const line = radii.flatMap((radius, i) => {
    const angle = (-2 * Math.PI * i) / radii.length;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return [...line, line[0], line[1]];
}

describe("the sea in a box", () => {
  it("is nowhere without coastlines", () => {
    expect(seaWithin(BOX, [])).toEqual([]);
  });

  it("lies on the right of a coast that crosses the box", () => {
    // From north to south: land in the east, sea in the west.
    expect(seaWithin(BOX, [[300, -50, 300, 1050]])).toEqual([[300, 0, 300, 1000, 0, 1000, 0, 0]]);
    expect(areaOf(seaWithin(BOX, [[300, 1050, 300, -50]]))).toBe(700_000);
  });

  it("is around islands, and in them where a sea lies within land", () => {
    const isle = island(500, 500, [100, 100, 100, 100]);
    const rings = seaWithin(BOX, [isle]);
    expect(rings.map((ring) => Math.sign(ringArea(ring)))).toEqual([1, -1]);
    const lagoon = island(500, 500, [50, 50, 50, 50]);
    const back = Array.from({ length: lagoon.length / 2 }, (_, i) =>
      lagoon.slice(-2 - 2 * i, lagoon.length - 2 * i),
    ).flat();
    expect(areaOf(seaWithin(BOX, [isle, back]))).toBeCloseTo(1e6 - 20_000 + 5000);
    // Only the sea within land reaches into the box: the rest is land.
    expect(areaOf(seaWithin(BOX, [back]))).toBeCloseTo(5000);
  });

  it("reaches the edge where a coast ends short of it", () => {
    expect(areaOf(seaWithin(BOX, [[300, 40, 300, 960]]))).toBe(300_000);
  });

  it("takes coasts in pieces, in any order", () => {
    const way = (...nodes: number[]) => ({
      first: nodes[0],
      last: nodes[nodes.length - 1],
      places: Int32Array.from(nodes.flatMap((node) => [node, node * 10])),
    });
    const ways = [way(3, 4, 5), way(9, 8, 9), way(1, 2, 3)];
    const joined = joinCoastlines(ways);
    expect(joined).toEqual([[2, 0], [1]]);
    // The node in which two ways meet comes once.
    expect([...placesAlong(ways, joined[0])]).toEqual([1, 10, 2, 20, 3, 30, 4, 40, 5, 50]);
    expect([...placesAlong(ways, joined[1])]).toEqual([9, 90, 8, 80, 9, 90]);
  });

  it("is where a straight look says it is, for random islands across the edges", () => {
    const radii = fc.array(fc.integer({ min: 20, max: 140 }), { minLength: 4, maxLength: 10 });
    const isles = fc.array(fc.tuple(fc.nat(2), fc.nat(2), radii), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(isles, (list) => {
        // One island to a field of 300, so that none touches another; some are cut by the box.
        const byField = new Map(list.map(([column, row, r]) => [`${column} ${row}`, { column, row, r }]));
        const coasts = [...byField.values()].map(({ column, row, r }) =>
          island(column * 400 + 100, row * 400 + 100, r),
        );
        const rings = seaWithin(BOX, coasts);
        const inSea = seaProbe(rings);
        const onLand = seaProbe(coasts.map((coast) => coast.slice(0, -2)));
        for (let x = 13.7; x < 1000; x += 43) {
          for (let y = 9.3; y < 1000; y += 47)
            if (inSea(x, y) === onLand(x, y)) expect.fail(`${x},${y} of ${JSON.stringify(list)}`);
        }
      }),
      { seed: 12, numRuns: 60 },
    );
  });
});

describe("the sea of tiles", () => {
  it("is in every tile what it is in the whole", () => {
    const unit = WORLD_SIZE / 2 ** 4;
    const coast = island(
      6.3 * unit,
      7.6 * unit,
      [2.2, 1.1, 1.9, 0.7, 2.4, 1.3, 1.8].map((radius) => radius * unit),
    );
    const box = { left: 3 * unit, top: 5 * unit, right: 9.5 * unit, bottom: 11 * unit };
    const rings = seaWithin(box, [coast]);
    const spooled = spoolOf(64e6);
    addSea({ box, coastlines: [coast], rings }, spooled.spool, { minZoom: 4, maxZoom: 6 });
    const inSea = seaProbe(rings);
    const tiles = new Map(spooled.tiles().map(({ id, pieces }) => [id, pieces.flatMap(({ parts }) => parts)]));
    expect(tiles.size).toBeGreaterThan(300);
    let looked = 0;
    for (const [id, parts] of tiles) {
      const { z, x, y } = tileOfId(id);
      const scale = 2 ** (MAX_ZOOM - z);
      const inTile = seaProbe(parts);
      for (let dx = 300; dx < EXTENT; dx += 700) {
        for (let dy = 300; dy < EXTENT; dy += 700) {
          const [px, py] = [(x * EXTENT + dx) * scale, (y * EXTENT + dy) * scale];
          // Not where simplification may have moved the coast.
          const near = [-20, 20].some(
            (d) => inSea(px + d * scale, py) !== inSea(px, py) || inSea(px, py + d * scale) !== inSea(px, py),
          );
          if (near) continue;
          looked++;
          expect([z, x, y, dx, dy, inTile(dx, dy)]).toEqual([z, x, y, dx, dy, inSea(px, py)]);
        }
      }
      // A hole that touched the tile's edge would be filled wrongly.
      for (const ring of parts.filter((part) => ringArea(part) < 0)) {
        expect(ring.every((value) => value > -64 && value < EXTENT + 64)).toBe(true);
      }
    }
    expect(looked).toBeGreaterThan(5000);
  });
});

describe("the world below all imports", () => {
  it("has sea and land where they are, at the poles and on both sides of the 180th meridian", async () => {
    const { objects, counts } = await keptLayer(worldBasemap);
    const map = await opened([...objects.values()][0], counts);
    const isSea = async (longitude: number, latitude: number, zoom = 6) => {
      const side = 2 ** zoom;
      const sin = Math.sin((latitude * Math.PI) / 180);
      const x = (longitude / 360 + 0.5) * side;
      const y = (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * side;
      const water = await map.features("water", zoom, longitude, latitude);
      const sea = water.filter(({ type, properties }) => type === 3 && properties.kind === "ocean");
      const extent = zoom === 6 ? EXTENT * FINENESS : EXTENT;
      return seaProbe(sea.flatMap(({ parts }) => parts))((x % 1) * extent, (y % 1) * extent);
    };
    const places: [name: string, longitude: number, latitude: number, sea: boolean][] = [
      ["Atlantic", -40, 30, true],
      ["Paris", 2.35, 48.86, false],
      ["Chukotka", 179, 67.5, false],
      ["Chukotka, east of the meridian", -177, 66.6, false],
      ["Vanua Levu", 179.2, -16.6, false],
      ["Viti Levu", 178, -17.8, false],
      ["sea beside Fiji", -179.3, -17.6, true],
      ["Antarctica", 90, -80, false],
      ["Antarctica at the meridian", 179.9, -84.5, false],
      ["Southern Ocean", 90, -60, true],
      ["Arctic Ocean", 0, 84, true],
      ["Greenland", -40, 72, false],
      ["Caspian Sea", 51, 41.5, true],
      ["Lake Chad's shore", 15, 12, false],
    ];
    for (const zoom of [2, 4, 6]) {
      for (const [name, longitude, latitude, sea] of places) {
        // Coarser tiles leave out small islands.
        if (zoom < 6 && name.includes("Levu")) continue;
        expect([zoom, name, await isSea(longitude, latitude, zoom)]).toEqual([zoom, name, sea]);
      }
    }
    expect(counts).toMatchObject({ tiles: 5461, earth: 1 + islandsForMaps().length });
  }, 120_000);
});
