import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/** Objects by key that wait until others are built from them: in memory up to a limit, the rest in a spill file. */
export class SpillMap<K extends string | number> {
  readonly #path: string | undefined;
  readonly #maxBytes: number;
  readonly #objects = new Map<K, Uint8Array | { at: number; length: number }>();
  #heldBytes = 0;
  #file: number | undefined;
  #end = 0;

  /** @param path of the spill file; without it everything stays in memory. @param maxBytes that it may hold in memory */
  constructor(path: string | undefined, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  put(key: K, bytes: Uint8Array): void {
    if (this.#path === undefined || this.#heldBytes + bytes.length <= this.#maxBytes) {
      this.#heldBytes += bytes.length;
      this.#objects.set(key, bytes);
      return;
    }
    this.#file ??= openSync(this.#path, "w+");
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#end + at);
    this.#objects.set(key, { at: this.#end, length: bytes.length });
    this.#end += bytes.length;
  }

  /** Returns the object of a key, which stays. */
  get(key: K): Uint8Array {
    const object = this.#objects.get(key);
    if (!object) throw new Error(`no object has the key ${key}`);
    if (object instanceof Uint8Array) return object;
    const bytes = new Uint8Array(object.length);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file!, bytes, at, bytes.length - at, object.at + at);
      if (read === 0) throw new Error(`${this.#path} is shorter than it should be`);
      at += read;
    }
    return bytes;
  }

  /** Returns the object of a key and removes it. */
  take(key: K): Uint8Array {
    const bytes = this.get(key);
    if (this.#objects.get(key) === bytes) this.#heldBytes -= bytes.length;
    this.#objects.delete(key);
    return bytes;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#path!, { force: true });
  }
}
