import type { TimeWindow } from "../graph/traffic.ts";
import type { EdgeKey } from "./edge-key.ts";
import { type EdgeHour, type EdgeSums, unite } from "./edge-sums.ts";
import { type Delays, JunctionDelays } from "./junction-delays.ts";
import { windowOfHour } from "./windows.ts";

/** What the map says of an edge. */
export interface EdgeFacts {
  /** Class of the road, such as "primary" or "primary_link". */
  roadClass: string;
  /** Roads of one town, or one area of countryside, are slow for the same reasons. */
  town: string;
  /** Free flow by the profile [s/m], and the speed limit, or that of the profile if it is higher [km/h]. */
  pace: number;
  limitKmh: number;
  meters: number;
  /** Traffic lights at its end. */
  hasSignal: boolean;
}

export interface LearnedEdge {
  /** By window [km/h]. */
  speedsKmh: number[];
  /** Traversals (weighted by age), and distinct devices, at most MAX_COUNTED_DEVICES. */
  traversals: number;
  devices: number;
  /** Speed over all windows, as a share of the profile's. */
  ratio: number;
}

export interface LearnedSpeeds {
  windows: TimeWindow[];
  edges: Map<EdgeKey, LearnedEdge>;
  /** By class: speed in each window as a share of the profile's, for roads without observations. */
  classes: Map<string, number[]>;
  /** Speeds by window of edges to traffic lights that too few devices passed: those of their class, and the mean wait. */
  signals: Map<EdgeKey, number[]>;
  /** Mean time standing before traffic lights, and before other junctions [s]; undefined where there is too little data. */
  delays: Delays;
}

const MIN_SPEED_KMH = 3;
/** Nobody learns to speed [share of the limit]. */
const MAX_LIMIT_SHARE = 1.2;
/** A class of which fewer edges (by weight) were seen follows the mean of all [edges]. */
const CLASS_STRENGTH = 4;
const TOWN_STRENGTH = 8;
/** An edge weighs at most as much as this many traversals in the mean of its class. */
const CLASS_SATURATION = 6;
/** The variance of a traversal is that of its class, until the edge has so many [traversals]. */
const VARIANCE_STRENGTH = 12;
/** Bounds of what `n` of `n / (n + k)` competes with [traversals]. */
const MIN_STRENGTH = 1;
const MAX_STRENGTH = 60;
/** The variance of logarithms is not believed beyond [–]. */
const MAX_VARIANCE = 1.2;

/** An edge in the windows: sums of the logarithms of its driving time as a share of the profile's. */
interface EdgeWindows {
  key: EdgeKey;
  facts: EdgeFacts;
  counts: Float64Array;
  logs: Float64Array;
  squares: Float64Array;
  /** Time standing at the end [s]. */
  waits: Float64Array;
  devices: number[][];
  all: number[];
  /** Mean logarithm of the ratio by window, of the mean time, not of the median time. */
  means: Float64Array;
}

/**
 * Speeds by edge and window: the weighted mean, in logarithms, of the observations and a prior. The prior is the ratio observed /
 * profile of the class of the road in its town, of the class everywhere, and of all roads. How much each counts follows from
 * how much edges differ from each other, compared with how much traversals of one edge do (empirical Bayes). An edge, and an edge in
 * a window, counts only with at least `minimumDevices` devices. The time standing at the end of an edge is estimated apart
 * (junction-delays.ts), because it is not shorter on a shorter edge, and added at the end.
 */
export class SpeedEstimate {
  readonly #windows: TimeWindow[];
  readonly #windowOf: Uint8Array;
  readonly #minimumDevices: number;
  readonly #edges: EdgeWindows[] = [];
  readonly #signals = new Map<EdgeKey, EdgeFacts>();

  constructor(windows: TimeWindow[], minimumDevices: number) {
    this.#windows = windows;
    this.#windowOf = windowOfHour(windows);
    this.#minimumDevices = minimumDevices;
  }

  /** Adds the edges of an area, each only once. Edges that the map no longer has are skipped. */
  add(sums: EdgeSums, factsOf: (key: EdgeKey) => EdgeFacts | undefined): void {
    for (const [key, hours] of sums) {
      const facts = factsOf(key);
      if (facts) this.#edges.push(inWindows(key, facts, hours, this.#windowOf, this.#windows.length));
    }
  }

  /** Adds an edge to traffic lights, observed or not. */
  addSignal(key: EdgeKey, facts: EdgeFacts): void {
    this.#signals.set(key, facts);
  }

  finish(): LearnedSpeeds {
    const windows = this.#windows;
    const minimumDevices = this.#minimumDevices;
    const edges = this.#edges;
    const variances = varianceByClass(edges);
    for (const edge of edges) setMeans(edge, variances.get(edge.facts.roadClass) ?? 0);
    const priors = new Priors(edges, windows.length, minimumDevices);
    const delays = new JunctionDelays(edges, minimumDevices);
    const own = edges.filter(({ all }) => all.length >= minimumDevices);
    const offsets = own.map((edge) => offsetOf(edge, priors, minimumDevices));
    const within = meanOf([...variances.values()]);
    const edgeStrength = strength(offsets, within);
    const windowStrength = strength(
      own.flatMap((edge, i) => rest(edge, priors, offsets[i].value)),
      within,
    );
    const learned = new Map<EdgeKey, LearnedEdge>();
    own.forEach((edge, i) => {
      const { facts, counts, means, devices } = edge;
      const waits = delays.of(edge);
      const { count, value } = offsets[i];
      const effect = (value * count) / (count + edgeStrength);
      const logs = Array.from(counts, (n, w) => {
        const expected = priors.of(facts, w) + effect;
        if (devices[w].length < minimumDevices) return expected;
        return expected + (n / (n + windowStrength)) * (means[w] - expected);
      });
      const speedsKmh = logs.map((log, w) => speedOf(facts, log, waits[w]));
      const traversals = counts.reduce((sum, n) => sum + n, 0);
      const profileKmh = 3.6 / facts.pace;
      const slowdown = speedsKmh.reduce((sum, kmh, w) => sum + Math.log(profileKmh / kmh) * counts[w], 0) / traversals;
      learned.set(edge.key, { speedsKmh, traversals, devices: edge.all.length, ratio: Math.exp(-slowdown) });
    });
    const signals = new Map<EdgeKey, number[]>();
    const { signals: wait } = delays.means;
    if (wait !== undefined) {
      for (const [key, facts] of this.#signals) {
        if (!learned.has(key))
          signals.set(
            key,
            windows.map((_, w) => speedOf(facts, priors.of(facts, w), wait)),
          );
      }
    }
    return {
      windows,
      edges: learned,
      classes: priors.classes(delays.means.others ?? 0),
      signals,
      delays: delays.means,
    };
  }
}

/** What remains of the windows of an edge besides what its class and the edge itself explain. */
function rest({ facts, counts, means }: EdgeWindows, priors: Priors, effect: number) {
  return Array.from(counts, (count, w) => ({
    count,
    value: count > 0 ? means[w] - priors.of(facts, w) - effect : 0,
  })).filter(({ count }) => count > 0);
}

/** Speed over an edge [km/h], from the logarithm of its driving time as a share of the profile's, and the wait at its end [s]. */
function speedOf({ meters, pace, limitKmh }: EdgeFacts, log: number, wait: number): number {
  const kmh = (meters * 3.6) / (meters * pace * Math.exp(log) + wait);
  return Math.max(MIN_SPEED_KMH, Math.min(kmh, limitKmh * MAX_LIMIT_SHARE));
}

function inWindows(
  key: EdgeKey,
  facts: EdgeFacts,
  hours: readonly EdgeHour[],
  windowOf: Uint8Array,
  count: number,
): EdgeWindows {
  const zeros = () => new Float64Array(count);
  const edge: EdgeWindows = {
    ...{ key, facts, counts: zeros(), logs: zeros(), squares: zeros(), waits: zeros(), means: zeros() },
    ...{ devices: Array.from({ length: count }, () => []), all: [] },
  };
  const profile = Math.log(facts.pace);
  for (const { hour, count: n, logs, squares, waits, devices } of hours) {
    const w = windowOf[hour] - 1;
    if (w < 0) continue;
    edge.counts[w] += n;
    edge.logs[w] += logs - n * profile;
    edge.squares[w] += squares - 2 * profile * logs + n * profile ** 2;
    edge.waits[w] += waits * facts.meters;
    unite(edge.devices[w], devices);
    unite(edge.all, devices);
  }
  return edge;
}

/** The variance of traversals of one edge in one window, by class of road. */
function varianceByClass(edges: readonly EdgeWindows[]): Map<string, number> {
  const sums = new Map<string, { squares: number; freedom: number }>();
  for (const { facts, counts, logs, squares } of edges) {
    let sum = sums.get(facts.roadClass);
    if (!sum) {
      sum = { squares: 0, freedom: 0 };
      sums.set(facts.roadClass, sum);
    }
    for (let w = 0; w < counts.length; w++) {
      if (counts[w] <= 1) continue;
      sum.squares += squares[w] - logs[w] ** 2 / counts[w];
      sum.freedom += counts[w] - 1;
    }
  }
  return new Map([...sums].map(([name, { squares, freedom }]) => [name, freedom > 0 ? squares / freedom : 0]));
}

/**
 * The mean of times is more than the time of their mean logarithm: of a normal distribution of logarithms by half its variance. Travel
 * times add up, so the mean is what an arrival time needs.
 */
function setMeans({ counts, logs, squares, means }: EdgeWindows, usual: number): void {
  for (let w = 0; w < counts.length; w++) {
    const n = counts[w];
    if (n === 0) continue;
    const around = Math.max(0, squares[w] - logs[w] ** 2 / n);
    const variance = Math.min(
      MAX_VARIANCE,
      (around + VARIANCE_STRENGTH * usual) / (Math.max(0, n - 1) + VARIANCE_STRENGTH),
    );
    means[w] = logs[w] / n + variance / 2;
  }
}

/**
 * How far an edge is from what its class leads to expect, over all windows in which enough devices passed: a window with fewer
 * shows nothing of them. Where no window has enough, but all together do, all count.
 */
function offsetOf(edge: EdgeWindows, priors: Priors, minimumDevices: number): { count: number; value: number } {
  const { facts, counts, means, devices } = edge;
  const isShown = (w: number) => devices[w].length >= minimumDevices;
  const some = devices.some((_, w) => isShown(w));
  let count = 0;
  let sum = 0;
  for (let w = 0; w < counts.length; w++) {
    if (counts[w] === 0 || (some && !isShown(w))) continue;
    count += counts[w];
    sum += counts[w] * (means[w] - priors.of(facts, w));
  }
  return { count, value: sum / count };
}

/** k of n / (n + k): the variance of one traversal, as a multiple of the variance between edges. */
function strength(values: readonly { count: number; value: number }[], within: number): number {
  let [squares, noise] = [0, 0];
  for (const { count, value } of values) {
    squares += value ** 2;
    noise += within / count;
  }
  const between = values.length > 0 ? (squares - noise) / values.length : 0;
  if (between <= 0) return MAX_STRENGTH;
  return Math.min(MAX_STRENGTH, Math.max(MIN_STRENGTH, within / between));
}

const meanOf = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;

interface Mean {
  weight: Float64Array;
  sum: Float64Array;
  /** Of the profile's times of the edges [s]. */
  seconds: number;
  edges: number;
  /** In all windows, and in each. */
  devices: number[];
  devicesIn: number[][];
}

/** What is expected of an edge before it is seen. */
class Priors {
  readonly #windows: number;
  readonly #minimum: number;
  readonly #all: Mean;
  readonly #classes = new Map<string, Mean>();
  readonly #towns = new Map<string, Mean>();
  readonly #known = new Map<string, Float64Array>();

  constructor(edges: readonly EdgeWindows[], windows: number, minimum: number) {
    this.#windows = windows;
    this.#minimum = minimum;
    this.#all = this.#empty();
    for (const edge of edges) {
      const { roadClass, town } = edge.facts;
      for (const mean of [
        this.#all,
        this.#mean(this.#classes, roadClass),
        this.#mean(this.#towns, townKey(roadClass, town)),
      ]) {
        this.#add(mean, edge);
      }
    }
  }

  /** Logarithm of the expected time as a share of the profile's. */
  of({ roadClass, town }: Pick<EdgeFacts, "roadClass" | "town">, window: number): number {
    const key = townKey(roadClass, town);
    let known = this.#known.get(key);
    if (!known) {
      const ofClass = this.#ofClass(roadClass);
      known = this.#shrunk(this.#towns.get(key), ofClass, TOWN_STRENGTH);
      this.#known.set(key, known);
    }
    return known[window];
  }

  /** Speeds as shares of the profile's. `wait`: mean time standing at the end of an edge [s]. */
  classes(wait: number): Map<string, number[]> {
    return new Map(
      [...this.#classes]
        .filter(([, { devices }]) => devices.length >= this.#minimum)
        .map(([name, { seconds, edges }]) => {
          const share = (wait * edges) / seconds;
          return [name, Array.from(this.#ofClass(name), (log) => 1 / (Math.exp(log) + share))];
        }),
    );
  }

  #ofClass(name: string): Float64Array {
    return this.#shrunk(this.#classes.get(name), this.#ofAll(), CLASS_STRENGTH);
  }

  /** In windows in which nobody drove, traffic is as in the freest one; in one alone, nothing is known of the others. */
  #ofAll(): Float64Array {
    const all = this.#shrunk(this.#all, new Float64Array(this.#windows), CLASS_STRENGTH);
    const isSeen = (w: number) => this.#all.devicesIn[w].length >= this.#minimum;
    const seen = all.filter((_, w) => isSeen(w));
    const free = seen.length > 1 ? Math.min(...seen) : 0;
    return all.map((log, w) => (isSeen(w) ? log : free));
  }

  /** A mean shrunk toward another, first over all windows, then in each. */
  #shrunk(mean: Mean | undefined, toward: Float64Array, k: number): Float64Array {
    if (!mean || mean.devices.length < this.#minimum) return toward;
    let [weight, off] = [0, 0];
    for (let w = 0; w < this.#windows; w++) {
      weight += mean.weight[w];
      off += mean.sum[w] - mean.weight[w] * toward[w];
    }
    const shift = off / (weight + k);
    return toward.map((log, w) => {
      const expected = log + shift;
      if (mean.devicesIn[w].length < this.#minimum) return expected;
      return (mean.sum[w] + k * expected) / (mean.weight[w] + k);
    });
  }

  #add(mean: Mean, { facts, counts, means, all, devices }: EdgeWindows): void {
    mean.seconds += facts.meters * facts.pace;
    mean.edges++;
    for (let w = 0; w < this.#windows; w++) {
      const weight = counts[w] / (counts[w] + CLASS_SATURATION);
      mean.weight[w] += weight;
      mean.sum[w] += weight * means[w];
      unite(mean.devicesIn[w], devices[w]);
    }
    unite(mean.devices, all);
  }

  #mean(of: Map<string, Mean>, key: string): Mean {
    let mean = of.get(key);
    if (!mean) {
      mean = this.#empty();
      of.set(key, mean);
    }
    return mean;
  }

  #empty(): Mean {
    const zeros = () => new Float64Array(this.#windows);
    const devicesIn = Array.from({ length: this.#windows }, (): number[] => []);
    return { weight: zeros(), sum: zeros(), seconds: 0, edges: 0, devices: [], devicesIn };
  }
}

const townKey = (roadClass: string, town: string) => `${roadClass} ${town}`;
