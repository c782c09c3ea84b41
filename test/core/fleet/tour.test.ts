import { describe, expect, it } from "vitest";
import { fewestVehicles } from "../../../src/core/fleet/fewest.ts";
import { modelOf, NEVER } from "../../../src/core/fleet/model.ts";
import type { FleetProblem, FleetTask } from "../../../src/core/fleet/problem.ts";
import { Tour } from "../../../src/core/fleet/tour.ts";
import { random } from "../../../src/demo/world/random.ts";
import { modelOfInstance, readInstance } from "../../bench/support/fleet-instances.ts";

/** Stops in a town, some with windows, some with a load both ways; ways are not the same there and back. */
function town(seed: string, hasSetups: boolean): FleetProblem {
  const draw = random(seed).next;
  const size = 21;
  const duration = Float64Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 0 : 10 + draw() * 90));
  const tasks = Array.from({ length: size - 1 }, (_, i): FleetTask => {
    const from = Math.floor(draw() * 500);
    const windows = draw() < 0.5 ? [[from, from + 400] as const] : [];
    const stop = {
      location: i + 1,
      setup: hasSetups && draw() < 0.5 ? 30 : 0,
      service: Math.floor(draw() * 20),
      windows,
    };
    return {
      stops: [stop],
      delivery: [Math.floor(draw() * 3)],
      pickup: [Math.floor(draw() * 3)],
      skills: [],
      priority: 0,
    };
  });
  const vehicle = {
    matrix: 0,
    speedFactor: 1,
    start: 0,
    end: 0,
    capacity: [40],
    skills: new Set<number>(),
    window: [0, 3000] as const,
    breaks: [],
    maxTasks: NEVER,
    maxTravelTime: NEVER,
    maxDistance: NEVER,
    costs: { fixed: 0, perHour: 3600, perKm: 5 },
  };
  const matrices = [{ size, duration, distance: duration.map((time) => time * 9) }];
  return { matrices, vehicles: [vehicle], tasks, dimensions: 1 };
}

describe("a tour", () => {
  it("that gets its stops one by one has the same times and loads as one that gets them together", () => {
    for (const hasSetups of [false, true]) {
      for (let seed = 0; seed < 20; seed++) {
        const draw = random(`tour ${seed}`).next;
        const model = modelOf(town(`town ${seed}`, hasSetups));
        const tour = new Tour(model, 0);
        for (let node = 0; node < model.nodes; node++) {
          tour.insert(node, Math.floor(draw() * (tour.count + 1)));
          const anew = new Tour(model, 0);
          anew.set(tour.nodes, tour.count);
          const { count, fits, isInTime } = tour;
          expect([count, fits, isInTime]).toEqual([node + 1, anew.fits, anew.isInTime]);
          const upTo = (numbers: ArrayLike<number>, end: number) => Array.from(numbers).slice(0, end);
          expect(upTo(tour.ready, count + 1)).toEqual(upTo(anew.ready, count + 1));
          expect(upTo(tour.latest, count + 1)).toEqual(upTo(anew.latest, count + 1));
          expect(upTo(tour.locations, count + 2)).toEqual(upTo(anew.locations, count + 2));
          expect(upTo(tour.wayCost, count + 1)).toEqual(upTo(anew.wayCost, count + 1));
          expect(upTo(tour.highBefore, count + 1)).toEqual(upTo(anew.highBefore, count + 1));
          expect(upTo(tour.highAfter, count + 1)).toEqual(upTo(anew.highAfter, count + 1));
          expect(tour.travelCost).toBeCloseTo(anew.travelCost, 6);
          expect(tour.distance).toBeCloseTo(anew.distance, 6);
        }
      }
    }
  });
});

describe("fewer vehicles are not looked for", () => {
  const stops = (rows: readonly string[]) =>
    modelOfInstance(readInstance(["9 10", "0 0 0 0 0 100 0", ...rows].join("\n")));

  it("than carry what there is", () => {
    expect(fewestVehicles(stops(["1 1 0 4 0 90 0", "2 2 0 4 0 90 0", "3 3 0 4 0 90 0"]))).toBe(2);
  });

  it("than there are stops that no vehicle can combine: too far apart in the time, or too large together", () => {
    // Each is open for a moment only, at the same time and far from the others.
    const apart = ["1 20 0 1 20 21 0", "2 -20 0 1 20 21 0", "3 0 20 1 20 21 0"];
    expect(fewestVehicles(stops(apart))).toBe(3);
    expect(fewestVehicles(stops([...apart, "4 20 0 1 22 30 0"]))).toBe(3);
    expect(fewestVehicles(stops(["1 1 0 6 0 90 0", "2 2 0 6 0 90 0", "3 3 0 6 0 90 0"]))).toBe(3);
  });
});
