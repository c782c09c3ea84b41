import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inFewReads } from "../../../src/worker/geodata/glyphs.ts";

const block = (number: number, from: number, to: number) => ({ from, to, blocks: [number] });

describe("glyphs of a build", () => {
  it("that lie near each other are one read, and one far away is another", () => {
    const runs = inFewReads([block(0, 0, 4000), block(2, 8000, 12_000), block(90, 400_000, 404_000)]);
    expect(runs).toEqual([
      { from: 0, to: 12_000, blocks: [0, 2] },
      { from: 400_000, to: 404_000, blocks: [90] },
    ]);
  });

  it("are read in three pieces at most, whatever they are, and none is forgotten", () => {
    const places = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(places, (numbers) => {
        const sorted = [...numbers].sort((a, b) => a - b);
        const runs = inFewReads(sorted.map((number) => block(number, number * 4000, (number + 1) * 4000)));
        expect(runs.length).toBeLessThanOrEqual(3);
        expect(runs.flatMap(({ blocks }) => blocks)).toEqual(sorted);
        for (const { from, to, blocks } of runs) {
          expect(from).toBe(blocks[0] * 4000);
          expect(to).toBe(((blocks.at(-1) as number) + 1) * 4000);
        }
      }),
    );
  });
});
