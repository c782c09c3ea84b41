import type { Effect } from "./effect.ts";

/**
 * Every request is the first update of a new device at the center of a geofence, except where `deviceId` is the parameter:
 * the device "known" has a description. So each response has the event of an entry.
 */
const [LATITUDE, LONGITUDE] = [48.99, -111.2];

/** A field of the user, and the same field of the entry event. */
const onUserAndEvent =
  (field: string): Effect["view"] =>
  ({ user, events: [event] }) => [user[field], event?.[field]];
const text = (parameter: string, changes: string, values: readonly string[]): Effect => ({
  parameter,
  changes,
  view: onUserAndEvent(parameter),
  shows: [[undefined, [undefined, undefined]], ...values.map((value) => [value, [value, value]] as const)],
});
const many = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`key${i}`, i]));
const mixed = { a: "x", b: 1, c: true };

export const TRACK_EFFECTS: readonly Effect[] = [
  {
    parameter: "deviceId",
    changes: "the updated device",
    view: ({ user }) => [user.deviceId, user.description],
    shows: [
      ["known", ["known", "Known"]],
      ["phone-1", ["phone-1", undefined]],
    ],
  },
  {
    parameter: "userId",
    changes: "the user of the device",
    view: ({ user, events: [event] }) => [user.userId, event.user.userId],
    shows: [
      [undefined, [undefined, undefined]],
      ["ann", ["ann", "ann"]],
    ],
  },
  {
    parameter: "latitude",
    changes: "the user's location and geofences",
    view: ({ user }) => [user.location.coordinates, user.geofences.length],
    shows: [
      [LATITUDE, [[LONGITUDE, LATITUDE], 1]],
      [48.9, [[LONGITUDE, 48.9], 0]],
      [90, [[LONGITUDE, 90], 0]],
      [-90, [[LONGITUDE, -90], 0]],
    ],
  },
  {
    parameter: "longitude",
    changes: "the user's location and geofences",
    view: ({ user }) => [user.location.coordinates, user.geofences.length],
    shows: [
      [LONGITUDE, [[LONGITUDE, LATITUDE], 1]],
      [-111.3, [[-111.3, LATITUDE], 0]],
      [180, [[180, LATITUDE], 0]],
      [-180, [[-180, LATITUDE], 0]],
    ],
  },
  {
    parameter: "accuracy",
    changes: "the user's accuracy and the confidence of its events",
    view: ({ user, events: [event] }) => [user.locationAccuracy, event?.locationAccuracy, event?.confidence],
    shows: [
      [0.1, [0.1, 0.1, 3]],
      [65, [65, 65, 3]],
      [150, [150, 150, 1]],
    ],
  },
  {
    parameter: "foreground",
    changes: "whether the app was in the foreground",
    view: onUserAndEvent("foreground"),
    shows: [
      [undefined, [undefined, undefined]],
      [true, [true, true]],
      [false, [false, false]],
    ],
  },
  {
    parameter: "stopped",
    changes: "whether the device is stopped",
    view: onUserAndEvent("stopped"),
    shows: [
      [undefined, [undefined, undefined]],
      [true, [true, true]],
      [false, [false, false]],
    ],
  },
  {
    parameter: "description",
    changes: "the description of the user",
    view: ({ user }) => user.description,
    shows: [
      [undefined, undefined],
      ["Ann's phone", "Ann's phone"],
    ],
  },
  {
    parameter: "metadata",
    changes: "the metadata of the user, also in its events",
    view: ({ user, events: [event] }) => [user.metadata, event.user.metadata],
    shows: [
      [undefined, [undefined, undefined]],
      [mixed, [mixed, mixed]],
      [many, [many, many]],
    ],
  },
  text("deviceType", "the type of the device", ["iOS", "Android", "Web"]),
  {
    parameter: "updatedAt",
    changes: "the time of the update and of its events",
    view: ({ user, events: [event] }) =>
      [user.updatedAt, event.createdAt].map((at) => (Math.abs(Date.now() - Date.parse(at)) < 3600_000 ? "now" : at)),
    shows: [
      [undefined, ["now", "now"]],
      ["2026-01-01T00:00:00.000Z", ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"]],
      ["2026-01-01T01:00:00+02:00", ["2025-12-31T23:00:00.000Z", "2025-12-31T23:00:00.000Z"]],
    ],
  },
  {
    parameter: "replayed",
    changes: "the replayed flag of events",
    view: ({ events: [event] }) => event.replayed,
    shows: [
      [undefined, undefined],
      [false, undefined],
      [true, true],
    ],
  },
  text("deviceOS", "the operating system of the device", ["18.1"]),
  text("deviceMake", "the maker of the device", ["Fairphone"]),
  text("deviceModel", "the model of the device", ["FP5"]),
];
