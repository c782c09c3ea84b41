import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { ByteStore } from "../../geocoding/byte-store.ts";
import type { MakeSorter } from "../../geocoding/sorter.ts";
import type { Workroom } from "../layer.ts";
import { ExternalSort } from "../sort/external-sort.ts";

/** Sorters that go to disk, each with a share of the room's memory. */
export const sortersIn =
  (room: Workroom, share: number): MakeSorter =>
  (name) =>
    new ExternalSort({ path: room.path(`sort-${name}`), memory: room.memory * share });

/** Bytes written and read at a time. */
const CHUNK = 256 * 1024;

/** A file that bytes are appended to and read from, several at a time in one call of the system. */
export class SpillFile implements ByteStore {
  readonly #path: string;
  #file: number;
  #buffer = new Uint8Array(CHUNK);
  #used = 0;
  #written = 0;

  /** @param keep an existing file is read on */
  constructor(path: string, keep = false) {
    this.#path = path;
    this.#file = openSync(path, keep ? "r" : "w+");
  }

  get length(): number {
    return this.#written + this.#used;
  }

  append(bytes: Uint8Array): number {
    const start = this.length;
    if (this.#used + bytes.length > this.#buffer.length) this.flush();
    if (bytes.length > this.#buffer.length) this.#write(bytes);
    else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
    return start;
  }

  read(start: number, length: number): Uint8Array<ArrayBuffer> {
    if (start + length > this.#written) this.flush();
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const read = readSync(this.#file, bytes, at, length - at, start + at);
      if (read === 0) throw new Error(`${this.#path} ends before its time`);
      at += read;
    }
    return bytes;
  }

  flush(): void {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  remove(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#written + at);
    this.#written += bytes.length;
  }
}
