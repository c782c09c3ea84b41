import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Coordinate, parseCoordinate, toPoint, wrapLongitude } from "../../../src/core/geo/coordinate.ts";
import {
  bearing,
  destination,
  distance,
  EARTH_RADIUS,
  haversine,
  METRES_PER_DEGREE,
} from "../../../src/core/geo/distance.ts";
import { anywhere, SEED, uniform } from "./arbitrary.ts";

/** The angle between two positions as vectors (Kahan 2006): another way to the same figure. */
function byVectors(a: Coordinate, b: Coordinate): number {
  const [p, q] = [a, b].map(({ latitude, longitude }) => {
    const [lat, lon] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  });
  const apart = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  const together = Math.hypot(p[0] + q[0], p[1] + q[1], p[2] + q[2]);
  return 2 * EARTH_RADIUS * Math.atan2(apart, together);
}

describe("a distance", () => {
  it.each([
    { from: "one pole", to: "the other", a: [90, 0], b: [-90, 77], metres: Math.PI * EARTH_RADIUS },
    { from: "a point", to: "its antipode", a: [12, 34], b: [-12, -146], metres: Math.PI * EARTH_RADIUS },
    { from: "a pole", to: "the same pole by another longitude", a: [90, 10], b: [90, -100], metres: 0 },
    {
      from: "one side of the 180th meridian",
      to: "the other",
      a: [0, 179.5],
      b: [0, -179.5],
      metres: METRES_PER_DEGREE,
    },
    { from: "Big Ben", to: "the Statue of Liberty", a: [51.5007, -0.1246], b: [40.6892, -74.0445], metres: 5_574_848 },
  ])("from $from to $to", ({ a, b, metres }) => {
    expect(Math.abs(haversine(a[0], a[1], b[0], b[1]) - metres)).toBeLessThan(5);
  });

  it("is the same both ways and equals the angle between vectors", () => {
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        expect(distance(a, b)).toBe(distance(b, a));
        // Haversine loses a little towards the antipode.
        expect(Math.abs(distance(a, b) - byVectors(a, b))).toBeLessThan(0.5);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it("leads back: the point so far away at the bearing is so far away at the bearing", () => {
    fc.assert(
      fc.property(
        fc.record({
          latitude: uniform(-89, 89),
          longitude: uniform(-180, 179),
        }),
        uniform(0, 359.99),
        uniform(1, 9e6),
        (start, direction, metres) => {
          const end = destination(start, direction, metres);
          expect(Math.abs(distance(start, end) - metres)).toBeLessThan(0.001);
          expect(end.longitude).toBeGreaterThanOrEqual(-180);
          expect(end.longitude).toBeLessThan(180);
          const turn = Math.abs(bearing(start, end) - direction);
          expect(Math.min(turn, 360 - turn) * metres).toBeLessThan(0.1 * 180);
        },
      ),
      { seed: SEED, numRuns: 1000 },
    );
  });

  it.each([
    { to: [1, 0], degrees: 0 },
    { to: [0, 1], degrees: 90 },
    { to: [-1, 0], degrees: 180 },
    { to: [0, -1], degrees: 270 },
  ])("towards $to has the bearing $degrees", ({ to, degrees }) => {
    expect(bearing({ latitude: 0, longitude: 0 }, { latitude: to[0], longitude: to[1] })).toBeCloseTo(degrees, 9);
  });
});

describe("a coordinate", () => {
  it.each([
    ["40.7,-74", { latitude: 40.7, longitude: -74 }],
    [" 40.7 , -74 ", { latitude: 40.7, longitude: -74 }],
    ["-90,180", { latitude: -90, longitude: 180 }],
    ["90.001,0", undefined],
    ["0,180.001", undefined],
    ["40.7", undefined],
    ["40.7,-74,3", undefined],
    [",", undefined],
    ["40.7,", undefined],
    ["a,b", undefined],
    ["NaN,0", undefined],
    ["Infinity,0", undefined],
    ["+40.7,-74", { latitude: 40.7, longitude: -74 }],
    ["40.,-.5", { latitude: 40, longitude: -0.5 }],
    ["0x28,-0x4a", undefined],
    ["0b101,0o17", undefined],
    ["4e1,-7.4e1", { latitude: 40, longitude: -74 }],
    ["1e-7,-5.0E-4", { latitude: 1e-7, longitude: -5e-4 }],
    ["1e,0", undefined],
    ["1e999,0", undefined],
    ["4 0.7,-74", undefined],
    ["40.7,- 74", undefined],
    ["40 .7,-74", undefined],
    ["--40.7,-74", undefined],
    ["40.7.1,-74", undefined],
    ["1_0,-74", undefined],
    ["٤٠,-74", undefined],
    [".,0", undefined],
    [" ,0", undefined],
  ])("is read from %j", (text, coordinate) => {
    expect(parseCoordinate(text)).toEqual(coordinate);
  });

  it("is written longitude first in GeoJSON", () => {
    expect(toPoint({ latitude: 1, longitude: 2 })).toEqual({ type: "Point", coordinates: [2, 1] });
  });

  it.each([
    [0, 0],
    [180, -180],
    [-180, -180],
    [190, -170],
    [-190, 170],
    [540, -180],
    [719, -1],
  ])("brings the longitude %d round to %d", (longitude, wrapped) => {
    expect(wrapLongitude(longitude)).toBe(wrapped);
  });
});
