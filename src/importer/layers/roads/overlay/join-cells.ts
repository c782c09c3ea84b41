import { UNREACHABLE } from "../../../../core/routing/graph/pack.ts";
import { joinedCodes } from "../../../../core/routing/graph/vehicle.ts";
import { joinCliques } from "../../../../core/routing/store/join-cliques.ts";
import { type CellCliques, cliqueOf, hoursIfAny, makeAll } from "./cell-cliques.ts";

/** A cell above the tiles: the ids of the edges into its tiles, and where edges begin. */
export interface CellSpan {
  firstTile: number;
  endTile: number;
  /** Ids of the edges that come into its tiles: firstId ≤ id < endId. */
  firstId: number;
  endId: number;
}

/** The cliques of a cell from those of the cells inside, which are all that is needed. */
export function joinCells(
  children: readonly CellCliques[],
  { firstTile, endTile, firstId, endId }: CellSpan,
  tailTile: Int32Array,
  windows: number,
): CellCliques {
  const isFromInside = (id: number) => tailTile[id] >= firstTile && tailTile[id] < endTile;
  const ins = Int32Array.from(children.flatMap((child) => [...child.ins].filter((id) => !isFromInside(id)))).sort();
  const leaving = children.flatMap((child) => [...child.outs].filter((id) => id < firstId || id >= endId));
  const outs = Int32Array.from(leaving).sort();
  const inner = endId - firstId;
  const labelOfOut = new Map(Array.from(outs, (id, column) => [id, inner + column]));
  /** By label: the cell inside that the edge comes into, and its row there. */
  const childOf = new Int32Array(inner);
  const rowOf = new Int32Array(inner);
  // Labels are ids from `firstId` on, and after them the edges out.
  const labels = children.map((cell, number) => {
    cell.ins.forEach((id, row) => {
      childOf[id - firstId] = number;
      rowOf[id - firstId] = row;
    });
    return cell.outs.map((id) => labelOfOut.get(id) ?? id - firstId);
  });
  const starts = ins.map((id) => id - firstId);
  const joined: CellCliques = {
    avoid: children.reduce((sum, { avoid }) => sum | avoid, 0),
    traffic: 0,
    ins,
    outs,
    cliques: new Map(),
    codes: joinedCodes(children.map(({ codes }) => codes)),
  };
  const touched = children.reduce((sum, { traffic }) => sum | traffic, 0);
  joined.traffic = makeAll(
    joined,
    windows,
    (bucket) => ((touched >> (bucket - 1)) & 1) === 1,
    (avoid, bucket) => {
      const tables = children.map((cell) => ({ ...cliqueOf(cell, avoid, bucket), none: UNREACHABLE }));
      const entries = ins.length * outs.length;
      const table = {
        weight: new Int32Array(entries),
        duration: new Int32Array(entries),
        distance: new Int32Array(entries),
      };
      const hours = tables.some((own) => own.hours) ? new Uint8Array(entries) : undefined;
      joinCliques(starts, outs.length, { childOf, rowOf, labels, tables }, { ...table, hours });
      return { ins, outs, ...table, ...hoursIfAny(hours) };
    },
  );
  return joined;
}
