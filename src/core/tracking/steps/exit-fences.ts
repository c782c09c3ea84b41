import { confidenceOutside } from "../confidence.ts";
import { emit } from "../emit.ts";
import { anchorOf } from "../moved.ts";
import { confidenceRule } from "../trace/fence-rules.ts";
import type { Anchor, FencePresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";

/** Ends finished visits; each event contains the duration of the visit. */
export function exitFences(context: UpdateContext): void {
  const { exits, changed } = context.fences;
  if (exits.length + changed.length === 0) return;
  const { state, update } = context;
  const geofences: Record<string, FencePresence> = { ...state.geofences };
  const left: Record<string, Anchor> = { ...state.left };
  const here = anchorOf(update);
  for (const { presence, fence, distance } of exits) {
    const id = presence.fence._id;
    delete geofences[id];
    if (fence && context.settings.bufferedEntries) left[id] = here;
    const confidence = fence ? confidenceOutside(fence.shape, update.location, update.accuracy, distance) : 3;
    context.trace?.(confidenceRule(id, "outside", update, distance, confidence));
    emit(context, "user.exited_geofence", { geofence: presence.fence, enteredAt: presence.enteredAt, confidence });
  }
  for (const presence of changed) geofences[presence.fence._id] = presence;
  state.geofences = geofences;
  state.left = left;
}
