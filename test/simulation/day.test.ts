import { expect, it } from "vitest";
import { simulateDay } from "./day.ts";

it("a day of ten devices on the roads is told as the plain account tells it: geofences, regions, places, beacons, trips", async () => {
  const { updates, events, byType, differences } = await simulateDay(10, 9);
  expect(differences).toEqual([]);
  expect(updates).toBeGreaterThan(1000);
  expect(events).toBeGreaterThan(1000);
  // Everything happens that can happen in this town.
  expect(Object.keys(byType).sort()).toEqual([
    ...["user.approaching_trip_destination", "user.arrived_at_trip_destination"],
    ...["user.arrived_at_wrong_trip_destination", "user.dwelled_in_geofence", "user.entered_beacon"],
    ...["user.entered_geofence", "user.entered_place", "user.entered_region_country"],
    ...["user.entered_region_postal_code", "user.exited_beacon", "user.exited_geofence", "user.exited_place"],
    ...["user.exited_region_country", "user.exited_region_postal_code", "user.started_trip", "user.stopped_trip"],
    "user.updated_trip",
  ]);
}, 120_000);
