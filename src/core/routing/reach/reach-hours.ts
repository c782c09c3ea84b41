import type { Coordinate } from "../../geo/coordinate.ts";
import { segmentAt } from "../graph/schedule.ts";
import { type LocalTime, minuteOf } from "../graph/traffic.ts";
import type { TileMinutes } from "../search/overlay.ts";
import type { RoadStore } from "../store/road-store.ts";

/** Tiles that are considered at the hour, the nearest ones: each is loaded in full by every search. */
const MAX_TILES = 64;
const MIN_RADIUS = 1000;

/** What a window considers by the hour. */
export interface ReachHours {
  minutes: TileMinutes;
  /** Bits of the week that include these minutes. */
  segments: number;
}

/**
 * The minutes at which the tiles around a place are considered, where conditional restrictions differ from the best of all hours
 * between the departure and `within` [s] later: the worst of both counts. Farther tiles are as they are at best.
 */
export async function hoursAround(
  store: RoadStore,
  origin: Coordinate,
  mode: number,
  departure: LocalTime | undefined,
  { radius, within }: { radius: number; within: number },
): Promise<ReachHours | undefined> {
  const { hourly } = store.manifest;
  if (!departure || !store.manifest.isHourly(mode)) return undefined;
  let nearest: number[] = [];
  for (let metres = Math.min(MIN_RADIUS, radius); ; metres = Math.min(radius, metres * 2)) {
    const opening = store.districts.openAround([origin], metres);
    if (opening) await opening;
    const tiles = [...store.districts.tilesAround(origin, metres)].filter(
      (tile) => ((hourly.get(tile) ?? 0) >> mode) & 1,
    );
    if (tiles.length > MAX_TILES) break;
    nearest = tiles;
    if (metres === radius) break;
  }
  const from = minuteOf(departure);
  const until = from + Math.ceil(within / 60);
  const minutes = new Map<number, number[]>();
  for (const index of nearest) {
    const hours = (store.tileAtHand(index) ?? (await store.tile(index)))?.hours;
    const own = hours?.changesWithin(from, Math.ceil(within / 60)) ? [from, until] : [from];
    if (hours && !hours.isBestAt(own, 1 << mode)) minutes.set(index, own);
  }
  return { minutes, segments: segmentAt(from) | segmentAt(until) };
}
