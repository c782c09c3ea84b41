import { confidenceInside } from "../confidence.ts";
import { emit } from "../emit.ts";
import { isOpen, localTime } from "../operating-hours.ts";
import type { Fence } from "../types/fence.ts";
import type { FencePresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";
import { labelOf } from "./enter-fences.ts";

/** Makes the dwell event, once per visit, and updates the labels of fences that were edited during a visit. */
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
    emit(context, "user.dwelled_in_geofence", {
      geofence: label,
      confidence: confidenceInside(fence.shape, update.location, update.accuracy, distance),
    });
  }
  if (geofences) state.geofences = geofences;
}

function isDue({ at, settings, surroundings, update }: UpdateContext, presence: FencePresence, fence: Fence): boolean {
  if (presence.dwelled) return false;
  const minutes = fence.dwellThreshold ?? settings.dwellThreshold;
  if (!(minutes > 0) || at - presence.enteredAt <= minutes * 60_000) return false;
  if (!fence.operatingHours) return true;
  return isOpen(fence.operatingHours, localTime(at, surroundings.timeZone ?? update.timeZone ?? "UTC"));
}
