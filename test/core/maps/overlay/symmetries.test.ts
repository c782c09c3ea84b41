import { describe, expect, it } from "vitest";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { evenPadding, fitView, MIN_ZOOM } from "../../../../src/core/maps/base/view.ts";
import { type OverlayPath, subjectsOf } from "../../../../src/core/maps/overlay.ts";
import { parseMarkers, parsePath } from "../../../../src/core/maps/overlay-parameters.ts";
import { renderPng } from "../../../../src/core/maps/render.ts";
import { layOutScene } from "../../../../src/core/maps/scene.ts";
import { builtInStyle } from "../../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../../src/core/maps/style/compile-style.ts";
import { STYLE_NAMES } from "../../../../src/core/maps/style/palettes.ts";
import { type Random, random } from "../../../../src/demo/world/random.ts";
import { samples } from "../../../support/night.ts";
import { type Picture, readPng } from "../read-png.ts";
import { ready } from "../town.ts";

/**
 * Maps of random paths, areas and markers, compared with themselves: moved around the Earth, in a mirror, and at another scale, a map
 * is the same picture. MAP_SEED names other maps, MAP_ROUNDS how many.
 */

const SEED = process.env.MAP_SEED ?? "symmetries of maps";
const ROUNDS = Number(process.env.MAP_ROUNDS ?? samples(60, 600));
/** At 180°, at the edges of the Mercator square and beyond, at nothing, and anywhere. */
const LONGITUDES = [180, -180, 179.9999, 0, -0.00001, 90];
const LATITUDES = [90, -90, 85.0511, -85.06, 0, 60];

interface Drawing {
  paths: OverlayPath[];
  pins: { latitude: number; longitude: number }[];
}

function placesOf(draw: Random, count: number) {
  const spread = draw.pick([0, 1e-7, 0.001, 1, 30, 400]);
  const center = {
    latitude: draw.below(4) === 0 ? draw.pick(LATITUDES) : draw.between(-90, 90),
    longitude: draw.below(3) === 0 ? draw.pick(LONGITUDES) : draw.between(-180, 180),
  };
  return Array.from({ length: count }, () => ({
    latitude: Math.max(-90, Math.min(90, center.latitude + draw.between(-spread, spread) / 4)),
    longitude: wrapped(center.longitude + draw.between(-spread, spread) / 2),
  }));
}

const wrapped = (longitude: number) => longitude - 360 * Math.round(longitude / 360);

function drawingOf(draw: Random): Drawing {
  const paths = Array.from({ length: 1 + draw.below(3) }, () => {
    const isArea = draw.below(3) === 0;
    const look = `stroke:0xe01010|width:${draw.below(9)}|border:0x1010e0|borderWidth:${draw.below(4)}`;
    const { points: _, ...path } = parsePath(`${look}${isArea ? "|fill:0x10a010" : ""}|0,0|0,1|1,1`);
    const points = placesOf(draw, (isArea ? 3 : 2) + draw.below(6));
    // Points twice at one place.
    if (draw.below(4) === 0) points.push(points[points.length - 1], points[0]);
    return { ...path, geodesic: draw.below(3) === 0, points };
  });
  return { paths, pins: draw.below(2) === 0 ? placesOf(draw, 1 + draw.below(4)) : [] };
}

async function pictureOf({ paths, pins }: Drawing, how: Look): Promise<{ picture: Picture; zoom: number }> {
  const { locations: _, icon: __, ...look } = parseMarkers("0,0");
  const overlay = { paths, markers: pins.map((at) => ({ ...look, at, anchor: "center" as const })) };
  const { width, height, padding, scale } = how;
  const view = fitView(subjectsOf(overlay), { width, height, padding: evenPadding(padding), maxZoom: 16 });
  const style = compileStyle(builtInStyle(how.style));
  const request = { view, scale, style, icons: {}, tiles: [], sources: [], overlay, attribution: "none" as const };
  const scene = await layOutScene(request, await ready(), unpaced());
  return { picture: readPng(await renderPng(scene, await ready())), zoom: view.zoom };
}

interface Look {
  width: number;
  height: number;
  padding: number;
  scale: number;
  style: (typeof STYLE_NAMES)[number];
}

const lookOf = (draw: Random): Look => ({
  ...{ width: 100 + draw.below(150), height: 100 + draw.below(150), padding: draw.pick([0, 16, 40, 200]) },
  ...{ scale: 1, style: draw.pick(STYLE_NAMES) },
});

/** The share of pixels whose color differs by more than an edge that lies elsewhere within its pixel. */
function unlike(a: Picture, b: Picture, at: (x: number, y: number) => [number, number]): number {
  if (a.width * a.height !== b.width * b.height) return 1;
  let count = 0;
  for (let y = 0; y < a.height; y++)
    for (let x = 0; x < a.width; x++) {
      // A mark moved by less than a pixel: a neighbor has its color.
      const [u, v] = at(x, y);
      let least = 999;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const [s, t] = [u + dx, v + dy];
          if (s < 0 || t < 0 || s >= b.width || t >= b.height) continue;
          const [i, j] = [3 * (y * a.width + x), 3 * (t * b.width + s)];
          const apart = [0, 1, 2].map((k) => Math.abs(a.pixels[i + k] - b.pixels[j + k]));
          least = Math.min(least, Math.max(...apart));
        }
      if (least > 64) count++;
    }
  return count / (a.width * a.height);
}

const changed = ({ paths, pins }: Drawing, change: (at: Drawing["pins"][0]) => Drawing["pins"][0]): Drawing => ({
  paths: paths.map((path) => ({ ...path, points: path.points.map(change) })),
  pins: pins.map(change),
});

/** Fits and shorter ways have no answer where two are equally good: half around the Earth, or a gap as wide as another. */
function isClear(drawing: Drawing): boolean {
  const xs = [...drawing.pins, ...drawing.paths.flatMap(({ points }) => points)].map(({ longitude }) => longitude);
  const order = [...new Set(xs.map((x) => Math.round(((((x + 180) % 360) + 360) % 360) * 1e6) / 1e6))].sort(
    (a, b) => a - b,
  );
  const gaps = order.map((x, i) => (order[(i + 1) % order.length] - x + 360) % 360 || 360).sort((a, b) => b - a);
  if (gaps.length > 1 && gaps[0] - gaps[1] < 0.01) return false;
  return drawing.paths.every(({ points, fill }) =>
    (fill ? [...points, points[0]] : points).slice(1).every(({ longitude }, i) => {
      const step = Math.abs(wrapped(longitude - points[i].longitude));
      return Math.abs(step - 180) > 0.01;
    }),
  );
}

const draw = random("", SEED);
const cases = Array.from({ length: ROUNDS }, (_, i) => ({
  i,
  drawing: drawingOf(draw),
  look: lookOf(draw),
  turn: draw.between(1, 359),
}));

describe("a map of anything", () => {
  it("is the same picture around the Earth, in a mirror and at twice the scale, and never of one color", async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { i, drawing, look, turn } of cases) {
      const name = `${SEED} ${i}: ${JSON.stringify({ drawing, look, turn })}`;
      const { picture, zoom } = await pictureOf(drawing, look);
      const { width, height } = look;
      if ([picture.width, picture.height].join() !== [width, height].join()) wrong.push(`size ${name}`);
      const colors = new Set<string>();
      for (let k = 0; k < picture.pixels.length; k += 3) colors.add(picture.pixels.subarray(k, k + 3).join());
      const isDrawn = drawing.pins.length > 0 || drawing.paths.some(({ width: w, borderWidth }) => w + borderWidth > 0);
      if (isDrawn && colors.size < 2) wrong.push(`one color ${name}`);
      const twice = await pictureOf(drawing, { ...look, scale: 2 });
      const far = unlike(picture, halved(twice.picture), (x, y) => [x, y]);
      // A line of a pixel has no middle of its own at scale 1.
      if (far > 0.03) wrong.push(`scale ${far} ${name}`);
      if (!isClear(drawing) || zoom === MIN_ZOOM) continue;
      compared++;
      const turned = changed(drawing, (at) => ({ ...at, longitude: wrapped(at.longitude + turn) }));
      const around = unlike(picture, (await pictureOf(turned, look)).picture, (x, y) => [x, y]);
      if (around > 0.01) wrong.push(`around ${around} ${name}`);
      if (drawing.pins.length > 0) continue;
      const mirror = changed(drawing, (at) => ({ ...at, longitude: -at.longitude }));
      const inMirror = unlike(picture, (await pictureOf(mirror, look)).picture, (x, y) => [width - 1 - x, y]);
      if (inMirror > 0.01) wrong.push(`mirror ${inMirror} ${name}`);
      const below = changed(drawing, (at) => ({ ...at, latitude: -at.latitude }));
      const upside = unlike(picture, (await pictureOf(below, look)).picture, (x, y) => [x, height - 1 - y]);
      if (upside > 0.01) wrong.push(`upside ${upside} ${name}`);
    }
    expect(compared).toBeGreaterThan(ROUNDS / 3);
    expect(wrong.map((line) => line.slice(0, 900))).toEqual([]);
  }, 1_800_000);
});

function halved({ width, height, pixels }: Picture): Picture {
  const half = new Uint8Array((pixels.length / 4) | 0);
  for (let y = 0; y < height / 2; y++)
    for (let x = 0; x < width / 2; x++)
      for (let k = 0; k < 3; k++) {
        const at = 3 * (2 * y * width + 2 * x) + k;
        const sum = pixels[at] + pixels[at + 3] + pixels[at + 3 * width] + pixels[at + 3 * width + 3];
        half[3 * ((y * width) / 2 + x) + k] = sum / 4;
      }
  return { width: width / 2, height: height / 2, pixels: half };
}
