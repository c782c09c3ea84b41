import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ancestors, cellAt } from "../../../src/core/geo/cells/cells.ts";
import { coverPolygon } from "../../../src/core/geo/cells/cover.ts";
import { destination, haversine } from "../../../src/core/geo/distance.ts";
import { type Ring, ringCentroid, ringContains } from "../../../src/core/geo/shapes/polygon.ts";
import { ringReach, windsAroundPole } from "../../../src/core/geo/shapes/reach.ts";
import { SEED, uniform } from "./arbitrary.ts";

describe("the reach of a ring", () => {
  it("holds every point of its edges and little more", () => {
    const corner = fc.tuple(uniform(-60, 60), uniform(-89, 89));
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 8 }), uniform(0.001, 1), (corners, scale) => {
        const ring: Ring = corners.map(([x, y]) => [x * scale, y * scale]);
        const center = ringCentroid(ring);
        const reach = ringReach(ring, center);
        let farthest = 0;
        for (const [i, [lonB, latB]] of ring.entries()) {
          const [lonA, latA] = ring[(i + ring.length - 1) % ring.length];
          for (let t = 0; t <= 1; t += 1 / 64) {
            const d = haversine(center.latitude, center.longitude, latA + (latB - latA) * t, lonA + (lonB - lonA) * t);
            farthest = Math.max(farthest, d);
          }
        }
        expect(reach).toBeGreaterThanOrEqual(farthest - 1e-6);
        expect(reach).toBeLessThanOrEqual(farthest * 1.01 + 80_000 * scale);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it("of an edge along the 60th parallel is farther than its corners", () => {
    const ring: Ring = [
      [-80, 60],
      [80, 60],
      [80, 61],
      [-80, 61],
    ];
    const from = { latitude: 85, longitude: 0 };
    const corners = Math.max(...ring.map(([longitude, latitude]) => haversine(85, 0, latitude, longitude)));
    expect(ringReach(ring, from)).toBeGreaterThan(haversine(85, 0, 60, 79));
    expect(ringReach(ring, from)).toBeLessThan(corners * 1.05);
  });

  it("of an edge seen over the pole is that of its middle, between its corners", () => {
    const ring: Ring = [
      [-0.5, 60],
      [0.5, 60],
      [0.5, 61],
      [-0.5, 61],
    ];
    expect(ringReach(ring, { latitude: 89, longitude: -180 })).toBeGreaterThanOrEqual(haversine(89, -180, 60, 0));
  });

  it("of a small square is its half diagonal", () => {
    const center = { latitude: 45, longitude: 9 };
    const ring: Ring = [45, 135, 225, 315].map((bearing) => {
      const { latitude, longitude } = destination(center, bearing, 500);
      return [longitude, latitude];
    });
    expect(ringReach(ring, center)).toBeGreaterThanOrEqual(500 - 1e-6);
    expect(ringReach(ring, center)).toBeLessThan(500.2);
  });
});

describe("a ring", () => {
  it("that is closed over the pole has an inside, and the pole is in it", () => {
    for (const [pole, edge] of [
      [90, 80],
      [-90, -80],
    ]) {
      const cap = [-180, -90, 0, 90, 180].map((longitude) => [longitude, edge]);
      const closed: Ring = [...cap, [180, pole], [-180, pole], cap[0]];
      for (const ring of [closed, closed.slice(1), [...closed].reverse()]) {
        expect(windsAroundPole(ring)).toBe(false);
        const cover = new Set(coverPolygon(ring));
        for (let longitude = -179.5; longitude < 180; longitude += 7.3) {
          for (const latitude of [edge * 1.0001, edge * 1.05, pole * 0.99999]) {
            expect(ringContains(ring, latitude, longitude)).toBe(true);
            expect(ancestors(cellAt({ latitude, longitude })).some((cell) => cover.has(cell))).toBe(true);
          }
          expect(ringContains(ring, edge * 0.999, longitude)).toBe(false);
        }
      }
    }
  });

  it("winds around a pole when its longitudes come full circle", () => {
    const around: Ring = [
      [0, 80],
      [90, 80],
      [180, 80],
      [-90, 80],
    ];
    expect(windsAroundPole(around)).toBe(true);
    expect(windsAroundPole([...around].reverse())).toBe(true);
    expect(windsAroundPole([...around, around[0]])).toBe(true);
    expect(
      windsAroundPole([
        [170, 0],
        [-170, 0],
        [-170, 5],
        [170, 5],
      ]),
    ).toBe(false);
    expect(
      windsAroundPole([
        [0, 0],
        [10, 0],
        [10, 10],
      ]),
    ).toBe(false);
  });
});
