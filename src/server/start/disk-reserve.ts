import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Below this, nothing more is to be written [bytes]. */
const MIN_FREE = 48_000_000;
/**
 * Size of the reserve file, which is deleted when the disk is full: databases need free space even for reads [bytes].
 */
const RESERVE = 24_000_000;
/** Free space in addition to both, required before the reserve is created again, so that it does not flap [bytes]. */
const MARGIN = 16_000_000;
const CHECK_EACH_MS = 500;

/**
 * Watches the disk of the state folder. When it is nearly full, deletes the reserve file, so that reads still work,
 * and makes the Worker reject writes (src/worker/http/serve/disk.ts).
 */
export class DiskReserve {
  readonly #state: string;
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  readonly #onFull: () => void;
  #isFull = false;

  /** @param onFull called when the disk has become full */
  constructor(state: string, onFull: () => void) {
    this.#state = state;
    this.#file = join(state, "reserve");
    this.#onFull = onFull;
    this.#check();
    this.#timer = setInterval(() => this.#attempt(), CHECK_EACH_MS);
    this.#timer.unref();
  }

  /** Looks at the disk as it is now. */
  isFull(): boolean {
    this.#attempt();
    return this.#isFull;
  }

  /** A disk that cannot be read for now must not end the server: what was known stays. */
  #attempt(): void {
    try {
      this.#check();
    } catch (error) {
      console.error(JSON.stringify({ what: "disk", error: String(error).slice(0, 300) }));
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { bavail, bsize } = statfsSync(this.#state);
    const free = bavail * bsize;
    if (free < MIN_FREE) {
      rmSync(this.#file, { force: true });
      if (!this.#isFull) this.#onFull();
      this.#isFull = true;
      return;
    }
    if (!this.#has()) {
      // The disk counts as full until the reserve fits again.
      if (free < MIN_FREE + RESERVE + MARGIN) return;
      this.#take();
    }
    this.#isFull = false;
  }

  #has(): boolean {
    try {
      return statSync(this.#file).size === RESERVE;
    } catch {
      return false;
    }
  }

  /** Write real bytes: a sparse file would reserve no space. */
  #take(): void {
    const file = openSync(this.#file, "w", 0o600);
    try {
      const part = Buffer.alloc(1_000_000, 1);
      for (let size = 0; size < RESERVE; size += part.length) writeSync(file, part);
    } catch {
      rmSync(this.#file, { force: true });
    } finally {
      closeSync(file);
    }
  }
}
