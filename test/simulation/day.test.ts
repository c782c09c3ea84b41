import { expect, it } from "vitest";
import { seededRandom } from "../bench/support/random.ts";
import { type DeviceReport, drawDays, MIDNIGHT, simulateDevices, sumOf } from "./day.ts";
import { addFence, buildTown } from "./town.ts";

const SEED = 9;
const DEVICES = Array.from({ length: 10 }, (_, device) => device);

it("a day of ten devices on the roads is told as the plain account tells it: geofences, regions, places, beacons, trips; whichever are simulated beside each other", async () => {
  const town = await buildTown(seededRandom(SEED));
  const days = await drawDays(town, SEED, DEVICES);
  for (const { fences } of days.values()) for (const fence of fences) addFence(town, fence);
  const reports: DeviceReport[] = [];
  for await (const report of simulateDevices(town, days)) reports.push(report);
  const { updates, events, byType, differences } = sumOf(reports);
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

  // As in a shard that has drawn and simulates one device alone, of a day that is the same.
  const alone = await drawDays(town, SEED, [4]);
  expect(alone.get(4)).toEqual(days.get(4));
  expect(alone.get(4)?.reports[0].at).toBeGreaterThanOrEqual(MIDNIGHT);
  for await (const report of simulateDevices(town, alone)) expect(report).toEqual(reports[4]);
  expect(sumOf([...reports].reverse())).toEqual(sumOf(reports));
}, 240_000);
