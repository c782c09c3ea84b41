import { confidenceOutside } from "../confidence.ts";
import { anchorOf } from "../moved.ts";
import { emit, type Turn } from "../turn.ts";
import type { Anchor, FencePresence } from "../types/state.ts";

/** Ends the visits that are over, each with its length. */
export function exitFences(turn: Turn): void {
  const { exits } = turn.fences;
  if (exits.length === 0) return;
  const { state, update } = turn;
  const geofences: Record<string, FencePresence> = { ...state.geofences };
  const left: Record<string, Anchor> = { ...state.left };
  const here = anchorOf(update);
  for (const { presence, fence, distance } of exits) {
    const id = presence.fence._id;
    delete geofences[id];
    if (fence && turn.settings.bufferedEntries) left[id] = here;
    emit(turn, "user.exited_geofence", {
      geofence: presence.fence,
      enteredAt: presence.enteredAt,
      confidence: fence ? confidenceOutside(fence.shape, update.location, update.accuracy, distance) : 3,
    });
  }
  state.geofences = geofences;
  state.left = left;
}
