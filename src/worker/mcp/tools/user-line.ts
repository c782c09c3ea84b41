import { round6 } from "../base/result.ts";
import type { WireFence } from "./fence-line.ts";

/** A user of the API, as far as tools use it. */
export interface WireUser {
  _id: string;
  userId?: string;
  deviceId?: string;
  description?: string;
  location: { coordinates: [number, number] };
  locationAccuracy: number;
  updatedAt: string;
  stopped?: boolean;
  geofences: WireFence[];
  place?: { name: string };
  trip?: { externalId?: string; status: string };
  country?: { code: string };
}

/** Geofences of one user in a line. */
const MAX_FENCES = 5;

export function userLine(user: WireUser) {
  const { _id, userId, deviceId, description, location, locationAccuracy, updatedAt, stopped, place, trip } = user;
  const [longitude, latitude] = location.coordinates;
  return {
    id: _id,
    ...(userId !== undefined && { userId }),
    ...(deviceId !== undefined && { deviceId }),
    ...(description !== undefined && { description }),
    latitude: round6(latitude),
    longitude: round6(longitude),
    accuracy: Math.round(locationAccuracy),
    updatedAt,
    ...(stopped !== undefined && { stopped }),
    ...(user.geofences.length > 0 && { geofences: user.geofences.slice(0, MAX_FENCES).map(nameOfFence) }),
    ...(place && { place: place.name }),
    ...(trip && { trip: { externalId: trip.externalId, status: trip.status } }),
  };
}

/** "stores/42", or the id of a geofence without these. */
export const nameOfFence = ({ _id, tag, externalId }: WireFence) =>
  tag !== undefined && externalId !== undefined ? `${tag}/${externalId}` : _id;
