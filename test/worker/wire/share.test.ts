import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mintShareToken } from "../../../src/core/auth/share-token.ts";
import { TRIP_STATUSES, type Trip } from "../../../src/core/tracking/types/trip.ts";
import { SHARED_FIELDS, sharedTripShape, wireSharedTrip } from "../../../src/worker/wire/share.ts";

const HIDDEN = [
  "SECRET-id",
  "SECRET-order",
  "SECRET-user",
  "SECRET-device",
  "SECRET-record",
  "SECRET-fence",
  "SECRET-box",
];
const TRIP: Trip = {
  _id: "SECRET-id",
  live: true,
  externalId: "SECRET-order",
  metadata: { box: "SECRET-box" },
  mode: "car",
  status: "started",
  userId: "SECRET-user",
  deviceId: "SECRET-device",
  user: "SECRET-record",
  version: 3,
  destination: {
    fence: "SECRET-fence",
    tag: "SECRET-fence",
    externalId: "SECRET-fence",
    location: { latitude: 40.7, longitude: -73.9 },
  },
  eta: { duration: 2.5, distance: 900 },
  createdAt: 1000,
  updatedAt: 60_000,
  startedAt: 2000,
  endedAt: 90_000,
};
const WAY = [
  { latitude: 41.5, longitude: -72.5 },
  { latitude: 41.6, longitude: -72.6 },
];
const POINT = { ...WAY[1], at: 60_000, accuracy: 5 };

const seen = fc.record({ status: fc.constantFrom(...TRIP_STATUSES), shows: fc.subarray([...SHARED_FIELDS]) });

describe("a shared trip", () => {
  it("shows what its link says and nothing of user, device, order or geofence", () => {
    fc.assert(
      fc.property(seen, ({ status, shows }) => {
        const shown = wireSharedTrip({ ...TRIP, status }, { shows, expiresAt: 99_000, point: POINT, way: WAY });
        sharedTripShape.strict().parse(shown);
        const text = JSON.stringify(shown);
        for (const hidden of HIDDEN) expect(text).not.toContain(hidden);
        for (const field of SHARED_FIELDS) {
          if (!shows.includes(field)) expect(shown[field]).toBeUndefined();
        }
      }),
    );
  });

  it("that has ended tells so and no position, whatever its link says", () => {
    for (const status of ["completed", "canceled", "expired"] as const) {
      const shown = wireSharedTrip({ ...TRIP, status }, { shows: SHARED_FIELDS, expiresAt: 1, point: POINT, way: WAY });
      expect(shown).toMatchObject({ status, endedAt: "1970-01-01T00:01:30.000Z" });
      expect([shown.location, shown.locatedAt, shown.eta, shown.route]).toEqual(Array(4).fill(undefined));
      expect(JSON.stringify(shown)).not.toMatch(/41\.|72\./);
    }
  });

  it("under way shows where it is, when it arrives and where it went", () => {
    const shown = wireSharedTrip(TRIP, { shows: SHARED_FIELDS, expiresAt: 99_000, point: POINT, way: WAY });
    expect(shown).toMatchObject({
      location: { type: "Point", coordinates: [-72.6, 41.6] },
      locationAccuracy: 5,
      locatedAt: "1970-01-01T00:01:00.000Z",
      eta: { duration: 2.5, distance: 900, arrivesAt: "1970-01-01T00:03:30.000Z" },
      destination: { location: { type: "Point", coordinates: [-73.9, 40.7] } },
    });
  });

  it("keeps both ends of a long way, in at most 2000 corners", () => {
    for (const length of [2, 3, 1999, 2000, 2001, 3999, 4000, 50_000]) {
      const way = Array.from({ length }, (_, i) => ({ latitude: i / 1000, longitude: 1 }));
      const { route } = wireSharedTrip(TRIP, { shows: ["route"], expiresAt: 1, way });
      const corners = route?.coordinates ?? [];
      expect(corners[0]).toEqual([1, 0]);
      expect(corners[corners.length - 1]).toEqual([1, (length - 1) / 1000]);
      expect(corners.length).toBeLessThanOrEqual(2000);
      if (length <= 2000) expect(corners).toHaveLength(length);
    }
    expect(wireSharedTrip(TRIP, { shows: ["route"], expiresAt: 1, way: WAY.slice(1) }).route).toBeUndefined();
  });
});

it("the token of a link is 160 random bits, and never made of fewer", () => {
  expect(mintShareToken(new Uint8Array(20).fill(255))).toBe(`shr_${"f".repeat(40)}`);
  expect(() => mintShareToken(new Uint8Array(8))).toThrow("20 random bytes");
});
