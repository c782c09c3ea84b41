import { describe, expect, it } from "vitest";
import { FEATURES } from "../../../../src/core/routing/learn/features.ts";
import { RESIDUAL_KEY } from "../../../../src/core/routing/learn/keys.ts";
import { type ResidualModel, writeResidual } from "../../../../src/core/routing/learn/residual.ts";
import { FakeBucket } from "../../../worker/geodata/fake-bucket.ts";

// This module knows the platform's types, which tests in Node do not.
const { etaFactor } = (await import(
  new URL("../../../../src/worker/answers/learn/residual-eta.ts", import.meta.url).href
)) as {
  etaFactor(env: unknown, legs: readonly object[], departure: object, now: number): Promise<number>;
};

const NOON = { day: 2, minute: 720 };
const LEG = { edges: [], turns: [], duration: 600, distance: 5000 };

/** Half as long again in the morning, unchanged later. */
const model = (isEnabled: boolean): ResidualModel => ({
  ...{ isEnabled, depth: 1, base: 0 },
  trees: [
    {
      features: Uint8Array.of(FEATURES.indexOf("hour")),
      thresholds: Float64Array.of(10),
      leaves: Float64Array.of(Math.log(1.5), 0),
    },
  ],
});

async function bucketWith(bytes?: Uint8Array): Promise<FakeBucket> {
  const bucket = new FakeBucket();
  if (bytes) await bucket.put(RESIDUAL_KEY, bytes);
  return bucket;
}

describe("the factor of an arrival time", () => {
  it("is the model's while it is better than the engine, and 1 otherwise", async () => {
    const factorOf = async (bytes: Uint8Array | undefined, minute: number) =>
      etaFactor({ GEODATA: await bucketWith(bytes) }, [LEG], { ...NOON, minute }, 0);
    const [better, worse] = [await writeResidual(model(true)), await writeResidual(model(false))];
    expect(await factorOf(better, 8 * 60)).toBeCloseTo(1.5, 6);
    expect(await factorOf(better, 12 * 60)).toBe(1);
    for (const bytes of [worse, undefined, Uint8Array.of(1, 2, 3)]) expect(await factorOf(bytes, 8 * 60)).toBe(1);
  });

  it("follows a new model within a minute", async () => {
    const bucket = await bucketWith(await writeResidual(model(false)));
    const at = (now: number) => etaFactor({ GEODATA: bucket }, [LEG], { ...NOON, minute: 480 }, now);
    expect(await at(0)).toBe(1);
    await bucket.put(RESIDUAL_KEY, await writeResidual(model(true)));
    expect(await at(59_000)).toBe(1);
    expect(await at(61_000)).toBeCloseTo(1.5, 6);
  });
});
