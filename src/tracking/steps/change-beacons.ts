import { emit } from "../emit.ts";
import { anchorOf, isBeyond } from "../moved.ts";
import { outOfRangeRule, rangedRule } from "../trace/journey-rules.ts";
import type { BeaconPresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";

/** No beacon is ranged from this far away [m]. Some tens of metres are usual; some beacons ride on buses. */
const OUT_OF_RANGE = 1_000;

/**
 * Enters the beacons the device newly ranges and leaves those it no longer does. A device that reports no ranging
 * leaves those that it last ranged far away from here. A beacon that was disabled is forgotten without an event. A
 * beacon reaches a few metres, so the confidence is always high.
 */
export function changeBeacons(context: UpdateContext): void {
  const { state, surroundings, settings, at } = context;
  if (!settings.beacons) {
    state.beacons = undefined;
    return;
  }
  const held = state.beacons ?? (surroundings.beaconsExist ? {} : undefined);
  state.beacons = held;
  const around = surroundings.beacons;
  if (!around) {
    leaveFar(context);
    return;
  }
  const next: Record<string, BeaconPresence> = {};
  const anchor = anchorOf(context.update);
  const ranged = new Set(around.ranged.map(({ _id }) => _id));
  for (const [id, presence] of Object.entries(held ?? {})) {
    context.trace?.(rangedRule(presence.beacon, true, ranged.has(id)));
    if (ranged.has(id)) next[id] = presence;
    else if (!around.disabled.includes(id)) {
      emit(context, "user.exited_beacon", { beacon: presence.beacon, enteredAt: presence.enteredAt, confidence: 3 });
    }
  }
  for (const beacon of around.ranged) {
    const presence = next[beacon._id];
    // Takes over what was edited since the device entered.
    next[beacon._id] = { beacon, enteredAt: presence?.enteredAt ?? at, anchor };
    if (presence) continue;
    context.trace?.(rangedRule(beacon, false, true));
    emit(context, "user.entered_beacon", { beacon, confidence: 3 });
  }
  state.beacons = held || around.ranged.length > 0 ? next : undefined;
}

function leaveFar(context: UpdateContext): void {
  const { state, update, settings } = context;
  if (!state.beacons || update.accuracy > settings.accuracyLimit) return;
  const kept: Record<string, BeaconPresence> = {};
  let left = false;
  for (const [id, presence] of Object.entries(state.beacons)) {
    const { beacon, enteredAt, anchor } = presence;
    const beyond = anchor !== undefined && isBeyond(OUT_OF_RANGE, anchor, update);
    if (anchor) context.trace?.(outOfRangeRule(beacon, anchor, update, OUT_OF_RANGE, beyond));
    if (beyond) {
      emit(context, "user.exited_beacon", { beacon, enteredAt, confidence: 3 });
      left = true;
    } else kept[id] = presence;
  }
  if (left) state.beacons = kept;
}
