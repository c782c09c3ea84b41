import type { Delivery } from "../../../core/engagement/deliver.ts";
import type { PhoneOwner } from "../../../core/engagement/phone.ts";
import type { Shown } from "../../../core/engagement/send.ts";
import type { Creation } from "../../../core/limits/table.ts";
import type { TripChange } from "../../../core/tracking/trips.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Surroundings } from "../../../core/tracking/types/surroundings.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import type { UserWrite } from "../../db/customers/writes.ts";
import { wireEvent } from "../../wire/event.ts";
import { wireUser } from "../../wire/user.ts";
import { PLAIN_ENTRY } from "./tracker-store.ts";

/** What a DeviceTracker is called with, and what it returns. */

/** Limits of a publishable key, and how long its project may add nothing [ms]. */
export type Creations = Readonly<Record<Creation, number>> & { full?: number };

/** An update with everything needed to apply it, except the geofences, which the tracker looks up itself. */
export interface TrackRequest {
  scope: number;
  live: boolean;
  update: LocationUpdate;
  settings: TrackingSettings;
  /** The newest epoch of the scope's geofences known to the caller. */
  fenceEpoch: number;
  /** The same for its beacons; 0 = it has never had any. */
  beaconEpoch: number;
  /** The same for its campaigns; 0 = it has never had any. */
  campaignEpoch: number;
  /** The response has nearby geofences, and the notifications of campaigns for them. */
  wantsFences?: boolean;
  /** The response has tracking options, which depend on the geofences that the user is inside. */
  wantsTags?: boolean;
  /** Notifications that the phone has shown by itself since its last update. */
  shown?: readonly Shown[];
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
  /** The project wants ETAs corrected by what was learned from earlier journeys; absent = no. */
  correctedEta?: boolean;
  /** The project wants ETAs that follow what its devices see now; absent = no. */
  liveEta?: boolean;
  around: Omit<Surroundings, "fences" | "removed" | "beacons" | "beaconsExist" | "trip">;
  /** Updates per second a device may send. */
  rate: number;
  /** How long updates are kept [days]. */
  updateDays: number;
  /** What the caller's key may add [per hour]; absent = unlimited. */
  creations?: Creations;
  /** Of a batch that began within the limits of bytes: it is stored whole. */
  isAdmitted?: boolean;
  idempotencyKey?: string;
  /** For a replayed update whose time depends on when it is sent: identifies it if it is sent again. */
  resent?: number;
  /** The response may be returned as serialized by the API, if it is the same for all callers. */
  mayWrite?: boolean;
}

/** What a publishable key has added, for the caller to count [bytes]. */
export interface Added {
  added?: number;
}

export interface Limited extends Added {
  limited: true;
  waitMs: number;
  /** The exceeded creation limit, if it is not the device's rate limit. */
  creation?: Creation;
}
export interface Taken extends Added {
  limited: false;
  state: UserState;
  events: readonly TrackEvent[];
  repeated: boolean;
  /** What campaigns add to the response. */
  delivery?: Delivery;
  /** The position, which the caller hands over to the database (src/worker/objects/tracker/positions-stub.ts). */
  position?: readonly UserWrite[];
}
/** State and events as serialized by the API (JSON). */
export interface Written extends Added {
  limited: false;
  repeated: boolean;
  user: string;
  events: { type: string; json: string }[];
  /** JSON list of in-app messages; absent = none. */
  messages?: string;
  /** For notifications that the phone shows itself. */
  phone?: PhoneOwner;
  /** Tags of the geofences that the user is inside, if there are any. */
  tags?: readonly string[];
  /** With the tags: the user has a trip. */
  onTrip?: boolean;
  position?: readonly UserWrite[];
}
export type Applied = Limited | (Taken & { written?: Omit<Written, "limited" | "repeated"> });
export type TrackAnswer = Limited | Taken | Written;

/** `taken`: number of updates that were not sent before. */
export type ReplayAnswer = Limited | (Omit<Taken, "repeated"> & { taken: number });

/** A change to a trip by an API call. */
export interface TripRequest {
  scope: number;
  settings: TrackingSettings;
  trip: Trip;
  change: TripChange;
  now: number;
  creations?: Creations | undefined;
}

/**
 * Rejects data that the API couldn't return later.
 * @throws Unwritable
 */
export function mustBeWritable(state: UserState | undefined, events: readonly TrackEvent[]): void {
  if (state) wireUser(state);
  for (const event of events) wireEvent(event);
}

/**
 * Does an update add more than the position of a known user, which is never limited?
 * @param events that it generates
 */
export function addsData(
  before: UserState | undefined,
  { update, idempotencyKey }: Pick<TrackRequest, "update" | "idempotencyKey">,
  events: readonly TrackEvent[],
): boolean {
  if (!before || events.length > 0 || idempotencyKey !== undefined) return true;
  const { metadata, ...rest } = update;
  const isSame = metadata === undefined || JSON.stringify(metadata) === JSON.stringify(before.metadata);
  return !isSame || JSON.stringify(rest).length > PLAIN_ENTRY;
}

/** @throws Unwritable */
export function write(
  state: UserState,
  events: readonly TrackEvent[],
  delivery?: Delivery,
  wantsTags?: boolean,
): Omit<Written, "limited" | "repeated"> {
  return {
    user: JSON.stringify(wireUser(state)),
    events: events.map((event) => ({ type: event.type, json: JSON.stringify(wireEvent(noted(event, delivery))) })),
    ...(delivery && delivery.messages.length > 0 && { messages: JSON.stringify(delivery.messages) }),
    ...(delivery?.phone && { phone: delivery.phone }),
    ...(wantsTags && { tags: tagsOf(state), onTrip: state.trip !== undefined }),
  };
}

function tagsOf({ geofences }: UserState): string[] {
  return Object.values(geofences).flatMap(({ fence }) => fence.tag ?? []);
}

/** An event of a response, with the notification of a campaign. The stored event does not have it. */
export function noted(event: TrackEvent, delivery: Delivery | undefined): TrackEvent {
  const note = delivery?.notes[event._id];
  return note ? { ...event, metadata: { ...event.metadata, ...note } } : event;
}
