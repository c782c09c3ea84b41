import { arcBetween } from "../graph/arcs.ts";
import type { PackClique } from "../graph/pack.ts";
import type { CellClique } from "../store/search-cells.ts";
import type { OverlayWindow } from "./overlay.ts";
import type { OverlayPath } from "./search.ts";

/** Time [s] and length [m] of a path through the overlay, from its hops: none of its edges is read. */
export function measure(
  window: OverlayWindow,
  { start, end, hops }: OverlayPath,
): { duration: number; distance: number } {
  const { row, column } = window.numbering;
  const startView = window.views[window.viewAt(start.tile.index)];
  const edgeTime = startView.arcs.duration[start.edge];
  const edgeLength = start.tile.lengthOf(start.edge);
  if (hops.length === 0) {
    const share = end.share - start.share;
    return { duration: (edgeTime * share) / 10, distance: (edgeLength * share) / 10 };
  }
  let duration = edgeTime * (1 - start.share);
  let distance = edgeLength * (1 - start.share);
  const across = ({ outs, duration: times, distance: lengths }: PackClique | CellClique, r: number, c: number) => {
    duration += times[r * outs.length + c];
    distance += lengths[r * outs.length + c];
  };
  for (const { from, to, level, place } of hops) {
    if (level > 0) {
      across(window.clique(place), row[level][from], column[level][to]);
      continue;
    }
    const view = window.views[place];
    const { tile, arcs } = view;
    const a = window.edgeIn(place, from, true);
    const b = window.edgeIn(place, to, false);
    if (level === 0) {
      const { cells } = view;
      across(view.clique(tile.nodeCell[tile.headOf(a)]), cells.rowOf(a), cells.columnOf(b));
      continue;
    }
    const arc = arcBetween(arcs, a, b);
    duration += arcs.turnDuration[arcs.turn[arc]] + arcs.duration[b];
    distance += tile.lengthOf(b);
  }
  const endView = window.views[window.viewAt(end.tile.index)];
  duration -= endView.arcs.duration[end.edge] * (1 - end.share);
  distance -= end.tile.lengthOf(end.edge) * (1 - end.share);
  return { duration: duration / 10, distance: distance / 10 };
}
