import { beforeAll, describe, expect, it } from "vitest";
import { rasterise } from "../../../../src/core/maps/image/rasterise.ts";
import { pinSvg } from "../../../../src/core/maps/overlay-svg.ts";
import { Coverage } from "../../../../src/core/maps/raster/coverage.ts";
import { Painter } from "../../../../src/core/maps/raster/painter.ts";
import { Stroker } from "../../../../src/core/maps/raster/stroke.ts";
import { paintVectorImage, parseVectorImage } from "../../../../src/core/maps/raster/vector-image.ts";
import { builtInIcons } from "../../../../src/core/maps/style/built-in.ts";
import { SYMBOLS } from "../../../../src/core/maps/style/pictograms.ts";
import { ready } from "../town.ts";

const SIDE = 84;

beforeAll(async () => {
  await ready();
}, 60_000);

/** Our own pictures beside resvg's, on grey, turned and placed between pixels → the mean difference of a channel where there is something. */
function apart(svg: string, scale: number, degrees: number): number {
  const raster = { pixels: new Uint8Array(4 * SIDE * SIDE), width: SIDE, height: SIDE, top: 0 };
  const painter = new Painter(raster, scale);
  painter.wash([128, 128, 128, 1]);
  const [x, y] = [13.3, 9.8];
  const angle = (degrees * Math.PI) / 180;
  paintVectorImage(painter, parseVectorImage(svg), { x, y, size: 1, cos: Math.cos(angle), sin: Math.sin(angle) });
  const place = `scale(${scale}) translate(${x} ${y}) rotate(${degrees})`;
  const ground = `<rect width="${SIDE}" height="${SIDE}" fill="#808080"/>`;
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">${ground}<g transform="${place}">${svg}</g></svg>`;
  const { pixels } = rasterise(new TextEncoder().encode(whole));
  let [sum, seen] = [0, 0];
  for (let i = 0; i < pixels.length; i++) {
    if (i % 4 === 3 || (pixels[i] === 128 && raster.pixels[i] === 128)) continue;
    sum += Math.abs(pixels[i] - raster.pixels[i]);
    seen++;
  }
  expect(seen).toBeGreaterThan(30);
  return sum / seen;
}

/** Shields differ by their width alone: the narrowest stands for them. */
const ICONS = Object.entries(builtInIcons("radar-default-v1")).filter(([name]) => !/-[2-6]$/.test(name));

describe("pictures of our own look as resvg draws them", () => {
  it.each([
    [1, 0],
    [2, 33],
  ])("icons of a style, at scale %d, turned by %d degrees", (scale, degrees) => {
    for (const [name, { svg }] of ICONS)
      expect([name, apart(svg, scale, degrees)]).toEqual([name, expect.toSatisfy((mean: number) => mean < 8)]);
  });

  it("pins with every head", () => {
    for (const head of ["eye", "bare", ...SYMBOLS] as const)
      expect([head, apart(pinSvg("#d5432e", "#ffffff", head), 2, 0)]).toEqual([
        head,
        expect.toSatisfy((mean: number) => mean < 4),
      ]);
  });

  it("an element or a move that is not known is told, not left out", () => {
    expect(() => parseVectorImage("<text>A</text>")).toThrow("<text>");
    expect(() => parseVectorImage('<g transform="skewX(3)"><path d="M0 0h1v1z"/></g>')).toThrow("skewX");
    expect(() => parseVectorImage('<path d="M0 0T3 4"/>')).toThrow("T");
  });
});

/** Of a white image of 64 × 64, how many pixels a shape in black covers. */
function covered(draw: (coverage: Coverage) => void): number {
  const coverage = new Coverage(64, 64);
  draw(coverage);
  const pixels = new Uint8Array(4 * 64 * 64).fill(255);
  coverage.lay({ pixels }, [0, 0, 0, 1]);
  let area = 0;
  for (let i = 0; i < pixels.length; i += 4) area += (255 - pixels[i]) / 255;
  return area;
}

describe("what a shape covers", () => {
  it("is its area, wherever it leaves the image", () => {
    const square = (left: number, top: number, side: number) => (coverage: Coverage) =>
      coverage.ring([left, top, left + side, top, left + side, top + side, left, top + side], 0, 4);
    expect(covered(square(10.25, 20.5, 8.5))).toBeCloseTo(8.5 * 8.5, 0);
    expect(covered(square(-1000, -1000, 3000))).toBe(64 * 64);
    expect(covered(square(60, -4, 8))).toBeCloseTo(16, 1);
    expect(covered(square(-4, 60, 8))).toBeCloseTo(16, 1);
    expect(covered(square(64, 0, 9))).toBe(0);
    // A long flat triangle that comes from the left and leaves on the right within two rows.
    expect(covered((coverage) => coverage.ring([-64, 30, 128, 31.5, -64, 31.5], 0, 3))).toBeCloseTo(64 * 0.75, 0);
  });

  it("is length times width for a line thinner than a pixel", () => {
    for (const width of [0.3, 0.5, 0.9]) {
      const look = { width, cap: "butt", join: "round" } as const;
      const area = covered((coverage) => new Stroker(coverage, look).add([5, 7, 50, 40], 0, 2, false));
      expect(area / (width * Math.hypot(45, 33))).toBeCloseTo(1, 1);
    }
  });

  it("is nothing for positions that are no numbers, and a dot for a round line without length", () => {
    expect(covered((coverage) => coverage.ring([Number.NaN, 3, 9, Number.NaN, 5, 30], 0, 3))).toBe(0);
    const look = { width: 10, cap: "round", join: "round" } as const;
    const dot = covered((coverage) => new Stroker(coverage, look).add([30, 30, 30, 30], 0, 2, false));
    expect(dot / (25 * Math.PI)).toBeCloseTo(1, 1);
  });

  it("is not left for the next shape", () => {
    const coverage = new Coverage(64, 64);
    const pixels = new Uint8Array(4 * 64 * 64).fill(255);
    coverage.ring([3, 3, 70, 9, 70, 60, -5, 50], 0, 4);
    coverage.lay({ pixels }, [0, 0, 0, 1], "evenodd");
    const before = pixels.slice();
    coverage.lay({ pixels }, [200, 0, 0, 1]);
    expect(pixels).toEqual(before);
  });
});
