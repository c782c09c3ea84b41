import { BoundedMap } from "../geo/bounded-map.ts";
import { fullBucket, type Grant, type TokenBucket, takeTokens } from "./token-bucket.ts";

const MAX_BUCKETS = 5_000;

/**
 * Limits calls per IP address that have no valid key: open endpoints, and unknown keys. Counted on one machine only and
 * without a remote call, so that rejecting costs less than responding.
 */
export class AddressBuckets {
  readonly #buckets = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);

  /** Takes one of the calls that an address may make at `rate` per second. */
  take(ip: string, what: string, rate: number, now: number): Grant {
    return takeTokens(this.#bucket(ip, what, rate, now), rate, 1, now);
  }

  /** Like `take`, but takes nothing: for calls that are only charged if they turn out to be wrong. */
  look(ip: string, what: string, rate: number, now: number): Grant {
    const bucket = this.#bucket(ip, what, rate, now);
    const grant = takeTokens(bucket, rate, 1, now);
    bucket.tokens += grant.granted;
    return grant;
  }

  #bucket(ip: string, what: string, rate: number, now: number): TokenBucket {
    const name = `${what} ${addressGroup(ip)}`;
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = fullBucket(rate, now);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }
}

/**
 * The group of addresses limited as one caller: an IPv4 address, or the /64 network of an IPv6 address, which usually
 * is one household.
 */
export function addressGroup(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = /:(\d+\.\d+\.\d+\.\d+)$/.exec(ip);
  if (mapped) return mapped[1];
  const [head, tail] = ip.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(missing).fill("0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
