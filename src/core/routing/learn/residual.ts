import { ByteWriter } from "../../geo/bytes/bytes.ts";
import { openObject, withHeader } from "../graph/object.ts";
import { deflate } from "./contribution.ts";
import { FEATURES, type Features } from "./features.ts";

const RESIDUAL_MAGIC = "GRLR";
const RESIDUAL_VERSION = 1;

/**
 * Gradient-boosted trees (Friedman 2001) that predict the logarithm of actual / predicted time. Complete trees of one depth:
 *
 *     header      as all routing objects (graph/object.ts), magic GRLR
 *     features    u         number of features; a model of other features is not used
 *     enabled     u         1: it was better than the engine on journeys that it was not trained with
 *     depth       u
 *     trees       u         number; then of each:
 *       splits    u, f64    2^depth − 1 times: feature and threshold; below it to the left
 *       leaves    f64       2^depth
 *     base        f64
 */
export interface ResidualModel {
  isEnabled: boolean;
  depth: number;
  base: number;
  trees: ResidualTree[];
}

export interface ResidualTree {
  features: Uint8Array;
  thresholds: Float64Array;
  leaves: Float64Array;
}

/** A correction beyond this is not believed, whatever a model says. */
const MIN_FACTOR = 0.5;
const MAX_FACTOR = 2;

/** The factor by which the engine's time is multiplied, 0.5 … 2. */
export function residualFactor({ depth, base, trees }: ResidualModel, features: Features): number {
  let sum = base;
  for (const { features: split, thresholds, leaves } of trees) {
    let node = 0;
    for (let level = 0; level < depth; level++) {
      node = 2 * node + (features[split[node]] < thresholds[node] ? 1 : 2);
    }
    sum += leaves[node - leaves.length + 1];
  }
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, Math.exp(sum)));
}

export async function writeResidual({ isEnabled, depth, base, trees }: ResidualModel): Promise<Uint8Array> {
  const out = new ByteWriter();
  out.unsigned(FEATURES.length);
  out.unsigned(isEnabled ? 1 : 0);
  out.unsigned(depth);
  out.unsigned(trees.length);
  for (const { features, thresholds, leaves } of trees) {
    for (const [i, feature] of features.entries()) {
      out.unsigned(feature);
      out.f64(Math.fround(thresholds[i]));
    }
    for (const leaf of leaves) out.f64(Math.fround(leaf));
  }
  out.f64(base);
  return withHeader(RESIDUAL_MAGIC, RESIDUAL_VERSION, await deflate(out.finish()));
}

/** Undefined for a model of other features. */
export async function readResidual(bytes: Uint8Array): Promise<ResidualModel | undefined> {
  const reader = await openObject(bytes, RESIDUAL_MAGIC, RESIDUAL_VERSION);
  if (reader.unsigned() !== FEATURES.length) return undefined;
  const isEnabled = reader.unsigned() === 1;
  const depth = reader.unsigned();
  const count = 2 ** depth;
  const trees = Array.from({ length: reader.unsigned() }, (): ResidualTree => {
    const features = new Uint8Array(count - 1);
    const thresholds = new Float64Array(count - 1);
    for (let i = 0; i < count - 1; i++) {
      features[i] = reader.unsigned();
      thresholds[i] = reader.f64();
    }
    return { features, thresholds, leaves: Float64Array.from({ length: count }, () => reader.f64()) };
  });
  return { isEnabled, depth, base: reader.f64(), trees };
}
