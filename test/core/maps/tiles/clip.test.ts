import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipParts, cutOut, type Rect } from "../../../../src/core/maps/tiles/clip.ts";
import { LINE, POINT, POLYGON, ringArea } from "../../../../src/core/maps/tiles/mvt.ts";

const RECT: Rect = { left: 0, top: 0, right: 100, bottom: 100 };
const coordinate = fc.integer({ min: -150, max: 250 });
const line = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 12 })
  .map((corners): number[] => corners.flat());

/** Length inside the rectangle, by walking in small steps. */
function lengthInside(part: readonly number[], inside: (x: number, y: number) => boolean): number {
  let length = 0;
  for (let i = 2; i < part.length; i += 2) {
    const [dx, dy] = [part[i] - part[i - 2], part[i + 1] - part[i - 1]];
    const steps = 2000;
    let hits = 0;
    for (let s = 0; s < steps; s++) {
      const share = (s + 0.5) / steps;
      if (inside(part[i - 2] + share * dx, part[i - 1] + share * dy)) hits++;
    }
    length += (Math.hypot(dx, dy) * hits) / steps;
  }
  return length;
}

function length(parts: readonly (readonly number[])[]): number {
  return parts.reduce((sum, part) => sum + lengthInside(part, () => true), 0);
}

const inRect =
  ({ left, top, right, bottom }: Rect) =>
  (x: number, y: number) =>
    x >= left && x <= right && y >= top && y <= bottom;

/** A star-shaped ring around a centre: never crosses itself. */
const star = fc
  .record({
    x: fc.integer({ min: -50, max: 150 }),
    y: fc.integer({ min: -50, max: 150 }),
    radii: fc.array(fc.integer({ min: 5, max: 120 }), { minLength: 3, maxLength: 12 }),
  })
  .map(({ x, y, radii }): number[] =>
    radii.flatMap((radius, i) => {
      const angle = (2 * Math.PI * i) / radii.length;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    }),
  );

/** Area inside, by counting a grid. */
function gridArea(ring: readonly number[], inside: (x: number, y: number) => boolean): number {
  let hits = 0;
  for (let x = -199.5; x < 300; x += 2) {
    for (let y = -199.5; y < 300; y += 2) if (inside(x, y) && holds(ring, x, y)) hits++;
  }
  return hits * 4;
}

function holds(ring: readonly number[], x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  }
  return odd;
}

describe("what is clipped to a rectangle", () => {
  it("keeps all of a line's length inside, and none outside", () => {
    fc.assert(
      fc.property(line, (part) => {
        const clipped = clipParts(LINE, [part], RECT);
        for (const piece of clipped) {
          for (let i = 0; i < piece.length; i += 2) expect(inRect(RECT)(piece[i], piece[i + 1])).toBe(true);
        }
        expect(length(clipped)).toBeCloseTo(lengthInside(part, inRect(RECT)), -0.5);
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it("keeps an area's size and direction", () => {
    fc.assert(
      fc.property(star, (ring) => {
        const clipped = clipParts(POLYGON, [ring], RECT);
        const area = clipped.reduce((sum, part) => sum + ringArea(part) / 2, 0);
        expect(Math.abs(area - gridArea(ring, inRect(RECT)))).toBeLessThan(500);
        for (const part of clipped) expect(ringArea(part)).toBeGreaterThanOrEqual(0);
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  it("keeps points on its edge", () => {
    expect(clipParts(POINT, [[0, 0, 100, 100, 101, 50]], RECT)).toEqual([[0, 0, 100, 100]]);
  });
});

describe("what is cut out", () => {
  const frame: Rect = { left: -200, top: -200, right: 300, bottom: 300 };

  it("leaves the rest of an area, overlapping by no more than asked", () => {
    fc.assert(
      fc.property(star, (ring) => {
        const area = cutOut(POLYGON, [ring], RECT, frame, 0).reduce((sum, part) => sum + ringArea(part) / 2, 0);
        const outside = gridArea(ring, (x, y) => !inRect(RECT)(x, y));
        expect(Math.abs(area - outside)).toBeLessThan(700);
      }),
      { seed: 5, numRuns: 40 },
    );
  });

  it("leaves lines outside the hole whole", () => {
    fc.assert(
      fc.property(line, (part) => {
        const rest = cutOut(LINE, [part], RECT, frame, 0);
        expect(length(rest)).toBeCloseTo(
          lengthInside(part, (x, y) => !inRect(RECT)(x, y)),
          -0.7,
        );
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  it("takes points in the hole and on its edge away", () => {
    expect(cutOut(POINT, [[50, 50, 0, 0, 101, 50]], RECT, frame, 4)).toEqual([[101, 50]]);
  });
});
