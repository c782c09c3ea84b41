import { distance } from "../../geo/distance.ts";
import { confidenceOfAccuracy } from "../confidence.ts";
import { emit } from "../emit.ts";
import { creditStay, findBases } from "../insights/spots.ts";
import { endedVisit, followStay, MAX_ACCURACY } from "../insights/stays.ts";
import { isSettled } from "../moved.ts";
import { baseRule, commuteRule, insightAccuracyRule, placeRule, stayRule, travelRule } from "../trace/insight-rules.ts";
import type { Base, FoundBase, Insights } from "../types/insights.ts";
import type { UpdateContext } from "../update-context.ts";

/** A user comes to its home, or place of work, within this distance, and leaves it beyond the other and the accuracy [m]. */
const ENTERS = 150;
const EXITS = 200;
/** Farther from home than this the user is traveling, and nearer than the other it is back [m]. */
const TRAVELS = 150_000;
const RETURNS = 100_000;
/** Bases nearer to each other are not commuted between [m]. */
const MIN_COMMUTE = 500;
/** A way between bases is at most this much longer than the straight line, and this [m]. */
const [DETOUR, DETOUR_METRES] = [1.4, 1_000];
/** A commute has begun when this share of the way is covered. */
const BEGUN = 0.1;
const MAX_COMMUTE_MS = 3 * 3600_000;

const EVENTS = {
  home: ["user.entered_home", "user.exited_home"],
  work: ["user.entered_work", "user.exited_work"],
} as const;

/** Learns the stays of a user, its home and its place of work, and generates their events: the last step, if enabled. */
export function learn(context: UpdateContext): void {
  const { state, update, surroundings, at, before } = context;
  const known: Insights = before?.insights ?? { spots: [] };
  const isAccurate = update.accuracy <= MAX_ACCURACY;
  context.trace?.(insightAccuracyRule(update, MAX_ACCURACY));
  if (!isAccurate) {
    state.insights = known;
    return;
  }
  const timeZone = surroundings.timeZone ?? update.timeZone ?? state.timeZone ?? "UTC";
  const step = followStay(known.stay, update, at);
  context.trace?.(stayRule(step, at));
  let { spots } = known;
  let { stay } = step;
  const kept = [known.home, known.work];
  const ended = step.before && step.ended !== undefined ? endedVisit(step.before, step.ended) : undefined;
  if (ended) spots = creditStay(spots, ended, timeZone, kept);
  if (stay.isVisit) {
    spots = creditStay(spots, stay, timeZone, kept);
    stay = { ...stay, credited: at };
  }
  const bases = findBases({ ...known, spots }, at, timeZone);
  const next: Insights = { ...known, ...bases, spots, stay };
  if (!bases.home) delete next.home;
  if (!bases.work) delete next.work;
  context.trace?.(baseRule("home", next, timeZone));
  context.trace?.(baseRule("work", next, timeZone));
  changeBase(context, next);
  travel(context, next);
  commute(context, next, known.at);
  state.insights = next;
}

/** Enters and leaves home and work. A base is entered when the device stops, or is there a second time. */
function changeBase(context: UpdateContext, next: Insights): void {
  const { update, at, trace } = context;
  const { at: held } = next;
  const confidence = confidenceOfAccuracy(update.accuracy);
  const inside = (base: Base) => {
    const found = next[base];
    return found !== undefined && far(context, found) <= ENTERS;
  };
  const here = inside("home") ? "home" : inside("work") ? "work" : undefined;
  if (held !== undefined) {
    const base = next[held];
    // A base that is no longer one is left, too.
    const leaves = base === undefined || far(context, base) > EXITS + update.accuracy;
    trace?.(placeRule(held, base && far(context, base), false, leaves));
    if (leaves) {
      emit(context, EVENTS[held][1], { confidence, enteredAt: next.since });
      next.commute = next.home && next.work && { from: held, since: at, begun: false };
      delete next.at;
      delete next.since;
    }
  }
  if (next.at === undefined && here !== undefined) {
    const enters = isSettled(update) || next.near === here || next.stay?.isVisit === true;
    trace?.(placeRule(here, far(context, next[here] as FoundBase), true, enters));
    if (enters) {
      next.at = here;
      next.since = at;
      emit(context, EVENTS[here][0], { confidence });
    }
  }
  next.near = here;
}

function travel(context: UpdateContext, next: Insights): void {
  const { home, traveling = false } = next;
  const metres = home && far(context, home);
  const travels = metres !== undefined && metres > (traveling ? RETURNS : TRAVELS);
  if (metres !== undefined) context.trace?.(travelRule(metres, travels, traveling ? RETURNS : TRAVELS));
  if (travels === traveling) return;
  if (travels) next.traveling = true;
  else delete next.traveling;
  const confidence = confidenceOfAccuracy(context.update.accuracy);
  emit(context, travels ? "user.started_traveling" : "user.stopped_traveling", { confidence });
}

/** Between leaving one base and coming to the other, near the way between them. */
function commute(context: UpdateContext, next: Insights, held: Base | undefined): void {
  const { at, update, trace } = context;
  const { home, work, commute: now, stay } = next;
  if (!now) return;
  const confidence = confidenceOfAccuracy(update.accuracy);
  const length = home && work ? distance(home.location, work.location) : 0;
  const way = home && work ? far(context, home) + far(context, work) : Number.POSITIVE_INFINITY;
  const goal = now.from === "home" ? work : home;
  const isStay = stay?.isVisit === true && held === undefined;
  const isOver =
    next.at !== undefined ||
    isStay ||
    length < MIN_COMMUTE ||
    way > length * DETOUR + DETOUR_METRES ||
    at - now.since > MAX_COMMUTE_MS;
  const begins = !isOver && !now.begun && goal !== undefined && far(context, goal) <= length * (1 - BEGUN);
  trace?.(commuteRule(now, way, length, isOver, now.begun || begins));
  if (begins) {
    next.commute = { ...now, begun: true };
    emit(context, "user.started_commuting", { confidence });
  }
  if (!isOver) return;
  delete next.commute;
  if (now.begun) emit(context, "user.stopped_commuting", { confidence });
}

const far = ({ update }: UpdateContext, { location }: FoundBase) => distance(location, update.location);
