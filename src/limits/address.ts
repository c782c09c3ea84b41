import { BoundedMap } from "../geo/bounded-map.ts";
import { fullBucket, type Grant, type TokenBucket, takeTokens } from "./token-bucket.ts";

const MAX_BUCKETS = 5_000;

/**
 * Calls of one address that no key accounts for: open endpoints, and keys that nobody has. Counted on one machine only and
 * without asking anybody, so that refusing costs less than answering would.
 */
export class AddressBuckets {
  readonly #buckets = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);

  /** Takes one call out of what an address may do at `rate` per second. */
  take(ip: string, what: string, rate: number, now: number): Grant {
    return takeTokens(this.#bucket(ip, what, rate, now), rate, 1, now);
  }

  /** As `take` would answer, with nothing taken: for what is charged only when it turns out to be wrong. */
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

/** What counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, which a household has to itself. */
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
