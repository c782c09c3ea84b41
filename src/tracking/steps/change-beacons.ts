import { anchorOf, isBeyond } from "../moved.ts";
import { emit, type Turn } from "../turn.ts";
import type { BeaconPresence } from "../types/state.ts";

/** Nobody hears a beacon from this far [m]; some tens of metres are usual, and some ride on buses. */
const OUT_OF_EARSHOT = 1_000;

/**
 * Enters the beacons the device newly hears and leaves those it no longer does. A device that does not listen leaves those
 * that it last heard far away; a beacon that was switched off is forgotten without an event. A beacon reaches a few metres,
 * so there is no doubt.
 */
export function changeBeacons(turn: Turn): void {
  const { state, surroundings, settings, at } = turn;
  if (!settings.beacons) {
    state.beacons = undefined;
    return;
  }
  const held = state.beacons ?? (surroundings.beaconsExist ? {} : undefined);
  state.beacons = held;
  const around = surroundings.beacons;
  if (!around) {
    leaveFar(turn);
    return;
  }
  const next: Record<string, BeaconPresence> = {};
  const anchor = anchorOf(turn.update);
  const heard = new Set(around.heard.map(({ _id }) => _id));
  for (const [id, presence] of Object.entries(held ?? {})) {
    if (heard.has(id)) next[id] = presence;
    else if (!around.disabled.includes(id)) {
      emit(turn, "user.exited_beacon", { beacon: presence.beacon, enteredAt: presence.enteredAt, confidence: 3 });
    }
  }
  for (const beacon of around.heard) {
    const presence = next[beacon._id];
    // What was edited under a listener shows from now on.
    next[beacon._id] = { beacon, enteredAt: presence?.enteredAt ?? at, anchor };
    if (!presence) emit(turn, "user.entered_beacon", { beacon, confidence: 3 });
  }
  state.beacons = held || around.heard.length > 0 ? next : undefined;
}

function leaveFar(turn: Turn): void {
  const { state, update, settings } = turn;
  if (!state.beacons || update.accuracy > settings.accuracyLimit) return;
  const kept: Record<string, BeaconPresence> = {};
  let left = false;
  for (const [id, presence] of Object.entries(state.beacons)) {
    const { beacon, enteredAt, anchor } = presence;
    if (anchor && isBeyond(OUT_OF_EARSHOT, anchor, update)) {
      emit(turn, "user.exited_beacon", { beacon, enteredAt, confidence: 3 });
      left = true;
    } else kept[id] = presence;
  }
  if (left) state.beacons = kept;
}
