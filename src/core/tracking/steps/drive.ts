import {
  allowedKmh,
  DEFAULT_SPEED_SECONDS,
  kmhBetween,
  MAX_ROAD_ACCURACY,
  MIN_LIMIT_KMH,
  ROAD_POINTS,
  speedOf,
  withPoint,
} from "../driving.ts";
import { emit } from "../emit.ts";
import { limitRule, roadRule } from "../trace/driving-rules.ts";
import type { Driving, DrivingReport, Excess, RoadAround, WindowPoint } from "../types/driving.ts";
import type { Confidence } from "../types/event.ts";
import type { UserState } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";

/** An excess needs at least so many updates: never one noisy point. */
const MIN_UPDATES = 3;
/** After a longer silence nothing is known of the time between [ms]. */
const MAX_SILENCE_MS = 120_000;
/** After as long without a known road, an excess starts over [ms]. */
const MAX_UNKNOWN_MS = 15_000;
/**
 * Logarithm of how much more likely this road must be than one whose limit allows the speed; more for a large excess [km/h], which is rare
 * by itself.
 */
const [SURE, VERY_SURE, RARE_KMH] = [7, 12, 15];

/** Compares the speed with the limit of the road, if the project watches limits; an excess that was on when it stopped that is over. */
export function drive(context: UpdateContext): void {
  const { before, state, update, at, settings, surroundings, trace } = context;
  const known = before?.driving;
  if (!settings.speedLimits) {
    if (known?.excess) end(context, { ...known }, speedOf(withPoint(known.window, update, at))?.kmh);
    return;
  }
  // An inaccurate fix changes nothing.
  if (update.accuracy > MAX_ROAD_ACCURACY) {
    if (known) state.driving = known;
    return;
  }
  const last = known?.window[known.window.length - 1];
  const isSilent = last !== undefined && at - last.at > MAX_SILENCE_MS;
  const next: Driving = { ...known, window: withPoint(known?.window ?? [], update, at) };
  if (isSilent) {
    delete next.pending;
    delete next.keeps;
  }
  state.driving = next;
  const speed = speedOf(next.window);
  if (!speed) {
    // Rare positions without a speed show a stand, too; and after a silence, nothing says that the excess goes on.
    const kmh = last && kmhBetween(last, next.window[next.window.length - 1]);
    if (next.excess && (isSilent || (kmh ?? MIN_LIMIT_KMH) < MIN_LIMIT_KMH)) end(context, next, kmh);
    return;
  }
  const { kmh, error } = speed;
  const road = limitOfFences(state) ?? surroundings.road;
  const limitKmh = road?.limitKmh ?? (kmh < MIN_LIMIT_KMH ? next.excess?.limitKmh : undefined);
  if (limitKmh === undefined) {
    trace?.(roadRule(kmh, road));
    // Another road, of which no limit is known: the excess on the one before is over.
    if (next.excess && (road || isSilent || next.excess.geofence !== undefined)) end(context, next, kmh);
    return;
  }
  const allowed = allowedKmh(limitKmh, error, settings);
  const isOver = kmh > allowed;
  const isSure = (road?.sureness ?? Number.POSITIVE_INFINITY) >= SURE + Math.max(0, kmh - limitKmh) / RARE_KMH;
  trace?.(limitRule(kmh, limitKmh, allowed, road, isOver, isSure));
  const seconds = settings.speedSeconds ?? DEFAULT_SPEED_SECONDS;
  if (isOver && isSure) exceed(context, next, { kmh, limitKmh, seconds, allowed, road });
  else if (!isOver) keep(context, next, { kmh, limitKmh, seconds, allowed, road });
}

interface Measured {
  kmh: number;
  limitKmh: number;
  /** The least duration. */
  seconds: number;
  /** The speed up to which the limit is kept. */
  allowed: number;
  road: RoadAround | undefined;
}

/** The limit of the geofence with the lowest one that the user is in; undefined: none has a limit of its own. */
function limitOfFences({ geofences }: UserState): RoadAround | undefined {
  let lowest: RoadAround | undefined;
  for (const { fence } of Object.values(geofences)) {
    const { _id: geofence, speedLimit: limitKmh, description: name } = fence;
    if (limitKmh !== undefined && limitKmh < (lowest?.limitKmh ?? Number.POSITIVE_INFINITY))
      lowest = { limitKmh, geofence, ...(name !== undefined && { name }) };
  }
  return lowest;
}

function exceed(context: UpdateContext, next: Driving, { kmh, limitKmh, seconds, allowed, road }: Measured): void {
  const { at } = context;
  delete next.keeps;
  if (next.excess) {
    const { road: _, geofence: __, ...excess } = next.excess;
    next.excess = { ...excess, topKmh: Math.max(excess.topKmh, kmh), limitKmh, ...whereOf(road) };
    return;
  }
  // Without a known road in between, as at a turn, it goes on; and if nothing is in between, as in a geofence with rare updates.
  const last = next.pending?.last;
  const goesOn = last !== undefined && (at - last <= MAX_UNKNOWN_MS || next.window.at(-2)?.at === last);
  const pending: Excess =
    goesOn && next.pending ? next.pending : { ...beginOf(next.window, road, allowed, at), topKmh: 0, limitKmh };
  const { topKmh, updates } = pending;
  next.pending = {
    since: pending.since,
    last: at,
    updates: updates + 1,
    topKmh: Math.max(topKmh, kmh),
    limitKmh,
    ...whereOf(road),
  };
  if (at - pending.since < seconds * 1000 || next.pending.updates < MIN_UPDATES) return;
  next.excess = next.pending;
  delete next.pending;
  const confidence: Confidence = (road?.sureness ?? VERY_SURE) >= VERY_SURE ? 3 : 2;
  emit(context, "user.exceeded_speed_limit", { driving: reportOf(next.excess, kmh), confidence });
}

/**
 * When an excess began, and by how many updates it is known without the current one. At the start of a drive the road is known only after
 * several updates: those on it that were too fast, too, count.
 */
function beginOf(
  window: readonly WindowPoint[],
  road: RoadAround | undefined,
  allowed: number,
  at: number,
): Pick<Excess, "since" | "last" | "updates"> {
  const first = { since: at, last: at, updates: 0 };
  if (road?.since === undefined || window.length > ROAD_POINTS) return first;
  const { since } = road;
  const begin = window.findLastIndex((one) => one.at < since || (one.speed ?? 0) * 3.6 <= allowed) + 1;
  return begin < window.length - 1 ? { since: window[begin].at, last: at, updates: window.length - 1 - begin } : first;
}

function keep(context: UpdateContext, next: Driving, { kmh, limitKmh, seconds }: Measured): void {
  const { at } = context;
  delete next.pending;
  if (!next.excess) return;
  next.keeps ??= at;
  // Not yet: a moment below the limit does not end it. Near standing, or on a faster road, it has.
  const isClear = kmh < MIN_LIMIT_KMH || limitKmh > next.excess.limitKmh;
  if (at - next.keeps >= seconds * 1000 || isClear) end(context, next, kmh);
}

/** Whose limit it is. */
const whereOf = (road: RoadAround | undefined): Pick<Excess, "road" | "geofence"> => ({
  ...(road?.name && { road: road.name }),
  ...(road?.geofence !== undefined && { geofence: road.geofence }),
});

function end(context: UpdateContext, next: Driving, kmh: number | undefined): void {
  const excess = next.excess as Excess;
  delete next.excess;
  delete next.keeps;
  const driving = reportOf(excess, kmh);
  emit(context, "user.kept_to_speed_limit", { driving, enteredAt: excess.since, confidence: 3 });
}

function reportOf({ topKmh, limitKmh, road, geofence }: Excess, kmh: number | undefined): DrivingReport {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    ...(kmh !== undefined && { speedKmh: rounded(kmh) }),
    limitKmh,
    topSpeedKmh: rounded(Math.max(topKmh, kmh ?? 0)),
    ...(road && { road }),
    ...(geofence && { geofence }),
  };
}
