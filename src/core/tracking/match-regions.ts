import { isBeyond, moved } from "./moved.ts";
import type { Trace } from "./trace/decision.ts";
import { borderRule, unknownRegionRule, unreadRegionRule } from "./trace/place-rules.ts";
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
  /** The project has disabled this kind: forget the region without an event. */
  silent: boolean;
  /** The device stays in the region: its presence from now on, without an event. */
  keep?: RegionPresence;
}

const NONE: readonly RegionStep[] = [];

/**
 * Without geodata, a region is assumed to extend this far from the last point known to be in it [m]. Most regions of
 * the kind are smaller. A late exit is better than none, and better than an exit each time a device crosses the edge of
 * an import in a town.
 */
const REACH: Readonly<Record<RegionKind, number>> = {
  country: 2_000_000,
  state: 500_000,
  dma: 300_000,
  postalCode: 30_000,
};

/**
 * The region changes of an update. The first update in a new region is accepted. Only going straight back over the same
 * border requires that the device has certainly moved, so that a stationary device doesn't change states.
 *
 * Without data of a kind (beyond the edge of an import, or after it was removed), the device stays in its region until
 * it is farther than `REACH` from the last point with data. Where data could not be read, it stays in its regions.
 */
export function matchRegions(
  before: UserState | undefined,
  state: UserState,
  update: LocationUpdate,
  { regions, unknownRegions, unread }: Surroundings,
  settings: TrackingSettings,
  trace?: Trace,
): readonly RegionStep[] {
  const accurate = update.accuracy <= settings.accuracyLimit;
  let steps: RegionStep[] | undefined;
  for (const kind of REGION_KINDS) {
    const from = state.regions[kind];
    const on = settings.regions[kind];
    if (on ? !accurate : from === undefined) continue;
    const known = regions !== undefined && !unknownRegions?.includes(kind);
    const step = !on
      ? { kind, from, silent: true }
      : known
        ? change(kind, from, regions[kind], state, update, trace)
        : from && before && !isUnread(unread, from, trace) && holdOn(kind, from, before, update, trace);
    if (!step) continue;
    steps ??= [];
    steps.push(step);
  }
  return steps ?? NONE;
}

function change(
  kind: RegionKind,
  from: RegionPresence | undefined,
  to: Region | undefined,
  { regionChanges }: UserState,
  update: LocationUpdate,
  trace: Trace | undefined,
): RegionStep | undefined {
  if (from?.region._id === to?._id) {
    return from?.lost && { kind, silent: true, keep: { region: from.region, enteredAt: from.enteredAt } };
  }
  const last = regionChanges[kind];
  const back = last !== undefined && last.from === (to?._id ?? null) && !moved(last.anchor, update);
  trace?.(borderRule(kind, from?.region, to, update, back ? last.anchor : undefined));
  if (back) return undefined;
  return { kind, from, to, silent: false };
}

/** Whether the region stays as it is, because the map could not be read. */
function isUnread(unread: true | undefined, { region }: RegionPresence, trace: Trace | undefined): boolean {
  if (unread) trace?.(unreadRegionRule(region));
  return unread === true;
}

function holdOn(
  kind: RegionKind,
  from: RegionPresence,
  before: UserState,
  update: LocationUpdate,
  trace: Trace | undefined,
): RegionStep | undefined {
  const lost = from.lost ?? { location: before.location, accuracy: before.locationAccuracy };
  const beyond = isBeyond(REACH[kind], lost, update);
  trace?.(unknownRegionRule(from.region, lost, update, REACH[kind], beyond));
  if (beyond) return { kind, from, silent: false };
  return from.lost ? undefined : { kind, silent: true, keep: { ...from, lost } };
}
