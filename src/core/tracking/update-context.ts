import type { FenceMatches } from "./match-fences.ts";
import type { PlaceStep } from "./match-place.ts";
import type { RegionStep } from "./match-regions.ts";
import type { Trace } from "./trace/decision.ts";
import type { DeviceReport } from "./types/device.ts";
import type { TrackEvent } from "./types/event.ts";
import type { FraudState } from "./types/fraud.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { UserState } from "./types/state.ts";
import type { Surroundings } from "./types/surroundings.ts";
import type { Trip } from "./types/trip.ts";
import type { LocationUpdate } from "./types/update.ts";

/**
 * State shared by the steps while one update is applied. They write to `state` (a new object that shares unchanged
 * parts with the old one, so replace a part rather than change it), `events` and `trips`.
 */
export interface UpdateContext {
  readonly update: LocationUpdate;
  readonly surroundings: Surroundings;
  readonly settings: TrackingSettings;
  /** When it happened [ms]. */
  readonly at: number;
  /** The effect of the fix on geofences, regions and the place: computed before the first step. */
  readonly fences: FenceMatches;
  readonly regions: readonly RegionStep[];
  readonly place: PlaceStep | undefined;
  readonly fraud: FraudState | undefined;
  readonly before: UserState | undefined;
  readonly state: UserState;
  readonly events: TrackEvent[];
  readonly trips: Trip[];
  /** Called for each decision; absent = not recorded. */
  readonly trace?: Trace;
}

/** The part that an event needs: some events occur without an update, such as those of a trip ended by a server. */
export interface EventContext extends Pick<UpdateContext, "settings" | "at" | "state" | "events" | "trips" | "trace"> {
  readonly update: Pick<LocationUpdate, "location" | "accuracy" | "receivedAt" | "replayed"> & DeviceReport;
}

export type Step = (context: UpdateContext) => void;
