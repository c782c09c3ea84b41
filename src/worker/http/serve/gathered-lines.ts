/** Maximum waiting lines before a write. */
const MAX_LINES = 200;

/**
 * Batches log lines: each write is a system call and wakes the reader, which for
 * a small request costs as much as looking up its key and counting it. A line after a pause is written immediately, the following ones
 * wait for up to `ms`, in order. If the process is killed, the waiting lines are lost.
 */
export class GatheredLines {
  readonly #write: (text: string) => void;
  #waiting: string[] = [];
  /** When lines were last written [ms]. */
  #last = Number.NEGATIVE_INFINITY;
  /** Until then another request is expected to write the waiting lines [ms]. */
  #promised = Number.NEGATIVE_INFINITY;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Adds a line. The returned promise, if any, must be passed to waitUntil: it writes the waiting lines. */
  add(line: string, now: number, ms: number): Promise<void> | undefined {
    this.#waiting.push(line);
    // A clock that was set back must not hold lines.
    const soon = Math.abs(now - this.#last) < ms;
    const isQuiet = !soon && this.#waiting.length === 1;
    if (isQuiet || this.#waiting.length >= MAX_LINES) {
      this.#last = now;
      this.flush();
      return undefined;
    }
    if (now < this.#promised && this.#promised - now <= 5 * ms) return undefined;
    // Another request takes over if this one ends without writing.
    this.#promised = now + 5 * ms;
    return new Promise<void>((wake) => setTimeout(wake, ms)).then(() => {
      this.#promised = Number.NEGATIVE_INFINITY;
      this.#last = Date.now();
      this.flush();
    });
  }

  /** Writes the waiting lines. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join("\n");
    this.#waiting = [];
    this.#write(text);
  }
}
