import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CachedParts } from "../layer.ts";

/**
 * What parts of an import were built from, and what was built from them, so that the next import of the same name makes only those
 * parts again into which something else goes. A part is found by the hash of all that goes into it, the program included: what is
 * found is what would be created, byte for byte. Below the cache folder, a pair of files for each layer:
 *
 *     kept/town/parts/addresses.parts   results, one after the other
 *     kept/town/parts/addresses.index   for each: 16 bytes of SHA-256 of what went in, f64 offset, f64 length
 *     kept/town/parts/basemap.files/…   results that are files, named after what went in; no one writes into one that is there
 *     kept/town/parts/basemap.used      the names of those that the live import uses
 *
 * An import appends its results behind those of the one before, and writes its own index (`.next`), which takes the place of
 * the other when it is published. What no index names is written over, or, where it has become much, skipped when all is written
 * again (`.parts.next`). Those of an import that failed are written over.
 */
export class PartCache implements CachedParts {
  /** How many parts were found, and how many were created. */
  found = 0;
  made = 0;
  readonly #salt: Uint8Array;
  readonly #follows: boolean;
  readonly #known: PartIndex;
  readonly #before: number | undefined;
  /** Whether what is found is written once more, into a file without what no one used. */
  readonly #rewrites: boolean;
  readonly #parts: Appended;
  readonly #index: Appended;
  readonly #written = new PartIndex();
  readonly #path: string;
  /** Bytes read ahead from the previous file: parts are requested in about the order in which they were written. */
  readonly #window = { bytes: new Uint8Array(WINDOW), start: 0, length: 0 };

  private constructor(path: string, salt: Uint8Array, follows: boolean) {
    this.#follows = follows;
    this.#salt = salt;
    this.#path = path;
    this.#known = PartIndex.read(`${path}.index`);
    this.#before = this.#known.count > 0 ? openIfThere(`${path}.parts`) : undefined;
    const { end, used } = this.#known;
    // One that was cut off is not continued.
    this.#rewrites = this.#before === undefined || end > MAX_UNUSED_RATIO * used || fstatSync(this.#before).size < end;
    // First, so that no index ever names what is cut off.
    this.#index = new Appended(`${path}.index.next`);
    if (this.#rewrites) this.#parts = new Appended(`${path}.parts.next`);
    else {
      rmSync(`${path}.parts.next`, { force: true });
      this.#parts = new Appended(`${path}.parts`, end);
    }
    writeFileSync(`${path}.used.next`, "");
  }

  /**
   * @param program what made the parts: another program may make others of the same
   * @param follows whether it is an update, which may continue with what was handed on; any other import makes the same of the same
   */
  static async open(folder: string, layer: string, program: string, follows = false): Promise<PartCache> {
    await mkdir(join(folder, `${layer}.files`), { recursive: true });
    return new PartCache(join(folder, layer), Buffer.from(`${layer}\n${program}\n${process.version}\n`), follows);
  }

  get isEmpty(): boolean {
    return this.#before === undefined;
  }

  /** Names a part by all that goes into it. */
  key(...inputs: readonly (Uint8Array | string)[]): Uint8Array {
    const hash = createHash("sha256").update(this.#salt);
    for (const input of inputs) {
      // Where one ends and the next begins counts.
      hash.update(`${input.length}\n`);
      hash.update(input);
    }
    return hash.digest().subarray(0, KEY);
  }

  /**
   * Returns the result of the previous import, or of this one.
   * @param as the name under which it is kept from now on
   */
  find(key: Uint8Array, as = key): Uint8Array<ArrayBuffer> | undefined {
    const own = this.#written.find(as);
    if (own) return this.#parts.read(own);
    const known = this.#before === undefined ? undefined : this.#known.find(key);
    const bytes = known && this.#read(this.#before as number, known);
    if (!bytes) return undefined;
    if (this.#rewrites) this.#append(as, bytes);
    else this.#name(as, known);
    this.found++;
    return bytes;
  }

  has(key: Uint8Array): boolean {
    return this.#before !== undefined && this.#known.find(key) !== undefined;
  }

  put(key: Uint8Array, bytes: Uint8Array): void {
    this.made++;
    if (!this.#written.find(key)) this.#append(key, bytes);
  }

  carried(): Uint8Array<ArrayBuffer> | undefined {
    const place = this.#follows && this.#before !== undefined ? this.#known.find(this.key(CARRIED)) : undefined;
    return place && this.#read(this.#before as number, place);
  }

  carry(bytes: Uint8Array): void {
    this.#append(this.key(CARRIED), bytes);
  }

  /** A file that an import made of it; also one that was not published. */
  findFile(key: Uint8Array): string | undefined {
    const path = this.#fileOf(key);
    if (!existsSync(path)) return undefined;
    this.#use(key);
    return path;
  }

  putFile(key: Uint8Array, from: string): string {
    const path = this.#fileOf(key);
    renameSync(from, path);
    this.#use(key);
    return path;
  }

  #fileOf = (key: Uint8Array) => join(`${this.#path}.files`, hex(key));

  #use(key: Uint8Array): void {
    appendFileSync(`${this.#path}.used.next`, `${hex(key)}\n`);
  }

  /** Lets go of the files; what was written waits for `publishParts`. */
  close(): void {
    this.#parts.close();
    this.#index.close();
    if (this.#before !== undefined) closeSync(this.#before);
  }

  #append(key: Uint8Array, bytes: Uint8Array): void {
    const place = { offset: this.#parts.length, length: bytes.length };
    this.#parts.append(bytes);
    this.#name(key, place);
  }

  #name(key: Uint8Array, { offset, length }: Place): void {
    const row = new Uint8Array(ROW);
    row.set(key);
    new DataView(row.buffer).setFloat64(KEY, offset, true);
    new DataView(row.buffer).setFloat64(KEY + 8, length, true);
    this.#index.append(row);
    this.#written.add(row);
  }

  /** undefined where the file is shorter than its index says: it was written by a process that died. */
  #read(file: number, { offset, length }: Place): Uint8Array<ArrayBuffer> | undefined {
    if (length > WINDOW) return readAt(file, offset, length);
    const window = this.#window;
    if (offset < window.start || offset + length > window.start + window.length) {
      window.start = offset;
      window.length = readInto(file, offset, window.bytes);
    }
    const at = offset - window.start;
    return at + length <= window.length ? window.bytes.slice(at, at + length) : undefined;
  }
}

interface Place {
  offset: number;
  length: number;
}

/** A file that only grows, some pieces at a time. */
class Appended {
  length: number;
  readonly #file: number;
  #waiting: Uint8Array[] = [];
  #held = 0;

  /** @param from what already exists and stays [bytes]; what is after that goes */
  constructor(path: string, from = 0) {
    this.length = from;
    this.#file = openSync(path, from > 0 ? "r+" : "w+");
    ftruncateSync(this.#file, from);
  }

  append(bytes: Uint8Array): void {
    // The caller may use its bytes again.
    this.#waiting.push(bytes.slice());
    this.length += bytes.length;
    this.#held += bytes.length;
    if (this.#held >= AHEAD) this.#flush();
  }

  read({ offset, length }: Place): Uint8Array<ArrayBuffer> | undefined {
    if (offset + length > this.length - this.#held) this.#flush();
    return readAt(this.#file, offset, length);
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    const start = this.length - this.#held;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, start + at);
    this.#waiting = [];
    this.#held = 0;
  }
}

/** A file may be so many times as large as what an import uses of it. */
const MAX_UNUSED_RATIO = 1.5;
/** Written at a time [bytes]. */
const AHEAD = 1 << 20;
/** Read at a time; what is larger is read separately. */
const WINDOW = 1 << 17;
const KEY = 16;
/** Under which name something is handed on: no part is named so. */
const CARRIED = "carried";
const ROW = KEY + 16;

/** The parts of an import that is live now take the place of those before. */
export async function publishParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".next")) continue;
    const own = name.slice(0, -".next".length);
    await rename(join(folder, name), join(folder, own));
    if (own.endsWith(".used")) await removeUnused(join(folder, own), join(folder, own.replace(/used$/, "files")));
  }
}

async function removeUnused(list: string, folder: string): Promise<void> {
  const used = new Set((await readFile(list, "utf8")).split("\n"));
  for (const name of await readdir(folder).catch(() => [])) {
    if (!used.has(name)) await rm(join(folder, name), { force: true });
  }
}

const hex = (key: Uint8Array) => Buffer.from(key).toString("hex");

/** Keys in a hash table over columns: 40 bytes a part, not an object for each. */
class PartIndex {
  count = 0;
  /** Where the last part ends, and what all of them take [bytes]. */
  end = 0;
  used = 0;
  #rows = new Uint8Array(ROW * 1024);
  /** Number of a row + 1 at the place its key asks for, or after it; 0 where there is none. */
  #slots = new Uint32Array(2048);

  static read(path: string): PartIndex {
    const index = new PartIndex();
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return index;
      throw error;
    }
    for (let at = 0; at + ROW <= bytes.length; at += ROW) index.add(bytes.subarray(at, at + ROW));
    return index;
  }

  add(row: Uint8Array): void {
    if (ROW * (this.count + 1) > this.#rows.length) this.#grow();
    this.#rows.set(row, ROW * this.count);
    const { offset, length } = placeAt(this.#rows, ROW * this.count);
    this.end = Math.max(this.end, offset + length);
    this.used += length;
    this.#place(this.count++);
  }

  find(key: Uint8Array): Place | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = slotOf(key) & mask; this.#slots[slot] > 0; slot = (slot + 1) & mask) {
      const at = ROW * (this.#slots[slot] - 1);
      if (!key.every((byte, i) => this.#rows[at + i] === byte)) continue;
      return placeAt(this.#rows, at);
    }
    return undefined;
  }

  #place(row: number): void {
    const mask = this.#slots.length - 1;
    let slot = slotOf(this.#rows.subarray(ROW * row, ROW * row + KEY)) & mask;
    while (this.#slots[slot] > 0) slot = (slot + 1) & mask;
    this.#slots[slot] = row + 1;
  }

  #grow(): void {
    const rows = new Uint8Array(2 * this.#rows.length);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let row = 0; row < this.count; row++) this.#place(row);
  }
}

function placeAt(rows: Uint8Array, at: number): Place {
  const view = new DataView(rows.buffer, rows.byteOffset + at + KEY, 16);
  return { offset: view.getFloat64(0, true), length: view.getFloat64(8, true) };
}

const slotOf = (key: Uint8Array) => (key[0] | (key[1] << 8) | (key[2] << 16) | (key[3] << 24)) >>> 0;

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function readAt(file: number, offset: number, length: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(length);
  return readInto(file, offset, bytes) === length ? bytes : undefined;
}

/** @returns how many bytes there are; fewer where the file ends before */
function readInto(file: number, offset: number, bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(file, bytes, at, bytes.length - at, offset + at);
    if (read === 0) break;
    at += read;
  }
  return at;
}
