import { rmSync } from "node:fs";
import { radixOrder } from "./radix-order.ts";
import { RUN_CHUNK, RunReader, RunWriter, type SortedRecord } from "./run-file.ts";

/** Bytes a record takes besides its payload: its key twice 4, where it begins, and two orders while it is sorted. */
const PER_RECORD = 20;

/** Minimum memory of a sort: with less, runs are too many and too short. */
const MIN_MEMORY_BYTES = 4 * RUN_CHUNK;

/**
 * Sorts more records than memory holds. Each has a key (a whole number from 0 to 2^53 − 1) and a payload of any bytes; equal keys
 * come back in the order in which they were added. An external merge sort (Knuth, The Art of Computer Programming 3, 5.4): what
 * fits is sorted immediately, the rest goes to disk in sorted runs, which are merged at the end, in several passes where they
 * are too many to hold a piece of each.
 *
 * The result does not depend on `memory`.
 */
export class ExternalSort {
  readonly #path: string;
  readonly #memory: number;
  #payload = new Uint8Array(1 << 16);
  #used = 0;
  #high = new Uint32Array(1 << 10);
  #low = new Uint32Array(1 << 10);
  #starts = new Uint32Array(1 << 10);
  #held = 0;
  #count = 0;
  #runs: { path: string; length: number }[] = [];
  #made = 0;
  #bytesOnDisk = 0;
  #state: "adding" | "sorted" | "closed" = "adding";

  /** @param path what the files of this sort begin with; @param memory bytes it may hold, at least 1 MB */
  constructor({ path, memory }: { path: string; memory: number }) {
    this.#path = path;
    this.#memory = Math.max(memory, MIN_MEMORY_BYTES);
  }

  /** Records added. */
  get count(): number {
    return this.#count;
  }

  /** The most that it had on disk at a time. */
  get bytesOnDisk(): number {
    return this.#bytesOnDisk;
  }

  /** Adds a copy of bytes[start … end − 1]. @throws RangeError for a key that is not an integer from 0 to 2^53 − 1 */
  add(key: number, bytes: Uint8Array, start = 0, end = bytes.length): void {
    if (!(Number.isSafeInteger(key) && key >= 0)) throw new RangeError(`${key} is no key to sort by`);
    if (this.#state !== "adding") throw new Error("nothing may be added once the order is asked for");
    const size = end - start;
    if (this.#held > 0 && this.#held * PER_RECORD + this.#used + size + PER_RECORD > this.#memory / 2) this.#spill();
    this.#makeRoom(size);
    this.#high[this.#held] = key / 4294967296;
    this.#low[this.#held] = key >>> 0;
    this.#starts[this.#held++] = this.#used;
    if (size < 32) for (let at = start; at < end; at++) this.#payload[this.#used++] = bytes[at];
    else {
      this.#payload.set(bytes.subarray(start, end), this.#used);
      this.#used += size;
    }
    this.#count++;
  }

  /** All records by ascending key, once. The object is the same each time; what it holds is valid until the next. */
  *sorted(): Generator<SortedRecord, void, undefined> {
    if (this.#state !== "adding") throw new Error("the order was asked for already");
    this.#state = "sorted";
    if (this.#runs.length === 0) {
      yield* this.#inMemory();
      return;
    }
    if (this.#held > 0) this.#spill();
    this.#forget();
    const fanIn = Math.max(2, Math.floor(this.#memory / RUN_CHUNK));
    while (this.#runs.length > fanIn) this.#mergeSome(fanIn);
    yield* mergeRuns(this.#runs.map(({ path }) => path));
  }

  /** Removes its files and lets go of its memory. */
  close(): void {
    this.#state = "closed";
    this.#forget();
    for (const { path } of this.#runs) rmSync(path, { force: true });
    this.#runs = [];
  }

  *#inMemory(): Generator<SortedRecord, void, undefined> {
    const order = this.#order();
    const record: SortedRecord = { key: 0, bytes: this.#payload, start: 0, end: 0 };
    for (let i = 0; i < this.#held; i++) {
      this.#place(order[i], record);
      yield record;
    }
  }

  #order(): Uint32Array {
    const count = this.#held;
    return radixOrder(this.#high, this.#low, count, new Uint32Array(count), new Uint32Array(count));
  }

  #place(at: number, record: SortedRecord): void {
    record.key = this.#high[at] * 4294967296 + this.#low[at];
    record.start = this.#starts[at];
    record.end = at + 1 < this.#held ? this.#starts[at + 1] : this.#used;
  }

  #spill(): void {
    const order = this.#order();
    const record: SortedRecord = { key: 0, bytes: this.#payload, start: 0, end: 0 };
    this.#write((writer) => {
      for (let i = 0; i < this.#held; i++) {
        this.#place(order[i], record);
        writer.append(record.key, record.bytes, record.start, record.end);
      }
    });
    this.#held = 0;
    this.#used = 0;
  }

  /** The first `fanIn` runs become one in their place, so that equal keys keep their order. */
  #mergeSome(fanIn: number): void {
    const first = this.#runs.splice(0, fanIn);
    this.#write((writer) => {
      for (const { key, bytes, start, end } of mergeRuns(first.map(({ path }) => path)))
        writer.append(key, bytes, start, end);
    }, first);
    const made = this.#runs.pop();
    if (made) this.#runs.unshift(made);
    for (const { path } of first) rmSync(path, { force: true });
  }

  #write(fill: (writer: RunWriter) => void, others: readonly { length: number }[] = []): void {
    const path = `${this.#path}.run-${this.#made++}`;
    const writer = new RunWriter(path);
    const run = { path, length: 0 };
    // Known before it is written, so that `close` removes a run that a full disk cut short.
    this.#runs.push(run);
    try {
      fill(writer);
    } finally {
      writer.close();
    }
    run.length = writer.length;
    const onDisk = [...this.#runs, ...others].reduce((sum, { length }) => sum + length, 0);
    this.#bytesOnDisk = Math.max(this.#bytesOnDisk, onDisk);
  }

  #makeRoom(size: number): void {
    if (this.#used + size > this.#payload.length) {
      const larger = new Uint8Array(Math.max(this.#payload.length * 2, this.#used + size));
      larger.set(this.#payload.subarray(0, this.#used));
      this.#payload = larger;
    }
    if (this.#held < this.#high.length) return;
    const doubled = (array: Uint32Array) => {
      const larger = new Uint32Array(array.length * 2);
      larger.set(array);
      return larger;
    };
    this.#high = doubled(this.#high);
    this.#low = doubled(this.#low);
    this.#starts = doubled(this.#starts);
  }

  #forget(): void {
    this.#payload = new Uint8Array(0);
    this.#high = this.#low = this.#starts = new Uint32Array(0);
    this.#held = this.#used = 0;
  }
}

/** Runs as one: a binary heap of readers by key, earlier runs first among equals. */
export function* mergeRuns(paths: readonly string[]): Generator<SortedRecord, void, undefined> {
  const readers: RunReader[] = [];
  try {
    const heap: number[] = [];
    for (const path of paths) readers.push(new RunReader(path));
    const before = (a: number, b: number) =>
      readers[a].key < readers[b].key || (readers[a].key === readers[b].key && a < b);
    const sink = () => {
      let at = 0;
      const moving = heap[0];
      for (;;) {
        let child = 2 * at + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
        if (!before(heap[child], moving)) break;
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = moving;
    };
    readers.forEach((reader, number) => {
      if (!reader.next()) return;
      let at = heap.push(number) - 1;
      while (at > 0 && before(number, heap[(at - 1) >> 1])) {
        heap[at] = heap[(at - 1) >> 1];
        at = (at - 1) >> 1;
      }
      heap[at] = number;
    });
    while (heap.length > 0) {
      const reader = readers[heap[0]];
      yield reader;
      if (!reader.next()) {
        const last = heap.pop() as number;
        if (heap.length === 0) return;
        heap[0] = last;
      }
      sink();
    }
  } finally {
    for (const reader of readers) reader.close();
  }
}
