import type { Bundle } from "../graph/bundle.ts";

/** Bundles that a query keeps loaded, whether they fit into the cache or not. */
const MAX_BUNDLES = 4;

/** The bundles that one query has requested: each is read once as long as it is in progress or among the last. */
export class QueryBundles {
  readonly #read: (key: string) => Promise<Bundle | undefined>;
  readonly #bundles = new Map<string, Promise<Bundle | undefined>>();
  /** By district, the key of the last requested bundle. */
  readonly #lastOf = new Map<number, string>();
  /** Keys of those that have been read, in that order. */
  readonly #settled: string[] = [];

  /** `read` returns undefined for a bundle that cannot be read. */
  constructor(read: (key: string) => Promise<Bundle | undefined>) {
    this.#read = read;
  }

  get(district: number, key: string): Promise<Bundle | undefined> {
    this.#lastOf.set(district, key);
    const known = this.#bundles.get(key);
    if (known) return known;
    const reading = this.#read(key);
    this.#bundles.set(key, reading);
    const settled = () => {
      this.#settled.push(key);
      if (this.#settled.length > MAX_BUNDLES) this.#bundles.delete(this.#settled.shift()!);
    };
    reading.then(settled, settled);
    return reading;
  }

  has(key: string): boolean {
    return this.#bundles.has(key);
  }

  /** Returns a bundle of a district that is in progress or loaded. */
  lastOf(district: number): Promise<Bundle | undefined> | undefined {
    return this.#bundles.get(this.#lastOf.get(district) ?? "");
  }
}
