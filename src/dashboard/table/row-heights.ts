/**
 * Heights of the rows of a long list, of which few are measured: a row has the usual height until it was on the screen. A Fenwick
 * tree (Fenwick 1994) of the differences finds the position of a row, and the row at a position, in the logarithm of their number.
 */
export class RowHeights {
  readonly usual: number;
  #length = 0;
  #measured = new Float64Array(0);
  #sums = new Float64Array(1);

  /** @param usual height of a row that was not measured [px] */
  constructor(usual: number) {
    this.usual = usual;
  }

  get length(): number {
    return this.#length;
  }

  /** Height of all rows [px]. */
  get total(): number {
    return this.top(this.#length);
  }

  /** Sets the number of rows. Rows that remain keep their height. */
  resize(length: number): void {
    if (length === this.#length) return;
    const measured = new Float64Array(length);
    measured.set(this.#measured.subarray(0, length));
    this.#measured = measured;
    this.#length = length;
    this.#sums = new Float64Array(length + 1);
    for (let i = 1; i <= length; i++) {
      this.#sums[i] += measured[i - 1];
      const next = i + (i & -i);
      if (next <= length) this.#sums[next] += this.#sums[i];
    }
  }

  /** Forgets all measured heights. */
  clear(): void {
    this.#measured.fill(0);
    this.#sums.fill(0);
  }

  /** @returns whether the height of the row has changed */
  set(index: number, height: number): boolean {
    const change = height - this.usual - this.#measured[index];
    if (change === 0 || index >= this.#length) return false;
    this.#measured[index] += change;
    for (let i = index + 1; i <= this.#length; i += i & -i) this.#sums[i] += change;
    return true;
  }

  /** Position of a row's upper edge [px]. */
  top(index: number): number {
    let sum = index * this.usual;
    for (let i = index; i > 0; i -= i & -i) sum += this.#sums[i];
    return sum;
  }

  /** The row at a position; before the first the first, after the last the number of rows. */
  indexAt(position: number): number {
    let index = 0;
    let rest = position;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.#length))); step >= 1; step /= 2) {
      const next = index + step;
      if (next > this.#length) continue;
      const height = this.#sums[next] + step * this.usual;
      if (height > rest) continue;
      index = next;
      rest -= height;
    }
    return index;
  }
}
