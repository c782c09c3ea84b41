import type { NodeRecord } from "../../../../core/routing/graph/road-record.ts";
import type { StatedTurn } from "../../../../core/routing/guidance/maneuver.ts";
import { pathsOf } from "../turns/manoeuvres.ts";
import type { CollectedRoads } from "./collected-roads.ts";
import { sharedNumbers } from "./column.ts";
import type { EdgeColumns } from "./make-edges.ts";
import { pieceView } from "./make-turns.ts";
import { NodeRecords } from "./node-records.ts";
import type { Pieces } from "./piece-columns.ts";

/** Paths of one relation: where ways continue through the junction there may be several. */
const PATHS = 16;

/**
 * The records of junctions with the turns that relations describe. A path over several junctions is at each of them, so that guidance
 * knows whether all of it is traveled, also where a tile ends on it.
 */
export function withStatedTurns(source: CollectedRoads, pieces: Pieces, edges: EdgeColumns): NodeRecords {
  if (source.manoeuvres.length === 0) return pieces.nodeRecords;
  const view = pieceView(source, pieces, edges);
  const headOf = (edge: number) => (edges.along[edge] ? pieces.end : pieces.start)[edges.piece[edge]];
  const turns = new Map<number, StatedTurn[]>();
  for (const manoeuvre of source.manoeuvres) {
    const paths = pathsOf(manoeuvre, view, headOf).slice(0, PATHS);
    for (const [index, { path, turn }] of paths.entries()) {
      for (let at = 0; at + 1 < path.length; at++) {
        const node = headOf(path[at]);
        const own: StatedTurn = {
          id: manoeuvre.id * PATHS + index,
          at,
          of: path.length - 1,
          from: pointBeside(pieces, edges.piece[path[at]], !edges.along[path[at]]),
          to: pointBeside(pieces, edges.piece[path[at + 1]], edges.along[path[at + 1]] === 1),
          ...(at === turn && manoeuvre.stated),
        };
        const list = turns.get(node);
        if (list) list.push(own);
        else turns.set(node, [own]);
      }
    }
  }
  return joined(pieces.nodeRecords, turns);
}

/** The point next to an end of a piece. */
function pointBeside(pieces: Pieces, piece: number, fromStart: boolean): StatedTurn["from"] {
  const [first, last] = [pieces.shapeFirst[piece], pieces.shapeFirst[piece + 1] - 1];
  if (first <= last) {
    const at = fromStart ? first : last;
    return [pieces.shapeLatitude[at], pieces.shapeLongitude[at]];
  }
  const node = (fromStart ? pieces.end : pieces.start)[piece];
  return [pieces.nodeLatitude[node], pieces.nodeLongitude[node]];
}

function joined({ columns: known }: NodeRecords, turns: ReadonlyMap<number, readonly StatedTurn[]>): NodeRecords {
  const records: NodeRecord[] = [...known.records];
  const numbers = new Map<number, number>();
  known.nodes.forEach((node, at) => void numbers.set(node, known.numbers[at]));
  for (const [node, stated] of turns) {
    const own = numbers.get(node);
    numbers.set(node, records.push({ ...(own !== undefined && records[own]), stated }) - 1);
  }
  const nodes = sharedNumbers(Int32Array, numbers.size);
  nodes.set([...numbers.keys()]);
  nodes.sort();
  const places = sharedNumbers(Int32Array, numbers.size);
  nodes.forEach((node, at) => {
    places[at] = numbers.get(node)!;
  });
  return new NodeRecords({ nodes, numbers: places, records });
}
