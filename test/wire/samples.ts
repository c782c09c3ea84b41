import type { BeaconRow, GeofenceRow, WebhookRow } from "../../src/db/schema.ts";
import type { Rerun } from "../../src/tracking/history/rerun.ts";
import type { TrackEvent } from "../../src/tracking/types/event.ts";
import type { FenceLabel } from "../../src/tracking/types/fence.ts";
import type { UserState } from "../../src/tracking/types/state.ts";
import type { BeaconLabel, Place, Region } from "../../src/tracking/types/surroundings.ts";
import type { Trip, TripLeg } from "../../src/tracking/types/trip.ts";

/** Objects with a value in each field, no two alike. Times are seconds after midnight of 2026-01-31. */

const MIDNIGHT = Date.UTC(2026, 0, 31);
export const at = (seconds: number) => MIDNIGHT + seconds * 1000;
export const text = (seconds: number) => new Date(at(seconds)).toISOString();

export const FENCE: FenceLabel = {
  ...{ _id: "f1", tag: "store", externalId: "s7", description: "Store 7", metadata: { floor: 2 }, type: "circle" },
  ...{ center: { latitude: 40.1, longitude: -73.1 }, radius: 150, operatingHours: { Mon: [["09:00", "17:00"]] } },
  ...{ dwellThreshold: 4, stopDetection: true },
};
export const WIRE_FENCE = {
  ...{ _id: "f1", tag: "store", externalId: "s7", description: "Store 7", metadata: { floor: 2 }, type: "circle" },
  ...{ geometryCenter: { type: "Point", coordinates: [-73.1, 40.1] }, geometryRadius: 150 },
  ...{ operatingHours: { Mon: [["09:00", "17:00"]] }, dwellThreshold: 4, stopDetection: true },
};

const ADDRESS = {
  ...{ country: "United States", countryCode: "US", countryFlag: "🇺🇸", county: "Kings County", borough: "Brooklyn" },
  ...{ city: "New York", number: "20", neighborhood: "Dumbo", postalCode: "11201", stateCode: "NY", state: "New York" },
  ...{ street: "Jay St", layer: "place", formattedAddress: "Café, 20 Jay St, New York, NY 11201 USA" },
  ...{ addressLabel: "20 Jay St", placeLabel: "Café", name: "Café" },
};
export const PLACE: Place = {
  ...{ _id: "p1", name: "Café", categories: ["food-beverage", "cafe"], location: { latitude: 40.2, longitude: -73.2 } },
  ...{ address: ADDRESS, footprint: 30 },
  chain: { slug: "beans", name: "Beans", domain: "beans.example", externalId: "b9", metadata: { tier: "gold" } },
};
export const WIRE_PLACE = {
  ...{ _id: "p1", name: "Café", categories: ["food-beverage", "cafe"] },
  chain: { slug: "beans", name: "Beans", domain: "beans.example", externalId: "b9", metadata: { tier: "gold" } },
  location: { type: "Point", coordinates: [-73.2, 40.2] },
  address: {
    ...{ latitude: 40.2, longitude: -73.2, geometry: { type: "Point", coordinates: [-73.2, 40.2] } },
    ...ADDRESS,
  },
};

export const REGION: Region = { _id: "r1", type: "country", code: "US", name: "United States", flag: "🇺🇸" };

export const BEACON: BeaconLabel = {
  ...{ _id: "b1", type: "ibeacon", uuid: "aa", major: "1", minor: "2", uid: "bb", instance: "cc" },
  ...{ description: "Door", tag: "doors", externalId: "d3", enabled: true, metadata: { side: "left" } },
};

export const LEG: TripLeg = {
  ...{ _id: "l1", status: "approaching", stopDuration: 5, metadata: { box: "x" }, eta: { duration: 3, distance: 900 } },
  destination: {
    ...{
      type: "geofence",
      fence: "f1",
      tag: "store",
      externalId: "s7",
      location: { latitude: 40.3, longitude: -73.3 },
    },
    ...{ address: "20 Jay St", arrivalRadius: 60 },
  },
  way: { from: "l0", duration: 4, distance: 1000 },
  ...{ createdAt: at(1), updatedAt: at(2), startedAt: at(3), approachingAt: at(4), arrivedAt: at(5), endedAt: at(6) },
};
export const WIRE_LEG = {
  ...{ _id: "l1", status: "approaching", stopDuration: 5, metadata: { box: "x" }, eta: { duration: 3, distance: 900 } },
  destination: {
    ...{ type: "geofence", source: { geofence: "f1", data: { tag: "store", externalId: "s7" } } },
    ...{ location: { type: "Point", coordinates: [-73.3, 40.3] }, address: "20 Jay St", arrivalRadius: 60 },
  },
  ...{ destinationGeofenceTag: "store", destinationGeofenceExternalId: "s7", createdAt: text(1), updatedAt: text(2) },
  ...{ startedAt: text(3), approachingAt: text(4), arrivedAt: text(5), endedAt: text(6) },
};

export const TRIP: Trip = {
  ...{ _id: "t1", live: true, externalId: "order-1", metadata: { box: "y" }, mode: "car", status: "started" },
  destination: { fence: "f2", tag: "yard", externalId: "y8", location: { latitude: 40.4, longitude: -73.4 } },
  ...{ legs: [LEG], approachingThreshold: 6, scheduledArrivalAt: at(10), eta: { duration: 7, distance: 1800 } },
  ...{ delay: 2, createdAt: at(11), updatedAt: at(12), startedAt: at(13), approachingAt: at(14), arrivedAt: at(15) },
  ...{ endedAt: at(16), userId: "ann", deviceId: "phone", createdFrom: "10.0.0.1", user: "u1", version: 3 },
};
export const WIRE_TRIP = {
  ...{ _id: "t1", live: true, externalId: "order-1", metadata: { box: "y" }, mode: "car", status: "started" },
  ...{ destinationGeofenceTag: "yard", destinationGeofenceExternalId: "y8" },
  destinationLocation: { type: "Point", coordinates: [-73.3, 40.3] },
  ...{ legs: [WIRE_LEG], currentLeg: "l1", currentLegId: "l1", approachingThreshold: 6, scheduledArrivalAt: text(10) },
  ...{ eta: { duration: 7, distance: 1800 }, delay: { delayed: true, scheduledArrivalTimeDelay: 2 } },
  ...{ createdAt: text(11), updatedAt: text(12), startedAt: text(13), approachingAt: text(14), arrivedAt: text(15) },
  ...{ endedAt: text(16), userId: "ann", user: { _id: "u1", userId: "ann", deviceId: "phone" } },
};

const FRAUD = { verified: true, failed: ["mocked", "proxy"], lastFailed: { mocked: at(20), sharing: at(21) } } as const;
const WIRE_FRAUD = {
  ...{ verified: true, passed: false, bypassed: false, blocked: false, mocked: true, jumped: false },
  ...{ compromised: false, inaccurate: false, proxy: true, sharing: false, lastMockedAt: text(20), lastJumpedAt: null },
  ...{ lastCompromisedAt: null, lastInaccurateAt: null, lastProxyAt: null, lastSharingAt: text(21) },
};

const DEVICE = {
  ...{ deviceType: "iOS", deviceOS: "26.1", deviceMake: "Apple", deviceModel: "iPhone", sdkVersion: "3.9.0" },
  ...{ foreground: true, stopped: false, locationAuthorization: "GRANTED_BACKGROUND" },
  locationAccuracyAuthorization: "FULL",
};

export const EVENT: TrackEvent = {
  ...{ _id: "e1", type: "user.entered_place", live: true, createdAt: at(30), actualCreatedAt: at(31) },
  user: { _id: "u1", userId: "ann", deviceId: "phone", metadata: { plan: "pro" } },
  ...{ location: { latitude: 40.5, longitude: -73.5 }, locationAccuracy: 12, confidence: 2, geofence: FENCE },
  ...{ place: PLACE, alternatePlaces: [PLACE], region: REGION, beacon: BEACON, trip: TRIP, leg: LEG, fraud: FRAUD },
  ...{ metadata: { price: 3 }, verification: 1, verifiedPlaceId: "p2", duration: 1.5, replayed: true, device: DEVICE },
};
export const WIRE_EVENT = {
  ...{ _id: "e1", type: "user.entered_place", live: true, createdAt: text(30), actualCreatedAt: text(31) },
  user: { _id: "u1", userId: "ann", deviceId: "phone", metadata: { plan: "pro" } },
  ...{ location: { type: "Point", coordinates: [-73.5, 40.5] }, locationAccuracy: 12, confidence: 2 },
  ...{ geofence: WIRE_FENCE, place: WIRE_PLACE, alternatePlaces: [WIRE_PLACE], region: REGION, beacon: BEACON },
  ...{ trip: WIRE_TRIP, leg: WIRE_LEG, fraud: WIRE_FRAUD, metadata: { price: 3 }, verification: 1 },
  ...{ verifiedPlaceId: "p2", duration: 1.5, replayed: true, ...DEVICE },
};

const presence = (type: Region["type"], code: string) => ({
  region: { ...REGION, _id: `r-${type}`, type, code },
  enteredAt: at(40),
});
const ANCHOR = { location: { latitude: 1, longitude: 2 }, accuracy: 3 };
export const USER: UserState = {
  ...{ _id: "u1", live: true, deviceId: "phone", userId: "ann", createdAt: at(50), updatedAt: at(51) },
  ...{ actualUpdatedAt: at(52), chronology: at(53), seq: 4, location: { latitude: 40.6, longitude: -73.6 } },
  ...{ locationAccuracy: 8, description: "Ann", metadata: { plan: "pro" }, installId: "i1", source: "BEACON_ENTER" },
  ...{ altitude: 10, speed: 1.2, course: 90, barometricAltitude: 11, activityType: "foot", userTags: ["vip"] },
  ...{ timeZone: "America/New_York", ip: "10.0.0.2", segments: [{ description: "Regulars", externalId: "reg" }] },
  ...{ chainVisits: { beans: { name: "Beans", externalId: "b9", count: 3, lastAt: at(54) } } },
  geofences: { f1: { fence: FENCE, revision: 1, enteredAt: at(55), dwelled: true } },
  left: {},
  place: { place: PLACE, enteredAt: at(56), anchor: ANCHOR },
  regions: {
    ...{ country: presence("country", "US"), state: presence("state", "NY"), dma: presence("dma", "501") },
    postalCode: presence("postalCode", "11201"),
  },
  regionChanges: {},
  nearbyChains: {
    beans: {
      ...{ placeId: "p1", since: at(57), anchor: ANCHOR },
      chain: { slug: "beans", name: "Beans", externalId: "b9", metadata: { tier: "gold" } },
    },
    old: { placeId: "p3", since: at(58), anchor: ANCHOR },
  },
  beacons: { b1: { beacon: BEACON, enteredAt: at(59) } },
  ...{ trip: TRIP, endedTrip: "t0", fraud: FRAUD, fraudFlags: {}, ...DEVICE },
};
export const WIRE_USER = {
  ...{ _id: "u1", live: true, deviceId: "phone", userId: "ann", createdAt: text(50), updatedAt: text(51) },
  ...{ actualUpdatedAt: text(52), location: { type: "Point", coordinates: [-73.6, 40.6] }, locationAccuracy: 8 },
  ...{ description: "Ann", metadata: { plan: "pro" }, installId: "i1", source: "BEACON_ENTER", altitude: 10 },
  ...{ speed: 1.2, course: 90, barometricAltitude: 11, activityType: "foot", userTags: ["vip"], ip: "10.0.0.2" },
  segments: [{ description: "Regulars", externalId: "reg" }],
  topChains: [{ slug: "beans", name: "Beans", externalId: "b9" }],
  nearbyPlaceChains: [{ slug: "beans", name: "Beans", externalId: "b9", metadata: { tier: "gold" } }],
  ...{ geofences: [WIRE_FENCE], place: WIRE_PLACE, beacons: [BEACON], trip: WIRE_TRIP, fraud: WIRE_FRAUD, ...DEVICE },
  ...{
    country: { ...REGION, _id: "r-country" },
    state: { ...REGION, _id: "r-state", type: "state", code: "NY" },
    dma: { ...REGION, _id: "r-dma", type: "dma", code: "501" },
    postalCode: { ...REGION, _id: "r-postalCode", type: "postalCode", code: "11201" },
  },
};

export const RERUN: Rerun = {
  past: {
    update: {
      ...{ deviceId: "phone", location: { latitude: 40.7, longitude: -73.7 }, accuracy: 9, altitude: 12, speed: 2 },
      ...{ course: 180, stopped: true, foreground: false, replayed: true, source: "GEOFENCE_EXIT" },
      receivedAt: at(61),
    } as Rerun["past"]["update"],
    ...{ at: at(60), counted: true, events: ["e1"] },
  } as Rerun["past"],
  before: USER,
  after: USER,
  ...{ events: [], decisions: [], asThen: true, same: true },
};
export const WIRE_UPDATE = {
  ...{ at: text(60), receivedAt: text(61), location: { type: "Point", coordinates: [-73.7, 40.7] }, accuracy: 9 },
  ...{ altitude: 12, speed: 2, course: 180, stopped: true, foreground: false, replayed: true, source: "GEOFENCE_EXIT" },
  ...{ counted: true, events: ["e1"] },
};
export const WIRE_BEFORE = {
  ...{ at: text(53), location: { type: "Point", coordinates: [-73.6, 40.6] }, accuracy: 8 },
  geofences: [
    {
      ...{ _id: "f1", tag: "store", externalId: "s7", description: "Store 7", enteredAt: text(55), dwelled: true },
    },
  ],
  place: { _id: "p1", name: "Café", enteredAt: text(56) },
  trip: { _id: "t1", externalId: "order-1", status: "started" },
};

export const GEOFENCE: GeofenceRow = {
  ...{ scope: 5, id: "f1", tag: "store", externalId: "s7", description: "Store 7", type: "circle", mode: "foot" },
  ...{ latitude: 40.1, longitude: -73.1, radius: 150, ring: null, metadata: '{"floor":2}', enabled: true },
  ...{ dwellThreshold: 4, stopDetection: true, tripApproachingThreshold: 6, epoch: 7, cover: "" },
  ...{ operatingHours: '{"Mon":[["09:00","17:00"]]}', disableAfter: at(70), deleteAfter: at(71) },
  ...{ userIds: '["ann"]', ip: '["10.0.0.0/8"]', createdAt: at(72), updatedAt: at(73) },
};
export const WIRE_GEOFENCE = {
  ...{ _id: "f1", live: true, tag: "store", externalId: "s7", description: "Store 7", type: "circle", mode: "foot" },
  ...{ geometryCenter: { type: "Point", coordinates: [-73.1, 40.1] }, metadata: { floor: 2 }, enabled: true },
  ...{ dwellThreshold: 4, stopDetection: true, tripApproachingThreshold: 6, userIds: ["ann"], ip: ["10.0.0.0/8"] },
  ...{ operatingHours: { Mon: [["09:00", "17:00"]] }, disableAfter: text(70), deleteAfter: text(71) },
  ...{ createdAt: text(72), updatedAt: text(73) },
};

export const BEACON_ROW: BeaconRow = {
  ...{ scope: 5, id: "b1", type: "ibeacon", uuid: "aa", major: "1", minor: "2", uid: "bb", instance: "cc", signal: "" },
  ...{ description: "Door", tag: "doors", externalId: "d3", latitude: 40.8, longitude: -73.8, cell: 1, enabled: true },
  ...{ metadata: '{"side":"left"}', createdAt: at(80), updatedAt: at(81) },
};

export const WEBHOOK: WebhookRow = {
  ...{ scope: 5, id: "w1", type: "kafka", url: "https://kafka.example", description: "Bus", delivery: "single" },
  settings: JSON.stringify({
    ...{ template: "{}", contentType: "text/plain", topic: "t", clusterId: "c", username: "u", prefix: "p" },
    ...{ seconds: 60, region: "eu", accessKeyId: "k", password: "hidden", headers: { authorization: "hidden" } },
  }),
  ...{ eventTypes: '["user.entered_place"]', secret: "hidden", previousSecret: "hidden", previousUntil: at(90) },
  ...{ enabled: false, disabledReason: "410 Gone", createdAt: at(91), updatedAt: at(92) },
};
