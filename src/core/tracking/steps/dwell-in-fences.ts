import { confidenceInside } from "../confidence.ts";
import { emit } from "../emit.ts";
import { confidenceRule, dwellRule, hoursRule } from "../trace/fence-rules.ts";
import type { Fence } from "../types/fence.ts";
import { isOpen, localTime } from "../types/operating-hours.ts";
import type { FencePresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";
import { labelOf } from "./enter-fences.ts";

/** Generates the dwell event, once per visit, and updates the labels of fences that were edited during a visit. */
export function dwellInFences(context: UpdateContext): void {
  const { state, update } = context;
  let geofences: Record<string, FencePresence> | undefined;
  for (const { presence, fence, distance } of context.fences.stays) {
    const dwells = isDue(context, presence, fence);
    // Labels of earlier releases have no type.
    const current = presence.revision === fence.revision && presence.fence.type !== undefined;
    if (!dwells && current) continue;
    const label = current ? presence.fence : labelOf(fence);
    geofences ??= { ...state.geofences };
    geofences[fence.id] = {
      ...presence,
      fence: label,
      revision: fence.revision,
      dwelled: presence.dwelled || dwells,
    };
    if (!dwells) continue;
    const confidence = confidenceInside(fence.shape, update.location, update.accuracy, distance);
    context.trace?.(confidenceRule(fence.id, "inside", update, distance, confidence));
    emit(context, "user.dwelled_in_geofence", { geofence: label, confidence });
  }
  if (geofences) state.geofences = geofences;
}

function isDue(context: UpdateContext, presence: FencePresence, fence: Fence): boolean {
  const { at, settings, surroundings, update, trace } = context;
  const minutes = fence.dwellThreshold ?? settings.dwellThreshold;
  const due = !presence.dwelled && minutes > 0 && at - presence.enteredAt > minutes * 60_000;
  trace?.(dwellRule(fence, presence, minutes, at, due));
  if (!due || !fence.operatingHours) return due;
  const timeZone = surroundings.timeZone ?? update.timeZone ?? "UTC";
  const now = localTime(at, timeZone);
  const open = isOpen(fence.operatingHours, now);
  trace?.(hoursRule(fence, now, timeZone, open));
  return open;
}
