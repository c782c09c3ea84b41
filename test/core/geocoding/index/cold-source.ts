import type { TileSource } from "../../../../src/core/geo/builds/tile-source.ts";

/** Reads that were asked for together come together, as from afar: each such wave is a round. */
export class ColdSource implements TileSource {
  reads = 0;
  rounds = 0;
  bytes = 0;
  readonly #objects: ReadonlyMap<string, Uint8Array>;
  #waiting: (() => void)[] = [];

  constructor(objects: ReadonlyMap<string, Uint8Array>) {
    this.#objects = objects;
  }

  async read(key: string): Promise<Uint8Array | undefined> {
    this.reads++;
    const object = this.#objects.get(key);
    this.bytes += object?.length ?? 0;
    await new Promise<void>((arrive) => {
      if (this.#waiting.push(arrive) === 1) setImmediate(() => this.#wave());
    });
    return object;
  }

  #wave(): void {
    const arriving = this.#waiting;
    this.#waiting = [];
    this.rounds++;
    for (const arrive of arriving) arrive();
  }
}
