import { moved } from "./moved.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { RegionPresence, UserState } from "./types/state.ts";
import { REGION_KINDS, type Region, type RegionKind, type Surroundings } from "./types/surroundings.ts";
import type { LocationUpdate } from "./types/update.ts";

export interface RegionStep {
  kind: RegionKind;
  /** Absent = from none. */
  from?: RegionPresence;
  /** Absent = into none. */
  to?: Region;
  /** The project has switched the kind off: forget it without an event. */
  silent: boolean;
}

const NONE: readonly RegionStep[] = [];

/**
 * The changes of region an update brings. The first update in a region counts; only the way straight back over the same
 * border asks for a device that has certainly moved, so that nobody changes states by sitting still.
 */
export function matchRegions(
  state: UserState,
  update: LocationUpdate,
  { regions }: Surroundings,
  settings: TrackingSettings,
): readonly RegionStep[] {
  const known = regions !== undefined && update.accuracy <= settings.accuracyLimit;
  let steps: RegionStep[] | undefined;
  for (const kind of REGION_KINDS) {
    const from = state.regions[kind];
    const on = settings.regions[kind];
    if (on ? !known : from === undefined) continue;
    const to = on ? regions?.[kind] : undefined;
    if (on) {
      if (from?.region._id === to?._id) continue;
      const last = state.regionChanges[kind];
      if (last && last.from === (to?._id ?? null) && !moved(last.anchor, update)) continue;
    }
    steps ??= [];
    steps.push({ kind, from, to, silent: !on });
  }
  return steps ?? NONE;
}
