import { ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { Sorter } from "../../../../core/geo/bytes/sorter.ts";
import type { CollectedBlock } from "../jobs/collect-block.ts";
import type { Job } from "../jobs/jobs.ts";
import type { Workers } from "../jobs/workers.ts";
import { Density } from "../records/density.ts";
import { type PlacedRecords, placeRecords } from "../records/place-records.ts";
import { type Found, raiseOrder, writeRaw } from "../records/raw-record.ts";

/** Records are handed to threads in chunks of so many bytes; more chunks than these are not left waiting. */
const CHUNK = 256 * 1024;
const MAX_WAITING_JOBS = 12;
/** Blocks on the way to each thread: enough that none waits. They are larger. */
const BLOCKS_PER_THREAD = 2;

/** Passes collected records to a sorter by cell, in the same order for any number of threads, which compute the cells. */
export class RecordSink {
  readonly density = new Density();
  /** Numbers given so far; all of them once it is finished. */
  count = 0;
  readonly #sorter: Sorter;
  readonly #workers: Workers;
  readonly #record = new ByteWriter(1024);
  readonly #waiting: { placed: Promise<PlacedRecords>; take: () => Promise<void> }[] = [];
  #chunk = new ByteWriter(CHUNK + 4096);
  #held = 0;
  #draining: Promise<void> | undefined;
  #failure: unknown;

  constructor(sorter: Sorter, workers: Workers) {
    this.#sorter = sorter;
    this.#workers = workers;
  }

  /** Lines come in blocks alone. */
  add(found: Exclude<Found, { kind: "line" }>): void {
    if (this.#failure) throw this.#failure;
    const record = this.#record;
    record.length = 0;
    writeRaw(record, found, this.#held++);
    this.#chunk.unsigned(record.length);
    this.#chunk.bytes(record.view());
    if (this.#chunk.length >= CHUNK) this.#hand();
  }

  /**
   * Adds the records that threads find in a block after all earlier ones; `done` gets its other data, in that order.
   * `found` sees it first, before its records are numbered, in any order.
   */
  async collect(
    job: Job & { kind: "collect" },
    done: (block: CollectedBlock) => void,
    found: (block: CollectedBlock) => void,
  ): Promise<void> {
    this.#hand();
    await this.settle(BLOCKS_PER_THREAD * this.#workers.size);
    const made = (this.#workers.run(job, [job.bytes.buffer]) as Promise<CollectedBlock>).then((block) => {
      found(block);
      return block;
    });
    this.#wait(made, done);
  }

  /** Adds the cached records of a block after all earlier ones. */
  async known(block: CollectedBlock, done: (block: CollectedBlock) => void): Promise<void> {
    await this.settle(BLOCKS_PER_THREAD * this.#workers.size);
    this.addAll(block, done);
  }

  /** Adds records that were collected here after all earlier ones. */
  addAll(block: CollectedBlock, done: (block: CollectedBlock) => void): void {
    this.#hand();
    this.#wait(Promise.resolve(block), done);
  }

  /** Adds records whose cells are known after all earlier ones. */
  async placed(records: PlacedRecords): Promise<void> {
    this.#hand();
    await this.settle();
    this.#wait(Promise.resolve(records));
  }

  /** Waits until not much is left to be placed. */
  async settle(most = MAX_WAITING_JOBS): Promise<void> {
    while (!this.#failure && this.#waiting.length > most) await this.#waiting[0].placed;
    if (this.#failure) throw this.#failure;
  }

  /** Waits until nothing is. */
  async finish(): Promise<void> {
    this.#hand();
    await this.#draining;
    if (this.#failure) throw this.#failure;
  }

  #hand(): void {
    if (this.#held === 0) return;
    const bytes = this.#chunk.finish();
    this.#chunk.length = 0;
    this.#held = 0;
    // Adding does not wait, so jobs that are too many for the threads run here.
    const busy = this.#waiting.length >= MAX_WAITING_JOBS;
    this.#wait(
      busy
        ? Promise.resolve(placeRecords(bytes))
        : (this.#workers.run({ kind: "place", bytes }, [bytes.buffer]) as Promise<PlacedRecords>),
    );
  }

  #wait<Found extends PlacedRecords>(placed: Promise<Found>, done?: (found: Found) => void): void {
    placed.catch(() => undefined);
    const take = async () => {
      const found = await placed;
      this.#take(found);
      done?.(found);
    };
    this.#waiting.push({ placed, take });
    this.#draining ??= this.#drain();
  }

  /** In the order in which they came. */
  async #drain(): Promise<void> {
    try {
      for (; this.#waiting.length > 0; this.#waiting.shift()) await this.#waiting[0].take();
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#draining = undefined;
    }
  }

  #take({ count, cells, ends, bytes, density }: PlacedRecords): void {
    for (let i = 0; i < cells.length; i++) {
      const start = i === 0 ? 0 : ends[i - 1];
      raiseOrder(bytes, start, this.count);
      this.#sorter.add(cells[i], bytes, start, ends[i]);
    }
    this.count += count;
    this.density.add(density);
  }
}
