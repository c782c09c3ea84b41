/**
 * Results that the backward searches of a matrix leave at the labels they settled: (label, column, cost) entries,
 * collected search by search and then grouped by label, so that a forward search reads those of a label in a row.
 */
export class Buckets {
  /** Entries of label l: first[l] ≤ i < first[l + 1]. Valid after `arrange`. */
  first = new Int32Array(0);
  column = new Int32Array(0);
  weight = new Int32Array(0);
  duration = new Float64Array(0);
  distance = new Float64Array(0);
  /** The smallest weight of all: 0 or below, because a destination is on its edge, not at its end. */
  least = 0;
  #count = 0;
  #labels = new Int32Array(INITIAL_CAPACITY);
  #columns = new Int32Array(INITIAL_CAPACITY);
  #weights = new Int32Array(INITIAL_CAPACITY);
  #durations = new Float64Array(INITIAL_CAPACITY);
  #distances = new Float64Array(INITIAL_CAPACITY);

  /** Discards the previous content: one object serves all matrices, one after the other. */
  clear(): void {
    this.#count = 0;
    this.least = 0;
  }

  /** Releases memory that only a large matrix needs. */
  release(): void {
    if (this.#labels.length <= KEPT_CAPACITY) return;
    this.#labels = new Int32Array(INITIAL_CAPACITY);
    this.#columns = new Int32Array(INITIAL_CAPACITY);
    this.#weights = new Int32Array(INITIAL_CAPACITY);
    this.#durations = new Float64Array(INITIAL_CAPACITY);
    this.#distances = new Float64Array(INITIAL_CAPACITY);
    this.column = new Int32Array(0);
    this.weight = new Int32Array(0);
    this.duration = new Float64Array(0);
    this.distance = new Float64Array(0);
  }

  add(label: number, column: number, weight: number, duration: number, distance: number): void {
    if (this.#count === this.#labels.length) this.#grow();
    const at = this.#count++;
    this.#labels[at] = label;
    this.#columns[at] = column;
    this.#weights[at] = weight;
    this.#durations[at] = duration;
    this.#distances[at] = distance;
    if (weight < this.least) this.least = weight;
  }

  /** Lays the entries out by label (a counting sort). Labels are 0 ≤ label < labelCount. */
  arrange(labelCount: number): void {
    const count = this.#count;
    const labels = this.#labels;
    if (this.first.length <= labelCount) this.first = new Int32Array(Math.ceil(labelCount * 1.3) + 1);
    if (this.column.length < count) {
      this.column = new Int32Array(this.#labels.length);
      this.weight = new Int32Array(this.#labels.length);
      this.duration = new Float64Array(this.#labels.length);
      this.distance = new Float64Array(this.#labels.length);
    }
    const { first } = this;
    first.fill(0, 0, labelCount + 1);
    for (let i = 0; i < count; i++) first[labels[i] + 1]++;
    for (let label = 0; label < labelCount; label++) first[label + 1] += first[label];
    // Each label's entries are put in from its end on; then first[l + 1] has sunk to where label l begins.
    for (let i = count - 1; i >= 0; i--) {
      const at = --first[labels[i] + 1];
      this.column[at] = this.#columns[i];
      this.weight[at] = this.#weights[i];
      this.duration[at] = this.#durations[i];
      this.distance[at] = this.#distances[i];
    }
    first.copyWithin(0, 1, labelCount + 1);
    first[labelCount] = count;
  }

  #grow(): void {
    const size = this.#labels.length * 2;
    this.#labels = larger(this.#labels, new Int32Array(size));
    this.#columns = larger(this.#columns, new Int32Array(size));
    this.#weights = larger(this.#weights, new Int32Array(size));
    this.#durations = larger(this.#durations, new Float64Array(size));
    this.#distances = larger(this.#distances, new Float64Array(size));
  }
}

const INITIAL_CAPACITY = 8192;
/** Entries of a typical matrix of 25 × 25; this memory stays allocated, 3.5 MB. */
const KEPT_CAPACITY = 65_536;

function larger<T extends Int32Array | Float64Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}
