import { atPace, type Steps } from "../../geo/steps.ts";
import type { EndPoint } from "../search/end-points.ts";
import type { OverlayWindow } from "../search/overlay.ts";
import type { SearchLabels } from "../store/search-labels.ts";
import type { TileView } from "../store/tile-view.ts";
import { measure, spreadInto } from "./reach-search.ts";
import { type CellTimes, isDivided, reachedBy, timesOf, UNKNOWN } from "./reached-tiles.ts";

const UNITS = 10;
const FORWARD = 1;
/** Edges that are visited in a step, the cost of one, and of each straight part of it [units of a pace]. */
const EDGES_IN_STEP = 256;
const EDGE_COST = 0.02;
/** Cost of the times of a search cell [units of a pace]. */
const CELL_COST = 3;
const SEGMENT_COST = 0.1;

/** Gets a part of a piece of road that is reached within a limit, as shares of the piece. */
export type PieceVisitor = (limit: number, view: TileView, piece: number, from: number, to: number) => void;

export interface RoadsOptions {
  limits: readonly number[];
  /** Tiles that a limit divides; the window has loaded them. */
  divided: readonly number[];
  byLength: boolean;
}

/**
 * Visits the parts of roads of some tiles that are reached within limits, by the index of the limit. A first search crosses the
 * tiles by the cliques of their search cells, a second one goes edge by edge through those that a limit divides.
 */
export async function visitReachedRoads(
  window: OverlayWindow,
  labels: SearchLabels,
  starts: readonly EndPoint[],
  { limits, divided, byLength }: RoadsOptions,
  visit: PieceVisitor,
): Promise<void> {
  const { store, views } = window;
  const within = Math.max(...limits);
  const opened = divided.flatMap((tile) => {
    const cells = store.districts.cellsOf(tile);
    return Array.from({ length: cells.length - 1 }, (_, i) => [i + 1, cells[i + 1]] as const);
  });
  const search = async (inside: readonly (readonly [view: number, cell: number])[]) => {
    await spreadInto(window, labels, starts, { opened, inside, within, byLength });
    while (window.isLacking) {
      await window.complete();
      await spreadInto(window, labels, starts, { opened, inside, within, byLength });
    }
  };
  await window.prepareCells();
  await search([]);
  const all = divided.map((tile) => window.viewAt(tile)).filter((view) => view >= 0);
  const times = new Map<number, CellTimes[]>();
  const inside: [view: number, cell: number][] = [];
  for (const view of all) {
    if (window.isPlain[view]) continue;
    const own = cellTimes(window, labels, starts, view, byLength);
    const turn = store.spend(own.length * CELL_COST);
    if (turn) await turn;
    times.set(view, own);
    for (let cell = 0; cell < own.length; cell++) if (isDivided(own[cell], limits)) inside.push([view, cell]);
  }
  if (inside.length > 0) await search(inside);
  const spentOn = measure(window, byLength);
  for (const [index, limit] of limits.entries()) {
    for (const view of all) {
      await atPace(viewSteps(window, labels, view, times.get(view), limit, index, spentOn, visit), store);
    }
    for (const { tile, edge, share } of starts) {
      const view = window.viewAt(tile.index);
      const spent = spentOn(view, edge) / UNITS;
      visitAlong(views[view], edge, share, Math.min(1, spent > 0 ? share + limit / spent : 1), index, visit);
    }
  }
}

/** By search cell of a tile; those in which the search begins are divided. */
function cellTimes(
  window: OverlayWindow,
  labels: SearchLabels,
  starts: readonly EndPoint[],
  view: number,
  byLength: boolean,
): CellTimes[] {
  const seen = window.views[view];
  const { tile } = seen;
  const labelsOf = (edges: Uint16Array) => Array.from(edges, (edge) => window.label(view, edge));
  const times = Array.from({ length: tile.cellCount }, (_, cell) => {
    const clique = seen.clique(cell);
    return timesOf(labels, clique, labelsOf(clique.ins), labelsOf(clique.outs), byLength);
  });
  for (const start of starts) {
    if (start.tile.index !== tile.index) continue;
    const cell = tile.nodeCell[start.tile.headOf(start.edge)];
    if (cell >= 0) times[cell] = UNKNOWN;
  }
  return times;
}

function* viewSteps(
  window: OverlayWindow,
  labels: SearchLabels,
  index: number,
  times: readonly CellTimes[] | undefined,
  limit: number,
  at: number,
  spentOn: (view: number, edge: number) => number,
  visit: PieceVisitor,
): Steps<void> {
  const view = window.views[index];
  const { tile, arcs } = view;
  const { nodeCell, shapeFirst } = tile;
  /** By search cell: 1 reached, 0 not reached, −1 divided. */
  const state =
    times &&
    Int8Array.from(times, ({ first, whole, isDivisible }) => {
      if (whole <= limit) return 1;
      return isDivisible && first <= limit ? -1 : 0;
    });
  const reached = reachedBy(labels);
  let units = 0;
  for (let edge = 0; edge < tile.edgeCount; edge++) {
    if (edge % EDGES_IN_STEP === 0) {
      yield units;
      units = 0;
    }
    units += EDGE_COST;
    if (arcs.duration[edge] <= 0) continue;
    const piece = tile.pieceOf(edge);
    const length = (shapeFirst[piece + 1] - shapeFirst[piece] + 1) * SEGMENT_COST;
    if (edge < tile.firstBetween && state) {
      const known = state[nodeCell[tile.headOf(edge)]];
      if (known === 1) {
        visit(at, view, piece, 0, 1);
        units += length;
      }
      if (known >= 0) continue;
    }
    const label = window.label(index, edge);
    if (!reached.isFinal(label)) continue;
    const spent = spentOn(index, edge) / UNITS;
    const rest = limit - (reached.spent(label) - spent);
    if (rest < 0) continue;
    visitAlong(view, edge, 0, spent > rest ? rest / spent : 1, at, visit);
    units += length;
  }
  yield units;
}

/** Visits a part of an edge, in its own direction. */
function visitAlong(view: TileView, edge: number, from: number, to: number, limit: number, visit: PieceVisitor): void {
  const { tile } = view;
  if ((tile.side[edge] & 1) === FORWARD) visit(limit, view, tile.pieceOf(edge), from, to);
  else visit(limit, view, tile.pieceOf(edge), 1 - to, 1 - from);
}
