import type { LocalTime } from "../../../core/routing/graph/traffic.ts";
import { featuresOf } from "../../../core/routing/learn/features.ts";
import { RESIDUAL_KEY } from "../../../core/routing/learn/keys.ts";
import { type ResidualModel, readResidual, residualFactor } from "../../../core/routing/learn/residual.ts";
import type { Path } from "../../../core/routing/search/path.ts";
import type { Env } from "../../platform/env.ts";

/** A new model is used after at most this long [ms]. */
const FRESH_MS = 60_000;

interface Cached {
  model: ResidualModel | undefined;
  at: number;
}

const cached = new WeakMap<R2Bucket, Cached>();

/**
 * The factor by which the time of a car's route is multiplied, learned from earlier journeys; 1 without a model, or while it is not
 * better than the engine.
 */
export async function etaFactor(
  { GEODATA }: Env,
  legs: readonly Path[],
  departure: LocalTime,
  now: number,
): Promise<number> {
  const model = await currentModel(GEODATA, now);
  return model?.isEnabled ? residualFactor(model, featuresOf(legs, departure)) : 1;
}

async function currentModel(bucket: R2Bucket, now: number): Promise<ResidualModel | undefined> {
  const known = cached.get(bucket);
  if (known && Math.abs(now - known.at) < FRESH_MS) return known.model;
  let model: ResidualModel | undefined;
  try {
    const stored = await bucket.get(RESIDUAL_KEY);
    model = stored ? await readResidual(new Uint8Array(await stored.arrayBuffer())) : undefined;
  } catch (error) {
    // Arrival times without a correction are better than none.
    console.warn(`${RESIDUAL_KEY} cannot be read: ${error}`);
    model = known?.model;
  }
  cached.set(bucket, { model, at: now });
  return model;
}
