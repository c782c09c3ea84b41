import { distance } from "../../geo/distance.ts";
import type { Closure } from "../areas/avoided-areas.ts";
import { segmentsFrom } from "../graph/schedule.ts";
import type { Tile } from "../graph/tile.ts";
import { minuteOf } from "../graph/traffic.ts";
import { type MatrixCell, type MatrixHours, matrixSearch } from "../matrix/matrix.ts";
import { endsOf, startsOf } from "../search/end-points.ts";
import { hourlyArcs } from "../search/hourly-arcs.ts";
import { OverlayWindow } from "../search/overlay.ts";
import { RouteHours } from "../search/route-hours.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Snap } from "../store/snap.ts";
import { hoursOf, measurePath, type PathOptions } from "./path-search.ts";

interface Points {
  /** The roads of each. */
  origins: readonly (readonly Snap[])[];
  destinations: readonly (readonly Snap[])[];
}

/** Up to this many cells are searched one by one. */
const FEW_CELLS = 12;
/** Cells searched to find the tiles that restrict the others, too, and how often that is done. */
const SAMPLE = 6;
const ROUNDS = 4;
/** Journeys are assumed to be slower than this along the straight line, in addition to the time below [m/s]. */
const SLOW = 5;
const EXTRA_MINUTES = 60;

/**
 * A matrix in which conditional restrictions apply at the hour when they are reached. The search itself uses the best of all
 * hours, like that of a route (`RouteHours`). Cells whose path may then meet something that is worse by then are searched one by
 * one; if these are many, a few of them show which tiles the matrix must consider at the departure: those that stay the same as long
 * as the journeys last.
 */
export async function hourlyMatrix(
  store: RoadStore,
  options: PathOptions,
  closure: Closure | undefined,
  { origins, destinations }: Points,
): Promise<(MatrixCell | undefined)[][]> {
  const starts = await Promise.all(origins.map((snaps, i) => startsOf(store, snaps, i)));
  const ends = await Promise.all(destinations.map((snaps, j) => endsOf(store, snaps, j)));
  const tiles = [...starts.flat(), ...ends.flat()].map(({ tile }) => tile);
  const matrix = async (minutes: Map<number, number[]>, hours?: MatrixHours) => {
    const window = new OverlayWindow(store, options.metric, closure, minutes, hours?.segments);
    await window.load(tiles);
    let cells = await matrixSearch(window, starts, ends, hours);
    while (window.isLacking) {
      await window.complete();
      cells = await matrixSearch(window, starts, ends, hours);
    }
    return cells;
  };
  const { departure } = options;
  if (!departure || !hoursOf(store, options)) return matrix(new Map());

  const from = minuteOf(departure);
  const span = longest({ origins, destinations });
  const isSteady = ({ hours }: Tile) => hours !== undefined && !hours.changesWithin(from, span);
  /** By tile: considered at the departure. */
  const minutes = new Map<number, number[]>();
  const hours: MatrixHours = {
    segments: segmentsFrom(from, span),
    arcsOf: (view) =>
      minutes.has(view.tile.index) ? undefined : hourlyArcs(view, options.metric, { from, minutes: span }),
  };
  for (let round = 0; ; round++) {
    const cells = await matrix(minutes, hours);
    const open = cellsToSearch(cells, span);
    const known = minutes.size;
    if (open.length > FEW_CELLS && round < ROUNDS) {
      const sample = open.filter((_, at) => at % Math.ceil(open.length / SAMPLE) === 0);
      for (const [i, j] of sample) {
        for (const tile of await tilesMet(store, { ...options, departure }, origins[i], destinations[j]))
          if (isSteady(tile)) minutes.set(tile.index, [from]);
      }
      if (minutes.size > known) continue;
    }
    for (const row of cells) for (const cell of row) if (cell) cell.steadyUntil = span * 60;
    for (const [i, j] of open) {
      const found = await measurePath(store, options, origins[i], destinations[j]);
      const { weight, duration, distance } = found ?? { weight: 0, duration: 0, distance: 0 };
      cells[i][j] = found && { weight, duration, distance, steadyUntil: 0 };
    }
    return cells;
  }
}

/** Cells whose path may meet something that is worse by the time it is reached. */
function cellsToSearch(
  cells: readonly (readonly (MatrixCell | undefined)[])[],
  span: number,
): [row: number, column: number][] {
  return cells.flatMap((row, i) =>
    row.flatMap((cell, j): [number, number][] =>
      cell && (cell.isHourly || cell.duration > span * 60) ? [[i, j]] : [],
    ),
  );
}

/** The tiles whose hours matter to a journey. */
async function tilesMet(
  store: RoadStore,
  options: PathOptions & { departure: NonNullable<PathOptions["departure"]> },
  origin: readonly Snap[],
  destination: readonly Snap[],
): Promise<Tile[]> {
  const met = new RouteHours(options.departure);
  await measurePath(store, options, origin, destination, met);
  const tiles: Tile[] = [];
  for (const index of met.minutes.keys()) {
    const tile = store.tileAtHand(index) ?? (await store.tile(index));
    if (tile) tiles.push(tile);
  }
  return tiles;
}

/** No journey of a matrix should take longer [min]; those that do are searched one by one. */
function longest({ origins, destinations }: Points): number {
  let metres = 0;
  for (const [start] of origins) {
    for (const [end] of destinations) {
      if (start && end) metres = Math.max(metres, distance(start.location, end.location));
    }
  }
  return EXTRA_MINUTES + Math.ceil(metres / SLOW / 60);
}
