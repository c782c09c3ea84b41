import type { AvoidedAreas } from "../areas/avoided-areas.ts";
import type { Metric } from "../graph/modes.ts";
import type { LocalTime } from "../graph/traffic.ts";
import { type EndPoint, endsOf, startsOf, tilesAt } from "../search/end-points.ts";
import { measure } from "../search/measure.ts";
import { OverlayWindow } from "../search/overlay.ts";
import { assemblePath, type Path } from "../search/path.ts";
import { MAX_HOURLY_SEARCHES, RouteHours } from "../search/route-hours.ts";
import { type OverlayPath, search, searchExactly } from "../search/search.ts";
import { unpack } from "../search/unpack.ts";
import type { RoadStore } from "../store/road-store.ts";
import { takeWork } from "../store/search-labels.ts";
import type { Snap, Snaps } from "../store/snap.ts";

/** What a search of a path depends on, besides its ends. */
export interface PathOptions {
  metric: Metric;
  areas: AvoidedAreas | undefined;
  /** When it begins; undefined: conditional restrictions do not apply. */
  departure: LocalTime | undefined;
}

/** A path between two roads, or its time [s] and length [m] alone. */
type Measured = Pick<Path, "weight" | "duration" | "distance">;

/** Maximum number of searches for a path, if the path found leads through objects that cannot be read. */
export const ATTEMPTS = 20;

/** Restrictions at the hours of a path; undefined if none of its mode depends on the hour. */
export function hoursOf(store: RoadStore, { metric, departure }: PathOptions): RouteHours | undefined {
  return departure && store.manifest.isHourly(metric.mode) ? new RouteHours(departure) : undefined;
}

/** A window and the ends of a path, which are open in it. */
interface OpenedWindow {
  window: OverlayWindow;
  starts: readonly EndPoint[];
  ends: readonly EndPoint[];
}

/** A window in which the ends of a path are open. No promise is returned if everything is loaded. */
export function windowFor(
  store: RoadStore,
  { metric, areas }: PathOptions,
  from: readonly Snap[],
  to: readonly Snap[],
  hours: RouteHours | undefined,
): OpenedWindow | Promise<OpenedWindow> {
  const closure = areas && closureFor(areas, [...from, ...to]);
  const window = new OverlayWindow(store, metric, closure, hours?.minutes);
  const starts = startsOf(store, from);
  const ends = endsOf(store, to);
  const reading = window.readPacks([...tilesAt(from, "head"), ...tilesAt(to, "tail")]);
  if (!reading && !(starts instanceof Promise) && !(ends instanceof Promise)) return openEnds(window, starts, ends);
  return Promise.all([starts, ends, reading]).then(([first, last]) => openEnds(window, first, last));
}

function openEnds(window: OverlayWindow, starts: readonly EndPoint[], ends: readonly EndPoint[]): OpenedWindow {
  for (const { tile } of starts) window.open(tile);
  for (const { tile } of ends) window.open(tile);
  return { window, starts, ends };
}

/** The path between two roads with its edges; undefined if there is none. */
export function findPath(
  store: RoadStore,
  options: PathOptions,
  from: readonly Snap[],
  to: readonly Snap[],
): Promise<Path | undefined> {
  return searchAgain(store, options, from, to, hoursOf(store, options), pathOf);
}

/** Its time and length alone: it is unpacked only if it may meet a restriction that depends on the hour. */
export function measurePath(
  store: RoadStore,
  options: PathOptions,
  from: readonly Snap[],
  to: readonly Snap[],
  hours = hoursOf(store, options),
): Promise<Measured | undefined> {
  return searchAgain(store, options, from, to, hours, (window, found) => {
    const measured = { weight: found.weight, ...measure(window, found) };
    return hours?.concern(window, found, measured.duration) ? pathOf(window, found) : measured;
  });
}

/**
 * Searches until the path found leads through no unreadable object, and everything on it is as the search assumed. `resultOf`:
 * undefined if it does lead through one.
 */
async function searchAgain<T extends Measured>(
  store: RoadStore,
  options: PathOptions,
  from: readonly Snap[],
  to: readonly Snap[],
  hours: RouteHours | undefined,
  resultOf: (window: OverlayWindow, found: OverlayPath) => T | Promise<T | undefined>,
): Promise<T | undefined> {
  let unreadable = 0;
  for (let hourly = 0; ; ) {
    const opened = windowFor(store, options, from, to, hours);
    const { window, starts, ends } = opened instanceof Promise ? await opened : opened;
    let found = search(window, starts, ends);
    if (window.isLacking) found = await searchExactly(window, starts, ends);
    const turn = store.spend(takeWork());
    if (turn) await turn;
    if (!found) return undefined;
    const result = resultOf(window, found);
    const made = result instanceof Promise ? await result : result;
    // The unreadable objects are known now, and the next attempt routes around them.
    if (!made) {
      if (++unreadable === ATTEMPTS) return undefined;
      continue;
    }
    if (!hours || !isPath(made) || hours.agree(store, options.metric, made)) return made;
    if (++hourly === MAX_HOURLY_SEARCHES) return made;
  }
}

const isPath = (measured: Measured): measured is Path => "edges" in measured;

/** Undefined if it leads through an unreadable object. */
export async function pathOf(window: OverlayWindow, found: OverlayPath): Promise<Path | undefined> {
  const stretches = await unpack(window, found);
  const turn = window.store.spend(takeWork());
  if (turn) await turn;
  return stretches && assemblePath(found, stretches);
}

export function closureFor(areas: AvoidedAreas | undefined, snaps: readonly Snap[]) {
  return areas?.closure(areas.around(snaps));
}

type Ends = [from: readonly Snap[], to: readonly Snap[]];

/**
 * Nearest road to nearest road first; where an island is in the way, mainland to mainland; where the only way ends across the street,
 * on either side of it.
 */
export function endsToTry(from: Snaps, to: Snaps): Ends[] {
  const near: Ends = [from.nearest, to.nearest];
  const hasMainland = from.mainland.length > 0 && to.mainland.length > 0;
  const ends =
    hasMainland && near.some(([{ island }]) => island) ? [near, [from.mainland, to.mainland] as Ends] : [near];
  if (!near.some((snaps) => snaps.some(({ isSided }) => isSided))) return ends;
  return [
    ...ends,
    ...ends.map(([start, end]): Ends => [start, end.map(onEitherSide)]),
    ...ends.map(([start, end]): Ends => [start.map(onEitherSide), end.map(onEitherSide)]),
  ];
}

const onEitherSide = (snap: Snap): Snap => (snap.isSided ? { ...snap, forward: true, backward: true } : snap);
