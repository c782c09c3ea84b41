import { describe, expect, it } from "vitest";
import { encodeNumbers, tilesByNumber } from "../../../../src/importer/layers/addresses/records/tile-numbers.ts";
import { randomFrom } from "../../../core/geocoding/sample.ts";

const draw = randomFrom(5);
const rows = Array.from({ length: 400 }, (_, i) => ({ cell: 1e12 + 7 * i, weight: Math.floor(draw() * 5000) }));
const cellsOf = (of: typeof rows, tiles: Uint32Array) => Array.from(tiles, (tile) => of[tile].cell);
const fromNothing = cellsOf(rows, tilesByNumber(rows));
const before = encodeNumbers(fromNothing);

describe("tiles of addresses", () => {
  it("are numbered by how much is in them", () => {
    const weights = Array.from(tilesByNumber(rows), (tile) => rows[tile].weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
  });

  it("keep their numbers in an update, whatever little comes into them", () => {
    const fuller = rows.map((row, i) => (i % 20 ? row : { ...row, weight: row.weight + 40 }));
    expect(cellsOf(fuller, tilesByNumber(fuller))).not.toEqual(fromNothing);
    expect(cellsOf(fuller, tilesByNumber(fuller, before))).toEqual(fromNothing);
  });

  it("that are new come last, or where others are gone; the last take what else were gaps", () => {
    const fresh = [1, 2].map((cell) => ({ cell, weight: 9000 - cell }));
    expect(cellsOf([...fresh, ...rows], tilesByNumber([...fresh, ...rows], before))).toEqual([...fromNothing, 1, 2]);
    const gone = new Set([fromNothing[3], fromNothing[30], fromNothing[300]]);
    const fewer = rows.filter(({ cell }) => !gone.has(cell));
    const numbered = cellsOf([fresh[0], ...fewer], tilesByNumber([fresh[0], ...fewer], before));
    expect(numbered).toHaveLength(398);
    expect(new Set(numbered)).toEqual(new Set([1, ...fewer.map(({ cell }) => cell)]));
    expect(numbered.filter((cell, number) => cell !== fromNothing[number])).toHaveLength(3);
    expect(numbered[3]).toBe(1);
  });

  it("are numbered anew where a third of them is, or where their weights are others altogether", () => {
    const other = rows.map((row, i) => (i % 3 ? row : { ...row, cell: row.cell + 1 }));
    expect(tilesByNumber(other, before)).toEqual(tilesByNumber(other));
    const drawn = rows.map((row) => ({ ...row, weight: Math.floor(draw() * 5000) }));
    expect(tilesByNumber(drawn, before)).toEqual(tilesByNumber(drawn));
  });

  it("are one, or none", () => {
    expect(Array.from(tilesByNumber([], before))).toEqual([]);
    expect(Array.from(tilesByNumber([{ cell: 5, weight: 1 }], encodeNumbers([5])))).toEqual([0]);
    expect(Array.from(tilesByNumber([{ cell: 5, weight: 1 }], encodeNumbers([])))).toEqual([0]);
  });
});
