import { describe, expect, it } from "vitest";
import type { TimedPoint } from "../../../../src/core/routing/learn/clean.ts";
import { type EdgeKey, edgeKey } from "../../../../src/core/routing/learn/edge-key.ts";
import { LiveSpeeds } from "../../../../src/core/routing/learn/live-speeds.ts";
import { Observations } from "../../../../src/core/routing/learn/observations.ts";
import { observe } from "../../../../src/core/routing/learn/observe.ts";
import type { Leg } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { seeded } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import { blocks, noisyTrace } from "../match/noisy-drives.ts";
import { pointMaker } from "../search/compare.ts";

const keysOf = ({ edges }: Leg) => edges.map(({ view, edge }) => edgeKey(view.tile, edge));
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe("an accident that halves the speed of a main road", () => {
  it("is known within five minutes of the second device, and halves the error of trips through it", {
    timeout: 120_000,
  }, async () => {
    for (const seed of [4, 9]) {
      const { router, build } = await buildRoads(buildGraph(blocks(seed)));
      const point = pointMaker(build, seed);
      const legs: Leg[] = [];
      for (let i = 0; i < 250; i++) {
        const route = await router.route([point(), point()], { mode: "car" });
        if (route && route.duration > 400) legs.push(route.legs[0]);
      }
      // The busiest edge, and those that most trips over it also use.
      const countOf = (some: readonly Leg[]) => {
        const counts = new Map<EdgeKey, number>();
        for (const key of some.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
        return counts;
      };
      const [[busiest]] = [...countOf(legs)].sort(([, a], [, b]) => b - a);
      const through = legs.filter((leg) => keysOf(leg).includes(busiest));
      const slow = new Set([...countOf(through)].filter(([, count]) => count > through.length / 2).map(([key]) => key));
      /** As long as it takes now. */
      const actual = (leg: Leg): Leg => {
        const edges = leg.edges.map((one) => ({
          ...one,
          duration: one.duration * (slow.has(edgeKey(one.view.tile, one.edge)) ? 2 : 1),
        }));
        return { ...leg, edges, duration: sum(edges.map(({ duration }) => duration)) };
      };
      const [drivers, heldOut] = [through.slice(0, 6), through.slice(6)];
      expect(heldOut.length).toBeGreaterThan(5);
      const random = seeded(seed);
      const began = 1.79e9;
      const traces = drivers.map((leg, i) => {
        const { trace } = noisyTrace(actual(leg), 4, 5, random);
        return trace.map(({ time = 0, ...at }): TimedPoint => ({ ...at, time: began + i * 180 + time, accuracy: 8 }));
      });
      const live = new LiveSpeeds();
      const errorAt = (now: number) => {
        const errors = heldOut.map((leg) => {
          const truth = actual(leg).duration;
          return [
            Math.abs(leg.duration - truth) / truth,
            Math.abs(leg.duration * live.factorOf(leg, now) - truth) / truth,
          ];
        });
        return [0, 1].map((i) => sum(errors.map((one) => one[i])) / errors.length);
      };
      // As the run of each minute does.
      const second = traces[1][traces[1].length - 1].time;
      let known: number | undefined;
      const last = Math.max(...traces.map((trace) => trace[trace.length - 1].time));
      for (let now = began; now < last + 60; now += 60) {
        for (const [i, trace] of traces.entries()) {
          const seen = trace.filter(({ time }) => time <= now && time > now - 3600);
          const onPassage = (passage: Parameters<LiveSpeeds["add"]>[1]) => live.add(`device ${i}`, passage);
          await observe(
            seen,
            { routerFor: () => router, localTime: () => ({ day: 1, minute: 600 }), onPassage },
            new Observations(),
          );
        }
        live.forget(now);
        const [before, after] = errorAt(now);
        if (after <= before / 2) known ??= now;
      }
      const [before, after] = errorAt(last);
      expect(before).toBeGreaterThan(0.1);
      expect(after, `${before}`).toBeLessThanOrEqual(before / 2);
      expect((known ?? Number.POSITIVE_INFINITY) - second).toBeLessThanOrEqual(300);
      // It is forgotten within the hour.
      expect(errorAt(last + 1800)[1]).toBeGreaterThan(after);
      expect(errorAt(last + 3600)[1]).toBe(before);
      expect(LiveSpeeds.read(live.write()).factorOf(heldOut[0], last)).toBe(live.factorOf(heldOut[0], last));
    }
  });
});

describe("live speeds", () => {
  const passage = { key: "1,2,3,4", time: 1000, pace: 0.2, free: 0.1, meters: 200 };

  it("need two devices, or one that stands, and not one device twice", () => {
    const live = new LiveSpeeds();
    live.add("a", passage);
    live.add("a", { ...passage, time: 1100 });
    expect(live.paceOn(passage.key, 1200)).toBeUndefined();
    live.add("b", { ...passage, pace: 0.3, time: 1200 });
    expect(live.paceOn(passage.key, 1200)).toEqual({ pace: expect.closeTo(Math.sqrt(0.06), 3), weight: 1 });
    const standing = new LiveSpeeds();
    standing.add("a", { ...passage, pace: 0.5 });
    expect(standing.paceOn(passage.key, 1200)?.pace).toBeCloseTo(0.5);
    // Slow, but on a short edge: a traffic light.
    standing.add("a", { ...passage, pace: 0.5, meters: 60 });
    expect(standing.paceOn(passage.key, 1200)).toBeUndefined();
  });

  it("count for a quarter of an hour, then less, and not after an hour", () => {
    const live = new LiveSpeeds();
    for (const device of ["a", "b"]) live.add(device, passage);
    const weightAt = (minutes: number) => live.paceOn(passage.key, 1000 + minutes * 60)?.weight;
    expect([0, 15, 37.5, 59, 60].map(weightAt)).toEqual([1, 1, 0.5, expect.closeTo(1 / 45), undefined]);
    // Two devices that were there more than 15 minutes apart say nothing together.
    live.add("b", { ...passage, time: 1900 });
    expect(live.paceOn(passage.key, 2000)?.weight).toBe(1);
    live.add("b", { ...passage, time: 2000 });
    expect(live.paceOn(passage.key, 2000)).toBeUndefined();
    live.forget(1000 + 3600);
    expect(live.size).toBe(1);
    live.forget(2000 + 3600);
    expect(live.size).toBe(0);
  });

  it.each(["", "{", "null", "[]", '{"version":2}', '{"version":1,"until":0,"edges":{}}'])(
    "that cannot be read are none: %j",
    (text) => {
      expect(LiveSpeeds.read(text).size).toBe(0);
    },
  );
});
