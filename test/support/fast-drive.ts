import polyline from "@mapbox/polyline";
import { expect } from "vitest";
import { destination, distance } from "../../src/core/geo/distance.ts";
import { get, type Json, post, put } from "./world.ts";

/** The way through the demo town, from one end to the other. */
const [WEST, EAST] = ["48.985,-111.23", "49.015,-111.17"];

/** What a project watches in this drive. */
export const DRIVE_SETTINGS = { speedLimits: true, speedTolerance: 5, routeTolerance: 50, idling: 2 };

/**
 * A trip of a van through the demo town at 108 km/h, a position every two seconds: then at 20 km/h, a detour over the fields, back to the
 * street, and a stand of three minutes, up to now. Returns the responses' events, and the user.
 */
export async function driveThrough(
  secret: string,
  deviceId: string,
  tripId: string,
): Promise<{ events: Json[]; user: Json }> {
  const path = `/v1/route/distance?origin=${WEST}&destination=${EAST}&modes=car&geometry=polyline6`;
  const { body: found } = await get(path, secret);
  const line = polyline
    .decode(found.routes.car.geometry.polyline, 6)
    .map(([latitude, longitude]) => ({ latitude, longitude }));
  const end = line[line.length - 1];
  const door = { description: "Door", type: "circle", coordinates: [end.longitude, end.latitude], radius: 30 };
  await put(`/v1/geofences/door/${tripId}`, secret, door);
  const points: { seconds: number; latitude: number; longitude: number; speed: number }[] = [];
  let seconds = 0;
  const add = (at: { latitude: number; longitude: number }, kmh: number) => {
    points.push({ ...at, seconds, speed: kmh / 3.6 });
    seconds += 2;
  };
  const total = line.slice(1).reduce((sum, point, i) => sum + distance(line[i], point), 0);
  const pointAt = (metres: number) => {
    let rest = metres;
    for (let i = 1; i < line.length; i++) {
      const length = distance(line[i - 1], line[i]);
      if (rest > length) rest -= length;
      else {
        const share = length > 0 ? rest / length : 0;
        const { latitude, longitude } = line[i - 1];
        return {
          latitude: latitude + (line[i].latitude - latitude) * share,
          longitude: longitude + (line[i].longitude - longitude) * share,
        };
      }
    }
    return end;
  };
  let metres = 0;
  for (; metres < total * 0.6; metres += 60) add(pointAt(metres), 108);
  for (let k = 0; k < 10; k++, metres += 11) add(pointAt(metres), 20);
  const turn = pointAt(metres);
  for (const away of [60, 120, 180, 240, 300, 240, 180, 120, 60, 0]) add(destination(turn, 315, away), 20);
  for (let k = 0; k < 5; k++, seconds += 38) add(turn, 0);
  for (let k = 0; k < 3; k++, metres += 100) add(pointAt(metres + 150), 20);
  const begin = Date.now() - seconds * 1000;
  const tripOptions = {
    externalId: tripId,
    destinationGeofenceTag: "door",
    destinationGeofenceExternalId: tripId,
    mode: "car",
  };
  const replays = points.map(({ seconds: at, ...point }) => ({
    ...{ deviceId, userId: `driver-${deviceId}`, accuracy: 5, tripOptions, ...point },
    updatedAt: new Date(begin + at * 1000).toISOString(),
  }));
  const { status, body } = await post("/v1/track/replay", secret, { replays });
  expect([status, body.rejected]).toEqual([200, []]);
  return { events: body.events, user: body.user };
}
