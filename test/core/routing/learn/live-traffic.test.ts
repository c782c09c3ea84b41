import { expect, it } from "vitest";
import { edgeKey } from "../../../../src/core/routing/learn/edge-key.ts";
import { liveKey } from "../../../../src/core/routing/learn/keys.ts";
import { LiveSpeeds } from "../../../../src/core/routing/learn/live-speeds.ts";
import type { Leg } from "../../../../src/core/routing/route/router.ts";
import { FakeBucket } from "../../../worker/geodata/fake-bucket.ts";
import { build } from "../scenario.ts";

// This module knows the platform's types, which tests in Node do not.
const { etaCorrectorOf } = (await import(
  new URL("../../../../src/worker/answers/learn/eta-corrector.ts", import.meta.url).href
)) as {
  etaCorrectorOf(
    asker: unknown,
    origin: unknown,
    question: { departureTime?: number; traffic?: string },
  ): Promise<((leg: Leg, after: number) => Promise<number>) | undefined>;
};

class Bucket extends FakeBucket {
  override async get(key: string, options?: Parameters<FakeBucket["get"]>[1]) {
    const stored = await super.get(key, options);
    return stored && { ...stored, text: async () => new TextDecoder().decode(this.objects.get(key)) };
  }
}

it("no road is closed by what devices see: its time grows at most tenfold, and falls by at most three tenths", async () => {
  const world = await build({ map: "a----b----c----d", ways: { ab: "", bc: "", cd: "" } });
  const [leg] = (await world.find(["a", "d"], { mode: "car" }))!.legs;
  const { view, edge, duration, distance } = leg.edges[1];
  const free = duration / distance;
  const factorAt = (slower: number) => {
    const live = new LiveSpeeds();
    for (const device of ["one", "two"])
      live.add(device, { key: edgeKey(view.tile, edge), time: 0, pace: free * slower, free, meters: distance });
    return live.factorOf(leg, 0);
  };
  const withEdge = (times: number) => 1 + ((times - 1) * duration) / leg.duration;
  for (const slower of [20, 1e6]) expect(factorAt(slower)).toBeCloseTo(withEdge(10), 1);
  for (const slower of [0.5, 1e-6]) expect(factorAt(slower)).toBeCloseTo(withEdge(0.7), 1);
  expect(factorAt(9)).toBeLessThan(withEdge(10));
});

const NOW = 1.79e12;
const SCOPE = 3;

it("a project that learns has the times of what its devices see now, unless a departure is later or typical times are asked", async () => {
  const world = await build({ map: "a----b----c----d", ways: { ab: "", bc: "", cd: "" } });
  const [leg] = (await world.find(["a", "d"], { mode: "car" }))!.legs;
  const live = new LiveSpeeds();
  const { view, edge, duration, distance } = leg.edges[1];
  const free = duration / distance;
  for (const device of ["one", "two"])
    live.add(device, { key: edgeKey(view.tile, edge), time: NOW / 1000, pace: free * 2.5, free, meters: distance });
  const bucket = new Bucket();
  await bucket.put(liveKey(SCOPE), new TextEncoder().encode(live.write()));
  const correctorFor = (learning: object, question: { departureTime?: number; traffic?: string }, now = NOW) => {
    const caller = { scope: SCOPE, settings: { learning } };
    return etaCorrectorOf({ env: { GEODATA: bucket }, now, caller }, world.at("a"), question);
  };
  const learning = { enabled: true };
  const traffic = "live";
  const expected = 1 + (1.5 * duration) / leg.duration;
  expect(await (await correctorFor(learning, { traffic }))?.(leg, 0)).toBeCloseTo(expected, 2);
  expect(await (await correctorFor(learning, { traffic, departureTime: NOW + 600_000 }))?.(leg, 0)).toBeCloseTo(
    expected,
    2,
  );
  // Half an hour on the way to this leg, the jam may be over.
  expect(await (await correctorFor(learning, { traffic }))?.(leg, 45 * 60)).toBeLessThan(expected - 0.1);
  // A quarter of an hour before or after now, and not a minute more.
  for (const sign of [-1, 1]) {
    const isCorrected = async (minutes: number) =>
      (await correctorFor(learning, { traffic, departureTime: NOW + sign * minutes * 60_000 })) !== undefined;
    expect([await isCorrected(15), await isCorrected(16)]).toEqual([true, false]);
  }
  expect(await correctorFor(learning, { traffic: "typical" })).toBeUndefined();
  expect(await correctorFor(learning, {})).toBeUndefined();
  expect(await correctorFor({ enabled: false }, { traffic })).toBeUndefined();
  // What cannot be read changes nothing that is known.
  bucket.get = () => Promise.reject(new Error("down"));
  expect(await (await correctorFor(learning, { traffic }, NOW + 60_000))?.(leg, 0)).toBeCloseTo(expected, 2);
});
