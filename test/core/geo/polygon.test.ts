import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destination, haversine } from "../../../src/core/geo/distance.ts";
import { type Ring, ringCentroid, ringContains, signedDistance } from "../../../src/core/geo/shapes/polygon.ts";
import { SEED } from "./arbitrary.ts";

/** Even-odd by the book, on rings that stay clear of the 180th meridian. */
function plainContains(ring: Ring, latitude: number, longitude: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i];
    const [xj, yj] = ring[j];
    if (yi > latitude !== yj > latitude && longitude < ((xj - xi) * (latitude - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

const corner = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -40, max: 40 }));
const wrapped = (longitude: number) =>
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;

describe("a ring contains a point", () => {
  it("as the even-odd rule says, wherever on the Earth the ring is turned", () => {
    fc.assert(
      fc.property(
        fc.array(corner, { minLength: 3, maxLength: 12 }),
        corner,
        fc.integer({ min: -180, max: 180 }),
        (corners, [x, y], turn) => {
          const [longitude, latitude] = [x + 0.37, y + 0.21];
          const plain = plainContains(corners, latitude, longitude);
          const turned = corners.map(([lon, lat]) => [wrapped(lon + turn), lat]);
          expect(ringContains(turned, latitude, wrapped(longitude + turn))).toBe(plain);
          expect(ringContains([...turned, turned[0]], latitude, wrapped(longitude + turn))).toBe(plain);
        },
      ),
      { seed: SEED, numRuns: 3000 },
    );
  });

  it("on either side of the 180th meridian", () => {
    //        179° E │ 179° W
    //   ┌───────────┼───────────┐ 16° S
    //   │     ·     │     ·     │           · far away, at 0°
    //   └───────────┼───────────┘ 18° S
    for (const fiji of [
      [
        [178, -18],
        [-178, -18],
        [-178, -16],
        [178, -16],
      ],
      [
        [-178, -18],
        [-178, -16],
        [178, -16],
        [178, -18],
        [-178, -18],
      ],
      [
        [178, -18],
        [182, -18],
        [182, -16],
        [178, -16],
      ],
      [
        [-182, -18],
        [-178, -18],
        [-178, -16],
        [-182, -16],
      ],
    ]) {
      for (const longitude of [179, -179, 180, -180]) expect(ringContains(fiji, -17, longitude)).toBe(true);
      for (const longitude of [177, -177, 0, 90, -90]) expect(ringContains(fiji, -17, longitude)).toBe(false);
      expect(ringContains(fiji, -15, 179)).toBe(false);
    }
  });

  it("not where the ring has no area", () => {
    expect(ringContains([[0, 0]], 0.1, 0)).toBe(false);
    expect(
      ringContains(
        [
          [0, 0],
          [1, 1],
        ],
        0.5,
        0.2,
      ),
    ).toBe(false);
  });
});

describe("the signed distance to a ring", () => {
  const square = (latitude: number, longitude: number, metres: number): Ring =>
    [45, 135, 225, 315].map((bearing) => {
      const p = destination({ latitude, longitude }, bearing, metres * Math.SQRT2);
      return [p.longitude, p.latitude];
    });

  it.each([
    { latitude: 0, longitude: 0 },
    { latitude: 60, longitude: 24 },
    { latitude: -45, longitude: 180 },
    { latitude: -17, longitude: -179.9999 },
    { latitude: 80, longitude: 15 },
  ])("is negative inside and right to a thousandth at $latitude, $longitude", ({ latitude, longitude }) => {
    const ring = square(latitude, longitude, 1000);
    expect(signedDistance(ring, latitude, longitude) / -1000).toBeCloseTo(1, 2);
    for (const [metres, expected] of [
      [900, -100],
      [1100, 100],
      [5000, 4000],
    ]) {
      for (const bearing of [0, 180]) {
        const p = destination({ latitude, longitude }, bearing, metres);
        expect(Math.abs(signedDistance(ring, p.latitude, p.longitude) - expected)).toBeLessThan(6);
      }
    }
  });

  it("is far where a ring across the 180th meridian is far", () => {
    const russia: Ring = [
      [30, 60],
      [60, 55],
      [100, 50],
      [135, 50],
      [175, 62],
      [-175, 66],
      [175, 70],
      [100, 76],
      [60, 70],
      [30, 69],
    ];
    expect(signedDistance(russia, 65, -5)).toBeGreaterThan(1_500_000);
    expect(signedDistance(russia, 65, -173)).toBeLessThan(150_000);
    expect(signedDistance(russia, 65, 187)).toBeCloseTo(signedDistance(russia, 65, -173), 3);
  });

  it("is the distance to the nearest point of the edge, by brute force", () => {
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 6 }), corner, (corners, [x, y]) => {
        const ring = corners.map(([lon, lat]) => [10 + lon / 500, 50 + lat / 500]);
        const [longitude, latitude] = [10 + (x + 0.31) / 500, 50 + (y + 0.17) / 500];
        let nearest = Number.POSITIVE_INFINITY;
        for (const [i, b] of ring.entries()) {
          const a = ring[(i + ring.length - 1) % ring.length];
          for (let t = 0; t <= 1; t += 1 / 256) {
            nearest = Math.min(
              nearest,
              haversine(latitude, longitude, a[1] + (b[1] - a[1]) * t, a[0] + (b[0] - a[0]) * t),
            );
          }
        }
        const signed = signedDistance(ring, latitude, longitude);
        expect(signed < 0).toBe(ringContains(ring, latitude, longitude));
        // Samples lie up to 45 m apart; the local plane is exact to a thousandth.
        expect(Math.abs(signed)).toBeLessThanOrEqual(nearest * 1.001 + 0.01);
        expect(Math.abs(signed)).toBeGreaterThan(nearest * 0.998 - 45);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});

describe("the centre of a ring", () => {
  it.each([
    {
      name: "a square",
      ring: [
        [0, 0],
        [2, 0],
        [2, 2],
        [0, 2],
      ],
      center: [1, 1],
    },
    {
      name: "a closed square",
      ring: [
        [0, 0],
        [2, 0],
        [2, 2],
        [0, 2],
        [0, 0],
      ],
      center: [1, 1],
    },
    {
      name: "a triangle",
      ring: [
        [0, 0],
        [3, 0],
        [0, 3],
      ],
      center: [1, 1],
    },
    {
      name: "an L",
      ring: [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [1, 3],
        [0, 3],
      ],
      center: [0.75, 1.25],
    },
    {
      name: "a square on the 180th meridian",
      ring: [
        [179, 0],
        [-179, 0],
        [-179, 2],
        [179, 2],
      ],
      center: [-180, 1],
    },
    {
      name: "a line",
      ring: [
        [0, 0],
        [2, 2],
      ],
      center: [1, 1],
    },
  ])("of $name", ({ ring, center }) => {
    const { latitude, longitude } = ringCentroid(ring);
    expect(longitude).toBeCloseTo(center[0], 9);
    expect(latitude).toBeCloseTo(center[1], 9);
  });
});
