import { closeSync, openSync, readSync } from "node:fs";
import type { Run } from "./run.ts";

/** Read of a run at a time [bytes]: tiles that follow one another are one after the other in it. */
const WINDOW = 64 * 1024;
/** Files open at a time: systems allow at least 256. */
const MAX_OPEN_FILES = 150;

interface OpenRun {
  file: number;
  start: number;
  bytes: Uint8Array;
}

/** Records of runs, read where they are, some runs open at a time. */
export class RunRecords {
  readonly #runs: readonly Run[];
  readonly #most: number;
  /** The one that was asked last is the last. */
  readonly #open = new Map<number, OpenRun>();

  /** @param memory bytes it may hold */
  constructor(runs: readonly Run[], memory: number) {
    this.#runs = runs;
    this.#most = Math.max(2, Math.min(MAX_OPEN_FILES, Math.floor(memory / WINDOW)));
  }

  /** Copies a record to where it is wanted. */
  read(run: number, start: number, size: number, into: Uint8Array, at: number): void {
    const open = this.#opened(run);
    if (size > WINDOW) {
      readFully(this.#runs[run].path, open.file, into.subarray(at, at + size), start);
      return;
    }
    if (start < open.start || start + size > open.start + open.bytes.length) {
      const left = this.#runs[run].bytes - start;
      const bytes = new Uint8Array(Math.min(WINDOW, left));
      readFully(this.#runs[run].path, open.file, bytes, start);
      open.start = start;
      open.bytes = bytes;
    }
    into.set(open.bytes.subarray(start - open.start, start - open.start + size), at);
  }

  close(): void {
    for (const { file } of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  #opened(run: number): OpenRun {
    const known = this.#open.get(run);
    if (known) {
      this.#open.delete(run);
      this.#open.set(run, known);
      return known;
    }
    for (const [oldest, { file }] of this.#open) {
      if (this.#open.size < this.#most) break;
      closeSync(file);
      this.#open.delete(oldest);
    }
    const fresh = { file: openSync(this.#runs[run].path, "r"), start: 0, bytes: new Uint8Array(0) };
    this.#open.set(run, fresh);
    return fresh;
  }
}

function readFully(path: string, file: number, into: Uint8Array, offset: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(file, into, at, into.length - at, offset + at);
    if (read === 0) throw new Error(`${path} is shorter than its list says`);
    at += read;
  }
}
