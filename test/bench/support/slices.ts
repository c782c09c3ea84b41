import { Agent } from "node:http";
import type { Report } from "../bench.ts";
import type { BenchWorker } from "../worker.ts";
import { type LoadRequest, send } from "./load.ts";
import { percentile } from "./percentile.ts";
import { cpuSeconds } from "./process-cpu.ts";

/** A Worker under load, and the n-th request it gets; made before the clock of that request starts. */
export interface Side {
  worker: BenchWorker;
  make(n: number): LoadRequest;
  /** Waits until what a slice has set off is done; it belongs to the slice. */
  settle?(): Promise<void>;
}

export interface SliceOptions {
  /** Slices of each side. */
  slices?: number;
  sliceMs?: number;
  /** Requests of a slice, instead of its time: where a busy machine answers few in a second, a slice is no sample. */
  sliceRequests?: number;
  /** Requests of the work on the way at any moment; those of the floor always come one by one. */
  parallel?: number;
  /** Requests to each side before the first slice: the first thousands run uncompiled. */
  warmUp?: number;
}

/** The median of some ratios and the quartiles around it. */
export interface Spread {
  median: number;
  low: number;
  high: number;
  count: number;
}

export interface Figures {
  /** CPU of the process per request [µs], user and kernel, all threads; the median of its slices. */
  cpu: number;
  perSecond: number;
  /** Time to the end of the answer [ms], over all slices. */
  p50: number;
  p99: number;
  requests: number;
}

export interface BesideFloor {
  floor: Figures;
  work: Figures;
  /** CPU of a request of the work by that of the floor. */
  ratio: Spread;
}

interface Slice {
  requests: number;
  /** Until the side's next slice begins: what a request leaves to be done later belongs to it. */
  cpu: number;
  seconds: number;
  times: number[];
}

/** Slices that both sides are measured in; BENCH_SLICES asks for more or fewer. */
const SLICES = Number(process.env.BENCH_SLICES ?? 6);
const SLICE_MS = 1_000;

/**
 * Measures work beside the floor under it, in slices that alternate: a machine that slows down within a minute (other
 * work, heat, a neighbour) slows both, and the ratio of a slice to the floor's slices before and after it stays. Absolute times
 * of such a machine say little, the median of the ratios a lot. The floor's requests come one by one: of several at once a busy machine
 * lets a process find more at each waking, and an empty request was seen to cost 120 µs then instead of 200, while one with work
 * in it hardly changes.
 * @throws when an answer is not a success: a refusal is cheap, and would look like speed
 */
export async function measureBeside(floor: Side, work: Side, options: SliceOptions = {}): Promise<BesideFloor> {
  return (await measureAllBeside(floor, [work], options))[0];
}

/** The same for several works, one slice of each after the other with one of the floor between any two: what they cost compares with each other, too. */
export async function measureAllBeside(
  floor: Side,
  works: readonly Side[],
  { slices = SLICES, sliceMs = SLICE_MS, sliceRequests, parallel = 8, warmUp = 2_000 }: SliceOptions = {},
): Promise<BesideFloor[]> {
  const least = new Lane(floor, 1);
  const lanes = works.map((work) => new Lane(work, parallel));
  const length = sliceRequests === undefined ? { ms: sliceMs } : { requests: sliceRequests };
  try {
    for (const lane of [least, ...lanes]) await lane.warm(warmUp);
    for (let i = 0; i < slices; i++) {
      for (const lane of lanes) {
        await least.slice(length);
        await lane.slice(length);
      }
    }
    // The last slice of the work has a floor behind it too.
    await least.slice(length);
    const low = least.ended();
    return lanes.map((lane, which) => {
      const high = lane.ended();
      const ratio = ratioOf(low.map(each), high.map(each), { which, of: works.length });
      return { floor: figuresOf(low), work: figuresOf(high), ratio };
    });
  } finally {
    for (const lane of [least, ...lanes]) lane.close();
  }
}

/** Reports a case as all benches with a floor do: the ratio with its spread, then the absolute figures beside the floor's. */
export function reportBeside(report: Report, label: string, { floor, work, ratio }: BesideFloor): void {
  report({ case: label, metric: "cpu", value: work.cpu, unit: "µs", baseline: floor.cpu, ratio });
  report({ case: label, metric: "p50", value: work.p50, unit: "ms", baseline: floor.p50 });
  report({ case: label, metric: "p99", value: work.p99, unit: "ms", baseline: floor.p99 });
  report({ case: label, metric: "rate", value: work.perSecond, unit: "1/s", baseline: floor.perSecond });
}

/**
 * The ratios of each slice of a work to the mean of the floor's slices right before and after it.
 * @param floor one longer than all works together
 * @param turns which of how many works it is, by their turns
 */
export function ratioOf(floor: readonly number[], work: readonly number[], turns = { which: 0, of: 1 }): Spread {
  const ratios = work.map((cost, i) => {
    const before = i * turns.of + turns.which;
    return cost / ((floor[before] + floor[before + 1]) / 2);
  });
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => percentile(ratios, share));
  return { median, low, high, count: ratios.length };
}

/** One side's connections and slices. */
class Lane {
  readonly #side: Side;
  readonly #parallel: number;
  readonly #agent: Agent;
  readonly #slices: Slice[] = [];
  /** CPU of the process when each slice began [s]. */
  readonly #began: number[] = [];
  #next = 0;

  constructor(side: Side, parallel: number) {
    this.#side = side;
    this.#parallel = parallel;
    this.#agent = new Agent({ keepAlive: true, maxSockets: parallel });
  }

  async warm(requests: number): Promise<void> {
    const last = this.#next + requests;
    await this.#load(() => this.#next < last, []);
    await this.#side.settle?.();
  }

  async slice(length: { ms: number } | { requests: number }): Promise<void> {
    const times: number[] = [];
    this.#began.push(cpuSeconds(this.#side.worker.pid));
    const began = performance.now();
    const last = "requests" in length ? this.#next + length.requests : 0;
    const goesOn = "ms" in length ? () => performance.now() - began < length.ms : () => this.#next < last;
    await this.#load(goesOn, times);
    const seconds = (performance.now() - began) / 1000;
    await this.#side.settle?.();
    this.#slices.push({ requests: times.length, cpu: 0, seconds, times });
  }

  /** The slices, each with its CPU. */
  ended(): Slice[] {
    const marks = [...this.#began, cpuSeconds(this.#side.worker.pid)];
    return this.#slices.map((slice, i) => ({ ...slice, cpu: marks[i + 1] - marks[i] }));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #load(goesOn: () => boolean, times: number[]): Promise<void> {
    const one = async () => {
      while (goesOn()) {
        const sent = this.#side.make(this.#next++);
        const start = performance.now();
        const { status, text } = await send(this.#side.worker, sent, this.#agent);
        times.push(performance.now() - start);
        if (status >= 300 && status !== 304) throw new Error(`${sent.path} answered ${status}: ${text.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: this.#parallel }, one));
  }
}

/** CPU of a request [µs]. */
const each = ({ cpu, requests }: Slice) => (cpu / requests) * 1e6;

function figuresOf(slices: readonly Slice[]): Figures {
  const times = slices.flatMap((slice) => slice.times);
  const requests = times.length;
  return {
    cpu: percentile(slices.map(each), 0.5),
    perSecond: requests / slices.reduce((sum, { seconds }) => sum + seconds, 0),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    requests,
  };
}
