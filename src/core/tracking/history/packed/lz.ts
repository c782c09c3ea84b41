import type { ByteReader, ByteWriter } from "../../../geo/bytes/bytes.ts";

/**
 * Bytes as copies of earlier ones, also of a dictionary before them, and as what is new (Lempel and Ziv 1977). Each step is a number n: an even
 * one is followed by n ÷ 2 new bytes, an odd one by the distance of a copy of (n − 1) ÷ 2 + LEAST bytes.
 */
const LEAST = 4;
const HASH_BITS = 12;

const hashAt = (bytes: Uint8Array, at: number) =>
  Math.imul(bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24), 0x9e3779b1) >>>
  (32 - HASH_BITS);

/** Where each sequence of LEAST bytes was last, by its hash; −1 = nowhere. */
function placesIn(bytes: Uint8Array): Int32Array {
  const places = new Int32Array(1 << HASH_BITS).fill(-1);
  for (let at = 0; at + LEAST <= bytes.length; at++) places[hashAt(bytes, at)] = at;
  return places;
}

/** How many bytes are the same from two places on. */
function sameFrom(bytes: Uint8Array, from: number, at: number): number {
  let length = 0;
  if (from >= 0) while (at + length < bytes.length && bytes[from + length] === bytes[at + length]) length++;
  return length;
}

/** A text before what is packed, of which copies are taken. */
export class Dictionary {
  readonly bytes: Uint8Array;
  readonly #places: Int32Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#places = placesIn(bytes);
  }

  pack(plain: Uint8Array, out: ByteWriter): void {
    const first = this.bytes.length;
    const all = new Uint8Array(first + plain.length);
    all.set(this.bytes);
    all.set(plain, first);
    const places = this.#places.slice();
    let fresh = first;
    const writeNew = (end: number) => {
      if (end === fresh) return;
      out.unsigned(2 * (end - fresh));
      for (; fresh < end; fresh++) out.byte(all[fresh]);
    };
    for (let at = first; at + LEAST <= all.length; ) {
      const hash = hashAt(all, at);
      let from = places[hash];
      let length = sameFrom(all, from, at);
      // A longer copy may be in the dictionary, where the latest place is another.
      const other = this.#places[hash];
      const longer = other === from ? 0 : sameFrom(all, other, at);
      if (longer > length + 1) [from, length] = [other, longer];
      places[hash] = at;
      // Between new bytes, a short copy from afar takes as much as its bytes.
      if (length < (fresh < at ? LEAST + 1 : LEAST)) {
        at++;
        continue;
      }
      writeNew(at);
      out.unsigned(2 * (length - LEAST) + 1);
      out.unsigned(at - from);
      const end = at + length;
      for (at++; at < end; at++) if (at + LEAST <= all.length) places[hashAt(all, at)] = at;
      fresh = end;
    }
    writeNew(all.length);
  }

  /** @param length of what was packed */
  unpack(reader: ByteReader, length: number): Uint8Array {
    const first = this.bytes.length;
    const all = new Uint8Array(first + length);
    all.set(this.bytes);
    for (let at = first; at < all.length; ) {
      const step = reader.unsigned();
      const count = Math.floor(step / 2) + (step % 2 === 1 ? LEAST : 0);
      if (count === 0 || at + count > all.length) throw new Error("Malformed page: it is longer than it says.");
      if (step % 2 === 0) {
        for (const end = at + count; at < end; at++) all[at] = reader.byte();
        continue;
      }
      const distance = reader.unsigned();
      if (distance === 0 || distance > at) throw new Error("Malformed page: a copy begins before all bytes.");
      // A copy may reach into itself.
      for (const end = at + count; at < end; at++) all[at] = all[at - distance];
    }
    return all.subarray(first);
  }
}
