import { NEVER, NO_WAY } from "./times.ts";

/** Durations of one span of time. */
interface Span {
  /** Its beginning; the first has none. */
  begins: number;
  duration: Float64Array;
  distance: Float64Array;
}

/**
 * Travel that depends on the time of departure. A vehicle that leaves later never arrives earlier: shortly after rush hour, an
 * arrival counts as late as that of a vehicle that left at its end. Where there is no way, the vehicle waits for the next span.
 * Both passes over a tour, from its start and from its end, need this order.
 */
export class HourlyTravel {
  readonly #spans: readonly Span[];
  readonly #longest: number;

  /** In ascending order. */
  constructor(spans: readonly Span[]) {
    this.#spans = spans.map((span, i) => (i === 0 ? { ...span, begins: Number.NEGATIVE_INFINITY } : span));
    let longest = 0;
    for (const { duration } of new Set(spans))
      for (const time of duration) if (time < NO_WAY && time > longest) longest = time;
    this.#longest = longest;
  }

  /** Arrival of a vehicle that leaves at `leave`; NO_WAY if there is none. */
  arrive(way: number, leave: number): number {
    const spans = this.#spans;
    const { at, departure } = this.#departure(way, leave);
    if (at < 0) return NO_WAY;
    let arrival = departure + spans[at].duration[way];
    for (let i = at - 1; i >= 0; i--) {
      const ends = spans[i + 1].begins;
      if (ends + this.#longest <= arrival) break;
      const { duration } = spans[i];
      if (duration[way] < NO_WAY && ends + duration[way] > arrival) arrival = ends + duration[way];
    }
    return arrival;
  }

  /** The latest departure that arrives by `due`; -NEVER if there is none. */
  leaveBefore(way: number, due: number): number {
    const spans = this.#spans;
    for (let i = spans.length - 1; i >= 0; i--) {
      const { begins, duration } = spans[i];
      if (begins > due || duration[way] >= NO_WAY || !this.#letsArrive(way, i, due)) continue;
      const leave = due - duration[way];
      // At its end the next span applies.
      const last = i + 1 < spans.length ? spans[i + 1].begins - 1 : leave;
      const latest = leave < last ? leave : last;
      if (latest >= begins) return latest;
    }
    return -NEVER;
  }

  /** Duration and distance of the drive, and when it begins: later than `leave` if there is no way before. */
  drive(way: number, leave: number): { departure: number; duration: number; distance: number } {
    const { at, departure } = this.#departure(way, leave);
    if (at < 0) return { departure: NO_WAY, duration: NO_WAY, distance: NO_WAY };
    const { duration, distance } = this.#spans[at];
    return { departure, duration: duration[way], distance: distance[way] };
  }

  /** Whether vehicles that left in earlier spans arrive by `due`. */
  #letsArrive(way: number, at: number, due: number): boolean {
    const spans = this.#spans;
    for (let i = at - 1; i >= 0; i--) {
      const ends = spans[i + 1].begins;
      if (ends + this.#longest <= due) return true;
      const { duration } = spans[i];
      if (duration[way] < NO_WAY && ends + duration[way] > due) return false;
    }
    return true;
  }

  /** The span in which a vehicle leaves that is ready at `leave`, or -1. */
  #departure(way: number, leave: number): { at: number; departure: number } {
    const spans = this.#spans;
    let low = 0;
    let high = spans.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (spans[middle].begins <= leave) low = middle;
      else high = middle - 1;
    }
    let departure = leave;
    while (spans[low].duration[way] >= NO_WAY) {
      if (++low === spans.length) return { at: -1, departure };
      departure = spans[low].begins;
    }
    return { at: low, departure };
  }
}
