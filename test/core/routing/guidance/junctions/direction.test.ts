import { describe, expect, it } from "vitest";
import { destination } from "../../../../../src/core/geo/distance.ts";
import { type SeenRoad, seenDirection } from "../../../../../src/core/routing/guidance/direction.ts";
import { seeded } from "../../graph/random-town.ts";

const ORIGIN = { latitude: 0, longitude: 0 };
const ROAD: SeenRoad = { class: "secondary" };

/** Points given by their bearing and distance from the first. */
const line = (points: readonly (readonly [bearing: number, metres: number])[]) =>
  points.map(([bearing, metres]) => destination(ORIGIN, (bearing + 360) % 360, metres));

const apart = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180);

describe("the direction in which a road is seen to leave", () => {
  it("is that of a straight line", () => {
    for (const bearing of [0, 17, 90, 180, 271]) {
      const road = line([0, 3, 12, 60].map((metres) => [bearing, metres] as const));
      expect(apart(seenDirection(road, ROAD), bearing)).toBeLessThan(0.1);
    }
  });

  it("is the same however the map is turned, and mirrored on a mirror", () => {
    const random = seeded(7);
    for (let round = 0; round < 300; round++) {
      const road: SeenRoad = { class: round % 3 === 0 ? "motorway" : round % 3 === 1 ? "primary" : "residential" };
      const points: [number, number][] = [[0, 0]];
      for (let metres = 0, bearing = 0, i = 0; i < 8; i++) {
        metres += 1 + random() * 12;
        bearing += (random() - 0.5) * 30;
        points.push([bearing, metres]);
      }
      const seen = seenDirection(line(points), road, round % 5);
      const turned = seenDirection(line(points.map(([b, m]) => [b + 37, m] as const)), road, round % 5);
      const mirrored = seenDirection(line(points.map(([b, m]) => [-b, m] as const)), road, round % 5);
      expect(apart(turned, seen + 37)).toBeLessThan(0.1);
      expect(apart(mirrored, 360 - seen)).toBeLessThan(0.1);
    }
  });

  it("lies between the directions of the stretches it is made of", () => {
    for (const first of [2, 5, 8, 12, 18, 25, 40]) {
      for (const bend of [10, 30, 60, 90]) {
        const corner = destination(ORIGIN, 90, first);
        const road = [ORIGIN, corner, destination(corner, 90 + bend, 60)];
        const seen = seenDirection(road, ROAD);
        expect(seen, `${first} m, then ${bend} degrees`).toBeGreaterThan(89.9);
        expect(seen, `${first} m, then ${bend} degrees`).toBeLessThan(90.1 + bend);
      }
    }
  });

  it("of a roundabout is that of its first metres, of a path that of its first ten", () => {
    const corner = destination(ORIGIN, 0, 2);
    const road = [ORIGIN, corner, destination(corner, 60, 60)];
    expect(apart(seenDirection(road, { class: "primary", junction: "roundabout" }), 0)).toBeLessThan(0.1);
    const path = seenDirection(road, { class: "footway" });
    expect(path).toBeGreaterThan(40);
    expect(path).toBeLessThan(55);
  });

  it("is told of any line at all", () => {
    expect(seenDirection([ORIGIN, ORIGIN], ROAD)).toBe(0);
    const there = destination(ORIGIN, 90, 20);
    expect(apart(seenDirection([ORIGIN, there, ORIGIN], ROAD), 90)).toBeLessThan(0.1);
  });
});
