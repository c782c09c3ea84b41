import type { EdgeKey } from "./edge-key.ts";
import { type EdgeSums, unite } from "./edge-sums.ts";

/** What is needed of an edge. */
interface Passed {
  meters: number;
  hasSignal: boolean;
}

/** Signals of fewer passages say nothing. */
const MIN_PASSAGES = 30;

/**
 * The time standing before signals and before other junctions, apart from the time of driving [s per passage]. Edges include it, as the
 * engine's own delay of a signal is a constant; it is reported so that one sees which part of a slow road is waiting.
 */
export class JunctionDelays {
  readonly #minimumDevices: number;
  readonly #signals = { seconds: 0, passages: 0, devices: [] as number[] };
  readonly #others = { seconds: 0, passages: 0, devices: [] as number[] };

  constructor(minimumDevices: number) {
    this.#minimumDevices = minimumDevices;
  }

  add(sums: EdgeSums, factsOf: (key: EdgeKey) => Passed | undefined): void {
    for (const [key, hours] of sums) {
      const facts = factsOf(key);
      if (!facts) continue;
      const to = facts.hasSignal ? this.#signals : this.#others;
      for (const { count, waits, devices } of hours) {
        to.seconds += waits * facts.meters;
        to.passages += count;
        unite(to.devices, devices);
      }
    }
  }

  /** Mean delay before signals, and before other junctions [s]; undefined where there is too little data. */
  means(): { signals: number | undefined; others: number | undefined } {
    const mean = ({ seconds, passages, devices }: { seconds: number; passages: number; devices: number[] }) =>
      passages >= MIN_PASSAGES && devices.length >= this.#minimumDevices ? seconds / passages : undefined;
    return { signals: mean(this.#signals), others: mean(this.#others) };
  }
}
