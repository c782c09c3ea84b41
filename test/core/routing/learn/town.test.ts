import { expect, it } from "vitest";
import {
  changeOf,
  collect,
  edgeErrors,
  etaError,
  heldOutTrips,
  type Learning,
  learn,
  openTown,
  routerWith,
} from "../../../bench/importer/learning-run.ts";
import { percentile } from "../../../bench/support/percentile.ts";
import { randomTown } from "../graph/random-town.ts";

/** `npm run bench -- learning`, small: a simulated town whose true speeds differ from the profile. */
it("speeds learned from devices predict the arrival of later trips, and walkers change none of them", async () => {
  const elements = randomTown(24, 36);
  const town = await openTown({
    elements: () => elements,
    ...{ seed: 36, devices: 40, weeks: 1, trips: 2, heldOut: 60, minTripSeconds: 100 },
  });
  const cars: Learning = { sums: new Map(), updates: 0, matching: 0, observing: 0 };
  const { sums } = await collect(town, () => 0, cars);
  const learned = learn(town, sums);
  expect(learned.edges.size).toBeGreaterThan(150);
  expect(changeOf(learn(town, cars.sums), learned)).toBeLessThanOrEqual(0.02);
  const trips = await heldOutTrips(town);
  const profile = await etaError(town.router, trips, false);
  const eta = await etaError(await routerWith(town.options.elements, learned, town.edges), trips);
  expect(profile.error).toBeGreaterThan(0.25);
  expect(eta.error).toBeLessThan(0.14);
  expect(Math.abs(eta.bias)).toBeLessThan(0.07);
  expect(percentile(edgeErrors(town, learned, 10), 0.5)).toBeLessThan(0.15);
});
