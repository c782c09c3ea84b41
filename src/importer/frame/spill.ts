import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { ByteStore } from "../../core/geo/bytes/byte-store.ts";
import type { MakeSorter } from "../../core/geo/bytes/sorter.ts";
import { ExternalSort } from "../sort/external-sort.ts";
import type { LayerResources } from "./layer.ts";

/** Sorters that go to disk, each with a share of the layer's memory. */
export const sortersIn =
  (resources: LayerResources, share: number): MakeSorter =>
  (name) =>
    new ExternalSort({ path: resources.path(`sort-${name}`), memory: resources.memory * share });

/** Bytes written and read at a time. */
const CHUNK = 256 * 1024;

/** A file that bytes are appended to and read from, several at a time in one call of the system. */
export class SpillFile implements ByteStore {
  readonly #path: string;
  readonly #file: number;
  #buffer = new Uint8Array(CHUNK);
  #used = 0;
  #written = 0;

  /** @param from bytes that an earlier step wrote, and that stay; what follows them is written again */
  constructor(path: string, from = 0) {
    this.#path = path;
    this.#file = openSync(path, from > 0 ? "r+" : "w+");
    this.#written = from;
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

  /** With its length in front. */
  appendPiece(bytes: Uint8Array): void {
    this.append(new Uint8Array(Float64Array.of(bytes.length).buffer));
    this.append(bytes);
  }

  /** What `appendPiece` wrote, one after the other, up to the end. */
  *pieces(): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = 0; at < this.length; ) {
      const [length] = new Float64Array(this.read(at, 8).buffer);
      yield this.read(at + 8, length);
      at += 8 + length;
    }
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#written + at);
    this.#written += bytes.length;
  }
}
