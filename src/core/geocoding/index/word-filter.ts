import { beginObject, decodeText, openVersions } from "../../geo/bytes/bytes.ts";
import { byKey, inMemory, type MakeSorter, type SortedRecord, type Sorter } from "../../geo/bytes/sorter.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS } from "../entry/entry.ts";
import type { Word } from "../parse/query.ts";
import { FILTER_KEY, filterKey } from "./layout.ts";
import type { PackedObject } from "./packed-object.ts";

/**
 * The words of a build, in about four bytes each: a Bloom filter (Bloom 1970), so that a search among a hundred builds
 * opens only those that may have results. It has false positives (1 in 250) but no false negatives.
 *
 *     addresses/filter       "GADF", u32 version, number of entries of the build, number of shards n;
 *                            with n = 1 its bits follow, to the end
 *     addresses/filter/<s>   "GADG", u32 version, then the bits of shard s; only with n > 1
 *
 * Keys of each word; the first character is the kind:
 *
 *     =word           the word itself
 *     3wor, 5words    its first three and five letters: for words that are still being typed, or end with a mistake
 *     ~wrd            of names of towns and regions, the word and the word with one letter left out, not the first (Mor and
 *                     Fraenkel 1982): for a town with a mistake in it, whatever the mistake
 *
 * A shard holds keys with the same first letters, so that a query reads few shards of a large build: a word and its
 * prefixes are sharded by the first two letters, misspellings of a town by the first one.
 */
const BITS_PER_KEY = 12;
/**
 * Twelve bits per key and six hashes: 0.4 % of the keys that are absent seem to be there. Eight hashes would be 0.3 %.
 */
const HASHES = 6;
/** Of a shard [bytes]. */
const SHARD_BYTES = 16 * 1024;
/** Shorter words of towns must be right: with a mistake they are another town. */
const MIN_MISTAKEN = 4;
/** Lengths of the stored prefixes of a word. */
const BEGINNINGS = [5, 3] as const;
/** How well a word matches in another form, and by the beginning that was typed so far. */
const FORM = 0.97;
const BEGUN = 0.8;
/**
 * And how well with a typo: in a town's name with the same prefix, in a word with the same five letters, in a town's
 * name, in a word with the same three letters. A misspelled word looks up about eight keys, so only a matching prefix
 * distinguishes it from chance.
 */
const MISTAKEN = { town: 0.6, five: 0.45, perhapsTown: 0.4, three: 0.12 } as const;
/** Value of a word about which the filter has no information. */
const UNKNOWN = 0.2;

export class WordFilterBuilder {
  readonly #keys: Sorter;
  readonly #lastBeginnings = new Map<number, string>();
  #entries = 0;

  constructor(sorter: MakeSorter = inMemory) {
    this.#keys = sorter("filter");
  }

  /** The words that one entry is found by; `towns` are those of its town, or its own when it is a region. */
  add(words: Iterable<string>, towns: Iterable<string>): void {
    this.addEntries(1);
    for (const word of words) this.addWord(word);
    for (const word of towns) this.addTown(word);
  }

  addEntries(count: number): void {
    this.#entries += count;
  }

  /** Any number of times; in alphabetical order it costs least. */
  addWord(word: string): void {
    this.#put(`=${word}`);
    for (const letters of BEGINNINGS) {
      if (word.length < letters) continue;
      const key = beginning(word, letters);
      if (this.#lastBeginnings.get(letters) === key) continue;
      this.#lastBeginnings.set(letters, key);
      this.#put(key);
    }
  }

  addTown(word: string): void {
    if (canBeMistaken(word)) for (const one of withoutALetter(word)) this.#put(`~${one}`);
  }

  *finish(): Generator<PackedObject> {
    const keys = this.#distinct();
    const count = Math.max(1, Math.ceil((keys.length * BITS_PER_KEY) / 8 / SHARD_BYTES));
    const sizes = new Uint32Array(count);
    for (let i = 0; i < keys.length; i++) sizes[keys.shard(i) % count]++;
    const shards = Array.from(sizes, (size) => new Uint8Array(Math.ceil((size * BITS_PER_KEY) / 8)));
    for (let i = 0; i < keys.length; i++) setBits(shards[keys.shard(i) % count], keys.first(i), keys.step(i));
    const head = beginObject("GADF", ADDRESSES_VERSION);
    head.unsigned(this.#entries);
    head.unsigned(count);
    if (count === 1) head.bytes(shards[0]);
    yield { key: FILTER_KEY, bytes: head.finish() };
    if (count === 1) return;
    for (const [s, bits] of shards.entries()) {
      const out = beginObject("GADG", ADDRESSES_VERSION);
      out.bytes(bits);
      yield { key: filterKey(s), bytes: out.finish() };
    }
  }

  #put(key: string): void {
    this.#keys.add(mixed(key, FIRST_SEED), ENCODER.encode(key));
  }

  /** Each key once: its 12 bytes of hash. */
  #distinct(): HashedKeys {
    const keys = new HashedKeys();
    const same = new Set<string>();
    const take = ({ bytes, start, end }: SortedRecord) => void same.add(decodeText(bytes, start, end));
    for (const _ of byKey(this.#keys, take)) {
      for (const key of same) keys.add(hash(key));
      same.clear();
    }
    this.#keys.close();
    return keys;
  }
}

const ENCODER = new TextEncoder();

/** Numbers of many keys, in columns. */
class HashedKeys {
  length = 0;
  #columns = new Uint32Array(3 * 1024);

  add({ shard, first, step }: Hashed): void {
    if (3 * this.length === this.#columns.length) {
      const larger = new Uint32Array(this.#columns.length * 2);
      larger.set(this.#columns);
      this.#columns = larger;
    }
    this.#columns.set([shard, first, step], 3 * this.length++);
  }

  shard = (i: number) => this.#columns[3 * i];
  first = (i: number) => this.#columns[3 * i + 1];
  step = (i: number) => this.#columns[3 * i + 2];
}

/** `addresses/filter`, decoded. */
export class FilterHead {
  /** How many entries the build has. */
  readonly entries: number;
  readonly shards: number;
  /** The bits, where there is only one shard. */
  readonly only: FilterShard | undefined;

  constructor(bytes: Uint8Array) {
    const reader = openVersions(bytes, "GADF", ADDRESSES_VERSIONS, "the head of a word filter").reader;
    this.entries = reader.unsigned();
    this.shards = reader.unsigned();
    this.only = this.shards === 1 ? new FilterShard(bytes.subarray(reader.at)) : undefined;
  }

  /** The shards that answer for some words. */
  shardsOf(probes: readonly Probe[]): number[] {
    const shards = new Set<number>();
    for (const { asks, town, five, three } of probes) {
      for (const { key } of asks) shards.add(key.shard % this.shards);
      for (const key of [...town, five, three]) if (key) shards.add(key.shard % this.shards);
    }
    return [...shards];
  }
}

export class FilterShard {
  readonly #bits: Uint8Array;

  constructor(bits: Uint8Array) {
    this.#bits = bits;
  }

  has({ first, step }: Hashed): boolean {
    const bits = this.#bits.length * 8;
    if (bits === 0) return false;
    for (let i = 0; i < HASHES; i++) {
      const at = (first + i * step) % bits;
      if ((this.#bits[at >> 3] & (1 << (at & 7))) === 0) return false;
    }
    return true;
  }
}

export function openFilterShard(bytes: Uint8Array): FilterShard {
  const reader = openVersions(bytes, "GADG", ADDRESSES_VERSIONS, "a shard of a word filter").reader;
  return new FilterShard(bytes.subarray(reader.at));
}

/** Filter keys for one word of a query. Created once, for all builds. */
export interface Probe {
  /** The word in its forms, or its prefixes: the first key found determines the quality of the match. */
  asks: readonly { key: Hashed; quality: number }[];
  /** Used if none is found: keys of towns' names that it may misspell, and of its prefixes. */
  town: readonly Hashed[];
  five?: Hashed;
  three?: Hashed;
  /** The quality of the word if nothing was found. */
  otherwise: number;
}

export function probeOf({ text, forms, joined, open, mistakes }: Word): Probe {
  const asks = new Map([[`=${text}`, 1]]);
  for (const form of [...forms, ...joined]) if (!asks.has(`=${form}`)) asks.set(`=${form}`, FORM);
  const typed = open ? BEGINNINGS.find((letters) => text.length >= letters) : undefined;
  if (typed !== undefined) asks.set(beginning(text, typed), BEGUN);
  const [five, three] = BEGINNINGS.map((letters) =>
    mistakes > 0 && text.length > letters ? hash(beginning(text, letters)) : undefined,
  );
  return {
    asks: [...asks].map(([key, quality]) => ({ key: hash(key), quality })),
    town: mistakes > 0 && canBeMistaken(text) ? withoutALetter(text).map((one) => hash(`~${one}`)) : [],
    five,
    three,
    otherwise: open && typed === undefined ? UNKNOWN : 0,
  };
}

/** How well a build has a word, 0 … 1. `shardAt` gives the shards that the head named. */
export function qualityOf(probe: Probe, shardAt: (key: Hashed) => FilterShard | undefined): number {
  const has = (key: Hashed | undefined) => key !== undefined && (shardAt(key)?.has(key) ?? false);
  for (const { key, quality } of probe.asks) if (has(key)) return quality;
  const beginsAlike = has(probe.three);
  if (probe.town.some(has)) return beginsAlike ? MISTAKEN.town : MISTAKEN.perhapsTown;
  if (!beginsAlike) return probe.otherwise;
  return has(probe.five) ? MISTAKEN.five : Math.max(MISTAKEN.three, probe.otherwise);
}

const beginning = (word: string, letters: number) => `${letters}${word.slice(0, letters)}`;

const canBeMistaken = (word: string) => word.length >= MIN_MISTAKEN && !/\d/.test(word);

/** The word, and the word without each of its letters but the first. */
function withoutALetter(word: string): string[] {
  return [word, ...Array.from({ length: word.length - 1 }, (_, i) => word.slice(0, i + 1) + word.slice(i + 2))];
}

/** A key as three numbers: its shard, and the start and spacing of its bits there. */
export interface Hashed {
  shard: number;
  first: number;
  step: number;
}

function hash(key: string): Hashed {
  // The kind is ignored: a word and its prefixes are stored together.
  const letters = key[0] === "~" ? 1 : 2;
  return {
    shard: mixed(key.slice(1, 1 + letters), 0x2545f491),
    first: mixed(key, FIRST_SEED),
    // Odd, so that it shares no factor with a number of bits that is a power of two times an odd one.
    step: (mixed(key, 0x9e3779b9) | 1) >>> 0,
  };
}

const FIRST_SEED = 0x811c9dc5;

/** FNV-1a (Fowler, Noll, Vo 1991), finished as in MurmurHash3 (Appleby 2011). 32 bits. */
function mixed(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function setBits(bits: Uint8Array, first: number, step: number): void {
  for (let i = 0; i < HASHES; i++) {
    const at = (first + i * step) % (bits.length * 8);
    bits[at >> 3] |= 1 << (at & 7);
  }
}
