import { ImportError } from "../../common/import-error.ts";

/**
 * A set of OSM ids, each with its rank (0, 1, 2 … by ascending id). Ids of an extract come in clusters, so the set is a
 * bitmap in pages of 1,024 ids, found in two steps and kept only where there is one (0 = nothing there):
 *
 *     regions[id >> 20] → pages[region × 1024 + (id >> 10 & 1023)] → slot: 32 words of bits, rank of the first id
 *
 * Some 2–10 bytes per node of a city, and a look-up without a search. The arrays are in memory that threads share.
 */
export interface IdSetArrays {
  regions: Uint32Array;
  pages: Uint32Array;
  words: Uint32Array;
  /** Rank of the first id of each slot. */
  ranks: Uint32Array;
  count: number;
}

/** Ranks are 32 bits. */
const RANK_LIMIT = 2 ** 32 - 1;

const WORDS = 32;
const PAGE = 1024;
const REGION = 1024 * PAGE;
/** Ids up to 34 thousand million; the largest node id was 13 thousand million in 2026. */
const REGIONS = 2 ** 15;
/** Every id is smaller. */
export const ID_LIMIT = REGIONS * REGION;

/** @throws ImportError for what is no id */
export function checkId(id: number): void {
  if (id >= 0 && id < ID_LIMIT) return;
  throw new ImportError(
    `The id ${id} is outside what OpenStreetMap uses. Renumber the file (osmium renumber) and import that.`,
  );
}

/** A set that grows. */
export class IdSetBuilder {
  readonly #regions = new Uint32Array(REGIONS);
  #pages = new Uint32Array(1024 * 4);
  #words = new Uint32Array(WORDS * 64);
  // Number 0 means "nothing there", so the first region and the first slot are 1.
  #nextRegion = 1;
  #nextSlot = 1;

  add(id: number): void {
    checkId(id);
    // First the slot, then the array: a new slot may put a larger array in the place of the old one.
    const slot = this.#slot(Math.floor(id / PAGE));
    this.#words[slot * WORDS + ((id % PAGE) >>> 5)] |= 1 << (id & 31);
  }

  /** The finished set, in memory that threads can share. `limit`: how many ids can be ranked. */
  freeze(limit = RANK_LIMIT): IdSet {
    const pages = this.#pages.subarray(0, this.#nextRegion * 1024);
    const arrays = withRanks(this.#regions, pages, this.#words.subarray(0, this.#nextSlot * WORDS));
    if (arrays.count > limit) {
      throw new ImportError(
        `The extracts need ${arrays.count} elements together, more than the maximum of ${limit}. Specify fewer or smaller extracts.`,
      );
    }
    return new IdSet(arrays);
  }

  /** The slot of a page, made when it is new. */
  #slot(page: number): number {
    const top = Math.floor(page / 1024);
    let region = this.#regions[top];
    if (region === 0) {
      region = this.#nextRegion++;
      this.#regions[top] = region;
      if (this.#nextRegion * 1024 > this.#pages.length) this.#pages = doubled(this.#pages);
    }
    const at = region * 1024 + (page % 1024);
    let slot = this.#pages[at];
    if (slot === 0) {
      slot = this.#nextSlot++;
      this.#pages[at] = slot;
      if (this.#nextSlot * WORDS > this.#words.length) this.#words = doubled(this.#words);
    }
    return slot;
  }
}

/** A finished set. */
export class IdSet {
  readonly arrays: IdSetArrays;
  readonly size: number;

  constructor(arrays: IdSetArrays) {
    this.arrays = arrays;
    this.size = arrays.count;
  }

  has(id: number): boolean {
    return this.rank(id) >= 0;
  }

  /** How many smaller ids the set holds, or −1 when it does not hold this one. */
  rank(id: number): number {
    const { regions, pages, words, ranks } = this.arrays;
    const page = Math.floor(id / PAGE);
    const slot = pages[regions[Math.floor(page / 1024)] * 1024 + (page % 1024)];
    if (!slot) return -1;
    const first = slot * WORDS;
    const word = first + ((id % PAGE) >>> 5);
    const mask = 1 << (id & 31);
    if ((words[word] & mask) === 0) return -1;
    let rank = ranks[slot] + ones(words[word] & (mask - 1));
    for (let i = first; i < word; i++) rank += ones(words[i]);
    return rank;
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function shared(array: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

/** Pages in use by ascending number, with their slots. */
function forEachPage(
  { regions, pages }: { regions: Uint32Array; pages: Uint32Array },
  visit: (page: number, slot: number) => void,
): void {
  for (let top = 0; top < regions.length; top++) {
    const first = regions[top] * 1024;
    if (first === 0) continue;
    for (let i = 0; i < 1024; i++) if (pages[first + i] !== 0) visit(top * 1024 + i, pages[first + i]);
  }
}

function withRanks(regions: Uint32Array, pages: Uint32Array, words: Uint32Array): IdSetArrays {
  const ranks = new Uint32Array(words.length / WORDS);
  let count = 0;
  forEachPage({ regions, pages }, (_, slot) => {
    ranks[slot] = count;
    for (let i = slot * WORDS; i < (slot + 1) * WORDS; i++) count += ones(words[i]);
  });
  return { regions: shared(regions), pages: shared(pages), words: shared(words), ranks: shared(ranks), count };
}

/** How many bits are set (Warren 2012, Hacker's Delight, figure 5–2). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
