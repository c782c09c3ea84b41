import { confidenceOfAccuracy } from "../confidence.ts";
import { emit } from "../emit.ts";
import { followStay, MAX_ACCURACY } from "../insights/stays.ts";
import { idleRule } from "../trace/driving-rules.ts";
import type { Idling } from "../types/insights.ts";
import type { UpdateContext } from "../update-context.ts";

/** Generates events when a user has been at one place for long, outside exempt geofences, and when it leaves or this is not watched any more. */
export function idle(context: UpdateContext): void {
  const { before, state, update, at, settings, trace } = context;
  const known: Idling = before?.idling ?? {};
  if (!settings.idling) {
    const confidence = confidenceOfAccuracy(update.accuracy);
    if (known.since !== undefined) emit(context, "user.stopped_idling", { confidence, enteredAt: known.since });
    return;
  }
  if (update.accuracy > MAX_ACCURACY) {
    state.idling = known;
    return;
  }
  const minutes = settings.idling;
  const { stay, far, ended } = followStay(known.stay, update, at, minutes * 60_000);
  if (known.since !== undefined && ended !== undefined && isDoubtful(known, context)) {
    // One position that jumped does not end it: the next one is compared with the same place.
    state.idling = { ...known, away: true };
    return;
  }
  const { away: _, ...kept } = known;
  const next: Idling = { ...kept, stay };
  state.idling = next;
  const confidence = confidenceOfAccuracy(update.accuracy);
  if (known.since !== undefined && ended !== undefined) {
    delete next.since;
    trace?.(idleRule(minutes, far, at - known.since, true, false));
    emit(context, "user.stopped_idling", { confidence, enteredAt: known.since });
  } else if (known.since === undefined && stay.isVisit) {
    const tags = settings.idlingExemptTags ?? [];
    const isExempt = Object.values(state.geofences).some(
      ({ fence: { tag } }) => tag !== undefined && tags.includes(tag),
    );
    trace?.(idleRule(minutes, far, at - stay.since, !isExempt, isExempt));
    if (isExempt) return;
    next.since = stay.since;
    emit(context, "user.started_idling", { confidence, enteredAt: stay.since });
  } else trace?.(idleRule(minutes, far, at - stay.since, false, false));
}

/** Driving on needs no second position. */
const MIN_DRIVE = 3;

/** The first position away from where a device idles, without a speed that takes it there, and soon after the last one. */
const isDoubtful = ({ away, stay }: Idling, { update, at }: UpdateContext): boolean =>
  away !== true && !((update.speed ?? 0) >= MIN_DRIVE) && stay !== undefined && at - stay.last <= MAX_DOUBT_MS;
const MAX_DOUBT_MS = 5 * 60_000;
