import { confidenceInside } from "../confidence.ts";
import { isOpen, localTime } from "../operating-hours.ts";
import { emit, type Turn } from "../turn.ts";
import type { Fence } from "../types/fence.ts";
import type { FencePresence } from "../types/state.ts";
import { labelOf } from "./enter-fences.ts";

/** Notes, once per visit, that it has become long; and renews the labels of fences that were edited under a visitor. */
export function dwellInFences(turn: Turn): void {
  const { state, update } = turn;
  let geofences: Record<string, FencePresence> | undefined;
  for (const { presence, fence, distance } of turn.fences.stays) {
    const dwells = isDue(turn, presence, fence);
    // A label without a type is of an earlier release.
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
    emit(turn, "user.dwelled_in_geofence", {
      geofence: label,
      confidence: confidenceInside(fence.shape, update.location, update.accuracy, distance),
    });
  }
  if (geofences) state.geofences = geofences;
}

function isDue({ at, settings, surroundings, update }: Turn, presence: FencePresence, fence: Fence): boolean {
  if (presence.dwelled) return false;
  const minutes = fence.dwellThreshold ?? settings.dwellThreshold;
  if (!(minutes > 0) || at - presence.enteredAt <= minutes * 60_000) return false;
  if (!fence.operatingHours) return true;
  return isOpen(fence.operatingHours, localTime(at, surroundings.timeZone ?? update.timeZone ?? "UTC"));
}
