import type { BoundedCache } from "../../geo/bounded-cache.ts";
import { Numbering } from "../graph/numbering.ts";
import { labelBytes } from "./search-labels.ts";

/** Edges that an index may hold before the next window begins a new one; searches use about 250 bytes for each. */
export const NUMBERED = 16_384;
/**
 * If it fills up sooner than this, it is too small: rebuilding the index of the top levels takes a few milliseconds.
 */
const WINDOWS = 16;
/** Upper limit, as a multiple of the initial capacity: four modes may have an index each. */
const MAX_CAPACITY = 4;

/** The edge indexes of a build, by mode. What they and the searches' labels take counts towards the cache's limit. */
export class EdgeIndexes {
  readonly #cache: BoundedCache;
  readonly #prefix: string;
  readonly #levels: number;
  readonly #capacity: number;
  /** By mode, created on first use: most builds are used for cars only. */
  readonly #known: ({ numbering: Numbering; capacity: number; windows: number } | undefined)[] = [];
  /** What was claimed of the cache last [bytes]. */
  #claimed = { numberings: 0, labels: 0 };

  /**
   * @param prefix of the build's keys in the cache
   * @param levels of the build's cells
   * @param capacity of a new index [edges]
   */
  constructor(cache: BoundedCache, prefix: string, levels: number, capacity: number) {
    this.#cache = cache;
    this.#prefix = prefix;
    this.#levels = levels;
    this.#capacity = capacity;
  }

  /** The index of a mode. For a new window: one that has grown too large is replaced. */
  of(mode: number): Numbering {
    let known = this.#known[mode];
    if (!known || known.numbering.count > known.capacity) {
      // Queries that exceed the capacity would rebuild the index again and again.
      const capacity = known
        ? Math.min(known.capacity * (known.windows < WINDOWS ? 2 : 1), this.#capacity * MAX_CAPACITY)
        : this.#capacity;
      known = { numbering: new Numbering(this.#levels), capacity, windows: 0 };
      this.#known[mode] = known;
    }
    known.windows++;
    this.#claim();
    return known.numbering;
  }

  /** There will be no more queries to this build. */
  close(): void {
    this.#cache.claim(`${this.#prefix}numberings`, 0);
    this.#claimed = { numberings: 0, labels: 0 };
  }

  #claim(): void {
    let numberings = 0;
    for (const known of this.#known) numberings += known?.numbering.bytes ?? 0;
    const labels = labelBytes();
    if (numberings === this.#claimed.numberings && labels === this.#claimed.labels) return;
    this.#claimed = { numberings, labels };
    this.#cache.claim(`${this.#prefix}numberings`, numberings);
    this.#cache.claim("labels", labels);
  }
}
