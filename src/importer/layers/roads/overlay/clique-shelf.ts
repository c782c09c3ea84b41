import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/**
 * Where the cliques of a level wait until those above are made of them: in memory as long as there is room, then in a
 * file. Each is taken once.
 */
export class CliqueShelf {
  readonly #path: string | undefined;
  readonly #memory: number;
  readonly #cells = new Map<number, Int32Array | { at: number; length: number }>();
  #held = 0;
  #file: number | undefined;
  #end = 0;

  /** @param path of its file; without one all stays in memory. @param memory bytes it may hold */
  constructor(path: string | undefined, memory: number) {
    this.#path = path;
    this.#memory = memory;
  }

  put(cell: number, cliques: Int32Array): void {
    if (this.#path === undefined || this.#held + cliques.byteLength <= this.#memory) {
      this.#held += cliques.byteLength;
      this.#cells.set(cell, cliques);
      return;
    }
    this.#file ??= openSync(this.#path, "w+");
    const bytes = new Uint8Array(cliques.buffer, cliques.byteOffset, cliques.byteLength);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#end + at);
    this.#cells.set(cell, { at: this.#end, length: cliques.length });
    this.#end += bytes.length;
  }

  take(cell: number): Int32Array {
    const kept = this.#cells.get(cell);
    if (!kept) throw new Error(`the cliques of cell ${cell} are not here`);
    this.#cells.delete(cell);
    if (kept instanceof Int32Array) {
      this.#held -= kept.byteLength;
      return kept;
    }
    const cliques = new Int32Array(kept.length);
    const bytes = new Uint8Array(cliques.buffer);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file!, bytes, at, bytes.length - at, kept.at + at);
      if (read === 0) throw new Error(`${this.#path} is shorter than it should be`);
      at += read;
    }
    return cliques;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#path!, { force: true });
  }
}
