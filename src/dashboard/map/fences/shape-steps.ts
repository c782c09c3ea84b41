/** Changes closer together are of one drag [ms]. */
const DRAG_PAUSE_MS = 400;

/** What a shape was before each of its changes, the latest last. The moves of one drag are one change. */
export class ShapeSteps<T> {
  readonly #before: T[] = [];
  #last = Number.NEGATIVE_INFINITY;

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  /** Notes a change, unless it changes nothing. */
  note(before: T, after: T, now: number): void {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    if (now - this.#last > DRAG_PAUSE_MS) this.#before.push(before);
    this.#last = now;
  }

  undo(): T | undefined {
    this.#last = Number.NEGATIVE_INFINITY;
    return this.#before.pop();
  }
}
