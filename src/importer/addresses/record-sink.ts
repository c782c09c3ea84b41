import { ByteWriter } from "../../geo/bytes.ts";
import type { Sorter } from "../../geo/sorter.ts";
import { Density } from "./density.ts";
import { type PlacedRecords, placeRecords } from "./place-records.ts";
import { type Raw, writeRaw } from "./raw-record.ts";
import type { Workers } from "./workers.ts";

/** Records are handed to threads in chunks of so many bytes; more chunks than these are not left waiting. */
const CHUNK = 256 * 1024;
const MOST_WAITING = 12;

/** `Raw` without its number, which the sink gives. */
export type Found = Raw extends infer One ? (One extends Raw ? Omit<One, "order"> : never) : never;

/** Takes what collecting finds to a sorter by cell; which cell is told in threads. */
export class RecordSink {
  readonly density = new Density();
  /** Records so far. */
  count = 0;
  readonly #sorter: Sorter;
  readonly #workers: Workers;
  readonly #record = new ByteWriter(1024);
  readonly #waiting: Promise<PlacedRecords>[] = [];
  #chunk = new ByteWriter(CHUNK + 4096);
  #draining: Promise<void> | undefined;
  #failure: unknown;

  constructor(sorter: Sorter, workers: Workers) {
    this.#sorter = sorter;
    this.#workers = workers;
  }

  add(found: Found): void {
    if (this.#failure) throw this.#failure;
    const record = this.#record;
    record.length = 0;
    writeRaw(record, { ...found, order: this.count++ } as Raw);
    this.#chunk.unsigned(record.length);
    this.#chunk.bytes(record.view());
    if (this.#chunk.length >= CHUNK) this.#hand();
  }

  /** Waits until not much is left to be placed. */
  async settle(): Promise<void> {
    while (this.#waiting.length > MOST_WAITING) await this.#draining;
    if (this.#failure) throw this.#failure;
  }

  async finish(): Promise<void> {
    this.#hand();
    await this.#draining;
    if (this.#failure) throw this.#failure;
  }

  #hand(): void {
    const bytes = this.#chunk.finish();
    this.#chunk.length = 0;
    // The scan does not wait for anybody, so what is too much for the threads is done here.
    const busy = this.#waiting.length >= MOST_WAITING;
    const placed = busy
      ? Promise.resolve(placeRecords(bytes))
      : (this.#workers.run({ kind: "place", bytes }, [bytes.buffer]) as Promise<PlacedRecords>);
    placed.catch(() => undefined);
    this.#waiting.push(placed);
    this.#draining ??= this.#drain();
  }

  /** In the order in which they came. */
  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const { cells, ends, bytes, density } = await this.#waiting[0];
        this.#waiting.shift();
        for (let i = 0; i < cells.length; i++) this.#sorter.add(cells[i], bytes, i === 0 ? 0 : ends[i - 1], ends[i]);
        this.density.add(density);
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#draining = undefined;
    }
  }
}
