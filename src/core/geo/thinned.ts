import type { Coordinate } from "./coordinate.ts";

/**
 * A line with at most `max` of its points: the first, the last, and those between that change its shape most (Visvalingam and Whyatt 1993:
 * the point goes first that spans the smallest triangle with its neighbors). Takes n log n steps.
 */
export function thinned(line: readonly Coordinate[], max: number = line.length): readonly Coordinate[] {
  if (line.length <= max) return line;
  const before = Int32Array.from(line, (_, i) => i - 1);
  const after = Int32Array.from(line, (_, i) => i + 1);
  const areas = Float64Array.from(line, (_, i) => (i === 0 || i === line.length - 1 ? Infinity : areaAt(i)));
  const heap = new SmallestFirst(areas);
  for (let left = line.length; left > max; left--) {
    const gone = heap.take();
    const area = areas[gone];
    const [a, b] = [before[gone], after[gone]];
    after[a] = b;
    before[b] = a;
    // Never less than the previous one, so that a shape is simplified from its finest detail on.
    if (a > 0) heap.change(a, Math.max(area, areaAt(a)));
    if (b < line.length - 1) heap.change(b, Math.max(area, areaAt(b)));
  }
  const kept: Coordinate[] = [];
  for (let i = 0; i < line.length; i = after[i]) kept.push(line[i]);
  return kept;

  /** Twice the triangle's area, in degrees at the latitude of its middle point. */
  function areaAt(i: number): number {
    const [a, b, c] = [line[before[i]], line[i], line[after[i]]];
    const shrink = Math.cos((b.latitude * Math.PI) / 180);
    const [ax, bx] = [(a.longitude - b.longitude) * shrink, (c.longitude - b.longitude) * shrink];
    return Math.abs(ax * (c.latitude - b.latitude) - bx * (a.latitude - b.latitude));
  }
}

/** A binary heap of indexes by their values, which can change. */
class SmallestFirst {
  readonly #values: Float64Array;
  readonly #heap: Int32Array;
  readonly #places: Int32Array;
  #size: number;

  constructor(values: Float64Array) {
    this.#values = values;
    this.#size = values.length;
    this.#heap = Int32Array.from(values, (_, i) => i);
    this.#places = Int32Array.from(values, (_, i) => i);
    for (let at = this.#size >> 1; at >= 0; at--) this.#sink(at);
  }

  take(): number {
    const first = this.#heap[0];
    this.#put(0, this.#heap[--this.#size]);
    this.#sink(0);
    return first;
  }

  change(index: number, value: number): void {
    this.#values[index] = value;
    this.#rise(this.#places[index]);
    this.#sink(this.#places[index]);
  }

  #put(at: number, index: number): void {
    this.#heap[at] = index;
    this.#places[index] = at;
  }

  #rise(from: number): void {
    const index = this.#heap[from];
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#values[this.#heap[parent]] <= this.#values[index]) break;
      this.#put(at, this.#heap[parent]);
      at = parent;
    }
    this.#put(at, index);
  }

  #sink(from: number): void {
    const index = this.#heap[from];
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#values[this.#heap[child + 1]] < this.#values[this.#heap[child]]) child++;
      if (this.#values[this.#heap[child]] >= this.#values[index]) break;
      this.#put(at, this.#heap[child]);
      at = child;
    }
    this.#put(at, index);
  }
}
