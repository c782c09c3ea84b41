import { describe, expect, it } from "vitest";
import { blockOf, RASTER_SIZE, renderTiles, viewOfBlock } from "../../src/maps/raster-block.ts";
import { renderPng } from "../../src/maps/render.ts";
import { project, toPixels } from "../../src/maps/view.ts";
import { readPng } from "./read-png.ts";
import { ready, townScene } from "./town.ts";

describe("tiles that are drawn together", () => {
  it.each([
    [4, 1],
    [2, 2],
  ])("are the pieces of one image, %d by as many at scale %d", async (side, scale) => {
    const pixels = side * RASTER_SIZE;
    const scene = await townScene({ width: pixels, height: pixels, scale, zoom: 15 });
    const fonts = await ready();
    const whole = readPng(await renderPng(scene, fonts));
    const tiles = (await renderTiles(scene, { z: 16, x: 0, y: 0, side, scale }, fonts)).map(readPng);
    expect(tiles).toHaveLength(side * side);
    const size = RASTER_SIZE * scale;
    let different = 0;
    for (const [i, tile] of tiles.entries()) {
      expect([tile.width, tile.height]).toEqual([size, size]);
      const [left, top] = [(i % side) * size, Math.floor(i / side) * size];
      for (let y = 0; y < size; y++) {
        const own = tile.pixels.subarray(3 * y * size, 3 * (y + 1) * size);
        const from = 3 * ((top + y) * whole.width + left);
        if (Buffer.compare(own, whole.pixels.subarray(from, from + own.length)) !== 0) different++;
      }
    }
    expect(different).toBe(0);
  });

  it("are the whole world at the lowest zooms, and never more than there are", () => {
    expect(blockOf(0, 0, 0, 1)).toEqual({ z: 0, x: 0, y: 0, side: 1, scale: 1 });
    expect(blockOf(1, 1, 1, 1)).toEqual({ z: 1, x: 0, y: 0, side: 2, scale: 1 });
    expect(blockOf(5, 18, 13, 1)).toEqual({ z: 5, x: 16, y: 12, side: 4, scale: 1 });
    expect(blockOf(5, 19, 13, 2)).toEqual({ z: 5, x: 18, y: 12, side: 2, scale: 2 });
  });

  it("lie where every map of squares of 256 pixels has them", () => {
    // Berlin's tile of zoom 10, by the arithmetic of OpenStreetMap's wiki: floor((lon + 180) / 360 · 2^z), likewise in Mercator.
    const berlin = { latitude: 52.52, longitude: 13.405 };
    const [x, y] = project(berlin).map((share) => Math.floor(share * 2 ** 10));
    expect([x, y]).toEqual([550, 335]);
    const block = blockOf(10, x, y, 1);
    const [left, top] = toPixels(viewOfBlock(block), berlin);
    expect([Math.floor(left / RASTER_SIZE), Math.floor(top / RASTER_SIZE)]).toEqual([x - block.x, y - block.y]);
  });
});
