import { describe, expect, it } from "vitest";
import { CAR } from "../../../../src/core/routing/graph/modes.ts";
import { resolveRestrictions } from "../../../../src/importer/layers/roads/turns/resolve-restrictions.ts";
import type { Restriction } from "../../../../src/importer/layers/roads/turns/restrictions.ts";

/** Pieces as "way: from-to", or "way: from>to" for a one-way. OSM node n is node n; 99 is not on the map. */
function viewOf(...lines: string[]) {
  const pieces = lines.map((line) => {
    const [, way, start, sign, end] = /^(\d+): (\d+)(.)(\d+)$/.exec(line)!;
    return { way: Number(way), start: Number(start), end: Number(end), oneway: sign === ">" };
  });
  return {
    start: Int32Array.from(pieces, ({ start }) => start),
    end: Int32Array.from(pieces, ({ end }) => end),
    pieceOf: (edge: number) => edge >> 1,
    forwardEdge: (piece: number) => 2 * piece,
    backwardEdge: (piece: number) => (pieces[piece].oneway ? -1 : 2 * piece + 1),
    piecesOf: (way: number) => pieces.flatMap((piece, index) => (piece.way === way ? [index] : [])),
    nodeOf: (osmNode: number) => (osmNode === 99 ? undefined : osmNode),
    /** An edge as "from-to", by its nodes. */
    nameOf: (edge: number) => {
      const { start, end } = pieces[edge >> 1];
      return edge % 2 === 0 ? `${start}-${end}` : `${end}-${start}`;
    },
  };
}

type View = ReturnType<typeof viewOf>;

const restriction = (more: Partial<Restriction>): Restriction => ({
  only: false,
  uTurn: false,
  modes: 1 << CAR,
  from: [1],
  viaWays: [],
  to: [2],
  ...more,
});

function resolved(view: View, ...restrictions: Partial<Restriction>[]) {
  const { paths, broken } = resolveRestrictions(restrictions.map(restriction), view);
  return { paths: paths.map(({ path }) => path.map(view.nameOf).join(" ")).sort(), broken };
}

describe("a restriction at a node", () => {
  //  1 ── 2 ── 3
  //       │
  //       4
  const crossing = viewOf("1: 1-2", "2: 2-3", "3: 4-2");

  it("is a pair of edges: towards the node, and away from it, whichever way they are drawn", () => {
    expect(resolved(crossing, { viaNode: 2 }, { from: [2], viaNode: 2, to: [3] })).toEqual({
      paths: ["1-2 2-3", "3-2 2-4"],
      broken: 0,
    });
  });

  it("keeps what it forbids or alone allows, and for which modes", () => {
    const [first] = resolveRestrictions([restriction({ viaNode: 2, only: true, modes: 6 })], crossing).paths;
    expect(first).toEqual({ path: [0, 2], only: true, modes: 6 });
  });

  it("leaves out the directions that are closed", () => {
    const oneway = viewOf("1: 2>1", "2: 2-3", "3: 4-2");
    expect(resolved(oneway, { viaNode: 2 })).toEqual({ paths: [], broken: 1 });
    expect(resolved(oneway, { from: [2], viaNode: 2, to: [1] }).paths).toEqual(["3-2 2-1"]);
  });

  it("is broken where its node is not on the map, or not on its ways", () => {
    expect(resolved(crossing, { viaNode: 99 }, { viaNode: 3 }, { viaNode: undefined }, { viaNode: 2 })).toEqual({
      paths: ["1-2 2-3"],
      broken: 3,
    });
  });

  it("from a way onto itself forbids turning back only if it is one of U-turns", () => {
    const through = viewOf("1: 1-2", "1: 2-3");
    expect(resolved(through, { viaNode: 2, to: [1] }).paths).toEqual(["1-2 2-3", "3-2 2-1"]);
    expect(resolved(through, { viaNode: 2, to: [1], uTurn: true }).paths).toEqual([
      ...["1-2 2-1", "1-2 2-3", "3-2 2-1", "3-2 2-3"],
    ]);
  });
});

describe("a restriction over ways", () => {
  it("follows every piece of the via way between its ends", () => {
    const view = viewOf("1: 1-2", "5: 2-3", "5: 3-4", "5: 4-5", "2: 5-6", "9: 3-7");
    expect(resolved(view, { viaWays: [5] })).toEqual({ paths: ["1-2 2-3 3-4 4-5 5-6"], broken: 0 });
  });

  it("follows several via ways, one after the other", () => {
    const view = viewOf("1: 1-2", "6: 4-3", "5: 2-3", "2: 4-5");
    expect(resolved(view, { viaWays: [5, 6] })).toEqual({ paths: ["1-2 2-3 3-4 4-5"], broken: 0 });
    expect(resolved(view, { viaWays: [6, 5] })).toEqual({ paths: [], broken: 1 });
  });

  it("needs the last of them: one that leaves earlier is another turn", () => {
    const view = viewOf("1: 1-2", "5: 2-3", "6: 3-4", "2: 3-5", "2: 4-5");
    expect(resolved(view, { viaWays: [5, 6] }).paths).toEqual(["1-2 2-3 3-4 4-5"]);
  });

  it("needs its via way even where the ways meet by themselves", () => {
    const view = viewOf("1: 1-2", "5: 2-3", "2: 2-4");
    expect(resolved(view, { viaWays: [5] })).toEqual({ paths: [], broken: 1 });
  });

  it("is found in each direction that is open", () => {
    //  1 ── 2 ── 3     from 1-2 over 2-3 back on 3-4
    //       5 ── 4
    const view = viewOf("1: 2-1", "1: 3-6", "5: 2-3", "2: 3-4", "2: 2-5");
    expect(resolved(view, { viaWays: [5] }).paths).toEqual(["1-2 2-3 3-4", "6-3 3-2 2-5"]);
    const oneway = viewOf("1: 2-1", "1: 3-6", "5: 2>3", "2: 3-4", "2: 2-5");
    expect(resolved(oneway, { viaWays: [5] }).paths).toEqual(["1-2 2-3 3-4"]);
    const from = viewOf("1: 2>1", "1: 3-6", "5: 2-3", "2: 3-4", "2: 2-5");
    expect(resolved(from, { viaWays: [5] }).paths).toEqual(["6-3 3-2 2-5"]);
  });

  it("uses no piece twice, and does not turn back at its end", () => {
    const circle = viewOf("1: 1-2", "5: 2-3", "5: 3-4", "5: 4-2", "2: 3-5");
    expect(resolved(circle, { viaWays: [5] }).paths).toEqual(["1-2 2-3 3-5", "1-2 2-4 4-3 3-5"]);
    const back = viewOf("1: 1-2", "5: 2-3");
    expect(resolved(back, { viaWays: [5], to: [5] })).toEqual({ paths: [], broken: 1 });
    expect(resolved(back, { viaWays: [5], to: [1] })).toEqual({ paths: [], broken: 1 });
  });

  it("keeps what it forbids or alone allows, and for which modes", () => {
    const view = viewOf("1: 1-2", "5: 2-3", "2: 3-4");
    const { paths } = resolveRestrictions([restriction({ viaWays: [5], only: true, modes: 6 })], view);
    expect(paths).toEqual([{ path: [0, 2, 4], only: true, modes: 6 }]);
  });

  const chainOf = (pieces: number) =>
    viewOf(
      "1: 1-2",
      ...Array.from({ length: pieces }, (_, i) => `5: ${i + 2}-${i + 3}`),
      `2: ${pieces + 2}-${pieces + 3}`,
    );

  it("is followed over 39 pieces, and no farther", () => {
    expect(resolved(chainOf(39), { viaWays: [5] }).paths.map((path) => path.split(" ").length)).toEqual([41]);
    expect(resolved(chainOf(40), { viaWays: [5] })).toEqual({ paths: [], broken: 1 });
  });

  it("in a tangle of pieces stops after some paths", () => {
    const parallel = Array.from({ length: 30 }, () => "5: 2-3");
    const { paths, broken } = resolved(viewOf("1: 1-2", ...parallel, "2: 3-4"), { viaWays: [5] });
    expect(paths.length).toBe(9);
    expect(broken).toBe(0);
  });
});
