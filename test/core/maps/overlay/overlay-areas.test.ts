import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { bearing, destination, distance } from "../../../../src/core/geo/distance.ts";
import { project, TILE_SIZE, type View } from "../../../../src/core/maps/base/view.ts";
import { rasterise } from "../../../../src/core/maps/image/rasterise.ts";
import { layOut, type OverlayPath } from "../../../../src/core/maps/overlay.ts";
import { alongGreatCircles } from "../../../../src/core/maps/overlay-geodesic.ts";
import { parsePath } from "../../../../src/core/maps/overlay-parameters.ts";
import { pathsSvg } from "../../../../src/core/maps/overlay-svg.ts";
import { ready } from "../town.ts";

/** The overlay's grammar, compared with a plain drawer: each pixel asks whether it lies in a ring or near a line. */
const WIDTH = 160;
const HEIGHT = 120;
const SAMPLES = 2;

beforeAll(async () => {
  await ready();
}, 60_000);

/** Pixels that our drawing covers, in shares of a pixel. */
function drawnArea(path: OverlayPath, view: View): number {
  const whole = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${pathsSvg(layOut({ paths: [path], markers: [] }, view).paths, whole)}</svg>`;
  const { pixels } = rasterise(new TextEncoder().encode(svg));
  let area = 0;
  for (let i = 3; i < pixels.length; i += 4) area += pixels[i] / 255;
  return area;
}

type Ring = [x: number, y: number][];

/** Pixels at scale 1, of the one copy of the world around the view: these views lie far from the 180th meridian. */
function pixelsOf(points: readonly Coordinate[], { center, zoom }: View): Ring {
  const world = TILE_SIZE * 2 ** zoom;
  const [cx, cy] = project(center);
  return points.map((point) => {
    const [x, y] = project(point);
    return [(x - cx) * world + WIDTH / 2, (y - cy) * world + HEIGHT / 2];
  });
}

function coveredBy(isCovered: (x: number, y: number) => boolean): number {
  let hits = 0;
  for (let y = 0; y < HEIGHT * SAMPLES; y++)
    for (let x = 0; x < WIDTH * SAMPLES; x++) if (isCovered((x + 0.5) / SAMPLES, (y + 0.5) / SAMPLES)) hits++;
  return hits / SAMPLES ** 2;
}

/** Is a point inside an odd number of times? A ray to the right crosses the rings' edges. */
function isInside(rings: readonly Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[x1, y1], [x2, y2]] = [ring[i], ring[j]];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
    }
  return inside;
}

function isNear(line: Ring, reach: number, x: number, y: number): boolean {
  return line.some(([x2, y2], i) => {
    const [x1, y1] = line[Math.max(0, i - 1)];
    const [dx, dy] = [x2 - x1, y2 - y1];
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
    return (x - x1 - t * dx) ** 2 + (y - y1 - t * dy) ** 2 <= reach * reach;
  });
}

const view = fc
  .record({
    latitude: fc.double({ min: -70, max: 70, noNaN: true }),
    longitude: fc.double({ min: -120, max: 120, noNaN: true }),
    zoom: fc.double({ min: 5, max: 18, noNaN: true }),
  })
  .map(
    ({ latitude, longitude, zoom }): View => ({ center: { latitude, longitude }, zoom, width: WIDTH, height: HEIGHT }),
  );

/** Points of the image and a little around it, as text with enough decimals. */
const spots = (least: number, most: number) =>
  fc.array(fc.tuple(fc.double({ min: -0.8, max: 0.8, noNaN: true }), fc.double({ min: -0.8, max: 0.8, noNaN: true })), {
    minLength: least,
    maxLength: most,
  });

function written({ center, zoom }: View, list: readonly [number, number][]): string {
  const degrees = (360 / (TILE_SIZE * 2 ** zoom)) * WIDTH;
  const squeeze = Math.cos((center.latitude * Math.PI) / 180);
  return list
    .map(
      ([x, y]) =>
        `${(center.latitude + y * degrees * squeeze).toFixed(9)},${(center.longitude + x * degrees).toFixed(9)}`,
    )
    .join("|");
}

/** Two percent, and of small areas the pixels of their edge that rounding to hundredths moves. */
const expectSame = (ours: number, plain: number) =>
  expect(Math.abs(ours - plain)).toBeLessThanOrEqual(0.02 * plain + 3);

describe("what an overlay covers is what a plain drawer covers", () => {
  it("an area, convex or not, crossing itself or not, with its holes", () => {
    fc.assert(
      fc.property(view, spots(3, 7), fc.array(spots(3, 4), { maxLength: 2 }), (place, outer, holes) => {
        const rings = [outer, ...holes].map((ring) => written(place, ring)).join("|hole:|");
        const path = parsePath(`fill:black|width:0|borderWidth:0|${rings}`);
        const plain = [path.points, ...(path.holes ?? [])].map((ring) => pixelsOf(ring, place));
        expectSame(
          drawnArea(path, place),
          coveredBy((x, y) => isInside(plain, x, y)),
        );
      }),
      { seed: 20, numRuns: 15 },
    );
  });

  it("a line with its border, and the outline of an area, which is closed", () => {
    fc.assert(
      fc.property(
        view,
        spots(2, 6),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 6 }),
        fc.boolean(),
        (place, list, width, border, isArea) => {
          const fill = isArea ? "fill:0x00000001|" : "";
          const path = parsePath(
            `${fill}stroke:black|border:black|width:${width}|borderWidth:${border}|${written(place, list)}`,
          );
          const line = pixelsOf(isArea ? [...path.points, path.points[0]] : path.points, place);
          const covered = coveredBy((x, y) => isNear(line, width / 2 + border, x, y));
          expectSame(drawnArea({ ...path, ...(isArea && { fill: [0, 0, 0, 0] }) }, place), covered);
        },
      ),
      { seed: 21, numRuns: 15 },
    );
  });
});

describe("a geodesic line", () => {
  const towns = fc.record({
    latitude: fc.double({ min: -85, max: 85, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });

  it("is the shortest way, and all its points lie on it", () => {
    fc.assert(
      fc.property(towns, towns, (from, to) => {
        fc.pre(distance(from, to) < 20_015_000);
        const line = alongGreatCircles([from, to]);
        expect([line[0], line[line.length - 1]]).toEqual([from, to]);
        const steps = line.slice(1).map((point, i) => distance(line[i], point));
        expect(steps.reduce((a, b) => a + b, 0)).toBeCloseTo(distance(from, to), -1);
        expect(Math.max(...steps)).toBeLessThan(115_000);
      }),
      { seed: 22, numRuns: 200 },
    );
  });

  it("goes through where it should even where a map shows the middle of an ocean street by street", () => {
    const [from, to] = [
      { latitude: 40.64, longitude: -73.78 },
      { latitude: 51.47, longitude: -0.45 },
    ];
    const middle = destination(from, bearing(from, to), distance(from, to) * 0.4);
    const seen: View = { center: middle, zoom: 17, width: WIDTH, height: HEIGHT };
    const path = { ...parsePath("geodesic:true|1,1|2,2"), points: [from, to] };
    const [{ lines }] = layOut({ paths: [path], markers: [] }, seen).paths;
    const near = lines.flatMap((line) => pairs(line)).some((segment) => isNear(segment, 1, WIDTH / 2, HEIGHT / 2));
    expect(near).toBe(true);
    const straight = layOut({ paths: [{ ...path, geodesic: false }], markers: [] }, seen).paths[0].lines;
    expect(straight.flatMap(pairs).some((segment) => isNear(segment, 1, WIDTH / 2, HEIGHT / 2))).toBe(false);
  });

  it("of points that are the same, or opposite, stays what it is", () => {
    const [a, b] = [
      { latitude: 10, longitude: 20 },
      { latitude: -10, longitude: -160 },
    ];
    expect(alongGreatCircles([a, a])).toEqual([a, a]);
    expect(alongGreatCircles([a, b])).toEqual([a, b]);
    expect(alongGreatCircles([a])).toEqual([a]);
  });
});

function pairs(line: readonly number[]): Ring[] {
  const rings: Ring[] = [];
  for (let i = 2; i < line.length; i += 2)
    rings.push([
      [line[i - 2], line[i - 1]],
      [line[i], line[i + 1]],
    ]);
  return rings;
}
