import type { Effect } from "./effect.ts";

const EDDYSTONE = { type: "eddystone", uid: "cc", instance: "1" };
const mixed = { a: "x", b: 1, c: true };
const many = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`key${i}`, i]));

/** A field of the beacon that shows the value as it was sent. */
const field = (parameter: string, changes: string, values: readonly unknown[], beside?: Effect["beside"]): Effect => ({
  parameter,
  changes,
  beside,
  view: ({ beacon }) => beacon[parameter],
  shows: values.map((value) => [value, value] as const),
});

/** Each request creates a beacon: an iBeacon, except where Eddystone is the type. */
export const BEACON_EFFECTS: readonly Effect[] = [
  {
    parameter: "type",
    changes: "the type and identifiers of the beacon",
    beside: EDDYSTONE,
    view: ({ beacon: { type, uuid, major, minor, uid, instance } }) => [type, uuid, major, minor, uid, instance],
    shows: [
      ["ibeacon", ["ibeacon", "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e10", "1", "1", undefined, undefined]],
      ["eddystone", ["eddystone", undefined, undefined, undefined, "cc", "1"]],
    ],
  },
  field("uuid", "the UUID of an iBeacon", [
    "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e10",
    "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e11",
  ]),
  field("major", "the major number of an iBeacon", ["1", "2"]),
  field("minor", "the minor number of an iBeacon", ["1", "2"]),
  field("uid", "the UID of an Eddystone beacon", ["cc", "dd"], EDDYSTONE),
  field("instance", "the instance of an Eddystone beacon", ["1", "2"], EDDYSTONE),
  field("description", "the display name", ["Door", "Gate"]),
  field("tag", "the group of the beacon", [undefined, "shop"]),
  field("externalId", "the ID in the caller's database", [undefined, "door"]),
  {
    parameter: "coordinates",
    changes: "the location of the beacon",
    view: ({ beacon }) => beacon.geometry,
    shows: [
      [[-111.2, 48.99], { type: "Point", coordinates: [-111.2, 48.99] }],
      [[180, 90], { type: "Point", coordinates: [180, 90] }],
      [[-180, -90], { type: "Point", coordinates: [-180, -90] }],
    ],
  },
  field("enabled", "whether the beacon makes events", [true, false]),
  field("metadata", "the metadata of the beacon", [undefined, mixed, many]),
];
