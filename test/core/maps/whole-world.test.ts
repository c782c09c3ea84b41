import { describe, expect, it } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { evenPadding, fitView, MIN_ZOOM, toPixels } from "../../../src/core/maps/base/view.ts";
import { subjectsOf } from "../../../src/core/maps/overlay.ts";
import { parseMarkers } from "../../../src/core/maps/overlay-parameters.ts";
import { renderPng } from "../../../src/core/maps/render.ts";
import { layOutScene } from "../../../src/core/maps/scene.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import { STYLE_NAMES, type StyleName } from "../../../src/core/maps/style/palettes.ts";
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
