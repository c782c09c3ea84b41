import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/** Where objects wait until others are made of them: in memory as long as there is room, then in a file. */
export class ByteShelf {
  readonly #path: string | undefined;
  readonly #memory: number;
  readonly #objects = new Map<string, Uint8Array | { at: number; length: number }>();
  #held = 0;
  #file: number | undefined;
  #end = 0;

  /** @param path of its file; without one all stays in memory. @param memory bytes it may hold */
  constructor(path: string | undefined, memory: number) {
    this.#path = path;
    this.#memory = memory;
  }

  put(key: string, bytes: Uint8Array): void {
    if (this.#path === undefined || this.#held + bytes.length <= this.#memory) {
      this.#held += bytes.length;
      this.#objects.set(key, bytes);
      return;
    }
    this.#file ??= openSync(this.#path, "w+");
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#end + at);
    this.#objects.set(key, { at: this.#end, length: bytes.length });
    this.#end += bytes.length;
  }

  /** The object under a key, as often as it is asked for. */
  get(key: string): Uint8Array {
    const kept = this.#objects.get(key);
    if (!kept) throw new Error(`the object ${key} is not here`);
    if (kept instanceof Uint8Array) return kept;
    const bytes = new Uint8Array(kept.length);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file!, bytes, at, bytes.length - at, kept.at + at);
      if (read === 0) throw new Error(`${this.#path} is shorter than it should be`);
      at += read;
    }
    return bytes;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#path!, { force: true });
  }
}
