import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Line, Polygon } from "../../../src/importer/frame/layer.ts";
import { assemblePolygons } from "../../../src/importer/osm/polygons/multipolygon.ts";
import { joinWays } from "../../../src/importer/osm/polygons/rings.ts";

/** Nodes are letters of a drawing, 1° apart; the first row is the northernmost. */
function drawing(rows: string[]) {
  const places = new Map<number, [number, number]>();
  rows.forEach((row, y) => {
    [...row].forEach((letter, x) => {
      if (letter !== " " && letter !== ".") places.set(letter.charCodeAt(0), [x, rows.length - y]);
    });
  });
  return {
    way: (letters: string) => [...letters].map((letter) => letter.charCodeAt(0)),
    locate: (node: number) => places.get(node),
    letters: (line: Line) =>
      line
        .map(([x, y]) => [...places].find(([, place]) => place[0] === x && place[1] === y)?.[0] ?? 63)
        .map((code) => String.fromCharCode(code))
        .join(""),
  };
}

/** A ring written from its smallest letter, so that the order of the members does not matter. */
function canonical(letters: string): string {
  const ring = letters.slice(0, -1);
  const start = [...ring].indexOf([...ring].sort()[0]);
  return ring.slice(start) + ring.slice(0, start);
}

const town = drawing([
  "A.....B...M..N", //
  "..a.b.........",
  "...p..q.......",
  "...s..r.......",
  "..d.c.....P..O",
  "D.....C.......",
]);
const shape = (polygons: readonly Polygon[]) =>
  polygons.map(({ outer, inner }) => [
    canonical(town.letters(outer)),
    ...inner.map((line) => canonical(town.letters(line))).sort(),
  ]);

describe("the ways of a multipolygon", () => {
  it("join into a ring whatever their direction and order", () => {
    const { polygons, open } = assemblePolygons(
      [town.way("CB"), town.way("AB"), town.way("CD"), town.way("AD")],
      town.locate,
    );
    expect(shape(polygons)).toEqual([["ADCB"]]);
    expect(open).toBe(0);
  });

  it("give the outer ring counter-clockwise and the hole clockwise, whatever the roles said", () => {
    const { polygons } = assemblePolygons([town.way("adcba"), town.way("ABCDA")], town.locate);
    expect(shape(polygons)).toEqual([["ADCB", "abcd"]]);
  });

  it("make two polygons of two rings side by side, the larger first", () => {
    const { polygons } = assemblePolygons([town.way("MNOPM"), town.way("ABCDA")], town.locate);
    expect(shape(polygons)).toEqual([["ADCB"], ["MPON"]]);
  });

  it("make an island of a ring within a hole", () => {
    const lake = drawing(["A......B", ".a....b.", "..p.q...", "..s.r...", ".d....c.", "D......C"]);
    const { polygons } = assemblePolygons([lake.way("pqrsp"), lake.way("abcda"), lake.way("ABCDA")], lake.locate);
    expect(polygons.map(({ inner }) => inner.length)).toEqual([1, 0]);
  });

  it("that do not close are counted and give no ring", () => {
    expect(assemblePolygons([town.way("AB"), town.way("BC")], town.locate)).toEqual({
      polygons: [],
      open: 1,
      missing: 0,
    });
  });

  it("count once when a member is listed twice", () => {
    const { polygons, open } = assemblePolygons([town.way("ABC"), town.way("CBA"), town.way("CDA")], town.locate);
    expect(shape(polygons)).toEqual([["ADCB"]]);
    expect(open).toBe(0);
  });

  it("count once also when they are rings by themselves: a ring is no hole in itself", () => {
    const { polygons } = assemblePolygons([town.way("ABCDA"), town.way("ADCBA")], town.locate);
    expect(shape(polygons)).toEqual([["ADCB"]]);
  });

  it("may miss a node: the ring goes straight on, and it is counted", () => {
    const { polygons, missing } = assemblePolygons([town.way("ABxCDA")], town.locate);
    expect(shape(polygons)).toEqual([["ADCB"]]);
    expect(missing).toBe(1);
  });

  it("give nothing when the ring has no area", () => {
    expect(assemblePolygons([town.way("ABA"), town.way("ABAA")], town.locate).polygons).toEqual([]);
  });

  it("come apart where two rings touch in a node", () => {
    //  A──B──E
    //  │  │╲ │     both rings made of two ways that all end in B
    //  D──C F─G
    const { rings, open } = joinWays([
      [1, 2, 3],
      [3, 5, 6],
      [6, 7, 3],
      [3, 4, 1],
    ]);
    expect(open).toBe(0);
    expect(rings.map((ring) => [...new Set(ring)].sort().join(" ")).sort()).toEqual(["1 2 3 4", "3 5 6 7"]);
  });

  it("across the 180th meridian keep their turn", () => {
    const places: [number, number][] = [
      [179, 1],
      [-179, 1],
      [-179, -1],
      [179, -1],
    ];
    const { polygons } = assemblePolygons([[0, 1, 2, 3, 0]], (node) => places[node]);
    expect(polygons[0].outer.map(([longitude]) => longitude)).toEqual([179, 179, -179, -179, 179]);
  });

  it("cut into any number of pieces, shuffled and turned, make the same ring", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 40 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.nat(),
        (size, cuts, seed) => {
          const ring = Array.from({ length: size }, (_, i) => i);
          const places = ring.map((i): [number, number] => [
            10 * Math.cos((i / size) * 2 * Math.PI),
            10 * Math.sin((i / size) * 2 * Math.PI),
          ]);
          const marks = [...new Set([0, ...cuts.map((cut) => cut % size)])].sort((a, b) => a - b);
          const ways = marks.map((mark, i) => {
            const end = i + 1 < marks.length ? marks[i + 1] : size;
            const way = Array.from({ length: end - mark + 1 }, (_, k) => (mark + k) % size);
            return (seed >> i) & 1 ? way.reverse() : way;
          });
          ways.sort((a, b) => ((a[0] * 7919 + seed) % 97) - ((b[0] * 7919 + seed) % 97));
          const { polygons, open } = assemblePolygons(ways, (node) => places[node]);
          expect(open).toBe(0);
          expect(polygons).toHaveLength(1);
          expect(polygons[0].outer).toHaveLength(size + 1);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});
