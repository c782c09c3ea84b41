import { describe, expect, it } from "vitest";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../../src/core/tracking/trace/decision.ts";
import { EVENT_TYPES } from "../../../src/core/tracking/types/event.ts";
import { FRAUD_CHECKS } from "../../../src/core/tracking/types/fraud.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import {
  type BeaconLabel,
  type Place,
  REGION_KINDS,
  type Region,
} from "../../../src/core/tracking/types/surroundings.ts";
import { TRIP_STATUSES } from "../../../src/core/tracking/types/trip.ts";
import { at, Device, fenceOf, HOME, home, MINUTE, typesOf } from "./world.ts";

/** The words of the API: integrations compare them. */
describe("the words of tracking", () => {
  it("are these types of events", () => {
    expect(EVENT_TYPES.map((type) => type.replace(/^user\./, ""))).toEqual(
      `entered_geofence exited_geofence dwelled_in_geofence entered_place exited_place nearby_place_chain
      entered_region_country exited_region_country entered_region_state exited_region_state entered_region_dma
      exited_region_dma entered_region_postal_code exited_region_postal_code entered_beacon exited_beacon started_trip
      updated_trip approaching_trip_destination arrived_at_trip_destination arrived_at_wrong_trip_destination
      fired_trip_orders stopped_trip failed_fraud entered_home exited_home entered_work exited_work started_traveling
      stopped_traveling started_commuting stopped_commuting exceeded_speed_limit kept_to_speed_limit
      left_route returned_to_route started_idling stopped_idling met_user parted_from_user`.split(/\s+/),
    );
    expect(EVENT_TYPES.every((type) => type.startsWith("user."))).toBe(true);
  });

  it("are these statuses, checks and kinds of regions", () => {
    expect(TRIP_STATUSES).toEqual([
      ...["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"],
    ]);
    expect(FRAUD_CHECKS).toEqual(["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"]);
    expect(REGION_KINDS).toEqual(["country", "state", "dma", "postalCode"]);
  });

  it("are these settings by default", () => {
    expect(DEFAULT_SETTINGS).toEqual({
      bufferedEntries: true,
      stopDetection: false,
      dwellThreshold: 0,
      accuracyLimit: 2000,
      regions: { country: true, state: true, dma: true, postalCode: true },
      places: true,
      beacons: true,
      fraud: false,
      fraudAccuracy: 1000,
    });
  });
});

describe("an event", () => {
  const report = {
    deviceType: "iOS",
    deviceMake: "Apple",
    deviceModel: "iPhone",
    deviceOS: "20",
    sdkVersion: "3",
    foreground: false,
    stopped: true,
    locationAuthorization: "GRANTED_BACKGROUND",
    locationAccuracyAuthorization: "FULL",
  } as const;

  it("has what the device reports, the user, and the times of the device and the server", () => {
    const device = new Device();
    const { events } = device.report({
      ...report,
      location: HOME,
      userId: "ann",
      metadata: { vip: true },
      updatedAt: device.clock + 5,
      replayed: true,
    });
    expect(events).toMatchObject([
      {
        _id: "a1b2c3d4e5f6a1b2c3d4e5f600000001",
        type: "user.entered_geofence",
        live: false,
        createdAt: device.clock - MINUTE + 5,
        actualCreatedAt: device.clock,
        replayed: true,
        user: { _id: "a1b2c3d4e5f6a1b2c3d4e5f6", deviceId: "phone", userId: "ann", metadata: { vip: true } },
        location: HOME,
        locationAccuracy: 10,
        confidence: 3,
        device: report,
      },
    ]);
    expect(events[0].device).toEqual(report);
  });

  it("has no more than is known", () => {
    const [event] = new Device().send(0).events;
    expect(Object.keys(event)).not.toContain("device");
    expect(Object.keys(event)).not.toContain("replayed");
    expect(Object.keys(event)).not.toContain("duration");
    expect(event.user).toEqual({ _id: "a1b2c3d4e5f6a1b2c3d4e5f6", deviceId: "phone" });
  });

  it("is made only of the types that the project has enabled; visits go on all the same", () => {
    const device = new Device();
    device.settings = { ...DEFAULT_SETTINGS, eventTypes: ["user.exited_geofence"] };
    expect(typesOf(device.send(0))).toEqual([]);
    expect(device.inside()).toEqual(["f1"]);
    const out = device.send(500);
    expect(out.events).toMatchObject([{ type: "user.exited_geofence", duration: 1 }]);
    expect(out.state.seq).toBe(1);
  });

  it("of an exit has the duration of the visit, never a negative one", () => {
    const device = new Device();
    device.send(0);
    device.state = {
      ...device.state!,
      geofences: { f1: { ...device.state!.geofences.f1, enteredAt: device.clock * 2 } },
    };
    expect(device.send(500).events[0].duration).toBe(0);
  });
});

describe("the state after an update", () => {
  it("keeps what devices report seldom, and forgets what belongs to one fix", () => {
    const device = new Device();
    const kept = {
      ...{
        userId: "ann",
        description: "van",
        metadata: { a: 1 },
        deviceType: "iOS",
        deviceOS: "20",
        deviceMake: "Apple",
      },
      deviceModel: "iPhone",
      installId: "i",
      sdkVersion: "3",
      userTags: ["x"],
      timeZone: "Europe/Berlin",
      locationAuthorization: "GRANTED_BACKGROUND",
      locationAccuracyAuthorization: "FULL",
    } as const;
    const passing = {
      foreground: true,
      stopped: true,
      source: "s",
      altitude: 1,
      speed: 2,
      course: 3,
      barometricAltitude: 4,
      activityType: "foot",
      ip: "192.0.2.1",
    };
    const first = device.report({ ...kept, ...passing, location: HOME });
    expect(first.state).toMatchObject({ ...kept, ...passing, createdAt: device.clock, seq: 1, locationAccuracy: 10 });
    const created = device.clock;
    const { state } = device.report({ location: at(5), accuracy: 11 });
    expect(state).toMatchObject({
      ...kept,
      createdAt: created,
      updatedAt: device.clock,
      actualUpdatedAt: device.clock,
    });
    for (const name of Object.keys(passing)) expect([name, state[name as "speed"]]).toEqual([name, undefined]);
    expect([state.location, state.locationAccuracy, state.chronology]).toEqual([at(5), 11, device.clock]);
  });

  it("keeps segments, chain visits and what the customer has decided", () => {
    const device = new Device();
    device.send(0);
    const own = {
      segments: [{ description: "a", externalId: "1" }],
      endedTrip: "t0",
      fraudFlags: { bypassed: true },
      chainVisits: { a: { name: "A", count: 1, lastAt: 1 } },
    };
    device.state = { ...device.state!, ...own };
    expect(device.send(1).state).toMatchObject(own);
  });

  it("of a blocked user stays as it was, while fraud checks are enabled", () => {
    const device = new Device();
    device.send(500);
    device.state = { ...device.state!, fraudFlags: { blocked: true } };
    device.settings = { ...DEFAULT_SETTINGS, fraud: true };
    const before = device.state;
    const outcome = device.send(0);
    expect(outcome).toEqual({ state: before, events: [], trips: [], repeated: false });
    expect(outcome.state).toBe(before);
    device.settings = DEFAULT_SETTINGS;
    expect(typesOf(device.send(0))).toEqual(["entered_geofence"]);
  });

  it("is that of the newest update: an older one that is replayed changes nothing", () => {
    const device = new Device();
    device.report({ location: at(500), updatedAt: device.clock + 10 * MINUTE });
    const before = device.state;
    const old = device.report({ location: HOME, updatedAt: device.clock - 5 * MINUTE, replayed: true });
    expect([old.state === before, old.events, old.repeated]).toEqual([true, [], false]);
  });
});

describe("beacons", () => {
  const door: BeaconLabel = { _id: "b1", type: "ibeacon", description: "Door", enabled: true };
  const gate: BeaconLabel = { ...door, _id: "b2", description: "Gate" };
  const ranging = (...ranged: BeaconLabel[]) => ({ fences: [], beacons: { ranged, disabled: [] }, beaconsExist: true });

  it("are entered when they are ranged, and left when they no longer are", () => {
    const device = new Device();
    device.around = ranging(door);
    expect(device.send(0).events).toMatchObject([{ type: "user.entered_beacon", beacon: door, confidence: 3 }]);
    const since = device.clock;
    device.around = ranging({ ...door, description: "Front door" }, gate);
    expect(device.send(0).events).toMatchObject([{ type: "user.entered_beacon", beacon: gate }]);
    expect(device.state?.beacons).toMatchObject({
      b1: { beacon: { description: "Front door" }, enteredAt: since, anchor: { location: at(0), accuracy: 10 } },
      b2: { enteredAt: device.clock },
    });
    device.around = ranging();
    const left = device.send(0).events;
    expect(left.map(({ type, beacon, duration }) => [type, beacon?._id, duration])).toEqual([
      ["user.exited_beacon", "b1", 2],
      ["user.exited_beacon", "b2", 1],
    ]);
    expect(device.state?.beacons).toEqual({});
  });

  it("that are disabled are forgotten without an event", () => {
    const device = new Device();
    device.around = ranging(door, gate);
    device.send(0);
    device.around = { fences: [], beacons: { ranged: [], disabled: ["b1"] }, beaconsExist: true };
    expect(device.send(0).events.map(({ beacon }) => beacon?._id)).toEqual(["b2"]);
  });

  it("are a list only in projects that have some", () => {
    const device = new Device();
    device.around = { fences: [] };
    expect(device.send(0).state.beacons).toBeUndefined();
    device.around = { fences: [], beacons: { ranged: [], disabled: [] } };
    expect(device.send(0).state.beacons).toBeUndefined();
    device.around = { fences: [], beaconsExist: true };
    expect(device.send(0).state.beacons).toEqual({});
    device.settings = { ...DEFAULT_SETTINGS, beacons: false };
    expect(device.send(0).state.beacons).toBeUndefined();
  });

  it("are left without ranging more than a kilometer away, with a fix that is good enough", () => {
    const device = new Device();
    device.around = ranging(door);
    device.send(0);
    device.around = { fences: [], beaconsExist: true } as typeof device.around;
    expect(device.send(1039).events).toEqual([]);
    expect(device.send(9000, { accuracy: 2001 }).events).toEqual([]);
    expect(Object.keys(device.state?.beacons ?? {})).toEqual(["b1"]);
    expect(typesOf(device.send(1041))).toEqual(["exited_beacon"]);
    expect(device.state?.beacons).toEqual({});
  });
});

describe("places and chains", () => {
  const chain = { slug: "c", name: "C" };
  const shop: Place = { _id: "p1", name: "Shop", categories: ["shop"], location: HOME, chain };
  const settled = { stopped: true };

  it("of a place of a chain the visits are counted; its entry names the places nearby", () => {
    const device = new Device();
    const alternatePlaces = [{ ...shop, _id: "p2", chain: undefined }];
    device.around = { fences: [], place: shop, alternatePlaces };
    const { state, events } = device.send(0, settled);
    expect(events).toMatchObject([{ type: "user.entered_place", place: shop, alternatePlaces, confidence: 3 }]);
    expect(state.place).toEqual({ place: shop, enteredAt: device.clock, anchor: { location: at(0), accuracy: 10 } });
    expect(state.chainVisits).toEqual({ c: { name: "C", count: 1, lastAt: device.clock } });
    device.around = { fences: [], place: null };
    expect(device.send(300).events).toMatchObject([
      { type: "user.exited_place", place: shop, duration: 1, confidence: 3 },
    ]);
    expect(device.state?.place).toBeUndefined();
  });

  it("a place without a chain counts none, and one alone has no alternates", () => {
    const device = new Device();
    device.around = { fences: [], place: { ...shop, chain: undefined }, alternatePlaces: [] };
    const { state, events } = device.send(0, settled);
    expect(events[0]).not.toHaveProperty("alternatePlaces");
    expect(state.chainVisits).toBeUndefined();
  });

  it("a disabled feature forgets the place without an event", () => {
    const device = new Device();
    device.around = { fences: [], place: shop };
    device.send(0, settled);
    device.settings = { ...DEFAULT_SETTINGS, places: false };
    const { state, events } = device.send(0, settled);
    expect([events, state.place]).toEqual([[], undefined]);
  });

  it("a watched chain comes near once, and again only after it was out of reach", () => {
    const device = new Device();
    const near = { fences: [], nearbyChains: [shop, { ...shop, _id: "p3" }, { ...shop, _id: "p4", chain: undefined }] };
    device.around = near;
    expect(device.send(0, { accuracy: 150 }).events).toMatchObject([
      { type: "user.nearby_place_chain", place: shop, confidence: 2 },
    ]);
    expect(device.state?.nearbyChains).toEqual({
      c: { placeId: "p1", chain, since: device.clock, anchor: { location: at(0), accuracy: 150 } },
    });
    expect(device.send(0).events).toEqual([]);
    device.around = { fences: [], nearbyChains: [] };
    // Not certainly moved: 2 × (150 + 10) m.
    device.send(319);
    device.around = near;
    expect(device.send(0).events).toEqual([]);
    device.around = { fences: [], nearbyChains: [] };
    device.send(321);
    expect(device.state?.nearbyChains).toEqual({});
    device.around = near;
    expect(typesOf(device.send(0))).toEqual(["nearby_place_chain"]);
  });

  it("a watched chain without data is out of reach beyond ten kilometers; with a bad fix nothing changes", () => {
    const device = new Device();
    device.around = { fences: [], nearbyChains: [shop] };
    device.send(0);
    device.around = { fences: [] } as unknown as typeof device.around;
    device.send(10_039);
    expect(Object.keys(device.state!.nearbyChains)).toEqual(["c"]);
    device.send(50_000, { accuracy: 2001 });
    expect(Object.keys(device.state!.nearbyChains)).toEqual(["c"]);
    device.send(10_041);
    expect(device.state?.nearbyChains).toEqual({});
    device.around = { fences: [], nearbyChains: [shop] };
    device.settings = { ...DEFAULT_SETTINGS, places: false };
    expect(device.send(0).events).toEqual([]);
  });
});

describe("regions", () => {
  const region = (type: Region["type"], code: string): Region => ({ _id: `${type}-${code}`, type, code, name: code });
  const all = (code: string) => Object.fromEntries(REGION_KINDS.map((kind) => [kind, region(kind, code)]));

  it("have an event of each kind, in the order of their kinds: first what is left", () => {
    const device = new Device();
    device.around = { fences: [], regions: all("A") };
    expect(typesOf(device.send(0, { accuracy: 500 }))).toEqual([
      ...["entered_region_country", "entered_region_state", "entered_region_dma", "entered_region_postal_code"],
    ]);
    device.around = { fences: [], regions: all("B") };
    const { events, state } = device.send(9000, { accuracy: 1001 });
    expect(events.map(({ type, confidence, duration }) => [type.slice(5), confidence, duration])).toEqual([
      ...["country", "state", "dma", "postal_code"].map((kind) => [`exited_region_${kind}`, 1, 1]),
      ...["country", "state", "dma", "postal_code"].map((kind) => [`entered_region_${kind}`, 1, undefined]),
    ]);
    expect(state.regions.dma).toEqual({ region: region("dma", "B"), enteredAt: device.clock });
    expect(state.regionChanges.dma).toEqual({ from: "dma-A", anchor: { location: at(9000), accuracy: 1001 } });
  });

  it("are not crossed straight back by a device that has not moved, and are by one that has", () => {
    const device = new Device();
    const send = (far: number, code?: string) => {
      device.around = { fences: [], regions: code === undefined ? {} : { state: region("state", code) } };
      return typesOf(device.send(far));
    };
    expect(send(0, "A")).toEqual(["entered_region_state"]);
    expect(device.state?.regionChanges.state?.from).toBeNull();
    expect(send(39)).toEqual([]);
    expect(send(41)).toEqual(["exited_region_state"]);
    expect(device.state?.regionChanges.state?.from).toBe("state-A");
    expect(send(50, "A")).toEqual([]);
    expect(send(50, "B")).toEqual(["entered_region_state"]);
    expect(send(60, "C")).toEqual(["exited_region_state", "entered_region_state"]);
    expect(device.state?.regionChanges.state?.from).toBe("state-B");
    expect(send(60, "B")).toEqual([]);
    expect(send(101, "B")).toEqual(["exited_region_state", "entered_region_state"]);
  });

  it.each([
    ["country", 2_000_000],
    ["state", 500_000],
    ["dma", 300_000],
    ["postalCode", 30_000],
  ] as const)("without data a %s is left %i m from where it was last known", (kind, reach) => {
    const device = new Device();
    device.around = { fences: [], regions: { [kind]: region(kind, "A") } };
    device.send(0);
    device.around = { fences: [], regions: {}, unknownRegions: [kind] };
    expect(device.send(100).events).toEqual([]);
    expect(device.state?.regions[kind]?.lost).toEqual({ location: at(0), accuracy: 10 });
    expect(device.send(reach + 39).events).toEqual([]);
    expect(device.send(reach * 2, { accuracy: 2001 }).events).toEqual([]);
    expect(device.send(reach + 41).events).toHaveLength(1);
    expect(device.state?.regions[kind]).toBeUndefined();
  });

  it("with data again are as before, without an event", () => {
    const device = new Device();
    device.around = { fences: [], regions: { state: region("state", "A") } };
    device.send(0);
    const since = device.clock;
    device.around = { fences: [] } as unknown as typeof device.around;
    device.send(100);
    device.around = { fences: [], regions: { state: region("state", "A") } };
    expect(device.send(200).events).toEqual([]);
    expect(device.state?.regions.state).toEqual({ region: region("state", "A"), enteredAt: since });
  });

  it("of a disabled kind are forgotten without an event", () => {
    const device = new Device();
    device.around = { fences: [], regions: all("A") };
    device.send(0);
    device.settings = { ...DEFAULT_SETTINGS, regions: { ...DEFAULT_SETTINGS.regions, dma: false } };
    expect(device.send(0, { accuracy: 5000 }).events).toEqual([]);
    expect(Object.keys(device.state!.regions)).toEqual(["country", "state", "postalCode"]);
    expect(Object.keys(device.state!.regionChanges)).toEqual(["country", "state", "postalCode"]);
    expect(device.send(0).events).toEqual([]);
  });
});

describe("hours of a geofence", () => {
  const hours = { Wed: [["08:00", "13:00"] as const] };

  it("are on the clock of the position, else of the device, else UTC, for entries and dwells", () => {
    const cases = [
      [{ timeZone: "Asia/Tokyo" }, {}, "Asia/Tokyo", []],
      [{}, { timeZone: "Asia/Tokyo" }, "Asia/Tokyo", []],
      [{ timeZone: "UTC" }, { timeZone: "Asia/Tokyo" }, "UTC", ["entered_geofence"]],
      [{}, {}, "UTC", ["entered_geofence"]],
    ] as const;
    for (const [around, more, timeZone, types] of cases) {
      const device = new Device();
      const told: Decision[] = [];
      device.clock += MINUTE;
      const fences = [fenceOf("f1", HOME, 100, { operatingHours: hours })];
      const identity = { _id: "ff", live: false };
      const update = device.update({ location: HOME, ...more });
      const outcome = applyUpdate(undefined, update, { fences, ...around }, DEFAULT_SETTINGS, identity, (one) =>
        told.push(one),
      );
      expect(typesOf(outcome)).toEqual(types);
      expect(told.find(({ rule }) => rule === "operatingHours")?.figures.timeZone).toBe(timeZone);
    }
  });

  it("count a dwell only while it is open, on the same clock", () => {
    for (const [around, more, dwells] of [
      [{ timeZone: "UTC" }, { timeZone: "Asia/Tokyo" }, true],
      [{}, { timeZone: "Asia/Tokyo" }, false],
      [{}, {}, true],
    ] as const) {
      const device = new Device();
      device.around = { fences: [home] };
      device.send(0);
      device.around = { fences: [{ ...home, operatingHours: hours, dwellThreshold: 5 }], ...around };
      device.clock += 5 * MINUTE;
      expect(typesOf(device.send(0, more))).toEqual(dwells ? ["dwelled_in_geofence"] : []);
    }
  });

  it("a dwell comes after more than its minutes, once", () => {
    const device = new Device();
    device.around = { fences: [{ ...home, dwellThreshold: 2 }] };
    device.send(0);
    device.send(0);
    expect(typesOf(device.send(0))).toEqual([]);
    expect(device.send(0).events).toMatchObject([{ type: "user.dwelled_in_geofence", confidence: 3 }]);
    expect(device.state?.geofences.f1.dwelled).toBe(true);
    expect(typesOf(device.send(0))).toEqual([]);
  });

  it("a label that was edited during a visit is renewed", () => {
    const device = new Device();
    device.send(0);
    device.around = { fences: [{ ...home, revision: 2, description: "New" }] };
    device.send(0);
    expect(device.state?.geofences.f1).toMatchObject({ revision: 2, fence: { description: "New" }, dwelled: false });
    device.around = { fences: [{ ...home, revision: 2, description: "Newer" }] };
    expect(device.send(0).state.geofences.f1.fence.description).toBe("New");
    device.state = { ...device.state!, geofences: { f1: { ...device.state!.geofences.f1, fence: { _id: "f1" } } } };
    expect(device.send(0).state.geofences.f1.fence).toMatchObject({ type: "circle", description: "Newer" });
  });
});

describe("fraud", () => {
  it("has an event when a check begins to fail, and none for a user who may bypass the checks", () => {
    const device = new Device();
    device.settings = { ...DEFAULT_SETTINGS, fraud: true };
    device.around = { fences: [] };
    const send = (claims: object) => typesOf(device.send(0, { claims }));
    expect(send({ mocked: true })).toEqual(["failed_fraud"]);
    expect(send({ mocked: true })).toEqual([]);
    expect(send({ mocked: true, proxy: true })).toEqual(["failed_fraud"]);
    expect(send({})).toEqual([]);
    expect(device.state?.fraud?.failed).toEqual([]);
    device.state = { ...device.state!, fraudFlags: { bypassed: true } };
    expect(send({ mocked: true })).toEqual([]);
    expect(device.state?.fraud?.failed).toEqual(["mocked"]);
    device.settings = DEFAULT_SETTINGS;
    expect(device.send(0).state.fraud).toBeUndefined();
  });
});
