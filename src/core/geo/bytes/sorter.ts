/** A view of a record; valid until the next record is requested. */
export interface SortedRecord {
  key: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

/**
 * Sorts records by an integer below 2⁵³; equal keys keep their insertion order. An import passes a sorter that uses the
 * disk (importer/sort), so that the packed data may be larger than memory.
 */
export interface Sorter {
  /** Takes a copy of bytes[start … end − 1]. */
  add(key: number, bytes: Uint8Array, start?: number, end?: number): void;
  /** All records, once. */
  sorted(): Iterable<SortedRecord>;
  close(): void;
}

/** `name` identifies the sorter within a build. */
export type MakeSorter = (name: string) => Sorter;

/** For small amounts of data. */
class MemorySorter implements Sorter {
  readonly #records: { key: number; bytes: Uint8Array }[] = [];

  add(key: number, bytes: Uint8Array, start?: number, end?: number): void {
    this.#records.push({ key, bytes: bytes.slice(start, end) });
  }

  *sorted(): Generator<SortedRecord> {
    this.#records.sort((a, b) => a.key - b.key);
    for (const { key, bytes } of this.#records) yield { key, bytes, start: 0, end: bytes.length };
  }

  close(): void {
    this.#records.length = 0;
  }
}

export const inMemory: MakeSorter = () => new MemorySorter();

/**
 * A key that orders strings by their first three UTF-16 units, as JavaScript compares them; strings with the same key
 * must be compared in full.
 */
export function textKey(text: string): number {
  const unit = (i: number) => (i < text.length ? text.charCodeAt(i) : 0);
  return unit(0) * 4294967296 + unit(1) * 65536 + unit(2);
}

/**
 * Iterates over the records of one key at a time: `take` gets each record, `done` is called after the last record of a
 * key.
 */
export function byKey(sorter: Sorter, take: (record: SortedRecord) => void): Iterable<number> {
  return (function* () {
    let last = -1;
    for (const record of sorter.sorted()) {
      if (last >= 0 && record.key !== last) yield last;
      last = record.key;
      take(record);
    }
    if (last >= 0) yield last;
  })();
}
