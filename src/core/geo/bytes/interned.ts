/**
 * Numbers values in order of first occurrence, equal ones once: 0, 1, 2 … Formats write the list once, and then numbers
 * instead of the values.
 */
export class Interned<T> {
  readonly values: T[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (value: T) => string;

  /** `keyOf` returns the same key for values that are equal. The values in `first` are numbered immediately. */
  constructor(keyOf: (value: T) => string, first: Iterable<T> = []) {
    this.#keyOf = keyOf;
    for (const value of first) this.add(value);
  }

  /** Returns the value's number; assigns a new one if no equal value exists. */
  add(value: T): number {
    const key = this.#keyOf(value);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.values.length;
    this.values.push(value);
    this.#numbers.set(key, number);
    return number;
  }
}

/** Texts, of which number 0 is "". */
export const internedTexts = (): Interned<string> => new Interned((text) => text, [""]);
