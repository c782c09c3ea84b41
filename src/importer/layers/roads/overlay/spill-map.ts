import { rmSync } from "node:fs";
import { SpillFile } from "../../../frame/spill.ts";

/** Objects by key that wait until others are built from them: in memory up to a limit, the rest in a spill file. */
export class SpillMap<K extends string | number> {
  readonly #path: string | undefined;
  readonly #maxBytes: number;
  readonly #objects = new Map<K, Uint8Array | { start: number; length: number }>();
  #heldBytes = 0;
  #file: SpillFile | undefined;

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
    this.#file ??= new SpillFile(this.#path);
    this.#objects.set(key, { start: this.#file.append(bytes), length: bytes.length });
  }

  /** Returns the object of a key, which stays. */
  get(key: K): Uint8Array {
    const object = this.#objects.get(key);
    if (!object) throw new Error(`no object has the key ${key}`);
    return object instanceof Uint8Array ? object : this.#file!.read(object.start, object.length);
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
    this.#file.close();
    rmSync(this.#path!, { force: true });
  }
}
