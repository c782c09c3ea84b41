import type { WireFence } from "./fence-line.ts";
import { nameOfFence } from "./user-line.ts";

/** An event of the API, as far as tools use it. */
export interface WireEvent {
  _id: string;
  type: string;
  createdAt: string;
  user: { userId?: string; deviceId?: string };
  geofence?: WireFence;
  place?: { name: string };
  region?: { type: string; code: string };
  beacon?: { description?: string };
  trip?: { externalId?: string };
  /** Of speed limits and routes. */
  driving?: object;
  meeting?: { name: string };
  otherUser?: { _id: string; userId?: string; distance: number };
  confidence: number;
}

export function eventLine({
  _id,
  type,
  createdAt,
  geofence,
  place,
  region,
  beacon,
  trip,
  driving,
  meeting,
  otherUser,
  confidence,
}: WireEvent) {
  return {
    event: _id,
    type,
    at: createdAt,
    ...(geofence && { geofence: nameOfFence(geofence), description: geofence.description }),
    ...(place && { place: place.name }),
    ...(region && { region: `${region.type} ${region.code}` }),
    ...(beacon?.description && { beacon: beacon.description }),
    ...(trip?.externalId !== undefined && { trip: trip.externalId }),
    ...driving,
    ...(meeting && { meeting: meeting.name }),
    ...(otherUser && { otherUser: otherUser.userId ?? otherUser._id, distance: otherUser.distance }),
    ...(confidence < 3 && { confidence }),
  };
}
