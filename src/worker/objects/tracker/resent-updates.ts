import type { Delivery } from "../../../core/engagement/deliver.ts";
import { hashOf } from "../../../core/tracking/chronology.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { TrackRequest } from "./tracker-calls.ts";

/** Key for replayed updates that are identified by their content, and their maximum number: two full batches. */
const KEY = "resent";
const MAX_RESENT = 1000;
/** Key for the last batch with messages. */
const BATCH = "replayed";

/** What a batch was answered. */
interface BatchAnswer {
  events: readonly TrackEvent[];
  delivery?: Delivery | undefined;
}

/**
 * What was replayed before: updates without an id, recognized by a hash of their content, and the last batch that got messages: a phone
 * that lost the response sends the same batch, and gets them again.
 */
export class ResentUpdates {
  readonly #kv: SyncKvStorage;
  #known: number[] | undefined;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  has(hash: number | undefined): boolean {
    return hash !== undefined && this.#read().includes(hash);
  }

  add(hash: number | undefined): void {
    if (hash === undefined) return;
    this.#known = [...this.#read(), hash].slice(-MAX_RESENT);
    this.#kv.put(KEY, this.#known);
  }

  /** The answer to the same batch before. */
  answerTo(batch: readonly TrackRequest[]): BatchAnswer | undefined {
    const last = this.#kv.get<BatchAnswer & { batch: number }>(BATCH);
    return last?.batch === batchHash(batch) ? last : undefined;
  }

  /** Keeps the answer to a batch if it has messages. */
  keepAnswer(batch: readonly TrackRequest[], answer: BatchAnswer): void {
    const { messages = [], notes = {} } = answer.delivery ?? {};
    if (messages.length === 0 && Object.keys(notes).length === 0) return;
    this.#kv.put(BATCH, { ...answer, batch: batchHash(batch) });
  }

  /** A user of the device is deleted. */
  forgetAnswer(): void {
    this.#kv.delete(BATCH);
  }

  #read(): number[] {
    this.#known ??= this.#kv.get<number[]>(KEY) ?? [];
    return this.#known;
  }
}

function batchHash(batch: readonly TrackRequest[]): number {
  const updates = batch.map(({ resent, update: { updatedAt, userId, location } }) => [
    ...(resent === undefined ? [updatedAt, location.latitude, location.longitude] : [resent]),
    userId,
  ]);
  return hashOf(JSON.stringify(updates));
}
