import type { Coordinate } from "../../geo/coordinate.ts";
import type { RunVisitor } from "../graph/road-grid.ts";
import type { Router } from "../route/router.ts";
import { startsOf } from "../search/end-points.ts";
import { OverlayWindow } from "../search/overlay.ts";
import type { RoadStore } from "../store/road-store.ts";
import { takeWork } from "../store/search-labels.ts";
import { snap } from "../store/snap.ts";
import type { CellReach } from "./cell-reach.ts";
import type { ReachOptions } from "./reach.ts";
import { boxAround, tilesReached, widen, widenByReached } from "./reach-search.ts";

/** Up to this many tiles are examined road by road: of more, each is small compared with the whole. */
const MAX_OPEN_TILES = 12;
/** Tiles whose cliques are examined to find those that are reached. */
const MAX_CLIQUES = 400;

export interface ExtentOptions
  extends Pick<ReachOptions, "mode" | "avoid" | "areas" | "departure" | "vehicle" | "zones" | "byLength" | "within"> {
  /** No relevant position is farther away [m]. */
  radius: number;
}

/** Where the roads are that are reached from a point within a time or distance. */
export interface ReachedExtent {
  /** South, west, north and east [1e-6 degrees]: never less, and at most a tile more. */
  box: Int32Array;
  /** Visits the cells of about 100 m in which tiles that are reached have roads. */
  visit(visit: RunVisitor): void;
}

/** `cells`: known values of entire cells, if any. */
export async function reachedExtent(
  router: Router,
  origin: Coordinate,
  { radius, within, byLength = false, areas, ...travel }: ExtentOptions,
  cells: CellReach | undefined,
): Promise<ReachedExtent> {
  const { store } = router;
  const opening = store.openAround([origin], radius);
  if (opening) await opening;
  const around = store.tilesAround(origin, radius);
  if (cells) return extentOf(store, new Set([...around].filter((tile) => !cells.isBeyond(tile))));
  if (around.size > MAX_CLIQUES) return extentOf(store, around);
  const metric = router.metric(travel);
  const { mainland, nearest } = await snap(store, origin, { mode: metric.mode, metric });
  const origins = mainland.length > 0 ? mainland : nearest;
  const starts = await startsOf(store, origins);
  const closure = areas?.closure(areas.around(origins));
  const windowOver = async (tiles: Iterable<number>) => {
    const window = new OverlayWindow(store, metric, closure);
    await window.load(starts.map(({ tile }) => tile));
    await window.readPacks(tiles);
    return window;
  };
  const closed = await windowOver(around);
  let reached = tilesReached(closed, starts, around, within, byLength);
  while (closed.isLacking) {
    await closed.complete();
    reached = tilesReached(closed, starts, around, within, byLength);
  }
  const turn = store.spend(takeWork());
  if (turn) await turn;
  const extent = extentOf(store, reached);
  if (reached.size > MAX_OPEN_TILES || store.isDamaged) return extent;
  const tiles = await Promise.all([...reached].map((index) => store.tileAtHand(index) ?? store.tile(index)));
  const open = await windowOver(reached);
  for (const tile of tiles) if (tile) open.open(tile);
  let box = widenByReached(open, starts, within, byLength);
  while (open.isLacking) {
    await open.complete();
    box = widenByReached(open, starts, within, byLength);
  }
  const after = store.spend(takeWork());
  if (after) await after;
  return store.isDamaged ? extent : { ...extent, box };
}

function extentOf(store: RoadStore, tiles: ReadonlySet<number>): ReachedExtent {
  const box = boxAround();
  store.visitRoads(tiles, (south, west, north, east) => {
    widen(box, south, west);
    widen(box, north, east);
  });
  return { box, visit: (visit) => store.visitRoads(tiles, visit) };
}
