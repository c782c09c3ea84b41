import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { rasterise } from "../../../../src/core/maps/image/rasterise.ts";
import { Coverage, type FillRule } from "../../../../src/core/maps/raster/coverage.ts";
import { type Cap, type Join, Stroker, type StrokeStyle } from "../../../../src/core/maps/raster/stroke.ts";
import { ready } from "../town.ts";

/** Our drawer beside resvg: the same shapes, black on white. */
const SIDE = 96;
const BLACK = [0, 0, 0, 1] as const;

beforeAll(async () => {
  await ready();
}, 60_000);

type Draw = (coverage: Coverage) => void;

function ours(draw: Draw, rule?: FillRule): Uint8Array {
  const coverage = new Coverage(SIDE, SIDE);
  draw(coverage);
  const pixels = new Uint8Array(4 * SIDE * SIDE).fill(255);
  coverage.lay({ pixels }, BLACK, rule);
  return darkness(pixels);
}

function resvg(element: string): Uint8Array {
  const white = `<rect width="${SIDE}" height="${SIDE}" fill="#fff"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">${white}${element}</svg>`;
  return darkness(rasterise(new TextEncoder().encode(svg)).pixels);
}

/** 0 to 255 of each pixel. */
function darkness(pixels: Uint8Array): Uint8Array {
  const dark = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < dark.length; i++) dark[i] = 255 - pixels[4 * i];
  return dark;
}

/**
 * Both cover the same area to two hundredths, and only single pixels, where edges cross, are black in one and white in the other.
 * @param length of all edges: along a sliver resvg, which samples a pixel in four rows, is off by more
 */
function expectAlike(a: Uint8Array, b: Uint8Array, length: number, what: string): void {
  let [areaA, areaB, opposite] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    areaA += a[i] / 255;
    areaB += b[i] / 255;
    if (Math.abs(a[i] - b[i]) > 200) opposite++;
  }
  const allowed = 0.02 * Math.max(areaA, areaB) + 0.01 * length;
  const alike = Math.abs(areaA - areaB) <= allowed && opposite <= 0.01 * length;
  expect({ what, areaA, areaB, opposite, alike }).toMatchObject({ alike: true });
}

type Place = readonly [x: number, y: number];

/** Of the edges, as far as they can be seen. */
function seenLength(line: readonly Place[]): number {
  let length = 0;
  line.forEach(([x, y], i) => {
    const [fromX, fromY] = line[(i + line.length - 1) % line.length];
    length += Math.min(SIDE * 1.5, Math.hypot(x - fromX, y - fromY));
  });
  return length;
}

/** Sixteenths of a pixel, as shapes have them. */
const coordinate = fc.integer({ min: -40 * 16, max: 136 * 16 }).map((value) => value / 16);
const place = fc.tuple(coordinate, coordinate);
const points = (least: number) => fc.array(place, { minLength: least, maxLength: 9 });
const text = (list: readonly Place[]) => list.map(([x, y]) => `${x} ${y}`).join("L");

describe("shapes are covered as resvg covers them", () => {
  it.each<FillRule>(["nonzero", "evenodd"])("areas, %s", (rule) => {
    fc.assert(
      fc.property(fc.array(points(3), { minLength: 1, maxLength: 3 }), (rings) => {
        const mine = ours((coverage) => {
          for (const ring of rings) coverage.ring(ring.flat(), 0, ring.length);
        }, rule);
        const d = rings.map((ring) => `M${text(ring)}Z`).join("");
        expectAlike(
          mine,
          resvg(`<path d="${d}" fill-rule="${rule}"/>`),
          rings.flatMap(seenLength).reduce((sum, length) => sum + length),
          d,
        );
      }),
      { numRuns: 60, seed: 7, endOnFailure: true },
    );
  });

  /** Lines thinner than a pixel resvg draws as hairlines; dashes that touch are drawn twice where they do. */
  const width = fc.double({ min: 1.2, max: 24, noNaN: true });
  const dash = fc.double({ min: 4, max: 30, noNaN: true });
  const style = fc.record({
    width,
    cap: fc.constantFrom<Cap>("butt", "round", "square"),
    join: fc.constantFrom<Join>("miter", "round", "bevel"),
    dashes: fc.option(fc.array(dash, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  });

  it("lines with every cap, join and dash", () => {
    fc.assert(
      fc.property(points(3), fc.boolean(), style, (line, isRing, { dashes, ...plain }) => {
        const apart = dashes?.map((part, i) => (plain.cap === "butt" || i % 2 === 0 ? part : part + plain.width));
        const look: StrokeStyle = { ...plain, dashes: apart };
        // Where the dashes of a ring meet is a matter of taste.
        const closed = isRing && !dashes;
        const mine = ours((coverage) => new Stroker(coverage, look).add(line.flat(), 0, line.length, closed));
        const dash = look.dashes ? ` stroke-dasharray="${look.dashes.join(" ")}"` : "";
        const attributes = `fill="none" stroke="#000" stroke-width="${look.width}" stroke-linecap="${look.cap}" stroke-linejoin="${look.join}"${dash}`;
        const element = `<path d="M${text(line)}${closed ? "Z" : ""}" ${attributes}/>`;
        expectAlike(mine, resvg(element), seenLength(line), element);
      }),
      { numRuns: 100, seed: 11, endOnFailure: true },
    );
  });
});
