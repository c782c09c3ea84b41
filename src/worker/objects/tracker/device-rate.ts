import { fullBucket, type TokenBucket, takeTokens } from "../../../core/limits/token-bucket.ts";

/** The updates that a device may still send, in the memory of its object. */
export class DeviceRate {
  #bucket: TokenBucket | undefined;

  /**
   * Milliseconds until the device may send again. 0: allowed, and this update is counted.
   * @param rate updates per second
   * @param taken 0: only asks
   */
  waitFor(rate: number, now: number, taken = 1): number {
    this.#bucket ??= fullBucket(rate, now);
    const { granted, retryAfterMs } = takeTokens(this.#bucket, rate, taken, now);
    return granted === 1 ? 0 : retryAfterMs;
  }
}
