/** Numbers the distinct values of a list as they come. */
export class Interning<T> {
  readonly values: T[] = [];
  readonly #numbers = new Map<string, number>();
  add(value: T): number {
    const key = JSON.stringify(value);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.values.length;
      this.#numbers.set(key, number);
      this.values.push(value);
    }
    return number;
  }
}
