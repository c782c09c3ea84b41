import { describe, expect, it } from "vitest";
import type { Box } from "../../../src/core/maps/base/clip.ts";
import { clipLine, clipRing } from "../../../src/core/maps/base/clip.ts";
import { Collision } from "../../../src/core/maps/labels/collision.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { encodePng } from "../../support/png.ts";
import { readPng } from "./read-png.ts";

describe("a PNG", () => {
  const rgba = (width: number, height: number, color: (x: number, y: number) => [number, number, number]) => {
    const pixels = new Uint8Array(width * height * 4);
    for (let i = 0; i < width * height; i++) pixels.set([...color(i % width, Math.floor(i / width)), 255], i * 4);
    return pixels;
  };

  it("keeps the exact colours of flat areas, however many mixtures there are", () => {
    const random = seededRandom(4);
    const flat: [number, number, number][] = [
      [0xf5, 0xf2, 0xec],
      [0xa5, 0xd5, 0xec],
      [0xff, 0, 0],
      [0x1e, 0x22, 0x28],
    ];
    const color = (x: number, y: number): [number, number, number] =>
      y < 40 ? flat[Math.floor(x / 40)] : ([0, 0, 0].map(() => Math.floor(256 * random())) as [number, number, number]);
    const { pixels } = readPng(encodePng(rgba(160, 60, color), 160, 60));
    for (let y = 0; y < 40; y++)
      for (let x = 0; x < 160; x++) {
        const at = (y * 160 + x) * 3;
        expect([...pixels.subarray(at, at + 3)]).toEqual(flat[Math.floor(x / 40)]);
      }
  });

  it("keeps flat colours that are nearly the same", () => {
    // Land, urban land, a square, buildings, a street of the white style.
    const flat = [0xff, 0xfc, 0xf8, 0xf2, 0xf1].map((tone): [number, number, number] => [tone, tone, tone]);
    const { pixels } = readPng(
      encodePng(
        rgba(150, 20, (x) => flat[Math.floor(x / 30)]),
        150,
        20,
      ),
    );
    const seen = flat.map((_, i) => [...pixels.subarray(3 * (150 * 10 + 30 * i + 15)).subarray(0, 3)]);
    expect(seen).toEqual(flat);
  });

  it("of a smooth field stays near it", () => {
    const color = (x: number, y: number): [number, number, number] => [x, y, 255 - x];
    const source = rgba(256, 256, color);
    const { pixels } = readPng(encodePng(source, 256, 256));
    let most = 0;
    for (let i = 0; i < 256 * 256; i++)
      for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(pixels[3 * i + c] - source[4 * i + c]));
    expect(most).toBeLessThan(40);
  });
});

describe("the places that are taken", () => {
  it("are those a search through all boxes finds", () => {
    const random = seededRandom(5);
    const bounds = { left: 0, top: 0, right: 500, bottom: 300 };
    const collision = new Collision(bounds);
    const taken: Box[] = [];
    let free = 0;
    for (let i = 0; i < 2000; i++) {
      const [left, top] = [random() * 520 - 10, random() * 320 - 10];
      const box = { left, top, right: left + 60 * random(), bottom: top + 20 * random() };
      const inside = box.left >= 0 && box.top >= 0 && box.right <= 500 && box.bottom <= 300;
      const meets = taken.some(
        (other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
      );
      expect(collision.isFree(box)).toBe(inside && !meets);
      if (!inside || meets) continue;
      free++;
      collision.take(box);
      taken.push(box);
    }
    expect(free).toBeGreaterThan(100);
  });
});

describe("clipping", () => {
  const box = { left: 0, top: 0, right: 100, bottom: 100 };

  it("leaves of a line what a walk along it finds in the box", () => {
    const random = seededRandom(6);
    for (let round = 0; round < 200; round++) {
      const count = 2 + Math.floor(8 * random());
      const points = Float64Array.from({ length: 2 * count }, () => random() * 300 - 100);
      let inside = 0;
      clipLine(points, count, box, (piece, n) => {
        for (let i = 1; i < n; i++)
          inside += Math.hypot(piece[2 * i] - piece[2 * i - 2], piece[2 * i + 1] - piece[2 * i - 1]);
        for (let i = 0; i < 2 * n; i++) expect(piece[i] >= -1e-9 && piece[i] <= 100 + 1e-9).toBe(true);
      });
      let walked = 0;
      for (let i = 1; i < count; i++) {
        const [x0, y0, x1, y1] = points.subarray(2 * i - 2, 2 * i + 2);
        const steps = 4000;
        for (let k = 0; k < steps; k++) {
          const t = (k + 0.5) / steps;
          const [x, y] = [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
          if (x >= 0 && x <= 100 && y >= 0 && y <= 100) walked += Math.hypot(x1 - x0, y1 - y0) / steps;
        }
      }
      expect(Math.abs(inside - walked)).toBeLessThan(0.5);
    }
  });

  it("leaves of a ring the part in the box", () => {
    const area = (points: Float64Array, count: number) => {
      let twice = 0;
      for (let i = 0, j = count - 1; i < count; j = i++)
        twice += points[2 * j] * points[2 * i + 1] - points[2 * i] * points[2 * j + 1];
      return Math.abs(twice) / 2;
    };
    const around = clipRing(Float64Array.of(-50, -50, 150, -50, 150, 150, -50, 150), 4, box);
    expect(area(around.points, around.count)).toBe(10_000);
    const half = clipRing(Float64Array.of(50, -10, 150, -10, 150, 110, 50, 110), 4, box);
    expect(area(half.points, half.count)).toBe(5000);
    expect(clipRing(Float64Array.of(200, 0, 300, 0, 300, 50), 3, box).count).toBe(0);
  });
});
