import { isBeyond, moved } from "./moved.ts";
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
  /** The region is held on to: its presence from now on, without an event. */
  keep?: RegionPresence;
}

const NONE: readonly RegionStep[] = [];

/**
 * How far a region is taken to reach from the last point that was known to lie in it, where nothing is known any more [m].
 * Most regions of a kind are smaller; an exit that comes late is better than one that never comes, or one for each edge of
 * an import that runs through a town.
 */
const REACH: Readonly<Record<RegionKind, number>> = {
  country: 2_000_000,
  state: 500_000,
  dma: 300_000,
  postalCode: 30_000,
};

/**
 * The changes of region an update brings. The first update in a region counts; only the way straight back over the same
 * border asks for a device that has certainly moved, so that nobody changes states by sitting still.
 *
 * Where nothing is known of a kind - beyond the edge of all data, or when it was taken away - a region is held on to until
 * the device is farther from where it was known last than a region reaches.
 */
export function matchRegions(
  before: UserState | undefined,
  state: UserState,
  update: LocationUpdate,
  { regions, unknownRegions }: Surroundings,
  settings: TrackingSettings,
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
        ? change(kind, from, regions[kind], state, update)
        : from && before && holdOn(kind, from, before, update);
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
): RegionStep | undefined {
  if (from?.region._id === to?._id) {
    return from?.lost && { kind, silent: true, keep: { region: from.region, enteredAt: from.enteredAt } };
  }
  const last = regionChanges[kind];
  if (last && last.from === (to?._id ?? null) && !moved(last.anchor, update)) return undefined;
  return { kind, from, to, silent: false };
}

function holdOn(
  kind: RegionKind,
  from: RegionPresence,
  before: UserState,
  update: LocationUpdate,
): RegionStep | undefined {
  const lost = from.lost ?? { location: before.location, accuracy: before.locationAccuracy };
  if (isBeyond(REACH[kind], lost, update)) return { kind, from, silent: false };
  return from.lost ? undefined : { kind, silent: true, keep: { ...from, lost } };
}
