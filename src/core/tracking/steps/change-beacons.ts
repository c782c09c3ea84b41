import { emit } from "../emit.ts";
import { anchorOf, isBeyond } from "../moved.ts";
import { outOfRangeRule, rangedRule } from "../trace/journey-rules.ts";
import type { BeaconPresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";

/** No beacon is ranged from this distance [m]. Usual are some tens of meters; some beacons are on buses. */
const OUT_OF_RANGE = 1_000;

/**
 * Enters newly ranged beacons and leaves those no longer ranged. A device that reports no ranging leaves beacons that
 * it last ranged far from here. A disabled beacon is forgotten without an event. A beacon has a range of a few meters,
 * so the confidence is always high.
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
    // Applies edits made since the device entered.
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
