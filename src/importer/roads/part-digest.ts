import { createHash } from "node:crypto";
import type { Crossings } from "./crossings.ts";
import { crossingIds } from "./crossings.ts";
import type { Division } from "./division.ts";
import { type Part, searchCells } from "./part.ts";
import type { Parts } from "./parts.ts";

/**
 * Names a part by all that its overlay follows from, whatever the mode: its edges with their turns and speeds, its cells, and the
 * ids of the edges into and out of its tiles. Numbers of the graph are not in it, as those of the part stand for them.
 */
export function digestOfPart(part: Part, division: Division, { level }: Parts, crossings: Crossings): Uint8Array {
  const { topology, firstTile, endTile, tileOf } = part;
  const hash = createHash("sha256");
  const add = (column: Int32Array | Uint8Array | Uint16Array | Uint32Array) => {
    hash.update(`${column.length}\n`);
    // A copy: memory that threads share is not hashed everywhere.
    hash.update(Uint8Array.from(new Uint8Array(column.buffer, column.byteOffset, column.byteLength)));
  };
  const { profiles, exceptions, traffic, nodeCount, insideCount, edgeCount, ...columns } = topology;
  hash.update(JSON.stringify([nodeCount, insideCount, edgeCount, firstTile, endTile, level, profiles, exceptions]));
  for (const name of Object.keys(columns).sort()) add(columns[name as keyof typeof columns] as Int32Array);
  if (traffic) {
    hash.update(`${traffic.windows} windows\n`);
    for (const row of traffic.rows) add(row);
    add(traffic.ofEdge as Uint32Array);
  }
  add(tileOf);
  add(searchCells(division, part));
  add(crossingIds(part, crossings));
  for (let above = 1; above <= level && above < division.levels; above++)
    add(division.cellOf[above].subarray(firstTile, endTile));
  const { firstEntering, tailTile } = crossings;
  add(firstEntering.subarray(firstTile, endTile + 1));
  add(tailTile.subarray(firstEntering[firstTile], firstEntering[endTile]));
  return hash.digest();
}
