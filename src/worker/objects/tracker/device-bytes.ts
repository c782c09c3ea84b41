import { chargeHourly, fullHour, hourlyWait } from "../../../core/limits/hourly.ts";
import { BYTES_PER_MEGABYTE } from "../../../core/limits/table.ts";
import type { TokenBucket } from "../../../core/limits/token-bucket.ts";
import type { Limited, TrackRequest } from "./tracker-calls.ts";

/** Written when this share of the limit has been used since: an ordinary device's budget costs no write. */
const NOTED_SHARE = 0.1;
const KEY = "bytes";

/** The part of an object's storage that it needs. */
interface Kv {
  get<T>(key: string): T | undefined;
  put(key: string, value: unknown): void;
}

/**
 * The bytes that publishable keys have added to a device in the last hour. They are counted after they were written, so that
 * nothing is measured twice: one call may exceed the limit.
 */
export class DeviceBytes {
  readonly #kv: Kv;
  #read = false;
  #bucket: TokenBucket | undefined;
  #noted = Number.POSITIVE_INFINITY;
  /** Added since the caller was last informed. */
  #fresh = 0;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  #open(): TokenBucket | undefined {
    if (this.#read) return this.#bucket;
    this.#read = true;
    this.#bucket = this.#kv.get<TokenBucket>(KEY);
    this.#noted = this.#bucket?.tokens ?? Number.POSITIVE_INFINITY;
    return this.#bucket;
  }

  /** Why a key may add nothing now; undefined: it may. */
  limited(creations: TrackRequest["creations"], now: number): Limited | undefined {
    if (!creations) return undefined;
    const { full = 0, newMegabytesPerDevice } = creations;
    if (full > 0) return { limited: true, waitMs: full, creation: "newMegabytes" };
    const bucket = this.#open();
    if (!bucket) return undefined;
    const waitMs = hourlyWait(bucket, newMegabytesPerDevice * BYTES_PER_MEGABYTE, now);
    return waitMs > 0 ? { limited: true, waitMs, creation: "newMegabytesPerDevice" } : undefined;
  }

  add(creations: TrackRequest["creations"], bytes: number, now: number): void {
    if (!creations || bytes <= 0) return;
    this.#fresh += bytes;
    const limit = creations.newMegabytesPerDevice * BYTES_PER_MEGABYTE;
    const bucket = this.#open() ?? fullHour(limit, now);
    this.#bucket = bucket;
    chargeHourly(bucket, limit, bytes, now);
    const { tokens } = bucket;
    if (tokens > Math.min(limit, this.#noted) - limit * NOTED_SHARE) return;
    this.#noted = tokens;
    this.#kv.put(KEY, bucket);
  }

  /** What was added since the last call, which the caller counts for its project. */
  take(): { added?: number } {
    const added = this.#fresh;
    this.#fresh = 0;
    return added > 0 ? { added } : {};
  }

  forget(): void {
    this.#bucket = undefined;
    this.#read = false;
  }
}
