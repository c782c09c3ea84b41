import { describe, expect, it } from "vitest";
import { schedule } from "../../../src/core/fleet/break-schedule.ts";
import { BreakTimes } from "../../../src/core/fleet/break-times.ts";
import { type Model, modelOf } from "../../../src/core/fleet/model.ts";
import type { FleetBreak, FleetTask, Span } from "../../../src/core/fleet/problem.ts";
import { random } from "../../../src/demo/world/random.ts";

describe("times of tours with breaks", () => {
  it("judge an insertion as the complete schedule does", () => {
    const verdicts = { fits: 0, fails: 0 };
    for (let town = 0; town < 300; town++) {
      const { model, nodes, others } = randomTour(`town ${town}`);
      const [type] = model.classes;
      const times = new BreakTimes(model, type);
      const isPossible = (sequence: number[]) =>
        schedule(model, type, sequence, sequence.length, new Float64Array(0), type.vehicle.window[0]) !== undefined;
      const locations = Int32Array.from([type.start, ...nodes.map((node) => model.location[node]), type.end]);
      expect(times.update(Int32Array.from(nodes), nodes.length, locations)).toBe(isPossible(nodes));
      for (const node of others) {
        for (let place = 0; place <= nodes.length; place++) {
          const fits = times.fits(node, place, locations);
          expect(fits, `town ${town}, stop ${node} at ${place}`).toBe(isPossible(nodes.toSpliced(place, 0, node)));
          verdicts[fits ? "fits" : "fails"]++;
        }
      }
    }
    expect(verdicts.fits).toBeGreaterThan(500);
    expect(verdicts.fails).toBeGreaterThan(500);
  });
});

/** A vehicle with up to three breaks, stops of its tour, and stops that may be inserted. */
function randomTour(seed: string): { model: Model; nodes: number[]; others: number[] } {
  const draw = random(seed).next;
  const upTo = (most: number) => Math.floor(draw() * most);
  const windows = (): Span[] => {
    const from = upTo(2500);
    const first: Span = [from, from + 300 + upTo(900)];
    return draw() < 0.3 ? [first, [first[1] + 200, first[1] + 800]] : [first];
  };
  const stops = 8;
  const tasks = Array.from(
    { length: stops },
    (_, i): FleetTask => ({
      stops: [{ location: i + 1, setup: 0, service: upTo(120), windows: draw() < 0.5 ? windows() : [] }],
      delivery: [],
      pickup: [],
      skills: [],
      priority: 0,
    }),
  );
  const size = stops + 1;
  const duration = Float64Array.from({ length: size * size }, () => 20 + upTo(300));
  const breaks = Array.from(
    { length: 1 + upTo(3) },
    (): FleetBreak => ({ service: 60 + upTo(300), windows: draw() < 0.8 ? windows() : [] }),
  );
  const model = modelOf({
    matrices: [{ size, duration, distance: duration }],
    vehicles: [
      {
        matrix: 0,
        speedFactor: 1,
        start: 0,
        end: 0,
        skills: new Set(),
        window: [upTo(300), 3000 + upTo(2000)],
        breaks,
        maxTasks: 99,
        maxTravelTime: 1e9,
        maxDistance: 1e9,
        costs: { fixed: 0, perHour: 3600, perKm: 0 },
      },
    ],
    tasks,
    dimensions: 0,
  });
  return { model, nodes: Array.from({ length: upTo(5) }, (_, i) => i), others: [5, 6, 7] };
}
