import type { PlaceKey } from "./place.ts";

/**
 * Filter of the keys of a build, in ten bits each: a Bloom filter (Bloom 1970), so that a place's id is looked up in
 * the one of many builds that has it. One in a hundred absent keys is a false positive. Little endian:
 *
 *     places/keys   0  u32 magic "GPLK",  4  u16 version,  6  u16 0,  8  the bits
 *
 * Only for builds of up to MAX_FILTERED places; a larger one is always queried.
 */
export const KEY_FILTER_KEY = "places/keys";
const KEY_FILTER_VERSION = 1;
const MAGIC = 0x4b4c5047;
const HEADER = 8;
/** Ten bits and seven hashes: 0.8 %. */
const BITS = 10;
const HASHES = 7;
/** Also keeps a small number of places distinguishable [bytes]. */
const MIN_BYTES = 16;
/** 16 KB. */
export const MAX_FILTERED = 13_000;

export function encodeKeyFilter(keys: readonly PlaceKey[]): Uint8Array {
  const bytes = new Uint8Array(HEADER + Math.max(MIN_BYTES, Math.ceil((keys.length * BITS) / 8)));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, KEY_FILTER_VERSION, true);
  const bits = bytes.subarray(HEADER);
  for (const key of keys) for (const at of places(key, bits.length * 8)) bits[at >> 3] |= 1 << (at & 7);
  return bytes;
}

export class KeyFilter {
  readonly #bits: Uint8Array;

  /** @throws on bytes that are no such filter */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("no filter of keys of places");
    const version = view.getUint16(4, true);
    if (version !== KEY_FILTER_VERSION)
      throw new Error(`a filter of keys of places of version ${version}, this reader knows ${KEY_FILTER_VERSION}`);
    this.#bits = bytes.subarray(HEADER);
  }

  mayHave(key: PlaceKey): boolean {
    const bits = this.#bits;
    return bits.length > 0 && places(key, bits.length * 8).every((at) => bits[at >> 3] & (1 << (at & 7)));
  }
}

function places({ high, low }: PlaceKey, bits: number): number[] {
  const first = mixed(low, high);
  const step = mixed(high ^ 0x9e3779b9, low) | 1;
  return Array.from({ length: HASHES }, (_, i) => (first + i * (step >>> 0)) % bits);
}

/** Two numbers to one of 32 bits, finished as in MurmurHash3 (Appleby 2011). */
function mixed(a: number, b: number): number {
  let h = Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
