import { describe, expect, it } from "vitest";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { readGeojson } from "../../../../src/core/maps/overlay-geojson.ts";
import { renderPng } from "../../../../src/core/maps/render.ts";
import { layOutScene } from "../../../../src/core/maps/scene.ts";
import { builtInIcons, builtInStyle } from "../../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../../src/core/maps/style/compile-style.ts";
import { circleFeature } from "../../../../src/dashboard/map/layers/features.ts";
import { readPng } from "../read-png.ts";
import { ready } from "../town.ts";

const SIDE = 240;
const STYLE = "radar-light-v1";

/** Width and height of a circle of the dashboard's maps on a static one, by the red of its middle row and column [pixels]. */
async function axesOf(latitude: number, zoom: number, radius: number): Promise<[width: number, height: number]> {
  const properties = { fill: "#ff0000", "fill-opacity": 1, "stroke-width": 0 };
  const { paths } = readGeojson(circleFeature({ latitude, longitude: 10 }, radius, properties));
  const view = { center: { latitude, longitude: 10 }, zoom, width: SIDE, height: SIDE };
  const ground = { view, scale: 1, style: compileStyle(builtInStyle(STYLE)), icons: builtInIcons(STYLE) };
  const request = { ...ground, tiles: [], overlay: { paths, markers: [] }, attribution: "none" as const, sources: [] };
  const { pixels } = readPng(await renderPng(await layOutScene(request, await ready(), unpaced()), await ready()));
  const green = (x: number, y: number) => pixels[3 * (y * SIDE + x) + 1];
  const red = (x: number, y: number) => 1 - green(x, y) / green(0, 0);
  let [width, height] = [0, 0];
  for (let at = 0; at < SIDE; at++)
    for (const middle of [SIDE / 2 - 1, SIDE / 2]) {
      width += red(at, middle) / 2;
      height += red(middle, at) / 2;
    }
  return [width, height];
}

describe("a circle on a static map", () => {
  it.each([0, 45, 70])("at latitude %s is as wide as high within a hundredth, at every zoom", async (latitude) => {
    for (let zoom = 0; zoom <= 20; zoom++) {
      const metresPerPixel = (40_075_016.686 * Math.cos((latitude * Math.PI) / 180)) / 512 / 2 ** zoom;
      // Larger geofences are not allowed, and Mercator would stretch them.
      const radius = Math.min(10_000, 100 * metresPerPixel);
      const [width, height] = await axesOf(latitude, zoom, radius);
      expect(Math.abs(width / height - 1), `zoom ${zoom}: ${width} × ${height}`).toBeLessThan(0.01);
      if (radius > 10 * metresPerPixel) expect(Math.abs((width * metresPerPixel) / radius / 2 - 1)).toBeLessThan(0.01);
    }
  });
});
