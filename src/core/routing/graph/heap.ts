/**
 * A 4-ary heap of numbered items with integer keys that can decrease (Williams 1964; four children per parent keep it
 * shallow). Items are 0 ≤ id < capacity.
 */
export class Heap {
  size = 0;
  #position: Int32Array;
  #items = new Int32Array(1024);
  #keys = new Int32Array(1024);

  constructor(capacity: number) {
    this.#position = new Int32Array(capacity).fill(-1);
  }

  /** Clears it, for items up to `capacity` from now on; releases memory beyond that. */
  resize(capacity: number): void {
    this.#position = new Int32Array(capacity).fill(-1);
    this.size = 0;
    if (this.#items.length <= capacity) return;
    this.#items = new Int32Array(1024);
    this.#keys = new Int32Array(1024);
  }

  /** Approximate memory size [bytes]. */
  get bytes(): number {
    return this.#position.byteLength + this.#items.byteLength + this.#keys.byteLength;
  }

  clear(): void {
    for (let i = 0; i < this.size; i++) this.#position[this.#items[i]] = -1;
    this.size = 0;
  }

  /** The smallest key. The heap must not be empty. */
  get least(): number {
    return this.#keys[0];
  }

  /** Puts an item in, or lowers its key; a higher key than it has is ignored. */
  set(item: number, key: number): void {
    let at = this.#position[item];
    if (at < 0) {
      if (this.size === this.#items.length) this.#grow();
      at = this.size++;
    } else if (key >= this.#keys[at]) return;
    const items = this.#items;
    const keys = this.#keys;
    const position = this.#position;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      if (keys[parent] <= key) break;
      items[at] = items[parent];
      keys[at] = keys[parent];
      position[items[at]] = at;
      at = parent;
    }
    items[at] = item;
    keys[at] = key;
    position[item] = at;
  }

  /** Takes out an item with the smallest key. */
  pop(): number {
    const items = this.#items;
    const keys = this.#keys;
    const position = this.#position;
    const result = items[0];
    position[result] = -1;
    const size = --this.size;
    if (size === 0) return result;
    const item = items[size];
    const key = keys[size];
    let at = 0;
    for (;;) {
      const first = 4 * at + 1;
      if (first >= size) break;
      let least = first;
      const end = first + 4 < size ? first + 4 : size;
      for (let child = first + 1; child < end; child++) if (keys[child] < keys[least]) least = child;
      if (keys[least] >= key) break;
      items[at] = items[least];
      keys[at] = keys[least];
      position[items[at]] = at;
      at = least;
    }
    items[at] = item;
    keys[at] = key;
    position[item] = at;
    return result;
  }

  #grow(): void {
    const items = new Int32Array(this.#items.length * 2);
    items.set(this.#items);
    this.#items = items;
    const keys = new Int32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
  }
}
