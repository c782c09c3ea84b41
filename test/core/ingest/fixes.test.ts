import { describe, expect, it } from "vitest";
import { overlandFixes } from "../../../src/core/ingest/overland.ts";
import {
  deviceIdOf,
  friendMessages,
  ownTracksFix,
  senderInTopic,
  waypointsIn,
} from "../../../src/core/ingest/owntracks.ts";
import { osmandFixes, traccarFixes } from "../../../src/core/ingest/traccar.ts";

// Messages in the forms that the apps document: traccar.org/osmand, owntracks.org/booklet/tech/json, and the API page of
// github.com/aaronpk/Overland-iOS.

describe("Traccar Client", () => {
  it("sends a position as JSON, with speed in metres per second and the opposite of stopped", () => {
    const coords = { latitude: 60.17, longitude: 24.94, accuracy: 12.5, speed: 3.5, heading: 270, altitude: 8 };
    const location = { timestamp: "2026-11-22T08:00:00.000Z", coords, is_moving: true, event: "motionchange" };
    expect(traccarFixes({ location, device_id: "48241179" })).toEqual([
      {
        deviceId: "48241179",
        latitude: 60.17,
        longitude: 24.94,
        accuracy: 12.5,
        updatedAt: "2026-11-22T08:00:00.000Z",
        altitude: 8,
        speed: 3.5,
        course: 270,
        stopped: false,
      },
    ]);
  });

  it("does not know its speed and course where they are −1", () => {
    const coords = { latitude: 1, longitude: 2, accuracy: 5, speed: -1, heading: -1 };
    expect(traccarFixes({ location: { coords }, device_id: "a" })).toEqual([
      { deviceId: "a", latitude: 1, longitude: 2, accuracy: 5 },
    ]);
  });
});

describe("OsmAnd's protocol", () => {
  const of = (query: string, unit: "kn" | "kmh" | "ms" = "kn") =>
    osmandFixes(Object.fromEntries(new URLSearchParams(query)), unit);

  it("has a time in seconds, milliseconds, ISO 8601 or as a database writes it", () => {
    for (const time of ["1795334400", "1795334400000", "2026-11-22T08:00:00Z", "2026-11-22 08:00:00"]) {
      const [{ updatedAt }] = of(new URLSearchParams({ id: "a", lat: "1", lon: "2", timestamp: time }).toString());
      expect(new Date(`${updatedAt?.replace("Z", "")}Z`).toISOString()).toBe("2026-11-22T08:00:00.000Z");
    }
  });

  it("has speeds in knots, unless the address says otherwise", () => {
    const query = "id=a&lat=1&lon=2&speed=10";
    expect(of(query)[0].speed).toBeCloseTo(5.144, 3);
    expect(of(query, "kmh")[0].speed).toBeCloseTo(2.778, 3);
    expect(of(query, "ms")[0].speed).toBe(10);
  });

  it("reads the accuracy of a position, or its dilution, or uses the default", () => {
    const accuracies = ["&accuracy=7", "&hdop=1.2", "&accuracy=-1", "", "&hdop=0", "&accuracy=0"].map(
      (more) => of(`id=a&lat=1&lon=2${more}`)[0],
    );
    expect(accuracies.map(({ accuracy }) => accuracy)).toEqual([7, 6, -1, 20, 20, 0]);
  });

  it("takes deviceid for id, heading for bearing, and location for lat and lon", () => {
    expect(of("deviceid=a&location=1.5,2.5&heading=90&altitude=-3")).toEqual([
      { deviceId: "a", latitude: "1.5", longitude: "2.5", accuracy: 20, altitude: -3, course: 90 },
    ]);
  });

  it("says by valid=false that it has no position", () => {
    for (const query of ["id=a&lat=1&lon=2&valid=false", "id=a&lat=1&lon=2&valid=0"]) {
      expect(of(query)).toEqual([]);
    }
  });
});

describe("OwnTracks", () => {
  it("sends where the device is, with speed in km/h and seconds since 1970", () => {
    const message = {
      _type: "location",
      acc: 9,
      alt: 41,
      batt: 87,
      bs: 1,
      cog: 180,
      lat: 52.5,
      lon: 13.4,
      t: "u",
      tid: "JA",
      tst: 1795334400,
      vac: 3,
      vel: 36,
      conn: "m",
      m: 1,
      topic: "owntracks/jane/phone",
    };
    expect(ownTracksFix(message, "jane/phone")).toEqual({
      deviceId: "jane/phone",
      latitude: 52.5,
      longitude: 13.4,
      accuracy: 9,
      updatedAt: "2026-11-22T08:00:00.000Z",
      altitude: 41,
      speed: 10,
      course: 180,
    });
  });

  it("distinguishes devices of one name by their user", () => {
    expect(senderInTopic("owntracks/jane/phone/event")).toEqual({ user: "jane", device: "phone" });
    expect(senderInTopic(undefined)).toEqual({});
    expect(deviceIdOf({ user: "jane", device: "phone" }, {})).toBe("jane/phone");
    expect(deviceIdOf({ user: "jane" }, { tid: "JA" })).toBe("jane/JA");
    expect(deviceIdOf({ user: "jane" }, {})).toBe("jane");
    expect(deviceIdOf({}, {})).toBeUndefined();
  });

  it("sends one region or several; one without a place or a radius is none", () => {
    const home = { _type: "waypoint", desc: "Home", lat: 52.5, lon: 13.4, rad: 50, tst: 1700000000 };
    const kept = { id: "1700000000", description: "Home", latitude: 52.5, longitude: 13.4, radius: 50 };
    expect(waypointsIn(home)).toEqual([kept]);
    const beacon = { _type: "waypoint", desc: "Desk", rad: 0, tst: 5, uuid: "CA271EAE-5FA8-4E80-8F08-2A302A95A959" };
    const named = { ...home, rid: "6da9cf" };
    expect(waypointsIn({ _type: "waypoints", waypoints: [home, beacon, named] })).toEqual([
      kept,
      { ...kept, id: "6da9cf" },
    ]);
  });

  it("receives a position and a card of a friend on the same topic", () => {
    const friend = {
      userId: "мария",
      deviceId: "мария/phone",
      name: "Мария",
      latitude: 1,
      longitude: 2,
      accuracy: 8.4,
    };
    expect(friendMessages({ ...friend, at: 1795334400500 })).toEqual([
      {
        _type: "location",
        tid: "МА",
        topic: "owntracks/мария/phone",
        lat: 1,
        lon: 2,
        acc: 8,
        tst: 1795334400,
      },
      { _type: "card", tid: "МА", topic: "owntracks/мария/phone", name: "Мария" },
    ]);
  });
});

describe("Overland", () => {
  it("sends batches of points; other entries, such as the start of a trip, are omitted", () => {
    const geometry = { type: "Point", coordinates: [-122.621, 45.535] };
    const properties = {
      timestamp: "2026-11-22T08:00:00Z",
      altitude: 0,
      speed: 4,
      horizontal_accuracy: 30,
      vertical_accuracy: -1,
      motion: ["driving", "stationary"],
      pauses: false,
      battery_level: 0.8,
      wifi: "",
      device_id: "jane-phone",
    };
    expect(overlandFixes([{ type: "Feature", geometry, properties }, { type: "Feature", properties }, "x"])).toEqual([
      {
        deviceId: "jane-phone",
        latitude: 45.535,
        longitude: -122.621,
        accuracy: 30,
        updatedAt: "2026-11-22T08:00:00Z",
        speed: 4,
        stopped: true,
      },
    ]);
  });
});
