import { describe, expect, it } from "vitest";
import { builtInStyle } from "../../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../../src/core/maps/style/compile-style.ts";
import { STYLE_NAMES } from "../../../../src/core/maps/style/palettes.ts";
import { withTerrain } from "../../../../src/core/maps/terrain/terrain-style.ts";
import { MARGIN_CELLS, type TerrainGround, terrainLayers } from "../../../../src/core/maps/terrain/terrain-tile.ts";
import { ringArea } from "../../../../src/core/maps/tiles/mvt.ts";

const CELLS = 64;
/** A tile of 64 cells of 25 m; x and y in cells from its north-western corner. */
function tileOf(zoom: number, height: (x: number, y: number) => number): TerrainGround {
  const count = CELLS + 1 + 2 * MARGIN_CELLS;
  const values = Float32Array.from({ length: count * count }, (_, i) =>
    height((i % count) - MARGIN_CELLS, Math.floor(i / count) - MARGIN_CELLS),
  );
  return { zoom, cellMeters: 25, columns: count, rows: count, values };
}
const layerOf = (ground: TerrainGround, name: string) =>
  terrainLayers(ground).find((layer) => layer.name === name)?.features ?? [];

describe("the hills of a tile", () => {
  it("are bright to the northwest and dark to the southeast", () => {
    const cone = tileOf(13, (x, y) => 400 - 12 * Math.hypot(x - 32, y - 32));
    const [shadow] = layerOf(cone, "hillshade").filter(({ properties }) => properties.kind === "shadow");
    const [highlight] = layerOf(cone, "hillshade").filter(({ properties }) => properties.kind === "highlight");
    const middle = ({ parts }: typeof shadow) => {
      const [ring] = [...parts].sort((a, b) => ringArea([...b]) - ringArea([...a]));
      const mean = (axis: number) =>
        ring.filter((_, i) => i % 2 === axis).reduce((sum, one) => sum + one, 0) / (ring.length / 2);
      return [mean(0), mean(1)].map((value) => Math.sign(value - 2048));
    };
    expect([middle(shadow), middle(highlight)]).toEqual([
      [1, 1],
      [-1, -1],
    ]);
  });

  it("are nothing on flat and on unknown ground", () => {
    expect(terrainLayers(tileOf(13, () => 87))).toEqual([]);
    expect(terrainLayers(tileOf(13, () => Number.NaN))).toEqual([]);
  });

  it("have levels within each other, with outer rings before their holes", () => {
    const ground = tileOf(13, (x, y) => 300 + 90 * Math.sin(x / 5) * Math.cos(y / 6));
    const shadows = layerOf(ground, "hillshade").filter(({ properties }) => properties.kind === "shadow");
    expect(shadows.map(({ properties }) => properties.level)).toEqual(shadows.map((_, i) => i + 1));
    const areas = shadows.map(({ parts }) => parts.reduce((sum, ring) => sum + ringArea([...ring]), 0));
    expect([...areas].sort((a, b) => b - a)).toEqual(areas);
    for (const { parts } of shadows) expect(ringArea([...parts[0]])).toBeGreaterThan(0);
  });

  it("have contours at the elevations of the zoom, those of the sea and its shore left out", () => {
    const slope = (zoom: number) =>
      layerOf(
        tileOf(zoom, (x) => 10 * x - 200),
        "contour",
      );
    expect(slope(13).map(({ properties }) => properties.ele)).not.toContain(0);
    const contours = slope(12);
    expect(contours.map(({ properties: { ele, kind } }) => `${ele} ${kind}`)).toEqual([
      ..."-200 index,-150 normal,-100 normal,-50 normal,50 normal,100 normal,150 normal,200 index,250 normal,300 normal,350 normal,400 index,450 normal".split(
        ",",
      ),
    ]);
    // 250 m is 45 cells from the western edge.
    const [line] = contours[8].parts;
    for (let i = 0; i < line.length; i += 2) expect(line[i]).toBeCloseTo((45 * 4096) / CELLS, -1);
    // Beyond both edges, so that the lines of neighbors meet.
    const ys = line.filter((_, i) => i % 2 === 1);
    expect([Math.min(...ys) < 0, Math.max(...ys) > 4096]).toEqual([true, true]);
    expect(slope(8)).toEqual([]);
  });
});

describe("a style with hills", () => {
  it.each(STYLE_NAMES)(
    "%s draws them above the land and below water and roads, and their elevations below all names",
    (name) => {
      const plain = builtInStyle(name).layers;
      const layers = withTerrain(plain, name.includes("dark"));
      compileStyle({ version: 8, layers });
      const ids = layers.map(({ id }) => id);
      const at = (id: string) => ids.indexOf(id);
      expect(at("earth")).toBeLessThan(at("hillshade-shadow-1"));
      expect(at("contour-index")).toBeLessThan(at("water"));
      expect(layers.filter(({ type }) => type === "symbol")[0].id).toBe("contour-label");
      expect(layers.filter(({ "source-layer": layer }) => layer !== "hillshade" && layer !== "contour")).toEqual(plain);
    },
  );
});
