import { existsSync, type FSWatcher, watch } from "node:fs";
import { type ChangedObjects, objectOf } from "../objects-pack.ts";

/**
 * Watches the folder of a class of Durable Objects, so that a backup looks only at what has changed. Linux reports a write to a
 * file of a watched folder before the write returns. Elsewhere reports may come late, so there is no watch.
 */
export class ChangedFiles implements ChangedObjects {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #changed = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(): Iterable<string> | undefined {
    if (!this.#watcher) {
      // Watched from before the first look, so that nothing is missed.
      if (process.platform === "linux" && existsSync(this.#folder)) this.#begin();
      return undefined;
    }
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  #begin(): void {
    const watcher = watch(this.#folder, { persistent: false });
    this.#watcher = watcher;
    this.#changed = new Set();
    watcher.on("change", (_, file) => {
      // Without a name, or when the folder itself is gone, all are looked at.
      if (!file || !existsSync(this.#folder)) return this.close();
      const id = objectOf(String(file));
      if (id) this.#changed.add(id);
    });
    watcher.on("error", () => this.close());
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
