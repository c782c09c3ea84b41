import { chooseAlternatives } from "../search/alternatives.ts";
import { OverlayWindow } from "../search/overlay.ts";
import type { Path } from "../search/path.ts";
import { MAX_HOURLY_SEARCHES } from "../search/route-hours.ts";
import { type OverlayPath, searchWithVias } from "../search/search.ts";
import type { RoadStore } from "../store/road-store.ts";
import { takeWork } from "../store/search-labels.ts";
import type { Snap } from "../store/snap.ts";
import { ATTEMPTS, closureFor, hoursOf, type PathOptions, pathOf, windowFor } from "./path-search.ts";

/** Searches in which alternatives are looked for. */
const MAX_SEARCHES_FOR_OTHERS = 8;

/** The best path between two points, with up to `most` alternatives; empty if the network does not connect them. */
export async function alternativePaths(
  store: RoadStore,
  options: PathOptions,
  from: readonly Snap[],
  to: readonly Snap[],
  most: number,
): Promise<Path[]> {
  const { metric, areas } = options;
  const hours = hoursOf(store, options);
  let unreadable = 0;
  let searches = 0;
  for (;;) {
    const { window, starts, ends } = await windowFor(store, options, from, to, hours);
    let found = searchWithVias(window, starts, ends);
    while (window.isLacking) {
      await window.complete();
      found = searchWithVias(window, starts, ends);
    }
    await store.spend(takeWork());
    if (!found) return [];
    const best = await pathOf(window, found.path);
    if (!best && ++unreadable < ATTEMPTS) continue;
    if (!best) return [];
    searches++;
    if (hours && !hours.agree(store, metric, best) && searches < MAX_HOURLY_SEARCHES) continue;
    let isDropped = false;
    const unpackPath = async (one: OverlayPath) => {
      const path = await pathOf(window, one);
      if (!path || !hours || hours.agree(store, metric, path)) return path;
      isDropped = true;
      return undefined;
    };
    const newWindow = () => new OverlayWindow(store, metric, closureFor(areas, [...from, ...to]), hours?.minutes);
    const others = await chooseAlternatives(newWindow, best, found.vias, unpackPath, most);
    // Those that do not pass at their hour may have others next to them.
    if (isDropped && others.length < most && searches < MAX_SEARCHES_FOR_OTHERS) continue;
    return [best, ...others];
  }
}
