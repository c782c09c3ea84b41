import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { type IdSet, IdSetBuilder } from "../../../src/importer/osm/store/id-set.ts";
import { SparseIds } from "../../../src/importer/osm/store/sparse-ids.ts";

function setOf(ids: Iterable<number>): IdSet {
  const builder = new IdSetBuilder();
  for (const id of ids) builder.add(id);
  return builder.freeze();
}

describe("a set of ids", () => {
  it("ranks every id as a sorted list does", () => {
    const id = fc.oneof(fc.nat(5000), fc.integer({ min: 13_000_000_000, max: 13_000_009_000 }));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), (ids) => {
        const sorted = [...new Set(ids)].sort((a, b) => a - b);
        const set = setOf(ids);
        expect(set.size).toBe(sorted.length);
        sorted.forEach((known, rank) => {
          expect(set.rank(known)).toBe(rank);
        });
        for (const other of ids.map((known) => known + 1)) expect(set.has(other)).toBe(sorted.includes(other));
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
    expect(setOf([]).has(5)).toBe(false);
  });

  it("refuses more ids than it can rank", () => {
    const builder = new IdSetBuilder();
    for (const id of [1, 2, 3]) builder.add(id);
    expect(builder.freeze(3).size).toBe(3);
    expect(() => builder.freeze(2)).toThrow(/need 3 elements together, more than the maximum of 2/);
  });

  it("refuses ids that OpenStreetMap does not use", () => {
    expect(() => setOf([-5])).toThrow(ImportError);
    expect(() => setOf([2 ** 40])).toThrow(/renumber/);
  });
});

describe("a set of ids that lie far apart", () => {
  const sparse = (ids: readonly number[]) => {
    const sorted = [...ids].sort((a, b) => a - b);
    return SparseIds.of(
      sorted.map((key) => ({ key })),
      sorted.length,
    );
  };

  it("has what was put in, whatever lies around it, and survives being stored", () => {
    const id = fc.oneof(
      fc.nat(5000),
      fc.integer({ min: 65_000, max: 66_000 }),
      fc.maxSafeNat().map((n) => n % 2 ** 35),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), (ids) => {
        const known = new Set(ids);
        for (const set of [sparse(ids), SparseIds.decode(sparse(ids).encode())]) {
          expect(set.size).toBe(known.size);
          for (const one of ids.flatMap((near) => [near - 1, near, near + 1, near + 65_536])) {
            expect(set.has(one)).toBe(known.has(one));
          }
        }
      }),
      { seed: 5, numRuns: 20 },
    );
  });

  it("takes two bytes an id", () => {
    const set = sparse(Array.from({ length: 10_000 }, (_, i) => i * 140_000));
    expect(set.arrays.lows.byteLength).toBe(20_000);
    expect(set.has(140_000 * 9_999)).toBe(true);
  });
});
