import type { Coordinate } from "../../geo/coordinate.ts";
import { atPace } from "../../geo/steps.ts";
import type { Router } from "../route/router.ts";
import { startsOf } from "../search/end-points.ts";
import { OverlayWindow } from "../search/overlay.ts";
import type { RoadStore } from "../store/road-store.ts";
import { returnLabels, takeLabels } from "../store/search-labels.ts";
import { snap } from "../store/snap.ts";
import { CellRaster, type Polygon } from "./cell-raster.ts";
import { type ReachOptions, TOP_SPEED } from "./reach.ts";
import { hoursAround } from "./reach-hours.ts";
import { visitReachedRoads } from "./reached-roads.ts";
import { reachedTiles } from "./reached-tiles.ts";

/** The side of a cell is at most this share of the farthest distance that can be reached. */
const STEP_SHARE = 1 / 256;
/** Gaps between reached roads are filled up to twice this share of the farthest distance, within bounds [m]: blocks and yards. */
const YARD_SHARE = 0.05;
const MIN_YARD = 60;
const MAX_YARD = 150;
/** The smallest area is this large to each side [m]: one that a person can see. */
const MIN_REACH = 60;
/** The outline moves at most this many cells when cells become larger. */
const OUTLINE_CELLS = 1.5;
/** No road is near a center that is farther away than this from all roads [m]. */
const MAX_OFF_ROAD = 400;
/** A request may read several thousand objects; an area is rejected if it divides more tiles than this. */
export const MAX_TILES = 800;
/** Cost of the cells along a run of a row with roads that are reached as a whole [units of a pace]. */
const BOX_COST = 0.5;
/** Tiles that are in memory in full at once. */
const TILES_AT_ONCE = 128;

/** The edge of an area crosses more tiles than allowed. */
export class TooFar extends Error {
  constructor(most: number) {
    super(`limits divide more than ${most} tiles`);
  }
}

export interface ContourOptions
  extends Pick<ReachOptions, "mode" | "avoid" | "areas" | "departure" | "vehicle" | "zones" | "byLength"> {
  /** One area each: seconds, or with `byLength` meters. */
  limits: readonly number[];
  /** Holes smaller than this share of the largest part are left out, 0 … 1. */
  denoise: number;
  /** How far the outline may move outward to become simpler [m]; absent: not at all. */
  generalise?: number;
  /** MAX_TILES if absent. */
  maxTiles?: number;
}

/** The area within a limit. */
export interface Contour {
  limit: number;
  /** The largest first. */
  polygons: Polygon[];
  /** [m²] */
  area: number;
}

/**
 * Returns the areas that are reached from a point within times or distances, including holes: the cells of a grid through which
 * reached roads run, and what is between them (`CellRaster`). The area of a limit contains those of all shorter limits, whatever
 * else is requested with them. Undefined if no road is near the point. Throws TooFar if it divides too many tiles.
 */
export async function contours(
  router: Router,
  center: Coordinate,
  { limits, denoise, generalise = 0, maxTiles = MAX_TILES, areas, byLength = false, mode, ...travel }: ContourOptions,
): Promise<Contour[] | undefined> {
  const { store } = router;
  const metric = router.metric({ mode, ...travel });
  const minutesFor = router.minutesFor(travel);
  const { mainland, nearest } = await snap(store, center, { mode: metric.mode, metric, minutes: minutesFor });
  const origins = (mainland.length > 0 ? mainland : nearest).filter(({ distance }) => distance <= MAX_OFF_ROAD);
  const starts = await startsOf(store, origins);
  if (starts.length === 0) return undefined;
  const closure = areas?.closure(areas.around(origins));
  const speed = byLength ? 1 : TOP_SPEED[mode];
  const within = Math.max(...limits);
  const hours = await hoursAround(store, center, metric.mode, travel.departure, {
    radius: within * speed,
    within: byLength ? 0 : within,
  });
  const windowWith = async (tiles: readonly number[]) => {
    const window = new OverlayWindow(store, metric, closure, hours?.minutes, hours?.segments);
    const read = await Promise.all(tiles.map((index) => store.tileAtHand(index) ?? store.tile(index)));
    await window.load([...starts.map(({ tile }) => tile), ...read.filter((tile) => tile !== undefined)]);
    return window;
  };
  const farthestOf = (limit: number) => Math.max(MIN_REACH, limit * speed);
  const rasters = limits.map((limit) => {
    const step = Math.max(farthestOf(limit) * STEP_SHARE, generalise / OUTLINE_CELLS);
    return new CellRaster(center, step, farthestOf(limit));
  });
  const opening = store.districts.openAround([center], farthestOf(within));
  if (opening) await opening;
  await fillRasters(rasters, { store, starts, limits, byLength, maxTiles, windowWith });
  const found: Contour[] = [];
  for (const [i, limit] of limits.entries()) {
    const yard = Math.min(MAX_YARD, Math.max(MIN_YARD, farthestOf(limit) * YARD_SHARE));
    found.push({ limit, ...(await atPace(rasters[i].polygonSteps(2 * yard, denoise), store)) });
  }
  return found;
}

/** What a fill needs: where the search begins, how far it goes, and a window of the overlay with some tiles open. */
interface Reach {
  store: RoadStore;
  starts: Awaited<ReturnType<typeof startsOf>>;
  limits: readonly number[];
  byLength: boolean;
  maxTiles: number;
  windowWith(tiles: readonly number[]): Promise<OverlayWindow>;
}

/** Marks what is reached within each limit: whole tiles by their boxes, others road by road. @throws TooFar */
async function fillRasters(rasters: readonly CellRaster[], reach: Reach): Promise<void> {
  const { store, starts, limits, byLength, maxTiles, windowWith } = reach;
  const labels = takeLabels();
  const { whole, divided } = await reachedTiles(await windowWith([]), labels, starts, limits, byLength);
  for (const [i, tiles] of whole.entries()) {
    let units = 0;
    store.districts.visitRoads(tiles, (...box) => {
      rasters[i].setBox(...box);
      units += BOX_COST;
    });
    const turn = store.spend(units);
    if (turn) await turn;
  }
  if (divided.length > maxTiles) throw new TooFar(maxTiles);
  for (let at = 0; at < divided.length; at += TILES_AT_ONCE) {
    const some = divided.slice(at, at + TILES_AT_ONCE);
    await visitReachedRoads(
      await windowWith(some),
      labels,
      starts,
      { limits, divided: some, byLength },
      (i, { tile }, ...part) => rasters[i].setPiece(tile, ...part),
    );
  }
  returnLabels(labels);
}
