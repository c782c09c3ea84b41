import { describe, expect, it } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { evenPadding, fitView, MIN_ZOOM, tilesBehind, toPixels } from "../../../src/core/maps/base/view.ts";
import { layOut, subjectsOf } from "../../../src/core/maps/overlay.ts";
import { parseMarkers, parsePath } from "../../../src/core/maps/overlay-parameters.ts";
import { renderPng } from "../../../src/core/maps/render.ts";
import { layOutScene } from "../../../src/core/maps/scene.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import { STYLE_NAMES, type StyleName } from "../../../src/core/maps/style/palettes.ts";
import { encodeTile, POLYGON } from "../../../src/core/maps/tiles/mvt.ts";
import { readTile } from "../../../src/core/maps/tiles/vector-tile.ts";
import { random } from "../../../src/demo/world/random.ts";
import { readPng } from "./read-png.ts";
import { ready } from "./town.ts";

/** Maps that fit places all over the world, also on images that are smaller than the world at zoom 0. */

const draw = random("the whole world on small maps");

async function mapOf(style: StyleName, places: readonly { latitude: number; longitude: number }[], fit: Size) {
  const { locations: _, icon: __, ...look } = parseMarkers("0,0");
  const overlay = { paths: [], markers: places.map((at) => ({ ...look, at })) };
  const view = fitView(subjectsOf(overlay), { ...fit, padding: evenPadding(16), maxZoom: 16 });
  const compiled = compileStyle(builtInStyle(style));
  const ground = { view, scale: 1, style: compiled, icons: builtInIcons(style), tiles: [], sources: [] };
  const scene = await layOutScene({ ...ground, overlay, attribution: "none" }, await ready(), unpaced());
  return { view, picture: readPng(await renderPng(scene, await ready())) };
}

interface Size {
  width: number;
  height: number;
}

describe("a map that fits places anywhere", () => {
  it.each(STYLE_NAMES)(
    "in %s has its ground to every corner, at every zoom of a fit, and every marker inside",
    async (style) => {
      const groundAt0 = await mapOf(style, [{ latitude: 0, longitude: 0 }], { width: 60, height: 60 });
      const ground = groundAt0.picture.pixels.subarray(0, 3);
      // A palette may round a color.
      const isGround = (color: Uint8Array) => color.every((value, i) => Math.abs(value - ground[i]) <= 3);
      const zooms = new Set<number>();
      for (let i = 0; i < 12; i++) {
        const size = { width: 60 + draw.below(360), height: 60 + draw.below(360) };
        const places = Array.from({ length: 1 + draw.below(6) }, () => ({
          latitude: draw.between(-80, 80),
          longitude: draw.between(-180, 180),
        }));
        const { view, picture } = await mapOf(style, places, size);
        zooms.add(Math.floor(view.zoom));
        const { width, height, pixels } = picture;
        const corners = [0, width - 1, (height - 1) * width, height * width - 1];
        const bare = corners.filter((at) => !isGround(pixels.subarray(3 * at, 3 * at + 3)));
        // At the least zoom a pin may stand in a corner.
        expect(bare.length).toBeLessThanOrEqual(view.zoom === MIN_ZOOM ? 1 : 0);
        if (view.zoom === MIN_ZOOM) continue;
        for (const place of places) {
          const [x, y] = toPixels(view, place).map(Math.round);
          expect([x >= 0 && x < width, y >= 0 && y < height]).toEqual([true, true]);
          // The head of its pin.
          const head = 3 * ((y - 12) * width + x);
          expect(isGround(pixels.subarray(head, head + 3))).toBe(false);
        }
      }
      expect([...zooms].some((zoom) => zoom < 0)).toBe(true);
    },
  );
});

describe("at the edges of the map's plane", () => {
  it("land under the sea shows no line in the north, and the land of the south continues, at every fraction of a pixel", async () => {
    const rect = (top: number) => [[0, top, 4096, top, 4096, 4096, 0, 4096]];
    const fill = (name: string, kind: string, parts: number[][]) => ({
      name,
      extent: 4096,
      features: [{ type: POLYGON as typeof POLYGON, properties: { kind }, parts }],
    });
    const tile = readTile(
      encodeTile([fill("earth", "earth", rect(0)), fill("water", "ocean", [[0, 0, 4096, 0, 4096, 2048, 0, 2048]])]),
    );
    for (let i = 0; i < 8; i++) {
      const view = { center: { latitude: 0, longitude: 0 }, zoom: -0.5 - i / 50, width: 60, height: 600 };
      const tiles = tilesBehind(view, 0).map((place) => ({ ...place, tile }));
      const style = compileStyle(builtInStyle("radar-default-v1"));
      const request = { view, scale: 1, style, icons: {}, tiles, overlay: { markers: [], paths: [] }, sources: [] };
      const scene = await layOutScene({ ...request, attribution: "none" }, await ready(), unpaced());
      const { pixels } = readPng(await renderPng(scene, await ready()));
      const column = Array.from({ length: 600 }, (_, y) => [...pixels.subarray(180 * y, 180 * y + 3)].join());
      const changes = column.flatMap((color, y) => (y > 0 && color !== column[y - 1] ? [y] : []));
      expect(changes.filter((y) => Math.abs(y - 300) > 1)).toEqual([]);
      expect(column[599]).not.toBe(column[0]);
    }
  });

  const onMap = (path: string) => {
    const overlay = { markers: [], paths: [parsePath(path)] };
    const view = fitView(subjectsOf(overlay), { width: 300, height: 200, padding: evenPadding(16), maxZoom: 16 });
    return layOut(overlay, view).paths[0];
  };

  it.each([
    ["eastwards", "0,-180|10,-90|0,0|10,90|0,180"],
    ["westwards", "0,180|10,90|0,0|10,-90|0,-180"],
    ["back to where it began", "0,20|10,110|0,-160|10,-70|0,20"],
  ])("a path around the Earth %s is one line over all copies of the world", (_, path) => {
    const { lines } = onMap(path);
    expect(lines.length).toBe(1);
    const xs = lines[0].filter((__, i) => i % 2 === 0);
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(300);
    const steps = xs.slice(1).map((x, i) => x - xs[i]);
    expect(steps.every((step) => step > -0.01) || steps.every((step) => step < 0.01)).toBe(true);
  });

  it("an area around the Earth has no outline where it meets itself, other areas have all of theirs", () => {
    const vertical = (path: string) =>
      onMap(path).lines.filter((line) => line.some((x, i) => i % 2 === 0 && i > 1 && Math.abs(x - line[i - 2]) < 0.01));
    const around = "60,-180|60,-90|60,0|60,90|60,180|-60,180|-60,90|-60,0|-60,-90|-60,-180";
    expect(vertical(`fill:0xff0000|${around}`)).toEqual([]);
    expect(vertical("fill:0xff0000|60,150|60,-150|-60,-150|-60,150").length).toBeGreaterThan(0);
    expect(vertical(around).length).toBeGreaterThan(0);
  });
});
