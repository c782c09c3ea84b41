/** Lines that are written at once at the latest when so many wait. */
const MAX_LINES = 200;

/**
 * Lines of a log that are written together: each write is a call of the system, and wakes whoever reads at the other end, which for
 * a small request costs as much as finding its key and counting it. A line after a pause goes out at once, those that follow it
 * wait for up to `ms`, in their order. Whatever kills the process loses the lines of that time.
 */
export class GatheredLines {
  readonly #write: (text: string) => void;
  #waiting: string[] = [];
  /** When lines were last written [ms]. */
  #last = Number.NEGATIVE_INFINITY;
  /** Until then somebody is relied upon to write what waits [ms]. */
  #promised = Number.NEGATIVE_INFINITY;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Takes a line. The returned promise, when there is one, must be handed to waitUntil: it writes what waits by then. */
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
    // Another request takes over where this one has ended without writing.
    this.#promised = now + 5 * ms;
    return new Promise<void>((wake) => setTimeout(wake, ms)).then(() => {
      this.#promised = Number.NEGATIVE_INFINITY;
      this.#last = Date.now();
      this.flush();
    });
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join("\n");
    this.#waiting = [];
    this.#write(text);
  }
}
