import { type ByteReader, decodeText } from "./bytes.ts";

/** Slots by hash; a power of two. */
const SLOTS = 1 << 13;
/** Longer strings rarely repeat. */
const MAX_LENGTH = 64;

/**
 * Reads strings that occur repeatedly, such as names of streets and cities: a string whose bytes equal the last one
 * with its hash is returned as the same string object, which costs a tenth of decoding it and is faster to look up in
 * maps.
 */
export class TextCache {
  readonly #texts: string[] = new Array(SLOTS).fill("");
  readonly #bytes = new Uint8Array(SLOTS * MAX_LENGTH);
  readonly #lengths = new Uint8Array(SLOTS);

  /** Like `reader.text()`. */
  text(reader: ByteReader): string {
    const length = reader.unsigned();
    const start = reader.at;
    reader.skip(length);
    if (length === 0) return "";
    const { bytes } = reader;
    if (length > MAX_LENGTH) return decodeText(bytes, start, reader.at);
    let hash = length;
    for (let i = start; i < reader.at; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const at = slot * MAX_LENGTH;
    if (this.#lengths[slot] === length) {
      let i = 0;
      while (i < length && this.#bytes[at + i] === bytes[start + i]) i++;
      if (i === length) return this.#texts[slot];
    }
    const text = decodeText(bytes, start, reader.at);
    this.#lengths[slot] = length;
    for (let i = 0; i < length; i++) this.#bytes[at + i] = bytes[start + i];
    this.#texts[slot] = text;
    return text;
  }
}
