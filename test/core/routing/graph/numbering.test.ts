import { describe, expect, it } from "vitest";
import { Numbering } from "../../../../src/core/routing/graph/numbering.ts";
import type { Pack } from "../../../../src/core/routing/graph/pack.ts";
import { EMPTY_CLIQUE } from "../../../../src/core/routing/search/overlay.ts";
import { SearchLabels } from "../../../../src/core/routing/store/search-labels.ts";

/** A pack whose cells each have one edge in and one out. */
const packOf = (edges: readonly (readonly [into: number, out: number])[]): Pack => ({
  cliques: edges.map(([into, out]) => ({ ...EMPTY_CLIQUE, ins: Int32Array.of(into), outs: Int32Array.of(out) })),
  codes: edges.map(() => new Int32Array(0)),
  size: 0,
});

describe("numbers of the edges between tiles", () => {
  it("are one for each edge, whichever packs name it, and however many there are", () => {
    const numbering = new Numbering(3);
    const count = 20_000;
    // Ids that end alike, and ids in a row.
    const ids = Array.from({ length: count }, (_, i) => (i % 2 ? i * 65_536 : i));
    const numbers = new Set<number>();
    for (let i = 0; i < count; i += 2) {
      const { cliques } = numbering.place(packOf([[ids[i], ids[i + 1]]]), 1, i);
      numbers.add(cliques[0].ins[0]).add(cliques[0].outs[0]);
    }
    expect(numbers.size).toBe(count);
    expect(numbering.count).toBe(count);
    const again = numbering.place(packOf([[ids[17], ids[2]]]), 2, 5).cliques[0];
    expect([numbering.ids[again.ins[0]], numbering.ids[again.outs[0]]]).toEqual([ids[17], ids[2]]);
    expect(numbering.count).toBe(count);
  });

  it("tell the cell an edge enters also where cells are more than sixteen bits can name", () => {
    const numbering = new Numbering(3);
    const cells = 40_000;
    for (const first of [0, cells]) {
      numbering.place(packOf(Array.from({ length: cells }, (_, i) => [first + i, first + i + 1] as const)), 1, first);
    }
    for (const edge of [1, 39_999, 40_001, 79_999]) {
      const { cliques } = numbering.place(packOf([[edge, edge + 1]]), 2, edge);
      const [number] = cliques[0].ins;
      expect(numbering.cell(numbering.headCell[1][number] - 1)).toEqual([1, edge]);
      expect(numbering.cell(numbering.tailCell[1][number] - 1)).toEqual([1, edge - 1]);
    }
  });
});

describe("labels of searches", () => {
  it("know nothing of the search before, and let go of room that only a large one needs", () => {
    const labels = new SearchLabels();
    const weights = (count: number) => {
      labels.reset(count, "distance");
      const before = [...labels.key.subarray(0, count)].filter((key) => key < 1000).length;
      for (let label = 0; label < count; label += 7) labels.lower(label, label % 1000);
      return before;
    };
    for (const count of [500, 300, 120_000, 110_000, 2_000, 500]) expect(weights(count)).toBe(0);
    expect(labels.distance.length).toBeGreaterThanOrEqual(2_000);
    expect(labels.bytes).toBeLessThan(100_000);
  });
});
