import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { BEACON_TYPES } from "../../../core/tracking/types/surroundings.ts";

/** Geofences and beacons. */

export const fenceEpoch = sqliteTable("fence_epoch", {
  scope: integer("scope").primaryKey(),
  epoch: integer("epoch").notNull(),
});

export const geofence = sqliteTable(
  "geofence",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    tag: text("tag"),
    externalId: text("external_id"),
    description: text("description").notNull(),
    type: text("type", { enum: ["circle", "polygon", "isochrone"] }).notNull(),
    latitude: real("latitude").notNull(),
    longitude: real("longitude").notNull(),
    radius: real("radius"),
    ring: text("ring"),
    mode: text("mode"),
    metadata: text("metadata"),
    enabled: integer("enabled", { mode: "boolean" }).notNull().default(true),
    dwellThreshold: real("dwell_threshold"),
    stopDetection: integer("stop_detection", { mode: "boolean" }),
    tripApproachingThreshold: real("trip_approaching_threshold"),
    operatingHours: text("operating_hours"),
    disableAfter: integer("disable_after"),
    deleteAfter: integer("delete_after"),
    userIds: text("user_ids"),
    segments: text("segments"),
    ip: text("ip"),
    speedLimit: real("speed_limit"),
    cover: text("cover").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    epoch: integer("epoch").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] }), index("geofence_epoch").on(table.scope, table.epoch)],
);

export const geofenceTombstone = sqliteTable(
  "geofence_grave",
  {
    scope: integer("scope").notNull(),
    epoch: integer("epoch").notNull(),
    id: text("id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.epoch, table.id] })],
);

export const beaconEpoch = sqliteTable("beacon_epoch", {
  scope: integer("scope").primaryKey(),
  epoch: integer("epoch").notNull(),
});

export const beacon = sqliteTable(
  "beacon",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    type: text("type", { enum: BEACON_TYPES }).notNull(),
    uuid: text("uuid"),
    major: text("major"),
    minor: text("minor"),
    uid: text("uid"),
    instance: text("instance"),
    signal: text("signal").notNull(),
    description: text("description").notNull(),
    tag: text("tag"),
    externalId: text("external_id"),
    latitude: real("latitude").notNull(),
    longitude: real("longitude").notNull(),
    cell: integer("cell").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    metadata: text("metadata"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] }), index("beacon_signal").on(table.scope, table.signal)],
);

export const beaconImport = sqliteTable(
  "beacon_import",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const geofenceImport = sqliteTable(
  "geofence_import",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export type BeaconRow = typeof beacon.$inferSelect;

export type GeofenceRow = typeof geofence.$inferSelect;
