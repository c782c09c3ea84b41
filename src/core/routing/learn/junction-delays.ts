import { unite } from "./edge-sums.ts";

/** What is needed of an edge: by window the passages, the time standing at its end [s], and the devices. */
interface Passed {
  facts: { hasSignal: boolean };
  counts: ArrayLike<number>;
  waits: ArrayLike<number>;
  devices: readonly (readonly number[])[];
  all: readonly number[];
}

export interface Delays {
  signals: number | undefined;
  others: number | undefined;
}

/** Signals of fewer passages say nothing. */
const MIN_PASSAGES = 30;
/** The mean of all signals counts as much as so many passages of one, and that of one as so many in one window. */
const EDGE_STRENGTH = 8;
const WINDOW_STRENGTH = 30;

/**
 * The time standing before signals and before other junctions, beyond what the profile counts, apart from the time of driving
 * [s per passage].
 */
export class JunctionDelays {
  readonly means: Delays;
  readonly #minimumDevices: number;

  constructor(edges: Iterable<Passed>, minimumDevices: number) {
    this.#minimumDevices = minimumDevices;
    const groups = [false, true].map((isSignal) => ({ isSignal, seconds: 0, passages: 0, devices: [] as number[] }));
    for (const edge of edges) {
      const group = groups[edge.facts.hasSignal ? 1 : 0];
      group.seconds += sum(edge.waits);
      group.passages += sum(edge.counts);
      unite(group.devices, edge.all);
    }
    const [others, signals] = groups.map(({ seconds, passages, devices }) =>
      passages >= MIN_PASSAGES && devices.length >= minimumDevices ? seconds / passages : undefined,
    );
    this.means = { signals, others };
  }

  /** The delay at the end of an edge by window [s]: of the edge, shrunk toward the mean of its kind. */
  of({ facts, counts, waits, devices, all }: Passed): Float64Array {
    const usual = (facts.hasSignal ? this.means.signals : this.means.others) ?? 0;
    const isShown = all.length >= this.#minimumDevices;
    const own = isShown ? shrunk(sum(waits), sum(counts), usual, EDGE_STRENGTH) : usual;
    return Float64Array.from(counts, (count, w) =>
      devices[w].length >= this.#minimumDevices ? shrunk(waits[w], count, own, WINDOW_STRENGTH) : own,
    );
  }
}

const shrunk = (seconds: number, count: number, toward: number, strength: number) =>
  (seconds + strength * toward) / (count + strength);

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}
