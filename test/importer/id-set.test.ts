import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImportError } from "../../src/importer/import-error.ts";
import { IdSet, IdSetBuilder } from "../../src/importer/osm/id-set.ts";

function setOf(ids: Iterable<number>): IdSet {
  const builder = new IdSetBuilder();
  for (const id of ids) builder.add(id);
  return builder.freeze();
}

describe("a set of ids", () => {
  it("ranks every id as a sorted list does, and survives being stored", () => {
    const id = fc.oneof(fc.nat(5000), fc.integer({ min: 13_000_000_000, max: 13_000_009_000 }));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), (ids) => {
        const sorted = [...new Set(ids)].sort((a, b) => a - b);
        const set = setOf(ids);
        expect(set.size).toBe(sorted.length);
        const stored = IdSet.decode(set.encode());
        sorted.forEach((known, rank) => {
          expect(set.rank(known)).toBe(rank);
          expect(stored.rank(known)).toBe(rank);
        });
        for (const other of ids.map((known) => known + 1)) expect(set.has(other)).toBe(sorted.includes(other));
        expect(stored.size).toBe(set.size);
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it("loses no id while it grows", () => {
    const ids = Array.from({ length: 5000 }, (_, i) => i * 1024 + 5);
    const set = setOf(ids);
    expect(ids.filter((id) => !set.has(id))).toEqual([]);
  });

  it("holds nothing when nothing was added", () => {
    expect(setOf([]).size).toBe(0);
    expect(setOf([]).rank(0)).toBe(-1);
    expect(IdSet.decode(setOf([]).encode()).has(5)).toBe(false);
  });

  it("counts up the ids of any stretch", () => {
    const ids = [0, 5, 1023, 1024, 70_000, 2 ** 20, 2 ** 20 + 1, 13_000_000_000, 2 ** 35 - 1];
    const set = setOf(ids);
    expect([...set.between(0, 2 ** 35)]).toEqual(ids);
    expect([...set.between(5, 1024)]).toEqual([5, 1023]);
    expect([...set.between(70_001, 13_000_000_000)]).toEqual([2 ** 20, 2 ** 20 + 1]);
    expect([...setOf([]).between(0, 2 ** 35)]).toEqual([]);
  });

  it("refuses more ids than it can rank", () => {
    const builder = new IdSetBuilder();
    for (const id of [1, 2, 3]) builder.add(id);
    expect(builder.freeze(3).size).toBe(3);
    expect(() => builder.freeze(2)).toThrow(/need 3 elements at once, and 2 can be told apart/);
  });

  it("refuses ids that OpenStreetMap does not use", () => {
    expect(() => setOf([-5])).toThrow(ImportError);
    expect(() => setOf([2 ** 40])).toThrow(/renumber/);
  });
});
