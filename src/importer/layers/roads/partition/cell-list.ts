/** Numbers of a cell in a list: where it begins and ends in the order of the nodes, and how large the cell around it is. */
export const CELL_COLUMNS = 3;

/** Cells of a recursive division, as numbers: a country has more than objects would be good for. */
export class CellList {
  #numbers = new Int32Array(3 * 64);
  #used = 0;

  add(low: number, high: number, around: number): void {
    this.#reserve(CELL_COLUMNS);
    this.#numbers[this.#used++] = low;
    this.#numbers[this.#used++] = high;
    this.#numbers[this.#used++] = around;
  }

  addAll(columns: Int32Array): void {
    this.#reserve(columns.length);
    this.#numbers.set(columns, this.#used);
    this.#used += columns.length;
  }

  columns(): Int32Array {
    return this.#numbers.slice(0, this.#used);
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#numbers.length) return;
    const larger = new Int32Array(Math.max(this.#numbers.length * 2, this.#used + more));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
