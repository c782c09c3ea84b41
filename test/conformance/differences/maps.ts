import { expect } from "vitest";
import type { Picture } from "../../core/maps/read-png.ts";

type Json = Record<string, unknown>;

/**
 * Effects of the parameters of static maps, read from their pixels. A custom style draws the ground in one gray,
 * so that the features on it can be measured.
 */
export interface MapDifference {
  /** Rows of docs/conformance.md. */
  id: `parameter.staticMap.${string}` | `map.${string}`;
  /** The difference, in a few words. */
  effect: string;
  /** As in Difference. */
  changes?: string;
  /** Parameters of both images, of the first, and of the second; defaults: those of BASE. */
  both?: Json;
  a?: Json;
  b: Json;
  expects(a: Picture, b: Picture): void;
}

export const CENTER = { latitude: 48.99, longitude: -111.2 };
const GROUND = "#808080";
/** A style of one gray. */
export const PLAIN_STYLE = {
  version: 8,
  layers: [{ id: "ground", type: "background", paint: { "background-color": GROUND } }],
};
/** Squares of green: one of the largest size of an icon, and a larger one. */
const square = (size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="#00ff00"/></svg>`;
export const ICONS = { square: square(20), large: square(128) };

const at = (east = 0, north = 0) => `${CENTER.latitude + north},${CENTER.longitude + east}`;
export const BASE = { width: 200, height: 160, center: at(), zoom: 14, style: "plain", attribution: "short" };
/** At zoom 14 the world has 512 × 2^14 pixels: degrees of longitude of a pixel. */
const PIXEL = 360 / (512 * 2 ** 14);

type Color = readonly [red: number, green: number, blue: number];
const RED: Color = [255, 0, 0];
const GREEN: Color = [0, 255, 0];
const BLUE: Color = [0, 0, 255];
const NAVY: Color = [0, 2, 0x57];
const WHITE: Color = [255, 255, 255];
const GRAY: Color = [128, 128, 128];

const near = ([r, g, b]: Color, red: number, green: number, blue: number) =>
  Math.max(Math.abs(red - r), Math.abs(green - g), Math.abs(blue - b)) <= 40;

interface Box {
  count: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the pixels of a color are: the attribution text, in the bottom rows, is excluded. */
function boxOf({ width, height, pixels }: Picture, color: Color, rows = height * 0.85): Box {
  const box = { count: 0, left: width, right: -1, top: height, bottom: -1 };
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 3;
      if (!near(color, pixels[i], pixels[i + 1], pixels[i + 2])) continue;
      box.count++;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  return box;
}

const sizeOf = ({ left, right, top, bottom }: Box) => [right - left + 1, bottom - top + 1];
const middleOf = ({ left, right }: Box) => (left + right + 1) / 2;

/** How many pixels of a color a column has. */
function inColumn({ width, height, pixels }: Picture, x: number, color: Color): number {
  let count = 0;
  for (let y = 0; y < height * 0.85; y++) {
    const i = (y * width + x) * 3;
    if (near(color, pixels[i], pixels[i + 1], pixels[i + 2])) count++;
  }
  return count;
}

function brightness({ pixels }: Picture): number {
  return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
}

const PIN = `color:red|${at()}`;
/** 80 pixels to the west of the center, and 80 to the east. */
const TWO_PINS = `color:red|${at(-80 * PIXEL)}|${at(80 * PIXEL)}`;
/** Across the whole image, through the middle of a row of pixels: the edges of an odd number of pixels are sharp. */
const ROW = (PIXEL / 2) * Math.cos((CENTER.latitude * Math.PI) / 180);
const LINE = `${at(-150 * PIXEL, ROW)}|${at(150 * PIXEL, ROW)}`;
/** A bent line, and its encoded form for so many decimals, written from the description of the format. */
const BENT = [
  [48.9905, -111.203],
  [48.9885, -111.2004],
  [48.9912, -111.1969],
];
function encodedLine(decimals: number): string {
  const grid = BENT.map((pair) => pair.map((value) => Math.round(value * 10 ** decimals)));
  return grid
    .flatMap((pair, i) => pair.map((value, axis) => encodedNumber(value - (grid[i - 1]?.[axis] ?? 0))))
    .join("");
}
function encodedNumber(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = "";
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 32 + 63);
  return text + String.fromCharCode(rest + 63);
}

const SIZES: readonly MapDifference[] = (["width", "height"] as const).map((name) => ({
  id: `parameter.staticMap.${name}`,
  effect: "sets the size of the image and keeps the center in the middle",
  both: { markers: PIN },
  b: { [name]: 300 },
  expects(a, b) {
    expect([a.width, a.height]).toEqual([200, 160]);
    expect([b.width, b.height]).toEqual(name === "width" ? [300, 160] : [200, 300]);
    for (const image of [a, b]) {
      const pin = boxOf(image, RED, image.height);
      expect(Math.abs(middleOf(pin) - image.width / 2)).toBeLessThanOrEqual(1);
      expect(Math.abs(pin.bottom - image.height / 2)).toBeLessThanOrEqual(7);
    }
  },
}));

export const MAPS_DIFFERENCES: readonly MapDifference[] = [
  ...SIZES,
  {
    id: "parameter.staticMap.center",
    effect: "moving it 40 pixels west moves the content 40 pixels east",
    both: { markers: PIN },
    b: { center: at(-40 * PIXEL) },
    expects(a, b) {
      expect(middleOf(boxOf(b, RED)) - middleOf(boxOf(a, RED))).toBe(40);
      expect(sizeOf(boxOf(b, RED))).toEqual(sizeOf(boxOf(a, RED)));
    },
  },
  {
    id: "parameter.staticMap.zoom",
    effect: "one less halves all distances",
    both: { markers: TWO_PINS },
    b: { zoom: 13 },
    expects(a, b) {
      const apart = (image: Picture) => sizeOf(boxOf(image, RED))[0] - PIN_WIDTH;
      expect(Math.abs(apart(a) - 160)).toBeLessThanOrEqual(4);
      expect(Math.abs(apart(b) - 80)).toBeLessThanOrEqual(4);
    },
  },
  {
    id: "parameter.staticMap.style",
    effect: "a light, dark or custom map",
    a: { style: "radar-light-v1" },
    b: { style: "radar-dark-v1" },
    expects(a, b) {
      expect(brightness(a)).toBeGreaterThan(200);
      expect(brightness(b)).toBeLessThan(90);
    },
  },
  {
    id: "parameter.staticMap.style",
    effect: "defaults to radar-default-v1",
    a: { style: undefined },
    b: { style: "radar-default-v1" },
    expects: (a, b) => expect(Buffer.compare(a.pixels, b.pixels)).toBe(0),
  },
  ...[2, 3].map(
    (scale): MapDifference => ({
      id: "parameter.staticMap.scale",
      effect: `${scale} is ${scale} times the size of the same area`,
      both: { markers: TWO_PINS },
      b: { scale },
      expects(a, b) {
        expect([b.width, b.height]).toEqual([scale * 200, scale * 160]);
        const [small, large] = [boxOf(a, RED), boxOf(b, RED)];
        for (const side of ["left", "right", "top", "bottom"] as const)
          expect(Math.abs(large[side] - scale * small[side])).toBeLessThanOrEqual(2 * scale);
      },
    }),
  ),
  {
    id: "map.scale",
    effect: "2 shows the same streets and houses",
    both: { style: "radar-light-v1" },
    b: { scale: 2 },
    expects(a, b) {
      // Labels are placed again; the rest of the image is the same. Its mirror image is not.
      expect(likeness(a, b)).toBeGreaterThan(0.85);
      expect(likeness(mirrored(a), b)).toBeLessThan(likeness(a, b) - 0.1);
    },
  },
  {
    id: "map.autofit",
    effect: "without center and zoom, the map fits all markers and paths",
    both: { center: undefined, zoom: undefined },
    a: { markers: `color:red|${at(0.3, 0.1)}|${at(-0.2, -0.3)}` },
    b: { markers: PIN, path: `stroke:blue|${at(-2, 1)}|${at(2, -1)}` },
    expects(a, b) {
      const pins = boxOf(a, RED, a.height);
      expect(pins.count).toBeGreaterThan(2 * 100);
      expect([pins.left > 2, pins.right < 198, pins.top > 2, pins.bottom < 158]).toEqual([true, true, true, true]);
      expect(Math.max(pins.right - pins.left, pins.bottom - pins.top)).toBeGreaterThan(70);
      const line = boxOf(b, BLUE, b.height);
      expect([line.left > 2, line.right < 198, line.top > 2, line.bottom < 158]).toEqual([true, true, true, true]);
      expect(line.right - line.left).toBeGreaterThan(100);
      expect(boxOf(b, RED).count).toBeGreaterThan(50);
    },
  },
  {
    id: "parameter.staticMap.markers",
    effect: "a pin with its tip at the location",
    b: { markers: PIN },
    expects(a, b) {
      expect(boxOf(a, RED).count).toBe(0);
      const pin = boxOf(b, RED);
      expect(middleOf(pin)).toBe(100);
      expect(Math.abs(pin.bottom - 80)).toBeLessThanOrEqual(7);
    },
  },
  {
    id: "parameter.staticMap.markers",
    effect: "a pin at each location",
    a: { markers: PIN },
    b: { markers: TWO_PINS },
    expects: (a, b) => expect(boxOf(b, RED).count / boxOf(a, RED).count).toBeCloseTo(2, 1),
  },
  {
    id: "map.marker-color",
    effect: "navy by default, or a color by name or in hex",
    a: { markers: at() },
    b: { markers: `color:0x00FF00|${at()}` },
    expects(a, b) {
      expect([boxOf(a, NAVY).count > 100, boxOf(a, GREEN).count]).toEqual([true, 0]);
      expect([boxOf(b, NAVY).count, boxOf(b, GREEN).count > 100]).toEqual([0, true]);
    },
  },
  {
    id: "map.marker-size",
    effect: "small draws a smaller pin at the same point",
    a: { markers: PIN },
    b: { markers: `size:small|${PIN}` },
    expects(a, b) {
      const [pin, small] = [boxOf(a, RED), boxOf(b, RED)];
      expect(sizeOf(small)[0] / sizeOf(pin)[0]).toBeCloseTo(0.62, 0.9);
      expect(sizeOf(small)[1]).toBeLessThan(0.75 * sizeOf(pin)[1]);
      expect(middleOf(small)).toBe(middleOf(pin));
      expect(Math.abs(small.bottom - pin.bottom)).toBeLessThanOrEqual(2);
    },
  },
  {
    id: "map.marker-icon",
    effect: "an uploaded icon instead of the pin, in its original size",
    a: { markers: PIN },
    b: { markers: `icon:square|${PIN}` },
    expects(a, b) {
      expect(boxOf(a, GREEN).count).toBe(0);
      expect(boxOf(b, RED).count).toBe(0);
      expect(sizeOf(boxOf(b, GREEN))).toEqual([20, 20]);
    },
  },
  {
    id: "map.marker-icon",
    effect: "no icon is larger than 64 × 64 pixels",
    a: { markers: `icon:square|${at()}` },
    b: { markers: `icon:large|${at()}` },
    expects(_, b) {
      expect(sizeOf(boxOf(b, GREEN, b.height))).toEqual([64, 64]);
    },
  },
  {
    id: "parameter.staticMap.path",
    effect: "a line through the locations",
    b: { path: `stroke:red|${LINE}` },
    expects(a, b) {
      expect(boxOf(a, RED).count).toBe(0);
      const line = boxOf(b, RED);
      expect([line.left, line.right]).toEqual([0, 199]);
      expect(Math.abs((line.top + line.bottom + 1) / 2 - 80)).toBeLessThanOrEqual(1);
    },
  },
  {
    id: "map.path-default",
    effect: "navy, 3 pixels wide, with 2 pixels of white on either side",
    b: { path: LINE },
    expects(a, b) {
      expect([inColumn(a, 50, NAVY), inColumn(a, 50, WHITE)]).toEqual([0, 0]);
      expect([inColumn(b, 50, NAVY), inColumn(b, 50, WHITE)]).toEqual([3, 4]);
      expect(inColumn(a, 50, GRAY) - inColumn(b, 50, GRAY)).toBe(7);
    },
  },
  ...(
    [
      ["stroke:0xFF0000", 3, RED, 4, WHITE],
      ["stroke:red|width:9", 9, RED, 4, WHITE],
      ["stroke:red|border:0x0000FF", 3, RED, 4, BLUE],
      ["stroke:red|border:blue|borderWidth:6", 3, RED, 12, BLUE],
    ] as const
  ).map(
    ([style, width, stroke, border, color]): MapDifference => ({
      id: "map.path-options",
      effect: `${style}: ${width} pixels of its color between ${border} of the border`,
      both: { width: 120 },
      a: { path: LINE },
      b: { path: `${style}|${LINE}` },
      expects(a, b) {
        expect(inColumn(a, 50, stroke)).toBe(0);
        expect([inColumn(b, 50, stroke), inColumn(b, 50, color)]).toEqual([width, border]);
      },
    }),
  ),
  ...(
    [
      ["enc", 5],
      ["enc6", 6],
    ] as const
  ).map(
    ([name, decimals]): MapDifference => ({
      id: "map.path-encoded",
      effect: `${name}: is the line of its locations`,
      a: { path: `stroke:red|${BENT.map((pair) => pair.join()).join("|")}` },
      b: { path: `stroke:red|${name}:${encodedLine(decimals)}` },
      expects(a, b) {
        expect(sizeOf(boxOf(a, RED))[0]).toBeGreaterThan(120);
        expect(Buffer.compare(a.pixels, b.pixels)).toBe(0);
      },
    }),
  ),
];

/** A pin is about so wide [pixels]. */
const PIN_WIDTH = 26;

/** Share of the pixels of an image that are, in one twice the size, the mean of their four. */
function likeness(small: Picture, large: Picture): number {
  let same = 0;
  const { width, height } = small;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const mean = [0, 1, 2].map((c) => {
        const of = (dx: number, dy: number) => large.pixels[((2 * y + dy) * large.width + 2 * x + dx) * 3 + c];
        return (of(0, 0) + of(1, 0) + of(0, 1) + of(1, 1)) / 4;
      });
      const i = (y * width + x) * 3;
      if ([0, 1, 2].every((c) => Math.abs(mean[c] - small.pixels[i + c]) <= 16)) same++;
    }
  return same / (width * height);
}

function mirrored({ width, height, pixels }: Picture): Picture {
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) turned[(y * width + x) * 3 + c] = pixels[(y * width + width - 1 - x) * 3 + c];
  return { width, height, pixels: turned };
}
