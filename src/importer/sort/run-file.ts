import { closeSync, openSync, readSync, writeSync } from "node:fs";

/**
 * Records on disk by ascending key: for each the step from the key before, the length of the payload (both as varints:
 * seven bits a byte, low ones first), and the payload.
 */

/** Bytes that are read and written at a time. */
export const RUN_CHUNK = 256 * 1024;

/** No varint of a whole number below 2^53 is longer. */
const MAX_VARINT_BYTES = 8;

/** A record where it is; holds until the next one is asked for. */
export interface SortedRecord {
  key: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

export class RunWriter {
  readonly #file: number;
  readonly #buffer: Uint8Array;
  #used = 0;
  #last = 0;
  /** Of the file so far. */
  length = 0;

  constructor(path: string, chunk = RUN_CHUNK) {
    this.#file = openSync(path, "w");
    this.#buffer = new Uint8Array(chunk + 2 * MAX_VARINT_BYTES);
  }

  /** Where the next record begins. */
  get position(): number {
    return this.length + this.#used;
  }

  /** Keys must not fall. */
  append(key: number, bytes: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.#used + size + 2 * MAX_VARINT_BYTES > this.#buffer.length) this.#flush();
    this.#varint(key - this.#last);
    this.#varint(size);
    this.#last = key;
    if (this.#used + size > this.#buffer.length) {
      this.#flush();
      this.#write(bytes.subarray(start, end));
      return;
    }
    // A loop beats a call for payloads of a few bytes, which most are.
    if (size < 32) for (let at = start; at < end; at++) this.#buffer[this.#used++] = bytes[at];
    else {
      this.#buffer.set(bytes.subarray(start, end), this.#used);
      this.#used += size;
    }
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#buffer[this.#used++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#used++] = rest;
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at);
    this.length += bytes.length;
  }
}

/** The records of a run, one after the other: `next` moves on to one, until there is none. */
export class RunReader implements SortedRecord {
  key = 0;
  bytes: Uint8Array;
  start = 0;
  end = 0;
  readonly #file: number;
  #at = 0;
  #filled = 0;
  #over = false;

  constructor(path: string, chunk = RUN_CHUNK) {
    this.#file = openSync(path, "r");
    this.bytes = new Uint8Array(chunk);
  }

  next(): boolean {
    this.#need(2 * MAX_VARINT_BYTES);
    if (this.#at === this.#filled) return false;
    this.key += this.#varint();
    const size = this.#varint();
    this.#need(size);
    if (this.#filled - this.#at < size) throw new Error("a run of an external sort is cut off");
    this.start = this.#at;
    this.end = this.#at += size;
    return true;
  }

  close(): void {
    closeSync(this.#file);
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (this.#at === this.#filled) throw new Error("a run of an external sort is cut off");
      const byte = this.bytes[this.#at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Makes so many bytes available, or as many as the file still has. */
  #need(count: number): void {
    if (this.#over || this.#filled - this.#at >= count) return;
    const rest = this.#filled - this.#at;
    if (count > this.bytes.length) {
      const larger = new Uint8Array(count + RUN_CHUNK);
      larger.set(this.bytes.subarray(this.#at, this.#filled));
      this.bytes = larger;
    } else {
      this.bytes.copyWithin(0, this.#at, this.#filled);
    }
    this.#at = 0;
    this.#filled = rest;
    while (this.#filled < count) {
      const read = readSync(this.#file, this.bytes, this.#filled, this.bytes.length - this.#filled, null);
      if (read === 0) {
        this.#over = true;
        return;
      }
      this.#filled += read;
    }
  }
}
