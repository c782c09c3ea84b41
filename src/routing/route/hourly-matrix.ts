import { distance } from "../../geo/distance.ts";
import type { Closure } from "../areas/avoided-areas.ts";
import { segmentsFrom } from "../graph/schedule.ts";
import type { Tile } from "../graph/tile.ts";
import { minuteOfWeek } from "../graph/traffic.ts";
import { type MatrixCell, matrixSearch } from "../matrix/matrix.ts";
import { endsOf, startsOf } from "../search/end-points.ts";
import { type EndPoint, OverlayWindow } from "../search/overlay.ts";
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
 * hours, like that of a route (`RouteHours`); tiles that stay the same as long as the journeys last are considered at the departure.
 * Cells whose path may then still meet something that depends on the hour are searched one by one; if these are many, a few of
 * them show which tiles the matrix must consider.
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
  const matrix = async (minutes: Map<number, number[]>, segments: number) => {
    const window = new OverlayWindow(store, options.metric, closure, minutes);
    await window.load(tiles);
    let cells = await matrixSearch(window, starts, ends, segments);
    while (window.isLacking) {
      await window.complete();
      cells = await matrixSearch(window, starts, ends, segments);
    }
    return cells;
  };
  const { departure } = options;
  if (!departure || !hoursOf(store, options)) return matrix(new Map(), 0);

  const from = minuteOfWeek(departure);
  const span = longest({ origins, destinations });
  const isSteady = ({ hours }: Tile) => hours !== undefined && !hours.changesWithin(from, span);
  const minutes = new Map<number, number[]>();
  for (const tile of tiles) if (isSteady(tile)) minutes.set(tile.index, [from]);
  const changes = ({ tile }: EndPoint) => tile.hours !== undefined && !minutes.has(tile.index);
  const [startChanges, endChanges] = [starts, ends].map((points) => points.map((some) => some.some(changes)));
  for (let round = 0; ; round++) {
    const cells = await matrix(minutes, segmentsFrom(from, span));
    const open: [row: number, column: number][] = [];
    cells.forEach((row, i) => {
      row.forEach((cell, j) => {
        if (!cell) return;
        if (cell.isHourly || cell.duration > span * 60 || startChanges[i] || endChanges[j]) open.push([i, j]);
      });
    });
    const known = minutes.size;
    if (open.length > FEW_CELLS && round < ROUNDS) {
      const sample = open.filter((_, at) => at % Math.ceil(open.length / SAMPLE) === 0);
      for (const [i, j] of sample) {
        const hours = new RouteHours(departure);
        await measurePath(store, options, origins[i], destinations[j], hours);
        for (const index of hours.minutes.keys()) {
          const tile = store.tileAtHand(index) ?? (await store.tile(index));
          if (tile && isSteady(tile)) minutes.set(index, [from]);
        }
      }
      if (minutes.size > known) continue;
    }
    for (const [i, j] of open) {
      const found = await measurePath(store, options, origins[i], destinations[j]);
      cells[i][j] = found && { weight: found.weight, duration: found.duration, distance: found.distance };
    }
    return cells;
  }
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
