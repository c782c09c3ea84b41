import { describe, expect, it } from "vitest";
import { project, toPixels } from "../../../src/core/maps/base/view.ts";
import {
  blockOf,
  layOutBlock,
  RASTER_SIZE,
  renderTiles,
  viewAround,
  viewOfBlock,
} from "../../../src/core/maps/raster-block.ts";
import { renderPng } from "../../../src/core/maps/render.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import { readPng } from "./read-png.ts";
import { ready, townScene, townTiles } from "./town.ts";

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

  it("show a name that reaches into the next block on both sides, and none in part", async () => {
    const style = compileStyle(builtInStyle("radar-default-v1"));
    let shared = 0;
    for (const [z, scale] of [
      [17, 1],
      [17, 2],
      [18, 1],
      [18, 2],
    ] as const) {
      // The town's tile of zoom 14, as blocks.
      const [x0, y0] = [8560, 5892].map((at) => at * 2 ** (z - 14));
      const side = 2 ** (z - 14);
      const step = blockOf(z, x0, y0, scale).side;
      const pixels = step * RASTER_SIZE;
      const blocks = new Map<string, string[]>();
      for (let y = 0; y < side; y += step) {
        for (let x = 0; x < side; x += step) {
          const block = blockOf(z, x0 + x, y0 + y, scale);
          const tiles = townTiles(viewAround(block));
          const icons = builtInIcons("radar-default-v1");
          const { labels } = await layOutBlock(block, { scale, style, icons, tiles }, await ready());
          const at = (left: number, top: number) =>
            `${Math.round(x * RASTER_SIZE + left)} ${Math.round(y * RASTER_SIZE + top)}`;
          blocks.set(`${x / step} ${y / step}`, [
            ...labels.texts.flatMap(({ text, boxes }) =>
              boxes.slice(0, 1).map((box) => `${text} ${at(box.left, box.top)}`),
            ),
            ...labels.icons.map((icon) => `${icon.name} ${at(icon.x, icon.y)}`),
          ]);
          for (const { text, boxes } of labels.texts) {
            // Where one of its corners lies in another block, that block shows it as well; checked when all are there.
            for (const { left, top, right, bottom } of boxes.length === 1 ? boxes : []) {
              const [dx, dy] = [left < 0 ? -1 : right > pixels ? 1 : 0, top < 0 ? -1 : bottom > pixels ? 1 : 0];
              if (dx === 0 && dy === 0) continue;
              const key = `over ${x / step + dx} ${y / step + dy}`;
              blocks.set(key, [...(blocks.get(key) ?? []), `${text} ${at(left, top)}`]);
            }
          }
        }
      }
      for (const [key, names] of blocks) {
        const there = key.startsWith("over ") && blocks.get(key.slice(5));
        if (!there) continue;
        expect([z, scale, key, names.filter((name) => !there.includes(name))]).toEqual([z, scale, key, []]);
        shared += names.length;
      }
    }
    expect(shared).toBeGreaterThan(0);
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
