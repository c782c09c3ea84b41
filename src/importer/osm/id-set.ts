import { ImportError } from "../import-error.ts";

/**
 * A set of OSM ids, each with its rank (0, 1, 2 … by ascending id). Ids of an extract come in clusters, so the set is a
 * bitmap in pages of 1,024 ids, kept only where there is one:
 *
 *     directory[id >> 10] → slot (0 = no page) → 32 words of bits, rank of the page's first id
 *
 * 4 bytes per page of the id space plus 132 per page in use: some 2–10 bytes per node of a city, and a look-up without a
 * search. The arrays may be shared with threads.
 */
export interface IdSetArrays {
  directory: Uint32Array;
  words: Uint32Array;
  /** Rank of the first id of each slot. */
  ranks: Uint32Array;
  count: number;
}

const WORDS = 32;
/** Ids up to 34 thousand million; the largest node id was 13 thousand million in 2026. */
const MAX_PAGES = 2 ** 25;

/** A set that grows. */
export class IdSetBuilder {
  #directory = new Uint32Array(2 ** 16);
  #words = new Uint32Array(WORDS * 64);
  /** Slot 0 is never used, so that 0 can mean "no page". */
  #slots = 1;

  add(id: number): void {
    if (!(id >= 0 && id < MAX_PAGES * 1024)) {
      throw new ImportError(
        `The id ${id} is outside what OpenStreetMap uses. Renumber the file (osmium renumber) and import that.`,
      );
    }
    const page = Math.floor(id / 1024);
    if (page >= this.#directory.length) {
      const larger = new Uint32Array(Math.min(MAX_PAGES, Math.max(this.#directory.length * 2, page + 1)));
      larger.set(this.#directory);
      this.#directory = larger;
    }
    let slot = this.#directory[page];
    if (slot === 0) {
      slot = this.#slots++;
      this.#directory[page] = slot;
      if (this.#slots * WORDS > this.#words.length) {
        const larger = new Uint32Array(this.#words.length * 2);
        larger.set(this.#words);
        this.#words = larger;
      }
    }
    const bit = id % 1024;
    this.#words[slot * WORDS + (bit >>> 5)] |= 1 << (bit & 31);
  }

  /** The finished set, in memory that threads can share. */
  freeze(): IdSet {
    const directory = shared(this.#directory.length);
    directory.set(this.#directory);
    const words = shared(this.#slots * WORDS);
    words.set(this.#words.subarray(0, words.length));
    return new IdSet(withRanks(directory, words));
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
    const { directory, words, ranks } = this.arrays;
    const slot = directory[Math.floor(id / 1024)];
    if (!slot) return -1;
    const bit = id % 1024;
    const word = slot * WORDS + (bit >>> 5);
    const mask = 1 << (bit & 31);
    if ((words[word] & mask) === 0) return -1;
    let rank = ranks[slot] + ones(words[word] & (mask - 1));
    for (let i = slot * WORDS; i < word; i++) rank += ones(words[i]);
    return rank;
  }

  /** The set as bytes: per page in use its number and its 32 words, little endian. */
  encode(): Uint8Array {
    const { directory, words } = this.arrays;
    const out = new Uint32Array((words.length / WORDS - 1) * (WORDS + 1));
    let at = 0;
    for (let page = 0; page < directory.length; page++) {
      const slot = directory[page];
      if (slot === 0) continue;
      out[at] = page;
      out.set(words.subarray(slot * WORDS, (slot + 1) * WORDS), at + 1);
      at += WORDS + 1;
    }
    return new Uint8Array(out.buffer);
  }

  static decode(bytes: Uint8Array): IdSet {
    const numbers = new Uint32Array(bytes.slice().buffer);
    const pages = numbers.length / (WORDS + 1);
    const last = pages > 0 ? numbers[(pages - 1) * (WORDS + 1)] : 0;
    const directory = shared(last + 1);
    const words = shared((pages + 1) * WORDS);
    for (let i = 0; i < pages; i++) {
      const at = i * (WORDS + 1);
      directory[numbers[at]] = i + 1;
      words.set(numbers.subarray(at + 1, at + 1 + WORDS), (i + 1) * WORDS);
    }
    return new IdSet(withRanks(directory, words));
  }
}

function shared(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}

function withRanks(directory: Uint32Array, words: Uint32Array): IdSetArrays {
  const ranks = shared(words.length / WORDS);
  let count = 0;
  for (let page = 0; page < directory.length; page++) {
    const slot = directory[page];
    if (slot === 0) continue;
    ranks[slot] = count;
    for (let i = slot * WORDS; i < (slot + 1) * WORDS; i++) count += ones(words[i]);
  }
  return { directory, words, ranks, count };
}

/** How many bits are set (Warren 2012, Hacker's Delight, figure 5–2). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
