import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sealOf } from "../../../core/geo/builds/sealed.ts";
import { Digest } from "../../common/digest.ts";
import { ImportError } from "../../common/import-error.ts";
import { writeFully } from "../../common/write-fully.ts";
import type { Bounds, DataSource, LayerOutput, ObjectStream, OperatorFiles } from "../layer.ts";
import { indexLine, journalOf, readIndex, type StagedObject, sortIndex, stagedFile } from "./staged-index.ts";
import { StagedStream } from "./staged-stream.ts";

/** Metadata of a layer's output, as plain data. */
interface OutputSummary {
  /** How many objects, and their bytes with seals. */
  objects: number;
  bytes: number;
  counts: Record<string, number>;
  /** Lines for the person who runs the import. */
  notes: string[];
  sources: DataSource[];
  /** The operator files it asked for. */
  asked: (keyof OperatorFiles)[];
  /** Where it has data; absent: where the extracts are. */
  areas?: Bounds[];
}

/** The output of a layer, as plain data for the state of the step folder; its objects are in the index of the pack (staged-index.ts). */
export interface StagedLayer extends OutputSummary {
  name: string;
  formatVersion: number;
}

/** The output between two steps, as plain data: the valid lengths of its files. Its size does not grow with the objects. */
export interface OutputState extends OutputSummary {
  packBytes: number;
  journalBytes: number;
  /** Number of separate files. */
  files: number;
}

/** The most lines that are kept: counts say how many there were, the first lines show what they are like. */
const MAX_NOTES = 50;
/** Lines of the journal that wait in memory. */
const MAX_WAITING_LINES = 1000;

/**
 * Takes a layer's objects into files of the work folder until they are published:
 *
 *     PACK           objects one after the other
 *     PACK.1 …       those that came as a stream, each in its own file
 *     PACK.journal   where each is, and its hash; PACK.index by key
 */
export class StagedOutput implements LayerOutput {
  readonly asked = new Set<keyof OperatorFiles>();
  readonly #layer: string;
  readonly #path: string;
  readonly #pack: FileHandle;
  readonly #journal: FileHandle;
  readonly #keys = new Set<string>();
  readonly #streams = new Map<string, StagedStream>();
  readonly #counts = new Map<string, number>();
  readonly #notes: string[] = [];
  readonly #sources = new Map<string, DataSource>();
  readonly #areas: Bounds[] = [];
  #lines: string[] = [];
  #packBytes = 0;
  #journalBytes = 0;
  #files = 0;
  #bytes = 0;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(path: string, layer: string, pack: FileHandle, journal: FileHandle) {
    this.#path = path;
    this.#layer = layer;
    this.#pack = pack;
    this.#journal = journal;
  }

  static async create(path: string, layer: string): Promise<StagedOutput> {
    await removeFilesAfter(path, 0);
    return new StagedOutput(path, layer, await open(path, "w"), await open(journalOf(path), "w"));
  }

  /** The stage as it was at a checkpoint: what was written since is forgotten. @throws ImportError when files are damaged */
  static async resume(path: string, layer: string, state: OutputState): Promise<StagedOutput> {
    await removeFilesAfter(path, state.files);
    const pack = await reopen(path, state.packBytes);
    const stage = new StagedOutput(path, layer, pack, await reopen(journalOf(path), state.journalBytes));
    stage.#packBytes = state.packBytes;
    stage.#journalBytes = state.journalBytes;
    stage.#files = state.files;
    stage.#bytes = state.bytes;
    for await (const { key } of readIndex(journalOf(path))) stage.#keys.add(key);
    for (const what in state.counts) stage.count(what, state.counts[what]);
    for (const note of state.notes) stage.note(note);
    for (const source of state.sources) stage.source(source);
    for (const bounds of state.areas ?? []) stage.area(bounds);
    for (const kind of state.asked) stage.asked.add(kind);
    return stage;
  }

  /** Objects are sealed here, so that whatever happens to their bytes from now on is noticed. */
  async write(key: string, content: Uint8Array): Promise<void> {
    this.#claim(key);
    await this.#write(key, content);
  }

  async #write(key: string, content: Uint8Array): Promise<void> {
    const digest = new Digest();
    digest.add(content);
    const seal = sealOf(digest.checksum);
    const length = content.length + seal.length;
    const offset = this.#packBytes;
    this.#packBytes += length;
    this.#record({ key, file: 0, offset, length, sha256: digest.sha256(seal) });
    await this.#track(writeFully(this.#pack, [content, seal], offset));
  }

  async stream(key: string): Promise<ObjectStream> {
    this.#claim(key);
    let file = 0;
    const stream = new StagedStream(
      () => {
        file ||= ++this.#files;
        return stagedFile(this.#path, file);
      },
      {
        small: (content) => {
          this.#streams.delete(key);
          return this.#write(key, content);
        },
        file: async (sealed) => {
          this.#streams.delete(key);
          this.#record({ key, file, offset: 0, ...sealed });
        },
      },
    );
    this.#streams.set(key, stream);
    return stream;
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  note(text: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(text);
  }

  source(source: DataSource): void {
    this.#sources.set(source.name, source);
  }

  area(bounds: Bounds): void {
    this.#areas.push(bounds);
  }

  /** Everything that was written is on the disk, and `resume` comes back to here. */
  async checkpoint(): Promise<OutputState> {
    for (const key of this.#streams.keys()) throw new Error(`the object "${key}" was begun, but not ended`);
    await this.#writing;
    await this.#flushJournal();
    await Promise.all([this.#pack.datasync(), this.#journal.datasync()]);
    return {
      ...this.#summary(),
      packBytes: this.#packBytes,
      journalBytes: this.#journalBytes,
      files: this.#files,
    };
  }

  async finish(formatVersion: number): Promise<StagedLayer> {
    await this.checkpoint();
    await this.#close();
    await sortIndex(this.#path);
    return { name: this.#layer, formatVersion, ...this.#summary() };
  }

  /** The layer failed: let go of the files. */
  async abandon(): Promise<void> {
    await Promise.resolve(this.#writing).catch(() => undefined);
    for (const stream of this.#streams.values()) await stream.abandon();
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.#pack.close();
    await this.#journal.close();
  }

  #summary(): OutputSummary {
    const byKey = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      objects: this.#keys.size,
      bytes: this.#bytes,
      ...(this.#areas.length > 0 && { areas: [...this.#areas] }),
      counts: Object.fromEntries(byKey(this.#counts)),
      notes: [...this.#notes],
      sources: byKey(this.#sources).map(([, source]) => source),
      asked: [...this.asked],
    };
  }

  #claim(key: string): void {
    if (!/^[a-z0-9][a-z0-9._/-]*$/.test(key) || !key.startsWith(`${this.#layer}/`)) {
      throw new Error(`the layer ${this.#layer} may not write the key "${key}"`);
    }
    if (this.#keys.has(key)) throw new Error(`the key "${key}" is written twice`);
    this.#keys.add(key);
  }

  #record(object: StagedObject): void {
    this.#bytes += object.length;
    if (this.#lines.push(indexLine(object)) >= MAX_WAITING_LINES)
      void this.#track(this.#flushJournal()).catch(() => undefined);
  }

  async #flushJournal(): Promise<void> {
    if (this.#lines.length === 0) return;
    const lines = Buffer.from(this.#lines.join(""));
    this.#lines = [];
    const offset = this.#journalBytes;
    this.#journalBytes += lines.length;
    await writeFully(this.#journal, [lines], offset);
  }

  /** The caller gets the error first, and `checkpoint` and `finish` throw it again. */
  #track(write: Promise<void>): Promise<void> {
    this.#writing = Promise.all([this.#writing, write]).then(() => undefined);
    this.#writing.catch(() => undefined);
    return write;
  }
}

/** A file as it was when it was so long. */
async function reopen(path: string, length: number): Promise<FileHandle> {
  const file = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (!file || (await file.stat()).size < length) {
    await file?.close();
    throw new ImportError(
      `${path} is not what the interrupted import left there. Remove the folder ${dirname(path)} and run the command again.`,
    );
  }
  await file.truncate(length);
  return file;
}

/** Removes the files that streams made since there were so many. */
async function removeFilesAfter(pack: string, count: number): Promise<void> {
  for (const name of await readdir(dirname(pack))) {
    const number = name.startsWith(`${basename(pack)}.`) ? Number(name.slice(basename(pack).length + 1)) : Number.NaN;
    if (number > count) await rm(join(dirname(pack), name), { force: true });
  }
}
