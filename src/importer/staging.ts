import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { seal } from "../geo/sealed.ts";
import type { Bounds, DataSource, LayerOutput, OperatorFiles } from "./layer.ts";

/** Where an object of a layer stands in the layer's pack file. */
export interface StagedObject {
  key: string;
  offset: number;
  length: number;
  sha256: string;
}

/** What a layer wrote, as plain data for the work folder's state. Objects by ascending key. */
export interface StagedLayer {
  name: string;
  formatVersion: number;
  objects: StagedObject[];
  /** Where it has data; absent: where the extracts are. */
  areas?: Bounds[];
  counts: Record<string, number>;
  /** Lines for the person who runs the import. */
  notes: string[];
  sources: DataSource[];
  /** The operator files it asked for. */
  asked: (keyof OperatorFiles)[];
}

/** A stage between two steps, as plain data. */
export interface StagedState extends Omit<StagedLayer, "name" | "formatVersion"> {
  packBytes: number;
}

/** The most lines that are kept: counts say how many there were, the first lines show what they are like. */
const MOST_NOTES = 50;

/** Takes a layer's objects into one file of the work folder until they are published. */
export class LayerStage implements LayerOutput {
  readonly asked = new Set<keyof OperatorFiles>();
  readonly #layer: string;
  readonly #file: FileHandle;
  readonly #objects = new Map<string, StagedObject>();
  readonly #counts = new Map<string, number>();
  readonly #notes: string[] = [];
  readonly #sources = new Map<string, DataSource>();
  readonly #areas: Bounds[] = [];
  #offset = 0;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(layer: string, file: FileHandle) {
    this.#layer = layer;
    this.#file = file;
  }

  static async create(path: string, layer: string): Promise<LayerStage> {
    return new LayerStage(layer, await open(path, "w"));
  }

  /** The stage as it was at a checkpoint: what was written since is forgotten. */
  static async resume(path: string, layer: string, state: StagedState): Promise<LayerStage> {
    const file = await open(path, "r+");
    await file.truncate(state.packBytes);
    const stage = new LayerStage(layer, file);
    stage.#offset = state.packBytes;
    for (const object of state.objects) stage.#objects.set(object.key, object);
    for (const what in state.counts) stage.count(what, state.counts[what]);
    for (const note of state.notes) stage.note(note);
    for (const source of state.sources) stage.source(source);
    for (const bounds of state.areas ?? []) stage.area(bounds);
    for (const kind of state.asked) stage.asked.add(kind);
    return stage;
  }

  /** Everything that was written is on the disk, and `resume` comes back to here. */
  async checkpoint(): Promise<StagedState> {
    await this.#writing;
    await this.#file.datasync();
    return { packBytes: this.#offset, ...this.#told() };
  }

  /** Objects are sealed here, so that whatever happens to their bytes from now on is noticed. */
  async write(key: string, content: Uint8Array): Promise<void> {
    if (!/^[a-z0-9][a-z0-9._/-]*$/.test(key) || !key.startsWith(`${this.#layer}/`)) {
      throw new Error(`the layer ${this.#layer} may not write the key "${key}"`);
    }
    if (this.#objects.has(key)) throw new Error(`the key "${key}" is written twice`);
    const bytes = seal(content);
    const offset = this.#offset;
    this.#offset += bytes.length;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    this.#objects.set(key, { key, offset, length: bytes.length, sha256 });
    const write = this.#put(bytes, offset);
    this.#writing = Promise.all([this.#writing, write]);
    // The caller gets the error first, and `finish` throws it again.
    this.#writing.catch(() => undefined);
    await write;
  }

  async #put(bytes: Uint8Array, offset: number): Promise<void> {
    const { bytesWritten } = await this.#file.write(bytes, 0, bytes.length, offset);
    if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  note(text: string): void {
    if (this.#notes.length < MOST_NOTES) this.#notes.push(text);
  }

  source(source: DataSource): void {
    this.#sources.set(source.name, source);
  }

  area(bounds: Bounds): void {
    this.#areas.push(bounds);
  }

  async finish(formatVersion: number): Promise<StagedLayer> {
    await this.#writing;
    await this.#file.close();
    return { name: this.#layer, formatVersion, ...this.#told() };
  }

  #told(): Omit<StagedLayer, "name" | "formatVersion"> {
    const byKey = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      objects: byKey(this.#objects).map(([, object]) => object),
      ...(this.#areas.length > 0 && { areas: [...this.#areas] }),
      counts: Object.fromEntries(byKey(this.#counts)),
      notes: [...this.#notes],
      sources: byKey(this.#sources).map(([, source]) => source),
      asked: [...this.asked],
    };
  }

  /** The layer failed: let go of the file. */
  async abandon(): Promise<void> {
    await Promise.resolve(this.#writing).catch(() => undefined);
    await this.#file.close();
  }
}
