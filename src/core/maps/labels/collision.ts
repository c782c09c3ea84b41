import type { Box } from "../base/clip.ts";

const CELL = 32;

/** The occupied boxes, in a grid, so that a query examines only nearby boxes. */
export class Collision {
  readonly #bounds: Box;
  readonly #columns: number;
  readonly #cells = new Map<number, Box[]>();

  /** @param bounds no box may reach beyond them */
  constructor(bounds: Box) {
    this.#bounds = bounds;
    this.#columns = Math.ceil((bounds.right - bounds.left) / CELL) + 2;
  }

  /** Returns whether the box is inside the bounds and overlaps no occupied box. */
  isFree(box: Box): boolean {
    const { left, top, right, bottom } = this.#bounds;
    if (box.left < left || box.top < top || box.right > right || box.bottom > bottom) return false;
    const [firstColumn, lastColumn] = [this.#column(box.left), this.#column(box.right)];
    const lastRow = this.#row(box.bottom);
    for (let row = this.#row(box.top); row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++) {
        const taken = this.#cells.get(row * this.#columns + column);
        if (!taken) continue;
        for (const other of taken) {
          if (box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)
            return false;
        }
      }
    return true;
  }

  take(box: Box): void {
    for (let row = this.#row(box.top); row <= this.#row(box.bottom); row++)
      for (let column = this.#column(box.left); column <= this.#column(box.right); column++) {
        const cell = row * this.#columns + column;
        const taken = this.#cells.get(cell);
        if (taken) taken.push(box);
        else this.#cells.set(cell, [box]);
      }
  }

  #column(x: number): number {
    return Math.max(0, Math.min(this.#columns - 1, Math.floor((x - this.#bounds.left) / CELL)));
  }

  #row(y: number): number {
    return Math.max(0, Math.floor((Math.min(y, this.#bounds.bottom) - this.#bounds.top) / CELL));
  }
}
