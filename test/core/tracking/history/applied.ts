import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../../../src/core/tracking/types/settings.ts";
import type { Surroundings } from "../../../../src/core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../../src/core/tracking/types/update.ts";
import type { TrackerStore } from "../../../../src/worker/objects/tracker/tracker-store.ts";

/** Applies an update as a tracker does. */
export function applied(
  store: TrackerStore,
  { update, surroundings }: { update: LocationUpdate; surroundings: Surroundings },
  { days = 30, id = "60" }: { days?: number; id?: string } = {},
): void {
  const before = store.find(update.userId);
  const identity = before ?? { _id: id.padEnd(24, "0"), live: false };
  const outcome = applyUpdate(before, update, surroundings, DEFAULT_SETTINGS, identity);
  if (outcome.state === before) return;
  const change = { before, update, surroundings, settings: DEFAULT_SETTINGS, outcome };
  store.save(outcome.state, outcome.events, [], { applied: change, days });
}
