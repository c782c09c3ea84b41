/** How often the calls of an object are compared with their limits [ms]. */
const CHECKED_EACH_MS = 500;

/**
 * The time limits of the calls of one object, by one timer: setting and clearing one for each call costs as much as signing its message.
 * Counts checks instead of comparing times: a clock that is set back must not prolong a call.
 */
export class CallLimits {
  /** How many checks each call may still outlive. */
  readonly #open = new Map<AbortController, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Aborts a call `ms` from now or up to half a second later, unless it ends before. Called again, it replaces the limit. */
  set(call: AbortController, ms: number): void {
    this.#open.set(call, Math.ceil(ms / CHECKED_EACH_MS));
    this.#timer ??= setTimeout(() => this.#check(), CHECKED_EACH_MS);
  }

  end(call: AbortController): void {
    this.#open.delete(call);
    if (this.#open.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    this.#timer = undefined;
    for (const [call, left] of this.#open) {
      if (left > 0) this.#open.set(call, left - 1);
      else {
        this.#open.delete(call);
        call.abort();
      }
    }
    if (this.#open.size > 0) this.#timer = setTimeout(() => this.#check(), CHECKED_EACH_MS);
  }
}
