import { applyUpdate } from "../steps/apply-update.ts";
import type { Decision } from "../trace/decision.ts";
import type { TrackEvent } from "../types/event.ts";
import type { Fence } from "../types/fence.ts";
import type { UserState } from "../types/state.ts";
import type { Entry } from "./entry.ts";
import { changed, type PastUpdate, readPage } from "./read-page.ts";

/** An update that was rerun. */
export interface Rerun {
  past: PastUpdate;
  /** The user before the update; undefined = it was the first one. */
  before: UserState | undefined;
  after: UserState;
  events: readonly TrackEvent[];
  decisions: Decision[];
  /** The requested fence was relevant then, and its state at that time is known. */
  asThen: boolean;
  /** The events are the same as then. Not so if a large fence has changed since, or the rules in a release. */
  same: boolean;
}

/**
 * Reruns a page's updates up to one, and that one with a recorder, which gets the decisions of the step itself.
 * @param user the _id
 * @param index of the entry
 * @param known current fences, by id: for those that the history didn't store
 * @param asked the requested fence: evaluated even if it was not relevant
 * @returns undefined if the initial state is no longer known
 */
export function rerun(
  base: UserState | undefined,
  entries: readonly Entry[],
  user: string,
  index: number,
  known: ReadonlyMap<string, Fence>,
  asked?: string,
): Rerun | undefined {
  let state = base;
  for (const [i, past] of readPage(entries.slice(0, index + 1), user).entries()) {
    if ("change" in past) {
      if (state) state = changed(state, past);
      continue;
    }
    if (!state && !past.identity) return undefined;
    const identity = state ?? past.identity;
    if (!identity) return undefined;
    const fences = [...past.surroundings.fences, ...past.unkept.flatMap((id) => known.get(id) ?? [])];
    if (i < index) {
      state = applyUpdate(state, past.update, { ...past.surroundings, fences }, past.settings, identity).state;
      continue;
    }
    const asThen = asked === undefined || past.surroundings.fences.some(({ id }) => id === asked);
    const also = asked !== undefined && !fences.some(({ id }) => id === asked) ? known.get(asked) : undefined;
    if (also) fences.push(also);
    const decisions: Decision[] = [];
    const around = { ...past.surroundings, fences };
    const outcome = applyUpdate(state, past.update, around, past.settings, identity, (one) => decisions.push(one));
    const made = outcome.events.map(({ _id }) => _id);
    const same = made.join() === past.events.join();
    return { past, before: state, after: outcome.state, events: outcome.events, decisions, asThen, same };
  }
  return undefined;
}
