/** Bits: of a country's 20,000 objects in use, one in seven is wrongly reported as seen. */
const SLOTS = 1 << 17;

/** Remembers keys in 16 KB, however many there are; of two that share a bit the second is reported as seen. */
export class SeenKeys {
  readonly #bits = new Uint8Array(SLOTS / 8);

  /** Adds a key. Returns whether it (or one with the same bit) was added before. */
  addAndTest(key: string): boolean {
    // FNV-1a (Fowler, Noll & Vo 1991)
    let hash = 0x811c9dc5;
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    // The low bits alone mix the last characters badly.
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const bit = 1 << (slot & 7);
    const seen = (this.#bits[slot >> 3] & bit) !== 0;
    this.#bits[slot >> 3] |= bit;
    return seen;
  }
}
