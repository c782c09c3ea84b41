import { FEATURES, type Features } from "./features.ts";
import { type ResidualModel, type ResidualTree, residualFactor } from "./residual.ts";

/** A journey to learn from or to test with. */
export interface Example {
  features: Features;
  /** The engine's time and the true one [s]. */
  predicted: number;
  actual: number;
}

export interface TrainedResidual {
  model: ResidualModel;
  /** Journeys that it was trained and tested with. */
  trained: number;
  tested: number;
  /** More journeys are needed to decide. */
  isUndecided: boolean;
  /** Mean absolute errors on the tested ones, as shares of the duration: of the engine, and with the model. */
  engineError: number;
  modelError: number;
}

const DEPTH = 3;
const TREES = 60;
const LEARNING_RATE = 0.1;
const MIN_LEAF = 25;
const BINS = 24;
/** Larger errors are those of other things than roads (logarithm). */
const MAX_TARGET = 0.7;
/** The last part in time is for testing. */
const TEST_SHARE = 0.25;
const MIN_TESTED = 150;
/** The model is used only if it removes at least so much of the engine's error. */
const MIN_IMPROVEMENT = 0.03;

/** Trains on the earlier journeys and tests on the later ones; `examples` in order of time. */
export function trainResidual(examples: readonly Example[]): TrainedResidual {
  const cut = Math.floor(examples.length * (1 - TEST_SHARE));
  const [training, testing] = [examples.slice(0, cut), examples.slice(cut)];
  const model = boost(training);
  const engineError = meanError(testing, () => 1);
  const modelError = meanError(testing, ({ features }) => residualFactor(model, features));
  const isUndecided = testing.length < MIN_TESTED;
  model.isEnabled = !isUndecided && modelError <= engineError * (1 - MIN_IMPROVEMENT);
  return { model, trained: training.length, tested: testing.length, isUndecided, engineError, modelError };
}

function meanError(examples: readonly Example[], factorOf: (example: Example) => number): number {
  const sum = examples.reduce(
    (all, example) => all + Math.abs((example.predicted * factorOf(example)) / example.actual - 1),
    0,
  );
  return examples.length > 0 ? sum / examples.length : 0;
}

function boost(examples: readonly Example[]): ResidualModel {
  const targets = Float64Array.from(examples, ({ predicted, actual }) =>
    Math.max(-MAX_TARGET, Math.min(MAX_TARGET, Math.log(actual / predicted))),
  );
  const base = medianOf(targets);
  const model: ResidualModel = { isEnabled: false, depth: DEPTH, base, trees: [] };
  if (examples.length < 2 * MIN_LEAF) return model;
  const left = targets.map((target) => target - base);
  const thresholds = FEATURES.map((_, feature) => cutsOf(examples, feature));
  for (let round = 0; round < TREES; round++) {
    const tree = growTree(examples, left, thresholds);
    model.trees.push(tree);
    examples.forEach(({ features }, i) => {
      left[i] -= leafOf(tree, features);
    });
  }
  return model;
}

function leafOf({ features: split, thresholds, leaves }: ResidualTree, features: Features): number {
  let node = 0;
  while (node < split.length) node = 2 * node + (features[split[node]] < thresholds[node] ? 1 : 2);
  return leaves[node - split.length];
}

/** Values of a feature that divide the examples into parts of about one size. */
function cutsOf(examples: readonly Example[], feature: number): number[] {
  const values = Float64Array.from(examples, ({ features }) => features[feature]).sort();
  const cuts = new Set<number>();
  for (let bin = 1; bin < BINS; bin++) cuts.add(Math.fround(values[Math.floor((values.length * bin) / BINS)]));
  return [...cuts];
}

/** A complete tree for what is left of the targets; a node without a useful split passes everything to the right. */
function growTree(examples: readonly Example[], targets: Float64Array, cuts: readonly number[][]): ResidualTree {
  const inner = 2 ** DEPTH - 1;
  const tree: ResidualTree = {
    features: new Uint8Array(inner),
    thresholds: new Float64Array(inner).fill(Number.NEGATIVE_INFINITY),
    leaves: new Float64Array(inner + 1),
  };
  let nodes: number[][] = [Array.from(examples, (_, i) => i)];
  for (let level = 0, first = 0; level < DEPTH; first += 2 ** level++) {
    nodes = nodes.flatMap((own, i) => {
      const split = bestSplit(examples, targets, own, cuts);
      if (!split) return [[], own];
      tree.features[first + i] = split.feature;
      tree.thresholds[first + i] = split.threshold;
      const goesLeft = (at: number) => examples[at].features[split.feature] < split.threshold;
      return [own.filter(goesLeft), own.filter((at) => !goesLeft(at))];
    });
  }
  nodes.forEach((own, i) => {
    const sum = own.reduce((all, at) => all + targets[at], 0);
    // Small leaves are shrunk toward no correction.
    tree.leaves[i] = Math.fround((LEARNING_RATE * sum) / (own.length + MIN_LEAF / 2));
  });
  return tree;
}

function bestSplit(
  examples: readonly Example[],
  targets: Float64Array,
  own: readonly number[],
  cuts: readonly number[][],
): { feature: number; threshold: number } | undefined {
  const total = own.reduce((sum, at) => sum + targets[at], 0);
  const before = (total * total) / Math.max(1, own.length);
  let best: { gain: number; feature: number; threshold: number } | undefined;
  for (let feature = 0; feature < cuts.length; feature++) {
    for (const threshold of cuts[feature]) {
      let [count, sum] = [0, 0];
      for (const at of own) {
        if (examples[at].features[feature] >= threshold) continue;
        count++;
        sum += targets[at];
      }
      const others = own.length - count;
      if (count < MIN_LEAF || others < MIN_LEAF) continue;
      const gain = (sum * sum) / count + (total - sum) ** 2 / others - before;
      if (gain > (best?.gain ?? 1e-9)) best = { gain, feature, threshold };
    }
  }
  return best;
}

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  return sorted.length > 0 ? sorted[sorted.length >> 1] : 0;
}
