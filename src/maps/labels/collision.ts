import type { Box } from "../clip.ts";

const CELL = 32;

/** The boxes that are taken, in a grid, so that a query costs only what lies near. */
export class Collision {
  readonly #bounds: Box;
  readonly #columns: number;
  readonly #cells = new Map<number, Box[]>();

  /** @param bounds no box may reach beyond them */
  constructor(bounds: Box) {
    this.#bounds = bounds;
    this.#columns = Math.ceil((bounds.right - bounds.left) / CELL) + 2;
  }

  /** Is the box inside the bounds and free of all boxes that are taken? */
  isFree(box: Box): boolean {
    const { left, top, right, bottom } = this.#bounds;
    if (box.left < left || box.top < top || box.right > right || box.bottom > bottom) return false;
    for (const cell of this.#cellsOf(box)) {
      const taken = this.#cells.get(cell);
      if (!taken) continue;
      for (const other of taken) {
        if (box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)
          return false;
      }
    }
    return true;
  }

  take(box: Box): void {
    for (const cell of this.#cellsOf(box)) {
      const taken = this.#cells.get(cell);
      if (taken) taken.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  *#cellsOf({ left, top, right, bottom }: Box): Iterable<number> {
    const { bounds, columns } = { bounds: this.#bounds, columns: this.#columns };
    const column = (x: number) => Math.max(0, Math.min(columns - 1, Math.floor((x - bounds.left) / CELL)));
    const row = (y: number) => Math.max(0, Math.floor((Math.min(y, bounds.bottom) - bounds.top) / CELL));
    for (let y = row(top); y <= row(bottom); y++)
      for (let x = column(left); x <= column(right); x++) yield y * columns + x;
  }
}
